"""Validation lines as the Go plugin reads them: by substring, in source order, by controller-tools v0.20.1."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from protoc_gen_crd.base.diagnostics import Excerpt
from protoc_gen_crd.base.gotext import quote
from protoc_gen_crd.build.context import RunContext
from protoc_gen_crd.build.istio.describe import comment_of
from protoc_gen_crd.build.istio.gotexts import trim_space
from protoc_gen_crd.build.istio.refuse import Refusals, StopError
from protoc_gen_crd.markers.aliases import ALIASES, Alias
from protoc_gen_crd.markers.grammar import CT_0_20, Parsed, parse, split
from protoc_gen_crd.markers.special import counted_020, without_rules
from protoc_gen_crd.proto.locations import CommentPlace
from protoc_gen_crd.proto.model import Element
from protoc_gen_crd.schema.types import INT_OR_STRING, LIST_MAP_KEYS, LIST_TYPE, MAP_TYPE, VALIDATIONS, Rule, Schema

ALT_NAME = "+kubebuilder:altName="
SIGNS = ("+kubebuilder:validation:", "+list", "+protoc-gen-crd:")
_NESTED = {
    "+protoc-gen-crd:map-value-validation:": ("additionalProperties", "a map"),
    "+protoc-gen-crd:list-value-validation:": ("items", "a list"),
}
_EITHER_MARKER = "+protoc-gen-crd:validation:XIntOrString"
_REASONS = ("FieldValueDuplicate", "FieldValueForbidden", "FieldValueInvalid", "FieldValueRequired")
_EITHER = [Schema({"type": "integer"}), Schema({"type": "string"})]


class LineApplier:
    """Applies the lines of one comment to a schema."""

    def __init__(self, refusals: Refusals, context: RunContext) -> None:
        self._refusals = refusals
        self._context = context
        self._memo: dict[tuple[str, str], Parsed] = {}

    def apply(self, schema: Schema, element: Element, target: str) -> Schema:
        """The schema with every line of the element's comment applied, in source order."""
        if "+" not in element.comment:
            return schema
        for number, line in enumerate(comment_of(element).split("\n")):
            if "+" not in line or not any(sign in line for sign in SIGNS):
                continue
            text = trim_space(line)
            if "+protoc-gen-crd:duration-validation:none" in text:
                return schema.having({VALIDATIONS: None}) if VALIDATIONS in schema else schema
            try:
                schema = self._line(schema, text, target)
            except StopError as stop:
                at = CommentPlace(element.at, number, line.find(text), text)
                self._refusals.add(str(stop), at, path=element.full_name, excerpt=Excerpt(text))
        return schema

    def _line(self, schema: Schema, text: str, target: str) -> Schema:
        for prefix, (keyword, what) in _NESTED.items():
            if text.startswith(prefix):
                child = schema.get(keyword)
                if not isinstance(child, Schema):
                    raise StopError(f"{text} on something that is not {what}")
                rest = "+kubebuilder:validation:" + text[len(prefix) :]
                return schema.having({keyword: self._marker(child, rest, target)})
        return self._marker(schema, text, target)

    def _marker(self, schema: Schema, text: str, target: str) -> Schema:
        if text.startswith(_EITHER_MARKER):
            cleared = {keyword: None for keyword in ("type", "format") if keyword in schema}
            schema = schema.having({**cleared, "anyOf": _EITHER})
            text = f"+kubebuilder:validation:XIntOrString{text[len(_EITHER_MARKER) :]}"
        if text.startswith("+protoc-gen-crd:validation:IgnoreSubValidation:"):
            return self._ignore(schema, text)
        if "+kubebuilder:validation:XValidation:" in text:
            text = self._rule(text)
        return self._registered(schema, text, target)

    @staticmethod
    def _ignore(schema: Schema, text: str) -> Schema:
        from protoc_gen_crd.base import jsontext  # noqa: PLC0415 - a rare marker

        try:
            messages = jsontext.loads(text.split("IgnoreSubValidation:", 1)[1])
        except ValueError:
            raise StopError(f"{text}, which holds no JSON list of texts") from None
        if messages is None:
            messages = []
        if not isinstance(messages, list) or not all(isinstance(message, str | None) for message in messages):
            raise StopError(f"{text}, which holds no JSON list of texts")
        return without_rules(schema, frozenset(message or "" for message in messages), set())

    def _rule(self, text: str) -> str:
        """The line with its rule expanded and quoted anew; the rule is what stands last, less its two quotes."""
        head, found, rule = text.partition(",rule=")
        if not found:
            raise StopError(f"no ,rule= in {text}")
        if len(rule) < 2:
            raise StopError(f"a rule without quotes in {text}")
        if not (rule[0].isascii() and rule[-1].isascii()):
            raise StopError(f"a rule between quotes that are no ASCII characters in {text}")
        printed = self._context.preprocess(rule[1:-1])
        if not isinstance(printed, str):
            raise StopError(f"a rule that is not CEL: {printed.issues[0].message}: {rule[1:-1]}")
        return f"{head},rule={quote(printed)}"

    def _registered(self, schema: Schema, text: str, target: str) -> Schema:
        names = split(text[1:])
        alias = _known(names.anonymous, target) or _known(names.name, target)
        if alias is None:
            raise StopError(f"the unknown validation {text}")
        rest = text[1 + len(alias.name) :]
        parsed = self._memo.get((alias.name, rest))
        if parsed is None:
            parsed = self._memo[alias.name, rest] = parse(rest, alias.form, CT_0_20)
        if parsed.errors:
            raise StopError(f"{text}, of which {parsed.errors[0].message}")
        apply = _APPLY.get(alias.option.rpartition(".")[2])
        if apply is None:
            raise StopError(f"{alias.name}, on which it crashes")
        return apply(schema, alias.value(parsed.values))


def _known(name: str, target: str) -> Alias | None:
    """A marker that the registry of v0.20.1 holds."""
    return None if name.startswith("k8s:") else ALIASES.get((name, target))


Apply = Callable[[Schema, Any], Schema]


def _with(schema: Schema, keyword: str, value: Any) -> Schema:
    """The keyword set, or taken away with an empty text or false, which Go leaves out of JSON."""
    if value is not False and value != "":
        return schema.having({keyword: value})
    return schema.having({keyword: None}) if keyword in schema else schema


def _demand(fits: Callable[[Schema], bool], problem: str, keyword: str) -> Apply:
    def apply(schema: Schema, value: Any) -> Schema:
        if not fits(schema):
            raise StopError(problem.format(schema.type))
        return _with(schema, keyword, value)

    return apply


def _numeric(keyword: str) -> Apply:
    def apply(schema: Schema, value: Any) -> Schema:
        if schema.type not in ("integer", "number"):
            raise StopError(f"{keyword} on a value of type {schema.type or 'none'}")
        if schema.type == "integer" and isinstance(value, float) and not value.is_integer():
            raise StopError(f"the fractional {keyword} {value} on an integer")
        return _with(schema, keyword, value)

    return apply


def _textual(keyword: str) -> Apply:
    return _demand(
        lambda s: s.type == "string" or bool(s.get(INT_OR_STRING)), f"{keyword} on a value of type {{}}", keyword
    )


def _typed(kind: str, keyword: str) -> Apply:
    return _demand(lambda schema: schema.type == kind, f"{keyword} on a value of type {{}}", keyword)


def _set(keyword: str) -> Apply:
    return lambda schema, value: _with(schema, keyword, value)


def _default(schema: Schema, value: Any) -> Schema:
    empty = value == {} and schema.type == "array"
    return schema.having({"default": [] if empty else value}) if value is not None else schema


def _title(schema: Schema, value: Any) -> Schema:
    if not isinstance(value, str):
        raise StopError(f"the title {value}, which is no text")
    return _with(schema, "title", value)


def _map_type(schema: Schema, value: str) -> Schema:
    if schema.type != "object" or value not in ("atomic", "granular"):
        raise StopError(f'the mapType "{value}" on a value of type {schema.type}')
    return schema.having({MAP_TYPE: value})


def _enum(schema: Schema, value: list[Any] | None) -> Schema:
    return schema.having({"enum": value or []})


def _list_type(schema: Schema, value: str) -> Schema:
    if schema.type != "array":
        raise StopError(f"listType on a value of type {schema.type}")
    if value not in ("atomic", "map", "set"):
        raise StopError(f'the listType "{value}"')
    return schema.having({LIST_TYPE: value})


def _map_key(schema: Schema, value: list[str]) -> Schema:
    if schema.type != "array":
        raise StopError(f"listMapKey on a value of type {schema.type}")
    if schema.get(LIST_TYPE) != "map":
        raise StopError("listMapKey without listType=map above it")
    return schema.having({LIST_MAP_KEYS: [*(schema.get(LIST_MAP_KEYS) or ()), *value]})


def _validation(schema: Schema, value: list[Mapping[str, Any]]) -> Schema:
    made = [Rule(**entry) for entry in value]
    for rule in made:
        if rule.reason and rule.reason not in _REASONS:
            raise StopError(f'the reason "{rule.reason}"')
    return schema.having({VALIDATIONS: (*schema.rules, *made)})


def _one_of(comparison: str, words: str) -> Apply:
    def apply(schema: Schema, value: list[Mapping[str, list[str]]]) -> Schema:
        rules = [counted_020(entry["fields"], comparison, words) for entry in value if entry["fields"]]
        return schema.having({VALIDATIONS: (*schema.rules, *rules)}) if rules else schema

    return apply


_APPLY: Mapping[str, Apply] = {
    "at_least_one_of": _one_of(">= 1", "at least one of the fields in {} must be set"),
    "at_most_one_of": _one_of("<= 1", "at most one of the fields in {} may be set"),
    "default": _default,
    "embedded_resource": _set("x-kubernetes-embedded-resource"),
    "enum": _enum,
    "example": _set("example"),
    "exactly_one_of": _one_of("== 1", "exactly one of the fields in {} must be set"),
    "exclusive_maximum": _numeric("exclusiveMaximum"),
    "exclusive_minimum": _numeric("exclusiveMinimum"),
    "format": _set("format"),
    "int_or_string_flag": _set(INT_OR_STRING),
    "list_map_keys": _map_key,
    "list_type": _list_type,
    "map_type": _map_type,
    "max_items": _typed("array", "maxItems"),
    "max_length": _textual("maxLength"),
    "max_properties": _typed("object", "maxProperties"),
    "maximum": _numeric("maximum"),
    "min_items": _typed("array", "minItems"),
    "min_length": _textual("minLength"),
    "min_properties": _typed("object", "minProperties"),
    "minimum": _numeric("minimum"),
    "multiple_of": _numeric("multipleOf"),
    "nullable": _set("nullable"),
    "pattern": _textual("pattern"),
    "preserve_unknown_fields": _set("x-kubernetes-preserve-unknown-fields"),
    "rules": _validation,
    "title": _title,
    "type": _set("type"),
    "unique_items": _typed("array", "uniqueItems"),
}
