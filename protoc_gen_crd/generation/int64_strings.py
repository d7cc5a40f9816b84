"""64-bit integers that may also be strings, which rules about numbers do not validate."""

from __future__ import annotations

from collections.abc import Sequence

from protoc_gen_crd.findings.finding import Problems
from protoc_gen_crd.generation.well_known_types import INT64_TYPES
from protoc_gen_crd.markers.marker import Marker
from protoc_gen_crd.proto.model import Field
from protoc_gen_crd.settings.settings import Settings

_NUMBER_TYPES = ("integer", "number")
_SEVERAL = ("enum", "rules")  # which may be written for both
_OF_NUMBERS = ("any_of", "not")  # of rules of other vocabularies
_TYPE_AWARE = ("int(self)", "string(self)", "type(self)", "oldSelf")


def check_int64_strings(field: Field, markers: Sequence[Marker], settings: Settings, problems: Problems) -> None:
    """Report what is said of numbers alone, with the setting by which the field takes texts as well."""
    if settings.int64_as != "int-or-string" or field.kind not in INT64_TYPES:
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
    """Report whether an enum has no string values and no rule checks the type of its value."""
    if marker.option.name == "enum":
        return not any(isinstance(value, str) and not value.lstrip("-").isdigit() for value in marker.value)
    return not any(word in rule.get("rule", "") for rule in marker.value for word in _TYPE_AWARE)
