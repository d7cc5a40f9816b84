"""Values of markers whose kind is known: numbers, strings, lists, maps, JSON; and the dialects.

Knows one value at a time; names of arguments are the grammar's business.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, TypeVar

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.markers.scanner import (
    BLANKS,
    END,
    FLOAT,
    IDENT,
    INT,
    GrammarError,
    Refused,
    Scanner,
    integer,
    number,
    unquote,
)

MAX_DEPTH = 64
MAX_SHOWN = 40
_BEYOND = 2.0**63  # which no integer holds: of such a bound that is told
KEY_STOPS = ",;}:"
QUOTE_HINT = 'put a text that holds "," ";" or "}" between double quotes or backquotes'
SEPARATED_HINT = "a list is written a;b or {a, b}"
LIST_HINT = 'a list is written {"a", "b"}; what is JSON stands behind +default='
_WORD = "[,;}]|[^,;}]+"
_HALVES = "[\ud800-\udfff]"


class Dialect(Record):
    """How a version of controller-tools reads values.

    With `defects`: a blank behind a bare string takes its last token away; a blank before a minus sign is refused; a
    `;` anywhere ahead makes a list of a guessed value, even inside its braces; what starts with the word true or false
    is guessed to be a bool; an empty list among guessed values is null.
    `stops`: what ends a bare string that is no key. `eager_numbers`: what starts with a number is guessed to be one,
    and a malformed number anywhere ahead of a guess is an error. `own_parsers`: COUNT and BOUND are not just INT and
    NUMBER.
    """

    version: str
    defects: bool = False
    stops: str = ",;}"
    eager_numbers: bool = False
    own_parsers: bool = True


T = TypeVar("T")
Read = Callable[["Reader"], Any]


class Reader(Scanner):
    """Reads values from a position on; each method reads one and raises Refused for what is none.

    `mended` is where a defect could make another value of what was read, and how to avoid it; the first such place.
    """

    __slots__ = ("comments", "depth", "dialect", "mended", "notes")

    def __init__(self, text: str, begin: int, dialect: Dialect, *, comments: bool) -> None:
        super().__init__(text, begin)
        self.dialect = dialect
        self.comments = comments
        self.depth = 0
        self.mended: tuple[int, str] | None = None
        self.notes: list[GrammarError] = []

    def at_end(self) -> bool:
        """Whether nothing is left to read."""
        left = self.position if self.dialect.defects else self.after_blanks(self.position)
        return left >= len(self.text)

    def expect(self, symbol: str, requirement: str, hint: str = "") -> None:
        """Read a symbol. Raises Refused if it is not there."""
        if self.scan() != symbol:
            raise self.refused(requirement, self.start, hint)

    def refused(self, requirement: str, start: int, hint: str = "") -> Refused:
        """The error that names what should stand at a place, and what does."""
        start = self.after_blanks(start)
        found = re.compile(_WORD).match(self.text, start)
        return Refused(start, f"{requirement}, found {shown(found[0] if found else '')}", hint)

    def integer(self) -> int:
        """A decimal integer of 64 bits."""
        return self._literal("an integer", (INT,), integer)

    def number(self) -> int | float:
        """An integer or a float, as Go writes them."""
        return self._literal("a number", (INT, FLOAT), self._number)

    def _number(self, text: str) -> int | float | None:
        """A number as a float holds it, with a note where that is another one."""
        value = number(text)
        exact = integer(text) if isinstance(value, int) else None
        if exact is not None and value is not None and exact != float(value) < _BEYOND:
            message = f"a bound is a number that servers hold, found {exact}, which is {int(float(value))} to them"
            hint = "numbers are exact in rules, such as self <= 9007199254740993"
            self.notes.append(GrammarError(self.after_blanks(self.begin), message, hint))
        return value

    def _literal(self, what: str, kinds: tuple[str, ...], read: Callable[[str], T | None]) -> T:
        start = self.position
        sign = self._sign()
        value = read(sign + self.spelled) if self.scan() in kinds else None
        if value is None:
            size = " of 64 bits" if self.kind in kinds else ""
            raise self.refused(f"{what}{size} is required", start)
        return value

    def _sign(self) -> str:
        if self.text.startswith("-", self.position):
            self.position += 1
            return "-"
        if self.dialect.defects:
            return ""
        start = self.position
        sign = self.peek()
        if sign not in ("-", "+"):
            return ""
        self.mend(start, "it takes a minus sign only where no blank precedes it, and no plus sign")
        self.position += 1
        return sign

    def mend(self, offset: int, advice: str) -> None:
        """Remember that controller-gen may read this place differently."""
        if self.mended is None:
            self.mended = (offset, advice)

    def take_mended(self) -> tuple[int, str] | None:
        """The first such place of the value read last."""
        mended, self.mended = self.mended, None
        return mended

    def count(self) -> int:
        """An integer that is the whole rest of the text."""
        return self._whole(integer) if self.dialect.own_parsers else self.integer()

    def bound(self) -> int | float:
        """A number that is the whole rest of the text."""
        return self._whole(self._number) if self.dialect.own_parsers else self.number()

    def boolean(self) -> bool:
        """The word true or false."""
        if self.scan() != IDENT or self.spelled not in ("true", "false"):
            raise self.refused("true or false is required", self.start)
        return self.spelled == "true"

    def string(self) -> str:
        """A string, quoted or bare."""
        return self.string_before(self.dialect.stops)

    def string_before(self, stops: str) -> str:
        """A string, quoted, or bare up to one of the characters `stops`."""
        is_quoted = self.skip_string(stops)
        text = self.spelled
        if "\0" in text:
            raise Refused(self.start + text.index("\0"), "a value is text, found a NUL character")
        if not is_quoted:
            self._note_quotes(text)
            return self._trimmed(text)
        quoted = unquote(text)
        if quoted is None:
            raise self.refused("an escape stands for a byte or a character of Unicode", self.start)
        return quoted

    def _note_quotes(self, text: str) -> None:
        text = text.strip()
        if len(text) > 1 and text[0] == text[-1] == "'" and not self.dialect.defects:
            message = f"single quotes are part of a text, found {shown(text)}"
            hint = "put it between double quotes or backquotes, unless they are meant"
            self.notes.append(GrammarError(self.start, message, hint))

    def _trimmed(self, text: str) -> str:
        trimmed = text.rstrip(BLANKS)
        if len(trimmed) == len(text):
            return text
        if self.dialect.defects:
            return self.text[self.start : self.last_token(self.start + len(trimmed))]
        self.mend(self.start, "it loses the last word of a bare text that a blank follows: quote the text")
        return trimmed

    def json(self) -> Any:
        """The rest of the text as JSON, numbers as Go's float64; None for `null` and for a reference `ref(...)`."""
        from protoc_gen_crd.base.jsontext import loads  # noqa: PLC0415 - few markers need it

        text, start = self._rest(), self.begin
        if text.strip().startswith("ref("):
            message = f"controller-gen takes no default from a Go constant, found {shown(text)}"
            self.notes.append(GrammarError(start, message))
            return None

        def twice(key: str) -> None:
            message = f"a key stands once, found {shown(key)} again: the last one counts"
            self.notes.append(GrammarError(start, message))

        def whole(text: str) -> int | float:
            value, rounded = integer(text), _json_number(text)
            if value is not None and value != rounded and not self.dialect.defects:
                self.mend(start, f"its JSON has floats alone, which hold {text} as {rounded}")
            return rounded if value is None or self.dialect.defects else value

        numbers = {"parse_int": whole, "parse_float": _json_number, "parse_constant": _json_number}
        try:
            value = loads(text, twice, **numbers)
        except ValueError as error:
            offset = start + getattr(error, "pos", 0)
            hint = "JSON has double quotes around a string" if hasattr(error, "pos") else f"it is {error}"
            raise self.refused("a value in JSON is required", offset, hint) from None
        return _paired(value) if "\\u" in text else value

    def _whole(self, read: Callable[[str], T | None]) -> T:
        """The rest of the text, up to a comment and without blanks around it."""
        text = self._rest()
        value = read((text.partition("#")[0] if self.comments else text).strip())
        if value is None:
            digits = text.strip().lstrip("+-").isdigit()
            what = f"an integer{' of 64 bits' * digits}" if read is integer else "a number"
            raise Refused(self.after_blanks(self.begin), f"{what} is required, found {shown(text)}")
        return value

    def _rest(self) -> str:
        self.position = len(self.text)
        return self.text[self.begin :]

    def braces(self, read: Callable[[], None]) -> None:
        """What stands between braces, separated by commas, the last of which may be left out."""
        self.scan()
        self.deepen()
        while (ahead := self.peek()) and ahead != "}":
            read()
            if self.peek() in ("}", END):
                break
            hint = SEPARATED_HINT if self.peek() == ";" else QUOTE_HINT
            self.expect(",", 'what stands between braces is separated by ","', hint)
        self.expect("}", 'a value that starts with "{" ends with "}"')
        self.depth -= 1

    def deepen(self) -> None:
        """Enter braces. Raises Refused if they are nested too deeply."""
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise Refused(self.start, f"braces are nested at most {MAX_DEPTH} deep, found more")


def list_of(item: Read) -> Read:
    """Reads lists, `{a, b}` or `a;b`."""

    def read(reader: Reader) -> list[Any] | None:
        items: list[Any] = []
        if reader.peek() == "{":
            reader.braces(lambda: items.append(item(reader)))
        else:
            _separated(reader, item, items)
        if items:
            return items
        reader.mend(reader.position, "it reads an empty list among guessed values as null")
        return None if reader.dialect.defects else items

    return read


def _separated(reader: Reader, item: Read, items: list[Any]) -> None:
    while reader.peek() not in (",", "}", END):
        items.append(item(reader))
        if reader.peek() != ";":
            return
        reader.scan()


def map_of(item: Read) -> Read:
    """Reads maps, `{key: value, key: value}`."""

    def read(reader: Reader) -> dict[str, Any]:
        found: dict[str, Any] = {}

        def entry() -> None:
            key = reader.string_before(KEY_STOPS)
            start = reader.start
            reader.expect(":", 'a key is followed by ":"', LIST_HINT if "[" in reader.text else "")
            if key in found:
                message = f"a key stands once, found {shown(key)} again: the last one counts"
                reader.notes.append(GrammarError(start, message))
            found[key] = item(reader)

        if reader.peek() != "{":
            raise reader.refused('a map starts with "{"', reader.position)
        reader.braces(entry)
        return found

    return read


def shown(text: str) -> str:
    """A text as messages quote it."""
    text = text.strip()
    if not text:
        return "the end"
    if len(text) > MAX_SHOWN:
        text = text[:MAX_SHOWN] + "..."
    return text if text[0] in '"`' else f'"{text}"'


def _json_number(text: str) -> int | float:
    """Raises ValueError for what is too large for a float64, and for NaN and Infinity."""
    value = number(text)
    if value is None:
        raise ValueError(text)
    return value


def _paired(value: Any) -> Any:
    """The value with U+FFFD for halves of surrogate pairs, as Go reads them."""
    if isinstance(value, str):
        return re.sub(_HALVES, "\ufffd", value)
    if isinstance(value, list):
        return [_paired(item) for item in value]
    if isinstance(value, dict):
        return {_paired(key): _paired(item) for key, item in value.items()}
    return value
