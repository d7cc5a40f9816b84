"""Readers of single marker values (numbers, strings, lists, maps, JSON), and their dialects."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, TypeVar

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.markers.marker_value_scanner import (
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
_BEYOND = 2.0**63  # out of range for int64, which another finding reports
KEY_STOPS = ",;}:"
QUOTE_HINT = 'quote a string that contains "," ";" or "}" with double quotes or backquotes'
SEPARATED_HINT = "write a list as a;b or {a, b}"
LIST_HINT = 'write a list as {"a", "b"}; JSON is allowed after +default='
_WORD = "[,;}]|[^,;}]+"
_SURROGATES = "[\ud800-\udfff]"


class ControllerToolsDialect(Record):
    """The value syntax of a version of controller-tools.

    With `defects`, a blank after an unquoted string drops its last token; a blank before a minus sign is rejected; a
    later `;` turns an inferred value into a list, even inside its braces; a value that starts with true or false is
    inferred as a bool; an empty list among inferred values is null.
    `stops` are the characters that end an unquoted string that is not a key. With `eager_numbers`, a value that starts
    with a number is inferred as a number, and a later malformed number is an error. With `own_parsers`, COUNT and BOUND
    differ from INT and NUMBER.
    """

    version: str
    defects: bool = False
    stops: str = ",;}"
    eager_numbers: bool = False
    own_parsers: bool = True


T = TypeVar("T")
ValueReader = Callable[["MarkerValueReader"], Any]


class MarkerValueReader(TokenScanner):
    """Reads values from a position on. Each method reads one value, and raises SyntaxRejectedError if it is invalid.

    `ambiguity` is the first offset at which controller-gen may read another value, and how to avoid it.
    """

    __slots__ = ("ambiguity", "comments", "depth", "dialect", "notes")

    def __init__(self, text: str, begin: int, dialect: ControllerToolsDialect, *, comments: bool) -> None:
        super().__init__(text, begin)
        self.dialect = dialect
        self.comments = comments
        self.depth = 0
        self.ambiguity: tuple[int, str] | None = None
        self.notes: list[GrammarError] = []

    def is_at_end(self) -> bool:
        """Return whether the end of the input is reached."""
        position = self.position if self.dialect.defects else self.skip_blanks(self.position)
        return position >= len(self.text)

    def expect(self, symbol: str, expected: str, hint: str = "") -> None:
        """Read a symbol. Raises SyntaxRejectedError if another token follows."""
        if self.scan() != symbol:
            raise self.make_error(expected, self.start, hint)

    def make_error(self, expected: str, start: int, hint: str = "") -> SyntaxRejectedError:
        """Return the error for the unexpected token at a position."""
        start = self.skip_blanks(start)
        token = re.compile(_WORD).match(self.text, start)
        return SyntaxRejectedError(
            start, f"expected {expected}, found {quote_for_message(token[0] if token else '')}", hint
        )

    def read_integer(self) -> int:
        """Read a decimal 64-bit integer."""
        return self._read_literal("integer", (INT,), parse_integer)

    def read_number(self) -> int | float:
        """Read an integer or a float in Go's syntax."""
        return self._read_literal("number", (INT, FLOAT), self._parse_number)

    def _parse_number(self, number: str) -> int | float | None:
        """Parse a number as a float, with a note if it is rounded."""
        value = parse_number(number)
        exact = parse_integer(number) if isinstance(value, int) else None
        if exact is not None and value is not None and exact != float(value) < _BEYOND:
            message = f"API servers read the bound {exact} as {int(float(value))}"
            hint = "numbers are exact in CEL rules, such as self <= 9007199254740993"
            self.notes.append(GrammarError(self.skip_blanks(self.begin), message, hint))
        return value

    def _read_literal(self, noun: str, kinds: tuple[str, ...], parse: Callable[[str], T | None]) -> T:
        start = self.position
        sign = self._read_sign()
        value = parse(sign + self.lexeme) if self.scan() in kinds else None
        if value is None:
            raise self.make_error(_describe_number(noun, sized=self.kind in kinds), start)
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
        """Record that controller-gen may read the value at this offset differently."""
        if self.ambiguity is None:
            self.ambiguity = (offset, advice)

    def take_ambiguity(self) -> tuple[int, str] | None:
        """Return and clear the first ambiguity of the last value."""
        ambiguity, self.ambiguity = self.ambiguity, None
        return ambiguity

    def read_count(self) -> int:
        """Read the rest of the input as an integer."""
        return self._read_whole(parse_integer) if self.dialect.own_parsers else self.read_integer()

    def read_bound(self) -> int | float:
        """Read the rest of the input as a number."""
        return self._read_whole(self._parse_number) if self.dialect.own_parsers else self.read_number()

    def read_boolean(self) -> bool:
        """Read the word true or false."""
        if self.scan() != IDENT or self.lexeme not in ("true", "false"):
            raise self.make_error("true or false", self.start)
        return self.lexeme == "true"

    def read_string(self) -> str:
        """Read a string, quoted or bare."""
        return self.read_string_until(self.dialect.stops)

    def read_string_until(self, stops: str) -> str:
        """Read a string: quoted, or bare up to one of the characters `stops`."""
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

    def _warn_quotes(self, value: str) -> None:
        value = value.strip()
        if len(value) > 1 and value[0] == value[-1] == "'" and not self.dialect.defects:
            message = f"single quotes are part of the string {quote_for_message(value)}"
            hint = "use double quotes or backquotes, unless the single quotes are intended"
            self.notes.append(GrammarError(self.start, message, hint))

    def _trim(self, value: str) -> str:
        trimmed = value.rstrip(BLANKS)
        if len(trimmed) == len(value):
            return value
        if self.dialect.defects:
            return self.text[self.start : self.find_last_token(self.start + len(trimmed))]
        self.mark_ambiguous(self.start, "it drops the last word of an unquoted string before a blank: quote the string")
        return trimmed

    def read_json(self) -> Any:
        """Read the rest of the input as JSON with float64 numbers; None for `null` and for a reference `ref(...)`."""
        from protoc_gen_crd.base import bounded_json  # noqa: PLC0415 - few markers need it

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
            value = bounded_json.parse_json(text, report_duplicate, **numbers)
        except ValueError as error:
            if not_finite := bounded_json.find_not_finite(text):
                offset, word = not_finite
                message = f"expected a JSON value, found {quote_for_message(word)}"
                raise SyntaxRejectedError(start + offset, message, bounded_json.NOT_FINITE_HINT) from None
            offset = start + getattr(error, "pos", 0)
            hint = "quote a JSON string with double quotes" if hasattr(error, "pos") else f"it is {error}"
            raise self.make_error("a JSON value", offset, hint) from None
        return _replace_surrogates(value) if "\\u" in text else value

    def _read_whole(self, parse: Callable[[str], T | None]) -> T:
        """Parse the rest of the input, up to a comment and without surrounding blanks."""
        text = self._read_rest()
        value = parse((text.partition("#")[0] if self.comments else text).strip())
        if value is None:
            digits = text.strip().lstrip("+-").isdigit()
            expected = _describe_number("integer", sized=digits) if parse is parse_integer else "a number"
            raise SyntaxRejectedError(
                self.skip_blanks(self.begin), f"expected {expected}, found {quote_for_message(text)}"
            )
        return value

    def _read_rest(self) -> str:
        self.position = len(self.text)
        return self.text[self.begin :]

    def read_braces(self, read_item: Callable[[], None]) -> None:
        """Read items between braces, separated by commas. A trailing comma is optional."""
        self.scan()
        self.enter_braces()
        while (symbol := self.peek()) and symbol != "}":
            read_item()
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
    """Return a reader of lists, `{a, b}` or `a;b`."""

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
    """Return a reader of maps, `{key: value, key: value}`."""

    def read(reader: MarkerValueReader) -> dict[str, Any]:
        entries: dict[str, Any] = {}

        def read_entry() -> None:
            key = reader.read_string_until(KEY_STOPS)
            start = reader.start
            reader.expect(":", '":" after the key', LIST_HINT if "[" in reader.text else "")
            if key in entries:
                message = f"key {quote_for_message(key)} is repeated: the last value applies"
                reader.notes.append(GrammarError(start, message))
            entries[key] = item(reader)

        if reader.peek() != "{":
            raise reader.make_error('"{" at the start of the map', reader.position)
        reader.read_braces(read_entry)
        return entries

    return read


def _describe_number(noun: str, *, sized: bool) -> str:
    return f"a 64-bit {noun}" if sized else f"{'an' if noun == 'integer' else 'a'} {noun}"


def quote_for_message(value: str) -> str:
    """Quote a part of the input for a message, and shorten it."""
    value = value.strip()
    if not value:
        return "the end"
    if len(value) > MAX_SHOWN:
        value = value[:MAX_SHOWN] + "..."
    return value if value[0] in '"`' else f'"{value}"'


def _parse_json_number(number: str) -> int | float:
    """Parse a number of JSON. Raises ValueError if it is too large for a float64, and for NaN and Infinity."""
    value = parse_number(number)
    if value is None:
        raise ValueError(f"out of the range of a float64: {number}")
    return value


def _replace_surrogates(value: Any) -> Any:
    """Replace unpaired surrogates with U+FFFD, as Go does."""
    if isinstance(value, str):
        return re.sub(_SURROGATES, "\ufffd", value)
    if isinstance(value, list):
        return [_replace_surrogates(item) for item in value]
    if isinstance(value, dict):
        return {_replace_surrogates(key): _replace_surrogates(item) for key, item in value.items()}
    return value
