"""`migrate` as a user runs it, against a small server over HTTP, which knows what every object is stored as."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from protoc_gen_crd.__main__ import run
from tests.support.apiserver import NAME, FakeServer, Fault, failed, kubeconfig, serving
from tests.support.serving import PATIENCE, until

PROGRAM = Path(sys.executable).with_name("protoc-gen-crd")
MANAGED = f"603 objects of {NAME} have managedFields of v1alpha1"
DROP = "server-side apply fails once v1alpha1 is removed: drop the entries with --drop-managed v1alpha1"
STATE = "protoc-gen-crd-migrate.json"


class User:
    """Somebody with a folder and a cluster."""

    def __init__(
        self, folder: Path, config: Path | str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        self.folder, self.config, self._monkeypatch, self._capsys = folder, config, monkeypatch, capsys

    def start(self, *arguments: str) -> subprocess.Popen[str]:
        """A process of its own."""
        pipes: dict[str, Any] = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
        command = [str(PROGRAM), "migrate", *arguments]
        environment = {**os.environ, "KUBECONFIG": str(self.config)}
        return subprocess.Popen(command, cwd=self.folder, env=environment, text=True, **pipes)

    def run(self, *arguments: str) -> tuple[int, str, str]:
        """Exit status, output, and stderr of a run in this process, which has loaded the client."""
        self._monkeypatch.setattr(sys, "argv", ["protoc-gen-crd", "migrate", *arguments])
        self._monkeypatch.setenv("KUBECONFIG", str(self.config))
        self._monkeypatch.chdir(self.folder)
        status = run()
        printed = self._capsys.readouterr()
        return status, printed.out, printed.err


@pytest.fixture
def server() -> FakeServer:
    return FakeServer(603)


@pytest.fixture
def nobody(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> User:
    """A user without a cluster."""
    return User(tmp_path, tmp_path / "config", monkeypatch, capsys)


@pytest.fixture
def user(server: FakeServer, nobody: User) -> Iterator[User]:
    with serving(server, nobody.folder):
        yield nobody


def test_a_migration(server: FakeServer, user: User) -> None:
    assert user.run(NAME, "--rate", "0") == (
        0,
        f"{NAME}: 603 objects: 603 rewritten\n{NAME}: stored versions are v1; v1alpha1 may be removed from the CRD\n",
        f"warning: {MANAGED} [migrate-managed-fields]\n  hint: {DROP}\n1 warning\n",
    )
    assert server.stored == {"v1"}
    assert not (user.folder / STATE).exists()
    assert user.run(NAME) == (0, f"{NAME}: nothing to migrate, all objects are stored in v1\n", "")
    dropped = user.run(NAME, "--rate", "0", "--drop-managed", "v1alpha1")
    assert dropped == (0, f"{NAME}: 603 objects: 603 rewritten\n", "")
    assert user.run(NAME, "--drop-managed", "v1")[0] == 2


def test_a_killed_run_is_resumed(server: FakeServer, user: User) -> None:
    server.objects |= FakeServer(1_203).objects
    server.faults = [Fault("PATCH", "w01100", failed(429, "too many requests", retry_after="600"), 99)]
    process = user.start(NAME, "--rate", "1000")
    assert until((user.folder / STATE).exists)
    process.send_signal(signal.SIGKILL)
    process.communicate()
    seen = json.loads((user.folder / STATE).read_text())[NAME]["counts"]["rewritten"]
    assert seen in (500, 1_000)
    server.faults, server.requests = [], []
    status, out, _ = user.run(NAME, "--rate", "0")
    assert (status, server.stored, server.stored_versions) == (0, {"v1"}, ["v1"])
    assert out.startswith(f"{NAME}: 1,203 objects: ")
    written = {path.partition("?")[0].rpartition("/")[2] for _, path in server.requests if "/widgets/" in path}
    assert written == {f"w{number:05}" for number in range(seen, 1_203)}
    assert not (user.folder / STATE).exists()


def test_an_interrupt_ends_it_at_once(server: FakeServer, user: User) -> None:
    server.faults = [Fault("PATCH", "w00600", failed(429, "too many requests", retry_after="600"), 99)]
    process = user.start(NAME, "--rate", "0")
    assert until(lambda: server.faults[0].times < 99)
    time.sleep(0.3)  # so that it waits; an interrupt before that ends it, too
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=PATIENCE)  # the server asks for more
    assert (process.returncode, "Traceback" in err) == (130, False)


def test_a_limit_of_time(server: FakeServer, user: User) -> None:
    status, _, err = user.run(NAME, "--rate", "400", "--time", "1")
    assert (status, err) == (2, "protoc-gen-crd: stopped after 1 s; run the command again to resume\n")
    assert (user.folder / STATE).exists()


def test_a_rejected_object_is_named(server: FakeServer, user: User) -> None:
    reason = 'Internal error occurred: failed calling webhook "check.acme.example": context deadline exceeded'
    server.faults = [Fault("PATCH", "w00007", failed(500, reason), 99)]
    status, out, err = user.run(NAME, "--rate", "0", "--format-findings", "json")
    (finding,) = json.loads(out)["findings"]
    assert (status, finding["rule"], finding["path"]) == (1, "migrate-object", f"{NAME}/default/w00007")
    assert finding["message"] == f"cannot write Widget default/w00007 in v1: {reason}"
    assert err == f"{NAME}: 603 objects: 602 rewritten, 1 failed\n"
    assert server.stored_versions == ["v1alpha1", "v1"]


def test_fields_that_would_be_lost_stop_it(server: FakeServer, user: User) -> None:
    fields = {
        "type": "object",
        "properties": {"spec": {"type": "object", "properties": {"colour": {"type": "string"}}}},
    }
    server.crd["spec"]["versions"][0]["schema"] = {"openAPIV3Schema": fields}
    status, out, err = user.run(NAME, "--rate", "0")
    assert (status, out) == (1, "")
    message = f'field "spec" of {NAME} v1alpha1 would be lost: v1 does not have it'
    assert err.startswith(f"error: {message} [migrate-loss]\n")
    assert server.stored == {"v1alpha1"}
    entry = f"{{rule: migrate-loss, path: {NAME}, severity: warning, reason: nobody reads it}}"
    (user.folder / "protoc-gen-crd.yaml").write_text(f"findings: [{entry}]\n")
    assert user.run(NAME, "--rate", "0")[0] == 0
    assert server.stored == {"v1"}


def test_a_conversion_loses_nothing(server: FakeServer, user: User) -> None:
    fields = {"type": "object", "properties": {"spec": {"type": "object"}}}
    server.crd["spec"]["versions"][0]["schema"] = {"openAPIV3Schema": fields}
    server.crd["spec"]["conversion"] = {"strategy": "Webhook"}
    assert user.run(NAME, "--rate", "0", "--dry-run")[0] == 0


def test_a_dry_run(server: FakeServer, user: User) -> None:
    assert user.run(NAME, "--rate", "0", "--dry-run") == (
        0,
        f"{NAME}: 603 objects: 603 can be written in v1\n",
        "",
    )
    assert (server.stored, server.stored_versions) == ({"v1alpha1"}, ["v1alpha1", "v1"])


@pytest.mark.parametrize(
    ("reply", "message"),
    [
        (failed(401, "Unauthorized"), f"cannot read the CRD {NAME}: Unauthorized"),
        (failed(403, "user cannot get resource"), f"cannot read the CRD {NAME}: user cannot get resource"),
    ],
)
def test_a_cluster_that_rejects_requests(server: FakeServer, user: User, reply: Any, message: str) -> None:
    server.faults = [Fault("GET", NAME, reply, 99)]
    assert user.run(NAME) == (2, "", f"protoc-gen-crd: {message}\n")


def test_a_crd_that_is_not_there(user: User) -> None:
    message = "CRD gadgets.acme.example is not installed"
    assert user.run("gadgets.acme.example") == (1, "", f"error: {message} [migrate-crd]\n1 error\n")


def test_a_crd_that_is_about_to_go(server: FakeServer, user: User) -> None:
    server.crd["status"]["conditions"].append({"type": "Terminating", "status": "True"})
    assert user.run(NAME)[0] == 1
    assert all(method == "GET" for method, _ in server.requests)


def test_no_cluster(nobody: User) -> None:
    message = f"no kubeconfig at {nobody.folder}/config: use --kubeconfig PATH or set KUBECONFIG"
    assert nobody.run(NAME) == (2, "", f"protoc-gen-crd: {message}\n")


@pytest.mark.parametrize("text", ["", "[]", "{", "{}", "a: b", '{"clusters": 3}', "\0"])
def test_a_kubeconfig_that_is_none(text: str, nobody: User) -> None:
    (nobody.folder / "config").write_text(text)
    status, _, err = nobody.run(NAME)
    assert status == 2
    assert err.startswith(f"protoc-gen-crd: cannot load {nobody.folder}/config: ")


def test_a_folder_as_kubeconfig(nobody: User) -> None:
    (nobody.folder / "config").mkdir()
    assert nobody.run(NAME) == (2, "", f"protoc-gen-crd: cannot load {nobody.folder}/config: Is a directory\n")


_NO_PROGRAM = {"apiVersion": "client.authentication.k8s.io/v1", "command": "./none", "interactiveMode": "Never"}


@pytest.mark.parametrize(
    ("cluster", "user", "warning"),
    [
        ({"proxy-url": "socks5://127.0.0.1:1"}, {}, "proxy socks5://127.0.0.1:1 needs PySocks"),
        ({"server": "https://127.0.0.1:99999"}, {}, 'invalid server address "https://127.0.0.1:99999"'),
        (
            {},
            {"as": "bob"},
            '/config: impersonation ("as: bob") is not supported; use a user with the required permissions',
        ),
        ({}, {"exec": _NO_PROGRAM}, "/config: [Errno 2] No such file or directory"),
    ],
)
def test_ignored_settings_of_the_client_are_reported(
    cluster: dict[str, str], user: dict[str, object], warning: str, nobody: User
) -> None:
    path = kubeconfig(nobody.folder, "https://127.0.0.1:1", user or None)
    config = json.loads(path.read_text())
    config["clusters"][0]["cluster"] |= cluster
    path.write_text(json.dumps(config))
    status, _, err = nobody.run(NAME)
    assert (status, warning in err, err.count("\n")) == (2, True, 1)


def test_empty_files_of_a_list_are_passed_over(server: FakeServer, user: User) -> None:
    config = user.folder / "empty"
    config.touch()
    user.config = f"{config}{os.pathsep}{user.config}"
    assert user.run(NAME, "--rate", "0")[0] == 0
    assert server.stored == {"v1"}


def test_secrets_of_a_kubeconfig_stay_there(nobody: User) -> None:
    user = {"auth-provider": {"name": "oidc", "config": {"refresh-token": "hidden"}}}
    kubeconfig(nobody.folder, "https://127.0.0.1:1", user)
    status, _, err = nobody.run(NAME)
    assert (status, "cannot load " in err, "hidden" in err) == (2, True, False)


def test_a_server_without_a_scheme(nobody: User) -> None:
    path = kubeconfig(nobody.folder, "localhost:1")
    message = f'invalid server "localhost:1" in {path}, expected https://HOST:PORT'
    assert nobody.run(NAME) == (2, "", f"protoc-gen-crd: {message}\n")


@pytest.mark.parametrize("way", [{"server": "http://nobody.example", "proxy-url": "{}"}, {"server": "{}/clusters/c-1"}])
def test_a_server_behind_another(server: FakeServer, user: User, way: dict[str, str]) -> None:
    """A proxy, or one server for several clusters, each with paths of its own."""
    config = json.loads((user.folder / "config").read_text())
    named = config["clusters"][0]["cluster"]
    named |= {name: text.format(named["server"]) for name, text in way.items()}
    (user.folder / "config").write_text(json.dumps(config))
    server.root = "" if "proxy-url" in way else "/clusters/c-1"
    assert user.run(NAME, "--rate", "0")[0] == 0
    assert server.stored == {"v1"}


def test_a_pod_without_a_service_account(nobody: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KUBERNETES_SERVICE_HOST", "127.0.0.1")
    monkeypatch.setenv("KUBERNETES_SERVICE_PORT", "1")
    status, _, err = nobody.run(NAME)
    assert (status, "cannot load the service account of this pod: " in err) == (2, True)


def test_no_client(user: User, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [module for module in sys.modules if module.partition(".")[0] == "kubernetes"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "kubernetes", None)
    message = "the Kubernetes client is not installed: run pip install 'protoc-gen-crd[cluster]'"
    assert user.run(NAME) == (2, "", f"protoc-gen-crd: {message}\n")


def test_a_cluster_that_is_not_reached(nobody: User) -> None:
    kubeconfig(nobody.folder, "http://127.0.0.1:1")
    message = "cannot connect to http://127.0.0.1:1: Connection refused"
    assert nobody.run(NAME) == (2, "", f"protoc-gen-crd: {message}\n")


def test_a_context_that_is_not_there(user: User) -> None:
    status, _, err = user.run(NAME, "--context", "other")
    assert (status, "other" in err) == (2, True)


def test_a_migration_of_the_cluster_is_waited_for(server: FakeServer, user: User) -> None:
    status, _, err = user.run(NAME, "--wait")
    assert (status, f"no StorageVersionMigration of {NAME} found [migrate-unfinished]" in err) == (1, True)
    conditions = [{"type": "Failed", "status": "True", "message": "widgets are gone"}]
    metadata = {"name": "widgets-1", "creationTimestamp": "2026-11-22T08:30:00Z"}
    resource = {"resource": {"group": "acme.example", "resource": "widgets"}}
    server.migrations = [{"metadata": metadata, "spec": resource, "status": {"conditions": conditions}}]
    server.crd["status"]["storedVersions"] = ["v1"]  # as controllers do after failures, too
    status, _, err = user.run(NAME, "--wait")
    assert (status, "migration widgets-1 failed: Failed: widgets are gone [migrate-failed]" in err) == (1, True)
    conditions[0] |= {"type": "Succeeded", "message": ""}
    result = "widgets-1 (storagemigration.k8s.io/v1): Succeeded\n"
    assert user.run(NAME, "--wait") == (0, result, "")
    server.crd["status"]["storedVersions"] = ["v1alpha1", "v1"]
    status, out, err = user.run(NAME, "--wait")
    assert (status, out, "[migrate-stored-versions]" in err) == (0, result, True)
