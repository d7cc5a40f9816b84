"""Regular expressions. Source: k8s.io/apiserver pkg/cel/library/regex.go."""

from __future__ import annotations

from protoc_gen_crd.cel.values.runtime_values import CelError
from protoc_gen_crd.regex.matcher import Matcher, compile  # noqa: A004 - as `re.compile`
from protoc_gen_crd.regex.syntax_check import LATEST_GO

_OLD_GO = 21  # the last minor version of Go without `(?<name>...)`


def find(string: str, pattern: str) -> str:
    """Return the leftmost match, or an empty string. Raises CelError."""
    return _compile(pattern).find(string) or ""


def find_all(string: str, pattern: str, limit: int = -1) -> list[str]:
    """Return the matches, at most `limit` unless it is negative. Raises CelError."""
    return _compile(pattern).find_all(string, limit)


def old_find(string: str, pattern: str) -> str:
    """Evaluate `find` before 1.27."""
    return _compile(pattern, _OLD_GO).find(string) or ""


def old_find_all(string: str, pattern: str, limit: int = -1) -> list[str]:
    """Evaluate `findAll` before 1.27."""
    return _compile(pattern, _OLD_GO).find_all(string, limit)


def _compile(pattern: str, go: int = LATEST_GO) -> Matcher:
    try:
        return compile(pattern, go=go)
    except ValueError as fault:
        raise CelError(f"Illegal regex: {fault}") from None
