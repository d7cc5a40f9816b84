"""Descriptions: the words of a comment up to the first that ends in a dot, and the front matter of a file."""

from __future__ import annotations

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.proto.load import ApiSet
from protoc_gen_crd.proto.locations import PACKAGE_PATH
from protoc_gen_crd.proto.model import File

_CLASS = "$class: "
_UNSET = ("UNSPECIFIED", "UNSET", "UNDEFINED", "INVALID")


def first_sentence(comment: str) -> str:
    """The description of an element: empty for a hidden one and for a comment without a word that ends in a dot."""
    if not comment or "$hide_from_docs" in comment:
        return ""
    words = without_class(comment).split()
    for index, word in enumerate(words):
        if word.endswith("."):
            return " ".join(words[: index + 1])
    return ""


def without_class(comment: str) -> str:
    """The comment without `$class: word`, which names a CSS class for Istio's docs."""
    start = comment.find(_CLASS)
    if start < 0:
        return comment
    rest = comment[start + len(_CLASS) :]
    word = rest.split(None, 1)[0] if rest.split() else ""
    return comment[:start] + rest[len(word) :]


def valid_options(names: list[str]) -> str:
    """What is put behind the description of a field with an enum type."""
    shown = names[1:] if names and any(word in names[0] for word in _UNSET) else names
    return f"\n\nValid Options: {', '.join(shown)}"


class FrontMatter(Record):
    """The `$key: value` lines above a package statement that matter here."""

    schemas: tuple[str, ...]
    description: str
    location: str


def front_matter(file: File) -> FrontMatter:
    """Read the detached comments of the package statement; the last of a repeated key wins."""
    keys = {"description": "", "location": ""}
    schemas: list[str] = []
    for comment in file.source.detached(PACKAGE_PATH):
        for line in comment.split("\n"):
            text = line.strip(" ")
            if not text.startswith("$"):
                continue
            key, colon, value = text[1:].partition(":")
            if colon and key in keys:
                keys[key] = value.strip()
            elif "schema: " in text:
                schemas.append(text.partition("schema: ")[2].strip())
    return FrontMatter(tuple(schemas), keys["description"], keys["location"])


def spec_descriptions(api: ApiSet) -> dict[str, str]:
    """Full message name -> the description of its spec, for the messages that a front matter names."""
    found: dict[str, str] = {}
    for file in api.targets():
        matter = front_matter(file)
        for name in matter.schemas:
            found[name] = f"{matter.description} See more details at: {matter.location}"
    return found
