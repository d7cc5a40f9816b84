"""Finding by regular expression. Source: k8s.io/apiserver pkg/cel/library/regex.go."""

from __future__ import annotations

from protoc_gen_crd.cel.values.values import CelError
from protoc_gen_crd.regex.matcher import Matcher, compile  # noqa: A004 - as `re.compile`
from protoc_gen_crd.regex.syntax_check import LATEST_GO

_OLD_GO = 21  # the last that does not know `(?<name>...)`


def find(text: str, pattern: str) -> str:
    """The leftmost match, or nothing. Raises CelError."""
    return _compile(pattern).find(text) or ""


def find_all(text: str, pattern: str, limit: int = -1) -> list[str]:
    """The matches, at most `limit` if that is not negative. Raises CelError."""
    return _compile(pattern).find_all(text, limit)


def old_find(text: str, pattern: str) -> str:
    """As `find`, before 1.27."""
    return _compile(pattern, _OLD_GO).find(text) or ""


def old_find_all(text: str, pattern: str, limit: int = -1) -> list[str]:
    """As `find_all`, before 1.27."""
    return _compile(pattern, _OLD_GO).find_all(text, limit)


def _compile(pattern: str, go: int = LATEST_GO) -> Matcher:
    try:
        return compile(pattern, go=go)
    except ValueError as fault:
        raise CelError(f"Illegal regex: {fault}") from None
