"""CEL rules that are spelled differently."""

from __future__ import annotations

import pytest

from protoc_gen_crd.comparison.api_comparison import compare_apis
from protoc_gen_crd.comparison.change import Change, ChangeClass
from protoc_gen_crd.comparison.schemas.cel_rule_normal_form import normalize_rule
from tests.unit.comparison.evidence.test_evidence_search import make_crd


def compare(first: str, second: str) -> Change:
    old, new = (make_crd({"x-kubernetes-validations": [{"rule": rule}]}) for rule in (first, second))
    (change,) = compare_apis([old], [new])
    return change


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("self.size()<9", "self.size() < 9"),
        ("self == 'a'", 'self == "a"'),
        ("(self.size()) < 9", "self.size() < 9 // not too long"),
        ("self.size() < 9 && (self != 'a' && self != 'b')", "self.size() < 9 && self != 'a' && self != 'b'"),
        ("self.exists(x,x==1)", "self.exists( x, x == 1 )"),
        ("self <\n  9", "self < 9"),
        ("size(self) < 9", "self.size() < 9"),
        ("self > 1 && self < 5", "self < 5 && self > 1"),
        ("self > 1", "1 < self"),
        ("self != 'a' || self == 'b'", "'b' == self || !(self == 'a')"),
        ("self.all(x, x > 1)", "self.all(y, 1 < y)"),
        ("self.all(x, self.exists(y, x == y))", "self.all(y, self.exists(x, x == y))"),
        ("self.all(x, x.all(x, x > 1))", "self.all(x, x.all(y, y > 1))"),
        ("self.map(i, i + 1) == [x]", "[x] == self.map(j, j + 1)"),
        ("self.a ? {'k': [1]} : {}", '(self.a) ? {"k": [1]} : {}'),
    ],
)
def test_the_spelling_has_no_effect(first: str, second: str) -> None:
    assert normalize_rule(first) == normalize_rule(second)
    change = compare(first, second)
    assert (change.rule, change.change_class) == ("change-no-effect", ChangeClass.NONE)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("self == 'a b'", "self == 'a  b'"),
        ("self == 'a'", "self == b'a'"),
        ("self < 1", "self < 1.0"),
        ("self.a || self.b && self.c", "(self.a || self.b) && self.c"),
        ("not a rule (", "not a rule  ("),
        ("self > 1", "self < 1"),
        ("self - 1 > 0", "1 - self > 0"),
        ("!(double(self) > 1.0)", "double(self) <= 1.0"),  # NaN
        ("self.all(x, x > y)", "self.all(y, y > y)"),
        ("self.all(x, self.exists(y, x == self))", "self.all(x, self.exists(y, y == self))"),
        ("self.size() < 9 || self.all(x, x > 1)", "self.all(x, x > 1) || self.size() < 9"),  # the cost differs
        ("has(self.a)", "self.a"),
        ("self.a ? self.b : self.c", "self.a ? self.c : self.b"),
    ],
)
def test_other_expressions_differ(first: str, second: str) -> None:
    assert normalize_rule(first) != normalize_rule(second)
    change = compare(first, second)
    assert (change.rule, change.change_class) == ("change-rule", ChangeClass.TIGHTEN)
