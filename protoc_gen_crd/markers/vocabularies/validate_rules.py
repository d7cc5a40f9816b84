"""Reader of the rules that protovalidate and its predecessor protoc-gen-validate share.

The rules of a field without presence also apply to its zero value. If they reject it, the field is required.
Source: documentation of the rules in buf/validate/validate.proto and validate/validate.proto.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.findings.finding import Severity
from protoc_gen_crd.markers.option_declarations import SCHEMA
from protoc_gen_crd.markers.vocabularies import number_rules, string_rules, time_rules
from protoc_gen_crd.markers.vocabularies.field_shapes import (
    INTEGERS,
    UNCOMPARABLE,
    ValueShape,
    get_element_shape,
    has_presence,
    make_zero_test,
)
from protoc_gen_crd.markers.vocabularies.number_rules import is_representable
from protoc_gen_crd.markers.vocabularies.option_reader import ElementOptions, OptionNode
from protoc_gen_crd.markers.vocabularies.vocabulary_rows import (
    Row,
    RuleConstraint,
    Target,
    Translate,
    Translation,
    make_external_row,
    make_ignored_row,
)
from protoc_gen_crd.proto.element_model import Field

_MAX_INT64 = 2**63 - 1


def _make_count_row(comparison: str, option: str, words: str) -> Translate:
    def make(value: int, target: Target, _: Mapping[str, Any]) -> Translation:
        zero = comparison == "<=" or value == 0
        return RuleConstraint(
            f"size({target.x}) {comparison} {value}", f"must have {words} {value}", ((option, value),), zero
        )

    return make


def _make_unique(value: bool, target: Target, _: Mapping[str, Any]) -> Translation:  # noqa: FBT001 - a value of the vocabulary
    if target.item in ("any", "message"):
        return UNCOMPARABLE
    rule = f"{target.x}.all(one, {target.x}.exists_one(other, one == other))"
    return RuleConstraint(rule, "must hold nothing twice", (("list_type", "set"),), zero=True) if value else ()


_INSIDE = make_external_row("the rules of items, values or keys: markers of `items` and `values`, a rule on the keys")
_SPARED = make_external_row("the zero value is accepted beside those that the rules accept")
_NEEDED = make_external_row("`required`")

PARTS = ("items", "keys", "values")

# Rows by the name of the member with the rules in the rules of a field.
RULES: Mapping[str, Mapping[str, Row]] = {
    **number_rules.ROWS,
    **time_rules.ROWS,
    "string": string_rules.ROWS,
    "repeated": {
        "min_items": Row("`minItems`", _make_count_row(">=", "min_items", "items, at least")),
        "max_items": Row("`maxItems`", _make_count_row("<=", "max_items", "items, at most")),
        "unique": Row("`x-kubernetes-list-type: set`; not supported for messages", _make_unique),
        "items": _INSIDE,
    },
    "map": {
        "min_pairs": Row("`minProperties`", _make_count_row(">=", "min_properties", "entries, at least")),
        "max_pairs": Row("`maxProperties`", _make_count_row("<=", "max_properties", "entries, at most")),
        "keys": _INSIDE,
        "values": _INSIDE,
        "no_sparse": make_ignored_row("a JSON map has a value for every key"),
    },
}
OWN_RULES = "custom rules that a file declares are not read: write them as cel"
TYPES: Mapping[str, Row] = dict.fromkeys(RULES, make_ignored_row("contains rules, which have rows of their own"))
SHARED: Mapping[str, Row] = {"ignore_empty": _SPARED, "required": _NEEDED}  # rows in all rules of protoc-gen-validate


def get_message_name(kind: str) -> str:
    """Return the name of the message with the rules of a kind: `UInt32Rules` for uint32."""
    signed = re.sub("^(u|s)(?=int|fixed)", lambda match: match[1].upper() + "_", kind)
    return "".join(part[:1].upper() + part[1:] for part in signed.split("_")) + "Rules"


class RuleTarget(Record):
    """The target of rules: the steps to its schema, its shape, and the handling of unset and zero values.

    A `tracked` value has presence. With `spared`, the zero value is accepted. With `keys`, the target is a map's keys.
    """

    steps: tuple[str, ...]
    shape: ValueShape
    tracked: bool
    spared: bool = False
    keys: bool = False

    @property
    def x(self) -> str:
        """The CEL expression of a value of the target."""
        return self.get_target().x

    def get_target(self) -> Target:
        """Return a value of the target, for rows."""
        return self.shape.get_key_target() if self.keys else self.shape.get_target()


class VocabularyTables(Record):
    """The rows of a vocabulary by kind. With `required_alone`, `required` on a field of a oneof requires this field."""

    rules: Mapping[str, Mapping[str, Row]]
    required_alone: bool = True


class FieldRuleReader:
    """Reads the rules of a field."""

    def __init__(self, reading: ElementOptions, field: Field, tables: VocabularyTables) -> None:
        self._reading = reading
        self._field = field
        self._tables = tables
        self._api = reading.tools.api

    def make_place(self, shape: ValueShape) -> RuleTarget:
        """Return the field itself as the target."""
        return RuleTarget((), self._resolve_shape(shape), has_presence(self._field, self._api))

    def read_typed_rules(self, name: str, node: OptionNode, place: RuleTarget) -> None:
        """Read the rules for a kind of values. `name` is the member with these rules."""
        shape = place.shape
        if name != (shape.parts["keys"].kind if place.keys else shape.kind):
            problem = f"{node.path} applies to fields of type {name}, not {shape.kind}"
            self._reading.report("marker-type", problem, node, severity=Severity.WARNING)
            return
        if node.values.get("ignore_empty"):  # protoc-gen-validate compares the value even if it has presence
            place = place.replace(spared=True)
        for rule, value in node.values.items():
            row = self._tables.rules[name].get(rule) or (
                SHARED.get(rule) if name not in ("", "any") or rule == "required" else None
            )
            below = self._reading.get_member_node(node, rule)
            if rule.startswith("["):
                self._reading.report_untranslated(below, OWN_RULES)
            elif row is None:
                self._reading.report_unknown(below, RULES[name])
            elif row.make is not None:
                self._add_row(row.make(value, self._get_target(place), node.values), below, place)
            elif rule == "required" and value:
                self.add_required(below, place)

    def _get_target(self, place: RuleTarget) -> Target:
        overridden = place.keys or self._reading.is_overridden(place.steps)
        return place.get_target().replace(overridden=True) if overridden else place.get_target()

    def get_part_place(self, name: str, place: RuleTarget) -> RuleTarget:
        """Return the target of the rules in `items`, `keys`, or `values`."""
        if name == "keys":
            return place.replace(keys=True, tracked=True, spared=False)
        part = get_element_shape(place.shape.parts[name], self._api)
        return RuleTarget((*place.steps, name), self._resolve_shape(part), tracked=True)

    def _resolve_shape(self, shape: ValueShape) -> ValueShape:
        numbered = self._reading.tools.settings.enum_as_int_or_string and shape.kind == "enum"
        return shape.replace(numbered=True) if numbered else shape

    def add_required(self, node: OptionNode, place: RuleTarget) -> None:
        """Require the field. If it has no presence, also reject its zero value."""
        if place.steps or place.keys:
            return  # items and values are always set
        if self._field.oneof >= 0 and not self._tables.required_alone:
            return  # in protoc-gen-validate the field is required if it is the field that is set, which JSON implies
        self._reading.add_marker("required", value=True, node=node)
        if not place.tracked:
            self._reading.add_constraint(_make_non_zero(place.shape), node, ())

    def allow_zero(self, rule: str, place: RuleTarget) -> str:
        """Extend a rule to accept the zero value."""
        return f"{make_zero_test(place.get_target())} || {_parenthesize(rule)}"

    def _add_row(self, translation: Translation, node: OptionNode, place: RuleTarget) -> None:
        if isinstance(translation, str):
            self._reading.report_untranslated(node, translation)
            return
        for constraint in (translation,) if isinstance(translation, RuleConstraint) else translation:
            self._add_constraint(constraint, node, place)

    def _add_constraint(self, constraint: RuleConstraint, node: OptionNode, place: RuleTarget) -> None:
        if any(type(value) is int and value > _MAX_INT64 for _, value in constraint.keywords):
            self._reading.report_untranslated(node, f"API servers accept integers up to {_MAX_INT64}")
            return
        if place.keys:
            if constraint.rule:
                condition = (
                    self.allow_zero(constraint.rule, place) if place.spared and not constraint.zero else constraint.rule
                )
                rule = f"self.all(key, {condition})"
                self._reading.add_constraint(RuleConstraint(rule, f"every key {constraint.message}"), node, place.steps)
            return
        if place.spared and not constraint.zero:
            if constraint.keywords in _NON_EMPTY:
                return  # every value is the zero value or not empty
            rule = self.allow_zero(constraint.rule, place) if constraint.rule else ""
            self._reading.add_constraint(
                constraint.replace(rule=rule, keywords=_allow_zero_in_keywords(constraint, place)), node, place.steps
            )
            return
        self._reading.add_constraint(constraint, node, place.steps)
        if not (place.tracked or constraint.zero or place.steps):
            self._reading.set_required(node)


def _allow_zero_in_keywords(constraint: RuleConstraint, place: RuleTarget) -> tuple[tuple[str, Any], ...]:
    """Return the keywords of a constraint, extended to accept the zero value; empty if this needs a rule."""
    keywords, zero = dict(constraint.keywords), _get_zero_schema(place)
    if not keywords or zero is None:
        return ()
    if "enum" in keywords and "enum" in zero:
        numbered = place.shape.kind in INTEGERS
        values = [value for value in keywords["enum"] if not numbered or is_representable(value, place.shape.kind)]
        return (("enum", [*zero["enum"], *values]),)
    if "pattern" in keywords:
        return (("pattern", f"^$|{keywords['pattern']}"),)
    choices = keywords.get("any_of") or ({SCHEMA[name].keyword: value for name, value in keywords.items()},)
    return (("any_of", (zero, *choices)),)


_ZEROES: Mapping[str, Mapping[str, Any]] = {
    **{kind: {"minimum": 0, "maximum": 0} for kind in ("double", "float")},
    "map": {"maxProperties": 0},
    "repeated": {"maxItems": 0},
    "string": {"maxLength": 0},
}


def _get_zero_schema(place: RuleTarget) -> Mapping[str, Any] | None:
    """Return the keywords that accept only the zero value of a kind, None if there are none."""
    kind, enum = place.shape.kind, place.shape.enum
    if kind in INTEGERS:
        return {"enum": [0]}
    if kind != "enum" or enum is None:
        return _ZEROES.get(kind)
    names = [value.name for value in enum.values if not value.number]
    return {"enum": [*names, 0] if place.shape.numbered else names}


def _parenthesize(rule: str) -> str:
    return f"({rule})" if "||" in rule or "?" in rule else rule


_LEAST = {"string": "min_length", "repeated": "min_items", "map": "min_properties"}
_NON_EMPTY = tuple(((name, 1),) for name in _LEAST.values())


def _make_non_zero(shape: ValueShape) -> RuleConstraint:
    target = shape.get_target()
    option = _LEAST.get(shape.kind)
    if shape.kind == "bool":
        return RuleConstraint(target.x, "must be true", (("enum", [True]),))
    rule = f"size({target.x}) > 0" if option or shape.kind == "bytes" else f"!({make_zero_test(target)})"
    return RuleConstraint(rule,
    "must not be empty" if option or shape.kind == "bytes" else "must not be the zero value",
                ((option, 1),) if option else ())  # fmt: skip
