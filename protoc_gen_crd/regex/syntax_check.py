"""What Go's `regexp.Compile` accepts, and what it says of what it refuses.

Kubernetes compiles so the patterns of schemas, of CEL's `matches` and of its own `find` and `findAll`. Every version of
it is built with the Go of its time (`KUBERNETES_GO`), first releases with an older one, and what Go accepts changed:

- Go 1.22 first reads `(?<name>...)`; before, it is "invalid or unsupported Perl syntax: `(?<`".
- Go 1.20 first says "expression too large"; Go 1.19 says "regexp/syntax: internal error".
- The names behind `\\p` and `\\P` follow Go's Unicode version, and from Go 1.25 on are compared loosely: see
  `character_sets`.

The rest is the same from Go 1.19 to 1.26. (Go 1.27, which no Kubernetes uses yet, brings Unicode 17.)
"""

from __future__ import annotations

from functools import lru_cache

from protoc_gen_crd.kubernetes.versions import KUBERNETES_GO, NEWEST
from protoc_gen_crd.regex.pattern_parser import PatternParser

LATEST_GO = KUBERNETES_GO[NEWEST]
_VERSION_DEPENDENT = ("(?<", r"\p", r"\P")


class ResourceLimitError(Exception):
    """Go can match this, we cannot within bounds of memory and time. Who judges by it must say that he cannot."""


@lru_cache(maxsize=4096)
def check(pattern: str, *, go: int = LATEST_GO) -> str | None:
    """What `regexp.Compile` says of the pattern, `error parsing regexp: ...`, or None where it compiles.

    `go` is Go's minor version, 19 to 26.
    """
    reading = PatternParser(pattern, go).parse()
    if _is_within_limits(reading):
        return reading.error
    from protoc_gen_crd.regex.pattern_limits import find_exceeded_limit  # noqa: PLC0415 - few patterns need it

    limit = find_exceeded_limit(reading.tokens)
    if limit is None:
        return reading.error
    if limit == "expression too large" and go < 20:
        limit = "regexp/syntax: internal error"
    return f"error parsing regexp: {limit}: `{pattern}`"


def depends_on_go_version(pattern: str) -> bool:
    """Whether a pattern that the latest Go takes may be none to another, by the look of it."""
    return any(sign in pattern for sign in _VERSION_DEPENDENT)


def _is_within_limits(reading: PatternParser) -> bool:
    """Whether no limit on size or depth can be exceeded, by the look of the pattern.

    Go measures depth from 1,000 nodes on. It makes three a character and four more an alternative at most, with those
    that draw common beginnings out of alternatives. Where counts are accepted, each node stands for at most 1,000 times
    its size, and 3.3 million are allowed; but with alternatives, what Go takes for its size may be outdated.
    """
    bars = reading.pattern.count("|")
    small = 3 * len(reading.pattern) + 4 * bars + 20 < 1000
    return small and not (reading.counted and (bars or reading.error))
