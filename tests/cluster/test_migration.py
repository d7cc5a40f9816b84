"""Storage migration on a running server: by a StorageVersionMigration, by `migrate` among writers and after a kill."""

from __future__ import annotations

import json
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from threading import Event
from typing import Any

import pytest

from protoc_gen_crd.cluster.api_server import MERGE
from protoc_gen_crd.yaml.reader import read
from tests.cluster.server import Cluster
from tests.cluster.stored import NEW, OLD, Gadgets

PROGRAM = str(Path(sys.executable).with_name("protoc-gen-crd"))
MANY = 10_000
APPLY = "application/apply-patch+yaml"
_WRITERS = 3
_DELETED = 0.2


class Kind(Gadgets):
    """The kind, and `migrate` on it."""

    def __init__(self, cluster: Cluster, group: str, folder: Path) -> None:
        super().__init__(cluster, group)
        self.folder = folder

    def start(self, *arguments: str) -> subprocess.Popen[str]:
        command = [PROGRAM, "migrate", self.name, "--kubeconfig", str(self.cluster.kubeconfig), *arguments]
        return subprocess.Popen(command, cwd=self.folder, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def run(self, *arguments: str) -> tuple[int, str, str]:
        process = self.start(*arguments)
        out, err = process.communicate()
        return process.returncode, out, err

    def killed(self, seen: int, *arguments: str) -> None:
        """A run that is killed after so many objects."""
        process = self.start("--settle", "0", *arguments)
        while self._seen() < seen and process.poll() is None:
            time.sleep(0.05)
        process.send_signal(signal.SIGKILL)
        process.communicate()
        assert self.stored == {OLD, NEW}

    def _seen(self) -> int:
        state = self.folder / "protoc-gen-crd-migrate.json"
        return sum(json.loads(state.read_text())[self.name]["counts"].values()) if state.exists() else 0


@pytest.fixture
def kind(request: pytest.FixtureRequest, cluster: Cluster, tmp_path: Path) -> Kind:
    return Kind(cluster, f"{request.node.name.removeprefix('test_').replace('_', '-')}.example", tmp_path)


@contextmanager
def writers(kind: Kind, before: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Clients that create, update and delete objects meanwhile; the resulting spec of each of these, or None."""
    specs: dict[str, Any] = {}
    ended = Event()

    def write(number: int) -> None:
        chance = random.Random(number)  # noqa: S311 - it keeps no secret
        names = sorted(before)[number::_WRITERS]  # nobody else writes these
        while not ended.is_set():
            name = chance.choice(names)
            old = specs.get(name, before[name]["spec"])
            specs[name] = change(name, old, {"writer": number, "count": len(specs)}, chance.random() < _DELETED)

    def change(name: str, old: Any, spec: Any, delete: bool) -> Any:
        if old is None:
            assert kind.api.call("POST", kind.path(version=OLD), kind.create(name, spec)).code == 201
            return spec
        if delete:
            assert kind.api.call("DELETE", kind.path(name)).code == 200
            return None
        assert kind.api.call("PATCH", kind.path(name), {"spec": spec}, content=MERGE).code == 200
        return {**old, **spec}

    with ThreadPoolExecutor(_WRITERS) as pool:
        results = pool.map(write, range(_WRITERS))
        try:
            yield specs
        finally:
            ended.set()
    assert list(results) == [None] * _WRITERS


def test_migration_with_concurrent_writers(kind: Kind) -> None:
    kind.fill(MANY)
    before = kind.objects()
    assert kind.switch(OLD, NEW) == 200
    assert kind.switch(NEW) == 422  # an object is still stored in the old version
    with writers(kind, before) as specs:
        kind.killed(MANY // 4, "--rate", "0")
        assert kind.reported_versions == [OLD, NEW]
        status, out, err = kind.run("--settle", "0", "--rate", "0")
    assert (status, "failed" in out + err) == (0, False), err
    assert (kind.reported_versions, kind.stored) == ([NEW], {NEW})
    after = kind.objects()
    assert len(specs) > _WRITERS
    assert [name for name in before if name not in specs and after.get(name) != before[name]] == []
    assert [name for name, spec in specs.items() if after.get(name, {"spec": None})["spec"] != spec] == []
    assert set(after) <= set(before)
    assert kind.run()[1] == f"{kind.name}: nothing to migrate, all objects are stored in v1\n"
    assert kind.switch(NEW) == 200  # and the old version is removed
    assert kind.objects() == after


def test_migration_by_the_cluster(kind: Kind) -> None:
    kind.fill(1_000)
    before = kind.objects()
    assert kind.switch(OLD, NEW) == 200
    status, out, err = kind.run("--emit", "in-tree", "--kubernetes", "1.37")
    assert (status, err) == (0, "")
    (manifest,) = (document.value for document in read(out) if document.value)
    migrations = "/apis/storagemigration.k8s.io/v1/storageversionmigrations"
    assert kind.api.call("POST", migrations, manifest).code == 201
    status, out, err = kind.run("--wait", "--time", "120")
    assert (status, err) == (0, "")
    assert f"{manifest['metadata']['name']} (storagemigration.k8s.io/v1): Succeeded" in out
    assert (kind.reported_versions, kind.stored) == ([NEW], {NEW})
    assert kind.objects() == before
    assert kind.switch(NEW) == 200


@pytest.mark.parametrize("dropped", [False, True])
def test_managed_fields_of_a_removed_version(dropped: bool, cluster: Cluster, tmp_path: Path) -> None:
    """Server-side apply of an object with an entry of a removed version fails, so such entries can be dropped."""
    kind = Kind(cluster, f"managed-{dropped}.example".lower(), tmp_path)
    kind.fill(2)
    before = kind.objects()
    assert kind.switch(OLD, NEW) == 200
    status, _, err = kind.run("--settle", "0", *(("--drop-managed", OLD) if dropped else ()))
    assert (status, "[migrate-managed-fields]" in err) == (0, not dropped)
    assert [manifest["spec"] for manifest in kind.objects().values()] == [
        manifest["spec"] for manifest in before.values()
    ]
    assert kind.switch(NEW) == 200
    applied = {**kind.create("g00001", {"number": 5}), "apiVersion": f"{kind.group}/{NEW}"}
    reply = kind.api.call("PATCH", f"{kind.path('g00001')}?fieldManager=me&force=true", applied, content=APPLY)
    assert reply.code == (200 if dropped else 500)


def test_a_resumed_run_drops_managed_fields(kind: Kind) -> None:
    """Objects that a killed run has written without dropping anything have entries of the old version, too."""
    kind.fill(1_200)
    assert kind.switch(OLD, NEW) == 200
    kind.killed(1, "--rate", "100")
    assert kind.run("--settle", "0", "--rate", "0", "--drop-managed", OLD)[0] == 0
    metadata = [item["metadata"] for item in kind.api.call("GET", kind.path()).body["items"]]
    versions = {entry["apiVersion"] for item in metadata for entry in item["managedFields"]}
    assert versions == {f"{kind.group}/{NEW}"}


def test_rejected_objects_are_reported(kind: Kind) -> None:
    """An object that a policy rejects is named, and the others are migrated."""
    kind.fill(20)
    assert kind.switch(OLD, NEW) == 200
    registration = "/apis/admissionregistration.k8s.io/v1/validatingadmissionpolic"
    rules = [{"apiGroups": [kind.group], "apiVersions": ["*"], "operations": ["UPDATE"], "resources": ["gadgets"]}]
    validations = [{"expression": "object.spec.number != 7", "message": "seven stays"}]
    spec = {"failurePolicy": "Fail", "matchConstraints": {"resourceRules": rules}, "validations": validations}
    binding = {"metadata": {"name": "seven"}, "spec": {"policyName": "seven", "validationActions": ["Deny"]}}
    assert kind.api.call("POST", f"{registration}ies", {"metadata": {"name": "seven"}, "spec": spec}).code == 201
    assert kind.api.call("POST", f"{registration}ybindings", binding).code == 201
    body, query = {"metadata": {"labels": {"touched": "yes"}}}, "?dryRun=All"
    while kind.api.call("PATCH", kind.path("g00007") + query, body, content=MERGE).code == 200:
        time.sleep(0.2)
    status, out, err = kind.run("--settle", "0")
    assert (status, out) == (1, f"{kind.name}: 20 objects: 19 rewritten, 1 failed\n")
    assert "default/g00007" in err
    assert "seven stays" in err
    assert (kind.reported_versions, kind.stored) == ([OLD, NEW], {OLD, NEW})


def test_migration_continues_after_a_compaction(kind: Kind) -> None:
    """The token of a killed run is so old that the server does not know it any more."""
    kind.fill(1_200)
    assert kind.switch(OLD, NEW) == 200
    kind.killed(1, "--rate", "100")
    kind.cluster.compact()
    status, out, _ = kind.run("--settle", "0")
    assert (status, kind.reported_versions, kind.stored) == (0, [NEW], {NEW})
    assert f"{kind.name}: 1,200 objects: " in out
