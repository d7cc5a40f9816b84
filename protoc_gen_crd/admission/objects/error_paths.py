"""Resolution of paths in error messages: `spec.ports[0].name`, `metadata.labels[a.b/c]`, `spec.map.a.b`.

These paths are ambiguous, since keys can contain dots. So they are resolved with the data.
"""

from __future__ import annotations

import re
from typing import Any

from protoc_gen_crd.admission.field_errors import Cause

DocumentPath = tuple[str | int, ...]

_INDEX = r"\[(\d+)\]"
_KEY = r"\[([^\]]*)\]"
_END = r"[.\[]"  # the end of a name
# Errors of logical keywords and of formats of numbers, which have their paths in the detail.
_PATH_IN_DETAIL = (
    r'(?s)"(?P<logic>[^"]*)" must (?:not )?validate |[\w ]+ value must be of type \w+ .* in (?P<number>.*)'
)
_ROOT = "<nil>"  # the path of the whole object
_LINEAR_SEARCH_LIMIT = 100  # entries; larger maps are searched by prefix


def get_error_path(error: Cause) -> str:
    """Return the path of an error."""
    match = re.match(_PATH_IN_DETAIL, error.detail)
    if match:
        return match["logic"] or match["number"] or ""
    return "" if error.path == _ROOT else error.path


def resolve_path(value: Any, path: str) -> tuple[DocumentPath, str]:
    """Resolve a path as far as it exists in the value. Return the steps and the rest of the path."""
    steps: list[str | int] = []
    rest = path
    while rest:
        step_and_length = _read_step(value, rest)
        if step_and_length is None:
            break
        step, used = step_and_length
        value, rest = value[step], rest[used:]
        steps.append(step)
    return tuple(steps), rest.removeprefix(".")


def _read_step(value: Any, rest: str) -> tuple[str | int, int] | None:
    """Return the first step of a path in a value, and its length in characters."""
    if isinstance(value, list):
        index = re.match(_INDEX, rest)
        return (int(index[1]), index.end()) if index and int(index[1]) < len(value) else None
    if not isinstance(value, dict):
        return None
    bracketed = re.match(_KEY, rest)
    if bracketed and bracketed[1] in value:
        return bracketed[1], bracketed.end()
    start = rest.startswith(".")
    longest = _find_longest_key(value, rest[start:])
    return (longest, start + len(longest)) if longest else None


def _find_longest_key(members: dict[str, Any], rest: str) -> str:
    """Return the longest key that is a prefix of a path, empty if there is none."""
    if len(members) < _LINEAR_SEARCH_LIMIT:
        return max((key for key in members if isinstance(key, str) and _is_path_prefix(rest, key)), key=len, default="")
    ends = [*(match.start() for match in re.finditer(_END, rest)), len(rest)]
    return next((rest[:end] for end in reversed(ends) if rest[:end] in members), "")


def _is_path_prefix(rest: str, key: str) -> bool:
    """Return whether a path starts with this key, and not with a longer name."""
    return rest.startswith(key) and (len(rest) == len(key) or rest[len(key)] in ".[")
