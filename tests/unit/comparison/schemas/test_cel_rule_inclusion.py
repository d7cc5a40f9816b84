"""CEL rules that accept the same objects as before, or more."""

from __future__ import annotations

from typing import Any

import pytest

from protoc_gen_crd.comparison.api_comparison import judge_changes
from protoc_gen_crd.comparison.change import Change, ChangeClass
from tests.unit.comparison.evidence.test_evidence_search import make_crd

NONE, LOOSEN, TIGHTEN = ChangeClass.NONE, ChangeClass.LOOSEN, ChangeClass.TIGHTEN
_TEXT = {"type": "string", "maxLength": 20}
_PROPERTIES: dict[str, Any] = {
    "a": {"type": "integer"},
    "b": _TEXT,
    "c": {"type": "array", "maxItems": 5, "items": _TEXT},
    "d": {"type": "number"},
    "k": {"type": "object", "properties": {"n": {"type": "integer"}}},
}


def _compare(old: list[str], new: list[str], **keywords: Any) -> list[Change]:
    schemas = (
        {"type": "object", "properties": _PROPERTIES, "x-kubernetes-validations": [{"rule": rule} for rule in rules],
         **keywords}
        for rules in (old, new)
    )  # fmt: skip
    first, second = map(make_crd, schemas)
    return [*judge_changes([first], [second])]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("!(self.a > 3 && self.b == 'x')", "!(self.a > 3) || !(self.b == 'x')"),
        ("has(self.a) ? self.a > 1 : true", "!has(self.a) || self.a > 1"),
        ("has(self.a) ? self.a > 1 : true", "!(has(self.a) && self.a <= 1)"),
        ("self.a > 1", "has(self.a) && self.a > 1"),
        ("self.a > 1", "!(self.a <= 1)"),
        ("self.b == 'x' || self.b == 'y'", "self.b in ['y', 'x']"),
        ("self.c.size() > 0", "size(self.c) != 0"),
        ("self.c.size() < 1", "self.c.size() == 0"),
        ("has(self.a) == has(self.b)", "(has(self.a) && has(self.b)) || (!has(self.a) && !has(self.b))"),
        ("self.b.size() < 9 && self.c.all(x, x != '')", "self.c.all(x, x != '') && self.b.size() < 9"),
    ],
)
def test_rules_with_the_same_result_have_no_effect(first: str, second: str) -> None:
    for old, new in ((first, second), (second, first)):
        (change,) = _compare([old], [new])
        assert (change.rule, change.change_class) == ("change-no-effect", NONE)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("self.a > 0 && self.b != ''", "self.a > 0"),
        ("self.a > 1", "self.a > 1 || self.b == 'x'"),
        ("self.a <= 10", "self.a <= 20"),
        ("self.a >= 6", "self.a > 5"),
        ("!has(self.a) || self.a < 5", "!has(self.a) || self.a < 6"),
        ("self.b in ['x', 'y']", "self.b in ['x', 'y', 'z']"),
        ("self.b == 'x'", "self.b != 'y'"),
        ("self.a == 1", "self.a >= 1"),
        ("self.d < 1.5", "self.d < 2.5"),
        ("self.c.all(x, x.size() < 3)", "self.c.all(item, item.size() < 5)"),
        ("self.c.all(x, x != '' && x != 'y')", "self.c.all(x, x != '')"),
        ("self.a == oldSelf.a && self.b == oldSelf.b", "self.a == oldSelf.a"),
    ],
)
def test_a_rule_can_be_loosened(first: str, second: str) -> None:
    (loosened,), (tightened,) = _compare([first], [second]), _compare([second], [first])
    assert (loosened.rule, loosened.change_class) == ("change-rule", LOOSEN)
    assert (tightened.rule, tightened.change_class) == ("change-rule", TIGHTEN)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("!has(self.a) || self.a > 1", "self.a > 1"),  # no such key
        ("!(self.a > 1 && self.b == 'x')", "!(self.a > 1)"),
        ("self.d > 1.0", "self.d > 1.5"),
        ("!(double(self.b) > 1.0)", "double(self.b) <= 1.0"),  # NaN
        ("self.k.n > 1", "!has(self.k) || self.k.n > 2"),
        ("self.c.all(x, x != '')", "self.c.all(x, x == '')"),
        ("self.c.exists(x, x == 'a')", "self.c.exists(x, x == 'b')"),
        ("has(self.a) || has(self.b)", "has(self.a)"),
        ("self.c == ['a']", "self.c == ['a', 'b']"),
        ("self.a == oldSelf.a", "self.a > 1"),  # is not evaluated for a creation
        ("self.a > 1 || self.c.all(x, x != '')", "self.c.all(x, x != '') || self.a > 1"),  # the cost differs
        ("self.a > 1", "self.c.all(x, x != '') || self.a > 1"),  # the cost differs
        ("self.a <= 9007199254740992", "self.a <= 9007199254740993.0"),
    ],
)
def test_other_rules_may_reject_objects(first: str, second: str) -> None:
    (change,) = _compare([first], [second])
    assert (change.rule, change.change_class) == ("change-rule", TIGHTEN)


def test_a_rule_can_be_divided() -> None:
    for rules in (["self.a > 1 && self.b == 'x'"], ["self.b == 'x'", "self.a > 1"]):
        changes = _compare(["self.a > 1 && self.b == 'x'", "has(self.c)"], [*rules, "has(self.c)"])
        assert {change.change_class for change in changes} <= {NONE}


def test_a_rule_is_evaluated_only_once_instead_of_another_one() -> None:
    expensive = "self.c.all(x, x != 'y')"
    changes = _compare([f"{expensive} && self.a > 1"], [expensive, "self.a > 1"])
    assert [change.change_class for change in changes] == [LOOSEN]
    changes = _compare([f"{expensive} && self.a > 1"], [f"{expensive} && self.a > 1", expensive])
    assert [change.change_class for change in changes] == [TIGHTEN]


def test_a_required_field_needs_no_guard() -> None:
    required = _compare(["!has(self.a) || self.a > 1"], ["self.a > 1"], required=["a"])
    assert [change.rule for change in required] == ["change-no-effect"]


_NAME = {"name": _TEXT}
_UNIQUE = "self.all(x, !has(x.name) || self.exists_one(y, has(y.name) && y.name == x.name))"


def _compare_lists(rule: str, *, limit: int = 9, **keywords: Any) -> set[ChangeClass]:
    """Return the classes of a rule on a list whose items get a name."""
    item = {"type": "object", "properties": {"n": {"type": "integer"}}, **keywords}
    node = {"type": "array", "maxItems": limit, "items": item}
    named = {**node, "items": {**item, "properties": {**item["properties"], **_NAME}}}
    rules = {"x-kubernetes-validations": [{"rule": rule}]}
    old, new = (make_crd({"type": "object", "properties": {"l": part}}) for part in (node, {**named, **rules}))
    return {change.change_class for change in judge_changes([old], [new]) if change.rule != "change-field-added"}


def test_a_rule_on_new_fields_of_items_rejects_nothing() -> None:
    assert _compare_lists(_UNIQUE) == {NONE}
    assert TIGHTEN in _compare_lists("self.all(x, has(x.name))")
    assert TIGHTEN in _compare_lists(_UNIQUE, limit=1_000)  # the cost
    assert TIGHTEN in _compare_lists(_UNIQUE, **{"x-kubernetes-preserve-unknown-fields": True})


def _compare_unions(rule: str, **keywords: Any) -> set[ChangeClass]:
    """Return the classes of a rule on a union that gets a member."""
    old = {"type": "object", "properties": {"type": {"type": "string", "enum": ["A"]}, "a": _TEXT}, **keywords}
    kind = {"type": "string", "enum": ["A", "B"]}
    new = {**old, "properties": {"type": kind, "a": _TEXT, "b": _TEXT}, "x-kubernetes-validations": [{"rule": rule}]}
    crds = [make_crd({"type": "object", "properties": {"union": union}}) for union in (old, new)]
    changes = judge_changes(crds[:1], crds[1:])
    return {change.change_class for change in changes if change.path.endswith("union")}


def test_a_rule_on_a_new_value_of_an_enum_rejects_nothing() -> None:
    rule = "!(!has(self.b) && self.type == 'B')"
    assert _compare_unions(rule, required=["type"]) == {NONE}
    assert _compare_unions("has(self.type) && self.type == 'B' ? has(self.b) : !has(self.b)") == {NONE}
    assert _compare_unions(rule) == {TIGHTEN}  # no such key
    assert _compare_unions("self.type == 'B'", required=["type"]) == {TIGHTEN}
    assert _compare_unions("self.type == 'A' ? has(self.a) : !has(self.a)", required=["type"]) == {TIGHTEN}


def test_a_rule_on_a_new_field_of_embedded_metadata_rejects_objects() -> None:
    """Kubernetes 1.37.2 accepts the CRD, and rejects all pods: the type of their metadata has two fields."""
    labels = {"labels": {"type": "object"}}
    metadata = {"type": "object", "properties": labels}
    added = {"type": "object", "properties": {**labels, "added": _TEXT}}
    rules = {"x-kubernetes-validations": [{"rule": "has(self.added) == has(self.added)"}]}
    old, new = (
        make_crd({"type": "object", "x-kubernetes-embedded-resource": True, "properties": {"metadata": part}})
        for part in (metadata, {**added, **rules})
    )
    (change,) = (change for change in judge_changes([old], [new]) if change.rule == "change-rule-added")
    assert change.change_class is TIGHTEN
    assert "undefined field 'added'" in change.hint
