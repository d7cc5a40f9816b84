"""Tokens of marker values: those of Go's text/scanner, with identifiers, numbers, "strings" and `strings`.

Knows characters and literals only; which value stands where is the grammar's business.
"""

from __future__ import annotations

import re
from typing import cast

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.base.utf8 import decoded

BLANKS = " \t\r\n"
END = ""  # the token kind at the end of the text; a symbol's kind is its character
IDENT, INT, FLOAT, BAD_NUMBER, STRING, RAW_STRING = "ident", "int", "float", "bad number", "string", "raw"

_MAX_INT = (1 << 63) - 1
_EXACT_DIGITS = 15  # an integer of so many digits is the same as a float64
_ESCAPE = r'\\(?:[abfnrtv\\"]|[0-7]{3}|x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8})'
_STRING_BODY = rf'"[^"\\\n]*+(?:{_ESCAPE}[^"\\\n]*+)*+'
_BLANKS = re.compile(r"[ \t\r\n]*")
_TOKEN = re.compile(
    rf"""[ \t\r\n]*(?:
    (?P<ident>[^\W\d]\w*)
    |(?P<number>(?:0[xX][0-9a-fA-F_]*(?:\.[0-9a-fA-F_]*)?|[0-9](?:[oObB](?<=0.))?[0-9_]*(?:\.[0-9_]*)?|\.[0-9][0-9_]*)
        (?:[eEpP][+-]?[0-9_]*)?)
    |(?P<string>{_STRING_BODY}")
    |(?P<raw>`[^`]*`)
    |(?P<symbol>.)
    )?""",
    re.VERBOSE | re.DOTALL,
)
_BARE = {
    stops: re.compile(rf'(?:[^"`{stops}]++|{_STRING_BODY}"|`[^`]*`)*+') for stops in (",;}", ",;}:")
}  # the rest of a bare string; quoted parts shield the characters that end it
_INTEGER = re.compile("([+-]?)0*([0-9]*)(?<=[0-9])")

# The rest is needed seldom and compiled when it is, which saves every start a millisecond.
_DIGITS, _HEX = r"[0-9](?:_?[0-9])*", r"[0-9a-fA-F](?:_?[0-9a-fA-F])*"
_MANTISSA, _EXPONENT = rf"(?:{_DIGITS}\.(?:{_DIGITS})?|\.{_DIGITS})", rf"[eE][+-]?{_DIGITS}"
_HEX_FLOAT = rf"0[xX](?:_?{_HEX}(?:\.(?:{_HEX})?)?|\.{_HEX})[pP][+-]?{_DIGITS}"
_INT_LITERAL = rf"0(?:_?[0-7])*|[1-9](?:_?[0-9])*|0[xX]_?{_HEX}|0[oO](?:_?[0-7])+|0[bB](?:_?[01])+"
_FLOAT_LITERAL = rf"{_MANTISSA}(?:{_EXPONENT})?|{_DIGITS}{_EXPONENT}|{_HEX_FLOAT}"
_FLOAT_TEXT = rf"[+-]?(?:(?:{_MANTISSA}|{_DIGITS})(?:{_EXPONENT})?|{_HEX_FLOAT})"
_ESCAPES = rf"{_ESCAPE}|[^\\]+"
_LETTERS = {"a": b"\a", "b": b"\b", "f": b"\f", "n": b"\n", "r": b"\r", "t": b"\t", "v": b"\v", "\\": b"\\", '"': b'"'}


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
        return _BLANKS.match(self.text, position).end()  # type: ignore[union-attr] # always matches

    def peek(self) -> str:
        """Go on to the next character that is not blank and give it, `END` at the end."""
        position = self.position = self.after_blanks(self.position)
        return self.text[position : position + 1]

    def scan(self) -> str:
        """Read a token and give its kind. Raises Refused for a string that is not one."""
        found = cast("re.Match[str]", _TOKEN.match(self.text, self.position))  # every part of the pattern is optional
        group = found.lastgroup
        self.position = found.end()
        if group is None:
            self.start, self.kind = self.position, END
            return END
        self.start = found.start(group)
        spelled = found[group]
        if group == "symbol":
            if spelled in '"`':
                raise self._unfinished(self.start)
            group = spelled
        elif group == "number":
            group = _number_kind(spelled)
        elif group == IDENT and not spelled.isascii():
            group = self._identifier(spelled)
        self.kind = group
        return group

    @property
    def spelled(self) -> str:
        """The text of the token read last."""
        return self.text[self.start : self.position]

    def _identifier(self, word: str) -> str:
        """Cut a word at what is no letter or decimal digit, such as a superscript. One that starts so is a symbol."""
        length = next((i for i, char in enumerate(word) if not _in_identifier(char, i)), len(word))
        self.position = self.start + (length or 1)
        return IDENT if length else word[0]

    def _unfinished(self, start: int) -> Refused:
        """The error of the string that starts here."""
        stop = re.compile(_STRING_BODY).match(self.text, start)
        if stop and self.text.startswith("\\", stop.end()):
            found = self.text[stop.end() : stop.end() + 2]
            hint = r"write \\ for a backslash, or put the text between backquotes"
            return Refused(
                stop.end(), f"a backslash in double quotes starts an escape of Go, found {found}", hint, final=True
            )
        hint = "" if self.text[start] == "`" else "put a text that holds a double quote between backquotes"
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
        self.start = self.position
        if first:
            self.position = _BARE[stops].match(self.text, self.position + 1).end()  # type: ignore[union-attr] # always matches
            if self.text[self.position : self.position + 1] in ('"', "`"):
                raise self._unfinished(self.position)
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


def _in_identifier(char: str, index: int) -> bool:
    return char == "_" or char.isalpha() or (index > 0 and char.isdecimal())


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
    found = _INTEGER.fullmatch(text)
    if found is None or len(found[2]) > len(str(_MAX_INT)):
        return None
    value = int(found[1] + (found[2] or "0"))
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
