"""Scanner of the tokens of marker values, as in Go's text/scanner: identifiers, numbers, "strings", `strings`."""

from __future__ import annotations

import re

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.base.utf8 import decode

BLANKS = " \t\r\n"
END = ""  # the token kind at the end of the input; the kind of a symbol is its character
IDENT, INT, FLOAT, BAD_NUMBER, STRING, RAW_STRING = "ident", "int", "float", "bad number", "string", "raw"

_MAX_INT = (1 << 63) - 1
_EXACT_DIGITS = 15  # integers of up to this many digits are exact as float64
_ESCAPE = r'\\(?:[abfnrtv\\"]|[0-7]{3}|x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8})'
_STRING_BODY = rf'"[^"\\\n]*+(?:{_ESCAPE}[^"\\\n]*+|(?!))*+'
_DIGIT = "0123456789"
_ASCII_WORD = "[A-Za-z0-9_]*"
_NUMBER_CONTINUATION = tuple("._eEpPxXoObB")  # characters that can follow the first digits of a number

# Patterns are compiled on first use, which saves some milliseconds at start.
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

DOUBLE_HINT = "quote a string that contains a double quote with backquotes"


class GrammarError(Record):
    """A syntax error of a marker, at an offset in code points."""

    offset: int
    message: str
    hint: str = ""


class SyntaxRejectedError(Exception):
    """A syntax error with its GrammarError. With `final`, the rest of the input cannot be parsed."""

    def __init__(self, offset: int, message: str, hint: str = "", *, final: bool = False) -> None:
        super().__init__(message)
        self.error = GrammarError(offset, message, hint)
        self.final = final


class TokenScanner:
    """A position in the input, and the last token: its kind and its start.

    A byte order mark is skipped at the start and after `seek`.
    """

    __slots__ = ("begin", "kind", "position", "start", "text")

    def __init__(self, text: str, begin: int) -> None:
        self.text = text
        self.begin = begin
        self.seek(begin)
        self.start = self.position
        self.kind = END

    def seek(self, position: int) -> None:
        """Continue at another position."""
        self.position = position + self.text.startswith("\ufeff", position)

    def skip_blanks(self, position: int) -> int:
        """Return the position of the next character that is not a blank."""
        text, end = self.text, len(self.text)
        while position < end and text[position] in BLANKS:
            position += 1
        return position

    def peek(self) -> str:
        """Move to the next character that is not a blank and return it, `END` at the end."""
        position = self.position = self.skip_blanks(self.position)
        return self.text[position : position + 1]

    def scan(self) -> str:
        """Read a token and return its kind. Raises SyntaxRejectedError for an unterminated string."""
        first = self.peek()
        start = self.start = self.position
        following = self.text[start + 1 : start + 2]
        if first == "_" or first.isalpha():
            self.position, self.kind = self._find_word_end(start), IDENT
        elif first and (first in _DIGIT or (first == "." and following and following in _DIGIT)):
            self.position, self.kind = self._find_number_end(start)
        elif first and first in '"`':
            self.position, self.kind = self._find_quoted_end(start), STRING if first == '"' else RAW_STRING
        else:
            self.position, self.kind = start + len(first), first
        return self.kind

    @property
    def lexeme(self) -> str:
        """The text of the last token."""
        return self.text[self.start : self.position]

    def _find_word_end(self, position: int) -> int:
        """Return the end of the letters, decimal digits, and underscores from a position on."""
        text, position = self.text, _find_end(_ASCII_WORD, self.text, position)
        end = len(text)
        while position < end and ((char := text[position]) == "_" or char.isalpha() or char.isdecimal()):
            position += 1
        return position

    def _find_number_end(self, start: int) -> tuple[int, str]:
        """Return the end of the number at a position, and its kind. Common numbers need no pattern."""
        text, end = self.text, start
        while text[end : end + 1] in _DIGIT and end < len(text):
            end += 1
        if text.startswith("0", start, end - 1) or text[end : end + 1] in _NUMBER_CONTINUATION:
            end = _find_end(_NUMBER, text, start)
        return end, _classify_number(text[start:end])

    def _find_quoted_end(self, start: int) -> int:
        """Return the end of the quoted string at a position. Raises SyntaxRejectedError without a closing quote."""
        quote = self.text[start]
        end = self.text.find(quote, start + 1)
        if quote == '"' and not _is_plain(self.text[start + 1 : end]):
            end = _find_end(_STRING_BODY, self.text, start)
            end = end if self.text.startswith(quote, end) else -1
        if end < 0:
            raise self._make_unterminated_error(start)
        return end + 1

    def _make_unterminated_error(self, start: int) -> SyntaxRejectedError:
        """Return the error of the unterminated string at a position."""
        stop = _find_end(_STRING_BODY, self.text, start) if self.text[start] == '"' else start
        if self.text.startswith("\\", stop):
            escape = self.text[stop : stop + 2]
            hint = r"write \\ for a backslash, or quote the string with backquotes"
            return SyntaxRejectedError(stop, f"invalid Go escape in double quotes: {escape}", hint, final=True)
        hint = "" if self.text[start] == "`" else DOUBLE_HINT
        return SyntaxRejectedError(start, f"string has no closing quote: {self.text[start:]}", hint, final=True)

    def skip_string(self, stops: str) -> bool:
        """Skip a string. Return whether it is quoted.

        A bare string ends before one of the characters `stops`, except its first character, or at the end of the input.
        """
        first = self.peek()
        if first and first in '"`':
            self.scan()
            return True
        text, end, at = self.text, len(self.text), self.position + len(first)
        self.start = self.position
        while at < end and (char := text[at]) not in stops:
            at = self._find_quoted_end(at) if char in '"`' else at + 1
        self.position = at
        return False

    def find_last_token(self, end: int) -> int:
        """Return the start of the last token in the unquoted string from `start` to `end`; each digit is a token."""
        scanner = TokenScanner(self.text[:end], self.start)
        scanner.position = self.start
        while scanner.peek():
            if scanner.text[scanner.position] in ".0123456789":
                scanner.start = scanner.position
                scanner.position += 1
            else:
                scanner.scan()
        return scanner.start


def _classify_number(literal: str) -> str:
    if literal.isdecimal() and (literal[0] != "0" or literal == "0"):
        return INT
    if re.fullmatch(_INT_LITERAL, literal):
        return INT
    return FLOAT if re.fullmatch(_FLOAT_LITERAL, literal) else BAD_NUMBER


def _find_end(pattern: str, text: str, start: int) -> int:
    """Return the end of the match of a pattern at a position."""
    match = re.compile(pattern).match(text, start)
    return match.end() if match else start


def _is_plain(body: str) -> bool:
    """Return whether the characters between two quotes are a valid string without escapes."""
    return "\\" not in body and "\n" not in body


def unquote(token: str) -> str | None:
    r"""Return the value of a string token, None for an invalid escape.

    `\x` and octal escapes are bytes of UTF-8; each byte of invalid UTF-8 becomes U+FFFD, as Go's JSON writer does.
    """
    if token[0] == "`":
        return token[1:-1].replace("\r", "")
    if "\\" not in token:
        return token[1:-1]
    try:
        data = b"".join([_decode_escape(part) for part in re.findall(_ESCAPES, token[1:-1])])
    except (ValueError, OverflowError):
        return None
    return decode(data)


def _decode_escape(part: str) -> bytes:
    """Decode an escape to bytes. Raises ValueError or OverflowError for an invalid byte or character number."""
    if part[0] != "\\":
        return part.encode()
    if part[1] in _LETTERS:
        return _LETTERS[part[1]]
    code = int(part.lstrip("\\xuU"), 16 if part[1] in "xuU" else 8)
    return chr(code).encode() if part[1] in "uU" else bytes([code])


def parse_integer(literal: str) -> int | None:
    """Parse a decimal integer with an optional sign. Return None if it is invalid or exceeds 64 bits. `010` is ten."""
    digits = literal[1:] if literal[:1] in ("-", "+") else literal
    if not (digits.isascii() and digits.isdecimal()) or len(digits.lstrip("0")) > len(str(_MAX_INT)):
        return None
    value = int(literal[: len(literal) - len(digits)] + (digits.lstrip("0") or "0"))
    return value if -_MAX_INT - 1 <= value <= _MAX_INT else None


def parse_number(literal: str) -> int | float | None:
    """Parse a number as Go's ParseFloat does. Return None if it is invalid or too large for a float64."""
    exact = parse_integer(literal) if len(literal) <= _EXACT_DIGITS else None
    if exact is not None:
        return exact
    if re.fullmatch(_FLOAT_TEXT, literal) is None:
        return None
    literal = literal.replace("_", "")
    try:
        value = float.fromhex(literal) if "p" in literal.lower() else float(literal)
    except OverflowError:
        return None
    return None if abs(value) == float("inf") else _normalize_number(value)


def _normalize_number(value: float) -> int | float:
    """Return the number that Go's JSON writer prints for a float64: an integer for integral values below 1e21.

    Digits after the shortest representation of the float64 are zeros: 2**69 is 590295810358705700000.
    """
    if not value.is_integer() or abs(value) >= 1e21:
        return value
    digits, _, exponent = repr(value).partition("e+")
    if not exponent:
        return int(value)
    integral, _, fraction = digits.partition(".")
    return int(integral + fraction + "0" * (int(exponent) - len(fraction)))
