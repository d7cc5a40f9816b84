"""+cue-gen tags as the Go plugin reads them: the kind is not looked at, and a tag swallows what follows it."""

from __future__ import annotations

from collections.abc import Mapping

from protoc_gen_crd.build.istio.refuse import Refusals
from protoc_gen_crd.proto.model import Message

_TAG = "+cue-gen"
_QUOTES = "\"'`"


def read_tags(message: Message, refusals: Refusals) -> Mapping[str, str]:
    """The tags of a message's comment by key; values of a repeated key are joined with `;;`."""
    if _TAG not in message.comment:
        return {}
    tags: dict[str, str] = {}
    for text in _tag_lines(message.comment):
        parts = text[len(_TAG) + 1 :].split(":", 2)
        if text == _TAG or len(parts) < 2:
            refusals.add(f"the tag {text}, which is not +cue-gen:Kind:key:value", message.at, path=message.full_name)
            continue
        key, value = parts[1], parts[2] if len(parts) > 2 else ""
        tags[key] = f"{tags[key]};;{value}" if key in tags else value
    return tags


def _tag_lines(comment: str) -> list[str]:
    """Each tag with the lines that continue it, up to a line that is `-->`."""
    found: list[str] = []
    growing = False
    for line in comment.split("\n"):
        text = line.strip(" ")
        if text.startswith(_TAG):
            found.append(text)
            growing = True
        elif text == "-->":
            growing = False
        elif text and growing:
            found[-1] += f" {text}"
    return found


def key_values(text: str) -> dict[str, str]:
    """A tag's `key=value,key=value`: a value runs to the last comma before the next `=`. Raises ValueError."""
    first, *rest = text.split("=")
    if not rest:
        return {first: ""} if first else {}
    if "," in first:
        raise ValueError(f'no "=" before the first comma of {text}')
    found: dict[str, str] = {}
    key = first
    for index, part in enumerate(rest):
        if part in ("", ","):
            raise ValueError(f"an empty value in {text}")
        if index == len(rest) - 1:
            found[key] = part.strip(_QUOTES)
            break
        value, comma, following = part.rpartition(",")
        if not comma:
            raise ValueError(f"no comma between two values of {text}")
        if not following:
            raise ValueError(f"an empty key in {text}")
        found[key] = value.strip(_QUOTES)
        key = following
    return found
