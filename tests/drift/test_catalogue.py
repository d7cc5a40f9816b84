"""The catalogue of rule ids and the code that reports them, compared both ways."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import protoc_gen_crd
from protoc_gen_crd.base.catalogue import rules

PACKAGE = Path(protoc_gen_crd.__file__).parent


def texts(tree: ast.AST) -> Iterator[str]:
    """Every string that stands in the code by itself, so not in an f-string."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


def reported(tree: ast.AST) -> Iterator[str]:
    """Rule ids that are written where a finding is made: in `x.report("id", ...)`, `Finding("id", ...)`."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and node.args:
            name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            if name in ("report", "_report", "Finding"):
                yield from literals(node.args[0])


def literals(node: ast.expr) -> Iterator[str]:
    if isinstance(node, ast.IfExp):
        yield from literals(node.body)
        yield from literals(node.orelse)
    elif isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value


TREES = {str(path.relative_to(PACKAGE)): ast.parse(path.read_text("utf-8")) for path in sorted(PACKAGE.rglob("*.py"))}


def test_reports_are_recognised() -> None:
    tree = ast.parse('problems.report("a-b", f"{x}")\nFinding("c-d", "m")\nreport("e" if x else "f", m)\nx.other("g")')
    assert list(reported(tree)) == ["a-b", "c-d", "e", "f"]


@pytest.mark.parametrize("file", [name for name, tree in TREES.items() if list(reported(tree))])
def test_what_is_reported_is_in_the_catalogue(file: str) -> None:
    assert sorted(set(reported(TREES[file])) - set(rules())) == []


def test_what_is_in_the_catalogue_is_reported() -> None:
    used = {text for tree in TREES.values() for text in texts(tree)}
    assert sorted(set(rules()) - used) == []


@pytest.mark.parametrize("rule", list(rules()))
def test_a_rule_says_what_is_demanded(rule: str) -> None:
    """The summary is what `explain` lists, so it must be a sentence that fits there."""
    summary = rules()[rule].summary
    assert summary.endswith((".", ":"))
    assert len(summary) <= 200
