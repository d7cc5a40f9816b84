"""The files and folders of testdata/lint: inputs with the expected findings.

The first line names the rules of a case: `rules: lint-float`. A comment at the end of a line, such as
`expect lint-float lint-plural`, names the rules that report the line. All other lines have no finding of these rules.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from protoc_gen_crd.comparison.severity_profiles import ProfileChoice
from protoc_gen_crd.findings.finding import Problems, Severity
from protoc_gen_crd.findings.severity_policy import PolicyEntry
from protoc_gen_crd.lint.all_rules import LINT_RULES
from protoc_gen_crd.lint.linter import Linter
from protoc_gen_crd.lint_loader import load_lint_api
from protoc_gen_crd.settings.settings import Settings
from tests.conftest import ROOT

CASES = sorted((ROOT / "testdata" / "lint").iterdir())
LONGEST = 60  # lines of a case
_RULES = re.compile(r"^(?:#|//) rules: (.*)$", re.MULTILINE)
_EXPECTED = re.compile(r"(?:#|//) expect ((?:lint-[a-z-]+ ?)+)$")

Expectation = tuple[str, str, int]


def _list_files(case: Path) -> list[Path]:
    return sorted(path for path in case.rglob("*") if path.is_file()) if case.is_dir() else [case]


def _read_rules(case: Path) -> set[str]:
    """Return the rules of a case."""
    return {
        rule for path in _list_files(case) for line in _RULES.findall(path.read_text("utf-8")) for rule in line.split()
    }


def _read_expected(case: Path) -> set[Expectation]:
    """Return the rules with the files and lines that the comments at the ends of lines expect."""
    return {
        (rule, path.name, number)
        for path in _list_files(case)
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1)
        if (match := _EXPECTED.search(line))
        for rule in match[1].split()
    }


def _lint(case: Path) -> set[Expectation]:
    """Return the findings of the rules of a case."""
    rules, problems = _read_rules(case), Problems()
    api = load_lint_api([str(case)], Settings(), {}, problems)
    assert problems.findings == []
    entries = [PolicyEntry(rule, Severity.NOTE) for rule in LINT_RULES]
    places = [
        (finding.rule, finding.at.resolve())
        for finding in Linter(ProfileChoice({}), entries).lint(api)
        if finding.at and finding.rule in rules
    ]
    return {(rule, Path(at.file).name, at.line) for rule, at in places}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_the_expected_lines_are_reported(case: Path) -> None:
    assert _lint(case) == _read_expected(case)


def test_every_rule_has_a_case() -> None:
    assert {rule for case in CASES for rule, _, _ in _read_expected(case)} == LINT_RULES.keys()


def test_a_file_without_crds_is_named(tmp_path: Path) -> None:
    empty = tmp_path / "empty.yaml"
    empty.write_text("")
    load_lint_api([str(empty)], Settings(), {}, problems := Problems())
    assert [finding.message for finding in problems.findings] == [f"no CRDs found in {empty}"]


def test_a_case_fits_on_a_screen() -> None:
    paths = [path for case in CASES for path in _list_files(case)]
    assert [path.name for path in paths if len(path.read_text("utf-8").splitlines()) > LONGEST] == []


def test_a_missing_finding_fails(tmp_path: Path) -> None:
    case = tmp_path / "names.proto"
    case.write_text(
        '// rules: lint-type-name\nsyntax = "proto3";\npackage a.v1;\nmessage Widget {}  // expect lint-type-name\n'
    )
    assert _read_expected(case) - _lint(case) == {("lint-type-name", "names.proto", 4)}


def test_an_unexpected_finding_fails(tmp_path: Path) -> None:
    case = tmp_path / "names.proto"
    case.write_text('// rules: lint-type-name\nsyntax = "proto3";\npackage a.v1;\nmessage widget {}\n')
    assert _lint(case) - _read_expected(case) == {("lint-type-name", "names.proto", 4)}
