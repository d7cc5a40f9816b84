"""What is compiled for several versions at once is what each makes of it alone; others hold it to what servers say."""

from __future__ import annotations

from typing import Any

import pytest

from protoc_gen_crd.admission.crd.compiling import Compiler
from protoc_gen_crd.admission.switches import NEWEST, OLDEST
from protoc_gen_crd.cel import environment
from protoc_gen_crd.cel.check import Checked
from protoc_gen_crd.cel.era import Era
from protoc_gen_crd.schema.types import Schema
from tests.conformance.tables import table
from tests.judges.celtypes.ours import schema_in

STRIDE = 4
EVERY = range(OLDEST, NEWEST + 1)
ROWS = [row.input for row in table("cel", NEWEST) if "schema" in row.input and "env" not in row.input]
TEXT = Schema({"type": "string"})


def said(compiler: Compiler, text: str, schema: Schema, minor: int, *, new: bool) -> Any:
    """What a server makes of a text: its types and functions, or a refusal; the cost, and why there is no program."""
    declared = compiler.expressions.declarations(minor).of(schema)
    assert declared is not None
    environments = environment.new if new else environment.stored
    made = compiler.of_text(text, environments, declared, Era(minor), is_optional=False)
    if not isinstance(made.found, Checked):
        return str(made.found)
    rows = {node: (one.name, [row.id for row in one.overloads]) for node, one in made.found.references.items()}
    return {node: str(kind) for node, kind in made.found.types.items()}, rows, made.most, made.fault


@pytest.mark.parametrize("part", range(STRIDE))
def test_versions_share_what_they_would_make_alone(part: int) -> None:
    together = Compiler()
    wrong = []
    for row in ROWS[part::STRIDE]:
        for minor in EVERY:
            for new in (False, True):
                alone = said(Compiler(), row["expr"], schema_in(row), minor, new=new)
                if said(together, row["expr"], schema_in(row), minor, new=new) != alone:
                    wrong.append((row["expr"], minor, new))
    assert wrong == []


@pytest.mark.parametrize(
    ("text", "most"),
    [("self == 'a'", 6), ("self.startsWith('a')", 6), ("self.matches('a+')", 7), ("self.size() > 1 && self != 'b'", 5)],
)
def test_thirteen_versions_share_most(text: str, most: int) -> None:
    compiler = Compiler()
    made = set()
    for minor in EVERY:
        declared = compiler.expressions.declarations(minor).of(TEXT)
        assert declared is not None
        made.add(id(compiler.of_text(text, environment.stored, declared, Era(minor), is_optional=False)))
    assert len(made) <= most


@pytest.mark.parametrize("text", ["!" * 40 + "true", "type([1]) == list", "type({}) == map", "type(self) == string"])
def test_what_is_alike_to_the_newest_alone_is_not_shared(text: str) -> None:
    """Servers before 1.28 read by another grammar, those before 1.37 have other types of lists and maps."""
    together = Compiler()
    for minor in reversed(EVERY):
        assert said(together, text, TEXT, minor, new=False) == said(Compiler(), text, TEXT, minor, new=False)
