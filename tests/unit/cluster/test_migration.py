"""Migrations with a server in memory that knows the stored version of each object."""

from __future__ import annotations

from functools import partial

import pytest

from protoc_gen_crd.cluster.api_server import LIST_OF_METADATA, ApiReply, ClusterError, DisconnectedError
from protoc_gen_crd.cluster.installed_crds import InstalledCrd, read_crd
from protoc_gen_crd.cluster.migration import MAX_PASSES, Migration, MigrationOptions, MigrationResult
from protoc_gen_crd.cluster.migration_state import MigrationState, decode_state, encode_state
from protoc_gen_crd.cluster.rate_limit_and_retry import RetryPolicy
from tests.support.apiserver import NAME, FakeServer, Fault, failed

QUICK = RetryPolicy(
    overloaded_retries=3, server_error_retries=1, disconnected_retries=2, first_delay=0.001, max_delay=0.002
)
EFFORT = MigrationOptions(workers=1, retry_policy=QUICK)


def installed(server: FakeServer) -> InstalledCrd:
    crd = read_crd(server, NAME)
    assert crd is not None
    return crd


def migrate(
    server: FakeServer, state: MigrationState | None = None, effort: MigrationOptions = EFFORT, states: object = None
) -> MigrationResult:
    reported: list[MigrationState] = [] if states is None else states  # type: ignore[assignment]
    return Migration(server, installed(server), effort, reported.append).run(state)


def patches(server: FakeServer) -> int:
    return sum(method == "PATCH" and "/widgets/" in path for method, path in server.requests)


def test_every_object_is_written_once_and_the_crd_is_trimmed() -> None:
    server = FakeServer(1_203)
    before = {key: content for key, (_, _, content) in server.objects.items()}
    states: list[MigrationState] = []
    result = migrate(server, states=states)
    assert (server.stored, server.stored_versions, result.trimmed_versions) == ({"v1"}, ["v1"], ("v1alpha1",))
    assert {key: content for key, (_, _, content) in server.objects.items()} == before
    assert result.state.counts == {"rewritten": 1_203}
    assert patches(server) == 1_203
    assert [(state.processed_count, state.total) for state in states] == [(500, 1_203), (1_000, 1_203), (1_203, 1_203)]
    assert result.state.managed == {"v1alpha1": 1_203}


@pytest.mark.parametrize(("settle", "waits"), [(10, 0), (3_610, 10)])
def test_a_crd_that_has_just_changed_is_waited_for(settle: int, waits: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its spec is an hour old."""
    waited: list[float] = []
    monkeypatch.setattr(
        "protoc_gen_crd.cluster.rate_limit_and_retry.RequestThrottle.wait", lambda _, seconds: waited.append(seconds)
    )
    migrate(FakeServer(1), effort=EFFORT.replace(min_age=settle))
    assert max(waited) == waits


def test_a_dry_run_changes_nothing() -> None:
    server = FakeServer(10)
    result = migrate(server, effort=EFFORT.replace(is_dry_run=True))
    assert (server.stored, server.stored_versions, result.trimmed_versions) == ({"v1alpha1"}, ["v1alpha1", "v1"], ())
    assert result.state.processed_count == 10


def test_a_stopped_migration_is_resumed() -> None:
    server = FakeServer(1_203)
    states: list[MigrationState] = []
    server.faults = [Fault("PATCH", "w00700", None, 99)]
    with pytest.raises(DisconnectedError):
        migrate(server, states=states)
    assert states[-1].processed_count == 500
    server.faults, server.requests = [], []
    result = migrate(server, decode_state(encode_state(states[-1])))
    assert (result.state.processed_count, server.stored, server.stored_versions) == (1_203, {"v1"}, ["v1"])
    assert patches(server) == 703


@pytest.mark.parametrize("change", ["touch", "switch"])
def test_a_state_of_another_generation_is_not_taken_up(change: str) -> None:
    """Processed objects may have been stored in another version since."""
    server = FakeServer(600)
    states: list[MigrationState] = []
    server.faults = [Fault("PATCH", "w00550", None, 99)]
    with pytest.raises(DisconnectedError):
        migrate(server, states=states)
    server.faults = []
    if change == "touch":
        server.touch()
    else:
        server.switch("v1alpha1")
        server.write(("default", "w00000"))
        server.switch("v1")
    migrate(server, states[-1])
    assert (server.stored, server.stored_versions) == ({"v1"}, ["v1"])


def test_a_list_that_fails_costs_nothing_that_is_written() -> None:
    server = FakeServer(1_203)
    states: list[MigrationState] = []
    server.faults = [Fault("GET", "continue", failed(403, "user cannot list resource"), 99)]
    with pytest.raises(ClusterError, match="cannot list the objects"):
        migrate(server, states=states)
    assert [state.counts for state in states] == [{"rewritten": 500}]
    server.faults, server.requests = [], []
    assert migrate(server, states[-1]).state.counts == {"rewritten": 1_203}
    assert patches(server) == 703


@pytest.mark.parametrize("workers", [1, 3, 16])
def test_many_threads_have_the_outcome_of_one(workers: int) -> None:
    """Objects that are deleted, rejected, in conflict or delayed, over three pages."""
    server = FakeServer(1_203)
    busy, rejected = failed(429, "too many requests", retry_after="0"), failed(422, "no")
    server.faults = [Fault("PATCH", f"w{at:05}", rejected, 99) for at in (3, 499, 500, 1_200)]
    server.faults += [Fault("PATCH", f"w{at:05}", busy, 2) for at in range(0, 1_203, 97)]
    meanwhile = [f"w{at:05}" for at in range(450, 550)]
    server.hooks = [("PATCH", name, partial(server.write, ("default", name))) for name in meanwhile]
    server.hooks += [("PATCH", "w01000", lambda: server.objects.pop(("default", "w01000")))]
    result = migrate(server, effort=EFFORT.replace(workers=workers))
    assert result.state.counts == {"rewritten": 1_100, "others": 98, "gone": 1, "failed": 4}
    assert [name for name, _ in result.state.failures] == [f"default/w{at:05}" for at in (3, 499, 500, 1_200)]
    assert server.stored_versions == ["v1alpha1", "v1"]


@pytest.mark.parametrize("lost", [False, True])
def test_a_token_that_has_expired(lost: bool) -> None:
    server = FakeServer(1_203)
    server.lost = lost

    def compact() -> None:
        server.oldest = server.revision + 1
        server.hooks.append(("GET", "continue", lambda: setattr(server, "oldest", server.revision)))

    server.hooks = [("GET", "continue", compact)]
    result = migrate(server)
    assert (server.stored, server.stored_versions, result.state.counts["rewritten"]) == (
        {"v1"},
        ["v1"],
        703 if lost else 1_203,
    )
    assert result.state.processed_count == 1_203
    assert "others" not in result.state.counts
    assert result.state.earlier == (500 if lost else 0)


def test_objects_that_others_write_and_delete_meanwhile() -> None:
    server = FakeServer(5)
    server.hooks = [
        ("PATCH", "w00001", lambda: server.write(("default", "w00001"))),
        ("PATCH", "w00002", lambda: server.objects.pop(("default", "w00002"))),
    ]
    result = migrate(server)
    assert result.state.counts == {"rewritten": 3, "others": 1, "gone": 1}
    assert server.objects["default", "w00001"][2].startswith("somebody's")
    assert server.stored_versions == ["v1"]


def test_an_old_server_that_writes_the_old_version_meanwhile() -> None:
    server = FakeServer(3)

    def stale() -> None:
        server.write(("default", "w00001"))
        revision, _, text = server.objects["default", "w00001"]
        server.objects["default", "w00001"] = revision, "v1alpha1", text

    server.hooks = [("PATCH", "w00001", stale)]
    migrate(server)
    assert server.stored == {"v1"}


@pytest.mark.parametrize(
    "reply",
    [
        failed(422, "spec.size: Invalid value"),
        failed(403, "admission webhook denied the request"),
        failed(500, "failed calling webhook"),
    ],
    ids=lambda reply: str(reply.code),
)
def test_one_rejected_object_prevents_only_the_trimming(reply: ApiReply) -> None:
    server = FakeServer(600)
    server.faults = [Fault("PATCH", "w00003", reply, 99)]
    result = migrate(server)
    assert result.state.failures == (("default/w00003", reply.message),)
    assert [key for key, (_, version, _) in server.objects.items() if version != "v1"] == [("default", "w00003")]
    assert (server.stored_versions, result.trimmed_versions) == (["v1alpha1", "v1"], ())
    server.faults = []
    assert migrate(server).state.counts == {"unchanged": 599, "rewritten": 1}
    assert server.stored_versions == ["v1"]


def test_failures_are_kept_over_a_stop() -> None:
    server = FakeServer(600)
    states: list[MigrationState] = []
    server.faults = [Fault("PATCH", "w00003", failed(422, "no"), 1), Fault("PATCH", "w00550", None, 99)]
    with pytest.raises(DisconnectedError):
        migrate(server, states=states)
    server.faults = []
    assert migrate(server, states[-1]).state.failed_count == 1
    assert server.stored_versions == ["v1alpha1", "v1"]


def test_a_failure_of_all_objects_ends_the_migration() -> None:
    server = FakeServer(1_000)
    server.faults = [Fault("PATCH", "/widgets/", failed(403, "user cannot patch resource"), 9_999)]
    with pytest.raises(ClusterError, match=r"cannot write any object, .* cannot patch"):
        migrate(server)
    assert patches(server) < 600


def test_a_missing_permission_to_trim_is_reported_first() -> None:
    server = FakeServer(10)
    server.faults = [Fault("PATCH", "/status", failed(403, "user cannot patch resource customresourcedefinitions"))]
    with pytest.raises(ClusterError, match=r"cannot set status.storedVersions"):
        migrate(server)
    assert patches(server) == 0


def test_a_list_that_one_object_breaks_is_read_through_another_version() -> None:
    server = FakeServer(3)
    broken = failed(500, "conversion webhook failed: default/w00001")
    server.faults = [Fault("GET", "/v1/widgets", broken, 99), Fault("PATCH", "w00001", broken, 99)]
    result = migrate(server)
    assert result.state.failures == (("default/w00001", broken.message),)
    assert result.state.counts == {"rewritten": 2, "failed": 1}


def test_a_list_that_nothing_helps() -> None:
    server = FakeServer(3)
    server.faults = [Fault("GET", "/widgets?", failed(500, "conversion webhook failed"), 99)]
    with pytest.raises(
        ClusterError, match=r"cannot list the objects of widgets.acme.example: conversion webhook failed"
    ):
        migrate(server)


def test_a_page_of_a_proxy_is_no_empty_list() -> None:
    server = FakeServer(3)
    server.faults = [Fault("GET", "/widgets?", ApiReply(200, {"message": "<html>Sign in"}), 99)]
    with pytest.raises(ClusterError, match="the response is not a list: <html>Sign in"):
        migrate(server)
    assert server.stored_versions == ["v1alpha1", "v1"]


def test_an_overloaded_server_is_obeyed() -> None:
    server = FakeServer(3)
    busy = failed(429, "too many requests", retry_after="0")
    server.faults = [Fault("PATCH", "w00001", busy, 2), Fault("GET", "/widgets?", busy, 1)]
    assert migrate(server).state.counts == {"rewritten": 3}


def test_a_spec_that_changes_meanwhile_means_another_pass() -> None:
    server = FakeServer(5)
    server.hooks = [("PATCH", "w00003", server.touch)]
    result = migrate(server)
    assert (result.crd_change, server.stored_versions, result.state.counts) == ("", ["v1"], {"unchanged": 5})


def test_a_spec_that_keeps_changing_is_not_trimmed() -> None:
    server = FakeServer(5)

    def again() -> None:
        server.touch()
        server.hooks.append(("PATCH", "w00003", again))

    server.hooks = [("PATCH", "w00003", again)]
    result = migrate(server)
    assert "its generation changed" in result.crd_change
    assert patches(server) == 5 * MAX_PASSES
    assert server.stored_versions == ["v1alpha1", "v1"]


def test_a_storage_version_that_changes_meanwhile_ends_it() -> None:
    server = FakeServer(5)
    server.hooks = [("PATCH", "w00003", lambda: server.switch("v1alpha1"))]
    result = migrate(server)
    assert result.crd_change == "its storage version changed from v1 to v1alpha1"
    assert (result.trimmed_versions, server.stored_versions) == ((), ["v1alpha1", "v1"])


def test_a_storage_version_that_changes_to_and_fro_is_noticed() -> None:
    server = FakeServer(5)

    def to_and_fro() -> None:
        server.switch("v1alpha1")
        server.write(("default", "w00000"))
        server.switch("v1")

    server.hooks = [("PATCH", "w00003", to_and_fro)]
    migrate(server)
    assert (server.stored, server.stored_versions) == ({"v1"}, ["v1"])


def test_a_crd_that_changes_just_before_it_is_trimmed() -> None:
    server = FakeServer(5)
    server.hooks = [("PATCH", "/status", lambda: server.hooks.append(("PATCH", "/status", server.touch)))]
    result = migrate(server)
    assert (result.crd_change, server.stored_versions) == ("", ["v1"])
    assert patches(server) == 10


def test_a_crd_that_is_deleted_meanwhile() -> None:
    server = FakeServer(5)
    server.hooks = [("PATCH", "w00004", lambda: server.crd.update(metadata={**server.crd["metadata"], "uid": "u2"}))]
    result = migrate(server)
    assert (result.crd_change, server.stored_versions) == ("it was deleted", ["v1alpha1", "v1"])


def test_a_version_that_is_served_no_longer_ends_it() -> None:
    server = FakeServer(5)
    server.hooks = [("PATCH", "w00004", lambda: server.crd["spec"]["versions"][1].update(served=False))]
    with pytest.raises(ClusterError, match=r"can no longer write widgets in v1"):
        migrate(server)


def test_a_storage_version_that_is_not_served() -> None:
    server = FakeServer(5)
    server.crd["spec"]["versions"][1]["served"] = False
    migrate(server)
    assert (server.stored, server.stored_versions) == ({"v1"}, ["v1"])


def test_managed_fields_of_old_versions_are_dropped() -> None:
    server = FakeServer(3)
    new, old = {"apiVersion": "acme.example/v1", "manager": "m"}, {"apiVersion": "acme.example/v1alpha1"}
    server.managed = {("default", "w00001"): [new, old]}
    server.hooks = [("PATCH", "w00001", lambda: server.write(("default", "w00001")))]
    result = migrate(server, effort=EFFORT.replace(dropped_versions=("v1alpha1",)))
    assert result.state.counts == {"rewritten": 2, "others": 1}
    assert server.managed["default", "w00001"] == [new]
    (seed,) = server.managed["default", "w00000"]
    assert (seed["apiVersion"], seed["fieldsV1"]) == ("acme.example/v1", {"f:metadata": {"f:name": {}}})


def test_a_token_of_somebody_else_is_no_token() -> None:
    server = FakeServer(603)
    server.faults = [Fault("GET", "continue=garbage", failed(400, "continue key is not valid"))]
    state = MigrationState("u1", 2, "v1", "garbage", {"rewritten": 500})
    assert migrate(server, state).state.counts == {"rewritten": 603}


BROKEN = {**encode_state(MigrationState("u1", 2, "v1")), "counts": {"rewritten": "many"}}


@pytest.mark.parametrize("data", [None, [], {}, {"format": 2}, {"format": 1}, {"format": 1, "uid": 3}, BROKEN])
def test_a_state_that_is_none(data: object) -> None:
    assert decode_state(data) is None


def test_a_page_of_a_proxy_is_no_object_that_was_written() -> None:
    server = FakeServer(10)
    server.faults = [Fault("PATCH", "w00003", ApiReply(200, {"message": "<html>log in</html>"}), 99)]
    with pytest.raises(ClusterError, match="the response is not an object: <html>log in"):
        migrate(server)
    assert server.stored_versions == ["v1alpha1", "v1"]


def test_an_object_that_a_webhook_rejects_with_a_conflict_is_still_stored() -> None:
    """API servers return the code of a webhook, while the resourceVersion of the object does not change."""
    server = FakeServer(10)
    server.faults = [Fault("PATCH", "w00003", failed(409, "admission webhook denied the request"), 99)]
    result = migrate(server)
    assert result.state.counts == {"rewritten": 9, "failed": 1}
    assert result.state.failures == (("default/w00003", "admission webhook denied the request"),)
    assert server.stored_versions == ["v1alpha1", "v1"]


@pytest.mark.parametrize(("dropped", "left"), [(("v1alpha1",), 0), ((), 203)])
def test_a_state_is_taken_up_by_a_run_that_drops_the_same(dropped: tuple[str, ...], left: int) -> None:
    """Processed objects may have entries that this run removes."""
    server = FakeServer(703)
    states: list[MigrationState] = []
    server.faults = [Fault("PATCH", "w00550", None, 99)]
    with pytest.raises(DisconnectedError):
        migrate(server, states=states)
    server.faults, server.requests = [], []
    migrate(server, decode_state(encode_state(states[-1])), EFFORT.replace(dropped_versions=dropped))
    assert patches(server) == (703 if dropped else left)


@pytest.mark.parametrize("how", ["restarts", "the same page"])
def test_a_list_that_comes_to_no_end_is_given_up(how: str) -> None:
    server = FakeServer(1_203)
    more = failed(410, "too old") if how == "restarts" else first_page(server)
    server.faults = [Fault("GET", "continue", more, 999)]
    with pytest.raises(ClusterError, match=f"cannot list all objects of .*: the list .*{how}"):
        migrate(server)
    assert server.stored_versions == ["v1alpha1", "v1"]


def first_page(server: FakeServer) -> ApiReply:
    """The first page, which leads to itself."""
    return server.call("GET", "/apis/acme.example/v1/widgets?limit=500", accept=LIST_OF_METADATA)
