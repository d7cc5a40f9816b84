"""The effect of keywords on the values of a schema: what a server enforces, independent of spelling.

Keywords without effect on the type of the values have no effective value, and neither have formats that servers do not
enforce. Bounds include the range of the type and of a format of numbers.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from protoc_gen_crd.admission.objects.number_checks import is_out_of_range, normalize_numbers
from protoc_gen_crd.admission.supported_formats import is_enforced
from protoc_gen_crd.admission.version_differences import NUMERIC_FORMATS
from protoc_gen_crd.kubernetes.shared_results import Switches
from protoc_gen_crd.regex import matcher as regex
from protoc_gen_crd.regex.syntax_check import ResourceLimitError
from protoc_gen_crd.schema.keywords import KEYWORDS
from protoc_gen_crd.schema.schema import EMBEDDED, INT_OR_STRING, PRESERVE, Schema

STATUS = "status"
ANY_TYPE = "any type"  # of a schema without a type, in messages
ALL_TYPES = frozenset(("array", "boolean", "integer", "number", "object", "string"))
_TYPES = {"": ALL_TYPES, "number": frozenset(("integer", "number"))}
_OBJECT_KEYWORDS = ("required",)  # keywords whose row has no types, but which apply to objects only
_ASSERTIONS = frozenset("^$\\")  # characters that assertions of patterns begin with
TYPE_FIELDS = frozenset(("apiVersion", "kind"))
RESOURCE_FIELDS = TYPE_FIELDS | {"metadata"}  # of whole objects and of embedded resources
_ZERO_COUNTS = ("minLength", "minItems", "minProperties")
_INTEGER_BITS = {"int32": 31}
_NUMBER_KEYWORDS = ("minimum", "maximum", "multipleOf")
_NUMBER_FORMATS = {"integer": ("int32", "int64"), "number": ("float",)}  # which have a range
LARGEST_QUOTIENT = 2**53 - 1  # of a float and a factor
FLOAT_LIMIT = (2 - 2**-24) * 2.0**127  # the smallest number that is infinite as a float32
_ACCEPT_ALL = frozenset(("password",))  # enforced formats that accept every string, but no number

Bound = tuple[int | float, bool]


def is_in_status(path: str) -> bool:
    """Report whether a field is the status or below it, which only controllers write."""
    return path == STATUS or path.startswith(tuple(f"{STATUS}{step}" for step in ".[{"))


def get_types(schema: Schema) -> frozenset[str]:
    """Return the JSON types that a schema accepts; every integer is a number."""
    if schema.get(INT_OR_STRING):
        return frozenset(("integer", "string"))
    return _TYPES.get(schema.type) or frozenset((schema.type,))


def get_type_name(schema: Schema) -> str:
    """Return the type of values as messages name it."""
    return "integer or string" if schema.get(INT_OR_STRING) else schema.type or ANY_TYPE


def get_effective_value(schema: Schema, keyword: str, *, always: frozenset[str] = frozenset()) -> Any:
    """Return the value of a keyword that has an effect on its own, None if it has no effect.

    `always` names the properties that all values have, whether the schema has them or not.
    """
    value = schema.get(keyword)
    types = ("object",) if keyword in _OBJECT_KEYWORDS else KEYWORDS[keyword].types
    if not value and (keyword in _ZERO_COUNTS or value is None or isinstance(value, str | list | tuple | bool)):
        return None
    if types and not get_types(schema).intersection(types):
        return None
    if keyword in ("minProperties", "maxProperties"):
        return _reduce_property_count(schema, keyword, value, always)
    return _REDUCTIONS[keyword](schema, value) if keyword in _REDUCTIONS else value


def _reduce_pattern(_: Schema, pattern: str) -> str | None:
    return None if _matches_all_strings(pattern) else pattern


def _reduce_enum(_: Schema, choices: Sequence[Any]) -> Sequence[Any]:
    """Return the values as servers store them, without null, which is not equal to any value."""
    return [normalize_numbers(choice) for choice in choices if choice is not None] or choices


def _reduce_factor(schema: Schema, factor: int | float) -> int | float | tuple[int | float, int | float] | None:
    """Return None for a factor of all integers, and 0 for one that no integer of an integer field has.

    For floats, return also the largest float that servers accept, since they reject larger quotients than 2^53-1.
    Source: github.com/go-openapi/swag convert.go (IsFloat64AJSONInteger).
    """
    if "number" not in get_types(schema):
        is_never = schema.type == "integer" and factor != math.trunc(factor)
        return 0 if is_never else None if factor == 1 else factor
    return factor, min([factor * LARGEST_QUOTIENT, *_list_limits(schema)])


def _list_limits(schema: Schema) -> Iterator[int | float]:
    """Yield numbers that no number of a schema exceeds; servers accept 2.5 for a number with the enum [2]."""
    bounds = [abs(value) for keyword in ("minimum", "maximum") if (value := schema.get(keyword)) is not None]
    if len(bounds) == 2:
        yield max(bounds)
    choices = schema.get("enum") or ()
    if choices and all(type(choice) in (int, float) for choice in choices):
        yield max(map(abs, choices)) + 1


_REDUCTIONS: Mapping[str, Callable[[Schema, Any], Any]] = {
    "pattern": _reduce_pattern, "enum": _reduce_enum, "multipleOf": _reduce_factor,
}  # fmt: skip


def _matches_all_strings(pattern: str) -> bool:
    """Return whether a pattern matches every string; False if that is not obvious.

    It is obvious if the pattern matches the empty string and has no assertion except at its start.
    """
    rest = pattern.removeprefix("^")
    try:
        return not _ASSERTIONS & set(rest) and regex.compile(rest).search("")
    except (ValueError, ResourceLimitError):
        return False


def _reduce_property_count(schema: Schema, keyword: str, value: int, always: frozenset[str]) -> int | None:
    """Return None for a count that the known properties of an object always have."""
    if schema.additional is not None or schema.get(PRESERVE) or schema.type != "object":
        return value
    properties = schema.properties
    if keyword == "maxProperties":
        known = properties.keys() | always | (RESOURCE_FIELDS if schema.get(EMBEDDED) else frozenset())
        return None if value >= len(known) else value
    present = {name for name, child in properties.items() if child.get("default") is not None} | always
    # Servers drop the status of new objects after they have set defaults.
    present -= {STATUS} if always == RESOURCE_FIELDS else set()
    present |= set(schema.get("required") or ()) & properties.keys()
    return None if value <= len(present) else value


def get_lower_bound(schema: Schema, form: str | None, switches: Switches) -> Bound | None:
    """Return the lower bound of numbers with a format; greater bounds accept fewer numbers."""
    bound = _get_bound(schema, "minimum", schema.get("exclusiveMinimum"))
    if bound is not None and _is_out_of_range(schema, form, bound[0], switches):
        return math.inf, False
    bits = _get_integer_bits(schema, form, switches)
    if bits is not None:
        lowest: Bound = -(1 << bits), False
        return lowest if bound is None else max(lowest, _to_integer_bound(bound, 1))
    if _is_float(schema, form, switches):
        lowest = -FLOAT_LIMIT, True
        return lowest if bound is None else max(lowest, bound)
    return bound


def get_upper_bound(schema: Schema, form: str | None, switches: Switches) -> Bound | None:
    """Return the upper bound of numbers with a format; smaller bounds accept fewer numbers."""
    bound = _get_bound(schema, "maximum", not schema.get("exclusiveMaximum"))
    if bound is not None and _is_out_of_range(schema, form, bound[0], switches):
        return -math.inf, False
    bits = _get_integer_bits(schema, form, switches)
    if bits is not None:
        highest: Bound = (1 << bits) - 1, True
        return highest if bound is None else min(highest, _to_integer_bound(bound, -1))
    if _is_float(schema, form, switches):
        highest = FLOAT_LIMIT, False
        return highest if bound is None else min(highest, bound)
    return bound


def accepts_no_number(schema: Schema, switches: Switches) -> bool:
    """Report whether servers reject all numbers, because a bound or a factor is no number of the type and format."""
    if not get_types(schema) & {"integer", "number"}:
        return False
    numbers = [value for keyword in _NUMBER_KEYWORDS if (value := schema.get(keyword)) is not None]
    is_any_outside = any(_is_out_of_range(schema, schema.get("format"), value, switches) for value in numbers)
    return is_any_outside or get_effective_value(schema, "multipleOf") in (0, (0, 0))


def _is_out_of_range(schema: Schema, form: str | None, value: int | float, switches: Switches) -> bool:
    """Report whether a bound or a factor is no number of the type and format, so that servers reject all numbers.

    Source: k8s.io/kube-openapi pkg/validation/validate values.go (IsValueValidAgainstRange).
    """
    if schema.get(INT_OR_STRING) or NUMERIC_FORMATS not in switches:
        return False
    return is_out_of_range(value, schema.type, form if form in _NUMBER_FORMATS.get(schema.type, ()) else "")


def _get_bound(schema: Schema, keyword: str, flag: object) -> Bound | None:
    value = get_effective_value(schema, keyword) if schema.get(keyword) != 0 else 0
    if value is None or not get_types(schema) & {"integer", "number"}:
        return None
    return value, bool(flag)


def _to_integer_bound(bound: Bound, step: int) -> Bound:
    """Return the bound of integers, which is inclusive."""
    value, flag = bound
    is_exclusive = flag is (step > 0)
    return math.trunc(value) + (step if is_exclusive else 0), step < 0


def _get_integer_bits(schema: Schema, form: str | None, switches: Switches) -> int | None:
    """Return the size of integers without the sign bit; None unless all numbers are integers of a range."""
    if schema.type != "integer" or schema.get(INT_OR_STRING) or NUMERIC_FORMATS not in switches:
        return None
    return _INTEGER_BITS.get(form or "", 63)


def _is_float(schema: Schema, form: str | None, switches: Switches) -> bool:
    return schema.type == "number" and form == "float" and NUMERIC_FORMATS in switches


def get_string_format(schema: Schema, switches: Switches) -> str | None:
    """Return the format of strings that servers enforce, None if they enforce none."""
    form = (schema.get("format") or "").replace("-", "")
    types = get_types(schema)
    if not form or "string" not in types or (form in _ACCEPT_ALL and "number" not in types):
        return None
    return form if is_enforced(schema.type if len(types) == 1 else "", form, switches) else None
