"""Errors back to what they come from: the node of the schema and the keyword or the rule that was broken.

A server names neither, so both are told from the path and the words of the error.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import reduce
from typing import Any

from protoc_gen_crd.admission.errors import (
    DUPLICATE,
    NOT_SUPPORTED,
    REQUIRED,
    TOO_LONG,
    TOO_MANY,
    TYPE_INVALID,
    FieldError,
)
from protoc_gen_crd.base.diagnostics import Place
from protoc_gen_crd.base.record import Record
from protoc_gen_crd.schema.types import INT_OR_STRING, LIST_TYPE, Rule, Schema
from protoc_gen_crd.testing.keys import Steps
from protoc_gen_crd.testing.places import located, place_in

# Types of errors, and parts of their details, to the keyword that is at fault; the first that fits.
_BY_TYPE = {
    REQUIRED: ("required",),
    NOT_SUPPORTED: ("enum",),
    TOO_LONG: ("maxLength",),
    TOO_MANY: ("maxItems", "maxProperties"),
    DUPLICATE: (LIST_TYPE,),
}
_BY_WORDS = (
    (r"must be of type integer,string", (INT_OR_STRING, "type")),
    (r"must be of type (string|integer|number|boolean|array|object|null):", ("type",)),
    (r"must be of type", ("format", "type", INT_OR_STRING)),
    (r"factor MultipleOf", ("multipleOf",)),
    (r"chars long$", ("minLength", "maxLength")),
    (r"should match '", ("pattern",)),
    (r"should have at least \d+ (items|properties)$", ("minItems", "minProperties")),
    (r"should have at most \d+ (items|properties)$", ("maxItems", "maxProperties")),
    (r"should be greater than", ("minimum",)),
    (r"should be less than", ("maximum",)),
    (r"should be a multiple of", ("multipleOf",)),
    (r"one of \[", ("enum",)),
    (r"\(oneOf\)", ("oneOf",)),
    (r"\(anyOf\)", ("anyOf",)),
    (r"\(allOf\)", ("allOf",)),
    (r"\(not\)$", ("not",)),
    (r"forbidden property$", ("additionalProperties",)),
)
_LISTED = ("allOf", "anyOf", "oneOf")
_JUNCTORS = (*_LISTED, "not")
_PATTERNS = [(re.compile(words), keywords) for words, keywords in _BY_WORDS]


class Origin(Record):
    """What an error comes from: the path of the schema's node, the node, and the keyword or the CEL rule in it.

    For a missing field `member` is its name.
    """

    path: tuple[str, ...]
    node: Schema
    keyword: str = ""
    rule: Rule | None = None
    member: str = ""

    @property
    def place(self) -> Place | None:
        """Where the rule or the keyword was written."""
        if self.rule is not None:
            return self.rule.origin or self.node.origin
        if self.member:
            child = self.node.properties.get(self.member)
            return (self.node.marks or {}).get("required") or (child.origin if child else self.node.origin)
        if self.keyword in _LISTED and self.keyword not in (self.node.marks or {}):
            return self.node.get(self.keyword)[0].origin or self.node.origin
        return self.node.place(self.keyword) if self.keyword else self.node.origin


def nodes(root: Schema, steps: Steps) -> Iterator[tuple[tuple[str, ...], Schema]]:
    """The nodes on the way of a path of data, the root first, with their paths: `spec`, `ports`, `[*]`."""
    path: tuple[str, ...] = ()
    node: Schema | None = root
    yield path, root
    for step in steps:
        node, name = _child(node, step) if node is not None else (None, "")
        if node is None:
            return
        path = (*path, name)
        yield path, node


def _child(node: Schema, step: str | int) -> tuple[Schema | None, str]:
    if isinstance(step, int):
        return node.items, "[*]"
    if step in node.properties:
        return node.properties[step], step
    additional = node.additional
    return (additional, "[*]") if isinstance(additional, Schema) else (None, "")


def place_of(error: FieldError, root: Schema, value: Any) -> Place | None:
    """Where the keyword or rule was written that a value broke."""
    if error.origin is not None:
        return error.origin
    steps, rest = located(value, place_in(error))
    origin = origin_of(error, root, steps, rest)
    if origin is None or origin.keyword != "allOf":
        return origin.place if origin else None
    parts = broken_parts(origin, value, steps)
    return (origin.node.get("allOf")[parts[0]].origin if parts else None) or origin.place


def broken_parts(origin: Origin, value: Any, steps: Steps) -> list[int]:
    """The parts of an allOf that an object does not fit, which no error names; `steps` lead to the error's place."""
    from protoc_gen_crd.admission.objects.values import Values  # noqa: PLC0415 - few schemas have several oneOf
    from protoc_gen_crd.admission.switches import NEWEST, Switches  # noqa: PLC0415

    values = Values(Switches.of(NEWEST))
    held = reduce(lambda held, step: held[step], steps[: len(origin.path)], value)
    return [index for index, part in enumerate(origin.node.get("allOf")) if values.errors(part, held)]


def origin_of(error: FieldError, root: Schema, steps: Steps, rest: str) -> Origin | None:
    """What an error comes from that stands at these steps of the object, with `rest` behind them missing."""
    if error.type == DUPLICATE and steps and isinstance(steps[-1], int):
        steps = steps[:-1]  # the path names the item, the list has the rule
    if error.type == REQUIRED and steps and not rest and not error.detail:
        steps, rest = steps[:-1], str(steps[-1])  # a null is as good as nothing
    way = list(nodes(root, steps))
    if len(way) <= len(steps):
        return None  # below fields that the schema leaves open
    found = _keyword(error, way, rest)
    if found is None and not any(f"({each})" in error.detail for each in _JUNCTORS):
        found = _rule(error, way)
    return found or _junctor(way)


def _keyword(error: FieldError, way: Sequence[tuple[tuple[str, ...], Schema]], rest: str) -> Origin | None:
    path, node = way[-1]
    if error.type == REQUIRED and not error.detail:
        return Origin(path, node, "required", member=rest) if rest in (node.get("required") or ()) else None
    if rest:
        return None
    wanted = _BY_TYPE.get(error.type, ())
    for words, keywords in _PATTERNS:
        wanted = wanted or (keywords if words.search(error.detail) else ())
    if not wanted and error.type == TYPE_INVALID:
        wanted = ("type",)
    found = next((keyword for keyword in wanted if keyword in node), None)
    return Origin(path, node, found) if found and (error.detail or error.type in _BY_TYPE) else None


def _rule(error: FieldError, way: Sequence[tuple[tuple[str, ...], Schema]]) -> Origin | None:
    """The CEL rule of these words; it may stand above the field that it blames."""
    for path, node in reversed(way):
        for rule in node.rules:
            says = rule.rule.strip()
            if error.detail in (rule.message.strip(), f"failed rule: {says}") or error.detail.endswith(f"rule: {says}"):
                return Origin(path, node, rule=rule)
    for path, node in reversed(way):
        for rule in node.rules:
            if rule.message_expression:  # its words are known to the server alone
                return Origin(path, node, rule=rule)
    return None


def _junctor(way: Sequence[tuple[tuple[str, ...], Schema]]) -> Origin | None:
    """The nearest anyOf or its like: what its branches say is no part of the nodes on the way."""
    for path, node in reversed(way):
        found = next((keyword for keyword in _JUNCTORS if keyword in node), None)
        if found:
            return Origin(path, node, found)
    return None
