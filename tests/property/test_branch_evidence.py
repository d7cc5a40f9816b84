"""The shortcut unrelated-changes: the changes of a branch are those with the evidence of all changes of the base."""

from __future__ import annotations

import json
from functools import cache
from random import Random

import pytest

from protoc_gen_crd.comparison.change import Change
from protoc_gen_crd.comparison.evidence.evidence_search import EvidenceSearch
from protoc_gen_crd.crd.crd_decoder import decode
from protoc_gen_crd.documents.api_side import ApiSide
from protoc_gen_crd.versioning.branch_changes import _TouchedPaths
from tests.fuzz.surfaces.branches import Branches, find_changes

COUNT = 120


def find_changes_of_branches() -> list[list[Change]]:
    """Return the changes of random branches, without their nodes."""
    random, results = Random(5), []
    for _ in range(COUNT):
        crds = json.loads(Branches().generate(random))
        release, base, branch = (ApiSide("", (crd,)) for name in crds if (crd := decode(crds[name]).crd) is not None)
        results.append([change.replace(nodes=None) for change in find_changes(base, release, branch)])
    return results


@cache
def find_changes_with_shortcut() -> list[list[Change]]:
    """Return the changes as the code computes them, which tests share."""
    return find_changes_of_branches()


def test_a_branch_has_the_changes_that_it_has_with_the_evidence_of_all(monkeypatch: pytest.MonkeyPatch) -> None:
    searches = [0]
    search = EvidenceSearch.find

    def count(self: EvidenceSearch, *arguments: object) -> object:
        searches[-1] += 1
        return search(self, *arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(EvidenceSearch, "find", count)
    changes = find_changes_of_branches()
    searches.append(0)
    monkeypatch.setattr(_TouchedPaths, "are_related", lambda *_: True)
    assert find_changes_of_branches() == changes
    assert searches[1] - searches[0] > 20


def test_related_changes_are_judged(monkeypatch: pytest.MonkeyPatch) -> None:
    changes = find_changes_with_shortcut()
    monkeypatch.setattr(_TouchedPaths, "are_related", lambda *_: False)
    assert find_changes_of_branches() != changes
