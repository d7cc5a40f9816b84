"""Split a CEL expression into tokens with a regular expression, without checking their order, and read them.

Source: the lexer rules of cel-go's grammar (`parser/gen/CEL.g4`, unchanged from v0.22 to v0.29).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TypeVar

from .ast import Expr
from .macro_expansion import ExprFactory
from .parser_options_and_limits import ParserOptions

T = TypeVar("T")
_WORDS = "as break const continue else for function if import let loop namespace package return var void while"
RESERVED = frozenset(_WORDS.split())  # reserved as names of variables and functions, allowed as names of fields
_ESCAPE = r"""\\(?:[abfnrtv"'\\?`]|[0-3][0-7][0-7]|[xX][0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8})"""


def _make_string_pattern(quote: str) -> str:
    """Return a pattern for strings with this quote; triple quotes come first, since the longest token wins."""
    three = quote * 3
    return (
        rf"[rR]{three}.*?{three}|[rR]{quote}[^{quote}\n\r]*{quote}"
        rf"|{three}(?:[^\\]|{_ESCAPE})*?{three}|{quote}[^\\{quote}\n\r]*(?:{_ESCAPE}[^\\{quote}\n\r]*)*{quote}"
    )


_HIDDEN = r"[ \t\r\n\f]*(?://[^\n]*[ \t\r\n\f]*)*"
_BACKTICKED = "`[A-Za-z0-9_./ -]+`"
_FLOAT = r"(?:[0-9]+\.[0-9]+|\.[0-9]+)(?:[eE][+-]?[0-9]+)?|[0-9]+[eE][+-]?[0-9]+"


def _make_token_pattern(string: str) -> str:
    """Return a pattern with one group per kind, in the order of `_KINDS`; longer tokens come first."""
    return (
        rf"(?s){_HIDDEN}(?:({string})|([A-Za-z_][A-Za-z0-9_]*)|({_FLOAT})|((?:0x[0-9a-fA-F]+|[0-9]+)[uU]?)"
        rf"|([=!<>]=|&&|\|\||[-+*/%<>!?:.,()\[\]{{}}])|({_BACKTICKED})|(\Z)|(.))"
    )


# Most expressions contain only names, whole numbers, and plain strings. The whole pattern, whose compilation takes a
# millisecond, is compiled for others: floats, comments, names in backticks, triple quotes, escapes, or a letter before
# the quote, where the plain pattern finds an error.
# Shortcut plain-strings: the plain pattern reads what the whole pattern reads, or reports an error, and then the whole
# pattern reads the source again. `(?!)` never matches: the groups have the same numbers as those of the whole pattern.
_PLAIN = re.compile(
    r"""[ \t\r\n\f]*(?:((?<![bBrR])(?:"(?!"")[^"\\\n\r]*"|'(?!'')[^'\\\n\r]*'))|([A-Za-z_][A-Za-z0-9_]*)|((?!))"""
    r"""|([0-9]+[uU]?(?![\w.]))|([=!<>]=|&&|\|\||/(?!/)|\.(?![0-9])|[-+*%<>!?:,()\[\]{}])|((?!))|(\Z)|(.))""",
    re.DOTALL,
)
_WHOLE = _make_token_pattern(f"[bB]?(?:{_make_string_pattern(chr(34))}|{_make_string_pattern(chr(39))})")
_KINDS = ("", "string", "ident", "float", "int", "", "escaped", "end", "error")
_STRING, _IDENT, _INT, _SYMBOL, _END, _ERROR = 1, 2, 4, 5, 7, 8
_KEYWORDS = {"in": "in", "true": "true", "false": "false", "null": "null"}


class TokenStream:
    """The tokens of an expression as three parallel lists, ending with `end`. A symbol or keyword is its own kind.

    `errors` are the ranges (start and end offset) of input that is not a token.
    """

    __slots__ = ("beginning", "errors", "kinds", "starts", "texts")

    def __init__(self, source: str, *, backticks: bool = True) -> None:
        self.kinds: list[str] = []
        self.texts: list[str] = []
        self.starts: list[int] = []
        self.errors: list[tuple[int, int]] = []
        self.beginning = _BEGINNING
        pattern, end = _PLAIN, self._read(_PLAIN, source, 0)
        bare = not backticks and "`" in source
        if self.errors or bare:
            for tokens in (self.kinds, self.texts, self.starts, self.errors):
                tokens.clear()
            whole = _WHOLE.replace(_BACKTICKED, "(?!)") if bare else _WHOLE
            self.beginning = _BEGINNING.replace(_IN_BACKTICKS, "(?!)") if bare else _BEGINNING
            pattern = re.compile(whole)
            end = self._read(pattern, source, 0)
        while end >= 0:
            end = self._read(pattern, source, end)

    def _read(self, pattern: re.Pattern[str], source: str, start: int) -> int:
        """Read tokens from an offset on. Return the offset to continue from after an error, or -1 at the end."""
        kinds, texts, starts = self.kinds, self.texts, self.starts
        for match in pattern.finditer(source, start):
            group = match.lastindex or _ERROR
            spelling = match[group]
            if group == _ERROR:
                self.errors.append(_find_error_end(source, match.start(group), self.beginning))
                return self.errors[-1][1]
            texts.append(spelling)
            starts.append(match.end() - len(spelling))
            if group == _IDENT:
                kinds.append(_KEYWORDS.get(spelling, "ident"))
            elif group == _SYMBOL:
                kinds.append(spelling)
            elif group == _STRING:
                kinds.append("bytes" if spelling[0] in "bB" else "string")
            elif group == _INT:
                kinds.append("uint" if spelling[-1] in "uU" else "int")
            else:
                kinds.append(_KINDS[group])
                if group == _END:
                    break
        return -1


_PART = r"\\(?:[xX][0-9a-fA-F]?|u[0-9a-fA-F]{0,3}|U[0-9a-fA-F]{0,7}|[0-3][0-7]?)?"
_OPEN = [rf"{quote}[^\\{quote}\n\r]*(?:{_ESCAPE}[^\\{quote}\n\r]*)*(?:{_PART})?" for quote in ('"', "'")]
_IN_BACKTICKS = "`[A-Za-z0-9_./ -]*"
_BEGINNING = rf"(?:{_OPEN[0]}|{_OPEN[1]}|{_IN_BACKTICKS}|[&|=])?.?"


def _find_error_end(source: str, start: int, beginning: str) -> tuple[int, int]:
    """Return the range of an error as ANTLR reports it: the longest prefix of a token here and the next character."""
    match = re.compile(beginning, re.DOTALL).match(source, start)  # compiled only for an expression with errors
    return start, match.end() if match else start + 1


class UnexpectedTokenError(Exception):
    """The next token matches no rule."""


class TokenReader(ExprFactory):
    """Reads the tokens of an expression.

    `depth`, `relations` and `calcs` count open rules as cel-go's listener does. Methods that parse something set
    `height` to the number of its levels, as cel-go's visitor counts them.
    """

    __slots__ = (
        "calcs",
        "depth",
        "dialect",
        "height",
        "kinds",
        "messages",
        "pos",
        "relations",
        "source",
        "starts",
        "texts",
        "tokens",
    )

    def __init__(self, source: str, dialect: ParserOptions) -> None:
        super().__init__(dialect.macros, shared=dialect.shared, placed=dialect.placed, hidden=dialect.modern)
        self.dialect, self.source = dialect, source
        self.tokens = tokens = TokenStream(source, backticks=dialect.modern)
        self.kinds, self.texts, self.starts = tokens.kinds, tokens.texts, tokens.starts
        self.messages = "{" in tokens.kinds
        self.pos = self.depth = self.relations = self.calcs = self.height = 0

    def consume(self, kind: str) -> int:
        """Consume a token of this kind and return its offset. Raises UnexpectedTokenError if it is of another kind."""
        at = self.pos
        if self.kinds[at] != kind:
            raise UnexpectedTokenError
        self.pos = at + 1
        return self.starts[at]

    def consume_if(self, kind: str) -> bool:
        """Consume a token if it is of this kind, and return whether it is."""
        if self.kinds[self.pos] != kind:
            return False
        self.pos += 1
        return True

    def parse_ignoring_issues(self, read: Callable[[], object], message: str, at: int) -> Expr:
        """Report an issue and parse the part that cel-go then ignores: issues in it are dropped."""
        issues, next_id = len(self.issues), self.next_id
        read()
        self.next_id, self.height = next_id, 0
        del self.issues[issues:]
        return self.report_error(message, at)

    def parse_series(self, item: Callable[[], T], close: str) -> list[T]:
        """Parse items between commas up to the closing bracket; except in calls, a trailing comma is allowed."""
        items: list[T] = []
        height = self.height = 0
        loose = close != ")"
        while self.kinds[self.pos] != close or (items and not loose):
            if loose and not items and self.consume_if(","):
                break
            items.append(item())
            height = max(height, self.height)
            if not self.consume_if(","):
                break
        self.consume(close)
        self.height = height
        return items
