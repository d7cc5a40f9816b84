from __future__ import annotations

from typing import Any

import pytest

from protoc_gen_crd.cel import environment
from protoc_gen_crd.cel.check import Checked, compiled
from protoc_gen_crd.cel.data import Reader
from protoc_gen_crd.cel.evaluate import EXCEEDED, Fault, Outcome, Program, program
from protoc_gen_crd.cel.evaluate.calls import UNGUARDED
from protoc_gen_crd.cel.evaluate.logic import OPERATORS, OTHERWISE
from protoc_gen_crd.cel.types import DYN, Declarations, Type
from protoc_gen_crd.schema.decode import PROPS, decoder

NEWEST = environment.stored(37)
BY_THE_EVALUATOR = {*OPERATORS, *OTHERWISE, "_?_:_", "_[_]", "_[?_]", "_?._"}
# Rules of CRDs have no authorizer to ask.
NEVER_CALLED = {"path", "group", "serviceAccount", "check", "resource", "subresource", "namespace", "name", "errored",
                "error", "allowed", "reason", "fieldSelector", "labelSelector"}  # fmt: skip


def made(text: str, variables: dict[str, Type] | None = None) -> Program | Fault:
    names = variables or {"self": DYN}
    checked = compiled(text, NEWEST, names)
    assert isinstance(checked, Checked), str(checked)
    return program(checked, NEWEST, tuple(names))


def run(text: str, limit: int = 1_000_000, **values: Any) -> Outcome:
    found = made(text)
    assert isinstance(found, Program)
    return found.run(values, limit)


@pytest.mark.parametrize("minor", [25, 29, 32, 35, 37])
def test_every_overload_has_what_runs_it(minor: int) -> None:
    lacking = {overload.name for overload in environment.stored(minor).overloads() if overload.implementation() is None}
    assert lacking <= BY_THE_EVALUATOR | NEVER_CALLED
    assert {each.name for each in NEWEST.overloads()} >= UNGUARDED


def test_a_program_runs_again_and_again() -> None:
    found = made("self + 1")
    assert isinstance(found, Program)
    assert [found.run({"self": number}).value for number in (1, 2, 3)] == [2, 3, 4]


def test_a_variable_that_is_not_given_fails_where_it_is_looked_at() -> None:
    assert run("self == 1").error == "no such attribute(s): self"
    assert run("true || self == 1").value is True


def test_constants_fail_before_anything_runs() -> None:
    assert made("int('x') == 1") == Fault("type conversion error from 'string' to 'int'")
    assert made("'a'.matches(dyn('(').size() == 1 ? 'a' : 'b')") != made("true")


def test_what_costs_too_much_ends() -> None:
    numbers = list(range(1000))
    assert run("self.all(x, self.all(y, x + y >= 0))", self=numbers).error == EXCEEDED
    outcome = run("self.all(x, x >= 0)", self=numbers)
    assert (outcome.value, outcome.error, outcome.cost) == (True, None, 5002)
    assert run("self.all(x, x >= 0)", 5001, self=numbers).error == EXCEEDED


def test_an_error_is_absorbed_by_what_decides() -> None:
    assert run("[1, 2, 0].exists(x, 4 / x == 2)").value is True
    assert run("[0, 3].exists(x, 4 / x == 2)").error == "division by zero"
    assert run("[0, 3].all(x, 4 / x == 2)").value is False
    assert run("1 / 0 == 1 && false").value is False


def test_data_is_read_where_it_is_looked_at() -> None:
    schema = decoder().value(
        {"type": "object", "properties": {"i": {"type": "integer"}, "a-b": {"type": "string", "format": "duration"}}},
        PROPS,
        (),
    )
    declarations = Declarations(environment.sizes(37))
    declared = declarations.of(schema)
    assert declared is not None
    found = made("has(self.i) && self.a__dash__b > duration('1m')", {"self": declared.typed("selfType")})
    assert isinstance(found, Program)
    read = Reader(declarations, 37).of(schema)
    assert found.run({"self": read({"i": 1, "a-b": "2 minutes"})}).value is True
    assert found.run({"self": read({"i": 1.5, "a-b": "2m"})}).error == "invalid data, expected int, got float64"
    assert found.run({"self": read({})}).value is False
