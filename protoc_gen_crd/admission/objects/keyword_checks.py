"""The checks of single keywords, made once for a schema and a server: functions that note faults and count passes.

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
from protoc_gen_crd.admission.switches import NUMERIC_FORMATS, Switches
from protoc_gen_crd.kubernetes.versions import KUBERNETES_GO
from protoc_gen_crd.regex.syntax_check import check
from protoc_gen_crd.schema.schema import Schema

# Checks a value of a name, notes faults, and returns how much passed beyond what always does.
Check = Callable[[Any, str, list[SchemaError], CorrelatedObject | None], int]

_NAMES = {str: "string", bool: "boolean", int: "integer", float: "number", list: "array", dict: "object"}
_FORMATS = {int: "int64", float: "float64"}
_RANGED = {"integer": ("int32", "int64"), "number": ("float", "double")}


def find_type_mismatch(types: tuple[str, ...], form: str, kind: type, *, whole: bool) -> tuple[str, str] | None:
    """The type that is wanted and the one of this kind of value, None where they agree; `whole` tells of floats."""
    name, numeric = _NAMES[kind], _FORMATS.get(kind, "")
    alike = name in types or (whole and "integer" in types) or (name == "integer" and "number" in types)
    texts = name in ("string", "array")
    if not texts and form and not (alike or numeric == form):
        return form, numeric
    if texts and form and not ("number" in types or "integer" in types):
        return None
    return None if alike else (",".join(types), name)


def make_mismatch_check(wanted: tuple[str, str]) -> Check:
    """The check that no value of a kind passes."""

    def check(_value: Any, name: str, faults: list[SchemaError], _old: CorrelatedObject | None) -> int:
        faults.append(make_type_error(name, *wanted))
        return -1

    return check


def make_whole_number_check(types: tuple[str, ...], form: str, switches: Switches) -> Check:
    """The check of floats where integers are wanted."""

    def check(value: float, name: str, faults: list[SchemaError], _old: CorrelatedObject | None) -> int:
        wanted = find_type_mismatch(types, form, float, whole=is_whole(value, switches))
        if wanted is None:
            return 0
        faults.append(make_type_error(name, *wanted))
        return -1

    return check


def make_enum_check(choices: Sequence[Any], switches: Switches) -> Check:
    """One of these."""
    texts = [choice if isinstance(choice, str) else to_json(choice, switches) for choice in choices]
    strings = frozenset(choice for choice in choices if isinstance(choice, str))

    @cache
    def format_details() -> tuple[str, str]:
        return f"in body should be one of {texts}", format_supported_values(texts)

    def check(value: Any, name: str, faults: list[SchemaError], _old: CorrelatedObject | None) -> int:
        if not _is_listed(value, strings, choices):
            listed, detail = format_details()
            faults.append(SchemaError(NOT_SUPPORTED, name, (name, listed), value, detail))
        return 0

    return check


def make_string_check(schema: Schema, switches: Switches) -> Check | None:
    """Lengths and the pattern, of which the first that fails is told."""
    longest, shortest, pattern = schema.get("maxLength"), schema.get("minLength"), schema.get("pattern")
    if longest is None and shortest is None and not pattern:
        return None
    pattern = _Pattern(pattern, switches) if pattern else None

    def check(value: str, name: str, faults: list[SchemaError], _old: CorrelatedObject | None) -> int:
        if longest is not None and len(value) > longest:
            words = f"{name} in body should be at most {longest} chars long"
            faults.append(SchemaError(TOO_LONG, name, words, detail=format_too_long(longest, switches)))
        elif shortest is not None and len(value) < shortest:
            faults.append(make_invalid_error(name, f"{name} in body should be at least {shortest} chars long", value))
        elif pattern and not pattern.matches(value):
            faults.append(make_invalid_error(name, f"{name} in body should match '{pattern.text}'", value))
        return 0

    return check


class _Pattern:
    """A pattern, compiled when a text first meets it. One that a server refuses is matched by nothing."""

    def __init__(self, text: str, switches: Switches) -> None:
        self.text, self._go = text, KUBERNETES_GO[switches.minor]
        switches.evaluate(lambda minor: check(text, go=KUBERNETES_GO[minor]))
        self._search: Callable[[str], bool] | None = None

    def matches(self, value: str) -> bool:
        """Whether it is found in a text. Raises UnjudgedError."""
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
    """A known format."""
    from protoc_gen_crd.admission.objects.format_checks import is_valid  # noqa: PLC0415 - few values have a format

    def check(value: str, name: str, faults: list[SchemaError], _old: CorrelatedObject | None) -> int:
        if not is_valid(form, value, switches):
            faults.append(make_type_error(name, form, value))
        return 0

    return check


def make_number_check(
    schema: Schema, types: tuple[str, ...], form: str, switches: Switches, *, whole: bool
) -> Check | None:
    """Bounds, factors and ranges, None where nothing can fail; `whole` tells ints from floats."""
    kind = types[0] if len(types) == 1 and NUMERIC_FORMATS in switches else ""
    known = _RANGED.get(kind, ())
    bounded = any(keyword in schema for keyword in ("minimum", "maximum", "multipleOf"))
    if not bounded and (not known or (whole and form != "int32")):
        return None
    limits = NumberValidator(schema.keywords, kind if known else "", form if form in known else "", switches)
    low, high = limits.safe_range if whole else (0, 0)

    def check(value: int | float, name: str, faults: list[SchemaError], _old: CorrelatedObject | None) -> int:
        if low < value < high:
            return 0
        for words, shown, placed in limits.find_errors(value, name):
            faults.append(SchemaError(INVALID, name if placed else None, words, shown, words))
        return 0

    return check


def check_size(schema: Schema, size: int, name: str, what: str, switches: Switches) -> Iterator[SchemaError]:
    """How many items or properties there may be."""
    least, most = schema.get(f"min{what.capitalize()}"), schema.get(f"max{what.capitalize()}")
    if least is not None and size < least:
        yield make_invalid_error(name, f"{name} in body should have at least {least} {what}", size)
    if most is not None and size > most:
        words = f"{name} in body should have at most {most} {what}"
        yield SchemaError(TOO_MANY, name, words, size, format_too_many(most, switches))


def check_unique_items(value: list[Any], name: str) -> Iterator[SchemaError]:
    """What uniqueItems says, which no CRD may ask for: a default is held to it all the same."""
    if len({json.dumps(item, sort_keys=True) for item in value}) < len(value):
        yield make_invalid_error(name, f"{name} in body shouldn't contain duplicates", "")


def _is_listed(value: Any, strings: frozenset[str], choices: Sequence[Any]) -> bool:
    """Whether a value is an element of an enum, whose strings are `strings`.

    Shortcut listed-strings: a string is equal to no element but the same string.
    """
    return value in strings if type(value) is str else any(_is_choice(value, choice) for choice in choices)


def _is_choice(value: Any, choice: Any) -> bool:
    """Whether a value is this element of an enum, once converted to the element's Go type."""
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
