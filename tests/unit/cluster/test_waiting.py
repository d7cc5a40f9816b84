"""StorageVersionMigration objects: which counts, and what of it."""

from __future__ import annotations

from typing import Any

import pytest

from protoc_gen_crd.cluster.crds import read
from protoc_gen_crd.cluster.waiting import find, follow, stale
from tests.support.apiserver import BEFORE, NAME, FakeServer

LATER, EARLIER = "2026-11-22T08:30:00Z", "2026-11-22T07:00:00Z"


def migration(name: str, created: str = LATER, resource: str = "widgets", **conditions: str) -> dict[str, Any]:
    listed = [{"type": kind, "status": status, "message": "text"} for kind, status in conditions.items()]
    metadata = {"name": name, "creationTimestamp": created}
    spec = {"resource": {"group": "acme.example", "resource": resource}}
    return {"metadata": metadata, "spec": spec, "status": {"conditions": listed}}


def found(server: FakeServer) -> Any:
    crd = read(server, NAME)
    assert crd is not None
    return crd, find(server, crd)


def test_the_newest_of_the_kind_counts() -> None:
    server = FakeServer()
    server.migrations = [
        migration("old", EARLIER, Failed="True"),
        migration("new", Succeeded="True"),
        migration("other", resource="gadgets", Failed="True"),
    ]
    _, one = found(server)
    assert (one.name, one.done, one.shown) == ("new", True, "Succeeded: text")


@pytest.mark.parametrize(
    ("conditions", "done", "shown"),
    [
        ({}, False, "not begun"),
        ({"Running": "True"}, False, "Running: text"),
        ({"Running": "False", "Succeeded": "False"}, False, "not begun"),
        ({"Running": "False", "Failed": "True"}, True, "Failed: text"),
    ],
)
def test_conditions_that_are_true_count(conditions: dict[str, str], done: bool, shown: str) -> None:
    server = FakeServer()
    server.migrations = [migration("one", **conditions)]
    _, one = found(server)
    assert (one.done, one.shown) == (done, shown)


@pytest.mark.parametrize(
    ("created", "stored", "old"),
    [(EARLIER, ["v1alpha1", "v1"], True), (EARLIER, ["v1"], False), (BEFORE, ["v1alpha1", "v1"], False)],
)
def test_one_that_is_older_than_the_crd_says_nothing(created: str, stored: list[str], old: bool) -> None:
    server = FakeServer()
    server.migrations = [migration("one", created, Succeeded="True")]
    server.crd["status"]["storedVersions"] = stored
    crd, one = found(server)
    assert stale(one, crd) is old


def test_it_is_followed_to_its_end() -> None:
    server = FakeServer()
    server.migrations = [migration("one")]
    crd = read(server, NAME)
    assert crd is not None
    steps = [{"Running": "True"}, {"Succeeded": "True"}]

    def pause(_: float) -> bool:
        server.migrations = [migration("one", **steps.pop(0))]
        return True

    assert [one.shown for one in follow(server, crd, pause) if one] == ["not begun", "Running: text", "Succeeded: text"]
    server.migrations = [migration("one")]
    assert len(list(follow(server, crd, lambda _: False))) == 1
    server.migrations = []
    assert list(follow(server, crd, pause)) == [None]
