"""The base of the parser: the next token, issues, and the count of levels.

The grammar is in the subclasses.
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
OPTIONAL, TALL = "?", "("  # marks of expressions: optional syntax; so many levels that old servers may reject it
ESCAPED = "\\"  # mark of an expression with escapes that may not be code points
_SHALLOW = 20  # levels, each of up to ten frames of the parser


class ParserOptions(Record):
    """The settings of an environment: `.?`, `[?` and `{?` (Kubernetes 1.28), names in backticks, macros.

    With `modern` (cel-go 0.23), names in backticks are tokens, errors contain the source unchanged, the accumulator of
    comprehensions is hidden, and an escape must be a code point.
    With `shared`, the optional that a macro is called on occurs twice in the tree as the same nodes. With `placed`
    (cel-go 0.17), an invalid macro argument is always reported at the argument. With `current` (cel-go 0.16), the
    grammar is the current one.
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
        """All settings except the macros."""
        return self.optionals, self.backticks, self.modern, self.shared, self.placed, self.current

    def get_key(self, marks: str) -> object:
        """Return a key that is equal for settings with which a valid expression is parsed alike.

        `marks` are the words and signs of the expression that settings may affect.
        """
        macros = frozenset([(name, *map(id, named)) for name, named in self.macros.items() if name in marks])
        flags = self.optionals or OPTIONAL not in marks, self.backticks and "`" in marks, self.shared and "opt" in marks
        current = self.current or not (OPTIONAL in marks or TALL in marks)
        return *flags, self.modern or not (macros or "`" in marks or ESCAPED in marks), current, macros


DEFAULT = ParserOptions()


class UnexpectedTokenError(Exception):
    """The next token matches no rule."""


class TooDeepError(Exception):
    """The expression has more levels than allowed."""


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


def enter_level(level: int) -> int:
    """Return the next level. Raises TooDeepError where cel-go's listener would."""
    if level >= _SHALLOW:
        if level >= DEPTH_LIMIT:
            raise TooDeepError
        ensure_recursion_depth(SIZE_LIMIT)
    return level + 1
