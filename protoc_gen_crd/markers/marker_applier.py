"""Application of markers to schemas. options.proto declares the types and keywords of markers without an applier."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from protoc_gen_crd.base.suggestions import suggest
from protoc_gen_crd.findings.finding import Place, Problems, Severity
from protoc_gen_crd.markers.contradictions import BOUNDS, check_repeats, check_schema
from protoc_gen_crd.markers.keyword_values import ValueConverter, describe_type
from protoc_gen_crd.markers.marker import Marker, drop_superseded
from protoc_gen_crd.markers.marker_behavior import APPLIERS, MarkerContext
from protoc_gen_crd.markers.option_declarations import SCHEMA
from protoc_gen_crd.schema.schema import (
    INT_OR_STRING,
    LIST_MAP_KEYS,
    LIST_TYPE,
    PRESERVE,
    TYPE,
    VALIDATIONS,
    NamedType,
    Schema,
    ValidationRule,
)

_VALIDATION = "+kubebuilder:validation:"
_NESTING = {"items": "+kubebuilder:validation:items:", "values": "+protoc-gen-crd:map-value-validation:"}
_NUMERIC, _TEXTUAL = ("integer", "number"), ("string",)
_NESTED_PREFIXES = {
    ("integer", "number"): "numbers",
    ("string",): "strings",
    ("array",): "lists",
    ("object",): "objects and maps",
    ("array", "object", ""): "objects and lists",
}
_LIMITS = tuple([option.keyword for pair in BOUNDS for option in pair] + ["multipleOf", "pattern"])
_OF_OBJECTS = ("properties", "required", "additionalProperties", "oneOf", "allOf", VALIDATIONS)
_TYPES = {option.keyword: option.types for option in SCHEMA.values() if option.types and option.keyword != PRESERVE}
_TYPES |= {"items": ("array",), **dict.fromkeys(_OF_OBJECTS, ("object",))}  # keywords that only proto types set
_KEYWORDS = {"items": ("items", "lists"), "values": ("additionalProperties", "maps")}


class MarkerApplier:
    """Applies the markers of one element at a time."""

    def __init__(self, problems: Problems, context: MarkerContext) -> None:
        self._problems = problems
        self._context = context
        self._values = ValueConverter(self._report)

    def apply(self, schema: Schema, markers: Sequence[Marker]) -> Schema:
        """Return the schema with all markers applied in the order of options.proto, or else as written."""
        if not markers:
            return schema
        before, ordered = schema, markers
        if len(markers) > 1:
            check_repeats(markers, self._report)
            markers = drop_superseded(markers)
            ordered = sorted(markers, key=lambda marker: marker.option.order)
        for marker in ordered:
            schema = self._apply_at(schema, marker, marker.steps)
        if schema is before:
            return schema
        for steps in dict.fromkeys(marker.steps for marker in markers):
            subschema, applied = _get_subschema(schema, steps), [marker for marker in markers if marker.steps == steps]
            check_schema(subschema, applied, self._report)
        return schema

    def _apply_at(self, schema: Schema, marker: Marker, steps: tuple[str, ...]) -> Schema:
        if not steps:
            return self._apply(schema, marker)
        keyword, types = _KEYWORDS[steps[0]]
        child = schema.get(keyword)
        if not isinstance(child, Schema):
            self._report("marker-type", f'"{marker.name}" applies to {types}, not to {describe_type(schema)}', marker)
            return schema
        changed = self._apply_at(child, marker, steps[1:])
        return schema if changed is child else schema.with_keywords({keyword: changed})

    def _apply(self, schema: Schema, marker: Marker) -> Schema:
        if not self._is_applicable(schema, marker):
            return schema
        applier = APPLIERS.get(marker.option.name)
        if applier is not None:
            return applier(schema, marker, self._context)
        if marker.option.keyword == VALIDATIONS:
            return self._apply_rules(schema, marker)
        value = self._values.convert(schema, marker)
        return schema if value is None else self._set_keyword(schema, marker, value)

    def _is_applicable(self, schema: Schema, marker: Marker) -> bool:
        option, value = marker.option, marker.value
        if option.types and not self._matches_type(schema, option.types):
            types = _NESTED_PREFIXES.get(option.types, " or ".join(option.types))
            problem = f'"{marker.name}" applies to {types}, not to {describe_type(schema)}'
            self._report("marker-type", problem, marker, self._suggest_steps(schema, marker))
            return False
        if option.values and value not in option.values:
            values = ", ".join(f'"{name}"' for name in option.values if name)
            hint = suggest(str(value), option.values) or "set one of these values, or remove the marker"
            problem = f'invalid value "{value}" for "{marker.name}": possible values are {values}'
            self._report("marker-value", problem, marker, hint)
            return False
        return True

    def _suggest_steps(self, schema: Schema, marker: Marker) -> str:
        """Return a hint for a marker that applies to the items of a list or the values of a map; else empty."""
        for step, (keyword, _) in _KEYWORDS.items():
            child = schema.get(keyword)
            if isinstance(child, Schema) and self._matches_type(child, marker.option.types):
                return f'to mark its {step}, write "{_format_nested(marker, step)}"'
        return ""

    def _set_keyword(self, schema: Schema, marker: Marker, value: Any) -> Schema:
        """Set the keyword, or remove it if the value is false or an empty string."""
        keyword = marker.option.keyword
        if keyword == LIST_MAP_KEYS:
            return self._set_map_keys(schema, marker, value)
        if not value and marker.option.kind in ("bool", "string") and not marker.option.json:
            return schema.with_keywords({keyword: None}, marker.at) if keyword in schema else schema
        if keyword == "type" and value:
            schema = _change_type(schema, value)
        if keyword in _LIMITS and keyword in (schema.marks or ()) and schema.get(keyword) not in (None, value):
            return _combine_limits(schema, keyword, value, marker.at)
        if keyword == "enum":
            return self._filter_values(schema, marker, value)
        if keyword == "anyOf" and schema.get(INT_OR_STRING):  # its types already are an anyOf
            keyword, value = "allOf", [Schema({keyword: value})]
        if keyword == "allOf":  # before the limits that `_combine_limits` writes at the end
            return schema.with_keywords({keyword: [*value, *(schema.get(keyword) or ())]})
        return schema.with_keywords({keyword: value}, marker.at)

    def _set_map_keys(self, schema: Schema, marker: Marker, keys: list[str]) -> Schema:
        if schema.get(LIST_TYPE) != "map":
            list_type = schema.get(LIST_TYPE) or "none"
            problem = f'"{marker.name}" applies to lists of list_type map, but the list_type is {list_type}'
            self._report("marker-type", problem, marker)
            return schema
        if marker.foreign and self._report_dropped_rule(_find_key_problem(schema, keys), marker):
            return schema.with_keywords({LIST_TYPE: None})
        value = self._check_map_keys(schema, marker, keys)
        return schema.with_keywords({LIST_MAP_KEYS: value}, marker.at) if value else schema

    def _filter_values(self, schema: Schema, marker: Marker, values: list[Any]) -> Schema:
        """Set the enum to the values that are not hidden and exist in the version and channel of the schema."""
        enum_type = (schema.facts or {}).get(TYPE)
        hidden = (
            [*enum_type.hidden, *_find_hidden_numbers(enum_type)] if enum_type is not None else []
        )  # values may be objects
        visible = [value for value in values if value not in hidden]
        if not visible:
            listed = ", ".join([f'"{value}"' for value in values])
            problem = f'"{marker.name}" lists no value of this version and channel: {listed}'
            self._report("marker-contradiction", problem, marker, "give the field the range or channel of its values")
            return schema
        if "nullable" in schema and "nullable" not in (schema.marks or ()):
            # A wrapper message: API servers reject null for an enum, and drop it if the field is not nullable.
            schema = schema.with_keywords({"nullable": None})
        return schema.with_keywords({"enum": visible}, marker.at)

    @staticmethod
    def _matches_type(schema: Schema, types: tuple[str, ...]) -> bool:
        if schema.get(INT_OR_STRING) is True and (types == _TEXTUAL or (types == _NUMERIC and not schema.type)):
            return True
        return schema.type in types

    def _check_map_keys(self, schema: Schema, marker: Marker, keys: list[str]) -> list[str]:
        properties = schema.items.properties if schema.items else {}
        for key in keys:
            if key not in properties:
                problem = f'"{marker.name}" names "{key}", which is not a field of the items'
                hint = self._context.describe_absence(properties, key) or self._problems.suggest(key, properties)
                self._report("marker-field", problem, marker, hint)
        return list(dict.fromkeys([*(schema.get(LIST_MAP_KEYS) or ()), *keys]))

    def _apply_rules(self, schema: Schema, marker: Marker) -> Schema:
        values = marker.value
        if marker.foreign and self._context.has_omissions:
            values = [reduced for value in values if (reduced := self._reduce_rule(schema, marker, value))]
        rules = tuple([rule for value in values if (rule := self._make_rule(schema, marker, value)) is not None])
        return schema.with_keywords({VALIDATIONS: (*schema.rules, *rules)}, marker.at)

    def _reduce_rule(self, schema: Schema, marker: Marker, value: Mapping[str, Any]) -> Mapping[str, Any] | None:
        """Return a rule of another vocabulary without the fields that this version omits, None if it is constant."""
        from protoc_gen_crd.markers.vocabularies.partial_messages import reduce_rule  # noqa: PLC0415 - few versions lack a field

        rule = reduce_rule(value["rule"], schema, self._context.get_omitted)
        if rule is False and value.get("reason") != "FieldValueRequired":
            self._report_dropped_rule("no object satisfies it in a version without these fields", marker)
        if isinstance(rule, bool):
            return None
        expression = value.get("message_expression", "")
        reduced = reduce_rule(expression, schema, self._context.get_omitted) if expression else ""
        return {**value, "rule": rule, **({"message_expression": reduced} if reduced else {})}

    def _can_compile(self, rule: str, schema: Schema, marker: Marker) -> bool:
        """Check whether API servers accept a rule translated from another tool's CEL."""
        from protoc_gen_crd.markers.vocabularies.translated_rule_check import find_rule_problem  # noqa: PLC0415 - few rules are translated

        return not self._report_dropped_rule(find_rule_problem(rule, schema), marker)

    def _check_message_expression(self, expression: str, schema: Schema, marker: Marker) -> str:
        """Return the message expression of a translated rule, empty if API servers reject it. The rule remains."""
        from protoc_gen_crd.markers.vocabularies.translated_rule_check import find_message_problem  # noqa: PLC0415 - few rules are translated

        fault = find_message_problem(expression, schema)
        return (
            ""
            if self._report_dropped_rule(fault and f"its message expression is omitted because {fault}", marker)
            else expression
        )

    def _report_dropped_rule(self, fault: str, marker: Marker) -> bool:
        if fault:
            problem = f"API servers cannot enforce {marker.text}: {fault}"
            self._report("vocabulary-unsupported", problem, marker)
        return bool(fault)

    def _make_rule(self, schema: Schema, marker: Marker, value: Mapping[str, Any]) -> ValidationRule | None:
        rule = value.get("rule", "")
        if not rule.strip():
            self._report("marker-value", f'"{marker.name}" has no rule', marker, "set the rule to a CEL expression")
            return None
        expanded = self._context.expand_macros(rule, marker, schema, one_line=not value.get("message"))
        expression = value.get("message_expression", "")
        expression = self._context.expand_macros(expression, marker, schema, one_line=True) if expression else ""
        if (
            expanded is None
            or expression is None
            or not self._is_valid_field_path(value.get("field_path", ""), schema, marker)
        ):
            return None
        if value.get("translated") and not self._can_compile(expanded, schema, marker):
            return None
        if value.get("translated") and expression:
            expression = self._check_message_expression(expression, schema, marker)
        reason = value.get("reason", "")
        if reason and reason not in _REASONS:
            problem = f'invalid reason "{reason}": possible values are {", ".join(_REASONS)}'
            at_key = marker.point_at_key("reason")
            self._report("marker-value", problem, at_key, suggest(reason, _REASONS) or _NO_REASON)
            return None
        channel = value.get("channel", "")
        if channel and not self._context.is_known_channel(
            channel, marker.point_at_key("channel").at, marker.owner, marker.excerpt
        ):
            return None
        return ValidationRule(
            expanded,
            value.get("message", ""),
            expression,
            reason or None,
            value.get("field_path", ""),
            value.get("optional_old_self"),
            marker.at,
            marker.foreign_option,
        )

    def _is_valid_field_path(self, path: str, schema: Schema, marker: Marker) -> bool:
        """Check that a fieldPath does not begin with a field of other versions. API servers check the rest."""
        name = path.removeprefix(".").partition(".")[0].partition("[")[0]
        hint = self._context.describe_absence(schema.properties, name) if name and name not in schema.properties else ""
        if hint:
            problem = f'fieldPath names "{name}", which is not a field of the schema'
            self._report("cel-field", problem, marker.point_at_key("field_path"), hint)
        return not hint

    def _report(self, rule: str, message: str, marker: Marker, hint: str = "") -> None:
        severity = Severity.WARNING if marker.foreign else None  # such an option must not make a CRD uninstallable
        path, excerpt = marker.owner, marker.excerpt
        self._problems.report(rule, message, marker.at, path=path, hint=hint, excerpt=excerpt, severity=severity)


_NO_REASON = "remove it: the default is FieldValueInvalid"
_REASONS = ("FieldValueDuplicate", "FieldValueForbidden", "FieldValueInvalid", "FieldValueRequired")


def _find_key_problem(schema: Schema, keys: list[str]) -> str:
    """Return why API servers reject fields of items as the keys of a list, empty if they accept them."""
    items = schema.items or Schema({})
    missing = next((key for key in keys if key not in items.properties), None)
    if missing is not None:
        return f'the items have no field "{missing}"'
    required = items.get("required") or ()
    unset = next((key for key in keys if key not in required and "default" not in items.properties[key]), None)
    return "" if unset is None else f'field "{unset}" of the items is neither required nor has a default'


def _format_nested(marker: Marker, step: str) -> str:
    """Return the spelling of a marker for the items or values of its element."""
    head = marker.text.partition("=")[0]
    if not marker.steps and head.startswith(_VALIDATION):
        return f"{_NESTING[step]}{head.removeprefix(_VALIDATION)}"
    path = ".".join((*marker.steps, step, marker.option.name))
    return f"+protoc-gen-crd:{path}" if head.startswith("+") else path


def _find_hidden_numbers(enum_type: NamedType) -> set[int]:
    """Return the numbers of an enum whose names are all hidden."""
    return {*enum_type.members.values()} - {
        number for name, number in enum_type.members.items() if name not in enum_type.hidden
    }


def _get_subschema(schema: Schema, steps: tuple[str, ...]) -> Schema:
    """Return the schema at a path, or the last schema on the path that exists."""
    for step in steps:
        child = schema.get(_KEYWORDS[step][0])
        schema = child if isinstance(child, Schema) else schema
    return schema


def _change_type(schema: Schema, new_type: str) -> Schema:
    """Return a schema without keywords of its proto type that do not apply to a new type. Markers are not removed."""
    derived = schema.keywords.keys() - (schema.marks or {}).keys()
    removed = [keyword for keyword in derived if new_type not in _TYPES.get(keyword, (new_type,))]
    if "format" in derived and schema.type != new_type and not {schema.type, new_type} <= {*_NUMERIC}:
        removed.append("format")
    return schema.with_keywords(dict.fromkeys(removed)) if removed else schema


def _combine_limits(schema: Schema, keyword: str, value: Any, mark: Place) -> Schema:
    """Combine a limit of the type with a limit of the field. Both apply, as with controller-gen.

    The last but one branch of allOf contains the limits of the type, the last branch those of the field.
    """
    branches = list(schema.get("allOf") or ())
    pair = branches[-2:] if "allOf" in (schema.marks or ()) else [Schema({}, schema.origin), Schema({}, mark)]
    combined = [
        branch.with_keywords({keyword: limit}) for branch, limit in zip(pair, (schema.get(keyword), value), strict=True)
    ]
    preceding = branches[:-2] if "allOf" in (schema.marks or ()) else branches
    return schema.with_keywords({keyword: None, "allOf": [*preceding, *combined]}, mark)
