"""A pattern in a small alphabet: characters that it does not distinguish are replaced by one ASCII letter.

A class such as `\\pL` takes hundreds of instructions of a program that reads UTF-8; here it is a few letters, so counts
of a thousand cost a thousand instructions. Word characters stay word characters and line feeds line feeds, which is all
that assertions look at.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence

from protoc_gen_crd.regex.character_classes import Ranges
from protoc_gen_crd.regex.pattern_tokens import Token
from protoc_gen_crd.regex.re2_translation import format_class, translate

_LINE_FEED = "\n"
_WORDS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz"
_NON_WORDS = "".join([chr(code) for code in range(128) if chr(code) not in _WORDS and chr(code) != _LINE_FEED])
_ASSERTED_CLASSES: tuple[Ranges, ...] = (((10, 10),), ((48, 57), (65, 90), (95, 95), (97, 122)))
_IS_LINE_FEED, _IS_WORD = 0, 1


class TooManyLettersError(Exception):
    """The pattern distinguishes more characters than there are letters."""


class ReducedAlphabet:
    """The letters of a pattern. Raises TooManyLettersError if there are not enough ASCII characters."""

    def __init__(self, pattern: Sequence[Token]) -> None:
        classes: dict[Ranges, None] = dict.fromkeys(_ASSERTED_CLASSES)

        def record_class(ranges: Ranges) -> str:
            classes[ranges] = None
            return ""

        translate(pattern, record_class)
        self._starts, self._letters, members = _partition(list(classes))
        self._class_patterns = {
            ranges: format_class(tuple([(ord(letter), ord(letter)) for letter in sorted(letters)]))
            for ranges, letters in zip(classes, members, strict=True)
        }
        self.pattern = translate(pattern, self._class_patterns.__getitem__)
        self._letter_cache = _LetterCache(self._starts, self._letters)

    def translate(self, string: str) -> str:
        """Return a string of the same length in these letters."""
        return string.translate(self._letter_cache)


class _LetterCache(dict[int, str]):
    """Letters by code point, computed on first use."""

    def __init__(self, starts: Sequence[int], letters: Sequence[str]) -> None:
        super().__init__()
        self._starts, self._letters = starts, letters

    def __missing__(self, code: int) -> str:
        letter = self[code] = self._letters[bisect_right(self._starts, code) - 1]
        return letter


def _partition(classes: Sequence[Ranges]) -> tuple[list[int], list[str], list[set[str]]]:
    """Return the code points where runs of one letter start, the letters of the runs, and the letters of each class."""
    starts, letters = [0], [""]
    members: list[set[str]] = [set() for _ in classes]
    words, others = iter(_WORDS), iter(_NON_WORDS)
    letters_by_kind: dict[frozenset[int], str] = {}
    current_classes: set[int] = set()
    for start, changes in sorted(_collect_boundaries(classes).items()):
        current_classes.symmetric_difference_update(changes)
        kind = frozenset(current_classes)
        if kind not in letters_by_kind:
            letter = _LINE_FEED if _IS_LINE_FEED in kind else next(words if _IS_WORD in kind else others, "")
            if not letter:
                raise TooManyLettersError
            letters_by_kind[kind] = letter
            for index in kind:
                members[index].add(letter)
        starts.append(start)
        letters.append(letters_by_kind[kind])
    return starts, letters, members


def _collect_boundaries(classes: Iterable[Ranges]) -> dict[int, list[int]]:
    """Return the indexes of the classes that start or end at each code point."""
    boundaries: dict[int, list[int]] = {0: []}
    for index, ranges in enumerate(classes):
        for low, high in ranges:
            boundaries.setdefault(low, []).append(index)
            boundaries.setdefault(high + 1, []).append(index)
    return boundaries
