"""The options of the parser, the syntax and the macros of an environment, and its limits of size and depth."""

from __future__ import annotations

from protoc_gen_crd.base.record import Record

from .ast import ensure_recursion_depth
from .macro_expansion import Macros

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


class TooDeepError(Exception):
    """The expression has more levels than allowed."""


def enter_level(level: int) -> int:
    """Return the next level. Raises TooDeepError where cel-go's listener would."""
    if level >= _SHALLOW:
        if level >= DEPTH_LIMIT:
            raise TooDeepError
        ensure_recursion_depth(SIZE_LIMIT)
    return level + 1
