"""Findings for verdicts of API servers on a CRD."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from protoc_gen_crd.admission.crd.rules.rule_compiler import RuleCompiler
from protoc_gen_crd.admission.server import AdmissionServer
from protoc_gen_crd.findings.finding import Location, PlacesOnDemand, Problems
from protoc_gen_crd.generation import admission_findings
from protoc_gen_crd.generation.admission_findings import check_admission, report_verdicts
from protoc_gen_crd.schema.schema import Schema, iterate_nodes
from tests.unit.admission.crd_factory import crd, schema


def test_fields_are_collected_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """The hints for all unknown fields share the names of the fields."""
    collected: list[object] = []

    def collect(roots: Iterator[Schema | None]) -> Iterator[Schema]:
        collected.append(roots)
        return iterate_nodes(roots)

    monkeypatch.setattr(admission_findings, "iterate_nodes", collect)
    node: dict[str, Any] = {"type": "object", "properties": {"colour": {"type": "string"}}}
    for name in ("a", "b", "c"):
        rules = [{"rule": f"self.{name}.color == ''"}]
        node = {"type": "object", "properties": {name: node}, "x-kubernetes-validations": rules}
    definition, problems = crd(schema(node)), Problems()
    report_verdicts(definition, AdmissionServer([37], RuleCompiler()).admit(definition), 1, problems)
    assert [finding.hint for finding in problems.findings] == ['did you mean "colour"?'] * 3
    assert len(collected) == 1


@pytest.mark.parametrize(("group", "count"), [("acme.io", 0), ("acme", 1)])
def test_only_findings_read_the_places_of_a_crd(group: str, count: int) -> None:
    read: list[str] = []

    def find_places() -> dict[str, Location]:
        read.append(group)
        return {"group": Location("widget.proto", 7)}

    definition, problems = crd(schema({"type": "object"})), Problems()
    check_admission([definition.replace(group=group, marks=PlacesOnDemand(find_places))], "", problems)
    assert [finding.at for finding in problems.findings] == [Location("widget.proto", 7)] * count
    assert read == [group] * count
