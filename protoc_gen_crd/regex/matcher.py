"""Matches by RE2 what Go's `regexp` matches, with the same results; the only importer of RE2.

Unicode is that of Go 1.21 to 1.26, version 15; Go 1.19 and 1.20 do not know the last 5,000 characters of it yet.
Import this late: loading RE2 takes longer than reading a hundred patterns.

Known to differ, never in whether there is a match but in what `find` and `find_all` give: where the body of a loop
would rather match nothing than something, as in `x(?:|ba*)*`, Go leaves the loop while RE2 may go on.
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
    from protoc_gen_crd.regex.alphabet import ReducedAlphabet

_SMALL, _LARGE = 8 << 20, 32 << 20  # bytes that RE2 may use for a pattern, and for one in a small alphabet
_MAX_WORK = 2_000_000_000  # instructions times bytes of a text: seconds where RE2 cannot remember where it has been


class Matcher:
    """A compiled pattern. Its methods raise UnjudgedError where it is too large for a text of that length."""

    __slots__ = ("_longest", "_pattern")

    def __init__(self, pattern: re2._Regexp) -> None:
        self._pattern = pattern
        self._longest = _MAX_WORK // pattern.programsize

    def search(self, text: str) -> bool:
        """Whether the pattern matches anywhere in the text (Go's MatchString)."""
        return self._find_next(_encode(text), 0) is not None

    def find(self, text: str) -> str | None:
        """The leftmost match (Go's FindString, which has no None)."""
        return next(self._find_all(text), None)

    def find_all(self, text: str, limit: int = -1) -> list[str]:
        """The matches that do not overlap, at most `limit` if that is not negative (Go's FindAllString)."""
        return list(islice(self._find_all(text), limit if limit >= 0 else None))

    def _find_all(self, text: str) -> Iterator[str]:
        data = _encode(text)
        return (data[start:end].decode() for start, end in self._find_spans(data))

    def _find_next(self, text: bytes, at: int) -> tuple[int, int] | None:
        """The leftmost match from `at` on. RE2 finds \\B also within a character, Go does not."""
        if len(text) > self._longest:
            raise ResourceLimitError(f"a pattern is too large to look for it in {len(text):,} bytes")
        while found := self._pattern.search(text, at):
            start, end = found.span()
            if start == len(text) or text[start] & 0xC0 != 0x80:
                return start, end
            at = start + 1
        return None

    def _find_spans(self, text: bytes) -> Iterator[tuple[int, int]]:
        """All matches, but none that is empty just behind another."""
        at, last_end = 0, -1
        while at <= len(text) and (found := self._find_next(text, at)):
            start, end = found
            if end > at or start != last_end:
                yield found
            at, last_end = (end if end > at else at + 1), end


class ReducedMatcher(Matcher):
    """A pattern in an alphabet of its own, of which every letter is a byte."""

    __slots__ = ("_alphabet",)

    def __init__(self, pattern: re2._Regexp, alphabet: ReducedAlphabet) -> None:
        super().__init__(pattern)
        self._alphabet = alphabet

    def search(self, text: str) -> bool:
        """See above."""
        return super().search(self._alphabet.translate(_replace_surrogates(text)))

    def _find_all(self, text: str) -> Iterator[str]:
        whole = _replace_surrogates(text)
        return (whole[start:end] for start, end in self._find_spans(self._alphabet.translate(whole).encode()))


@lru_cache(maxsize=1024)
def compile(pattern: str, *, go: int = LATEST_GO) -> Matcher:  # noqa: A001 - as `re.compile`
    """The matcher of a pattern, as `syntax_check.check` reads it.

    Raises ValueError with Go's text for what Go refuses, and UnjudgedError for a few enormous ones that it takes.
    """
    if error := check(pattern, go=go):
        raise ValueError(error)
    tokens = PatternParser(pattern, go).parse().tokens
    with suppress(re2.error):
        return Matcher(_compile_re2(translate(tokens), _SMALL))
    from protoc_gen_crd.regex.alphabet import ReducedAlphabet, TooManyLettersError  # noqa: PLC0415 - few patterns are as large

    with suppress(re2.error, TooManyLettersError):
        alphabet = ReducedAlphabet(tokens)
        return ReducedMatcher(_compile_re2(alphabet.pattern, _LARGE), alphabet)
    raise ResourceLimitError(f"pattern is too large for RE2, though not for Go: {pattern[:200]}")


def _compile_re2(pattern: str, memory: int) -> re2._Regexp:
    """The pattern as RE2 has it. Raises re2.error where it takes more memory."""
    options = re2.Options()
    options.log_errors = False
    options.max_mem = memory
    return re2.compile(pattern.encode(), options)


def _encode(text: str) -> bytes:
    try:
        return text.encode()
    except UnicodeEncodeError:
        return _replace_surrogates(text).encode()


def _replace_surrogates(text: str) -> str:
    """The text with half surrogate pairs replaced, as Go's decoders do."""
    return text if text.isascii() else text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
