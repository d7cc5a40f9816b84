"""Options of other vocabularies: which objects servers accept and reject because of each, and the findings."""

from __future__ import annotations

import json

import pytest

from tests.support.vocabulary_cases import FOLDER, Case, Outcome, cases, files, list_rule_ids

RECORDED = [json.loads(line) for line in (FOLDER / "protovalidate.jsonl").read_text("utf-8").splitlines()]
ALL = [case for file in files() for case in cases(file)]


@pytest.fixture(scope="session")
def outcomes(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Outcome]:
    """Return the results by file, computed on first use."""
    by_name: dict[str, Outcome] = {}

    class Lazy(dict[str, Outcome]):
        def __missing__(self, file: str) -> Outcome:
            by_name[file] = self[file] = Outcome(file, tmp_path_factory.mktemp(file))
            return by_name[file]

    return Lazy()


@pytest.mark.parametrize("case", ALL, ids=lambda case: case.id)
def test_case(case: Case, outcomes: dict[str, Outcome]) -> None:
    outcome = outcomes[case.file]
    findings = outcome.findings(case)
    assert list_rule_ids(findings) == sorted(case.finds), [f"{finding.rule}: {finding.message}" for finding in findings]
    if case.good or case.bad or case.updates:
        rejected = [spec for spec in case.good if not outcome.accepts(case, spec)]
        accepted = [spec for spec in case.bad if outcome.accepts(case, spec)]
        changed = [pair for pair in case.updates if outcome.accepts(case, pair[1], pair[0])]
        assert (rejected, accepted, changed) == ([], [], [])


@pytest.mark.parametrize("case", cases("buf_validate"), ids=lambda case: case.id)
def test_protovalidate_has_the_same_verdicts(case: Case) -> None:
    answers = [answer for answer in RECORDED if answer["body"] == case.body]
    by_name = {json.dumps(answer["spec"]): answer["accepted"] for answer in answers}
    expected = {json.dumps(spec): spec in case.good for spec in (*case.good, *case.bad)}
    assert {spec: by_name.get(spec) for spec in expected if by_name.get(spec) != expected[spec]} == {} or case.differs
    assert by_name.items() & expected.items() != expected.items() or not case.differs, "it has the same verdict by now"
