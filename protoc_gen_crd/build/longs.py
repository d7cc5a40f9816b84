"""64-bit integers that may be texts as well: rules about numbers do not see those."""

from __future__ import annotations

from collections.abc import Sequence

from protoc_gen_crd.base.diagnostics import Problems
from protoc_gen_crd.build.wellknown import LONG
from protoc_gen_crd.markers.marker import Marker
from protoc_gen_crd.proto.model import Field
from protoc_gen_crd.settings import Settings

_OF_NUMBERS = ("integer", "number")
_SEVERAL = ("enum", "rules")  # which may be written for both
_AWARE = ("int(self)", "string(self)", "type(self)", "oldSelf")


def check_longs(field: Field, markers: Sequence[Marker], settings: Settings, problems: Problems) -> None:
    """Report what is said of numbers alone, with the setting by which the field takes texts as well."""
    if settings.int64_as != "int-or-string" or field.kind not in LONG:
        return
    for marker in markers:
        of_value = bool(marker.steps) == field.repeated
        if marker.option.types == _OF_NUMBERS or (of_value and marker.option.name in _SEVERAL and _is_plain(marker)):
            problem = f'"{marker.name}" must hold for all values, found a field that takes texts besides numbers'
            hint = "let a rule speak of both, by int(self), or set int64_as to integer"
            problems.report("marker-partial", problem, marker.at, path=marker.owner, hint=hint, excerpt=marker.excerpt)


def _is_plain(marker: Marker) -> bool:
    """Whether no value of an enum is a text, and no rule looks at what it has."""
    if marker.option.name == "enum":
        return not any(isinstance(value, str) and not value.lstrip("-").isdigit() for value in marker.value)
    return not any(word in rule.get("rule", "") for rule in marker.value for word in _AWARE)
