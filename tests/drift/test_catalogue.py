"""The catalog of rule ids and the code that reports them, compared in both directions."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from protoc_gen_crd.findings.rule_catalog import load_rules
from tests.support.package import trees, walk

RULE_ID = re.compile(r"[a-z]+(-[a-z]+)+")  # helpers named report take a message


def texts(tree: ast.AST) -> Iterator[str]:
    """Return every string literal of the code, except in f-strings."""
    for node in walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


def reported(tree: ast.AST) -> Iterator[str]:
    """Return rule ids at the places that create findings: in `x.report("id", ...)`, `Finding("id", ...)`."""
    for node in walk(tree):
        if isinstance(node, ast.Call) and node.args:
            name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            if name in ("report", "_report", "Finding"):
                yield from literals(node.args[0])


def literals(node: ast.expr) -> Iterator[str]:
    if isinstance(node, ast.IfExp):
        yield from literals(node.body)
        yield from literals(node.orelse)
    elif isinstance(node, ast.Constant) and isinstance(node.value, str) and RULE_ID.fullmatch(node.value):
        yield node.value


def test_reports_are_recognised() -> None:
    tree = ast.parse(
        'problems.report("a-b", f"{x}")\nFinding("c-d", "m")\nreport("e-f" if x else "f-g", m)\nx.other("g-h")'
    )
    assert list(reported(tree)) == ["a-b", "c-d", "e-f", "f-g"]


def test_reported_rules_are_in_the_catalogue() -> None:
    reported_rules = {name: set(reported(tree)) for name, tree in trees().items()}
    assert len([name for name, ids in reported_rules.items() if ids]) > 10
    assert {
        name: sorted(ids - set(load_rules())) for name, ids in reported_rules.items() if ids - set(load_rules())
    } == {}


def test_rules_of_the_catalogue_are_reported() -> None:
    used = {text for tree in trees().values() for text in texts(tree)}
    assert sorted(set(load_rules()) - used) == []


def test_every_summary_is_a_sentence_that_explain_can_list() -> None:
    summaries = {name: rule.summary for name, rule in load_rules().items()}
    assert {name: text for name, text in summaries.items() if not text.endswith((".", ":")) or len(text) > 200} == {}
