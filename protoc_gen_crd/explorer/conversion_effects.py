"""The effects of conversion steps in words: what happens to a field on the way to another version."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from protoc_gen_crd.base.bounded_json import format_json
from protoc_gen_crd.conversion.plan.container_steps import (
    EachEntry,
    EachItem,
    Fill,
    Gather,
    GatherFirst,
    HandwrittenField,
    HandwrittenObject,
    ListToMap,
    MapToList,
    Pick,
    Spread,
    UnwrapObject,
    WrapObject,
)
from protoc_gen_crd.conversion.plan.copy_steps import (
    Copy,
    CopyNonNull,
    CopyWithDefault,
    Default,
    Drop,
    DropEntry,
    Duplicate,
    Keep,
    KeepEntry,
    Namesake,
    ObjectStep,
)
from protoc_gen_crd.conversion.plan.step_base import Step
from protoc_gen_crd.conversion.plan.value_steps import (
    CelExpression,
    Divide,
    First,
    FunctionCall,
    Join,
    Multiply,
    Split,
    ValueTable,
    Wrap,
)

_KEPT = "kept in the conversion-data annotation"
_ONLY_ITEM, _FIRST_ITEM = "becomes the only item of the list", "the first item of the list"

# The effect of each step, with the properties of the step; the format of plain strings is that of str.format.
EFFECTS: Mapping[type, str | Callable[[Mapping[str, Any]], str]] = {
    Copy: "copied",
    ObjectStep: "converted field by field",
    CopyNonNull: "copied, except null",
    CopyWithDefault: lambda step: f"copied, or set to {format_json(step['default'])} if it is unset",
    Duplicate: "copied",
    Namesake: "copied, although the meaning differs",
    Keep: _KEPT,
    KeepEntry: _KEPT,
    Drop: "dropped",
    DropEntry: "dropped",
    Default: lambda step: f"set to {format_json(step['value'])}",
    EachItem: "each item is converted",
    EachEntry: "each value is converted",
    MapToList: "the map becomes a list with the key in {key}",
    ListToMap: "the list becomes a map by {key}",
    WrapObject: _ONLY_ITEM,
    UnwrapObject: _FIRST_ITEM,
    HandwrittenObject: "converted by the function {function}",
    HandwrittenField: "computed by a hand-written function",
    Spread: "copied into each item",
    Gather: "the value of the first item that has one",
    GatherFirst: "the value of the first item",
    Pick: lambda step: f"{_format_entry(step['at'])}{'.' + step['field'] if 'field' in step else ''}",
    Fill: lambda step: f"written as {', '.join(map(_format_entry, step['at']))}",
    ValueTable: lambda step: "values: " + ", ".join(f"{old} → {new}" for old, new in step["values"].items()),
    Wrap: _ONLY_ITEM,
    First: _FIRST_ITEM,
    Split: lambda step: f"part {step['part'] + 1} of {step['of']}, split at {format_json(step['separator'])}",
    Join: lambda step: f"joined with {format_json(step['separator'])}",
    FunctionCall: "computed by the function {function}",
    CelExpression: "computed: {cel}",
    Multiply: "multiplied by {factor}",
    Divide: "divided by {factor}",
}


def describe_effect(step: Step) -> str:
    """Return the effect of a step in words; empty for an object that keeps its path, since its fields have steps."""
    is_moved = step.source != step.target
    if type(step) is ObjectStep and not is_moved:
        return ""
    effect = EFFECTS[type(step)]
    properties = step.to_dict()
    words = effect(properties) if callable(effect) else effect.format_map(properties)
    return words.replace("copied", "renamed", 1) if isinstance(step, Copy) and is_moved else words


def _format_entry(place: int | str) -> str:
    return f"item {place}" if isinstance(place, int) else f"entry {format_json(place)}"
