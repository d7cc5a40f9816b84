"""Check of markers on 64-bit integers that can also be strings: rules for numbers do not validate the strings."""

from __future__ import annotations

from collections.abc import Sequence

from protoc_gen_crd.findings.finding import Problems
from protoc_gen_crd.generation.scalar_types import INT64_TYPES
from protoc_gen_crd.markers.marker import Marker
from protoc_gen_crd.proto.element_model import Field

_NUMBER_TYPES = ("integer", "number")
_SEVERAL = ("enum", "rules")  # options that can apply to both types
_OF_NUMBERS = ("any_of", "not")  # options for rules of other vocabularies
_TYPE_AWARE = ("int(self)", "string(self)", "type(self)", "oldSelf")


def check_int64_strings(field: Field, markers: Sequence[Marker], problems: Problems) -> None:
    """Report markers of a 64-bit integer that apply only to numbers, for settings that also accept strings."""
    if field.kind not in INT64_TYPES:
        return
    for marker in markers:
        of_value = bool(marker.steps) == field.repeated
        if marker.option.types == _NUMBER_TYPES or (of_value and _is_for_numbers(marker)):
            problem = f'"{marker.name}" validates only numbers, but the field also accepts strings'
            hint = "write a rule for both with int(self), or set int64_as to integer"
            problems.report("marker-partial", problem, marker.at, path=marker.owner, hint=hint, excerpt=marker.excerpt)


def _is_for_numbers(marker: Marker) -> bool:
    name = marker.option.name
    return name in _OF_NUMBERS or (name in _SEVERAL and _is_plain(marker))


def _is_plain(marker: Marker) -> bool:
    """Return whether an enum has no string values, or no rule distinguishes the type of the value."""
    if marker.option.name == "enum":
        return not any(isinstance(value, str) and not value.lstrip("-").isdigit() for value in marker.value)
    return not any(expression in rule.get("rule", "") for rule in marker.value for expression in _TYPE_AWARE)
