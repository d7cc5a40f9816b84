"""The shortcut repeated-objects: cached verdicts are those of the server."""

from __future__ import annotations

from functools import cache
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest

from protoc_gen_crd.admission.verdicts import Verdict
from protoc_gen_crd.comparison.api_comparison import judge_changes
from protoc_gen_crd.comparison.change import Change
from protoc_gen_crd.comparison.evidence import object_verdicts
from protoc_gen_crd.comparison.evidence.object_verdicts import ObjectVerdicts
from protoc_gen_crd.crd.crd_decoder import decode
from tests.fuzz.edits import Editor
from tests.fuzz.random_crds import make_crd

COUNT = 150


def judge_edits() -> list[list[Change]]:
    """Return the changes of random edits, without their nodes."""
    random = Random(3)
    results = []
    for _ in range(COUNT):
        old = new = make_crd(random)
        for _ in range(random.choice((1, 3))):
            new = Editor(random).edit(new)[1]
        crds = [crd for crd in (decode(old).crd, decode(new).crd) if crd is not None]
        if len(crds) > 1:
            changes = judge_changes(crds[:1], crds[1:])
            results.append([change.replace(nodes=None) for change in changes])
    return results


@cache
def judge_edits_with_cache() -> list[list[Change]]:
    """Return the changes as the code computes them, which tests share."""
    return judge_edits()


def test_cached_verdicts_are_those_of_the_server(monkeypatch: pytest.MonkeyPatch) -> None:
    cached = judge_edits_with_cache()

    def get_verdict(self: ObjectVerdicts, crd: Any, obj: Any, stored: Any, *, status: bool) -> Verdict:
        return self._server.validate(crd, obj, stored, status=status)[-1]

    monkeypatch.setattr(ObjectVerdicts, "_get_verdict", get_verdict)
    assert judge_edits() == cached
    assert sum(change.example is not None for changes in cached for change in changes) > 20


def test_verdicts_of_other_objects_are_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    cached = judge_edits_with_cache()
    monkeypatch.setattr(object_verdicts, "json", SimpleNamespace(dumps=lambda _: ""))
    assert judge_edits() != cached


def test_the_cache_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    cached = judge_edits_with_cache()
    monkeypatch.setattr(object_verdicts, "_MAX_CACHED", 1)
    assert judge_edits() == cached
