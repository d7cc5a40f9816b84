"""Conversion of marker values to keyword values of a schema. Invalid values are findings."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from math import ceil, floor, isfinite
from typing import Any

from protoc_gen_crd.base.suggestions import suggest
from protoc_gen_crd.markers.marker import JsonText, Marker
from protoc_gen_crd.markers.marker_value_scanner import parse_number
from protoc_gen_crd.markers.override_place import OverridePlace
from protoc_gen_crd.schema.schema import INT_OR_STRING, TYPE, Schema

_JSON_TYPES: Mapping[str, tuple[type, ...]] = {
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
    "array": (list,),
    "object": (dict,),
}
_BITS = {"int32": 31}  # bits by format, without the sign; API servers treat other integers as int64
_EXACT = 2**53  # not every integer above is a double
_BAD = object()
_LISTED = r"""[\[({]?\s*["'`]?[\w.-]+["'`]?(\s*[,;|]\s*["'`]?[\w.-]+["'`]?)+[,;|]?\s*[\])}]?"""
_OURS = ("+", "(protoc_gen_crd.")  # other vocabularies have values that look like lists
_WORDS = r"[^\s=,;{}]+"
_MAX_INT64 = 2**63 - 1
_RANGE_HINT = "write a number from %d to %d"
_EMPTY = 'remove the ";", or write "" for the empty string'
_MAX_SHOWN_LENGTH = 4

Report = Callable[[str, str, Marker, str], None]  # rule id, message, marker, hint


def describe_type(schema: Schema) -> str:
    """Describe the type of a schema in a message."""
    return schema.type or ("an integer or a string" if schema.get(INT_OR_STRING) else "a value without a type")


def has_type(schema: Schema, value: Any) -> bool:
    """Return whether a value in plain data has the type of a schema."""
    expected = _JSON_TYPES.get(schema.type)
    if expected is None or schema.get(INT_OR_STRING) or (value is None and schema.get("nullable")):
        return True
    return isinstance(value, expected) and (schema.type == "boolean" or not isinstance(value, bool))


class ValueConverter:
    """Converts the value of a marker to the value of its keyword."""

    def __init__(self, report: Report) -> None:
        self._report = report

    def convert(self, schema: Schema, marker: Marker) -> Any:
        """Return the keyword's value on a schema; None, with a finding, if the marker is invalid."""
        option, value = marker.option, marker.value
        if option.json:
            return self._convert_json(schema, marker)
        if option.kind == "number":
            return self._convert_number(schema, marker)
        if option.kind == "integer" and value < 0:
            return self._reject(f'"{marker.name}" is negative: {value}', marker, "write 0 or a larger number")
        if option.kind == "integer" and value > _MAX_INT64:
            problem = f'"{marker.name}" is {value}, which is not within int64'
            return self._reject(problem, marker, f"write a number up to {_MAX_INT64}")
        if option.kind == "string" and not isinstance(value, str) and not option.repeated:
            return self._reject(
                f'"{marker.name}" is not a string: {_format_value(value)}', marker, "write a string in quotes"
            )
        return value

    def _reject(self, problem: str, marker: Marker, hint: str = "") -> Any:
        """Report an invalid value, and return None."""
        self._report("marker-value", problem, marker, hint)
        return None

    def _convert_number(self, schema: Schema, marker: Marker) -> Any:
        value: int | float = marker.value
        if not isfinite(value):
            return self._reject(
                f'"{marker.name}" is not a finite number: {value}', marker, "write a number, or remove it"
            )
        if abs(value) >= _EXACT:
            value = float(value)
        if isinstance(value, float) and value.is_integer() and (schema.type == "integer" or abs(value) < _EXACT):
            value = int(value)
        if marker.option.keyword == "multipleOf" and value <= 0:
            return self._reject(f'"{marker.name}" is not greater than 0: {value}', marker, "write a larger number")
        return value if schema.type != "integer" else self._convert_integer(schema, marker, value)

    def _convert_integer(self, schema: Schema, marker: Marker, value: int | float) -> Any:
        if isinstance(value, float):
            problem = f'"{marker.name}" of an integer is not a whole number: {value}'
            return self._reject(problem, marker, f"write {floor(value)} or {ceil(value)}")
        least, most = _get_integer_range(schema)
        if marker.option.keyword == "multipleOf" or least <= value <= most:
            return value
        hint = "since Kubernetes 1.36, a field with such a bound accepts no value at all"
        return self._reject(
            _describe_overflow(schema, marker, value),
            marker,
            hint if -least == most + 1 else _RANGE_HINT % (least, most),
        )

    def _convert_json(self, schema: Schema, marker: Marker) -> Any:
        """Convert a JSON value, or a plain string for type string, and check its type."""
        values = marker.value if marker.option.repeated else [marker.value]
        if not values:
            return self._reject(f'"{marker.name}" lists no values', marker, "list the accepted values, or remove it")
        if marker.unread:
            values = [self._parse_json(schema, marker.for_value(index), value) for index, value in enumerate(values)]
        if any(value is _BAD for value in values):
            return None
        if schema.type == "array" and values == [{}] and "kubebuilder:default=" in marker.text:
            values = [[]]  # `{}` is an empty map or an empty list in this grammar
        if values == [None] and not marker.option.repeated:
            return self._reject(f'"{marker.name}" is null, which API servers treat as unset', marker, "remove it")
        if values == ["null"] and marker.text.endswith("default=null"):
            problem = f'"{marker.name}" is the string "null", not null'
            self._report(
                "marker-dialect", problem, marker.point_at_value("null"), 'quote it if the string is intended: "null"'
            )
        fitting = [
            value for index, value in enumerate(values) if self._is_valid(schema, marker.for_value(index), value)
        ]
        if len(fitting) < len(values):
            return None
        if marker.option.repeated and marker.text.startswith(_OURS):
            self._check_unsplit_values(values, marker)
        return values if marker.option.repeated else values[0]

    def _check_unsplit_values(self, values: list[Any], marker: Marker) -> None:
        """Report strings that contain characters intended as separators."""
        strings = [value for value in values if isinstance(value, str)]
        ends = strings[0][:1] + strings[-1][-1:] if strings else ""
        empty = next((string for string in strings if string.startswith(";")), None)
        if empty is not None:
            problem, hint = f'value "{empty}" contains a ";" that separates no values', _EMPTY
        elif len(strings) == 1 and re.fullmatch(_LISTED, strings[0]):
            problem, hint = (
                f'"{strings[0]}" is a single value',
                _suggest_list_syntax(marker, strings),
            )
        elif len(strings) > 1 and ends in ("[]", "()"):
            problem, hint = (
                f'brackets are part of the values "{strings[0]}" and "{strings[-1]}"',
                _suggest_list_syntax(marker, strings),
            )
        else:
            return
        self._report("marker-list-separator", problem, marker.point_at_value(empty or strings[0]), hint)

    def _parse_json(self, schema: Schema, marker: Marker, literal: str) -> Any:
        if _is_plain(schema, marker, literal):
            return literal
        from protoc_gen_crd.base import bounded_json  # noqa: PLC0415 - few runs need it

        def report_duplicate(key: str) -> None:
            self._report("marker-repeated", f'key "{key}" is repeated', marker, "")

        try:
            return bounded_json.parse_json(literal, report_duplicate)
        except ValueError:
            if schema.type == "string":
                return literal
            kind = f" for {describe_type(schema)}" if schema.type or schema.get(INT_OR_STRING) else ""
            hint = "" if schema.type else 'write a string with quotes of its own: "\\"' + literal + '\\""'
            _, word = bounded_json.find_not_finite(literal) or (0, "")
            self._report(
                "marker-parse",
                f'"{marker.name}" is not valid JSON{kind}: "{literal}"',
                marker.point_at_value(word or literal),
                bounded_json.NOT_FINITE_HINT if word else hint,
            )
            return _BAD

    def _is_valid(self, schema: Schema, marker: Marker, value: Any) -> bool:
        return self._has_type(schema, marker, value) and self._is_member(schema, marker, value)

    def _is_member(self, schema: Schema, marker: Marker, value: Any) -> bool:
        """Check that a listed name is a value of the proto enum of the field. Clients cannot send other names."""
        enum_type = (schema.facts or {}).get(TYPE)
        if marker.option.keyword != "enum" or not isinstance(value, str) or enum_type is None or not enum_type.members:
            return True
        if value in enum_type.members:
            return True
        problem = f'"{marker.name}" lists "{value}", which is not a value of "{enum_type.name}"'
        hint = _suggest_enum_name(schema, value) or suggest(value, enum_type.members)
        self._reject(problem, marker.point_at_value(value), hint)
        return False

    def _has_type(self, schema: Schema, marker: Marker, value: Any) -> bool:
        if has_type(schema, value):
            least, most = _get_integer_range(schema)
            if schema.type != "integer" or not isinstance(value, int) or least <= value <= most:
                return True
            self._reject(_describe_overflow(schema, marker, value), marker, _RANGE_HINT % (least, most))
            return False
        hint = _suggest_enum_name(schema, value)
        if schema.type in ("integer", "number") and isinstance(value, str):
            hint = _suggest_finite(value) or hint
        if isinstance(value, str):
            hint = hint or _suggest_unquoted(schema, value)
        written = _find_written_text(marker, value)
        if not hint and schema.type == "string" and not isinstance(value, (list, dict)):
            hint = f'quote it: "{written}"' if written else "quote the value"
        self._reject(
            f'"{marker.name}" is not of type {schema.type}: {written or _format_value(value)}',
            marker.point_at_value(value if isinstance(value, str) else written),
            hint,
        )
        return False


def _is_plain(schema: Schema, marker: Marker, literal: str) -> bool:
    """Return whether a value is a string as written. In an override, only an object, a list, and quotes are JSON."""
    if isinstance(literal, JsonText):
        return False
    if schema.type == "string":
        return literal[:1] != '"'
    return marker.overrides and literal[:1] not in ('"', "[", "{")


def _find_written_text(marker: Marker, value: Any) -> str:
    """Return a value as written: `1.10`, not `1.1`. Return an empty string if it is unknown."""
    if isinstance(marker.at, OverridePlace) and isinstance(value, (bool, int, float, type(None))):
        return marker.at.read_word()
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return _format_value(value)
    words = {word for word in re.findall(_WORDS, marker.text) if parse_number(word) == value}
    return "" if len(words) > 1 else words.pop() if words else _format_value(value)


def _suggest_finite(value: str) -> str:
    from protoc_gen_crd.base import bounded_json  # noqa: PLC0415 - few runs need it

    return bounded_json.NOT_FINITE_HINT if bounded_json.find_not_finite(value) == (0, value) else ""


def _suggest_unquoted(schema: Schema, value: str) -> str:
    """Return a hint for a number or boolean in quotes, or a boolean in upper case; empty for other strings."""
    if schema.type == "boolean" and value.lower() in ("true", "false"):
        return "remove the quotes" if value.islower() else f"write {value.lower()}"
    number = parse_number(value) if schema.type in ("integer", "number") else None
    return "remove the quotes" if number is not None and has_type(schema, number) else ""


def _suggest_list_syntax(marker: Marker, strings: list[str]) -> str:
    """Suggest how to list several values in the spelling of their marker."""
    values = [value for string in strings for value in re.findall(r"[\w.-]+", string)][:_MAX_SHOWN_LENGTH]
    if not marker.is_comment_line:
        return "write " + ", ".join([f'{marker.option.name} = "{value}"' for value in values])
    if marker.unread:
        return "write [" + ", ".join([f'"{value}"' for value in values]) + "]"
    return f"write {';'.join(values)}"


def _suggest_enum_name(schema: Schema, value: Any) -> str:
    """Return a hint for the number of a value of a proto enum; empty for other values."""
    enum_type = (schema.facts or {}).get(TYPE)
    members = enum_type.members if enum_type is not None else {}
    if not members or not re.fullmatch("-?[0-9]+", str(value)):
        return ""
    name = next((name for name, number in members.items() if str(number) == str(value)), "")
    return f"""values are names, and the name of {value} is {f'"{name}"' if name else "none"}"""


def _get_integer_range(schema: Schema) -> tuple[int, int]:
    """Return the bounds of an integer, without the bounds that markers set."""
    limit = 2 ** _BITS.get(schema.get("format") or "", 63)
    keywords, marks = schema.keywords, schema.marks or {}
    least = keywords["minimum"] if "minimum" in keywords and "minimum" not in marks else -limit
    most = keywords["maximum"] if "maximum" in keywords and "maximum" not in marks else limit - 1
    return least, most


def _describe_overflow(schema: Schema, marker: Marker, value: int | float) -> str:
    """Describe an integer out of range."""
    least, most = _get_integer_range(schema)
    name = schema.get("format") or "int64"
    range_description = name if -least == most + 1 else f"{least} to {most}, the range of the field"
    return f'"{marker.name}" is {value}, which is not within {range_description}'


def _format_value(value: Any) -> str:
    from protoc_gen_crd.base import bounded_json  # noqa: PLC0415 - few runs need it

    return bounded_json.format_json(value)
