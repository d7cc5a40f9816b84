"""Functions that apply markers with special behavior, one for each option. The builder sets keywords of the parent."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Any, Protocol, cast

from protoc_gen_crd.base.suggestions import suggest
from protoc_gen_crd.findings.finding import Excerpt, Place, Problems
from protoc_gen_crd.markers.keyword_values import describe_type
from protoc_gen_crd.markers.marker import Marker
from protoc_gen_crd.schema.cel_names import escape_cel_name, is_selectable
from protoc_gen_crd.schema.schema import (
    CHANNEL,
    CONVERSION,
    INT_OR_STRING,
    NAMES,
    PLURAL_OF,
    PRESERVE,
    REQUIRED,
    VALIDATIONS,
    Schema,
    ValidationRule,
)

DURATION = "duration"  # the format of google.protobuf.Duration


class MarkerContext(Protocol):
    """The part of a run that markers use."""

    problems: Problems
    converts: bool  # a field has conversion options
    group_options: list[Marker]  # options of messages of gRPC API groups

    def expand_macros(self, rule: str, marker: Marker, schema: Schema, *, one_line: bool) -> str | None:
        """Return a CEL rule with our macros expanded; None, with a finding, if it cannot be parsed."""

    def omit_properties(self, properties: Mapping[str, Schema], ranges: Mapping[str, str]) -> None:
        """Record fields that the current version does not have, with their ranges."""

    def is_known_channel(self, channel: str, at: Place, owner: str, excerpt: Excerpt | None) -> bool:
        """Check whether a release channel exists, and report it if not."""

    def choose_later_channel(self, channel: str, other: str) -> str:
        """Return the later one of two release channels."""

    @property
    def has_omissions(self) -> bool:
        """True if a version or channel generated so far lacks a field."""

    def get_omitted(self, properties: Mapping[str, Schema]) -> Collection[str]:
        """Return the fields that the current version omits from these properties."""

    def describe_absence(self, properties: Mapping[str, Schema], name: str) -> str:
        """Return a hint for a field that only other versions have."""


_ABSOLUTE = "[A-Za-z][A-Za-z0-9+.-]*:|/"

MarkerFunction = Callable[[Schema, Marker, MarkerContext], Schema]


def apply_int_or_string(schema: Schema, marker: Marker, context: MarkerContext) -> Schema:
    """Replace type, format and preserved unknown fields by an integer or a string."""
    if not marker.value:
        return schema
    if "items" in schema or "additionalProperties" in schema:
        types = "lists" if "items" in schema else "maps"
        problem = f'"{marker.name}" applies to numbers and strings, not to {types}'
        _report(
            context,
            "marker-type",
            problem,
            marker,
            "to mark the items or values, write items. or values. before the option",
        )
        return schema
    either = [Schema({"type": "integer"}, schema.origin), Schema({"type": "string"}, schema.origin)]
    dropped = {keyword: None for keyword in ("type", "format", PRESERVE) if keyword in schema}
    return schema.with_keywords({**dropped, "anyOf": either, INT_OR_STRING: True}, marker.at)


def apply_opaque(schema: Schema, marker: Marker, _: MarkerContext) -> Schema:
    """Apply `opaque`: an object without known fields. The builder has already omitted its fields."""
    if not marker.value:
        return schema
    description = {"description": schema.get("description")} if "description" in schema else {}
    return Schema({**description, "type": "object", PRESERVE: True}, schema.origin, {PRESERVE: marker.at})


def apply_no_duration_check(schema: Schema, marker: Marker, context: MarkerContext) -> Schema:
    """Remove the format of a duration, or of a list or map of durations."""
    if not marker.value:
        return schema
    for keyword in ("items", "additionalProperties"):
        child = schema.get(keyword)
        if isinstance(child, Schema):
            return schema.with_keywords({keyword: apply_no_duration_check(child, marker, context)})
    if schema.get("format") == DURATION:
        return schema.with_keywords({"format": None})
    _report(context, "marker-type", f'"{marker.name}" applies to durations, not to {describe_type(schema)}', marker)
    return schema


def apply_ignore_rules(schema: Schema, marker: Marker, context: MarkerContext) -> Schema:
    """Remove the rules with these messages from the schema and its children."""
    removed: set[str] = set()
    changed = remove_rules(schema, frozenset(marker.value), removed)
    missing = [message for message in dict.fromkeys(marker.value) if message not in removed]
    messages = _list_messages(schema) if missing else set()
    for message in missing:
        problem = f'"{marker.name}" lists "{message}", but no rule below has this message'
        hint = context.problems.suggest(message, messages) or _suggest_duration_rule(schema)
        _report(context, "marker-value", problem, marker, hint)
    return changed


def _suggest_duration_rule(schema: Schema) -> str:
    """Return a hint about the rule that Istio's generator adds to durations; empty without durations."""
    if not any(node.get("format") == DURATION for node in _walk_schemas(schema)):
        return ""
    return 'durations have a format and no rule: "+protoc-gen-crd:duration-validation:none" removes the format'


def _walk_schemas(schema: Schema) -> Iterator[Schema]:
    yield schema
    for _, child in schema.iterate_children():
        yield from _walk_schemas(child)


def _list_messages(schema: Schema) -> set[str]:
    return {rule.message for node in _walk_schemas(schema) for rule in node.rules}


def remove_rules(schema: Schema, messages: frozenset[str], removed: set[str]) -> Schema:
    """Return the schema without the rules with these messages; add the messages of removed rules to `removed`."""
    changes: dict[str, object] = {}
    remaining = tuple([rule for rule in schema.rules if rule.message not in messages])
    if len(remaining) < len(schema.rules):
        removed.update(rule.message for rule in schema.rules if rule.message in messages)
        changes[VALIDATIONS] = remaining or None
    for keyword in ("items", "additionalProperties"):
        child = schema.get(keyword)
        if isinstance(child, Schema) and (reduced := remove_rules(child, messages, removed)) is not child:
            changes[keyword] = reduced
    properties = {name: remove_rules(child, messages, removed) for name, child in schema.properties.items()}
    if any(properties[name] is not child for name, child in schema.properties.items()):
        changes["properties"] = properties
    return schema.with_keywords(changes) if changes else schema


def apply_immutable(schema: Schema, marker: Marker, _: MarkerContext) -> Schema:
    """Forbid changes of the value. The builder adds a rule to the parent that forbids its removal."""
    if not marker.value:
        return schema
    rule = ValidationRule("self == oldSelf", "field is immutable", origin=marker.at, option=marker.foreign_option)
    return schema.with_keywords({VALIDATIONS: (*schema.rules, rule)}, marker.at)


def apply_channel(schema: Schema, marker: Marker, context: MarkerContext) -> Schema:
    """Record the channel as a fact of the schema. A later channel of its type takes precedence."""
    if not context.is_known_channel(marker.value, marker.at, marker.owner, marker.excerpt):
        return schema
    channel = marker.value
    for type_channel in _list_channels(schema):
        channel = context.choose_later_channel(channel, type_channel)
    if channel != marker.value:
        problem = f'release channel "{marker.value}" has no effect: its type is in the less stable channel "{channel}"'
        _report(
            context,
            "channel-earlier",
            problem,
            marker,
            "remove the channel of the field, or that of the type",
        )
    return schema.with_facts({CHANNEL: channel})


def _list_channels(schema: Schema) -> Iterator[str]:
    """List the channels of the type of a field, or of its items or values."""
    yield from filter(None, [(schema.facts or {}).get(CHANNEL, "")])
    for child in (schema.items, schema.additional):
        if isinstance(child, Schema):
            yield from _list_channels(child)


def apply_conversion(schema: Schema, marker: Marker, context: MarkerContext) -> Schema:
    """Record the values of the option, their place, and the field as a fact of the schema."""
    context.converts = True
    entries = (schema.facts or {}).get(CONVERSION, ())
    return schema.with_facts({CONVERSION: (*entries, *((values, marker.at, marker.owner) for values in marker.value))})


def apply_group_option(schema: Schema, marker: Marker, context: MarkerContext) -> Schema:
    """Record an option of messages of gRPC API groups, which has no effect on a schema."""
    context.group_options.append(marker)
    return schema


def apply_plural_of(schema: Schema, marker: Marker, context: MarkerContext) -> Schema:
    """Record the singular field, the place, and the list as a fact of the schema. The builder adds the rule."""
    context.converts = True
    return schema.with_facts({PLURAL_OF: (marker.value, marker.at, marker.owner)})


_LEAST = {"string": "minLength", "array": "minItems", "object": "minProperties"}


def apply_non_empty(schema: Schema, marker: Marker, _: MarkerContext) -> Schema:
    """Require one character, item or property, unless a limit is set. The builder makes the field required."""
    keyword = _LEAST.get(schema.type)
    if not marker.value or keyword is None or keyword in schema:
        return schema
    return schema.with_keywords({keyword: 1}, marker.at)


def apply_external_docs(schema: Schema, marker: Marker, context: MarkerContext) -> Schema:
    """Set `externalDocs`. The URL is absolute, as controller-gen requires."""
    url = marker.value.get("url", "")
    if not re.match(_ABSOLUTE, url):
        problem = f'url "{url}" of "{marker.name}" has no scheme and does not start with "/"'
        _report(context, "marker-value", problem, marker, 'write an absolute URL, such as "https://example.com/docs"')
        return schema
    return schema.with_keywords({"externalDocs": marker.value}, marker.at)


def apply_keywords(schema: Schema, marker: Marker, context: MarkerContext) -> Schema:
    """Set keywords from JSON. Null removes a keyword."""
    from protoc_gen_crd.base.bounded_json import parse_json  # noqa: PLC0415 - few elements have this option
    from protoc_gen_crd.schema.go_type_decoder import format_path  # noqa: PLC0415
    from protoc_gen_crd.schema.schema_decoder import PROPS, STRUCTS, make_decoder  # noqa: PLC0415

    try:
        plain = parse_json(marker.value)
    except ValueError as error:
        _report(context, "marker-value", f'"{marker.name}" is not valid JSON: {error}', marker, _KEYWORDS_HINT)
        return schema
    decoder = make_decoder()
    decoded = decoder.decode(plain, PROPS) if isinstance(plain, dict) else None
    if decoder.misfit is not None or decoded is None:
        fault = decoder.misfit.format_message(inner=True) if decoder.misfit else "not a JSON object"
        _report(context, "marker-value", f'invalid value for "{marker.name}": {fault}', marker, _KEYWORDS_HINT)
        return schema
    for path, struct in (decoder.unknown | decoder.unreported).items():
        problem = f'unknown schema keyword "{format_path(path)}" in "{marker.name}"'
        _report(context, "marker-value", problem, marker, suggest(str(path[-1]), STRUCTS[struct]))
    removed = {keyword: None for keyword, value in plain.items() if value is None and keyword in schema}
    return schema.with_keywords({**decoded.keywords, **removed}, marker.at)


_KEYWORDS_HINT = 'write a JSON object of keywords, such as {"oneOf": [{"required": ["a"]}, {"required": ["b"]}]}'


def _report(context: MarkerContext, rule: str, problem: str, marker: Marker, hint: str = "") -> None:
    context.problems.report(rule, problem, marker.at, path=marker.owner, hint=hint, excerpt=marker.excerpt)


def _count_fields(names: list[str], comparison: str) -> str:
    return "+".join(f"({name}?1:0)" for name in names) + f" {comparison}"


def make_count_rule_0_20(fields: list[str], comparison: str, message: str) -> ValidationRule:
    """Return the rule as controller-tools v0.20.1 writes it."""
    present = ",".join(f"has(self.{name})" for name in fields)
    return ValidationRule(f"[{present}].filter(x,x==true).size() {comparison}", message.format(f"[{' '.join(fields)}]"))


def _make_one_of_applier(message_format: str, rule: Callable[[list[str]], str]) -> MarkerFunction:
    def apply(schema: Schema, marker: Marker, context: MarkerContext) -> Schema:
        rules = []
        for listed in (entry.get("fields", ()) for entry in marker.value):
            fields = listed
            if marker.foreign:  # an option without ranges: fields that the version does not have are never set
                fields = [name for name in listed if name not in context.get_omitted(schema.properties)]
            if len(fields) < len(listed) and len(fields) <= (marker.option.name == "at_most_one_of"):
                continue
            if not fields:
                problem = f'"{marker.name}" names no fields'
                _report(context, "marker-value", problem, marker, "name the fields of the message, or remove it")
            elif _check_fields(schema, fields, marker, context):
                names = [name for field in fields for name in _list_names(schema, field)]
                message = message_format.format(f"[{' '.join(names)}]")
                expression = rule([f"has(self.{escape_cel_name(name)})" for name in names])
                rules.append(ValidationRule(expression, message, origin=marker.at, option=marker.foreign_option))
        return schema.with_keywords({VALIDATIONS: (*schema.rules, *rules)}, marker.at) if rules else schema

    return apply


def _get_facts(schema: Schema, field: str) -> Mapping[str, Any]:
    child = schema.properties.get(field)
    return (child.facts or {}) if child else {}


def _list_names(schema: Schema, field: str) -> tuple[str, ...]:
    """Return the names of a field. Each of them sets it."""
    return cast("tuple[str, ...]", _get_facts(schema, field).get(NAMES, (field,)))


def _check_fields(schema: Schema, fields: list[str], marker: Marker, context: MarkerContext) -> bool:
    """Check whether a rule can count all these fields, and report those that it cannot count."""
    good = True
    first_fields: dict[str, str] = {}
    for name in fields:
        names = _list_names(schema, name)
        first = next((first_fields[field_name] for field_name in names if field_name in first_fields), "")
        first_fields |= dict.fromkeys(names, name)
        if first:
            again = "twice" if first == name else f'again as "{name}"'
            fault = "marker-repeated", f'names field "{first}" {again}', ""
        else:
            fault = _find_field_problem(schema, name, marker, context, alone=len(fields) == 1)
        rule, problem, hint = fault
        good = good and rule in ("", _RULE)
        if rule:
            _report(context, rule, f'"{marker.name}" {problem}', marker, hint)
    return good


_RULE = "marker-contradiction"


def _find_field_problem(
    schema: Schema, name: str, marker: Marker, context: MarkerContext, *, alone: bool
) -> tuple[str, str, str]:
    """Return why a rule cannot count a field: rule id, problem, and hint; all empty if it can."""
    if name not in schema.properties:
        hint = context.describe_absence(schema.properties, name) or context.problems.suggest(name, schema.properties)
        return "marker-field", f'names "{name}", which is not a field of the object', hint
    if unselectable := next(
        (field_name for field_name in _list_names(schema, name) if not is_selectable(field_name)), ""
    ):
        return "marker-field", f'names "{unselectable}", which CEL cannot select', ""
    if name in (schema.get("required") or ()) or _get_facts(schema, name).get(REQUIRED):
        return _RULE, f'names "{name}", which is required', ""
    if marker.option.name != "at_least_one_of" and "default" in schema.properties[name] and not alone:
        return _RULE, f'names "{name}", which has a default and is always set', ""
    return "", "", ""


APPLIERS: Mapping[str, MarkerFunction] = {
    "at_least_one_of": _make_one_of_applier("at least one of the fields in {} must be set", "||".join),
    "at_most_one_of": _make_one_of_applier(
        "at most one of the fields in {} may be set", lambda names: _count_fields(names, "<= 1")
    ),
    "exactly_one_of": _make_one_of_applier(
        "exactly one of the fields in {} must be set", lambda names: _count_fields(names, "== 1")
    ),
    "channel": apply_channel,
    "conversion": apply_conversion,
    "external_docs": apply_external_docs,
    "gone": apply_group_option,
    "ignore_rules": apply_ignore_rules,
    "immutable": apply_immutable,
    "int_or_string": apply_int_or_string,
    "keywords": apply_keywords,
    "no_duration_check": apply_no_duration_check,
    "non_empty": apply_non_empty,
    "opaque": apply_opaque,
    "plural_of": apply_plural_of,
    "type_conversion": apply_group_option,
}

# Options that affect the object around the field, which the builder reads.
BUILDERS = frozenset(["alt_name", "during", "required", "schemaless", "since", "skip", "until"])
