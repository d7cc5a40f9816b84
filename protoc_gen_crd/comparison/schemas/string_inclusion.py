"""Inclusion of patterns and lengths: whether all strings that some of them accept are accepted by another one."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from protoc_gen_crd.regex import syntax_check

STRING_KEYWORDS = frozenset(("pattern", "minLength", "maxLength"))
_NO_STRING = r"[^\s\S]"
_MAX_LENGTH = 64  # of strings that the search counts: its time grows with it


def is_implied_by_patterns(constraints: Iterable[tuple[str, Any]], keyword: str, value: Any) -> bool:
    """Report whether strings that satisfy constraints, at least one pattern among them, satisfy a keyword.

    Args:
        constraints: Keywords with their values, all of which must be true.
        keyword: One of `STRING_KEYWORDS`.
        value: Its value.

    Returns:
        False also if the inclusion is not recognized.
    """
    values: dict[str, list[Any]] = {name: [] for name in STRING_KEYWORDS}
    for name, constraint in constraints:
        values.get(name, []).append(constraint)
    patterns = tuple(values["pattern"])
    is_pattern = keyword == "pattern"
    if not patterns or any(map(syntax_check.check, (*patterns, *([value] if is_pattern else [])))):
        return False
    from protoc_gen_crd.samples.pattern_strings import find_differences  # noqa: PLC0415 - few patterns imply others

    least, most = min(_MAX_LENGTH, max(values["minLength"], default=0)), min(values["maxLength"], default=None)
    if is_pattern:
        return find_differences(patterns, value, least, most).is_complete
    if value > _MAX_LENGTH:
        return False
    bounds = (least, value - 1) if keyword == "minLength" else (max(least, value + 1), most)
    return find_differences(patterns, _NO_STRING, *bounds).is_complete
