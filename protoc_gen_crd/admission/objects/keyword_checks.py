"""The checks of single keywords: functions that append errors and count successful validations.

Source: k8s.io/kube-openapi pkg/validation/validate type.go, validator.go, values.go.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import Any

from protoc_gen_crd.admission.field_errors import (
    INVALID,
    NOT_SUPPORTED,
    TOO_LONG,
    TOO_MANY,
    format_supported_values,
    format_too_long,
    format_too_many,
)
from protoc_gen_crd.admission.go_syntax import to_json
from protoc_gen_crd.admission.objects.correlation import CorrelatedObject, is_deep_equal
from protoc_gen_crd.admission.objects.number_checks import NumberValidator, as_int64, is_whole
from protoc_gen_crd.admission.objects.schema_errors import SchemaError, make_invalid_error, make_type_error
from protoc_gen_crd.admission.version_differences import NUMERIC_FORMATS
from protoc_gen_crd.kubernetes.shared_results import Switches
from protoc_gen_crd.kubernetes.supported_versions import KUBERNETES_GO
from protoc_gen_crd.regex.syntax_check import check
from protoc_gen_crd.schema.schema import Schema

# Validates a value with its name, appends errors, and returns how many validations succeeded beyond the fixed count.
Check = Callable[[Any, str, list[SchemaError], CorrelatedObject | None], int]

_NAMES = {str: "string", bool: "boolean", int: "integer", float: "number", list: "array", dict: "object"}
_FORMATS = {int: "int64", float: "float64"}
_RANGED = {"integer": ("int32", "int64"), "number": ("float", "double")}


def find_type_mismatch(types: tuple[str, ...], format_name: str, value_type: type) -> tuple[str, str] | None:
    """Return the expected and the actual type of a kind of value, None if they match."""
    name, numeric = _NAMES[value_type], _FORMATS.get(value_type, "")
    matches = name in types or (name == "integer" and "number" in types)
    is_formatted = name in ("string", "array")
    if not is_formatted and format_name and not (matches or numeric == format_name):
        return format_name, numeric
    if is_formatted and format_name and not ("number" in types or "integer" in types):
        return None
    return None if matches else (",".join(types), name)


def make_mismatch_check(types: tuple[str, str]) -> Check:
    """Return a check that rejects every value of a kind."""

    def check(_value: Any, name: str, faults: list[SchemaError], _old: CorrelatedObject | None) -> int:
        faults.append(make_type_error(name, *types))
        return -1

    return check


def make_whole_number_check(types: tuple[str, ...], get_form: Callable[[], str], switches: Switches) -> Check:
    """Return the check of floats for a schema of type integer; `get_form` returns the format that applies."""

    def check(value: float, name: str, faults: list[SchemaError], _old: CorrelatedObject | None) -> int:
        mismatch = None if is_whole(value, switches) else find_type_mismatch(types, get_form(), float)
        if mismatch is None:
            return 0
        faults.append(make_type_error(name, *mismatch))
        return -1

    return check


def make_enum_check(choices: Sequence[Any], switches: Switches) -> Check:
    """Return the check of enum."""
    strings = frozenset(choice for choice in choices if isinstance(choice, str))

    @cache
    def format_details() -> tuple[str, str]:
        formatted = [choice if isinstance(choice, str) else to_json(choice, switches.lasting) for choice in choices]
        return f"in body should be one of {formatted}", format_supported_values(formatted)

    def check(value: Any, name: str, faults: list[SchemaError], _old: CorrelatedObject | None) -> int:
        if not _is_listed(value, strings, choices):
            listed, detail = format_details()
            faults.append(SchemaError(NOT_SUPPORTED, name, (name, listed), value, detail))
        return 0

    return check


def make_string_check(schema: Schema, switches: Switches) -> Check | None:
    """Return the check of lengths and the pattern, which reports the first failure only."""
    max_length, min_length, pattern = schema.get("maxLength"), schema.get("minLength"), schema.get("pattern")
    if max_length is None and min_length is None and not pattern:
        return None
    pattern = _Pattern(pattern, switches) if pattern else None

    def check(value: str, name: str, faults: list[SchemaError], _old: CorrelatedObject | None) -> int:
        if max_length is not None and len(value) > max_length:
            message = f"{name} in body should be at most {max_length} chars long"
            faults.append(SchemaError(TOO_LONG, name, message, detail=format_too_long(max_length, switches)))
        elif min_length is not None and len(value) < min_length:
            faults.append(make_invalid_error(name, f"{name} in body should be at least {min_length} chars long", value))
        elif pattern and not pattern.matches(value):
            faults.append(make_invalid_error(name, f"{name} in body should match '{pattern.text}'", value))
        return 0

    return check


class _Pattern:
    """A pattern, compiled on first use. No string matches a pattern that the server cannot compile."""

    def __init__(self, pattern: str, switches: Switches) -> None:
        self.text, self._go = pattern, KUBERNETES_GO[switches.minor]
        switches.lasting.evaluate(lambda minor: check(pattern, go=KUBERNETES_GO[minor]))
        self._search: Callable[[str], bool] | None = None

    def matches(self, value: str) -> bool:
        """Return true if the pattern matches a part of a string. Raises ResourceLimitError."""
        if self._search is None:
            self._search = self._compile()
        return self._search(value)

    def _compile(self) -> Callable[[str], bool]:
        from protoc_gen_crd.regex import matcher  # noqa: PLC0415 - loads RE2

        try:
            return matcher.compile(self.text, go=self._go).search
        except ValueError as error:
            self.text += f", but pattern is invalid: {error}"
            return lambda _: False


def make_format_check(form: str, switches: Switches) -> Check:
    """Return the check of a known format."""
    from protoc_gen_crd.admission.objects.format_checks import is_valid  # noqa: PLC0415 - few values have a format

    def check(value: str, name: str, faults: list[SchemaError], _old: CorrelatedObject | None) -> int:
        if not is_valid(form, value, switches):
            faults.append(make_type_error(name, form, value))
        return 0

    return check


def make_number_check(
    schema: Schema, types: tuple[str, ...], form: str, switches: Switches, *, whole: bool
) -> Check | None:
    """Return the check of bounds, factors, and ranges, None if it cannot fail; `whole` selects int or float values.

    Older servers ignore the range of the type and format. So they accept every int in the safe range, too, and every
    number without bounds that is in the range.
    """
    kind = types[0] if len(types) == 1 else ""
    formats = _RANGED.get(kind, ())
    bounded = any(keyword in schema for keyword in ("minimum", "maximum", "multipleOf"))
    if not bounded and (not formats or (whole and form != "int32")):
        return None
    limits = NumberValidator(schema.keywords, kind if formats else "", form if form in formats else "", switches)
    older_limits = NumberValidator(schema.keywords, "", "", switches)
    low, high = limits.safe_range if whole else (0, 0)

    def find_errors(value: int | float, name: str) -> Iterator[tuple[str, object, bool]]:
        ranged = formats and (bounded or any(limits.find_errors(value, name)))
        return (older_limits if ranged and NUMERIC_FORMATS not in switches else limits).find_errors(value, name)

    def check(value: int | float, name: str, faults: list[SchemaError], _old: CorrelatedObject | None) -> int:
        if low < value < high:
            return 0
        for message, shown_value, has_path in find_errors(value, name):
            faults.append(SchemaError(INVALID, name if has_path else None, message, shown_value, message))
        return 0

    return check


def check_size(schema: Schema, size: int, name: str, what: str, switches: Switches) -> Iterator[SchemaError]:
    """Validate the number of items or properties, as `what` specifies."""
    least, most = schema.get(f"min{what.capitalize()}"), schema.get(f"max{what.capitalize()}")
    if least is not None and size < least:
        yield make_invalid_error(name, f"{name} in body should have at least {least} {what}", size)
    if most is not None and size > most:
        message = f"{name} in body should have at most {most} {what}"
        yield SchemaError(TOO_MANY, name, message, size, format_too_many(most, switches))


def check_unique_items(value: list[Any], name: str) -> Iterator[SchemaError]:
    """Validate uniqueItems, which a CRD must not set to true but which defaults are still validated against."""
    if len({json.dumps(item, sort_keys=True) for item in value}) < len(value):
        yield make_invalid_error(name, f"{name} in body shouldn't contain duplicates", "")


def _is_listed(value: Any, strings: frozenset[str], choices: Sequence[Any]) -> bool:
    """Return true if a value is an element of an enum, whose strings are `strings`.

    Shortcut listed-strings: a string is equal to no element but the same string.
    """
    return value in strings if type(value) is str else any(_is_choice(value, choice) for choice in choices)


def _is_choice(value: Any, choice: Any) -> bool:
    """Return true if a value, converted to the Go type of an element of an enum, is equal to the element."""
    if value is None or choice is None:
        return False
    if isinstance(choice, bool) or isinstance(value, bool):
        return value is choice
    if isinstance(choice, str) and isinstance(value, int):
        return choice == (chr(value) if 0 <= value < 0x110000 and not 0xD800 <= value < 0xE000 else "\ufffd")
    if isinstance(choice, int) and isinstance(value, float):
        return as_int64(value) == choice
    if isinstance(choice, float) and isinstance(value, int):
        return float(value) == choice
    return is_deep_equal(value, choice)
