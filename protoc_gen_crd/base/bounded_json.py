"""A parser of JSON in markers: the standard library with a limit on nesting.

The library's parser recurses on the C stack up to Python's recursion limit, which this project raises.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable
from functools import partial
from itertools import accumulate
from math import isfinite
from typing import Any, NoReturn

_MAX_NESTING = 500
_MAX_SHOWN_NESTING = 50
_ESCAPE = r"(?s)\\."
_NOT_FINITE = r"(?:^|[,:\[])\s*(?P<word>[-+]?\.?(?:inf(?:inity)?|nan))(?=\s*(?:[,\]}]|$))"
_STRING_OR_NOT_FINITE = rf'"(?:[^"\\]|\\.)*"|{_NOT_FINITE}'
NOT_FINITE_HINT = "JSON has no infinity and no NaN: write a number"
_STEPS = {ord("["): 1, ord("{"): 1, ord("]"): -1, ord("}"): -1}
_OTHER_BYTES = bytes(byte for byte in range(256) if byte not in _STEPS)


def parse_json(string: str, twice: Callable[[str], None] | None = None, **hooks: Any) -> Any:
    """Parse JSON. The last of equal keys wins.

    Args:
        string: The JSON.
        twice: Called with each duplicate key.
        **hooks: Arguments of `json.loads`.

    Raises:
        ValueError: The JSON is invalid, has more than 500 nested brackets, or a number that is not a finite float64.
    """
    if string.count("[") + string.count("{") > _MAX_NESTING and _measure_nesting(string) > _MAX_NESTING:
        raise ValueError(f"nested more than {_MAX_NESTING} deep")
    if twice is not None:
        hooks["object_pairs_hook"] = partial(_build_object, twice)
    return json.loads(string, **{"parse_constant": _reject_number, "parse_float": _parse_float, **hooks})


def _parse_float(string: str) -> float:
    number = float(string)
    return number if isfinite(number) else _reject_number(string)


def _reject_number(string: str) -> NoReturn:
    raise ValueError(f"{string} is not a finite number")


def _build_object(twice: Callable[[str], None], pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members: dict[str, Any] = {}
    for key, value in pairs:
        if key in members:
            twice(key)
        members[key] = value
    return members


def _measure_nesting(string: str) -> int:
    """Return the number of open brackets at most; those in an incomplete string, which ends parsing, do not count."""
    unescaped = re.sub(_ESCAPE, "", string) if "\\" in string else string
    outside = "".join(unescaped.split('"')[::2])
    brackets = outside.encode(errors="replace").translate(None, _OTHER_BYTES)
    return max(accumulate(map(_STEPS.__getitem__, brackets)), default=0)


def find_not_finite(string: str) -> tuple[int, str] | None:
    """Return the offset and the text of the first infinity or NaN outside the strings of a JSON value, if any."""
    for match in re.finditer(_STRING_OR_NOT_FINITE, string, re.IGNORECASE | re.DOTALL):
        if word := match["word"]:
            return match.start("word"), word
    return None


def format_json(value: Any) -> str:
    """Format a value as JSON on one line, for messages; "..." replaces parts that are nested too deeply."""
    return json.dumps(_cut_nesting(value, _MAX_SHOWN_NESTING) if _is_deep(value) else value, ensure_ascii=False)


def format_string(value: Any) -> str:
    """Return a string as it is, and another value as JSON."""
    return value if isinstance(value, str) else format_json(value)


def _is_deep(value: Any) -> bool:
    level = [value]
    for _ in range(_MAX_SHOWN_NESTING):
        level = [child for container in level for child in _get_children(container)]
    return bool(level)


def _get_children(value: Any) -> Iterable[Any]:
    return value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()


def _cut_nesting(value: Any, depth: int) -> Any:
    if not depth:
        return "..."
    if isinstance(value, dict):
        return {name: _cut_nesting(child, depth - 1) for name, child in value.items()}
    return [_cut_nesting(child, depth - 1) for child in value] if isinstance(value, list) else value
