"""Compilation for several versions at once has the same results as for each version alone."""

from __future__ import annotations

from typing import Any

import pytest

from protoc_gen_crd.admission.crd.rules.rule_compiler import RuleCompiler
from protoc_gen_crd.cel import environment
from protoc_gen_crd.cel.checker.checker import CheckedAst
from protoc_gen_crd.kubernetes.shared_results import RecordingSwitches
from protoc_gen_crd.kubernetes.supported_versions import NEWEST, OLDEST
from protoc_gen_crd.schema.schema import Schema
from tests.conformance.tables import table
from tests.judges.celtypes.ours import schema_in

STRIDE = 4
EVERY = range(OLDEST, NEWEST + 1)
ROWS = [row.input for row in table("cel", NEWEST) if "schema" in row.input and "env" not in row.input]
TEXT = Schema({"type": "string"})


def summarize(compiler: RuleCompiler, text: str, schema: Schema, minor: int, *, new: bool) -> Any:
    """Return the types, functions, cost, and program error of an expression, or the compilation error."""
    declared = compiler.expressions.get_declarations(minor).declare(schema)
    assert declared is not None
    environments = environment.get_new_environment if new else environment.get_stored_environment
    compiled = compiler.compile_text(text, environments, declared, RecordingSwitches(minor), is_optional=False)
    if not isinstance(compiled.result, CheckedAst):
        return str(compiled.result)
    rows = {
        node: (candidate.name, [row.id for row in candidate.overloads])
        for node, candidate in compiled.result.references.items()
    }
    return {node: str(kind) for node, kind in compiled.result.types.items()}, rows, compiled.max_cost, compiled.error


@pytest.mark.parametrize("part", range(STRIDE))
def test_versions_share_results_that_they_would_compute_alone(part: int) -> None:
    together = RuleCompiler()
    wrong = []
    for row in ROWS[part::STRIDE]:
        for minor in EVERY:
            for new in (False, True):
                alone = summarize(RuleCompiler(), row["expr"], schema_in(row), minor, new=new)
                if summarize(together, row["expr"], schema_in(row), minor, new=new) != alone:
                    wrong.append((row["expr"], minor, new))
    assert wrong == []


@pytest.mark.parametrize(
    ("text", "most"),
    [("self == 'a'", 6), ("self.startsWith('a')", 6), ("self.matches('a+')", 7), ("self.size() > 1 && self != 'b'", 5)],
)
def test_thirteen_versions_share_most(text: str, most: int) -> None:
    compiler = RuleCompiler()
    compiled = set()
    for minor in EVERY:
        declared = compiler.expressions.get_declarations(minor).declare(TEXT)
        assert declared is not None
        compiled.add(
            id(
                compiler.compile_text(
                    text, environment.get_stored_environment, declared, RecordingSwitches(minor), is_optional=False
                )
            )
        )
    assert len(compiled) <= most


@pytest.mark.parametrize("text", ["!" * 40 + "true", "type([1]) == list", "type({}) == map", "type(self) == string"])
def test_results_of_the_newest_version_alone_are_not_shared(text: str) -> None:
    """Servers before 1.28 read by another grammar, those before 1.37 have other types of lists and maps."""
    together = RuleCompiler()
    for minor in reversed(EVERY):
        assert summarize(together, text, TEXT, minor, new=False) == summarize(
            RuleCompiler(), text, TEXT, minor, new=False
        )
