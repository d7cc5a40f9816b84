"""Estimates from Kubernetes' own tests, for 1.37 if no version is named."""

from __future__ import annotations

from typing import Any

import pytest

from protoc_gen_crd.cel import environment
from protoc_gen_crd.cel.checker.checker import CheckedAst, compile_text
from protoc_gen_crd.cel.checker.types import DeclarationFactory
from protoc_gen_crd.cel.cost.cost_estimate import estimate
from protoc_gen_crd.schema.schema_decoder import PROPS, make_decoder

Json = dict[str, Any]


def most(schema: Json, rule: str, minor: int = 37) -> int:
    declared = DeclarationFactory(environment.get_sizes(minor)).declare(make_decoder().decode_value(schema, PROPS, ()))
    assert declared is not None
    kind, within = declared.get_type("selfType"), environment.get_stored_environment(minor)
    compiled = compile_text(rule, within, {"self": kind, "oldSelf": kind})
    assert isinstance(compiled, CheckedAst), compiled
    return estimate(compiled, within.minor, declared)[1]


def text(longest: int | None = None, **more: object) -> Json:
    return {"type": "string", **({} if longest is None else {"maxLength": longest}), **more}


def items(item: Json, longest: int | None = None) -> Json:
    return {"type": "array", "items": item, **({} if longest is None else {"maxItems": longest})}


def values(value: Json, most_: int | None = None) -> Json:
    return {"type": "object", "additionalProperties": value, **({} if most_ is None else {"maxProperties": most_})}


NUMBER: Json = {"type": "number"}
NAMED: Json = {"type": "object", "properties": {"required": text()}, "required": ["required"]}
THREE = ["str", "before", "after"]


def three(*longest: int | None) -> Json:
    return {"type": "object", "properties": dict(zip(THREE, map(text, longest), strict=True))}


GOLDEN = [
    (items(NUMBER), items(NUMBER, 10), "self.all(x, true)", 4718591, 32),
    (items(text()), items(text(), 20), "self.all(x, true)", 3145727, 62),
    (items({"type": "boolean"}), items({"type": "boolean"}, 5), "self.all(x, true)", 1887437, 17),
    (items(text(format="date")), items(text(format="date"), 15), "self.all(x, true)", 725936, 47),
    (items(text(format="date-time")), items(text(format="date-time"), 25), "self.all(x, true)", 428963, 77),
    (items(text(format="duration")), items(text(format="duration"), 5), "self.all(x, true)", 2359295, 17),
    (items(NAMED), items(NAMED, 50), "self.all(x, true)", 555128, 152),
    (values(NUMBER), values(NUMBER, 10), "self.all(x, true)", 1348169, 32),
    (values(text()), values(text(), 3), "self.all(x, true)", 1179647, 11),
    (values({"type": "boolean"}), values({"type": "boolean"}, 100), "self.all(x, true)", 943718, 302),
    (text(), text(10), "self.contains('test')", 314574, 5),
    (text(), text(10), "self.startsWith('test')", 2, 2),
    (text(), text(4), 'size(self + "hello") > size("hello")', 314578, 7),
    (text(), text(50), 'self.matches("x")', 314574, 22),
    (text(), text(10), "self.find('[0-9]+') == ''", 629147, 11),
    (text(), text(0), 'self == "x"', 2, 1),
    (items(text()), items(text(), 10), "self[1] == self[1]", 314577, 314577),
    (items(text()), items(text(10), 10), "self.join(' ') == 'aa bb'", 329853068905, 43),
    (items(text()), items(text(10), 10), "self.isSorted() == true", 329854432052, 52),
    (three(None, 2, 4), three(4, 2, 4), "self.str.replace(self.before, self.after) == 'does not matter'", 629154, 12),
    (values(text()), values(text(), 10), "self.all(x, x.contains(self[x]))", 2752507, 72),
    (values({"type": "integer"}), values({"type": "integer"}, 9), "oldSelf.size() == self.size()", 5, 5),
]  # fmt: skip


@pytest.mark.parametrize(
    ("unlimited", "limited", "rule", "maximum", "limited_maximum"), GOLDEN, ids=lambda value: str(value)[:40]
)
def test_golden(unlimited: Json, limited: Json, rule: str, maximum: int, limited_maximum: int) -> None:
    assert (most(unlimited, rule), most(limited, rule)) == (maximum, limited_maximum)


def test_loops_in_loops_multiply() -> None:
    rule = "self.all(x, self.all(y, true))"
    assert most(items(NUMBER, 10), rule) == 352
    assert most(items(NUMBER), rule) > 10_000_000
    assert most(items(NUMBER, 10), "self.all(x, self.all(y, self.all(z, true)))") == 3552


SHARED = {
    "type": "object",
    "properties": {
        "a": items(
            {
                "type": "object",
                "properties": {"c": text(1000), "d": text(10), "l": items(text(50), 7), "i": {"type": "integer"}},
            },
            4,
        )
    },
}


@pytest.mark.parametrize(
    ("rule", "newer", "older"),
    [
        ("self.a.all(x, 'aaaaaaaaaaa'.contains([x.c, x.d][0]))", 3275, 75),
        ("self.a.all(x, x.l[x.i] == x.c)", 1643, 123),
        ("self.a.all(x, x.c.contains(x.d))", 6431, 6431),
    ],
)
def test_paths_that_overwrite_each_other(rule: str, newer: int, older: int) -> None:
    """Compare with estimates recorded from servers 1.37, 1.32 and 1.29."""
    assert [most(SHARED, rule, minor) for minor in (37, 32, 29)] == [newer, older, older]


@pytest.mark.parametrize(
    ("minor", "schema", "rule", "cost"),
    [
        (28, text(enum=["A", "LongValue"]), "self.contains('A')", 314574),
        (29, text(enum=["A", "LongValue"]), "self.contains('A')", 2),
        (33, {"x-kubernetes-int-or-string": True, "maxLength": 20}, "isQuantity(self)", 314574),
        (34, {"x-kubernetes-int-or-string": True, "maxLength": 20}, "isQuantity(self)", 9),
        (28, three(None, None, None), "has(self.str)", 2),
        (29, three(None, None, None), "has(self.str)", 1),
        (27, three(None, None, None), "has(self.str)", 0),
        (29, items(text(), 5), "self.map(x, x).all(x, true)", (1 << 64) - 1),
        (30, items(text(), 5), "self.map(x, x).all(x, true)", 93),
        (27, text(5), "self == '\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9'", 3),
        (28, text(5), "self == '\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9'", 2),
        (31, text(5), "quantity(self) == quantity(self)", 1844674407370955264 + 6),
        (32, text(5), "quantity(self) == quantity(self)", 7),
        (36, text(5), "matches(self, 'a')", 2),
        (37, text(5), "matches(self, 'a')", 4),
        (28, items(text(), 5), "'a' in self.map(x, x)", (1 << 63) + 77),
        (29, items(text(), 5), "'a' in self.map(x, x)", (1 << 64) - 1),
    ],
)
def test_versions_differ(minor: int, schema: Json, rule: str, cost: int) -> None:
    assert most(schema, rule, minor) == cost
