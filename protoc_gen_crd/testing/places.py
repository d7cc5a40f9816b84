"""Paths as servers write them to paths of the data: `spec.ports[0].name`, `metadata.labels[a.b/c]`, `spec.map.a.b`.

A server does not say where one step ends and the next begins, so the data is asked.
"""

from __future__ import annotations

import re
from typing import Any

from protoc_gen_crd.admission.errors import FieldError
from protoc_gen_crd.testing.keys import Steps

_INDEX = re.compile(r"\[(\d+)\]")
_KEY = re.compile(r"\[([^\]]*)\]")
_END = re.compile(r"[.\[]")  # what stands behind a name
_UNPLACED = re.compile(r'"([^"]*)" must (?:not )?validate ')  # anyOf and its like are told of no path
_MANY = 100  # members of which not each is compared with a path


def place_in(error: FieldError) -> str:
    """The path that an error is about."""
    named = _UNPLACED.match(error.detail)
    return named[1] if named else error.path


def located(value: Any, path: str) -> tuple[Steps, str]:
    """The steps that lead as far into the value as the path goes, and what of the path is left."""
    steps: list[str | int] = []
    rest = path
    while rest:
        found = _step(value, rest)
        if found is None:
            break
        step, used = found
        value, rest = value[step], rest[used:]
        steps.append(step)
    return tuple(steps), rest.removeprefix(".")


def _step(value: Any, rest: str) -> tuple[str | int, int] | None:
    """The first step of a path in a value, and how many characters it takes."""
    if isinstance(value, list):
        found = _INDEX.match(rest)
        return (int(found[1]), found.end()) if found and int(found[1]) < len(value) else None
    if not isinstance(value, dict):
        return None
    bracketed = _KEY.match(rest)
    if bracketed and bracketed[1] in value:
        return bracketed[1], bracketed.end()
    start = rest.startswith(".")
    longest = _longest(value, rest[start:])
    return (longest, start + len(longest)) if longest else None


def _longest(members: dict[str, Any], rest: str) -> str:
    """The longest key that a path begins with, not counting parts of longer names; empty for none."""
    if len(members) < _MANY:
        return max((key for key in members if isinstance(key, str) and _leads(rest, key)), key=len, default="")
    ends = [*(found.start() for found in _END.finditer(rest)), len(rest)]
    return next((rest[:end] for end in reversed(ends) if rest[:end] in members), "")


def _leads(rest: str, key: str) -> bool:
    """Whether a path begins with this key and not with a longer name."""
    return rest.startswith(key) and (len(rest) == len(key) or rest[len(key)] in ".[")
