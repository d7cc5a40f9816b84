"""Descriptions as in the Go plugin: the first sentence of a comment, and the front matter of a file."""

from __future__ import annotations

import re

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.golang.whitespace import SPACE, join_fields
from protoc_gen_crd.proto.api_set import ApiSet
from protoc_gen_crd.proto.element_model import Element, File
from protoc_gen_crd.proto.source_locations import PACKAGE_PATH

_CLASS = "$class: "
_BLANK = r"[ \t\n]"
_KEYS = ("$title: ", "$overview: ", "$description: ", "$location: ", "$front_matter: ", "$mode: ")
_SCHEMA = "schema: "  # anywhere in a line of another key
_UNSET = ("UNSPECIFIED", "UNSET", "UNDEFINED", "INVALID")


def get_comment(element: Element) -> str:
    """Return the comment as the Go plugin reads it: without `$class: word`, a CSS class of Istio's documentation."""
    comment = element.comment
    start = comment.find(_CLASS) if "$" in comment else -1  # few comments have any `$`, which is found faster
    if start < 0:
        return comment
    end = re.compile(_BLANK).search(comment, start + len(_CLASS))
    if end is None or end.start() == start + len(_CLASS):
        return comment
    return comment[:start] + comment[end.start() :]


def is_fatal(comment: str) -> bool:
    """Return whether a comment ends in `$class: word`, which crashes the Go plugin."""
    start = comment.find(_CLASS) if "$" in comment else -1
    return start >= 0 and re.compile(_BLANK).search(comment, start + len(_CLASS)) is None


def extract_first_sentence(comment: str) -> str:
    """Return the description in a comment; empty if it is hidden or no word of it ends in a dot."""
    if not comment or ("$" in comment and "$hide_from_docs" in comment):
        return ""
    end = comment.find(".") + 1
    while end and comment[end : end + 1] not in SPACE:
        end = comment.find(".", end) + 1
    return join_fields(comment[:end])


def format_valid_options(names: list[str]) -> str:
    """Format the suffix of the description of an enum field."""
    options = names[1:] if names and any(word in names[0] for word in _UNSET) else names
    return f"\n\nValid Options: {', '.join(options)}"


class FrontMatter(Record):
    """The `$key: value` lines above a package statement that affect descriptions."""

    schemas: tuple[str, ...]
    description: str
    location: str


def read_front_matter(file: File) -> FrontMatter:
    """Read the detached comments of the package statement. The last value of a repeated key applies."""
    values = dict.fromkeys(_KEYS, "")
    schemas: list[str] = []
    for comment in file.source.get_detached_comments(PACKAGE_PATH):
        for line in comment.split("\n"):
            entry = line.strip(" ")
            if not entry.startswith("$"):
                continue
            key = next((key for key in _KEYS if entry.startswith(key)), "")
            if key:
                values[key] = entry[len(key) :]
            if key in ("", "$front_matter: ") and _SCHEMA in entry:
                schemas.append(entry.partition(_SCHEMA)[2])
    return FrontMatter(tuple(schemas), values["$description: "], values["$location: "])


def collect_spec_descriptions(api: ApiSet) -> dict[str, str]:
    """Return the description of the spec by full message name, for the messages that a front matter names."""
    descriptions: dict[str, str] = {}
    for file in api.list_targets():
        matter = read_front_matter(file)
        for name in matter.schemas:
            descriptions[name] = f"{matter.description} See more details at: {matter.location}"
    return descriptions
