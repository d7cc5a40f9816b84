"""Verdicts of a range of versions against those of its versions one by one, on random CRDs, objects and rules."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from protoc_gen_crd.admission.crd.rules.rule_compiler import RuleCompiler
from protoc_gen_crd.admission.expression_compiler import ExpressionCompiler
from protoc_gen_crd.admission.objects.rule_programs import RulePrograms
from protoc_gen_crd.admission.server import AdmissionServer
from protoc_gen_crd.cel.checker.checker import CheckedAst
from protoc_gen_crd.cel.checker.types import Type
from protoc_gen_crd.cel.environment import get_stored_environment
from protoc_gen_crd.crd.crd import Crd
from protoc_gen_crd.kubernetes.shared_results import RecordingSwitches, RequestSwitches, Switches
from protoc_gen_crd.kubernetes.supported_versions import NEWEST, OLDEST, list_minors
from tests.judges.celtypes.evaluated import typed
from tests.judges.celtypes.ours import schema_in
from tests.property.changes import select_all_versions
from tests.property.workloads.draws import draw_input, format_minors
from tests.property.workloads.expressions import _draw_expression
from tests.property.workloads.objects import _format_object_verdict

RANGE = range(OLDEST, NEWEST + 1)
OBJECTS, RULES = range(100, 250), range(400)


def judge(crd: Crd, inputs: dict[str, Any], minors: range) -> Any:
    server = AdmissionServer(minors, RuleCompiler())
    status = inputs.get("subresource") == "status"
    other = {**inputs["obj"], "spec": {}}  # an object before and after an update; unknown fields must not matter
    for obj in (other, inputs["obj"], other):
        yield format_minors(server.validate(crd, obj, inputs.get("old"), status=status), _format_object_verdict)


def list_object_differences(seeds: range) -> Iterator[tuple[int, int]]:
    for seed in seeds:
        inputs = draw_input(seed)
        crd = next((item.object for item in AdmissionServer(RANGE).admit_data(inputs["crd"]) if item.accepted), None)
        if crd is None:
            continue
        together = list(judge(crd, inputs, RANGE))
        for minor in RANGE:
            alone = [verdict for (verdict,) in judge(crd, inputs, range(minor, minor + 1))]
            if alone != [verdicts[minor - OLDEST] for verdicts in together]:
                yield seed, minor


def evaluate(switches: Switches, expression: dict[str, Any], kind: Type) -> Any:
    programs = RulePrograms(ExpressionCompiler(), switches)
    schema = schema_in(expression)
    declared = programs.declarations.declare(schema, root=expression.get("root", False))
    assert declared is not None
    _, program, error = programs._get_program(expression["expr"], declared, kind, is_optional=False)
    if program is None:
        return error
    read = programs.reader.make_reader(schema, root=expression.get("root", False))
    values: dict[str, Any] = {name: read(expression[name]) for name in ("self", "oldSelf") if name in expression}
    outcome = program.evaluate(values)
    value = None if outcome.error is not None else repr(typed(outcome.value))
    return value, outcome.error, outcome.cost


def list_rule_differences(seeds: range) -> Iterator[tuple[str, int, int, Any, Any]]:
    for seed in seeds:
        expression = _draw_expression(NEWEST - seed % len(RANGE), seed)
        if "schema" not in expression:
            continue
        minor = NEWEST - seed % len(RANGE)
        compiler = ExpressionCompiler()
        declared = compiler.get_declarations(minor).declare(schema_in(expression), root=expression.get("root", False))
        if declared is None:
            continue
        checked = compiler.compile_expression(
            expression["expr"], get_stored_environment, declared, Switches(minor), is_optional=False
        )
        kind = checked.type if isinstance(checked, CheckedAst) else Type("bool", "bool")
        switches = RequestSwitches(minor)
        outcome = evaluate(switches, expression, kind)
        for alike in list_minors(switches.select(sum(1 << minor for minor in RANGE))):
            alone = evaluate(Switches(alike), expression, kind)
            if alone != outcome:
                yield expression["expr"], minor, alike, outcome, alone


def test_objects_have_the_same_verdicts_in_a_range_and_alone() -> None:
    assert list(list_object_differences(OBJECTS)) == []


def test_rules_have_the_same_outcomes_in_all_versions_that_are_alike() -> None:
    assert list(list_rule_differences(RULES)) == []


def test_versions_that_are_alike_by_mistake_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(RecordingSwitches, "select", select_all_versions)
    assert next(list_object_differences(OBJECTS), None)
    assert next(list_rule_differences(RULES), None)
