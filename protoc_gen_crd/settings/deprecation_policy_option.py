"""Reader of the option `deprecation_policy`: periods by stage, channel, or element."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from protoc_gen_crd.base.suggestions import suggest
from protoc_gen_crd.settings.option_errors import format_invalid
from protoc_gen_crd.settings.settings import Settings
from protoc_gen_crd.settings.settings_document import SettingsDocument, describe_value

if TYPE_CHECKING:
    from protoc_gen_crd.kubernetes.deprecation_policy import Term

_TERM_RANGE = range(1000)


def read_deprecation_policy(data: Mapping[Any, Any], file: SettingsDocument) -> dict[str, Term]:
    """Read the terms of a deprecation policy.

    Args:
        data: The value of the option.
        file: The settings file, which receives the findings.

    Returns:
        The valid terms by stage, channel, or element.
    """
    from protoc_gen_crd.kubernetes.deprecation_policy import STAGES, Term, is_element  # noqa: PLC0415 - few settings have any

    name = "deprecation_policy"
    channels = file.value.get("channels") if isinstance(file.value, dict) else None
    names = channels if isinstance(channels, list) else Settings().channels
    names = [*STAGES, *(name for name in names if isinstance(name, str))]
    terms: dict[str, Term] = {}
    for key, numbers in data.items():
        if key not in names and not is_element(str(key)):
            message = f'unknown stage or channel "{key}" in "{name}"'
            file.report("option-value", message, name, key, hint=suggest(str(key), names))
        elif not _is_term(numbers, Term._fields):
            _report_term(numbers, key, Term._fields, file)
        else:
            terms[key] = Term(*(numbers.get(field, 0) for field in Term._fields))
    return terms


def _report_term(data: object, key: str, fields: tuple[str, ...], file: SettingsDocument) -> None:
    """Report what is wrong with a term: its type, an unknown key, or a number."""
    path = "deprecation_policy", key
    if not isinstance(data, dict) or not data:
        actual = "an empty mapping" if data == {} else describe_value(data)
        requirement = f'a mapping with "months" and "releases" from 0 to {_TERM_RANGE[-1]}'
        file.report("option-value", format_invalid(key, requirement, actual), *path)
        return
    for field, number in data.items():
        if field not in fields:
            message = f'unknown key "{field}" in "{key}" (keys: {", ".join(fields)})'
            file.report("option-value", message, *path, field, hint=suggest(str(field), fields))
        elif type(number) is not int or number not in _TERM_RANGE:
            requirement = f"a whole number from 0 to {_TERM_RANGE[-1]}"
            file.report_value(field, requirement, number, *path, field)


def _is_term(data: object, fields: tuple[str, ...]) -> bool:
    has_fields = isinstance(data, dict) and bool(data) and data.keys() <= set(fields)
    return has_fields and all(type(number) is int and number in _TERM_RANGE for number in data.values())  # type: ignore[attr-defined]
