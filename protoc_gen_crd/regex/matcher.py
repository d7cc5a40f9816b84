"""Matching by RE2 with the results of Go's `regexp`; the only module that imports RE2.

The Unicode version is 15, as in Go 1.21 to 1.26. Go 1.19 and 1.20 lack the last 5,000 characters of it.
Import this late: loading RE2 takes longer than parsing a hundred patterns.

One difference is known. It affects the result of `find` and `find_all`, never whether there is a match: where the body
of a loop prefers the empty match, as in `x(?:|ba*)*`, Go leaves the loop while RE2 may continue.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING

import re2  # type: ignore[import-untyped]

from protoc_gen_crd.regex.pattern_parser import PatternParser
from protoc_gen_crd.regex.re2_translation import translate
from protoc_gen_crd.regex.syntax_check import LATEST_GO, ResourceLimitError, check

if TYPE_CHECKING:
    from protoc_gen_crd.regex.reduced_alphabet import ReducedAlphabet

_SMALL, _LARGE = 8 << 20, 32 << 20  # bytes that RE2 may use for a pattern, and for one in a small alphabet
_MAX_WORK = 2_000_000_000  # instructions times bytes of a string: takes seconds where RE2 cannot cache its states


class Matcher:
    """A compiled pattern. Its methods raise ResourceLimitError if it is too large for a string of that length."""

    __slots__ = ("_max_bytes", "_pattern")

    def __init__(self, pattern: re2._Regexp) -> None:
        self._pattern = pattern
        self._max_bytes = _MAX_WORK // pattern.programsize

    def search(self, string: str) -> bool:
        """Return whether the pattern matches anywhere in the string (Go's MatchString)."""
        return self._find_next(_encode(string), 0) is not None

    def find(self, string: str) -> str | None:
        """Return the leftmost match (Go's FindString, which has no None)."""
        return next(self._find_all(string), None)

    def find_all(self, string: str, limit: int = -1) -> list[str]:
        """Return the matches that do not overlap, at most `limit` unless negative (Go's FindAllString)."""
        return list(islice(self._find_all(string), limit if limit >= 0 else None))

    def _find_all(self, string: str) -> Iterator[str]:
        data = _encode(string)
        return (data[start:end].decode() for start, end in self._find_spans(data))

    def _find_next(self, data: bytes, at: int) -> tuple[int, int] | None:
        """Return the leftmost match from `at` on. RE2 finds \\B also within a character, Go does not."""
        if len(data) > self._max_bytes:
            raise ResourceLimitError(f"a pattern is too large to look for it in {len(data):,} bytes")
        while match := self._pattern.search(data, at):
            start, end = match.span()
            if start == len(data) or data[start] & 0xC0 != 0x80:
                return start, end
            at = start + 1
        return None

    def _find_spans(self, data: bytes) -> Iterator[tuple[int, int]]:
        """Yield all matches except an empty one directly after another."""
        at, last_end = 0, -1
        while at <= len(data) and (span := self._find_next(data, at)):
            start, end = span
            if end > at or start != last_end:
                yield span
            at, last_end = (end if end > at else at + 1), end


class ReducedMatcher(Matcher):
    """A compiled pattern in its own alphabet, where every letter is one byte."""

    __slots__ = ("_alphabet",)

    def __init__(self, pattern: re2._Regexp, alphabet: ReducedAlphabet) -> None:
        super().__init__(pattern)
        self._alphabet = alphabet

    def search(self, string: str) -> bool:
        """Return whether the pattern matches anywhere in the string."""
        return super().search(self._alphabet.translate(_replace_surrogates(string)))

    def _find_all(self, string: str) -> Iterator[str]:
        replaced = _replace_surrogates(string)
        return (replaced[start:end] for start, end in self._find_spans(self._alphabet.translate(replaced).encode()))


@lru_cache(maxsize=1024)
def compile(pattern: str, *, go: int = LATEST_GO) -> Matcher:  # noqa: A001 - as `re.compile`
    """Return the matcher of a pattern.

    Args:
        pattern: The pattern.
        go: Go's minor version, 19 to 26.

    Raises:
        ValueError: Go rejects the pattern; the message is Go's.
        ResourceLimitError: Go accepts the pattern, but it is too large for RE2.
    """
    if error := check(pattern, go=go):
        raise ValueError(error)
    tokens = PatternParser(pattern, go).parse().tokens
    with suppress(re2.error):
        return Matcher(_compile_re2(translate(tokens), _SMALL))
    from protoc_gen_crd.regex.reduced_alphabet import ReducedAlphabet, TooManyLettersError  # noqa: PLC0415 - few patterns are as large

    with suppress(re2.error, TooManyLettersError):
        alphabet = ReducedAlphabet(tokens)
        return ReducedMatcher(_compile_re2(alphabet.pattern, _LARGE), alphabet)
    raise ResourceLimitError(f"pattern is too large for RE2, though not for Go: {pattern[:200]}")


def _compile_re2(pattern: str, memory: int) -> re2._Regexp:
    """Return the RE2 pattern. Raises re2.error if it needs more memory, in bytes."""
    options = re2.Options()
    options.log_errors = False
    options.max_mem = memory
    return re2.compile(pattern.encode(), options)


def _encode(string: str) -> bytes:
    try:
        return string.encode()
    except UnicodeEncodeError:
        return _replace_surrogates(string).encode()


def _replace_surrogates(string: str) -> str:
    """Return the string with lone surrogates replaced, as Go's decoders do."""
    return string if string.isascii() else string.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
