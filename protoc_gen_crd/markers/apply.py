"""Markers onto schemas. Keyword markers need no code of their own: options.proto says what they fit and set."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from protoc_gen_crd.base.diagnostics import Problems
from protoc_gen_crd.base.registry import suggestion
from protoc_gen_crd.markers.marker import Marker
from protoc_gen_crd.markers.special import BEHAVIOURS, Context
from protoc_gen_crd.schema.types import INT_OR_STRING, LIST_MAP_KEYS, LIST_TYPE, VALIDATIONS, Rule, Schema

_WORDS = {
    ("integer", "number"): "numbers",
    ("string",): "strings",
    ("array",): "lists",
    ("object",): "objects and maps",
}
_BOUNDS = (
    ("minimum", "maximum"),
    ("minLength", "maxLength"),
    ("minItems", "maxItems"),
    ("minProperties", "maxProperties"),
)
_JSON_TYPES: Mapping[str, tuple[type, ...]] = {
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
    "array": (list,),
    "object": (dict,),
}
_EXACT = 2**53


class Applier:
    """Applies the markers of one element at a time."""

    def __init__(self, problems: Problems, context: Context) -> None:
        self._problems = problems
        self._context = context

    def apply(self, schema: Schema, markers: Sequence[Marker]) -> Schema:
        """The schema with all markers applied: in the order that options.proto gives, else as written."""
        if not markers:
            return schema
        before = schema
        self._check_repeats(markers)
        for marker in sorted(markers, key=lambda marker: marker.option.order):
            schema = self._at(schema, marker, marker.steps)
        if schema is not before:
            self._check_bounds(schema, markers)
        return schema

    def _at(self, schema: Schema, marker: Marker, steps: tuple[str, ...]) -> Schema:
        if not steps:
            return self._apply(schema, marker)
        keyword, what = ("items", "lists") if steps[0] == "items" else ("additionalProperties", "maps")
        child = schema.get(keyword)
        if not isinstance(child, Schema):
            self._report("marker-type", f'"{marker.name}" applies to {what}, found {_found(schema)}', marker)
            return schema
        changed = self._at(child, marker, steps[1:])
        return schema if changed is child else schema.having({keyword: changed})

    def _apply(self, schema: Schema, marker: Marker) -> Schema:
        option = marker.option
        if option.types and not self._fits(schema, option.types):
            words = _WORDS.get(option.types, " or ".join(option.types))
            self._report("marker-type", f'"{marker.name}" applies to {words}, found {_found(schema)}', marker)
            return schema
        if option.values and marker.value not in option.values:
            known = ", ".join(f'"{value}"' for value in option.values if value)
            hint = suggestion(str(marker.value), option.values)
            self._report(
                "marker-value", f'"{marker.name}" must be one of {known}, found "{marker.value}"', marker, hint=hint
            )
            return schema
        behaviour = BEHAVIOURS.get(option.name)
        if behaviour is not None:
            return behaviour(schema, marker, self._context)
        if option.keyword == VALIDATIONS:
            return self._rules(schema, marker)
        value = self._value(schema, marker)
        if value is None:
            return schema
        if option.keyword == "type" and not value:
            return schema.having({"type": None}, marker.at) if schema.type else schema
        if option.keyword == LIST_MAP_KEYS:
            value = self._map_keys(schema, marker, value)
        return schema.having({option.keyword: value}, marker.at)

    @staticmethod
    def _fits(schema: Schema, types: tuple[str, ...]) -> bool:
        return schema.type in types or (types == ("string",) and schema.get(INT_OR_STRING) is True)

    def _value(self, schema: Schema, marker: Marker) -> Any:
        """The keyword's value; None, with or without a finding, if there is nothing to set."""
        option, value = marker.option, marker.value
        if option.json:
            return self._json(schema, marker)
        if option.kind == "bool":
            return True if value else None
        if option.kind == "number":
            return self._number(schema, marker)
        if option.kind == "integer" and value < 0:
            return self._refuse(f'"{marker.name}" must not be negative, found {value}', marker)
        if option.kind == "string" and not isinstance(value, str) and not option.repeated:
            return self._refuse(f'"{marker.name}" must be a string, found {_short(value)}', marker)
        return value

    def _refuse(self, problem: str, marker: Marker) -> None:
        self._report("marker-value", problem, marker)

    def _number(self, schema: Schema, marker: Marker) -> int | float | None:
        value: int | float = marker.value
        if isinstance(value, float) and value.is_integer() and abs(value) < 1e18:
            value = int(value)
        if schema.type == "integer" and isinstance(value, float):
            self._report(
                "marker-value", f'"{marker.name}" must be a whole number for an integer, found {value}', marker
            )
            return None
        limits = {"int32": 2**31, "int64": 2**63}.get(schema.get("format") or "")
        if limits and schema.type == "integer" and not -limits <= value < limits:
            kind = schema.get("format")
            self._report(
                "marker-value",
                f'"{marker.name}" must be within {kind}, found {value}',
                marker,
                hint="from Kubernetes 1.36 on a field with such a bound can hold no value at all",
            )
            return None
        return value

    def _json(self, schema: Schema, marker: Marker) -> Any:
        """JSON of an option: plain text for strings, else parsed; checked against the schema's type."""
        if marker.value is None and "ref(" in marker.text:  # a Go constant, of which its reader has told
            return None
        values = marker.value if marker.option.repeated else [marker.value]
        if marker.unread:
            values = [self._parsed(schema, marker, value) for value in values]
        if any(value is _BAD for value in values):
            return None
        if marker.option.keyword == "default" and schema.type == "array" and values == [{}]:
            values = [[]]
        for value in values:
            self._check_type(schema, marker, value)
        return values if marker.option.repeated else values[0]

    def _parsed(self, schema: Schema, marker: Marker, text: str) -> Any:
        if schema.type == "string":
            return text
        from protoc_gen_crd.base import jsontext  # noqa: PLC0415 - few runs need it

        try:
            return jsontext.loads(text)
        except ValueError:
            self._report("marker-parse", f'"{marker.name}" must be JSON for {_found(schema)}, found "{text}"', marker)
            return _BAD

    def _check_type(self, schema: Schema, marker: Marker, value: Any) -> None:
        expected = _JSON_TYPES.get(schema.type)
        if expected is None or schema.get(INT_OR_STRING) or (value is None and schema.get("nullable")):
            return
        fits = isinstance(value, expected) and (schema.type == "boolean" or not isinstance(value, bool))
        if not fits:
            shown = _short(value)
            self._report("marker-value", f'"{marker.name}" must be of type {schema.type}, found {shown}', marker)

    def _map_keys(self, schema: Schema, marker: Marker, keys: list[str]) -> list[str]:
        if schema.get(LIST_TYPE) != "map":
            self._report(
                "marker-type",
                f'"{marker.name}" applies to lists of list_type map, found {schema.get(LIST_TYPE) or "none"}',
                marker,
            )
        properties = schema.items.properties if schema.items else {}
        for key in keys:
            if key not in properties:
                self._report(
                    "marker-field",
                    f'"{marker.name}" must name a field of the items, found "{key}"',
                    marker,
                    hint=suggestion(key, properties),
                )
        return list(dict.fromkeys([*(schema.get(LIST_MAP_KEYS) or ()), *keys]))

    def _rules(self, schema: Schema, marker: Marker) -> Schema:
        made = tuple([rule for value in marker.value if (rule := self._rule(schema, marker, value)) is not None])
        return schema.having({VALIDATIONS: (*schema.rules, *made)}, marker.at)

    def _rule(self, schema: Schema, marker: Marker, value: Mapping[str, Any]) -> Rule | None:
        text = value.get("rule", "")
        expanded = self._context.expand(text, marker, schema, one_line=not value.get("message"))
        if expanded is None:
            return None
        reason = value.get("reason", "")
        if reason and reason not in _REASONS:
            self._report(
                "marker-value",
                f'reason must be one of {", ".join(_REASONS)}, found "{reason}"',
                marker,
                hint=suggestion(reason, _REASONS),
            )
            return None
        return Rule(
            expanded,
            value.get("message", ""),
            value.get("message_expression", ""),
            reason,
            value.get("field_path", ""),
            value.get("optional_old_self"),
            marker.at,
        )

    def _check_repeats(self, markers: Iterable[Marker]) -> None:
        """A keyword that is set twice to different values says two things at once."""
        seen: dict[str, Marker] = {}
        for marker in markers:
            if marker.option.repeated and marker.option.keyword != "enum":
                continue
            first = seen.setdefault(marker.name, marker)
            if first is not marker and first.value != marker.value:
                self._report(
                    "marker-contradiction",
                    f'"{marker.name}" must be set once, found {_short(first.value)} and {_short(marker.value)}',
                    marker,
                )

    def _check_bounds(self, schema: Schema, markers: Sequence[Marker]) -> None:
        for low, high in _BOUNDS:
            least, most = schema.get(low), schema.get(high)
            if least is not None and most is not None and least > most:
                last = next((m for m in reversed(markers) if m.option.keyword in (low, high)), None)
                if last is not None:
                    self._report(
                        "marker-contradiction", f"{low} must not be above {high}, found {least} and {most}", last
                    )

    def _report(self, rule: str, message: str, marker: Marker, *, hint: str = "") -> None:
        self._problems.report(rule, message, marker.at, path=marker.owner, hint=hint, excerpt=marker.excerpt)


_BAD = object()
_REASONS = ("FieldValueDuplicate", "FieldValueForbidden", "FieldValueInvalid", "FieldValueRequired")


def _short(value: Any) -> str:
    from protoc_gen_crd.base import jsontext  # noqa: PLC0415 - few runs need it

    return jsontext.shown(value)


def _found(schema: Schema) -> str:
    return schema.type or ("an integer or a string" if schema.get(INT_OR_STRING) else "no type")
