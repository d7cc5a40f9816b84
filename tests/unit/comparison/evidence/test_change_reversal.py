"""Examples of changes that affect the same object: each shows its own change."""

from __future__ import annotations

from typing import Any

import pytest

from protoc_gen_crd.comparison.api_comparison import judge_changes
from protoc_gen_crd.comparison.change import Change
from protoc_gen_crd.comparison.evidence_severity import get_severity
from protoc_gen_crd.crd.crd_decoder import decode
from protoc_gen_crd.findings.finding import Severity

Json = Any


def _make_crd(spec: Json) -> Json:
    schema = {"type": "object", "properties": {"spec": {"type": "object", **spec}}}
    version = {"name": "v1", "served": True, "storage": True, "schema": {"openAPIV3Schema": schema}}
    return {
        "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
        "metadata": {"name": "widgets.acme.example"},
        "spec": {"group": "acme.example", "names": {"kind": "Widget", "plural": "widgets"}, "scope": "Namespaced",
                 "versions": [version]},
    }  # fmt: skip


def _with_name(**keywords: Json) -> Json:
    return {"properties": {"name": {"type": "string", **keywords}}}


RULES = [{"rule": "has(self.name)", "message": "no name"}, {"rule": "self.name != 'x'", "message": "name x"}]


@pytest.mark.parametrize(
    ("new", "words"),
    [
        (
            _with_name(minLength=2, maxLength=5, pattern="^a", enum=["aa", "ab"]),
            ["at least 2 chars", "more than 5 bytes", "match '^a'", "supported values"],
        ),
        ({**_with_name(maxLength=5), "required": ["name"]}, ["Required value", "more than 5 bytes"]),
        (
            {**_with_name(maxLength=5), "x-kubernetes-validations": RULES},
            ["no name", "name x", "more than 5 bytes"],
        ),
        (
            {"properties": {"name": {"type": "string", "maxLength": 5}}, "minProperties": 1},
            ["at least 1 properties", "more than 5 bytes"],
        ),
    ],
)  # fmt: skip
def test_each_change_has_an_example_of_its_own(new: Json, words: list[str]) -> None:
    old, changed = (decode(_make_crd(spec)).crd for spec in (_with_name(), new))
    assert old is not None
    assert changed is not None
    hints = [change.hint for change in judge_changes([old], [changed])]
    assert len(hints) == len(words)
    for text in words:
        assert sum(text in hint for hint in hints) == 1, hints


def _judge(old: Json, new: Json) -> dict[str, Change]:
    crds = [decode(_make_crd(spec)).crd for spec in (old, new)]
    assert crds[0] is not None
    assert crds[1] is not None
    return {change.rule: change for change in judge_changes(crds[:1], crds[1:])}  # type: ignore[arg-type]


def test_the_error_of_another_keyword_is_no_evidence() -> None:
    rules = {"x-kubernetes-validations": [{"rule": "self.size() < 3"}]}
    changes = _judge(
        _with_name(maxLength=9, pattern="^a", **rules),
        _with_name(maxLength=5, pattern="^b", enum=["ba", "ab"], **rules),
    )
    bound = changes["change-bound-tightened"]
    assert bound.example is None
    assert bound.hint == "no object was found that only the old API accepts"
    assert get_severity(bound) is Severity.WARNING
    assert "match '^b'" in changes["change-pattern"].hint
    assert 'supported values: "ba", "ab"' in changes["change-enum-added"].hint


def test_rules_that_were_not_checked_are_no_evidence() -> None:
    rules = {"x-kubernetes-validations": [{"rule": "self.name != 'x' || self.name == 'x'"}]}
    changes = _judge(_with_name(), {**_with_name(), **rules, "required": ["name"]})
    assert "Required value" in changes["change-required-added"].hint
    assert changes["change-rule-added"].example is None


@pytest.mark.parametrize("message", [{}, {"message": "no"}, {"messageExpression": "'n' + 'o'"}])
def test_rules_with_one_message_have_examples(message: Json) -> None:
    rules = [{"rule": f"self.name.size() < {limit}", **message} for limit in (5, 9)]
    field = {"properties": {"name": {"type": "string", "maxLength": 20}}, "required": ["name"]}
    crds = [decode(_make_crd(spec)).crd for spec in (field, {**field, "x-kubernetes-validations": rules})]
    assert crds[0] is not None
    assert crds[1] is not None
    changes = judge_changes(crds[:1], crds[1:])  # type: ignore[arg-type]
    assert [change.is_proven for change in changes] == [True, True]


def test_an_error_of_a_sibling_is_no_evidence() -> None:
    item = {"type": "object", "properties": {"a": {"type": "string"}}}
    size = {"type": "string", "default": "1", "maxLength": 5}
    sides: list[Json] = [
        {"properties": {"item": {**item, "x-kubernetes-preserve-unknown-fields": True}, "size": size}},
        {"properties": {"item": item, "size": {"type": "string", "maxLength": 5}}},
    ]
    changes = _judge(*({**side, "required": ["size"]} for side in sides))
    assert "spec.size: Required value" in changes["change-default-removed"].hint
    assert "is stored as" in changes["change-unknown-fields-pruned"].hint


def test_the_error_of_a_new_rule_is_no_evidence_for_a_removed_default() -> None:
    rules = [{"rule": "has(self.name)", "message": "no name"}]
    fields = {**_with_name(), "x-kubernetes-validations": rules}
    sides = [
        _make_crd({"properties": {"name": {"type": "string"}, "mode": {"type": "string", "default": "a"}}}),
        _make_crd({**fields, "properties": {"name": {"type": "string"}, "mode": {"type": "string"}}}),
    ]
    old, new = (decode(side).crd for side in sides)
    assert old is not None
    assert new is not None
    changes = {change.rule: change for change in judge_changes([old], [new])}
    assert changes["change-rule-added"].example is not None
    assert not changes["change-default-removed"].is_proven


def test_a_value_that_another_change_stores_differently_is_no_evidence() -> None:
    names = {"type": "array", "items": {"type": "string"}}
    mode = {"type": "string"}
    sides = [
        _make_crd({"properties": {"names": {**names, "x-kubernetes-list-type": "set"}, "mode": mode}}),
        _make_crd({"properties": {"names": names, "mode": {**mode, "default": "a"}}}),
    ]
    old, new = (decode(side).crd for side in sides)
    assert old is not None
    assert new is not None
    examples = {change.rule: change.example for change in judge_changes([old], [new])}
    assert examples["change-list-type-removed"] is None
    assert examples["change-default-added"] is not None


def test_an_error_whose_value_depends_on_a_change_is_no_evidence_for_it() -> None:
    names = {name: {"type": "string"} for name in "abc"}
    old: Json = {"properties": names, "required": [*names]}
    changes = _judge(
        old, {"properties": {"a": names["a"], "b": names["b"]}, "required": ["a", "b"], "maxProperties": 1}
    )
    assert "Too many: 2" in changes["change-bound-added"].hint
    assert changes["change-field-removed"].example is None
