"""The rules that protovalidate and its predecessor protoc-gen-validate share, onto markers.

Rules of fields that do not track presence hold for their zero value too. Where that is refused, the field cannot be
left out of an object. Source: the rules' own documentation in buf/validate/validate.proto and validate/validate.proto.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.markers.vocabularies import numbers, texts, times
from protoc_gen_crd.markers.vocabularies.reading import Node, Reading
from protoc_gen_crd.markers.vocabularies.rows import (
    Made,
    Make,
    Row,
    Said,
    Target,
    read_elsewhere,
    without_effect,
)
from protoc_gen_crd.markers.vocabularies.shapes import Shape, element, tracked, zero
from protoc_gen_crd.proto.model import Field


def _counted(comparison: str, option: str, words: str) -> Make:
    def make(value: int, target: Target, _: Mapping[str, Any]) -> Made:
        least = comparison == "<=" or value == 0
        return Said(f"size({target.x}) {comparison} {value}", f"must have {words} {value}", ((option, value),), least)

    return make


def _unique(value: bool, target: Target, _: Mapping[str, Any]) -> Made:  # noqa: FBT001 - a value of the vocabulary
    if target.item in ("any", "message"):
        return "only values that are no messages can be told apart"
    rule = f"{target.x}.all(one, {target.x}.exists_one(other, one == other))"
    return Said(rule, "must hold nothing twice", (("list_type", "set"),), zero=True) if value else ()


_INSIDE = read_elsewhere("the rules of what it holds: markers of `items`, of `values`, a rule on the keys")
_EMPTY = read_elsewhere("the zero value is let pass: rules that refuse it become CEL rules")
_NEEDED = read_elsewhere("`required`")

PARTS = ("items", "keys", "values")

# Rules by the name of their member in the rules of a field.
RULES: Mapping[str, Mapping[str, Row]] = {
    **numbers.ROWS,
    **times.ROWS,
    "string": texts.ROWS,
    "repeated": {
        "min_items": Row("`minItems`", _counted(">=", "min_items", "items, at least")),
        "max_items": Row("`maxItems`", _counted("<=", "max_items", "items, at most")),
        "unique": Row("`x-kubernetes-list-type: set`; of messages, refused", _unique),
        "items": _INSIDE,
    },
    "map": {
        "min_pairs": Row("`minProperties`", _counted(">=", "min_properties", "entries, at least")),
        "max_pairs": Row("`maxProperties`", _counted("<=", "max_properties", "entries, at most")),
        "keys": _INSIDE,
        "values": _INSIDE,
        "no_sparse": without_effect("a map of JSON has a value for every key"),
    },
}
OWN_RULES = "rules that a file declares for itself are not read: write them as cel"
TYPES: Mapping[str, Row] = dict.fromkeys(RULES, without_effect("holds rules, which have rows of their own"))
SHARED: Mapping[str, Row] = {"ignore_empty": _EMPTY, "required": _NEEDED}  # rows of protoc-gen-validate in any of them


def message_of(kind: str) -> str:
    """The name of the message that holds the rules of a kind: `UInt32Rules` of uint32."""
    signed = re.sub("^(u|s)(?=int|fixed)", lambda match: match[1].upper() + "_", kind)
    return "".join(part[:1].upper() + part[1:] for part in signed.split("_")) + "Rules"


class Place(Record):
    """What rules are about: steps to the schema, the shape there, and how its unset or zero values are to be taken."""

    steps: tuple[str, ...]
    shape: Shape
    tracked: bool
    spared: bool = False  # the zero value is let pass
    keys: bool = False

    @property
    def x(self) -> str:
        """The expression for a value of the place."""
        return self.target().x

    def target(self) -> Target:
        """A value of the place, for rules."""
        return self.shape.key() if self.keys else self.shape.target()


class Tables(Record):
    """A vocabulary: its rules by kind, and whether a field of a oneof that is required must be the one that is set."""

    rules: Mapping[str, Mapping[str, Row]]
    required_alone: bool = True


class Walker:
    """Reads the rules of one field."""

    def __init__(self, reading: Reading, field: Field, tables: Tables) -> None:
        self._reading = reading
        self._field = field
        self._tables = tables
        self._api = reading.tools.api

    def place(self, shape: Shape) -> Place:
        """The place of the field itself."""
        return Place((), self._seen(shape), tracked(self._field, self._api))

    def typed(self, name: str, node: Node, place: Place) -> None:
        """Rules for one kind of values."""
        shape = place.shape
        if name != (shape.parts["keys"].kind if place.keys else shape.kind):
            problem = f"{node.path} applies to fields of type {name}, found {shape.kind}"
            self._reading.report("marker-type", problem, node)
            return
        if node.values.get("ignore_empty"):  # of protoc-gen-validate, which looks at the value even where it is tracked
            place = place.replace(spared=True)
        for rule, value in node.values.items():
            row = self._tables.rules[name].get(rule) or (
                SHARED.get(rule) if name not in ("", "any") or rule == "required" else None
            )
            below = self._reading.below(node, rule)
            if rule.startswith("["):
                self._reading.untranslated(below, OWN_RULES)
            elif row is None:
                self._reading.unknown(below, RULES[name])
            elif row.make is not None:
                self._made(row.make(value, place.target(), node.values), below, place)
            elif rule == "required" and value:
                self.required(below, place)

    def parts(self, name: str, place: Place) -> Place:
        """What stands at the end of `items`, `keys` or `values`."""
        if name == "keys":
            return place.replace(keys=True, tracked=True, spared=False)
        part = element(place.shape.parts[name], self._api)
        return Place((*place.steps, name), self._seen(part), tracked=True)

    def _seen(self, shape: Shape) -> Shape:
        return shape.replace(numbered=True) if self._reading.tools.numbered and shape.kind == "enum" else shape

    def required(self, node: Node, place: Place) -> None:
        """The field must be set, and where that cannot be told, have another value than zero."""
        if place.steps or place.keys:
            return  # what a list or map holds is always set
        if self._field.oneof >= 0 and not self._tables.required_alone:
            return  # it is asked for where it is the one that is set, and in JSON it has a value then
        self._reading.mark("required", value=True, node=node)
        if not place.tracked:
            self._reading.add(_non_zero(place.shape), node, ())

    def sparing(self, rule: str, place: Place) -> str:
        """A rule that lets the zero value pass."""
        return f"{zero(place.target())} || {_grouped(rule)}"

    def _made(self, made: Made, node: Node, place: Place) -> None:
        if isinstance(made, str):
            self._reading.untranslated(node, made)
            return
        for said in (made,) if isinstance(made, Said) else made:
            self._said(said, node, place)

    def _said(self, said: Said, node: Node, place: Place) -> None:
        if place.keys:
            if said.rule:
                held = self.sparing(said.rule, place) if place.spared and not said.zero else said.rule
                rule = f"self.all(key, {held})"
                self._reading.add(Said(rule, f"every key {said.message}"), node, place.steps)
            return
        if place.spared and not said.zero:
            rule = self.sparing(said.rule, place) if said.rule else ""
            self._reading.add(said.replace(rule=rule, keywords=_sparing(said, place)), node, place.steps)
            return
        self._reading.add(said, node, place.steps)
        if not (place.tracked or said.zero or place.steps):
            self._reading.need(node)


def _sparing(said: Said, place: Place) -> tuple[tuple[str, Any], ...]:
    """The one keyword of a constraint on texts as one that lets the empty text pass, which costs servers nothing."""
    if place.shape.kind != "string" or len(said.keywords) != 1:
        return ()
    ((name, value),) = said.keywords
    make = _SPARING.get(name)
    return (make(value),) if make else ()


_EMPTY_TEXT = {"maxLength": 0}
_SPARING: Mapping[str, Callable[[Any], tuple[str, Any]]] = {
    "pattern": lambda pattern: ("pattern", f"^$|{pattern}"),
    "format": lambda form: ("any_of", (_EMPTY_TEXT, {"format": form})),
    "any_of": lambda choices: ("any_of", (_EMPTY_TEXT, *choices)),
}


def _grouped(rule: str) -> str:
    return f"({rule})" if "||" in rule or "?" in rule else rule


_LEAST = {"string": "min_length", "repeated": "min_items", "map": "min_properties"}


def _non_zero(shape: Shape) -> Said:
    target = shape.target()
    option = _LEAST.get(shape.kind)
    if shape.kind == "bool":
        return Said(target.x, "must be true", (("enum", [True]),))
    rule = f"size({target.x}) > 0" if option or shape.kind == "bytes" else f"!({zero(target)})"
    return Said(rule, "must not be empty" if option or shape.kind == "bytes" else "must not be the zero value",
                ((option, 1),) if option else ())  # fmt: skip
