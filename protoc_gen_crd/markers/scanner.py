"""Tokens of marker values: those of Go's text/scanner, with identifiers, numbers, "strings" and `strings`.

Knows characters and literals only; which value stands where is the grammar's business.
"""

from __future__ import annotations

import re

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.base.utf8 import decoded

BLANKS = " \t\r\n"
END = ""  # the token kind at the end of the text; a symbol's kind is its character
IDENT, INT, FLOAT, BAD_NUMBER, STRING, RAW_STRING = "ident", "int", "float", "bad number", "string", "raw"

_MAX_INT = (1 << 63) - 1
_EXACT_DIGITS = 15  # an integer of so many digits is the same as a float64
_ESCAPE = r'\\(?:[abfnrtv\\"]|[0-7]{3}|x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8})'
_STRING_BODY = rf'"[^"\\\n]*+(?:{_ESCAPE}[^"\\\n]*+)*+'
_DIGIT = "0123456789"
_GO_ON = tuple("._eEpPxXoObB")  # what a number that starts with digits may go on with

# Patterns are compiled when they are needed, which saves every start some milliseconds.
_NUMBER = (
    r"(?:0[xX][0-9a-fA-F_]*(?:\.[0-9a-fA-F_]*)?|[0-9](?:[oObB](?<=0.))?[0-9_]*(?:\.[0-9_]*)?|\.[0-9][0-9_]*)"
    r"(?:[eEpP][+-]?[0-9_]*)?"
)
_DIGITS, _HEX = r"[0-9](?:_?[0-9])*", r"[0-9a-fA-F](?:_?[0-9a-fA-F])*"
_MANTISSA, _EXPONENT = rf"(?:{_DIGITS}\.(?:{_DIGITS})?|\.{_DIGITS})", rf"[eE][+-]?{_DIGITS}"
_HEX_FLOAT = rf"0[xX](?:_?{_HEX}(?:\.(?:{_HEX})?)?|\.{_HEX})[pP][+-]?{_DIGITS}"
_INT_LITERAL = rf"0(?:_?[0-7])*|[1-9](?:_?[0-9])*|0[xX]_?{_HEX}|0[oO](?:_?[0-7])+|0[bB](?:_?[01])+"
_FLOAT_LITERAL = rf"{_MANTISSA}(?:{_EXPONENT})?|{_DIGITS}{_EXPONENT}|{_HEX_FLOAT}"
_FLOAT_TEXT = rf"[+-]?(?:(?:{_MANTISSA}|{_DIGITS})(?:{_EXPONENT})?|{_HEX_FLOAT})"
_ESCAPES = rf"{_ESCAPE}|[^\\]+"
_LETTERS = {"a": b"\a", "b": b"\b", "f": b"\f", "n": b"\n", "r": b"\r", "t": b"\t", "v": b"\v", "\\": b"\\", '"': b'"'}

DOUBLE_HINT = "put a text that holds a double quote between backquotes"


class GrammarError(Record):
    """What a marker's text should be and is not, at a code point of the text, counted from 0."""

    offset: int
    message: str
    hint: str = ""


class Refused(Exception):  # noqa: N818 - it carries a user's error, it is not one of this tool
    """Raised where a text cannot be read on, with the GrammarError; `final` if nothing can be said of what follows."""

    def __init__(self, offset: int, message: str, hint: str = "", *, final: bool = False) -> None:
        super().__init__(message)
        self.error = GrammarError(offset, message, hint)
        self.final = final


class Scanner:
    """A position in a text, and the token read last: its kind and where it starts.

    A byte order mark is passed over where the scanner begins and where `look` sends it.
    """

    __slots__ = ("begin", "kind", "position", "start", "text")

    def __init__(self, text: str, begin: int) -> None:
        self.text = text
        self.begin = begin
        self.look(begin)
        self.start = self.position
        self.kind = END

    def look(self, position: int) -> None:
        """Go on reading from another position."""
        self.position = position + self.text.startswith("\ufeff", position)

    def after_blanks(self, position: int) -> int:
        """The next position that holds no blank."""
        text, end = self.text, len(self.text)
        while position < end and text[position] in BLANKS:
            position += 1
        return position

    def peek(self) -> str:
        """Go on to the next character that is not blank and give it, `END` at the end."""
        position = self.position = self.after_blanks(self.position)
        return self.text[position : position + 1]

    def scan(self) -> str:
        """Read a token and give its kind. Raises Refused for a string that is not one."""
        first = self.peek()
        start = self.start = self.position
        following = self.text[start + 1 : start + 2]
        if first == "_" or first.isalpha():
            self.position, self.kind = self._after_word(start), IDENT
        elif first and (first in _DIGIT or (first == "." and following and following in _DIGIT)):
            self.position, self.kind = self._after_number(start)
        elif first and first in '"`':
            self.position, self.kind = self._after_quoted(start), STRING if first == '"' else RAW_STRING
        else:
            self.position, self.kind = start + len(first), first
        return self.kind

    @property
    def spelled(self) -> str:
        """The text of the token read last."""
        return self.text[self.start : self.position]

    def _after_word(self, position: int) -> int:
        """The end of the letters, decimal digits and underscores that start here."""
        text, end = self.text, len(self.text)
        while position < end and ((char := text[position]) == "_" or char.isalpha() or char.isdecimal()):
            position += 1
        return position

    def _after_number(self, start: int) -> tuple[int, str]:
        """The end of the number that starts here, and its kind; everyday ones are read without a pattern."""
        text, end = self.text, start
        while text[end : end + 1] in _DIGIT and end < len(text):
            end += 1
        if text.startswith("0", start, end - 1) or text[end : end + 1] in _GO_ON:
            end = _end(_NUMBER, text, start)
        return end, _number_kind(text[start:end])

    def _after_quoted(self, start: int) -> int:
        """The end of the string in quotes that starts here. Raises Refused for one that is none."""
        quote = self.text[start]
        end = self.text.find(quote, start + 1)
        if quote == '"' and not _is_plain(self.text[start + 1 : end]):
            end = _end(_STRING_BODY, self.text, start)
            end = end if self.text.startswith(quote, end) else -1
        if end < 0:
            raise self._unfinished(start)
        return end + 1

    def _unfinished(self, start: int) -> Refused:
        """The error of the string that starts here."""
        stop = _end(_STRING_BODY, self.text, start) if self.text[start] == '"' else start
        if self.text.startswith("\\", stop):
            found = self.text[stop : stop + 2]
            hint = r"write \\ for a backslash, or put the text between backquotes"
            return Refused(
                stop, f"a backslash in double quotes starts an escape of Go, found {found}", hint, final=True
            )
        hint = "" if self.text[start] == "`" else DOUBLE_HINT
        return Refused(
            start, f"a string ends with the quote that it starts with, found {self.text[start:]}", hint, final=True
        )

    def skip_string(self, stops: str) -> bool:
        """Go past a string from its first character on; tells whether it is a quoted one.

        A bare string ends before any of the characters `stops`, except as its first one, or at the end of the text.
        """
        first = self.peek()
        if first and first in '"`':
            self.scan()
            return True
        text, end, at = self.text, len(self.text), self.position + len(first)
        self.start = self.position
        while at < end and (char := text[at]) not in stops:
            at = self._after_quoted(at) if char in '"`' else at + 1
        self.position = at
        return False

    def last_token(self, end: int) -> int:
        """Where the last token starts in the bare string from `start` to `end`, digits being tokens of their own."""
        scanner = Scanner(self.text[:end], self.start)
        scanner.position = self.start
        while scanner.peek():
            if scanner.text[scanner.position] in ".0123456789":
                scanner.start = scanner.position
                scanner.position += 1
            else:
                scanner.scan()
        return scanner.start


def _number_kind(literal: str) -> str:
    if literal.isdecimal() and (literal[0] != "0" or literal == "0"):
        return INT
    if re.fullmatch(_INT_LITERAL, literal):
        return INT
    return FLOAT if re.fullmatch(_FLOAT_LITERAL, literal) else BAD_NUMBER


def _end(pattern: str, text: str, start: int) -> int:
    """Where a pattern that fits a text here ends."""
    found = re.compile(pattern).match(text, start)
    return found.end() if found else start


def _is_plain(body: str) -> bool:
    """Whether what stands between two quotes is a string for sure: there are no escapes in it."""
    return "\\" not in body and "\n" not in body


def unquote(token: str) -> str | None:
    r"""The text of a string token, None if an escape names no character.

    `\x` and octal escapes are bytes of UTF-8; what is no UTF-8 turns into U+FFFD a byte, as Go's JSON writer does.
    """
    if token[0] == "`":
        return token[1:-1].replace("\r", "")
    if "\\" not in token:
        return token[1:-1]
    try:
        data = b"".join([_escaped(part) for part in re.findall(_ESCAPES, token[1:-1])])
    except (ValueError, OverflowError):
        return None
    return decoded(data)


def _escaped(part: str) -> bytes:
    """Raises ValueError or OverflowError for a number that is no byte or no character."""
    if part[0] != "\\":
        return part.encode()
    if part[1] in _LETTERS:
        return _LETTERS[part[1]]
    code = int(part.lstrip("\\xuU"), 16 if part[1] in "xuU" else 8)
    return chr(code).encode() if part[1] in "uU" else bytes([code])


def integer(text: str) -> int | None:
    """A decimal integer with an optional sign, None if it is none or does not fit 64 bits. `010` is ten."""
    digits = text[1:] if text[:1] in ("-", "+") else text
    if not (digits.isascii() and digits.isdecimal()) or len(digits.lstrip("0")) > len(str(_MAX_INT)):
        return None
    value = int(text[: len(text) - len(digits)] + (digits.lstrip("0") or "0"))
    return value if -_MAX_INT - 1 <= value <= _MAX_INT else None


def number(text: str) -> int | float | None:
    """A number with an optional sign as Go's ParseFloat reads it, None if it is none or too large for a float64."""
    exact = integer(text) if len(text) <= _EXACT_DIGITS else None
    if exact is not None:
        return exact
    if re.fullmatch(_FLOAT_TEXT, text) is None:
        return None
    text = text.replace("_", "")
    try:
        value = float.fromhex(text) if "p" in text.lower() else float(text)
    except OverflowError:
        return None
    return None if abs(value) == float("inf") else _plain_number(value)


def _plain_number(value: float) -> int | float:
    """The number that Go's JSON writer prints for a float64: integral ones below 1e21 are integers, 1e3 is 1000.

    Digits beyond the shortest that tell the float64 are zeros: 2**69 is 590295810358705700000.
    """
    if not value.is_integer() or abs(value) >= 1e21:
        return value
    digits, _, exponent = repr(value).partition("e+")
    if not exponent:
        return int(value)
    whole, _, fraction = digits.partition(".")
    return int(whole + fraction + "0" * (int(exponent) - len(fraction)))
