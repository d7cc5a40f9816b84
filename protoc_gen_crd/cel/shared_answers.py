"""Keys of the properties of an expression that Kubernetes versions may treat differently.

Expressions with the same key share one lookup per version. This module compares no versions. Levels are those that
cel-go 0.12 counts (see `parser/parser_1_27.py`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from protoc_gen_crd.cel.parser.parser_options_and_limits import DEPTH_LIMIT, ESCAPED, OPTIONAL, TALL

from .environment import LIBRARIES, PASSING, RESERVED, Environment

Environments = Callable[[int], Environment]  # `get_new_environment` or `get_stored_environment`

_MACROS = {macro.name for row in LIBRARIES for macro in row.library.macros}
_WORDS = frozenset({"opt", "`", *_MACROS, *[name.rpartition(".")[2] for name in PASSING]})
_FUNCTIONS = frozenset([overload.name for row in LIBRARIES for overload in row.library.overloads] + [RESERVED])
_OPTIONAL_SYNTAX, _WIDE_ESCAPE, _SIGNS, _OPENERS = r"[.\[{,]\s*\?|//", r"\\(?:u[dD]|U)", r"\W", "([{"
_FIRST, _SIGN, _OPENER = 20, 2, 6  # levels: of an expression without signs, per sign at most, more per opening bracket


def find_marks(source: str) -> str:
    """Return the words and signs by which environments may treat an expression differently, separated by spaces."""
    marks = [word for word in _WORDS if word in source]
    if "?" in source and re.search(_OPTIONAL_SYNTAX, source):
        marks.append(OPTIONAL)
    if "\\" in source and re.search(_WIDE_ESCAPE, source):
        marks.append(ESCAPED)
    if _FIRST + _SIGN * len(re.findall(_SIGNS, source)) + _OPENER * sum(map(source.count, _OPENERS)) > DEPTH_LIMIT:
        marks.append(TALL)
    return " ".join(sorted(marks))


def filter_functions(called: Iterable[str]) -> tuple[str, ...]:
    """Return the called names that some environment declares, and `RESERVED` if fields have reserved names."""
    return tuple(sorted({RESERVED if name[:1] == "." else name for name in called} & _FUNCTIONS))


class SharedAnswer:
    """A property of a version's environment, computed once per version."""

    __slots__ = ("_answers", "_compute", "_environments")

    def __init__(self, environments: Environments, compute: Callable[[Environment], object]) -> None:
        self._environments, self._compute = environments, compute
        self._answers: dict[int, object] = {}

    def __call__(self, minor: int) -> object:
        """Return the property for a minor version."""
        if minor not in self._answers:
            self._answers[minor] = self._compute(self._environments(minor))
        return self._answers[minor]


class AnswerCache:
    """Environment properties that matter for an expression; expressions with the same key share one object.

    Shortcut text-marks: environments differ only in libraries, macros and flags, and `find_marks` finds every word and
    sign by which these can be used.
    """

    def __init__(self) -> None:
        self._known: dict[object, SharedAnswer] = {}

    def get_for_parsing(self, environments: Environments, marks: str) -> SharedAnswer:
        """Return what determines how a valid expression with these marks is parsed."""
        return self._get_answer(
            (environments, marks), environments, lambda environment: environment.dialect.get_key(marks)
        )

    def get_for_rejection(self, environments: Environments, marks: str) -> SharedAnswer:
        """Return what determines how an invalid expression with these marks is parsed."""
        key = environments, marks, None
        return self._get_answer(
            key, environments, lambda environment: (environment.dialect.get_key(marks), environment.dialect.get_flags)
        )

    def get_for_checking(self, environments: Environments, marks: str, functions: tuple[str, ...]) -> SharedAnswer:
        """Return what determines how an expression that calls these functions is checked."""
        key = environments, marks, functions
        return self._get_answer(key, environments, lambda environment: environment.get_key(marks, functions))

    def _get_answer(
        self, key: object, environments: Environments, compute: Callable[[Environment], object]
    ) -> SharedAnswer:
        answer = self._known.get(key)
        if answer is None:
            answer = self._known[key] = SharedAnswer(environments, compute)
        return answer
