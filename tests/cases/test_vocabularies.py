"""Options of other vocabularies: what servers take and refuse because of each, and what is found fault with."""

from __future__ import annotations

import json

import pytest

from tests.support.vocabulary_cases import FOLDER, Case, Outcome, cases, files, told

RECORDED = [json.loads(line) for line in (FOLDER / "protovalidate.jsonl").read_text("utf-8").splitlines()]
ALL = [case for file in files() for case in cases(file)]


@pytest.fixture(scope="session")
def outcomes(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Outcome]:
    """What was made of each file, when it is first asked for."""
    made: dict[str, Outcome] = {}

    class Lazy(dict[str, Outcome]):
        def __missing__(self, file: str) -> Outcome:
            made[file] = self[file] = Outcome(file, tmp_path_factory.mktemp(file))
            return made[file]

    return Lazy()


@pytest.mark.parametrize("case", ALL, ids=lambda case: case.id)
def test_case(case: Case, outcomes: dict[str, Outcome]) -> None:
    outcome = outcomes[case.file]
    findings = outcome.findings(case)
    assert told(findings) == sorted(case.finds), [f"{one.rule}: {one.message}" for one in findings]
    if case.good or case.bad or case.updates:
        refused = [spec for spec in case.good if not outcome.accepts(case, spec)]
        accepted = [spec for spec in case.bad if outcome.accepts(case, spec)]
        changed = [pair for pair in case.updates if outcome.accepts(case, pair[1], pair[0])]
        assert (refused, accepted, changed) == ([], [], [])


@pytest.mark.parametrize("case", cases("buf_validate"), ids=lambda case: case.id)
def test_protovalidate_says_the_same(case: Case) -> None:
    said = [answer for answer in RECORDED if answer["body"] == case.body]
    found = {json.dumps(answer["spec"]): answer["accepted"] for answer in said}
    expected = {json.dumps(spec): spec in case.good for spec in (*case.good, *case.bad)}
    assert {spec: found.get(spec) for spec in expected if found.get(spec) != expected[spec]} == {} or case.differs
    assert found.items() & expected.items() != expected.items() or not case.differs, "it says the same by now"
