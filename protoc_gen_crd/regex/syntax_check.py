"""The errors of Go's `regexp.Compile`.

Kubernetes compiles the patterns of schemas, of CEL's `matches` and of its own `find` and `findAll` with it. Each
version of Kubernetes is built with a different Go (`KUBERNETES_GO`; first releases with an older one), and the accepted
syntax changed:

- `(?<name>...)` is accepted from Go 1.22 on; before, it is "invalid or unsupported Perl syntax: `(?<`".
- "expression too large" is the message from Go 1.20 on; in Go 1.19 it is "regexp/syntax: internal error".
- The names after `\\p` and `\\P` follow Go's Unicode version, and are compared loosely from Go 1.25 on: see
  `character_set_names`.

The rest is the same from Go 1.19 to 1.26. (Go 1.27, which no Kubernetes uses yet, brings Unicode 17.)
"""

from __future__ import annotations

from functools import lru_cache

from protoc_gen_crd.kubernetes.supported_versions import KUBERNETES_GO, NEWEST
from protoc_gen_crd.regex.pattern_parser import PatternParser

LATEST_GO = KUBERNETES_GO[NEWEST]
_VERSION_DEPENDENT = ("(?<", r"\p", r"\P")


class ResourceLimitError(Exception):
    """A pattern that Go can match but this package cannot, within limits of memory and time: report no verdict."""


@lru_cache(maxsize=4096)
def check(pattern: str, *, go: int = LATEST_GO) -> str | None:
    """Check a pattern as Go's `regexp.Compile` does.

    Args:
        pattern: The pattern.
        go: Go's minor version, 19 to 26.

    Returns:
        The error, `error parsing regexp: ...`, or None if the pattern compiles.
    """
    parser = PatternParser(pattern, go).parse()
    if _is_within_limits(parser):
        return parser.error
    from protoc_gen_crd.regex.parse_tree_builder import find_exceeded_limit  # noqa: PLC0415 - few patterns need it

    limit = find_exceeded_limit(parser.tokens)
    if limit is None:
        return parser.error
    if limit == "expression too large" and go < 20:
        limit = "regexp/syntax: internal error"
    return f"error parsing regexp: {limit}: `{pattern}`"


def depends_on_go_version(pattern: str) -> bool:
    """Return whether another version of Go may reject a pattern that the latest Go accepts, or may accept more."""
    return any(syntax in pattern for syntax in _VERSION_DEPENDENT)


def _is_within_limits(parser: PatternParser) -> bool:
    """Return whether the length of the pattern excludes that a limit on size or depth is exceeded.

    Go measures depth from 1,000 nodes on. It allocates at most three nodes per character and four more per alternative,
    including those for factored prefixes. Where counts are accepted, each node counts at most 1,000 times, and 3.3
    million are allowed. But with alternatives, the size that Go has recorded may be outdated.
    """
    bars = parser.pattern.count("|")
    small = 3 * len(parser.pattern) + 4 * bars + 20 < 1000
    return small and not (parser.counted and (bars or parser.error))
