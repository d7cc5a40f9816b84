"""What every rule of the parser needs: the next token, a place for issues, a count of levels.

Knows no grammar.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from protoc_gen_crd.base.record import Record

from .ast import Expr, ensure_recursion_depth
from .lexer import TokenStream
from .macro_expansion import ExprFactory, Macros

T = TypeVar("T")

SIZE_LIMIT = 100_000  # code points
DEPTH_LIMIT = 250  # levels
OPTIONAL, TALL = "?", "("  # marks of texts: of optional syntax, of as many levels that old servers may refuse them
ESCAPED = "\\"  # mark of a text with escapes that may be no code points
_SHALLOW = 20  # levels, each of up to ten frames of the parser


class ParserOptions(Record):
    """What environments switch: `.?`, `[?` and `{?` (Kubernetes 1.28), names in backticks, macros.

    A `modern` server (cel-go 0.23) knows names in backticks as tokens, prints what is wrong with a text as it is, and
    hides what comprehensions add up; to it, an escape must be a code point.
    With `shared`, an optional that a macro is called on stands in the tree twice as the same nodes. With `placed`
    (cel-go 0.17), what is wrong with an argument of a macro is always told at the argument. With `current` (cel-go
    0.16), the grammar is today's.
    """

    optionals: bool = True
    backticks: bool = False
    modern: bool = True
    shared: bool = False
    placed: bool = True
    current: bool = True
    macros: Macros = {}  # noqa: RUF012 - never written to

    @property
    def get_flags(self) -> tuple[bool, ...]:
        """All but the macros."""
        return self.optionals, self.backticks, self.modern, self.shared, self.placed, self.current

    def get_key(self, marks: str) -> object:
        """A value that is equal for dialects in which a text is read alike if there is nothing wrong with it.

        `marks` are the words and signs of the text by which dialects may differ.
        """
        macros = frozenset([(name, *map(id, named)) for name, named in self.macros.items() if name in marks])
        flags = self.optionals or OPTIONAL not in marks, self.backticks and "`" in marks, self.shared and "opt" in marks
        current = self.current or not (OPTIONAL in marks or TALL in marks)
        return *flags, self.modern or not (macros or "`" in marks or ESCAPED in marks), current, macros


DEFAULT = ParserOptions()


class UnexpectedTokenError(Exception):
    """The next token fits nothing."""


class TooDeepError(Exception):
    """More levels than allowed."""


class TokenReader(ExprFactory):
    """Goes through the tokens of a text.

    `depth`, `relations` and `calcs` count open rules as cel-go's listener does. What reads something leaves in
    `height` how many levels of it cel-go's visitor counts.
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
        "starts",
        "text",
        "texts",
        "tokens",
    )

    def __init__(self, text: str, dialect: ParserOptions) -> None:
        super().__init__(dialect.macros, shared=dialect.shared, placed=dialect.placed, hidden=dialect.modern)
        self.dialect, self.text = dialect, text
        self.tokens = tokens = TokenStream(text, backticks=dialect.modern)
        self.kinds, self.texts, self.starts = tokens.kinds, tokens.texts, tokens.starts
        self.messages = "{" in tokens.kinds
        self.pos = self.depth = self.relations = self.calcs = self.height = 0

    def consume(self, kind: str) -> int:
        """Go past a token, which must be of this kind; its offset."""
        at = self.pos
        if self.kinds[at] != kind:
            raise UnexpectedTokenError
        self.pos = at + 1
        return self.starts[at]

    def consume_if(self, kind: str) -> bool:
        """Go past a token if it is of this kind."""
        if self.kinds[self.pos] != kind:
            return False
        self.pos += 1
        return True

    def parse_ignoring_issues(self, read: Callable[[], object], message: str, at: int) -> Expr:
        """Report an issue and read past what cel-go then does not look into: its issues do not count."""
        issues, next_id = len(self.issues), self.next_id
        read()
        self.next_id, self.height = next_id, 0
        del self.issues[issues:]
        return self.report_error(message, at)

    def parse_series(self, item: Callable[[], T], close: str) -> list[T]:
        """Items between commas up to the closing bracket; but for calls, a comma may stand before it."""
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


def enter_level(level: int) -> int:
    """One level more. Raises TooDeepError where cel-go's listener would."""
    if level >= _SHALLOW:
        if level >= DEPTH_LIMIT:
            raise TooDeepError
        ensure_recursion_depth(SIZE_LIMIT)
    return level + 1
