"""Kinds for which a sample is hard to find, and some without any: name -> schema of a required spec."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Node = dict[str, Any]

SPECS: dict[str, Callable[[], Node]] = {}
_TEXT = {"type": "string"}
_WHOLE = {"type": "integer"}


def _spec(make: Callable[[], Node]) -> Callable[[], Node]:
    SPECS[make.__name__.strip("_").replace("_", "-")] = make
    return make


def _all(**properties: Node) -> Node:
    """An object with all of these."""
    return {"type": "object", "properties": properties, "required": list(properties)}


def _list(items: Node, least: int, **more: Any) -> Node:
    return {"type": "array", "items": items, "minItems": least, **more}


def _ruled(node: Node, *rules: str) -> Node:
    return {**node, "x-kubernetes-validations": [{"rule": rule} for rule in rules]}


def _nested(levels: int, leaf: Node) -> Node:
    for _ in range(levels):
        leaf = _all(inner=leaf)
    return leaf


@_spec
def _lists_of_1000_lists_of_1000() -> Node:
    return _all(a=_list(_list(_list(_list(_WHOLE, 1000), 1000), 1000), 1000))


@_spec
def _texts_of_1000000000() -> Node:
    return _all(a={**_TEXT, "minLength": 10**9}, b={**_TEXT, "minLength": 3_000_000})


@_spec
def _a_million_entries() -> Node:
    return _all(
        a={"type": "object", "additionalProperties": _TEXT, "minProperties": 10**6},
        b=_list(_TEXT, 10**7),
    )


@_spec
def _patterns_that_explode() -> Node:
    patterns = ("^(a|aa|aaa|b|c){900}x$", "(a.{400})*b{300}c", r"\bfoo\b.{900}\bbar\b", "^(([a-z]+)+)+$", "^.{1000}$")
    return _all(**{f"p{index}": {**_TEXT, "pattern": pattern} for index, pattern in enumerate(patterns)})


@_spec
def _patterns_that_multiply() -> Node:
    patterns = ("^(a|b)*a(a|b){15}$", "^(a|b)*b(a|b){14}$", "^(a|b)*b(a|b){13}$", "(ab){300}")
    return _all(p={**_TEXT, "minLength": 50_000, "allOf": [{"pattern": pattern} for pattern in patterns]})


@_spec
def _patterns_that_contradict() -> Node:
    return _all(p={**_TEXT, "allOf": [{"pattern": "^[a-z.]*$"}, {"pattern": "[0-9]"}]})


@_spec
def _a_pattern_against_an_enum() -> Node:
    return _all(p={**_TEXT, "pattern": "^w[0-9]+$", "enum": [f"v{index}" for index in range(20_000)]})


@_spec
def _300_levels() -> Node:
    return _nested(300, _TEXT)


@_spec
def _300_levels_for_nothing() -> Node:
    return _nested(300, {**_TEXT, "enum": ["a"], "pattern": "^[0-9]$"})


@_spec
def _bounds_that_contradict() -> Node:
    return _all(n={**_WHOLE, "minimum": 2, "maximum": 1}, m={"type": "number", "multipleOf": 1e-9, "minimum": 1e300})


@_spec
def _sets_of_too_few() -> Node:
    return _all(
        s=_list({"type": "boolean"}, 3, **{"x-kubernetes-list-type": "set"}),
        m=_list(
            _all(k={**_TEXT, "enum": ["a"]}), 2,
            **{"x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["k"]},
        ),
    )  # fmt: skip


@_spec
def _logical_keywords_that_multiply() -> Node:
    branches = [{"required": [f"p{index}"]} for index in range(30)]
    logical_keywords = [
        {"oneOf": branches},
        {"anyOf": branches[:15]},
        {"oneOf": branches[10:]},
        {"not": {"anyOf": branches}},
    ]
    return {"type": "object", "properties": {f"p{index}": _TEXT for index in range(30)}, "allOf": logical_keywords}


@_spec
def _twenty_rules_on_three_numbers() -> Node:
    return _ruled(_all(a=_WHOLE, b=_WHOLE, c=_WHOLE), *(f"self.a + self.b + self.c == {index}" for index in range(20)))


@_spec
def _rules_on_30_levels() -> Node:
    node = _ruled(_all(a=_WHOLE, b=_WHOLE), "self.a < self.b", "self.a > self.b")
    for _ in range(30):
        node = _ruled(_all(a=node, b=_WHOLE), "self.b < 0", "self.b > 1")
    return node


@_spec
def _rules_of_100_objects() -> Node:
    rules = [f"self.q0 {sign} self.q{index}" for sign in "<>" for index in range(1, 6)]
    return _all(**{f"o{at}": _ruled(_all(**{f"q{index}": _WHOLE for index in range(6)}), *rules) for at in range(100)})


@_spec
def _rules_of_800_items() -> Node:
    items = _list(_all(p=_WHOLE, q=_WHOLE), 800, maxItems=1000)
    return _ruled(_all(l=items), "self.l.all(x, x.p > x.q && x.p > 5)", "self.l.all(x, x.p < x.q)")
