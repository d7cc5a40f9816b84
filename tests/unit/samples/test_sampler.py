"""The search for samples: its work is limited for each object."""

from __future__ import annotations

from typing import Any

import pytest

from protoc_gen_crd.cel.interpreter.program import Program
from protoc_gen_crd.samples.sampler import Sampler
from protoc_gen_crd.schema.schema import VALIDATIONS
from tests.unit.admission.crd_factory import crd, schema

EVALUATIONS = 100_000  # half a second


def test_rules_with_errors_are_evaluated_a_limited_number_of_times(monkeypatch: pytest.MonkeyPatch) -> None:
    """The cost of such an evaluation is nearly zero, but not its time."""
    count = 0
    evaluate = Program.evaluate

    def count_evaluation(self: Program, *arguments: Any) -> Any:
        nonlocal count
        count += 1
        return evaluate(self, *arguments)

    monkeypatch.setattr(Program, "evaluate", count_evaluation)
    rules = [{"rule": f"self.a != '{index}' && [1].all(x, x > {index + 1})"} for index in range(500)]
    node = {"type": "object", "properties": {"a": {"type": "string", "maxLength": 10}}, VALIDATIONS: rules}
    kind = crd(schema({"type": "object", "properties": {"spec": node}}))
    for full in (False, True):
        sample = Sampler().make_sample(kind, kind.versions[0], full=full)
        assert bool(sample.errors) is full
    assert 0 < count < EVALUATIONS
