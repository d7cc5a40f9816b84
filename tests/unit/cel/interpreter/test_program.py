from __future__ import annotations

from typing import Any

import pytest

from protoc_gen_crd.cel import environment
from protoc_gen_crd.cel.checker.checker import CheckedAst, compile_text
from protoc_gen_crd.cel.checker.types import DYN, DeclarationFactory, Type
from protoc_gen_crd.cel.interpreter.function_calls import UNGUARDED
from protoc_gen_crd.cel.interpreter.logical_operators import OPERATORS, OPTIONAL_OPERATORS
from protoc_gen_crd.cel.interpreter.program import BUDGET_EXCEEDED, EvalResult, Program, ProgramError, make_program
from protoc_gen_crd.cel.values.schema_values import ValueReaderFactory
from protoc_gen_crd.kubernetes.shared_results import Switches
from protoc_gen_crd.schema.schema_decoder import PROPS, make_decoder

NEWEST = environment.get_stored_environment(37)
BY_THE_EVALUATOR = {*OPERATORS, *OPTIONAL_OPERATORS, "_?_:_", "_[_]", "_[?_]", "_?._"}
# Rules of CRDs have no authorizer to ask.
NEVER_CALLED = {"path", "group", "serviceAccount", "check", "resource", "subresource", "namespace", "name", "errored",
                "error", "allowed", "reason", "fieldSelector", "labelSelector"}  # fmt: skip


def compile_program(text: str, variables: dict[str, Type] | None = None) -> Program | ProgramError:
    names = variables or {"self": DYN}
    checked = compile_text(text, NEWEST, names)
    assert isinstance(checked, CheckedAst), str(checked)
    return make_program(checked, NEWEST, tuple(names))


def run(text: str, limit: int = 1_000_000, **values: Any) -> EvalResult:
    program = compile_program(text)
    assert isinstance(program, Program)
    return program.evaluate(values, limit)


@pytest.mark.parametrize("minor", [25, 29, 32, 35, 37])
def test_every_overload_has_what_runs_it(minor: int) -> None:
    lacking = {
        overload.name
        for overload in environment.get_stored_environment(minor).list_overloads()
        if overload.load_binding() is None
    }
    assert lacking <= BY_THE_EVALUATOR | NEVER_CALLED
    assert {overload.name for overload in NEWEST.list_overloads()} >= UNGUARDED


def test_a_program_runs_again_and_again() -> None:
    program = compile_program("self + 1")
    assert isinstance(program, Program)
    assert [program.evaluate({"self": number}).value for number in (1, 2, 3)] == [2, 3, 4]


def test_a_missing_variable_fails_on_access() -> None:
    assert run("self == 1").error == "no such attribute(s): self"
    assert run("true || self == 1").value is True


def test_a_call_whose_argument_panics_costs_nothing() -> None:
    assert run("1 + (dyn(b'a') in [1, 2] ? 1 : 2)").cost == 0
    assert run("dyn([1])[1] + (dyn(b'a') in [1, 2] ? 1 : 2)").cost == 2  # the left operand fails, the right one panics


def test_the_cost_of_a_call_is_computed_from_the_error_of_its_argument() -> None:
    message = "internal error: interface conversion: {} is not traits.Lister: missing method Add"  # Kubernetes 1.37
    assert run("dyn(self)[7].distinct() == [1]", self=[[1]]).error == message.format("*types.Err")
    assert run("dyn(self)[0].distinct() == [1]", self=[None]).error == message.format("types.Null")


def test_constants_fail_before_anything_runs() -> None:
    assert compile_program("int('x') == 1") == ProgramError("type conversion error from 'string' to 'int'")
    assert compile_program("'a'.matches(dyn('(').size() == 1 ? 'a' : 'b')") != compile_program("true")


def test_what_costs_too_much_ends() -> None:
    numbers = list(range(1000))
    assert run("self.all(x, self.all(y, x + y >= 0))", self=numbers).error == BUDGET_EXCEEDED
    outcome = run("self.all(x, x >= 0)", self=numbers)
    assert (outcome.value, outcome.error, outcome.cost) == (True, None, 5002)
    assert run("self.all(x, x >= 0)", 5001, self=numbers).error == BUDGET_EXCEEDED


def test_an_error_is_absorbed_by_what_decides() -> None:
    assert run("[1, 2, 0].exists(x, 4 / x == 2)").value is True
    assert run("[0, 3].exists(x, 4 / x == 2)").error == "division by zero"
    assert run("[0, 3].all(x, 4 / x == 2)").value is False
    assert run("1 / 0 == 1 && false").value is False


def test_data_is_read_on_access() -> None:
    schema = make_decoder().decode_value(
        {"type": "object", "properties": {"i": {"type": "integer"}, "a-b": {"type": "string", "format": "duration"}}},
        PROPS,
        (),
    )
    declarations = DeclarationFactory(environment.get_sizes(37))
    declared = declarations.declare(schema)
    assert declared is not None
    program = compile_program(
        "has(self.i) && self.a__dash__b > duration('1m')", {"self": declared.get_type("selfType")}
    )
    assert isinstance(program, Program)
    read = ValueReaderFactory(declarations, Switches(37)).make_reader(schema)
    assert program.evaluate({"self": read({"i": 1, "a-b": "2 minutes"})}).value is True
    assert program.evaluate({"self": read({"i": 1.5, "a-b": "2m"})}).error == "invalid data, expected int, got float64"
    assert program.evaluate({"self": read({})}).value is False
