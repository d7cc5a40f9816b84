"""Markers with behaviour, one function each, named after its option. What concerns the parent is the builder's."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Any, Protocol, cast

from protoc_gen_crd.base.diagnostics import Excerpt, Place, Problems
from protoc_gen_crd.markers.marker import Marker
from protoc_gen_crd.schema.celnames import cel_name, selectable
from protoc_gen_crd.schema.types import (
    CHANNEL,
    CONVERSION,
    INT_OR_STRING,
    NAMES,
    PRESERVE,
    REQUIRED,
    VALIDATIONS,
    Rule,
    Schema,
)

DURATION = "duration"  # the format that comes with google.protobuf.Duration


class Context(Protocol):
    """What markers need to know of the run."""

    problems: Problems
    converts: bool  # whether a field says anything of its conversion

    def expand(self, rule: str, marker: Marker, schema: Schema, *, one_line: bool) -> str | None:
        """A CEL rule with our macros expanded; None, with a finding, if it cannot be read."""

    def leave_out(self, properties: Mapping[str, Schema], ranges: Mapping[str, str]) -> None:
        """Remember fields that are not among the properties of the version being made, with their ranges."""

    def knows(self, channel: str, at: Place, owner: str, excerpt: Excerpt | None) -> bool:
        """Whether a release channel is one; if not, there is a finding."""

    def later(self, channel: str, other: str) -> str:
        """The later one of two release channels."""

    @property
    def leaves_out(self) -> bool:
        """Whether a version or channel made so far lacks a field."""

    def left_out(self, properties: Mapping[str, Schema]) -> Collection[str]:
        """The fields that are not among some properties in the version being made."""

    def absence(self, properties: Mapping[str, Schema], name: str) -> str:
        """A hint for a field that other versions have."""


_ABSOLUTE = "[A-Za-z][A-Za-z0-9+.-]*:|/"

Behaviour = Callable[[Schema, Marker, Context], Schema]


def int_or_string(schema: Schema, marker: Marker, context: Context) -> Schema:
    """Neither type nor format, nor unknown fields; integer or string."""
    if not marker.value:
        return schema
    if "items" in schema or "additionalProperties" in schema:
        what = "lists" if "items" in schema else "maps"
        problem = f'"{marker.name}" applies to values that are numbers or texts, found {what}'
        _report(context, "marker-type", problem, marker, "to mark what it holds, write items. or values. before it")
        return schema
    either = [Schema({"type": "integer"}, schema.origin), Schema({"type": "string"}, schema.origin)]
    dropped = {keyword: None for keyword in ("type", "format", PRESERVE) if keyword in schema}
    return schema.having({**dropped, "anyOf": either, INT_OR_STRING: True}, marker.at)


def opaque(schema: Schema, marker: Marker, _: Context) -> Schema:
    """An object of which nothing more is known. The builder has left its fields out, and sees to fields itself."""
    if not marker.value:
        return schema
    description = {"description": schema.get("description")} if "description" in schema else {}
    return Schema({**description, "type": "object", PRESERVE: True}, schema.origin, {PRESERVE: marker.at})


def no_duration_check(schema: Schema, marker: Marker, context: Context) -> Schema:
    """Takes the format off a duration, a list of durations or a map of them: any text will do."""
    if not marker.value:
        return schema
    for keyword in ("items", "additionalProperties"):
        child = schema.get(keyword)
        if isinstance(child, Schema):
            return schema.having({keyword: no_duration_check(child, marker, context)})
    if schema.get("format") == DURATION:
        return schema.having({"format": None})
    _report(context, "marker-type", f'"{marker.name}" applies to durations, found {schema.type}', marker)
    return schema


def ignore_rules(schema: Schema, marker: Marker, context: Context) -> Schema:
    """Takes rules with given messages off everything below."""
    found: set[str] = set()
    changed = without_rules(schema, frozenset(marker.value), found)
    missing = [message for message in dict.fromkeys(marker.value) if message not in found]
    known = _messages(schema) if missing else set()
    for message in missing:
        problem = f'"{marker.name}" must hold messages of rules below, found "{message}"'
        hint = context.problems.suggestion(message, known) or _of_durations(schema)
        _report(context, "marker-value", problem, marker, hint)
    return changed


def _of_durations(schema: Schema) -> str:
    """A hint for those who know the rule that Istio's generator gives to durations; empty if there are none."""
    if not any(node.get("format") == DURATION for node in _below(schema)):
        return ""
    return 'durations have a format here and no rule; "+protoc-gen-crd:duration-validation:none" on one takes it off'


def _below(schema: Schema) -> Iterator[Schema]:
    yield schema
    for _, child in schema.children():
        yield from _below(child)


def _messages(schema: Schema) -> set[str]:
    return {rule.message for node in _below(schema) for rule in node.rules}


def without_rules(schema: Schema, messages: frozenset[str], found: set[str]) -> Schema:
    """The schema less all rules below with these messages; those that were there are added to `found`."""
    changes: dict[str, object] = {}
    kept = tuple([rule for rule in schema.rules if rule.message not in messages])
    if len(kept) < len(schema.rules):
        found.update(rule.message for rule in schema.rules if rule.message in messages)
        changes[VALIDATIONS] = kept or None
    for keyword in ("items", "additionalProperties"):
        child = schema.get(keyword)
        if isinstance(child, Schema) and (less := without_rules(child, messages, found)) is not child:
            changes[keyword] = less
    properties = {name: without_rules(child, messages, found) for name, child in schema.properties.items()}
    if any(properties[name] is not child for name, child in schema.properties.items()):
        changes["properties"] = properties
    return schema.having(changes) if changes else schema


def immutable(schema: Schema, marker: Marker, _: Context) -> Schema:
    """The value stays as it was. That it is not taken away is a rule of the parent, which the builder adds."""
    if not marker.value:
        return schema
    rule = Rule("self == oldSelf", "field is immutable", origin=marker.at)
    return schema.having({VALIDATIONS: (*schema.rules, rule)}, marker.at)


def channel(schema: Schema, marker: Marker, context: Context) -> Schema:
    """A fact of the schema, unless its type has a later one. What the run leaves out, the builder has left out."""
    if not context.knows(marker.value, marker.at, marker.owner, marker.excerpt):
        return schema
    found = marker.value
    for of_type in _channels(schema):
        found = context.later(found, of_type)
    if found != marker.value:
        problem = f'a release channel must be no earlier than that of the type, "{found}", found "{marker.value}"'
        _report(context, "channel-earlier", problem, marker, f'"{found}" counts: take the channel away here, or there')
    return schema.knowing({CHANNEL: found})


def _channels(schema: Schema) -> Iterator[str]:
    """The channels that the type of a field has, or that of what its list or map holds."""
    yield from filter(None, [(schema.facts or {}).get(CHANNEL, "")])
    for each in (schema.items, schema.additional):
        if isinstance(each, Schema):
            yield from _channels(each)


def conversion(schema: Schema, marker: Marker, context: Context) -> Schema:
    """A fact of the schema: values of the option, where they stand, and the field."""
    context.converts = True
    known = (schema.facts or {}).get(CONVERSION, ())
    return schema.knowing({CONVERSION: (*known, *((values, marker.at, marker.owner) for values in marker.value))})


_LEAST = {"string": "minLength", "array": "minItems", "object": "minProperties"}


def non_empty(schema: Schema, marker: Marker, _: Context) -> Schema:
    """At least one character, item or property, unless more is said. The builder makes the field required."""
    keyword = _LEAST.get(schema.type)
    if not marker.value or keyword is None or keyword in schema:
        return schema
    return schema.having({keyword: 1}, marker.at)


def external_docs(schema: Schema, marker: Marker, context: Context) -> Schema:
    """A page with an absolute address, as controller-gen demands."""
    url = marker.value.get("url", "")
    if not re.match(_ABSOLUTE, url):
        problem = f'"{marker.name}" must have a url with a scheme, or a path from /, found "{url}"'
        _report(context, "marker-value", problem, marker)
        return schema
    return schema.having({"externalDocs": marker.value}, marker.at)


def _report(context: Context, rule: str, problem: str, marker: Marker, hint: str = "") -> None:
    context.problems.report(rule, problem, marker.at, path=marker.owner, hint=hint, excerpt=marker.excerpt)


def _counted(names: list[str], comparison: str) -> str:
    return "+".join(f"({name}?1:0)" for name in names) + f" {comparison}"


def counted_020(fields: list[str], comparison: str, words: str) -> Rule:
    """The rule as controller-tools v0.20.1 writes it."""
    present = ",".join(f"has(self.{name})" for name in fields)
    return Rule(f"[{present}].filter(x,x==true).size() {comparison}", words.format(f"[{' '.join(fields)}]"))


def _one_of(text: str, rule: Callable[[list[str]], str]) -> Behaviour:
    def apply(schema: Schema, marker: Marker, context: Context) -> Schema:
        made = []
        for listed in (entry.get("fields", ()) for entry in marker.value):
            fields = listed
            if marker.foreign:  # without ranges: of fields that a version does not have none is set
                fields = [name for name in listed if name not in context.left_out(schema.properties)]
            if len(fields) < len(listed) and len(fields) <= (marker.option.name == "at_most_one_of"):
                continue
            if not fields:
                _report(context, "marker-value", f'"{marker.name}" must name fields, found none', marker)
            elif _known(schema, fields, marker, context):
                names = [name for field in fields for name in _names(schema, field)]
                message = text.format(f"[{' '.join(names)}]")
                made.append(Rule(rule([f"has(self.{cel_name(name)})" for name in names]), message, origin=marker.at))
        return schema.having({VALIDATIONS: (*schema.rules, *made)}, marker.at) if made else schema

    return apply


def _facts(schema: Schema, field: str) -> Mapping[str, Any]:
    child = schema.properties.get(field)
    return (child.facts or {}) if child else {}


def _names(schema: Schema, field: str) -> tuple[str, ...]:
    """The names of a field, each of which sets it."""
    return cast("tuple[str, ...]", _facts(schema, field).get(NAMES, (field,)))


def _known(schema: Schema, fields: list[str], marker: Marker, context: Context) -> bool:
    """Whether all names are those of fields that a rule can count; faults are reported."""
    good = True
    told: dict[str, str] = {}
    for name in fields:
        known = _names(schema, name)
        first = next((told[one] for one in known if one in told), "")
        told |= dict.fromkeys(known, name)
        if first:
            again = "twice" if first == name else f'again as "{name}"'
            fault = "marker-repeated", f'name a field once, found "{first}" {again}', ""
        else:
            fault = _fault(schema, name, marker, context, alone=len(fields) == 1)
        rule, problem, hint = fault
        good = good and rule in ("", _RULE)
        if rule:
            _report(context, rule, f'"{marker.name}" must {problem}', marker, hint)
    return good


_RULE = "marker-contradiction"


def _fault(schema: Schema, name: str, marker: Marker, context: Context, *, alone: bool) -> tuple[str, str, str]:
    """What keeps a field from being counted: rule id, requirement and what was found, hint; all empty if nothing."""
    if name not in schema.properties:
        hint = context.absence(schema.properties, name) or context.problems.suggestion(name, schema.properties)
        return "marker-field", f'name fields of the object, found "{name}"', hint
    if unselectable := next((one for one in _names(schema, name) if not selectable(one)), ""):
        return "marker-field", f'name fields that CEL can select, found "{unselectable}"', ""
    if name in (schema.get("required") or ()) or _facts(schema, name).get(REQUIRED):
        return _RULE, f'name fields that are not required, found "{name}"', ""
    if marker.option.name != "at_least_one_of" and "default" in schema.properties[name] and not alone:
        return _RULE, f'name fields without a default, found "{name}", which is always set', ""
    return "", "", ""


BEHAVIOURS: Mapping[str, Behaviour] = {
    "at_least_one_of": _one_of("at least one of the fields in {} must be set", "||".join),
    "at_most_one_of": _one_of("at most one of the fields in {} may be set", lambda names: _counted(names, "<= 1")),
    "exactly_one_of": _one_of("exactly one of the fields in {} must be set", lambda names: _counted(names, "== 1")),
    "channel": channel,
    "conversion": conversion,
    "external_docs": external_docs,
    "ignore_rules": ignore_rules,
    "immutable": immutable,
    "int_or_string": int_or_string,
    "no_duration_check": no_duration_check,
    "non_empty": non_empty,
    "opaque": opaque,
}

# Options that concern the object around the field: the builder reads them.
BUILDERS = frozenset(["alt_name", "during", "required", "schemaless", "since", "until"])
