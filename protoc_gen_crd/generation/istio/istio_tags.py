"""Parser of +cue-gen tags as in the Go plugin: the kind is ignored, and a tag includes the lines after it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from protoc_gen_crd.findings.finding import Place
from protoc_gen_crd.generation.istio.failure_reporter import FailureReporter, PluginStopError
from protoc_gen_crd.generation.istio.istio_descriptions import get_comment
from protoc_gen_crd.proto.element_model import Message
from protoc_gen_crd.proto.source_locations import CommentPlace

_TAG = "+cue-gen"
_QUOTES = "\"'`"


class CueTags:
    """The tags of a message by key, with their places. Values of a repeated key are joined by `;;`."""

    def __init__(self) -> None:
        self.values: dict[str, str] = {}
        self.places: dict[str, Place] = {}

    def __contains__(self, key: str) -> bool:
        return key in self.values

    def get(self, key: str, default: str = "") -> str:
        """Return the value of a key."""
        return self.values.get(key, default)

    def add(self, key: str, value: str, at: Place) -> None:
        """Add a tag."""
        self.values[key] = f"{self.values[key]};;{value}" if key in self.values else value
        self.places.setdefault(key, at)

    def parse_pairs(self, key: str) -> Mapping[str, str]:
        """Parse the value of a key as `key=value,key=value`; empty if not set. Raises PluginStopError if invalid."""
        return self.parse_part(key, self.values[key]) if key in self.values else {}

    def parse_part(self, key: str, part: str) -> Mapping[str, str]:
        """Parse a part of the value of a key as pairs. Raises PluginStopError if it is invalid."""
        try:
            return parse_key_values(part)
        except ValueError as error:
            raise PluginStopError(str(error), self.places[key]) from None


def read_tags(message: Message, failures: FailureReporter) -> CueTags:
    """Read the tags in the comment of a message."""
    tags = CueTags()
    comment = get_comment(message)
    if _TAG not in comment:
        return tags
    for tag, at in _iterate_tags(comment, message):
        parts = tag[len(_TAG) + 1 :].split(":", 2)
        if tag == _TAG or len(parts) < 2:
            failures.report(f"the tag {tag}, which is not +cue-gen:Kind:key:value", at, path=message.full_name)
        else:
            tags.add(parts[1], parts[2] if len(parts) > 2 else "", at)
    return tags


def _iterate_tags(comment: str, message: Message) -> Iterator[tuple[str, Place]]:
    """Yield each tag, joined with its continuation lines up to a line `-->`, and the place of its first line."""
    tag: list[str] = []
    place = CommentPlace(message.at, 0, 0)
    start = comment.rfind("\n", 0, comment.find(_TAG)) + 1
    for number, line in enumerate(comment[start:].split("\n"), comment.count("\n", 0, start)):
        content = line.strip(" ")
        starts = content.startswith(_TAG)
        if tag and (starts or content == "-->"):
            yield " ".join(tag), place
            tag = []
        if starts:
            tag, place = [content], CommentPlace(message.at, number, line.find(content), content)
        elif tag and content:
            tag.append(content)
    if tag:
        yield " ".join(tag), place


def parse_key_values(tag: str) -> dict[str, str]:
    """Parse `key=value,key=value`. A value ends at the last comma before the next `=`. Raises ValueError."""
    first, *parts = tag.split("=")
    if "," in first:
        raise ValueError(f'no "=" before the first comma of {tag}')
    if not parts:
        return {first: ""} if first else {}
    pairs: dict[str, str] = {}
    key = first
    for index, part in enumerate(parts):
        if part in ("", ","):
            raise ValueError(f"an empty value in {tag}")
        if index == len(parts) - 1:
            pairs[key] = part.strip(_QUOTES)
            break
        value, comma, following = part.rpartition(",")
        if not comma:
            raise ValueError(f"no comma between two values of {tag}")
        if not following:
            raise ValueError(f"an empty key in {tag}")
        pairs[key] = value.strip(_QUOTES)
        key = following
    return pairs
