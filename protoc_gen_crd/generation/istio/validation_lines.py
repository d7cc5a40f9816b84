"""Application of validation lines as in the Go plugin: by substring, in source order, as controller-tools v0.20.1."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from protoc_gen_crd.findings.finding import Excerpt
from protoc_gen_crd.generation.istio.failure_reporter import FailureReporter, PluginStopError
from protoc_gen_crd.generation.istio.istio_descriptions import get_comment
from protoc_gen_crd.generation.run_context import RunContext
from protoc_gen_crd.golang.fmt import quote
from protoc_gen_crd.golang.whitespace import trim_space
from protoc_gen_crd.markers.marker_aliases import ALIASES, Alias
from protoc_gen_crd.markers.marker_argument_parser import CT_0_20, parse_marker, split_names
from protoc_gen_crd.markers.marker_behavior import make_count_rule_0_20, remove_rules
from protoc_gen_crd.proto.element_model import Element
from protoc_gen_crd.proto.source_locations import CommentPlace
from protoc_gen_crd.schema.schema import (
    INT_OR_STRING,
    LIST_MAP_KEYS,
    LIST_TYPE,
    MAP_TYPE,
    VALIDATIONS,
    Schema,
    ValidationRule,
)

KeywordApplier = Callable[[Schema, Any], Schema]

ALT_NAME = "+kubebuilder:altName="
SIGNS = ("+kubebuilder:validation:", "+list", "+protoc-gen-crd:")
_OWN = "+protoc-gen-crd:"
_NESTED = {
    "+protoc-gen-crd:map-value-validation:": ("additionalProperties", "a map"),
    "+protoc-gen-crd:list-value-validation:": ("items", "a list"),
}
_INT_OR_STRING_MARKER = "+protoc-gen-crd:validation:XIntOrString"
_REASONS = ("FieldValueDuplicate", "FieldValueForbidden", "FieldValueInvalid", "FieldValueRequired")
_INT_OR_STRING_BRANCHES = [Schema({"type": "integer"}), Schema({"type": "string"})]


class LineApplier:
    """Applies the lines of a comment to a schema."""

    def __init__(self, failures: FailureReporter, context: RunContext) -> None:
        self._failures = failures
        self._context = context
        # Shortcut parsed-markers: the function and the value of a valid marker are a function of its line and target.
        self._memo: dict[tuple[str, str], tuple[KeywordApplier, Any]] = {}

    def apply(self, schema: Schema, element: Element, target: str) -> Schema:
        """Return the schema with every line of the element's comment applied in source order. `target` is F or T."""
        if "+" not in element.comment:
            return schema
        comment = get_comment(element)
        start = comment.rfind("\n", 0, comment.find("+")) + 1
        for index, line in enumerate(comment[start:].split("\n")):
            if "+" not in line:
                continue
            text = trim_space(line)
            if not text.startswith(SIGNS) and not any(sign in text for sign in SIGNS):
                continue
            if "+protoc-gen-crd:duration-validation:none" in text:
                return schema.with_keywords({VALIDATIONS: None}) if VALIDATIONS in schema else schema
            try:
                schema = self._apply_line(schema, text, target)
            except PluginStopError as stop:
                number = comment.count("\n", 0, start) + index
                at = CommentPlace(element.at, number, line.find(text), text)
                self._failures.report(str(stop), at, path=element.full_name, excerpt=Excerpt(text))
        return schema

    def _apply_line(self, schema: Schema, line: str, target: str) -> Schema:
        if line.startswith(_OWN):
            return self._apply_own(schema, line, target)
        return self._apply_registered(schema, line, target)

    def _apply_own(self, schema: Schema, line: str, target: str) -> Schema:
        """Apply a marker of the Go plugin, which is not in the registry."""
        for prefix, (keyword, type_name) in _NESTED.items():
            if line.startswith(prefix):
                child = schema.get(keyword)
                if not isinstance(child, Schema):
                    raise PluginStopError(f"{line} on something that is not {type_name}")
                nested = "+kubebuilder:validation:" + line[len(prefix) :]
                return schema.with_keywords({keyword: self._apply_registered(child, nested, target)})
        if line.startswith("+protoc-gen-crd:validation:IgnoreSubValidation:"):
            return self._apply_ignore(schema, line)
        if line.startswith(_INT_OR_STRING_MARKER):
            cleared = {keyword: None for keyword in ("type", "format") if keyword in schema}
            schema = schema.with_keywords({**cleared, "anyOf": _INT_OR_STRING_BRANCHES})
            line = f"+kubebuilder:validation:XIntOrString{line[len(_INT_OR_STRING_MARKER) :]}"
        return self._apply_registered(schema, line, target)

    @staticmethod
    def _apply_ignore(schema: Schema, line: str) -> Schema:
        from protoc_gen_crd.base.json_strings import parse_strings  # noqa: PLC0415 - a rare marker

        try:
            messages = parse_strings(line.split("IgnoreSubValidation:", 1)[1])
        except ValueError:
            raise PluginStopError(f"{line}, which is not a JSON list of strings") from None
        if messages is None:
            messages = []
        if not isinstance(messages, list) or not all(isinstance(message, str | None) for message in messages):
            raise PluginStopError(f"{line}, which is not a JSON list of strings")
        return remove_rules(schema, frozenset(message or "" for message in messages), set())

    def _expand_rule(self, line: str) -> str:
        """Return the line with its rule expanded and quoted. The rule is at the end, between two quotes."""
        head, separator, rule = line.partition(",rule=")
        if not separator:
            raise PluginStopError(f"{line}, which has no ,rule=")
        if len(rule) < 2:
            raise PluginStopError(f"a rule without quotes in {line}")
        if not (rule[0].isascii() and rule[-1].isascii()):
            raise PluginStopError(f"a rule between quotes that are not ASCII characters in {line}")
        expanded = self._context.preprocess(rule[1:-1])
        if not isinstance(expanded, str):
            raise PluginStopError(f"a rule that is invalid CEL: {expanded.issues[0].message}: {rule[1:-1]}")
        return f"{head},rule={quote(expanded)}"

    def _apply_registered(self, schema: Schema, line: str, target: str) -> Schema:
        parsed = self._memo.get((line, target))
        if parsed is None:
            expanded = self._expand_rule(line) if "+kubebuilder:validation:XValidation:" in line else line
            parsed = self._memo[line, target] = _parse_registered(expanded, target)
        apply, value = parsed
        return apply(schema, value)


def _parse_registered(line: str, target: str) -> tuple[KeywordApplier, Any]:
    """Return the function that applies a marker of the registry, and the value of the marker."""
    names = split_names(line[1:])
    alias = _find_alias(names.anonymous, target) or _find_alias(names.name, target)
    if alias is None:
        raise PluginStopError(f"the unknown validation {line}")
    parsed = parse_marker(line[1 + len(alias.name) :], alias.definition, CT_0_20)
    if parsed.errors:
        raise PluginStopError(f"{line}: {parsed.errors[0].message}")
    apply = _APPLIERS.get(alias.option.rpartition(".")[2])
    if apply is None:
        raise PluginStopError(f"{alias.name} (it crashes)")
    return apply, alias.value(parsed.values)


def _find_alias(name: str, target: str) -> Alias | None:
    """Return a marker of the registry of v0.20.1, None if there is none."""
    return None if name.startswith("k8s:") else ALIASES.get((name, target))


def _set_keyword(schema: Schema, keyword: str, value: Any) -> Schema:
    """Set a keyword, or remove it for an empty string or false, which Go omits from JSON."""
    if value is not False and value != "":
        return schema.with_keywords({keyword: value})
    return schema.with_keywords({keyword: None}) if keyword in schema else schema


def _make_conditional_applier(is_applicable: Callable[[Schema], bool], problem: str, keyword: str) -> KeywordApplier:
    def apply(schema: Schema, value: Any) -> Schema:
        if not is_applicable(schema):
            raise PluginStopError(problem.format(schema.type))
        return _set_keyword(schema, keyword, value)

    return apply


def _make_numeric_applier(keyword: str) -> KeywordApplier:
    def apply(schema: Schema, value: Any) -> Schema:
        if schema.type not in ("integer", "number"):
            raise PluginStopError(f"{keyword} on a value of type {schema.type or 'none'}")
        if schema.type == "integer" and isinstance(value, float) and not value.is_integer():
            raise PluginStopError(f"the fractional {keyword} {value} on an integer")
        return _set_keyword(schema, keyword, value)

    return apply


def _make_string_applier(keyword: str) -> KeywordApplier:
    return _make_conditional_applier(
        lambda s: s.type == "string" or bool(s.get(INT_OR_STRING)), f"{keyword} on a value of type {{}}", keyword
    )


def _make_typed_applier(kind: str, keyword: str) -> KeywordApplier:
    return _make_conditional_applier(lambda schema: schema.type == kind, f"{keyword} on a value of type {{}}", keyword)


def _make_keyword_setter(keyword: str) -> KeywordApplier:
    return lambda schema, value: _set_keyword(schema, keyword, value)


def _apply_default(schema: Schema, value: Any) -> Schema:
    empty = value == {} and schema.type == "array"
    return schema.with_keywords({"default": [] if empty else value}) if value is not None else schema


def _apply_title(schema: Schema, value: Any) -> Schema:
    if not isinstance(value, str):
        raise PluginStopError(f"the title {value}, which is not a string")
    return _set_keyword(schema, "title", value)


def _apply_map_type(schema: Schema, value: str) -> Schema:
    if schema.type != "object" or value not in ("atomic", "granular"):
        raise PluginStopError(f'the mapType "{value}" on a value of type {schema.type}')
    return schema.with_keywords({MAP_TYPE: value})


def _apply_enum(schema: Schema, value: list[Any] | None) -> Schema:
    return schema.with_keywords({"enum": value or []})


def _apply_list_type(schema: Schema, value: str) -> Schema:
    if schema.type != "array":
        raise PluginStopError(f"listType on a value of type {schema.type}")
    if value not in ("atomic", "map", "set"):
        raise PluginStopError(f'the listType "{value}"')
    return schema.with_keywords({LIST_TYPE: value})


def _apply_list_map_keys(schema: Schema, value: list[str]) -> Schema:
    if schema.type != "array":
        raise PluginStopError(f"listMapKey on a value of type {schema.type}")
    if schema.get(LIST_TYPE) != "map":
        raise PluginStopError("listMapKey without listType=map above it")
    return schema.with_keywords({LIST_MAP_KEYS: [*(schema.get(LIST_MAP_KEYS) or ()), *value]})


def _apply_validation(schema: Schema, value: list[Mapping[str, Any]]) -> Schema:
    rules = [ValidationRule(**entry) for entry in value]
    for rule in rules:
        if rule.reason and rule.reason not in _REASONS:
            raise PluginStopError(f'the reason "{rule.reason}"')
    return schema.with_keywords({VALIDATIONS: (*schema.rules, *rules)})


def _make_one_of_applier(comparison: str, message: str) -> KeywordApplier:
    def apply(schema: Schema, value: list[Mapping[str, list[str]]]) -> Schema:
        rules = [make_count_rule_0_20(entry["fields"], comparison, message) for entry in value if entry["fields"]]
        return schema.with_keywords({VALIDATIONS: (*schema.rules, *rules)}) if rules else schema

    return apply


_APPLIERS: Mapping[str, KeywordApplier] = {
    "at_least_one_of": _make_one_of_applier(">= 1", "at least one of the fields in {} must be set"),
    "at_most_one_of": _make_one_of_applier("<= 1", "at most one of the fields in {} may be set"),
    "default": _apply_default,
    "embedded_resource": _make_keyword_setter("x-kubernetes-embedded-resource"),
    "enum": _apply_enum,
    "example": _make_keyword_setter("example"),
    "exactly_one_of": _make_one_of_applier("== 1", "exactly one of the fields in {} must be set"),
    "exclusive_maximum": _make_numeric_applier("exclusiveMaximum"),
    "exclusive_minimum": _make_numeric_applier("exclusiveMinimum"),
    "format": _make_keyword_setter("format"),
    "int_or_string_flag": _make_keyword_setter(INT_OR_STRING),
    "list_map_keys": _apply_list_map_keys,
    "list_type": _apply_list_type,
    "map_type": _apply_map_type,
    "max_items": _make_typed_applier("array", "maxItems"),
    "max_length": _make_string_applier("maxLength"),
    "max_properties": _make_typed_applier("object", "maxProperties"),
    "maximum": _make_numeric_applier("maximum"),
    "min_items": _make_typed_applier("array", "minItems"),
    "min_length": _make_string_applier("minLength"),
    "min_properties": _make_typed_applier("object", "minProperties"),
    "minimum": _make_numeric_applier("minimum"),
    "multiple_of": _make_numeric_applier("multipleOf"),
    "nullable": _make_keyword_setter("nullable"),
    "pattern": _make_string_applier("pattern"),
    "preserve_unknown_fields": _make_keyword_setter("x-kubernetes-preserve-unknown-fields"),
    "rules": _apply_validation,
    "title": _apply_title,
    "type": _make_keyword_setter("type"),
    "unique_items": _make_typed_applier("array", "uniqueItems"),
}
