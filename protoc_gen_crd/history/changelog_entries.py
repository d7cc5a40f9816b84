"""Descriptions of API changes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from protoc_gen_crd.comparison.summary_comparison import ADDED, CHANGED, ApiChange
from protoc_gen_crd.comparison.value_change_messages import describe_fact
from protoc_gen_crd.schema.schema import DEPRECATED, DEPRECATED_VALUES

_WARNING = "deprecation_warning"
_FLAG_FACTS = ("required", "served", "storage", "deprecated")  # facts that are shown for added and removed elements


def describe_change(change: ApiChange) -> str:
    """Describe a change after the name of its element: the added or removed element, or each changed fact."""
    if change.action == CHANGED:
        implied = set(_find_implied_facts(change.facts))
        descriptions = [describe_fact(name, *values) for name, values in change.facts.items() if name not in implied]
        return f": {'; '.join(descriptions)}"
    side = change.action == ADDED
    details = _describe_element({name: values[side] for name, values in change.facts.items()})
    noun = "field" if "/" in change.kind or change.path else "element"
    details += [format_count(change.field_count, noun)] if change.field_count else []
    return f" ({', '.join(details)})" if details else ""


def _find_implied_facts(facts: Mapping[str, tuple[Any, Any]]) -> Iterator[str]:
    """Yield facts that follow from others: the warning of a deprecation, and removed values that were deprecated."""
    if DEPRECATED in facts:
        yield _WARNING
    values, before, after = facts.get(DEPRECATED_VALUES), *facts.get("enum", (None, None))
    if values and before and after:
        old, new = (set(names or ()) for names in values)
        removed = {value for value in before if isinstance(value, str) and value not in after}
        if new == old - removed:
            yield DEPRECATED_VALUES


def _describe_element(facts: Mapping[str, Any]) -> list[str]:
    details = [str(facts["type"])] if facts.get("type") else []
    details += [name for name in _FLAG_FACTS if facts.get(name)]
    return [*details, f"channel {facts['channel']}"] if facts.get("channel") else details


def format_count(number: int, noun: str) -> str:
    """Format a count with the singular or plural of a noun."""
    return f"{number} {noun}{'s' * (number != 1)}"
