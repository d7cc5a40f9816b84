"""Descriptions of logical keywords that only require fields."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

COUNTS = {"oneOf": "exactly one", "anyOf": "at least one"}


def describe_choice(
    keyword: str, branches: Sequence[Mapping[str, Any]] | None, name: Callable[[str], str] = str
) -> str:
    """Describe how many of which fields an object requires; empty for other schemas. `name` formats a field name."""
    if keyword not in COUNTS or not branches:
        return ""
    names = [branch["required"] for branch in branches if branch.keys() == {"required"} and branch["required"]]
    excluded = [branch for branch in branches if keyword == "oneOf" and _is_excluding(branch, names)]
    if not names or len(names) + len(excluded) < len(branches):
        return ""
    listed = ", ".join(" with ".join(map(name, required)) for required in names)
    return f"{'at most one' if excluded else COUNTS[keyword]} of {listed}"


def _is_excluding(branch: Mapping[str, Any], names: Sequence[Sequence[str]]) -> bool:
    """Report whether a branch excludes all fields of the choice."""
    excluded = branch["not"] if branch.keys() == {"not"} else {}
    parts = excluded["anyOf"] if excluded.keys() == {"anyOf"} else [excluded]
    return all({"required": required} in parts for required in names)
