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
MINORS = tuple(recorded())
REJECTED = {"failed": "the CRD is rejected"}
ABOUT_OBJECTS = frozenset((
    switches.ENUM_BLOCKS, switches.STATUS_SCHEMA, switches.STATUS_LISTS, switches.STATUS_PATH,
    switches.STATUS_RATCHETING, switches.FINALIZER_WARNINGS, switches.FINALIZER_PATHS, switches.TRIMMED_MESSAGES,
    switches.LEAKING_PATHS, switches.VALUES_SHOWN, switches.GENERATION_UPDATES,
))  # fmt: skip


@cache
def server_of(minors: tuple[int, ...]) -> AdmissionServer:
    """A server of versions with the same verdict on a CRD."""
    return AdmissionServer(minors, RuleCompiler())


@cache
def admitted(minors: tuple[int, ...]) -> dict[str, list[Verdict]]:
    """The verdicts on CRDs by their content."""
    return {}


def forget() -> None:
    """Forget the CRDs, and what servers have computed for them."""
    server_of.cache_clear()
    admitted.cache_clear()


def answer(row: Row, minors: tuple[int, ...]) -> dict[int, dict[str, Any]]:
    """Return our answers to a probe in the form of recorded ones, by version."""
    body = given(row, "crd")
    known = admitted(minors)
    if repr(body) not in known:
        known[repr(body)] = [*server_of(minors).admit_data(body)]
    status = row.input.get("subresource") == "status"
    ours: dict[int, dict[str, Any]] = {}
    for admission in known[repr(body)]:
        if not admission.accepted:
            ours |= dict.fromkeys(admission.minors, REJECTED)
            continue
        server, crd = server_of(admission.minors), admission.object
        for verdict in server.validate(crd, given(row, "obj"), given(row, "old"), status=status):
            ours |= {
                minor: _of_verdict(verdict.replace(minors=(minor,)), crd, Switches.from_minor(minor), row.op)
                for minor in verdict.minors
            }
    assert sorted(ours) == [*minors], row.id
    return ours


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
def failures() -> dict[int, dict[str, tuple[Any, Any]]]:
    """Return, by version, the ids of wrong verdicts with our answer and the server's."""
    wrong: dict[int, dict[str, tuple[Any, Any]]] = {minor: {} for minor in MINORS}
    for rows in zip(*(table(minor) for minor in MINORS), strict=True):
        for (minor, ours), row in zip(sorted(answer(rows[0], MINORS).items()), rows, strict=True):
            if ours not in answers(row):
                wrong[minor][row.id] = ours, answers(row)
    return wrong


@pytest.mark.parametrize("minor", MINORS)
def test_verdicts_are_those_of_the_server(minor: int) -> None:
    wrong = failures()[minor]
    unexpected = {name: wrong[name] for name in wrong if minor not in listed(EXPECTED_FAILURES).get(name, ())}
    examples = "\n".join(
        f"{name}: {differing(ours, theirs[0])}" for name, (ours, theirs) in list(unexpected.items())[:5]
    )
    assert not unexpected, f"{len(unexpected)} verdicts of Kubernetes 1.{minor} differ, as\n{examples}"


@pytest.mark.parametrize("minor", MINORS)
def test_expected_failures_fail(minor: int) -> None:
    names = {name for name, versions in listed(EXPECTED_FAILURES).items() if minor in versions}
    assert names <= {row.id for row in table(minor)}
    assert not names - failures()[minor].keys()


def test_a_wrong_expectation_is_found() -> None:
    row = table(NEWEST)[0]
    (ours,) = answer(row, (NEWEST,)).values()
    assert ours in row.answers
    assert ours != {**row.answers[0], "errors": ["spec.a: Required value"]}


# Switches between versions without recorded answers, each with the test that covers it.
UNSEEN: dict[Switch, str] = {}


SEEN = [switch for switch in switches.ALL if switch in ABOUT_OBJECTS and switch not in UNSEEN]


@pytest.mark.parametrize("switch", SEEN, ids=lambda switch: switch.name)
def test_without_a_switch_some_verdict_is_wrong(switch: Switch, monkeypatch: pytest.MonkeyPatch) -> None:
    minor = min(candidate for candidate in MINORS if switch.is_on(candidate))
    changed = [row for row, old in zip(table(minor), table(minor - 1), strict=True) if row.answers != old.answers]
    right = [row for row in changed if row.id not in failures()[minor]]
    monkeypatch.setattr(switch, "minors", 0)
    forget()
    try:
        assert any(answer(row, (minor,))[minor] not in answers(row) for row in right)
    finally:
        forget()
