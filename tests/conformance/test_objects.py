"""The admission of objects against the recorded answers of API servers: every member of every answer."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import pytest

from protoc_gen_crd.admission import version_differences as switches
from protoc_gen_crd.admission.crd.rules.rule_compiler import RuleCompiler
from protoc_gen_crd.admission.go_syntax import to_json
from protoc_gen_crd.admission.objects.object_strategy import CREATED, UID
from protoc_gen_crd.admission.server import AdmissionServer
from protoc_gen_crd.admission.verdicts import Verdict
from protoc_gen_crd.crd.crd import Crd
from protoc_gen_crd.kubernetes.shared_results import Switches
from protoc_gen_crd.kubernetes.supported_versions import NEWEST, Switch
from tests.conformance.crd_verdicts import differing, listed, normal, of_causes
from tests.conformance.object_verdicts import given, recorded, table
from tests.conformance.tables import Row

EXPECTED_FAILURES = Path(__file__).with_name("expected_object_failures.txt")
MINORS = recorded()
REJECTED = {"failed": "the CRD is rejected"}
ABOUT_OBJECTS = frozenset((
    switches.ENUM_BLOCKS, switches.STATUS_SCHEMA, switches.STATUS_LISTS, switches.STATUS_PATH,
    switches.STATUS_RATCHETING, switches.FINALIZER_WARNINGS, switches.FINALIZER_PATHS, switches.TRIMMED_MESSAGES,
    switches.LEAKING_PATHS, switches.VALUES_SHOWN, switches.GENERATION_UPDATES,
))  # fmt: skip


@cache
def served(minor: int) -> tuple[AdmissionServer, dict[str, Crd | None]]:
    """A server of a version, and its CRDs by their content."""
    return AdmissionServer([minor], RuleCompiler()), {}


def crd_of(row: Row, minor: int) -> Crd | None:
    """The CRD of a probe, None if the server rejects it."""
    server, known = served(minor)
    key = repr(given(row, "crd"))
    if key not in known:
        (verdict,) = server.admit_data(given(row, "crd"))
        known[key] = verdict.object if verdict.accepted else None
    return known[key]


def answer(row: Row, minor: int) -> dict[str, Any]:
    """Return our answer to a probe in the form of a recorded one."""
    crd = crd_of(row, minor)
    if crd is None:
        return REJECTED
    status = row.input.get("subresource") == "status"
    (verdict,) = served(minor)[0].validate(crd, given(row, "obj"), given(row, "old"), status=status)
    assert verdict.minors == (minor,)
    return _of_verdict(verdict, crd, Switches.from_minor(minor), row.op)


def _of_verdict(verdict: Verdict, crd: Crd, servers: Switches, op: str) -> dict[str, Any]:
    answer_of_verdict: dict[str, Any] = {
        **of_causes(verdict, servers),
        "strict": [notice.message for notice in verdict.unknown_fields],
        "warnings": [notice.message for notice in verdict.warnings],
        "object": verdict.object,
    }
    kept = verdict.object if verdict.stored is None else verdict.stored
    if kept is not None:
        fixed = {"uid": UID, "creationTimestamp": CREATED} | ({"resourceVersion": "1"} if op == "update" else {})
        answer_of_verdict["size"] = (
            len(to_json({**kept, "metadata": {**fixed, **kept["metadata"]}}, servers).encode()) + 1
        )
    storage = next(version.name for version in crd.versions if version.storage)
    if verdict.stored is not None and verdict.object["apiVersion"] != f"{crd.group}/{storage}":
        answer_of_verdict["stored"] = verdict.stored
    return normal(answer_of_verdict)


def answers(row: Row) -> list[dict[str, Any]]:
    """Return the answers of servers; for a rejected CRD, only the rejection."""
    return [REJECTED if "failed" in answer else answer for answer in row.answers]


@cache
def failures(minor: int) -> dict[str, tuple[Any, Any]]:
    """Return the ids of wrong verdicts with our answer and the server's."""
    answered_rows = [(row, answer(row, minor)) for row in table(minor)]
    return {row.id: (ours, answers(row)) for row, ours in answered_rows if ours not in answers(row)}


@pytest.mark.parametrize("minor", MINORS)
def test_verdicts_are_those_of_the_server(minor: int) -> None:
    wrong = failures(minor)
    unexpected = {name: wrong[name] for name in wrong if minor not in listed(EXPECTED_FAILURES).get(name, ())}
    examples = "\n".join(
        f"{name}: {differing(ours, theirs[0])}" for name, (ours, theirs) in list(unexpected.items())[:5]
    )
    assert not unexpected, f"{len(unexpected)} verdicts of Kubernetes 1.{minor} differ, as\n{examples}"


@pytest.mark.parametrize("minor", MINORS)
def test_expected_failures_fail(minor: int) -> None:
    names = {name for name, versions in listed(EXPECTED_FAILURES).items() if minor in versions}
    assert names <= {row.id for row in table(minor)}
    assert not names - failures(minor).keys()


def test_a_wrong_expectation_is_found() -> None:
    row = table(NEWEST)[0]
    assert answer(row, NEWEST) in row.answers
    assert answer(row, NEWEST) != {**row.answers[0], "errors": ["spec.a: Required value"]}


# Switches between versions without recorded answers, each with the test that covers it.
UNSEEN: dict[Switch, str] = {}


SEEN = [switch for switch in switches.ALL if switch in ABOUT_OBJECTS and switch not in UNSEEN]


@pytest.mark.parametrize("switch", SEEN, ids=lambda switch: switch.name)
def test_without_a_switch_some_verdict_is_wrong(switch: Switch, monkeypatch: pytest.MonkeyPatch) -> None:
    minor = min(candidate for candidate in MINORS if switch.is_on(candidate))
    right = [row for row in table(minor) if row.id not in failures(minor)]
    monkeypatch.setattr(switch, "minors", 0)
    served.cache_clear()
    try:
        assert any(answer(row, minor) not in answers(row) for row in right)
    finally:
        served.cache_clear()
