"""Markers onto schemas. Keyword markers need no code of their own: options.proto says what they fit and set."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from protoc_gen_crd.base.diagnostics import Place, Problems
from protoc_gen_crd.base.suggestions import suggestion
from protoc_gen_crd.markers.contradictions import BOUNDS, check_repeats, check_schema
from protoc_gen_crd.markers.declared import SCHEMA
from protoc_gen_crd.markers.marker import Marker
from protoc_gen_crd.markers.special import BEHAVIOURS, Context
from protoc_gen_crd.markers.values import Values, found
from protoc_gen_crd.schema.types import (
    INT_OR_STRING,
    LIST_MAP_KEYS,
    LIST_TYPE,
    PRESERVE,
    TYPE,
    VALIDATIONS,
    Named,
    Rule,
    Schema,
)

_VALIDATION = "+kubebuilder:validation:"
_NESTING = {"items": "+kubebuilder:validation:items:", "values": "+protoc-gen-crd:map-value-validation:"}
_NUMERIC, _TEXTUAL = ("integer", "number"), ("string",)
_WORDS = {
    ("integer", "number"): "numbers",
    ("string",): "strings",
    ("array",): "lists",
    ("object",): "objects and maps",
    ("array", "object", ""): "objects and lists",
}
_LIMITS = tuple([option.keyword for pair in BOUNDS for option in pair] + ["multipleOf", "pattern"])
_OF_OBJECTS = ("properties", "required", "additionalProperties", "oneOf", "allOf", VALIDATIONS)
_TYPES = {option.keyword: option.types for option in SCHEMA.values() if option.types and option.keyword != PRESERVE}
_TYPES |= {"items": ("array",), **dict.fromkeys(_OF_OBJECTS, ("object",))}  # what proto types alone give
_KEYWORDS = {"items": ("items", "lists"), "values": ("additionalProperties", "maps")}


class Applier:
    """Applies the markers of one element at a time."""

    def __init__(self, problems: Problems, context: Context) -> None:
        self._problems = problems
        self._context = context
        self._values = Values(self._report)

    def apply(self, schema: Schema, markers: Sequence[Marker]) -> Schema:
        """The schema with all markers applied: in the order that options.proto gives, else as written."""
        if not markers:
            return schema
        before = schema
        if len(markers) > 1:
            check_repeats(markers, self._report)
        for marker in sorted(markers, key=lambda marker: marker.option.order):
            schema = self._at(schema, marker, marker.steps)
        if schema is before:
            return schema
        for steps in dict.fromkeys(marker.steps for marker in markers):
            below, given = _below(schema, steps), [marker for marker in markers if marker.steps == steps]
            check_schema(below, given, self._report)
        return schema

    def _at(self, schema: Schema, marker: Marker, steps: tuple[str, ...]) -> Schema:
        if not steps:
            return self._apply(schema, marker)
        keyword, what = _KEYWORDS[steps[0]]
        child = schema.get(keyword)
        if not isinstance(child, Schema):
            self._report("marker-type", f'"{marker.name}" applies to {what}, found {found(schema)}', marker)
            return schema
        changed = self._at(child, marker, steps[1:])
        return schema if changed is child else schema.having({keyword: changed})

    def _apply(self, schema: Schema, marker: Marker) -> Schema:
        if not self._applies(schema, marker):
            return schema
        behaviour = BEHAVIOURS.get(marker.option.name)
        if behaviour is not None:
            return behaviour(schema, marker, self._context)
        if marker.option.keyword == VALIDATIONS:
            return self._rules(schema, marker)
        value = self._values.of(schema, marker)
        return schema if value is None else self._set(schema, marker, value)

    def _applies(self, schema: Schema, marker: Marker) -> bool:
        option, value = marker.option, marker.value
        if option.types and not self._fits(schema, option.types):
            words = _WORDS.get(option.types, " or ".join(option.types))
            problem = f'"{marker.name}" applies to {words}, found {found(schema)}'
            self._report("marker-type", problem, marker, self._inside(schema, marker))
            return False
        if option.values and value not in option.values:
            known = ", ".join(f'"{one}"' for one in option.values if one)
            hint = suggestion(str(value), option.values)
            self._report("marker-value", f'"{marker.name}" must be one of {known}, found "{value}"', marker, hint)
            return False
        return True

    def _inside(self, schema: Schema, marker: Marker) -> str:
        """A hint for what fits the items of a list or the values of a map, not the whole."""
        for step, (keyword, _) in _KEYWORDS.items():
            child = schema.get(keyword)
            if isinstance(child, Schema) and self._fits(child, marker.option.types):
                return f'for its {step} write "{_nested(marker, step)}"'
        return ""

    def _set(self, schema: Schema, marker: Marker, value: Any) -> Schema:
        """The keyword set, or taken away: by a flag that says false, or an empty text."""
        keyword = marker.option.keyword
        if keyword == LIST_MAP_KEYS:
            if schema.get(LIST_TYPE) != "map":
                other = schema.get(LIST_TYPE) or "none"
                self._report("marker-type", f'"{marker.name}" applies to lists of list_type map, found {other}', marker)
                return schema
            value = self._map_keys(schema, marker, value)
        if not value and marker.option.kind in ("bool", "string") and not marker.option.json:
            return schema.having({keyword: None}, marker.at) if keyword in schema else schema
        if keyword == "type" and value:
            schema = _retyped(schema, value)
        if keyword in _LIMITS and keyword in (schema.marks or ()) and schema.get(keyword) not in (None, value):
            return _both(schema, keyword, value, marker.at)
        if keyword == "enum":
            return self._listed(schema, marker, value)
        if keyword == "allOf":  # before the limits that `_both` keeps at the end
            return schema.having({keyword: [*value, *(schema.get(keyword) or ())]})
        return schema.having({keyword: value}, marker.at)

    def _listed(self, schema: Schema, marker: Marker, values: list[Any]) -> Schema:
        """Those of the values that are not hidden, and that the schema's version and channel have."""
        named = (schema.facts or {}).get(TYPE)
        gone = [*named.hidden, *_unnamed(named)] if named is not None else []  # values may be objects
        here = [value for value in values if value not in gone]
        if not here:
            listed = ", ".join([f'"{value}"' for value in values])
            problem = f'"{marker.name}" must list a value that this version and channel have, found {listed}'
            self._report("marker-contradiction", problem, marker, "give the field the range or channel of its values")
            return schema
        if "nullable" in schema and "nullable" not in (schema.marks or ()):
            # A wrapper: servers refuse null where values are listed, and drop it where it may not be.
            schema = schema.having({"nullable": None})
        return schema.having({"enum": here}, marker.at)

    @staticmethod
    def _fits(schema: Schema, types: tuple[str, ...]) -> bool:
        if schema.get(INT_OR_STRING) is True and (types == _TEXTUAL or (types == _NUMERIC and not schema.type)):
            return True
        return schema.type in types

    def _map_keys(self, schema: Schema, marker: Marker, keys: list[str]) -> list[str]:
        properties = schema.items.properties if schema.items else {}
        for key in keys:
            if key not in properties:
                problem = f'"{marker.name}" must name a field of the items, found "{key}"'
                hint = self._context.absence(properties, key) or self._problems.suggestion(key, properties)
                self._report("marker-field", problem, marker, hint)
        return list(dict.fromkeys([*(schema.get(LIST_MAP_KEYS) or ()), *keys]))

    def _rules(self, schema: Schema, marker: Marker) -> Schema:
        values = marker.value
        if marker.foreign and self._context.leaves_out:
            values = [kept for value in values if (kept := self._remaining(schema, marker, value))]
        made = tuple([rule for value in values if (rule := self._rule(schema, marker, value)) is not None])
        return schema.having({VALIDATIONS: (*schema.rules, *made)}, marker.at)

    def _remaining(self, schema: Schema, marker: Marker, value: Mapping[str, Any]) -> Mapping[str, Any] | None:
        """A rule of another vocabulary less what it says of fields that this version does not have, if that is one."""
        from protoc_gen_crd.markers.vocabularies.absent import reduced  # noqa: PLC0415 - few versions lack a field

        rule = reduced(value["rule"], schema, self._context.left_out)
        if rule is False and value.get("reason") != "FieldValueRequired":
            self._lost("without the fields that a version does not have nothing would keep it there", marker)
        if isinstance(rule, bool):
            return None
        said = value.get("message_expression", "")
        told = reduced(said, schema, self._context.left_out) if said else ""
        return {**value, "rule": rule, **({"message_expression": told} if told else {})}

    def _compiles(self, rule: str, schema: Schema, marker: Marker) -> bool:
        """Whether a rule in another tool's CEL has become one that API servers take."""
        from protoc_gen_crd.markers.vocabularies.trials import misfit  # noqa: PLC0415 - few rules are translated

        return not self._lost(misfit(rule, schema), marker)

    def _affordable(self, text: str, schema: Schema, marker: Marker) -> str:
        """The text that such a rule tells, empty if servers do not take it: the rule holds without."""
        from protoc_gen_crd.markers.vocabularies.trials import text_misfit  # noqa: PLC0415 - few rules are translated

        fault = text_misfit(text, schema)
        return "" if self._lost(fault and f"the text that it gives is left out, {fault}", marker) else text

    def _lost(self, fault: str, marker: Marker) -> bool:
        if fault:
            problem = f"an option must be one that an API server can enforce, found {marker.text}: {fault}"
            self._report("vocabulary-untranslated", problem, marker)
        return bool(fault)

    def _rule(self, schema: Schema, marker: Marker, value: Mapping[str, Any]) -> Rule | None:
        text = value.get("rule", "")
        if not text.strip():
            self._report("marker-value", f'"{marker.name}" must have a rule, found none', marker)
            return None
        expanded = self._context.expand(text, marker, schema, one_line=not value.get("message"))
        said = value.get("message_expression", "")
        said = self._context.expand(said, marker, schema, one_line=True) if said else ""
        if expanded is None or said is None or not self._leads(value.get("field_path", ""), schema, marker):
            return None
        if value.get("translated") and not self._compiles(expanded, schema, marker):
            return None
        if value.get("translated") and said:
            said = self._affordable(said, schema, marker)
        reason = value.get("reason", "")
        if reason and reason not in _REASONS:
            problem = f'reason must be one of {", ".join(_REASONS)}, found "{reason}"'
            self._report("marker-value", problem, marker, suggestion(reason, _REASONS))
            return None
        channel = value.get("channel", "")
        if channel and not self._context.knows(channel, marker.at, marker.owner, marker.excerpt):
            return None
        return Rule(
            expanded,
            value.get("message", ""),
            said,
            reason or None,
            value.get("field_path", ""),
            value.get("optional_old_self"),
            marker.at,
        )

    def _leads(self, path: str, schema: Schema, marker: Marker) -> bool:
        """Whether a fieldPath begins with no field that only other versions have; the rest servers are asked."""
        name = path.removeprefix(".").partition(".")[0].partition("[")[0]
        hint = self._context.absence(schema.properties, name) if name and name not in schema.properties else ""
        if hint:
            problem = f'a fieldPath must lead to a field that its schema has, found "{name}"'
            self._report("cel-field", problem, marker, hint)
        return not hint

    def _report(self, rule: str, message: str, marker: Marker, hint: str = "") -> None:
        self._problems.report(rule, message, marker.at, path=marker.owner, hint=hint, excerpt=marker.excerpt)


_REASONS = ("FieldValueDuplicate", "FieldValueForbidden", "FieldValueInvalid", "FieldValueRequired")


def _nested(marker: Marker, step: str) -> str:
    """How a marker is written for the items or the values of what it stands on, in its own spelling."""
    head = marker.text.partition("=")[0]
    if not marker.steps and head.startswith(_VALIDATION):
        return f"{_NESTING[step]}{head.removeprefix(_VALIDATION)}"
    path = ".".join((*marker.steps, step, marker.option.name))
    return f"+protoc-gen-crd:{path}" if head.startswith("+") else path


def _unnamed(named: Named) -> set[int]:
    """The numbers of an enum all of whose names are hidden."""
    return {*named.members.values()} - {number for name, number in named.members.items() if name not in named.hidden}


def _below(schema: Schema, steps: tuple[str, ...]) -> Schema:
    """What stands at the end of steps, or as far as there is something."""
    for step in steps:
        child = schema.get(_KEYWORDS[step][0])
        schema = child if isinstance(child, Schema) else schema
    return schema


def _retyped(schema: Schema, other: str) -> Schema:
    """A schema less what its proto type gives it and values of another type cannot have; what markers say stays."""
    made = schema.keywords.keys() - (schema.marks or {}).keys()
    lost = [keyword for keyword in made if other not in _TYPES.get(keyword, (other,))]
    if "format" in made and schema.type != other and not {schema.type, other} <= {*_NUMERIC}:
        lost.append("format")
    return schema.having(dict.fromkeys(lost)) if lost else schema


def _both(schema: Schema, keyword: str, value: Any, mark: Place) -> Schema:
    """A limit that a marker of the type set and one of the field sets anew: both hold, as with controller-gen.

    One branch of allOf holds such limits of the type, the next those of the field.
    """
    branches = list(schema.get("allOf") or ())
    pair = branches[-2:] if "allOf" in (schema.marks or ()) else [Schema({}, schema.origin), Schema({}, mark)]
    made = [one.having({keyword: limit}) for one, limit in zip(pair, (schema.get(keyword), value), strict=True)]
    others = branches[:-2] if "allOf" in (schema.marks or ()) else branches
    return schema.having({keyword: None, "allOf": [*others, *made]}, mark)
