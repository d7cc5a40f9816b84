"""Junctors that ask for fields and for nothing else, told by the names of the fields."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

COUNTS = {"oneOf": "exactly one", "anyOf": "at least one"}


def choice(junctor: str, branches: Sequence[Mapping[str, Any]], name: Callable[[str], str] = str) -> str:
    """How many of which fields an object must have; empty where there is more to it. `name` gives a field its looks."""
    if junctor not in COUNTS:
        return ""
    names = [branch["required"] for branch in branches if branch.keys() == {"required"} and branch["required"]]
    free = sum(map(_forbids, branches))
    if not names or len(names) + free < len(branches):
        return ""
    listed = ", ".join(" with ".join(map(name, each)) for each in names)
    return f"{'at most one' if free else COUNTS[junctor]} of {listed}"


def _forbids(branch: Mapping[str, Any]) -> bool:
    """Whether a branch is the one of a choice that is not taken: none of the fields."""
    return branch.keys() == {"not"} and branch["not"].keys() <= {"anyOf", "required"}
