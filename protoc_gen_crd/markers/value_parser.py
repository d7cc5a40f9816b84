"""Readers of single marker values: numbers, strings, lists, maps, JSON; and the dialects."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, TypeVar

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.markers.value_scanner import (
    BLANKS,
    END,
    FLOAT,
    IDENT,
    INT,
    GrammarError,
    SyntaxRejectedError,
    TokenScanner,
    parse_integer,
    parse_number,
    unquote,
)

MAX_DEPTH = 64
MAX_SHOWN = 40
_BEYOND = 2.0**63  # out of the integer range, which another finding reports
KEY_STOPS = ",;}:"
QUOTE_HINT = 'quote a string that contains "," ";" or "}" with double quotes or backquotes'
SEPARATED_HINT = "write a list as a;b or {a, b}"
LIST_HINT = 'write a list as {"a", "b"}; JSON is allowed after +default='
_WORD = "[,;}]|[^,;}]+"
_SURROGATES = "[\ud800-\udfff]"


class ControllerToolsDialect(Record):
    """The value syntax of a version of controller-tools.

    With `defects`: a blank after an unquoted string drops its last token; a blank before a minus sign is rejected; a
    later `;` turns an inferred value into a list, even inside its braces; a value that starts with true or false
    is inferred as a bool; an empty list among inferred values is null.
    `stops`: characters that end an unquoted string that is not a key. `eager_numbers`: a value that starts with a
    number is inferred as one, and a later malformed number is an error. `own_parsers`: COUNT and BOUND differ from INT
    and NUMBER.
    """

    version: str
    defects: bool = False
    stops: str = ",;}"
    eager_numbers: bool = False
    own_parsers: bool = True


T = TypeVar("T")
ValueReader = Callable[["MarkerValueReader"], Any]


class MarkerValueReader(TokenScanner):
    """Reads values from a position on; each method reads one. Raises SyntaxRejectedError for invalid values.

    `mended` is the first place that a defect reads as another value, and how to avoid it.
    """

    __slots__ = ("comments", "depth", "dialect", "mended", "notes")

    def __init__(self, text: str, begin: int, dialect: ControllerToolsDialect, *, comments: bool) -> None:
        super().__init__(text, begin)
        self.dialect = dialect
        self.comments = comments
        self.depth = 0
        self.mended: tuple[int, str] | None = None
        self.notes: list[GrammarError] = []

    def is_at_end(self) -> bool:
        """Return whether nothing is left to read."""
        left = self.position if self.dialect.defects else self.skip_blanks(self.position)
        return left >= len(self.text)

    def expect(self, symbol: str, expected: str, hint: str = "") -> None:
        """Read a symbol. Raises SyntaxRejectedError if it is not there."""
        if self.scan() != symbol:
            raise self.make_error(expected, self.start, hint)

    def make_error(self, expected: str, start: int, hint: str = "") -> SyntaxRejectedError:
        """Make the error for an unexpected token."""
        start = self.skip_blanks(start)
        found = re.compile(_WORD).match(self.text, start)
        return SyntaxRejectedError(
            start, f"expected {expected}, found {quote_for_message(found[0] if found else '')}", hint
        )

    def read_integer(self) -> int:
        """A decimal integer of 64 bits."""
        return self._read_literal("integer", (INT,), parse_integer)

    def read_number(self) -> int | float:
        """An integer or a float, as Go writes them."""
        return self._read_literal("number", (INT, FLOAT), self._parse_number)

    def _parse_number(self, text: str) -> int | float | None:
        """Parse a number as a float, with a note if it is rounded."""
        value = parse_number(text)
        exact = parse_integer(text) if isinstance(value, int) else None
        if exact is not None and value is not None and exact != float(value) < _BEYOND:
            message = f"API servers read the bound {exact} as {int(float(value))}"
            hint = "numbers are exact in CEL rules, such as self <= 9007199254740993"
            self.notes.append(GrammarError(self.skip_blanks(self.begin), message, hint))
        return value

    def _read_literal(self, what: str, kinds: tuple[str, ...], read: Callable[[str], T | None]) -> T:
        start = self.position
        sign = self._read_sign()
        value = read(sign + self.lexeme) if self.scan() in kinds else None
        if value is None:
            raise self.make_error(_describe_number(what, sized=self.kind in kinds), start)
        return value

    def _read_sign(self) -> str:
        if self.text.startswith("-", self.position):
            self.position += 1
            return "-"
        if self.dialect.defects:
            return ""
        start = self.position
        sign = self.peek()
        if sign not in ("-", "+"):
            return ""
        self.mark_ambiguous(start, "it accepts a minus sign only without a blank before it, and no plus sign")
        self.position += 1
        return sign

    def mark_ambiguous(self, offset: int, advice: str) -> None:
        """Remember that controller-gen may read this place differently."""
        if self.mended is None:
            self.mended = (offset, advice)

    def take_ambiguity(self) -> tuple[int, str] | None:
        """The first such place of the value read last."""
        mended, self.mended = self.mended, None
        return mended

    def read_count(self) -> int:
        """An integer that is the whole rest of the text."""
        return self._read_whole(parse_integer) if self.dialect.own_parsers else self.read_integer()

    def read_bound(self) -> int | float:
        """A number that is the whole rest of the text."""
        return self._read_whole(self._parse_number) if self.dialect.own_parsers else self.read_number()

    def read_boolean(self) -> bool:
        """The word true or false."""
        if self.scan() != IDENT or self.lexeme not in ("true", "false"):
            raise self.make_error("true or false", self.start)
        return self.lexeme == "true"

    def read_string(self) -> str:
        """A string, quoted or bare."""
        return self.read_string_until(self.dialect.stops)

    def read_string_until(self, stops: str) -> str:
        """A string, quoted, or bare up to one of the characters `stops`."""
        is_quoted = self.skip_string(stops)
        text = self.lexeme
        if "\0" in text:
            raise SyntaxRejectedError(self.start + text.index("\0"), "value contains a NUL character")
        if not is_quoted:
            self._warn_quotes(text)
            return self._trim(text)
        quoted = unquote(text)
        if quoted is None:
            raise self.make_error("escapes of bytes or Unicode characters", self.start)
        return quoted

    def _warn_quotes(self, text: str) -> None:
        text = text.strip()
        if len(text) > 1 and text[0] == text[-1] == "'" and not self.dialect.defects:
            message = f"single quotes are part of the string {quote_for_message(text)}"
            hint = "use double quotes or backquotes, unless the single quotes are intended"
            self.notes.append(GrammarError(self.start, message, hint))

    def _trim(self, text: str) -> str:
        trimmed = text.rstrip(BLANKS)
        if len(trimmed) == len(text):
            return text
        if self.dialect.defects:
            return self.text[self.start : self.find_last_token(self.start + len(trimmed))]
        self.mark_ambiguous(self.start, "it drops the last word of an unquoted string before a blank: quote the string")
        return trimmed

    def read_json(self) -> Any:
        """Read the rest of the text as JSON with float64 numbers; None for `null` and for a reference `ref(...)`."""
        from protoc_gen_crd.base.bounded_json import parse_json  # noqa: PLC0415 - few markers need it

        text, start = self._read_rest(), self.begin
        if text.strip().startswith("ref("):
            message = f"controller-gen sets no default from a Go constant: {quote_for_message(text)}"
            self.notes.append(GrammarError(start, message))
            return None

        def report_duplicate(key: str) -> None:
            message = f"key {quote_for_message(key)} is repeated: the last value applies"
            self.notes.append(GrammarError(start, message))

        def parse_whole_number(text: str) -> int | float:
            value, rounded = parse_integer(text), _parse_json_number(text)
            if value is not None and value != rounded and not self.dialect.defects:
                self.mark_ambiguous(start, f"its JSON numbers are floats, and {text} is {rounded} as a float")
            return rounded if value is None or self.dialect.defects else value

        numbers = {
            "parse_int": parse_whole_number,
            "parse_float": _parse_json_number,
            "parse_constant": _parse_json_number,
        }
        try:
            value = parse_json(text, report_duplicate, **numbers)
        except ValueError as error:
            offset = start + getattr(error, "pos", 0)
            hint = "quote a JSON string with double quotes" if hasattr(error, "pos") else f"it is {error}"
            raise self.make_error("a JSON value", offset, hint) from None
        return _replace_surrogates(value) if "\\u" in text else value

    def _read_whole(self, read: Callable[[str], T | None]) -> T:
        """Read the rest of the text, up to a comment and without surrounding blanks."""
        text = self._read_rest()
        value = read((text.partition("#")[0] if self.comments else text).strip())
        if value is None:
            digits = text.strip().lstrip("+-").isdigit()
            what = _describe_number("integer", sized=digits) if read is parse_integer else "a number"
            raise SyntaxRejectedError(self.skip_blanks(self.begin), f"expected {what}, found {quote_for_message(text)}")
        return value

    def _read_rest(self) -> str:
        self.position = len(self.text)
        return self.text[self.begin :]

    def read_braces(self, read: Callable[[], None]) -> None:
        """Read items between braces, separated by commas. A trailing comma is optional."""
        self.scan()
        self.enter_braces()
        while (ahead := self.peek()) and ahead != "}":
            read()
            if self.peek() in ("}", END):
                break
            hint = SEPARATED_HINT if self.peek() == ";" else QUOTE_HINT
            self.expect(",", '"," between the items in braces', hint)
        self.expect("}", '"}" at the end of the value')
        self.depth -= 1

    def enter_braces(self) -> None:
        """Enter braces. Raises SyntaxRejectedError if they are nested too deeply."""
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise SyntaxRejectedError(self.start, f"braces are nested more than {MAX_DEPTH} deep")


def make_list_reader(item: ValueReader) -> ValueReader:
    """Reads lists, `{a, b}` or `a;b`."""

    def read(reader: MarkerValueReader) -> list[Any] | None:
        items: list[Any] = []
        if reader.peek() == "{":
            reader.read_braces(lambda: items.append(item(reader)))
        else:
            _read_separated(reader, item, items)
        if items:
            return items
        reader.mark_ambiguous(reader.position, "it reads an empty list among guessed values as null")
        return None if reader.dialect.defects else items

    return read


def _read_separated(reader: MarkerValueReader, item: ValueReader, items: list[Any]) -> None:
    while reader.peek() not in (",", "}", END):
        items.append(item(reader))
        if reader.peek() != ";":
            return
        reader.scan()


def make_map_reader(item: ValueReader) -> ValueReader:
    """Reads maps, `{key: value, key: value}`."""

    def read(reader: MarkerValueReader) -> dict[str, Any]:
        found: dict[str, Any] = {}

        def read_entry() -> None:
            key = reader.read_string_until(KEY_STOPS)
            start = reader.start
            reader.expect(":", '":" after the key', LIST_HINT if "[" in reader.text else "")
            if key in found:
                message = f"key {quote_for_message(key)} is repeated: the last value applies"
                reader.notes.append(GrammarError(start, message))
            found[key] = item(reader)

        if reader.peek() != "{":
            raise reader.make_error('"{" at the start of the map', reader.position)
        reader.read_braces(read_entry)
        return found

    return read


def _describe_number(noun: str, *, sized: bool) -> str:
    return f"a 64-bit {noun}" if sized else f"{'an' if noun == 'integer' else 'a'} {noun}"


def quote_for_message(text: str) -> str:
    """Quote a text for a message."""
    text = text.strip()
    if not text:
        return "the end"
    if len(text) > MAX_SHOWN:
        text = text[:MAX_SHOWN] + "..."
    return text if text[0] in '"`' else f'"{text}"'


def _parse_json_number(text: str) -> int | float:
    """Raises ValueError for what is too large for a float64, and for NaN and Infinity."""
    value = parse_number(text)
    if value is None:
        raise ValueError(text)
    return value


def _replace_surrogates(value: Any) -> Any:
    """The value with U+FFFD for halves of surrogate pairs, as Go reads them."""
    if isinstance(value, str):
        return re.sub(_SURROGATES, "\ufffd", value)
    if isinstance(value, list):
        return [_replace_surrogates(item) for item in value]
    if isinstance(value, dict):
        return {_replace_surrogates(key): _replace_surrogates(item) for key, item in value.items()}
    return value
