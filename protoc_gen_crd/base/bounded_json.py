"""JSON that people write in markers: read by the standard library, with a bound on nesting.

The library's reader recurses on the C stack up to Python's recursion limit, which this project lifts.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from functools import partial
from typing import Any

_MAX_NESTING = 500
_PART = r'(?s)"(?:[^"\\]|\\.)*"|([\[{])|([\]}])'


def parse_json(text: str, twice: Callable[[str], None] | None = None, **hooks: Any) -> Any:
    """The value; of equal keys the last counts, and `twice` is told of them.

    Raises ValueError for what is no JSON, and for more than 500 brackets within each other.
    """
    if text.count("[") + text.count("{") > _MAX_NESTING and _measure_nesting(text) > _MAX_NESTING:
        raise ValueError(f"nested more than {_MAX_NESTING} deep")
    if twice is not None:
        hooks["object_pairs_hook"] = partial(_build_object, twice)
    return json.loads(text, **hooks)


def _build_object(twice: Callable[[str], None], pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            twice(key)
        found[key] = value
    return found


def _measure_nesting(text: str) -> int:
    depth = deepest = 0
    for match in re.finditer(_PART, text):
        depth += (match[1] is not None) - (match[2] is not None)
        deepest = max(deepest, depth)
    return deepest


def format_json(value: Any) -> str:
    """A value as JSON on one line, for messages."""
    return json.dumps(value, ensure_ascii=False)
