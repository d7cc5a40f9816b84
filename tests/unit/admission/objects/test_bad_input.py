"""Objects that are made to break a validator: each gets its verdict, within seconds."""

from __future__ import annotations

from typing import Any

import pytest

from protoc_gen_crd.admission.field_errors import BAD_REQUEST
from protoc_gen_crd.admission.server import AdmissionServer
from protoc_gen_crd.admission.verdicts import Verdict
from protoc_gen_crd.regex.syntax_check import ResourceLimitError
from tests.unit.admission.crd_factory import crd, schema

S, N = {"type": "string"}, {"type": "integer"}
OPEN = {"type": "object", "x-kubernetes-preserve-unknown-fields": True}
MANY = list(range(30_000))


def judged(node: dict[str, Any], value: Any, old: Any = None) -> Verdict:
    definition = crd(schema({"type": "object", "properties": {"a": node}}))
    start = {"apiVersion": "example.com/v1", "kind": "Thing", "metadata": {"name": "x"}}
    before = None if old is None else {**start, "a": old}
    (verdict,) = AdmissionServer([37]).validate(definition, {**start, "a": value}, before)
    return verdict


def texts(verdict: Verdict) -> list[str]:
    return [cause.message for cause in verdict.causes]


def nested(depth: int, of: Any = None) -> Any:
    node = of
    for _ in range(depth):
        node = {"a": node}
    return node


def listed(depth: int) -> Any:
    node: Any = 1
    for _ in range(depth):
        node = [node]
    return node


@pytest.mark.parametrize("node", [OPEN, {"type": "object", "additionalProperties": True}])
def test_deep_nesting(node: dict[str, Any]) -> None:
    assert judged(node, {"b": nested(9000)}).accepted
    assert judged(node, {"b": listed(9000)}).accepted
    assert judged(node, {"b": nested(9000)}, {"b": nested(9000, 1)}).accepted


def test_a_deep_value_that_is_shown() -> None:
    (text,) = texts(judged({**OPEN, "enum": [1]}, nested(1000)))
    assert text.startswith('a: Unsupported value: {"a":{"a":')


def test_a_deep_schema() -> None:
    node: dict[str, Any] = S
    for _ in range(900):
        node = {"type": "object", "properties": {"a": node}}
    assert judged(node, nested(900, "x")).accepted
    assert len(texts(judged(node, nested(900, 1)))) == 1


def test_long_lists() -> None:
    assert judged({"type": "array", "items": N}, MANY).accepted
    assert len(judged({"type": "array", "items": S}, MANY).causes) == len(MANY)
    unique = {"type": "array", "items": N, "x-kubernetes-list-type": "set"}
    assert texts(judged(unique, [*MANY, 5])) == ["a[30000]: Duplicate value: 5"]
    item = {"type": "object", "required": ["k"], "properties": {"k": N, "v": {**N, "maximum": 1}}}
    keyed = {"type": "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["k"], "items": item}
    value = [{"k": key, "v": 2} for key in MANY]
    assert judged(keyed, value, value[::-1]).accepted  # all is as it was


def test_a_pattern_that_explodes_elsewhere() -> None:
    assert len(judged({**S, "pattern": "^(a+)+$"}, "a" * 100_000 + "!").causes) == 1


def test_a_pattern_beyond_the_memory_limit_is_reported_as_not_judged(monkeypatch: pytest.MonkeyPatch) -> None:
    from protoc_gen_crd.regex import matcher

    def compile(pattern: str, *, go: int) -> None:  # noqa: A001 - as there
        raise ResourceLimitError(pattern)

    monkeypatch.setattr(matcher, "compile", compile)
    verdict = judged({**S, "pattern": "a"}, "a")
    assert texts(verdict) == ["not judged: a"]


def test_odd_scalars() -> None:
    assert texts(judged({**S, "pattern": "^a$"}, "\x00")) == [
        r"""a: Invalid value: "\x00": a in body should match '^a$'"""
    ]
    verdict = judged({"type": "number"}, float("nan"))
    assert [(cause.type, cause.message) for cause in verdict.causes] == [(BAD_REQUEST, "json: unsupported value: NaN")]
    assert judged({"type": "number"}, 10**30).accepted
    assert "cannot unmarshal number" in judged({"type": "number"}, 10**400).message


def test_a_rule_that_runs_to_its_budget() -> None:
    rule = {"rule": "self.all(x, self.all(y, self.all(z, z >= 0)))"}
    node = {"type": "array", "maxItems": 200, "items": N, "x-kubernetes-validations": [rule, {"rule": "false"}]}
    (text,) = texts(judged(node, list(range(200))))
    assert "operation cancelled: actual cost limit exceeded" in text
