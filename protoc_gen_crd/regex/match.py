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

import re2  # type: ignore[import-untyped]

from protoc_gen_crd.regex.reader import Reader
from protoc_gen_crd.regex.syntax import LATEST_GO, check
from protoc_gen_crd.regex.translate import translate

# RE2 may use this much memory for a pattern, in bytes: the larger amounts only if it asks for more than the smaller.
_BUDGETS = (8 << 20, 64 << 20, 512 << 20)


class TooLargeForRE2(Exception):  # noqa: N818 - RE2's shortcoming, not the pattern's
    """The pattern asks for large Unicode classes too often, `\\pL` some 11,000 times: Go can hold that, RE2 cannot."""


class Matcher:
    """A compiled pattern."""

    __slots__ = ("_pattern",)

    def __init__(self, pattern: re2._Regexp) -> None:
        self._pattern = pattern

    def search(self, text: str) -> bool:
        """Whether the pattern matches anywhere in the text (Go's MatchString)."""
        return self._next(_encoded(text), 0) is not None

    def find(self, text: str) -> str | None:
        """The leftmost match (Go's FindString, which has no None)."""
        return next(self._all(_encoded(text)), None)

    def find_all(self, text: str, limit: int = -1) -> list[str]:
        """The matches that do not overlap, at most `limit` if that is not negative (Go's FindAllString)."""
        return list(islice(self._all(_encoded(text)), limit if limit >= 0 else None))

    def _next(self, text: bytes, at: int) -> tuple[int, int] | None:
        """The leftmost match from `at` on. RE2 finds \\B also within a character, Go does not."""
        while found := self._pattern.search(text, at):
            start, end = found.span()
            if start == len(text) or text[start] & 0xC0 != 0x80:
                return start, end
            at = start + 1
        return None

    def _all(self, text: bytes) -> Iterator[str]:
        """All matches, but none that is empty just behind another."""
        at, last_end = 0, -1
        while at <= len(text) and (found := self._next(text, at)):
            start, end = found
            if end > at or start != last_end:
                yield text[start:end].decode()
            at, last_end = (end if end > at else at + 1), end


@lru_cache(maxsize=1024)
def compile(pattern: str, *, go: int = LATEST_GO) -> Matcher:  # noqa: A001 - as `re.compile`
    """The matcher of a pattern, as `syntax.check` reads it.

    Raises ValueError with Go's text for what Go refuses, and TooLargeForRE2 for a few enormous ones that it takes.
    """
    if error := check(pattern, go=go):
        raise ValueError(error)
    translated = translate(Reader(pattern, go).read().tokens).encode()
    options = re2.Options()
    options.log_errors = False
    for options.max_mem in _BUDGETS:
        with suppress(re2.error):
            return Matcher(re2.compile(translated, options))
    raise TooLargeForRE2(f"pattern is too large for RE2, though not for Go: {pattern[:200]}")


def _encoded(text: str) -> bytes:
    try:
        return text.encode()
    except UnicodeEncodeError:  # half a surrogate pair, which Go's decoders replace
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace").encode()
