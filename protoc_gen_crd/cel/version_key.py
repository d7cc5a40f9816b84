"""What of a text versions of Kubernetes may treat differently: of texts alike in that they are asked once for all.

Knows no version. Levels are those that cel-go 0.12 counts (see `parser/parser_1_27.py`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from protoc_gen_crd.cel.parser.parser_base import DEPTH_LIMIT, ESCAPED, OPTIONAL, TALL

from .environment import LIBRARIES, PASSING, RESERVED, Environment

Environments = Callable[[int], Environment]  # `environment.new`, `environment.stored`

_MACROS = {macro.name for row in LIBRARIES for macro in row.library.macros}
_WORDS = sorted({"opt", "`", *_MACROS, *[name.rpartition(".")[2] for name in PASSING]}, key=len, reverse=True)
_FUNCTIONS = frozenset([overload.name for row in LIBRARIES for overload in row.library.overloads] + [RESERVED])
_find_words = re.compile("|".join(map(re.escape, _WORDS))).findall
_find_optional = re.compile(r"[.\[{,]\s*\?|//").search
_find_escape = re.compile(r"\\(?:u[dD]|U)").search
_find_signs, _find_openers = re.compile(r"\W").findall, re.compile(r"[(\[{]").findall
_FIRST, _SIGN, _OPENER = 20, 2, 6  # levels: of a text without signs, of any sign at most, of an opening bracket besides


def find_marks(text: str) -> str:
    """The words and signs of a text by which environments may differ."""
    marks = set(_find_words(text))
    if "?" in text and _find_optional(text):
        marks.add(OPTIONAL)
    if "\\" in text and _find_escape(text):
        marks.add(ESCAPED)
    if _FIRST + _SIGN * len(_find_signs(text)) + _OPENER * len(_find_openers(text)) > DEPTH_LIMIT:
        marks.add(TALL)
    return " ".join(sorted(marks))


def filter_functions(called: Iterable[str]) -> tuple[str, ...]:
    """Of the names that a tree may call those that some environment has, and whether there are reserved ones."""
    return tuple(sorted({RESERVED if name[:1] == "." else name for name in called} & _FUNCTIONS))


class SharedAnswer:
    """Something of the environment of a version, worked out once for each."""

    __slots__ = ("_answers", "_environments", "_of")

    def __init__(self, environments: Environments, of: Callable[[Environment], object]) -> None:
        self._environments, self._of = environments, of
        self._answers: dict[int, object] = {}

    def __call__(self, minor: int) -> object:
        """The answer for a minor version."""
        if minor not in self._answers:
            self._answers[minor] = self._of(self._environments(minor))
        return self._answers[minor]


class AnswerCache:
    """What is asked of environments about texts; the same object for all texts of which it is the same.

    Shortcut text-marks: environments differ only in libraries, macros and flags, and `find_marks` finds every word and
    sign by which these can be used.
    """

    def __init__(self) -> None:
        self._known: dict[object, SharedAnswer] = {}

    def get_for_parsing(self, environments: Environments, marks: str) -> SharedAnswer:
        """By what a text with these marks is read if there is nothing wrong with it."""
        return self._get_answer((environments, marks), environments, lambda within: within.dialect.get_key(marks))

    def get_for_rejection(self, environments: Environments, marks: str) -> SharedAnswer:
        """By what a text is read that cannot be read."""
        key = environments, marks, None
        return self._get_answer(
            key, environments, lambda within: (within.dialect.get_key(marks), within.dialect.get_flags)
        )

    def get_for_checking(self, environments: Environments, marks: str, functions: tuple[str, ...]) -> SharedAnswer:
        """By what a text that calls these functions is checked."""
        key = environments, marks, functions
        return self._get_answer(key, environments, lambda within: within.get_key(marks, functions))

    def _get_answer(self, key: object, environments: Environments, of: Callable[[Environment], object]) -> SharedAnswer:
        known = self._known.get(key)
        if known is None:
            known = self._known[key] = SharedAnswer(environments, of)
        return known
