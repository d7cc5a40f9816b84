"""The folders of testdata/lint: inputs with the expected findings in comments, `# rule` or `// rule` above a line.

A comment in a folder's `settings` or of several rules is separated by spaces. A line without a comment has no finding.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from protoc_gen_crd.comparison.profiles import ProfileChoice
from protoc_gen_crd.findings.finding import Problems, Severity
from protoc_gen_crd.findings.severity_policy import PolicyEntry
from protoc_gen_crd.lint.linter import Linter
from protoc_gen_crd.lint.rules import LINT_RULES
from protoc_gen_crd.lint_loader import load_lint_api
from protoc_gen_crd.settings.settings import Settings
from tests.conftest import ROOT

CASES = sorted((ROOT / "testdata" / "lint").glob("*.*"))
_EXPECTED = re.compile(r"(?:#|//) expect ((?:lint-[a-z-]+ ?)+)$")


def _read_expected(text: str) -> set[tuple[str, int]]:
    """Return the rules with the lines that the comments at the ends of lines expect."""
    return {
        (rule, number)
        for number, line in enumerate(text.splitlines(), 1)
        if (match := _EXPECTED.search(line))
        for rule in match[1].split()
    }


def _lint(path: Path) -> set[tuple[str, int]]:
    """Return the findings of all rules of the families that a file is about, named in its first line."""
    rules = _EXPECTED_RULES.search(path.read_text("utf-8").splitlines()[0])
    assert rules, path
    problems = Problems()
    api = load_lint_api([str(path)], Settings(), {}, problems)
    assert problems.findings == []
    entries = [PolicyEntry(rule, Severity.NOTE) for rule in LINT_RULES]
    findings = Linter(ProfileChoice({}), entries).lint(api)
    return {(each.rule, each.at.resolve().line) for each in findings if each.at and each.rule in rules[1].split()}


_EXPECTED_RULES = re.compile(r"(?:#|//) rules: (.*)$")


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.name)
def test_the_expected_lines_are_reported(path: Path) -> None:
    assert _lint(path) == _read_expected(path.read_text("utf-8"))


def test_cases_expect_findings() -> None:
    assert all(_read_expected(path.read_text("utf-8")) for path in CASES)
    assert len(CASES) > 1


def test_a_file_without_crds_is_named(tmp_path: Path) -> None:
    empty = tmp_path / "empty.yaml"
    empty.write_text("")
    load_lint_api([str(empty)], Settings(), {}, problems := Problems())
    assert [finding.message for finding in problems.findings] == [f"no CRDs found in {empty}"]
