"""Our own comment spelling: `+protoc-gen-crd:<option>=<value>`, read as the option's text format."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Protocol

from google.protobuf import text_format
from google.protobuf.message import Message

from protoc_gen_crd.base.suggestions import suggestion
from protoc_gen_crd.markers.comments import StandingLine
from protoc_gen_crd.markers.declared import IDLE, Option, enum_names, idle, leaves, message_options
from protoc_gen_crd.markers.marker import Marker, Members
from protoc_gen_crd.markers.reader import MAX_DEPTH
from protoc_gen_crd.schema.types import CONVERSION, UNREAD
from protoc_gen_crd.v1 import options_pb2

# Letter of the element -> its message in options.proto. `resource` comes before the path on messages.
_ROOTS = {"F": "Schema", "T": "Schema", "E": "Schema", "V": "EnumValue", "O": "Oneof", "P": "Package"}

_MOST_LISTED = 24
_COMMAS = "items are separated by commas"
_TEXT = r"""(?:"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')"""
_ITEM = rf"""\s*({_TEXT}|[^\s"',\[\]{{}}][^"',\[\]{{}}]*)\s*"""  # of a list, perhaps without quotes
_UNKNOWN = r'Message type "protoc_gen_crd\.v1\.(\w+)" has no field named "(\w+)"'
_BARE = r"Expected string but found: '(.*)'"

# Spellings of Istio's generator that start like ours, and how they are written; the reader of lines takes them first.
OLDER = {
    "duration-validation:none": "duration-validation:none",
    "list-value-validation": "list-value-validation:<rule>",
    "map-value-validation": "map-value-validation:<rule>",
    "validation:IgnoreSubValidation": 'validation:IgnoreSubValidation:["<message>"]',
    "validation:XIntOrString": "validation:XIntOrString",
}


class Report(Protocol):
    """Reports a finding at an offset into a marker line."""

    def __call__(self, rule: str, message: str, line: StandingLine, offset: int, *, hint: str = "") -> None:
        """Report one."""


class OwnReader:
    """Reads `<option>=<value>`; the option is a path such as `items.max_length` or `resource.scope`."""

    def __init__(self, report: Report) -> None:
        self._report = report

    def read(self, line: StandingLine, text: str) -> Iterator[Marker | Members]:
        """The marker of a line; nothing, with a finding, if the path or the value is wrong."""
        path, equals, value = text.partition("=")
        root, names = _ROOTS[line.letter], path.strip().split(".")
        if names[0] == "resource":
            root, names = "Resource", names[1:]
            if not names:
                yield from self._whole(line, "Resource", value)
                return
        found = self._path(line, root, names, len(line.text) - len(text))
        if found is None:
            return
        steps, option = found
        try:
            plain = _value(option, root, steps, value.strip(), given=bool(equals))
        except text_format.ParseError as error:
            shown = f'"{value.strip()}"' if value.strip() else "none"
            problem = f'"{path}" must be {_describe(option)}, found {shown}'
            at = _place(error, value.strip(), len(option.name) + 2)
            start = len(line.text) - len(value.lstrip())
            self._report("marker-parse", problem, line, start + at, hint=_reason(option, error))
            if (option.name, steps) == (CONVERSION, ()):
                yield Marker(option, steps, [{UNREAD: value}], line.text, line.at, line.owner)
            return
        for name in reversed(names):
            plain = {name: plain}
        if root != "Schema":
            yield Members(root, plain, line.text, line.at)
            return
        for _ in idle(plain):
            self._report("marker-value", IDLE, line, 0)
        for leaf in leaves(plain):
            made = Marker(leaf.option, leaf.steps, leaf.value, line.text, line.at, line.owner, unread=leaf.option.json)
            yield made.replace(within=leaf.within) if leaf.within else made

    def _whole(self, line: StandingLine, message: str, value: str) -> Iterator[Members]:
        try:
            parsed = _parsed(_braceless(value), message)
        except text_format.ParseError as error:
            problem = f'"resource" must be a Resource in protobuf text format, found "{value.strip()}"'
            stripped = value.strip()
            at = _place(error, stripped, 0 if _braceless(stripped) == stripped else -1)
            self._report("marker-parse", problem, line, len(line.text) - len(value.lstrip()) + at, hint=_words(error))
            return
        yield Members(message, _plain(parsed), line.text, line.at)

    def _path(
        self, line: StandingLine, root: str, names: list[str], head: int
    ) -> tuple[tuple[str, ...], Option] | None:
        message = root
        if len(names) > MAX_DEPTH:
            problem = f"the path of an option must have at most {MAX_DEPTH} steps, found {len(names)}"
            self._report("marker-parse", problem, line, head)
            return None
        for index, name in enumerate(names):
            options = message_options(message)
            option = options.get(name)
            if option is None:
                known = sorted(options)
                shown = ".".join(names[: index + 1])
                hint = suggestion(name, [*known, *(OLDER if message == "Schema" else ())]) or _listed(known)
                before, colon, behind = name.partition(":")
                if colon and before in options:
                    hint = f'write "{before}={behind.strip()}"'
                elif name in OLDER:
                    hint = f'write "+protoc-gen-crd:{OLDER[name]}"'
                elif not index and name in message_options("Resource"):
                    hint = f'did you mean "resource.{name}"?'
                elif not index and names[1:2] and names[1] in message_options("Package"):
                    hint = f'did you mean "package.{names[1]}"?'
                problem = f'an option must be one that exists, found "{shown}"'
                self._report("marker-unknown", problem, line, head, hint=hint)
                return None
            if index == len(names) - 1:
                return tuple(names[:-1]), option
            message = option.message
            if option.kind != "message" or option.repeated:
                self._report("marker-unknown", f'"{name}" must end the path, it has no options below it', line, head)
                return None
        return None


def _listed(known: list[str]) -> str:
    return f"options here: {', '.join(known)}" if len(known) <= _MOST_LISTED else "see the marker reference"


def _describe(option: Option) -> str:
    if option.kind == "enum":
        return f"one of {', '.join(enum_names(option.message))}"
    kind = {"message": f"a {option.message} in protobuf text format", "bool": "true or false", "integer": "an integer"}
    return kind.get(option.kind, f"a {option.kind}")


def _reason(option: Option, error: text_format.ParseError) -> str:
    """What is wrong with the text of a message or list; of other values the finding has said all."""
    return _words(error) if option.kind == "message" or str(error) == _COMMAS else ""


def _place(error: text_format.ParseError, value: str, shift: int) -> int:
    """Where in a value the error is, whose reader was given `shift` characters before it; 0 where it does not tell."""
    column = (error.GetColumn() or 0) - 1 - shift
    return column if error.GetLine() == 1 and 0 <= column < len(value) else 0


def _words(error: text_format.ParseError) -> str:
    unknown = re.search(_UNKNOWN, str(error))
    if unknown and (near := suggestion(unknown[2], message_options(unknown[1]))):
        return f'"{unknown[2]}" is none of its options, {near}'
    bare = re.search(_BARE, str(error))
    if bare:
        return f'a text stands in quotes inside of {{...}}: "{bare[1]}"'
    return re.sub(r"^[\d: ]+('.*': )?", "", str(error)).rstrip(".")


def _braceless(text: str) -> str:
    text = text.strip()
    return text[1:-1] if text.startswith("{") and text.endswith("}") else text


def _value(option: Option, root: str, steps: tuple[str, ...], text: str, *, given: bool) -> Any:
    """The plain value of an option's text. Raises text_format.ParseError."""
    if not given:
        if option.kind == "bool":
            return True
        raise text_format.ParseError("A value is required")
    if not text:
        raise text_format.ParseError("A value is required")
    if option.kind == "string" and not text.startswith(('"', "'", "[") if option.repeated else ('"', "'")):
        return [text] if option.repeated else text
    if option.kind == "string" and re.fullmatch(rf"\[{_ITEM}(?:,{_ITEM})*\]", text):
        text = f"[{', '.join(map(_quoted, re.findall(_ITEM, text[1:-1])))}]"
    elif option.kind == "string" and option.repeated and re.match(rf"\[(?:{_TEXT}\s*,\s*)*{_TEXT}\s*[^\s,\]]", text):
        raise text_format.ParseError(_COMMAS)
    owner = root
    for step in steps:
        owner = message_options(owner)[step].message
    parsed = _plain(_parsed(f"{option.name}: {text}", owner))
    value = parsed.pop(option.name, [] if option.repeated else None)
    if parsed:
        raise text_format.ParseError("Nothing may follow the value")
    return value


def _quoted(item: str) -> str:
    """An item of a list in quotes; one without is as it stands."""
    return item if item[0] in "\"'" else '"' + item.rstrip().replace("\\", r"\\") + '"'


def _parsed(text: str, message: str) -> Message:
    """A message of options.proto in text format. Raises text_format.ParseError."""
    try:
        parsed: Message = text_format.Parse(text, getattr(options_pb2, message)())
    except RecursionError:
        raise text_format.ParseError("It is nested too deep") from None
    return parsed


def _plain(message: Message) -> dict[str, Any]:
    """A parsed message as plain data."""
    found: dict[str, Any] = {}
    for field, value in message.ListFields():
        if field.message_type and field.message_type.GetOptions().map_entry:
            found[field.name] = dict(value)
        elif field.message_type:
            found[field.name] = [_plain(item) for item in value] if field.is_repeated else _plain(value)
        elif field.enum_type:
            found[field.name] = field.enum_type.values_by_number[value].name
        else:
            found[field.name] = list(value) if field.is_repeated else value
    return found
