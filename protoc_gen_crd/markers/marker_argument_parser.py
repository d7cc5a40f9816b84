"""Parser of marker arguments: the part after the name in `name=value` and `name:argument=value,argument=value`.

`marker_value_parser` reads their values. The grammar does not depend on the names and effects of markers.

Source: sigs.k8s.io/controller-tools pkg/markers. DEFAULT is v0.23.0 with its defects corrected; the other dialects are
exact.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Literal

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.base.suggestions import suggest
from protoc_gen_crd.markers.marker_value_parser import (
    LIST_HINT,
    QUOTE_HINT,
    SEPARATED_HINT,
    ControllerToolsDialect,
    MarkerValueReader,
    ValueReader,
    make_list_reader,
    make_map_reader,
    quote_for_message,
)
from protoc_gen_crd.markers.marker_value_scanner import DOUBLE_HINT, END, IDENT, GrammarError, SyntaxRejectedError

# The type of an argument. INT is a 64-bit integer. NUMBER is an int if Go's JSON writer prints an integer (`1e3` is
# 1000, `1.0` is 1), else a float. The type of ANY is inferred; the items of its lists have the same type. The type of
# each item of ANYS is inferred separately. COUNT and BOUND are INT and NUMBER for the markers with a separate parser
# since v0.23.0 (maxItems, minimum, maximum). JSON is parsed as JSON; `null` and a reference `ref(...)` to a Go constant
# are None.
ArgumentType = Literal[
    "INT", "NUMBER", "BOOL", "STRING", "STRINGS", "STRING_MAP", "ANY", "ANYS", "COUNT", "BOUND", "JSON"
]  # fmt: skip


class Argument(Record):
    """An argument of a marker. The name of an anonymous argument is empty."""

    name: str
    kind: ArgumentType
    optional: bool = False


class MarkerDefinition(Record):
    """The arguments of a marker: none (a flag), one anonymous argument, or named arguments in any order.

    With `comments`, a COUNT or BOUND ends before a `#`, as in the `k8s:` markers.
    """

    arguments: tuple[Argument, ...]
    comments: bool = False


class MarkerNames(Record):
    """The two possible names of a marker: `anonymous`, which is looked up first, and `name`.

    `anonymous` is the part before the first `=`. `name` is without its last `:` segment, which is then an argument.
    """

    anonymous: str
    name: str


class ParsedMarker(Record):
    """A parsed marker: the valid values by argument name, and all errors.

    Notes describe input that controller-gen v0.23.0 rejects, reads differently, or ignores: a repeated argument,
    a segment before the `=`, a default that refers to a Go constant.
    """

    values: Mapping[str, Any]
    errors: tuple[GrammarError, ...] = ()
    notes: tuple[GrammarError, ...] = ()


_SEPARATED = '"," between arguments'
_NEXT = r"[A-Za-z]+[ \t]*=(?!=)"
_NUMBERS = frozenset(["INT", "NUMBER", "COUNT", "BOUND"])
_EXACT_DIGITS = 15  # the most digits of which a double represents every integer
_UNQUOTED = "\n\0"  # characters that are errors in double quotes
_SINGLE_HINT = (
    "single quotes are part of a string: quote a string that contains a comma with double quotes or backquotes"
)

DEFAULT = ControllerToolsDialect("")
CT_0_23 = ControllerToolsDialect("v0.23.0", defects=True)
CT_0_20 = ControllerToolsDialect("v0.20.1", defects=True, stops=",;}:", eager_numbers=True, own_parsers=False)


def _read_any(reader: MarkerValueReader) -> Any:
    from protoc_gen_crd.markers.untyped_marker_values import read_any  # noqa: PLC0415 - few markers have such a value

    return read_any(reader)


def _read_item(reader: MarkerValueReader) -> Any:
    from protoc_gen_crd.markers.untyped_marker_values import read_item  # noqa: PLC0415

    return read_item(reader)


_READERS: dict[ArgumentType, ValueReader] = {
    "INT": MarkerValueReader.read_integer,
    "NUMBER": MarkerValueReader.read_number,
    "BOOL": MarkerValueReader.read_boolean,
    "STRING": MarkerValueReader.read_string,
    "STRINGS": make_list_reader(MarkerValueReader.read_string),
    "STRING_MAP": make_map_reader(MarkerValueReader.read_string),
    "ANY": _read_any,
    "ANYS": make_list_reader(_read_item),
    "COUNT": MarkerValueReader.read_count,
    "BOUND": MarkerValueReader.read_bound,
    "JSON": MarkerValueReader.read_json,
}
_LISTS = ("STRINGS", "ANYS")


def split_names(marker_text: str) -> MarkerNames:
    """Return the possible names of a marker, written without its `+`."""
    anonymous, equals, _ = marker_text.partition("=")
    return MarkerNames(anonymous, anonymous.rpartition(":")[0] if equals and ":" in anonymous else anonymous)


def parse_marker(marker_text: str, form: MarkerDefinition, dialect: ControllerToolsDialect = DEFAULT) -> ParsedMarker:
    """Parse the part after the name of a marker: nothing, `=value`, or `:argument=value,...`."""
    values = _read_integer(marker_text, form) or _read_quoted_arguments(marker_text, form)
    if values is not None:
        return ParsedMarker(values)
    parser = _MarkerParser(marker_text, form, dialect)
    if parser.ambiguities and not dialect.defects and not parser.errors:
        parser.warn_differences(_MarkerParser(marker_text, form, CT_0_23))
    return ParsedMarker(parser.values, tuple(parser.errors), tuple(parser.reader.notes))


def _read_integer(marker_text: str, form: MarkerDefinition) -> Mapping[str, int] | None:
    """Return the argument of a marker with a single number if it is an integer in plain digits, else None.

    Shortcut plain-integers: every dialect reads digits without a leading zero as their number, and doubles are exact.
    """
    digits = marker_text[1:]
    if not (digits.isdecimal() and digits.isascii() and marker_text[0] == "=" and len(digits) <= _EXACT_DIGITS):
        return None
    is_number = len(form.arguments) == 1 and form.arguments[0].kind in _NUMBERS and not form.arguments[0].name
    return {"": int(digits)} if is_number and (digits[0] != "0" or digits == "0") else None


def _read_quoted_arguments(marker_text: str, form: MarkerDefinition) -> Mapping[str, str] | None:
    r"""Return the arguments of a marker if all of them are strings in double quotes, else None.

    Shortcut quoted-arguments: every dialect reads such a string as the characters between its quotes, with the escapes
    `\\` and `\"`. Strings with other escapes are not read here.
    """
    if not marker_text.endswith('"') or any(character in marker_text for character in _UNQUOTED):
        return None
    has_escapes = "\\" in marker_text
    masked = marker_text.replace(r"\\", "\0").replace(r"\"", "\n") if has_escapes else marker_text
    if not masked.endswith('"') or "\\" in masked:
        return None
    *parts, _ = masked.split('"')
    names = [part[1:-1] for part in parts[::2]]
    values = parts[1::2]
    if has_escapes:
        values = [value.replace("\n", '"').replace("\0", "\\") for value in values]
    signs = [part[:1] + part[-1:] for part in parts[::2]]
    if len(names) != len(values) or len(names) != len({*names}) or signs != [":=", *[",="] * (len(names) - 1)]:
        return None
    missing = {*names}
    for argument in form.arguments:
        if argument.name in missing and argument.kind == "STRING" and argument.name:
            missing.remove(argument.name)
        elif not argument.optional:
            return None
    return None if missing else dict(zip(names, values, strict=True))


class _MarkerParser:
    """Parser of a marker in a dialect. `ambiguities` has the offset and advice of each ambiguous argument."""

    __slots__ = ("ambiguities", "arguments", "errors", "reader", "unseen", "values")

    def __init__(self, marker_text: str, form: MarkerDefinition, dialect: ControllerToolsDialect) -> None:
        self.values: dict[str, Any] = {}
        self.errors: list[GrammarError] = []
        self.ambiguities: dict[str, tuple[int, str]] = {}
        self.arguments = {argument.name: argument for argument in form.arguments}
        self.unseen = dict(self.arguments)
        named = self.arguments and "" not in self.arguments
        start = 1 if named else marker_text.find("=") + 1 or len(marker_text)
        self.reader = MarkerValueReader(marker_text, start, dialect, comments=form.comments)
        if named:
            self._parse_named(marker_text)
        else:
            self._warn_segment(marker_text[: start - 1])
            self._parse_anonymous()
        self._report_missing()

    def _warn_segment(self, segment: str) -> None:
        if segment not in ("", ":"):  # `:=` is as common as `=`
            message = f'{quote_for_message(segment)} between the name and the "=" is ignored'
            self.reader.notes.append(GrammarError(0, message))

    def _parse_anonymous(self) -> None:
        reader = self.reader
        try:
            if self.arguments and not reader.is_at_end():
                self._parse_value("")
        except SyntaxRejectedError as error:
            self.errors.append(error.error)
            return
        if reader.peek():
            rest = quote_for_message(reader.text[reader.position :])
            problem = (
                f"unexpected text after the value: {rest}" if self.arguments else f"unexpected value of a flag: {rest}"
            )
            hint = _suggest_quotes(reader.text, reader.position, self.arguments[""].kind) if self.arguments else ""
            self.errors.append(GrammarError(reader.position, problem, hint))

    def _parse_value(self, name: str) -> None:
        reader, kind = self.reader, self.arguments[name].kind
        self.unseen.pop(name, None)
        value = _READERS[kind](reader)
        self.values[name] = [] if value is None and kind in _LISTS else value
        ambiguity = reader.take_ambiguity()
        if ambiguity:
            self.ambiguities[name] = ambiguity

    def _parse_named(self, marker_text: str) -> None:
        if marker_text.startswith("="):
            self.errors.append(GrammarError(0, f"expected :name=value, found {quote_for_message(marker_text)}"))
            self.unseen.clear()
        elif not self.reader.is_at_end():
            self._parse_arguments()

    def _parse_arguments(self) -> None:
        while True:
            try:
                self._parse_argument()
                if self.reader.is_at_end():
                    return
                if self._check_missing_comma():
                    continue
                hint = _suggest_quotes(self.reader.text, self.reader.position)
                self.reader.expect(",", _SEPARATED, hint)
            except SyntaxRejectedError as error:
                self.errors.append(error.error)
                if error.final:
                    self.unseen.clear()
                if error.final or not self._recover():
                    return

    def _check_missing_comma(self) -> bool:
        """Report a missing comma before the next argument. Return whether it is missing."""
        reader = self.reader
        start = reader.skip_blanks(reader.position)
        if not reader.text[start : start + 1].isalpha() or not re.match(_NEXT, reader.text[start:]):
            return False
        self.errors.append(reader.make_error(_SEPARATED, start, 'write "," before it').error)
        return True

    def _parse_argument(self) -> None:
        reader = self.reader
        if reader.scan() != IDENT:
            raise reader.make_error("name=value", reader.start)
        name, start = reader.lexeme, reader.start
        reader.expect("=", f'"=" after argument "{name}"', _SINGLE_HINT if "='" in reader.text else "")
        if name not in self.arguments:
            possible = ", ".join(self.arguments)
            raise SyntaxRejectedError(
                start, f'unknown argument "{name}": possible arguments are {possible}', suggest(name, self.arguments)
            )
        if name not in self.unseen:
            reader.notes.append(GrammarError(start, f'argument "{name}" is repeated: the last value applies'))
        self._parse_value(name)

    def _recover(self) -> bool:
        """Continue after the next comma outside braces. Return False if there is none."""
        reader = self.reader
        depth, reader.depth = reader.depth, 0
        try:
            while reader.kind != "," or depth > 0:
                depth = max(depth + (reader.kind == "{") - (reader.kind == "}"), 0)
                if reader.scan() == END:
                    return False
        except SyntaxRejectedError:
            self.unseen.clear()
            return False
        return True

    def _report_missing(self) -> None:
        for name, argument in self.unseen.items():
            if not argument.optional:
                problem = f'missing argument "{name}"' if name else "missing value"
                self.errors.append(GrammarError(len(self.reader.text), problem))

    def warn_differences(self, theirs: _MarkerParser) -> None:
        """Add notes on values that controller-gen reads differently."""
        from json import dumps  # noqa: PLC0415 - notes are rare

        tool = f"controller-gen {theirs.reader.dialect.version}"
        notes, first = self.reader.notes, next(iter(self.ambiguities.values()))
        if theirs.errors:
            notes.append(GrammarError(first[0], f"{tool} rejects this", first[1]))
            return
        for name, value in self.values.items():
            their_value = theirs.values.get(name)
            if their_value != value:
                subject = f'argument "{name}"' if name else "this value"
                message = f"{tool} reads {subject} as {dumps(their_value, ensure_ascii=False, sort_keys=True)}"
                offset, advice = self.ambiguities.get(name, first)
                notes.append(GrammarError(offset, message, advice))


_OTHER_QUOTES = {'"': DOUBLE_HINT, "`": "quote a string that contains a backquote with double quotes"}


def _suggest_quotes(marker_text: str, position: int, kind: ArgumentType | None = None) -> str:
    """Suggest how to quote a value that continues after its end."""
    quote, following = marker_text[:position].rstrip()[-1:], marker_text[position:].lstrip()
    if kind in _LISTS and following.startswith(",") and ";" not in marker_text and "[" not in marker_text:
        return f"{SEPARATED_HINT}, and quote a string that contains a comma"
    if following.startswith(("//", "#")):
        return "move the comment to a line of its own"
    if marker_text.partition("=")[2].lstrip().startswith("[") or (kind == "ANY" and "[" in marker_text):
        return LIST_HINT
    if quote not in _OTHER_QUOTES:
        return QUOTE_HINT
    return _OTHER_QUOTES[quote] if quote in following else ""
