"""Parser of native comment markers, `+protoc-gen-crd:<option>=<value>`, in the protobuf text format of the option."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Protocol

from google.protobuf import text_format
from google.protobuf.message import Message

from protoc_gen_crd.base.suggestions import suggest, suggest_other_name
from protoc_gen_crd.markers.comment_parser import ElementMarkerLine
from protoc_gen_crd.markers.marker import Marker, MessageMembers
from protoc_gen_crd.markers.marker_aliases import OLDER_VERSION_HINT
from protoc_gen_crd.markers.marker_value_parser import MAX_DEPTH
from protoc_gen_crd.markers.option_declarations import (
    EMPTY_DURING,
    EMPTY_DURING_HINT,
    MarkerOption,
    find_empty_during,
    flatten_options,
    get_enum_names,
    get_message_options,
)
from protoc_gen_crd.schema.schema import CONVERSION, UNREADABLE
from protoc_gen_crd.v1 import options_pb2

# Letter of the element -> its message in options.proto. On messages, `resource` may precede the path.
_ROOTS = {
    "F": "Schema",
    "T": "Schema",
    "E": "Schema",
    "V": "EnumValue",
    "O": "Oneof",
    "P": "Package",
    "S": "Service",
    "M": "Method",
}

_MAX_LISTED = 24
_COMMAS = "separate the items with commas"
_TEXT = r"""(?:"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')"""
# An item of a list, with or without quotes. Possessive, since a blank may belong to the item or follow it.
_ITEM = rf"""\s*+({_TEXT}|[^\s"',\[\]{{}}][^"',\[\]{{}}]*+)\s*+"""
_UNKNOWN = r'Message type "protoc_gen_crd\.v1\.(\w+)" has no field named "(\w+)"'
_BARE = r"Expected string but found: '(.*)'"


class MarkerErrorReporter(Protocol):
    """Reports a finding at an offset into a marker line."""

    def __call__(self, rule: str, message: str, line: ElementMarkerLine, offset: int, *, hint: str = "") -> None:
        """Report a finding."""


class NativeMarkerReader:
    """Parses `<option>=<value>`. The option is a path such as `items.max_length` or `resource.scope`."""

    def __init__(self, report: MarkerErrorReporter) -> None:
        self._report = report

    def read(self, line: ElementMarkerLine, marker_text: str) -> Iterator[Marker | MessageMembers]:
        """Yield the markers of a line; nothing, with a finding, if the path or the value is invalid."""
        path, equals, value = marker_text.partition("=")
        root, names = _ROOTS[line.letter], path.strip().split(".")
        if names[0] == "resource":
            root, names = "Resource", names[1:]
            if not names:
                yield from self._read_message(line, "Resource", value)
                return
        resolved = self._resolve_path(line, root, names, len(line.text) - len(marker_text))
        if resolved is None:
            return
        steps, option = resolved
        try:
            plain = _parse_value(option, root, steps, value.strip(), has_value=bool(equals))
        except text_format.ParseError as error:
            actual = f'"{value.strip()}"' if value.strip() else "none"
            problem = f'expected {describe_type(option)} for "{path}", found {actual}'
            at = _find_error(error, value.strip(), len(option.name) + 2)
            start = len(line.text) - len(value.lstrip())
            self._report("marker-parse", problem, line, start + at, hint=_explain_error(option, error))
            if (option.name, steps) == (CONVERSION, ()):
                yield Marker(option, steps, [{UNREADABLE: value}], line.text, line.at, line.owner)
            return
        for name in reversed(names):
            plain = {name: plain}
        if root != "Schema":
            yield MessageMembers(root, plain, line.text, line.at)
            return
        for _ in find_empty_during(plain):
            self._report("marker-value", EMPTY_DURING, line, 0, hint=EMPTY_DURING_HINT)
        for leaf in flatten_options(plain):
            marker = Marker(
                leaf.option, leaf.steps, leaf.value, line.text, line.at, line.owner, unread=leaf.option.json
            )
            yield marker.replace(within=leaf.within) if leaf.within else marker

    def _read_message(self, line: ElementMarkerLine, message: str, value: str) -> Iterator[MessageMembers]:
        try:
            parsed = _parse_text_format(_strip_braces(value), message)
        except text_format.ParseError as error:
            problem = f'expected a Resource in protobuf text format for "resource", found "{value.strip()}"'
            stripped = value.strip()
            at = _find_error(error, stripped, 0 if _strip_braces(stripped) == stripped else -1)
            self._report(
                "marker-parse", problem, line, len(line.text) - len(value.lstrip()) + at, hint=_format_error(error)
            )
            return
        yield MessageMembers(message, _to_plain_data(parsed), line.text, line.at)

    def _resolve_path(
        self, line: ElementMarkerLine, root: str, names: list[str], head: int
    ) -> tuple[tuple[str, ...], MarkerOption] | None:
        message = root
        if len(names) > MAX_DEPTH:
            problem = f"path of an option has {len(names)} steps, more than {MAX_DEPTH}"
            self._report("marker-parse", problem, line, head)
            return None
        for index, name in enumerate(names):
            options = get_message_options(message)
            option = options.get(name)
            if option is None:
                possible = sorted(options)
                path = ".".join(names[: index + 1])
                known = [*possible, *(OLDER_VERSION_HINT if message == "Schema" else ())]
                hint = suggest_other_name(name, possible) or suggest(name, known) or format_names(possible)
                prefix, colon, suffix = name.partition(":")
                if colon and prefix in options:
                    hint = f'write "{prefix}={suffix.strip()}"'
                elif name in OLDER_VERSION_HINT:
                    hint = f'write "+protoc-gen-crd:{OLDER_VERSION_HINT[name]}"'
                elif not index and name in get_message_options("Resource"):
                    hint = f'did you mean "resource.{name}"?'
                elif not index and names[1:2] and names[1] in get_message_options("Package"):
                    hint = f'did you mean "package.{names[1]}"?'
                problem = f'unknown option "{path}"'
                self._report("marker-unknown", problem, line, head, hint=hint)
                return None
            if index == len(names) - 1:
                return tuple(names[:-1]), option
            message = option.message
            if option.kind != "message" or option.repeated:
                self._report("marker-unknown", f'option "{name}" has no options below it', line, head)
                return None
        return None


def format_names(names: list[str]) -> str:
    """Format a hint with the names of all options, if there are not too many."""
    return f"possible options: {', '.join(names)}" if len(names) <= _MAX_LISTED else "see the marker reference"


def describe_type(option: MarkerOption) -> str:
    """Describe the values of an option."""
    if option.kind == "enum":
        return f"one of {', '.join(get_enum_names(option.message))}"
    kind = {"message": f"a {option.message} in protobuf text format", "bool": "true or false", "integer": "an integer"}
    return kind.get(option.kind, f"a {option.kind}")


def _explain_error(option: MarkerOption, error: text_format.ParseError) -> str:
    """Return a hint for the text format of a message or list; other findings need none."""
    return _format_error(error) if option.kind == "message" or str(error) == _COMMAS else ""


def _find_error(error: text_format.ParseError, value: str, shift: int) -> int:
    """Return the offset of an error in a value that follows `shift` characters of input; 0 if it is unknown."""
    column = (error.GetColumn() or 0) - 1 - shift
    return column if error.GetLine() == 1 and 0 <= column < len(value) else 0


def _format_error(error: text_format.ParseError) -> str:
    unknown = re.search(_UNKNOWN, str(error))
    options = get_message_options(unknown[1]) if unknown else {}
    if unknown and (near := suggest_other_name(unknown[2], options) or suggest(unknown[2], options)):
        return f'unknown option "{unknown[2]}", {near}'
    bare = re.search(_BARE, str(error))
    if bare:
        return f'quote strings inside of {{...}}: "{bare[1]}"'
    return re.sub(r"^[\d: ]+('.*': )?", "", str(error)).rstrip(".")


def _strip_braces(marker_text: str) -> str:
    marker_text = marker_text.strip()
    return marker_text[1:-1] if marker_text.startswith("{") and marker_text.endswith("}") else marker_text


def _parse_value(option: MarkerOption, root: str, steps: tuple[str, ...], marker_text: str, *, has_value: bool) -> Any:
    """Parse the value of an option. Raises text_format.ParseError."""
    if not has_value:
        if option.kind == "bool":
            return True
        raise text_format.ParseError("missing value")
    if not marker_text:
        raise text_format.ParseError("missing value")
    if option.kind == "string" and not marker_text.startswith(('"', "'", "[") if option.repeated else ('"', "'")):
        return [marker_text] if option.repeated else marker_text
    if option.kind == "string" and re.fullmatch(rf"\[{_ITEM}(?:,{_ITEM})*\]", marker_text):
        marker_text = f"[{', '.join(map(_quote_item, re.findall(_ITEM, marker_text[1:-1])))}]"
    elif (
        option.kind == "string"
        and option.repeated
        and re.match(rf"\[(?:{_TEXT}\s*,\s*)*{_TEXT}\s*[^\s,\]]", marker_text)
    ):
        raise text_format.ParseError(_COMMAS)
    owner = root
    for step in steps:
        owner = get_message_options(owner)[step].message
    parsed = _to_plain_data(_parse_text_format(f"{option.name}: {marker_text}", owner))
    value = parsed.pop(option.name, [] if option.repeated else None)
    if parsed:
        raise text_format.ParseError("unexpected text after the value")
    return value


def _quote_item(item: str) -> str:
    """Quote an item of a list, unless it is already quoted."""
    return item if item[0] in "\"'" else '"' + item.rstrip().replace("\\", r"\\") + '"'


def _parse_text_format(marker_text: str, message: str) -> Message:
    """Parse a message of options.proto in text format. Raises text_format.ParseError."""
    try:
        parsed: Message = text_format.Parse(marker_text, getattr(options_pb2, message)())
    except RecursionError:
        raise text_format.ParseError("the value is nested too deeply") from None
    return parsed


def _to_plain_data(message: Message) -> dict[str, Any]:
    """Convert a parsed message to plain data."""
    members: dict[str, Any] = {}
    for field, value in message.ListFields():
        if field.message_type and field.message_type.GetOptions().map_entry:
            members[field.name] = dict(value)
        elif field.message_type:
            members[field.name] = (
                [_to_plain_data(item) for item in value] if field.is_repeated else _to_plain_data(value)
            )
        elif field.enum_type:
            members[field.name] = field.enum_type.values_by_number[value].name
        else:
            members[field.name] = list(value) if field.is_repeated else value
    return members
