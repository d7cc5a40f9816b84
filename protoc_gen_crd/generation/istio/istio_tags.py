"""+cue-gen tags as the Go plugin reads them: the kind is not looked at, and a tag swallows what follows it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from protoc_gen_crd.findings.finding import Place
from protoc_gen_crd.generation.istio.istio_descriptions import get_comment
from protoc_gen_crd.generation.istio.refusals import PluginStopError, RefusalReporter
from protoc_gen_crd.proto.model import Message
from protoc_gen_crd.proto.source_locations import CommentPlace

_TAG = "+cue-gen"
_QUOTES = "\"'`"


class CueTags:
    """The tags of a message by key, with the place of each; values of a repeated key are joined by `;;`."""

    def __init__(self) -> None:
        self.values: dict[str, str] = {}
        self.places: dict[str, Place] = {}

    def __contains__(self, key: str) -> bool:
        return key in self.values

    def get(self, key: str, default: str = "") -> str:
        """The value of a key."""
        return self.values.get(key, default)

    def add(self, key: str, value: str, at: Place) -> None:
        """Add one tag."""
        self.values[key] = f"{self.values[key]};;{value}" if key in self.values else value
        self.places.setdefault(key, at)

    def parse_pairs(self, key: str) -> Mapping[str, str]:
        """The value of a key as `key=value,key=value`; none without the key. Raises StopError."""
        return self.parse_part(key, self.values[key]) if key in self.values else {}

    def parse_part(self, key: str, text: str) -> Mapping[str, str]:
        """A part of the value of a key as pairs. Raises StopError."""
        try:
            return parse_key_values(text)
        except ValueError as error:
            raise PluginStopError(str(error), self.places[key]) from None


def read_tags(message: Message, refusals: RefusalReporter) -> CueTags:
    """The tags of a message's comment."""
    tags = CueTags()
    comment = get_comment(message)
    if _TAG not in comment:
        return tags
    for text, at in _iterate_tags(comment, message):
        parts = text[len(_TAG) + 1 :].split(":", 2)
        if text == _TAG or len(parts) < 2:
            refusals.report(f"the tag {text}, which is not +cue-gen:Kind:key:value", at, path=message.full_name)
        else:
            tags.add(parts[1], parts[2] if len(parts) > 2 else "", at)
    return tags


def _iterate_tags(comment: str, message: Message) -> Iterator[tuple[str, Place]]:
    """Each tag with the lines that continue it, up to a line that is `-->`, and the place of its first line."""
    tag: list[str] = []
    place = CommentPlace(message.at, 0, 0)
    for number, line in enumerate(comment.split("\n")):
        text = line.strip(" ")
        starts = text.startswith(_TAG)
        if tag and (starts or text == "-->"):
            yield " ".join(tag), place
            tag = []
        if starts:
            tag, place = [text], CommentPlace(message.at, number, line.find(text), text)
        elif tag and text:
            tag.append(text)
    if tag:
        yield " ".join(tag), place


def parse_key_values(text: str) -> dict[str, str]:
    """A tag's `key=value,key=value`: a value runs to the last comma before the next `=`. Raises ValueError."""
    first, *rest = text.split("=")
    if "," in first:
        raise ValueError(f'no "=" before the first comma of {text}')
    if not rest:
        return {first: ""} if first else {}
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
