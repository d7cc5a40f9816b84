"""StorageVersionMigration objects: selection and conditions."""

from __future__ import annotations

from typing import Any

import pytest

from protoc_gen_crd.cluster.installed_crds import read_crd
from protoc_gen_crd.cluster.migration_objects import find_migration, is_stale, watch_migration
from tests.support.apiserver import BEFORE, NAME, FakeServer

LATER, EARLIER = "2026-11-22T08:30:00Z", "2026-11-22T07:00:00Z"


def migration(name: str, created: str = LATER, resource: str = "widgets", **conditions: str) -> dict[str, Any]:
    listed = [{"type": kind, "status": status, "message": "text"} for kind, status in conditions.items()]
    metadata = {"name": name, "creationTimestamp": created}
    spec = {"resource": {"group": "acme.example", "resource": resource}}
    return {"metadata": metadata, "spec": spec, "status": {"conditions": listed}}


def found(server: FakeServer) -> Any:
    crd = read_crd(server, NAME)
    assert crd is not None
    return crd, find_migration(server, crd)


def test_the_newest_of_the_kind_counts() -> None:
    server = FakeServer()
    server.migrations = [
        migration("old", EARLIER, Failed="True"),
        migration("new", Succeeded="True"),
        migration("other", resource="gadgets", Failed="True"),
    ]
    _, candidate = found(server)
    assert (candidate.name, candidate.is_done, candidate.condition_text) == ("new", True, "Succeeded: text")


@pytest.mark.parametrize(
    ("conditions", "done", "shown"),
    [
        ({}, False, "not started"),
        ({"Running": "True"}, False, "Running: text"),
        ({"Running": "False", "Succeeded": "False"}, False, "not started"),
        ({"Running": "False", "Failed": "True"}, True, "Failed: text"),
    ],
)
def test_conditions_that_are_true_count(conditions: dict[str, str], done: bool, shown: str) -> None:
    server = FakeServer()
    server.migrations = [migration("one", **conditions)]
    _, candidate = found(server)
    assert (candidate.is_done, candidate.condition_text) == (done, shown)


@pytest.mark.parametrize(
    ("created", "stored", "old"),
    [(EARLIER, ["v1alpha1", "v1"], True), (EARLIER, ["v1"], False), (BEFORE, ["v1alpha1", "v1"], False)],
)
def test_a_migration_older_than_the_crd_is_ignored(created: str, stored: list[str], old: bool) -> None:
    server = FakeServer()
    server.migrations = [migration("one", created, Succeeded="True")]
    server.crd["status"]["storedVersions"] = stored
    crd, candidate = found(server)
    assert is_stale(candidate, crd) is old


def test_it_is_followed_to_its_end() -> None:
    server = FakeServer()
    server.migrations = [migration("one")]
    crd = read_crd(server, NAME)
    assert crd is not None
    steps = [{"Running": "True"}, {"Succeeded": "True"}]

    def pause(_: float) -> bool:
        server.migrations = [migration("one", **steps.pop(0))]
        return True

    assert [item.condition_text for item in watch_migration(server, crd, pause) if item] == [
        "not started",
        "Running: text",
        "Succeeded: text",
    ]
    server.migrations = [migration("one")]
    assert len(list(watch_migration(server, crd, lambda _: False))) == 1
    server.migrations = []
    assert list(watch_migration(server, crd, pause)) == [None]
