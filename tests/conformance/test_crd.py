"""CRD admission against the recorded answers of API servers 1.25 to 1.37: every member of every answer."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from protoc_gen_crd.admission import version_differences as switches
from protoc_gen_crd.admission.crd.rules.rule_compiler import RuleCompiler
from protoc_gen_crd.admission.go_syntax import to_json
from protoc_gen_crd.admission.server import AdmissionServer
from protoc_gen_crd.admission.verdicts import Verdict
from protoc_gen_crd.admission.version_differences import ALL
from protoc_gen_crd.kubernetes.shared_results import Switches
from protoc_gen_crd.kubernetes.supported_versions import NEWEST, OLDEST, Switch
from tests.conformance.crd_verdicts import differing, listed, normal, of_causes, table
from tests.conformance.tables import Row
from tests.conformance.test_objects import ABOUT_OBJECTS

EXPECTED_FAILURES = Path(__file__).with_name("expected_failures.txt")
FIXED = {"uid": "00000000-0000-0000-0000-000000000001", "creationTimestamp": "1970-01-01T00:00:00Z"}
MINORS = range(OLDEST, NEWEST + 1)


def expected_failures() -> dict[str, range]:
    return listed(EXPECTED_FAILURES)


def judged(row: Row, minors: Iterable[int] = MINORS) -> tuple[Verdict, ...]:
    """Our verdicts on a probe."""
    old = row.input.get("old_crd")
    established = row.input.get("established", True)
    return AdmissionServer(minors, RuleCompiler()).admit_data(row.input["crd"], old, established=established)


def answer(verdict: Verdict, minor: int) -> dict[str, Any]:
    """A verdict in the form of a recorded answer."""
    switches = Switches.from_minor(minor)
    answer_of_verdict: dict[str, Any] = {
        **of_causes(verdict, switches),
        "strict": [notice.message for notice in verdict.unknown_fields],
        "warnings": [notice.message for notice in verdict.warnings],
    }
    stored = verdict.replace(minors=(minor,)).stored
    if stored is not None:
        answer_of_verdict["size"] = (
            len(to_json({**stored, "metadata": {**stored["metadata"], **FIXED}}, switches).encode()) + 1
        )
        stored["metadata"] = {k: v for k, v in stored["metadata"].items() if (k, v) != ("resourceVersion", "1")}
        answer_of_verdict["object"] = stored
    return normal(answer_of_verdict)


@cache
def failures() -> dict[int, dict[str, tuple[Any, Any]]]:
    """Return, by version, the ids of wrong verdicts with our answer and the server's.

    Each row is judged once for all versions.
    """
    wrong: dict[int, dict[str, tuple[Any, Any]]] = {minor: {} for minor in MINORS}
    for rows in zip(*(table(minor) for minor in MINORS), strict=True):
        verdicts = judged(rows[0])
        assert sorted(minor for verdict in verdicts for minor in verdict.minors) == list(MINORS), rows[0].id
        for verdict in verdicts:
            for minor in verdict.minors:
                ours = answer(verdict, minor)
                row = rows[minor - OLDEST]
                if ours not in row.answers:
                    wrong[minor][row.id] = ours, row.answers
    return wrong


@pytest.mark.parametrize("minor", MINORS)
def test_verdicts_are_those_of_the_server(minor: int) -> None:
    wrong = failures()[minor]
    unexpected = {name: wrong[name] for name in wrong if minor not in expected_failures().get(name, ())}
    examples = "\n".join(
        f"{name}: {differing(ours, theirs[0])}" for name, (ours, theirs) in list(unexpected.items())[:5]
    )
    assert not unexpected, f"{len(unexpected)} verdicts of Kubernetes 1.{minor} differ, as\n{examples}"


@pytest.mark.parametrize("minor", MINORS)
def test_expected_failures_fail(minor: int) -> None:
    names = {name for name, versions in expected_failures().items() if minor in versions}
    assert names <= {row.id for row in table(minor)}
    assert not names - failures()[minor].keys()


def test_a_wrong_expectation_is_found() -> None:
    row = table(NEWEST)[0]
    (verdict,) = [verdict for verdict in judged(row) if NEWEST in verdict.minors]
    assert answer(verdict, NEWEST) in row.answers
    assert answer(verdict, NEWEST) != {**row.answers[0], "errors": ["spec.group: Required value"]}


# Switches that no recorded answer depends on, each with the test that covers it.
UNSEEN = {
    switches.PLAIN_MACS: "Go's version, which the judges share: tests/unit/admission/objects/test_format_checks.py",
    switches.STRICT_COLONS: "the same: tests/unit/admission/test_url_checks.py",
    switches.UNCHANGED_UNLIMITED: "for CEL: tests/unit/admission/crd/update/test_update_validation.py",
    switches.STORED_MESSAGES: "for CEL: tests/unit/admission/crd/update/test_update_validation.py",
}


SEEN = [switch for switch in ALL if switch not in UNSEEN and switch not in ABOUT_OBJECTS]


@pytest.mark.parametrize("switch", SEEN, ids=lambda switch: switch.name)
def test_without_a_switch_some_verdict_is_wrong(switch: Switch, monkeypatch: pytest.MonkeyPatch) -> None:
    minor = switch.since
    changed = [row for row, old in zip(table(minor), table(minor - 1), strict=True) if row.answers != old.answers]
    right = [row for row in changed if minor not in expected_failures().get(row.id, ())]
    monkeypatch.setattr(switch, "minors", 0)
    assert any(answer(judged(row, [minor])[0], minor) not in row.answers for row in right)
