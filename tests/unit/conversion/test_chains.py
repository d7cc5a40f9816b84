"""Chains of versions: every version may be the hub, and what two steps say together."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from protoc_gen_crd.base.diagnostics import Problems
from protoc_gen_crd.conversion.links import joined, within
from protoc_gen_crd.conversion.modules import converter
from protoc_gen_crd.conversion.planning import plan_of
from protoc_gen_crd.conversion.prove import Prover
from tests.support.conversion import FOLDER, Case

HUBS = [(name, hub) for name in ("chains", "chains-of-parts") for hub in ("v1alpha1", "v1alpha2", "v1beta1")]


@pytest.mark.parametrize(("name", "hub"), [each for each in HUBS if each != ("chains-of-parts", "v1alpha2")])
def test_any_version_may_be_the_hub(name: str, hub: str) -> None:
    case, problems = Case(FOLDER / name), Problems()
    plan = plan_of(case.crd.replace(hub=hub), problems)
    assert plan is not None
    assert problems.findings == []
    assert [
        proof.broken for proof in Prover(60, 1).prove(plan, converter(plan, str(case.folder))) if proof.broken
    ] == []


@pytest.mark.parametrize(
    ("text", "inner", "wanted"),
    [
        ("self", "int(self)", "int(self)"),
        ("self + 1", "self", "self + 1"),
        ("self + 1", "self * 2", "(self * 2) + 1"),
        ("int(self)", "self + 'x'", "int(self + 'x')"),
        ("a.self + self + 'self'", "string(self)", "a.self + string(self) + 'self'"),
        ("-self", "self.size()", "-self.size()"),
        ("self.size()", "self ? 'a' : 'b'", "(self ? 'a' : 'b').size()"),
        ("f(self, [self])", "self || x", "f(self || x, [self || x])"),
        ("self == root.a ? 1 : 2", "self + 1", ""),
        ("self + 1", "self > 0 ? self : null", ""),
    ],
)
def test_one_expression_of_two(text: str, inner: str, wanted: str) -> None:
    assert within(text, inner) == wanted


@pytest.mark.parametrize(
    ("outer", "inner", "wanted"),
    [
        ({}, {}, {}),
        ({"factor": Fraction(60)}, {"factor": Fraction(1, 60)}, {}),
        ({"factor": Fraction(60)}, {"factor": Fraction(1, 7)}, {"factor": Fraction(60, 7)}),
        ({"one_item": True}, {"one_item": True}, {}),
        ({"default": 1}, {"default": 2}, {"default": 2}),
        ({"given": 1}, {"given": 2}, {"given": 1}),
        ({"values": (("a", "b"),)}, {"preserved": True}, {"preserved": True}),
        ({"values": (("b", "c"),)}, {"values": (("a", "b"),)}, {"values": (("a", "c"),)}),
        ({"values": (("b", "c"),)}, {"values": (("a", "x"),)}, {"values": (("a", "x"), ("b", "c"))}),
        ({"values": (("b", "a"),)}, {"values": (("a", "b"),)}, {"values": (("a", "a"),)}),
        ({"values": (("b", "c"),)}, {"factor": Fraction(2)}, None),
        ({"cel": {"from": "root.a"}}, {}, None),
        ({}, {"cel": {"to": "root.a"}}, None),
        ({}, {"cel": {"from": "root.a"}}, {"cel": {"from": "root.a"}}),
    ],
)
def test_words_of_two_steps(outer: Any, inner: Any, wanted: Any) -> None:
    assert joined(outer, inner) == wanted
