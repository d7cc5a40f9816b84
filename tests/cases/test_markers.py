"""Markers: the results and findings of each case of testdata/markers/*.yaml, and the answers of controller-tools."""

from __future__ import annotations

import re
from typing import Any

import pytest

from protoc_gen_crd.findings.finding import Severity
from protoc_gen_crd.findings.report_order_and_limits import ReportItem
from tests.support.marker_cases import FOLDER, Case, Spelling, all_cases
from tests.support.marker_judges import applied, generated, judged, questions
from tests.support.marker_protos import protos
from tests.support.marker_runs import Outcome, Plain, at, file_name, outcome, view

CASES = list(all_cases().values())
GOOD = [case for case in CASES if case.gives is not None]
WRONG = [case for case in CASES if case.gives is None]
ON_SCHEMAS = ("field", "member", "message", "enum", "value", "oneof")


Pairs = dict[str, tuple[Any, Any]]  # a path, its expected value, and the actual one


def expected(case: Case, spelling: Spelling) -> Any:
    """The schema that a spelling must give."""
    if spelling.nest == "items":
        return {"type": "array", "items": case.gives}
    return {"type": "object", "additionalProperties": case.gives} if spelling.nest else case.gives


def differences(case: Case, found: Outcome) -> list[str]:
    """Return the differences between the expected and the actual results of a case."""
    if case.kind in ON_SCHEMAS:
        schemas = found.schemas()
        pairs: Pairs = {
            spelling.name: (expected(case, spelling), schemas[spelling.name]) for spelling in case.spellings
        }
    elif case.kind == "proto":
        pairs = _paths(case.gives, crds_by_plural(found.crds["api.proto"]), "")
    else:
        named_crds = [
            (name, crd)
            for file, crds in found.crds.items()
            for name, crd in crds.items()
            for name in (f"{file} {name}",)
        ]
        pairs = {what: pair for name, crd in named_crds for what, pair in _paths(case.gives, view(crd), name).items()}
        pairs[""] = (len(case.spellings), len(named_crds))
    return [f"{what}: expected {want}, found {have}" for what, (want, have) in pairs.items() if want != have]


def _paths(gives: Plain, plain: Plain, name: str) -> Pairs:
    return {f"{name} {path}": (want, at(plain, path)) for path, want in gives.items()}


def crds_by_plural(crds: dict[str, Plain]) -> Plain:
    """Return a document of all CRDs by plural, with their names under `crds`."""
    return {"crds": sorted(crds), **{name.partition(".")[0]: view(crd) for name, crd in crds.items()}}


def golden(case: Case, text: str, *, update: bool) -> None:
    """Compare with the report that the case keeps next to its file; no file means no findings."""
    path = FOLDER / case.topic / f"{case.name}.txt"
    if update:
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, "utf-8") if text else path.unlink(missing_ok=True)
    assert text == (path.read_text("utf-8") if path.exists() else "")


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_findings(case: Case, update: bool) -> None:
    golden(case, outcome(case).text, update=update)


@pytest.mark.parametrize("case", GOOD, ids=lambda case: case.id)
def test_correct_use(case: Case) -> None:
    assert differences(case, outcome(case)) == []
    assert bool(outcome(case).text) == bool(case.finds), "a correct use that is found fault with needs a reason"


@pytest.mark.parametrize("case", WRONG, ids=lambda case: case.id)
def test_wrong_use_is_rejected_in_every_spelling(case: Case) -> None:
    result = outcome(case)
    reported = [item for item in result.items if item.severity >= Severity.WARNING]
    words = {word.lower() for item in reported for word in re.split(r"\W", f"{item.path} {item.message} {item.at}")}
    assert reported
    assert [spelling.name for spelling in case.spellings if spelling.name.lower() not in words] == []


@pytest.mark.parametrize("case", GOOD, ids=lambda case: case.id)
def test_judge_agrees(case: Case) -> None:
    requests = list(questions(case))
    assert requests or case.go or case.judge, "a correct use needs a judge: a marker of controller-tools, go, or judge"
    answers = [(expected(case, spelling), applied(question)) for spelling, question in requests]
    different = [f"{answer}" for want, answer in answers if answer.get("errors") or answer["schema"] != want]
    if case.go:
        different += go_differences(case)
    assert bool(different) == bool(case.differs), different or "no difference is left, so say so"


def go_differences(case: Case) -> list[str]:
    """Return the differences between the results of controller-gen and of this project."""
    return [difference for answer in generated(case).values() for difference in _answer_differences(case, answer)]


def _answer_differences(case: Case, answer: Plain) -> list[str]:
    theirs = judged(case, answer)
    if case.kind in ON_SCHEMAS:
        pairs: Pairs = {"": (case.gives, theirs)}
    elif case.kind == "proto":
        pairs = _paths(case.gives, crds_by_plural(theirs), "")
    else:
        pairs = _paths(case.gives, view(next(iter(theirs.values()), {})), "")
    return [*answer["errors"], *[f"{path}: {want} and {have}" for path, (want, have) in pairs.items() if want != have]]


def shown_line(case: Case, item: ReportItem) -> tuple[str, str]:
    """Return the source line of a finding, and its part from the column on."""
    texts = {file_name(case, name): text for name, text in protos(case).items()}
    assert item.at
    line = texts[item.at.file].splitlines()[item.at.line - 1]
    return line, line[item.at.column - 1 :]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_places_and_paths(case: Case) -> None:
    """Findings are located at the marker, and name the element, so that a settings file can suppress them."""
    for item in outcome(case).items:
        assert item.at, item
        assert item.at.line, item
        assert item.snippet, item
        line, rest = shown_line(case, item)
        assert item.snippet.text == line or not item.snippet.number
        at_marker = "+" in line.removesuffix(rest) or rest.startswith(("+", "(protoc_gen_crd.v1.", "option (protoc"))
        at_value = "(protoc_gen_crd.v1." in line.removesuffix(rest)
        assert at_marker or at_value or case.elsewhere
        assert item.path or case.kind == "package"


def test_no_golden_is_left_over() -> None:
    cases = {f"{case.id}.txt" for case in CASES}
    assert [name for path in FOLDER.glob("*/*.txt") if (name := f"{path.parent.name}/{path.name}") not in cases] == []


def test_a_wrong_expectation_is_found() -> None:
    case = all_cases()["validations/maximum"]
    wrong = Case(**{**vars(case), "gives": {**case.gives, "title": "no"}})
    assert len(differences(wrong, outcome(case))) == len(case.spellings)
    with pytest.raises(AssertionError):
        test_judge_agrees(wrong)
    with pytest.raises(AssertionError):
        golden(case, "a finding\n", update=False)
