"""The webhook under the API server itself: four versions, of which one in the middle has the fewest fields.

The API server calls a service's address through a forwarder of the test, which sends each new connection to a webhook
that reports that it is ready, as a Service does.
"""

from __future__ import annotations

import base64
import contextlib
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.cluster.server import Cluster
from tests.conftest import ROOT
from tests.support.serving import CERTIFICATES, Serving, certify, until

API = ROOT / "testdata" / "conversion" / "four-versions" / "api.proto"
VERSIONS = ("v1alpha1", "v1beta1", "v1beta2", "v1")
NAME = "routes.acme.example"
_READERS, _SECONDS = 4, 6

# One object in each version: the middle one has neither host nor hint, and one target of several.
FULL = {
    "v1alpha1": {"target": "a", "host": "h", "hint": "i", "weight": 1},
    "v1beta1": {"target": "a", "weight": 1},
    "v1beta2": {"targets": ["a", "b"], "hostname": "h", "weight": 1},
    "v1": {"targets": ["a", "b"], "hostname": "h", "weight": 1},
}


class Forwarder:
    """A proxy of webhooks, which sends each new connection to one that is ready."""

    def __init__(self) -> None:
        self.ports: list[int] = []
        self._listener = socket.create_server(("127.0.0.1", 0), backlog=512)
        self.port = int(self._listener.getsockname()[1])
        self._pairs: list[threading.Thread] = []
        self._accepting = threading.Thread(target=self._accept)
        self._accepting.start()

    def _accept(self) -> None:
        with contextlib.suppress(OSError):  # which stops it
            while True:
                client, _ = self._listener.accept()
                port = self.ports[len(self._pairs) % len(self.ports)]
                pair = threading.Thread(target=_pair, args=(client, port))
                self._pairs.append(pair)
                pair.start()

    def stop(self) -> None:
        """Connections end with the webhooks behind them."""
        self._listener.shutdown(socket.SHUT_RDWR)
        self._accepting.join()
        self._listener.close()
        for pair in self._pairs:
            pair.join()


def _pair(client: socket.socket, port: int) -> None:
    """One connection and that to the webhook, until both have ended."""
    with client, contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port)) as server:
        back = threading.Thread(target=_pump, args=(server, client))
        back.start()
        _pump(client, server)
        back.join()


def _pump(source: socket.socket, target: socket.socket) -> None:
    with contextlib.suppress(OSError):
        source.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        while data := source.recv(65_536):
            target.sendall(data)
    with contextlib.suppress(OSError):
        target.shutdown(socket.SHUT_WR)


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write the output of `generate` for the API, all versions served."""
    folder = tmp_path_factory.mktemp("routes")
    text = API.read_text("utf-8").replace(' unserved_versions: "v1alpha1"', ' hub_version: "v1"')
    (folder / "api.proto").write_text(text)
    command = [sys.executable, "-m", "protoc_gen_crd", "generate", str(folder / "api.proto")]
    subprocess.run([*command, "--out", str(folder / "crds"), "--converters", "converters"], check=True)
    return folder / "crds"


@pytest.fixture(scope="module")
def forwarder() -> Iterator[Forwarder]:
    server = Forwarder()
    yield server
    server.stop()


@pytest.fixture(scope="module")
def started() -> Iterator[list[Serving]]:
    """Return all webhooks, which are needed until the kind is removed."""
    running: list[Serving] = []
    yield running
    for item in running:
        item.stop()


@pytest.fixture(scope="module")
def webhook(served: Path, forwarder: Forwarder, started: list[Serving]) -> Serving:
    started.append(Serving(served, "--converter-package", served / "converters"))
    forwarder.ports = [started[0].port]
    return started[0]


@pytest.fixture(scope="module")
def routes(served: Path, webhook: Serving, forwarder: Forwarder, cluster: Cluster) -> Iterator[Cluster]:
    """A server that has the kind."""
    (crd,) = yaml.safe_load_all((served / "acme.example_routes.yaml").read_text("utf-8"))
    authority = base64.b64encode((CERTIFICATES / "ca.crt").read_bytes()).decode()
    client = {"url": f"https://localhost:{forwarder.port}/convert", "caBundle": authority}
    conversion = {"strategy": "Webhook", "webhook": {"conversionReviewVersions": ["v1"], "clientConfig": client}}
    crd["spec"] = {**crd["spec"], "conversion": conversion}
    replies = cluster.serve([crd])
    assert replies[NAME].code == 201, replies[NAME].body
    yield cluster
    cluster.remove([NAME])


def _url(version: str, name: str = "") -> str:
    return f"/apis/acme.example/{version}/namespaces/default/routes" + (f"/{name}" if name else "")


def _route(version: str, name: str, spec: dict[str, Any]) -> dict[str, Any]:
    return {"apiVersion": f"acme.example/{version}", "kind": "Route", "metadata": {"name": name}, "spec": spec}


def _read(routes: Cluster, version: str, name: str) -> dict[str, Any]:
    reply = routes.call("GET", _url(version, name))
    assert reply.code == 200, reply.body
    return reply.body


@pytest.mark.parametrize("created", VERSIONS)
def test_no_version_that_writes_loses_data(created: str, routes: Cluster) -> None:
    name = f"from-{created}"
    assert routes.call("POST", _url(created), _route(created, name, FULL[created])).code == 201
    assert _read(routes, created, name)["spec"] == FULL[created]
    by_name = {version: _read(routes, version, name) for version in VERSIONS}
    for version, obj in by_name.items():
        assert f"acme.example/conversion-data.{version}" not in obj["metadata"].get("annotations", ())
    for version in VERSIONS:  # read in each version, its weight changed, written back
        obj = _read(routes, version, name)
        obj["spec"]["weight"] += 1
        assert routes.call("PUT", _url(version, name), obj).code == 200
        assert _read(routes, created, name)["spec"] == {**FULL[created], "weight": obj["spec"]["weight"]}
    for version, obj in by_name.items():
        assert _read(routes, version, name)["spec"] == {**obj["spec"], "weight": 5}


def test_an_update_through_the_oldest_version_preserves_newer_fields(routes: Cluster) -> None:
    assert routes.call("POST", _url("v1"), _route("v1", "update", FULL["v1"])).code == 201
    old = _read(routes, "v1alpha1", "update")
    old["spec"]["weight"] = 7
    assert routes.call("PUT", _url("v1alpha1", "update"), old).code == 200
    assert _read(routes, "v1", "update")["spec"] == {**FULL["v1"], "weight": 7}
    old = _read(routes, "v1alpha1", "update")
    old["spec"]["target"] = "c"
    assert routes.call("PUT", _url("v1alpha1", "update"), old).code == 200
    assert _read(routes, "v1", "update")["spec"]["targets"][0] == "c"


def test_a_list_has_all_objects_in_the_requested_version(routes: Cluster) -> None:
    for version in VERSIONS:
        items = routes.call("GET", _url(version)).body["items"]
        assert {item["apiVersion"] for item in items} == {f"acme.example/{version}"}
        assert len(items) == len(VERSIONS) + 1


def test_an_object_that_cannot_be_converted_is_reported_by_name_and_path(routes: Cluster) -> None:
    spoilt = _route("v1beta1", "spoilt", {"target": {"is": "no text"}})
    spoilt["metadata"] |= {"namespace": "default", "uid": "0", "creationTimestamp": "2026-01-01T00:00:00Z"}
    key = "acme.example/routes/default/spoilt"
    routes.put(key, spoilt)
    reply = routes.call("GET", _url("v1beta2", "spoilt"))
    routes.drop(key)
    assert reply.code == 500
    text = "Route default/spoilt from v1beta1 to v1beta2: spec.target: expected a string, found an object"
    assert text in reply.body["message"]


class Readers:
    """Repeated reads at versions that require conversion, until they are stopped, and their errors."""

    def __init__(self, cluster: Cluster) -> None:
        self.failures: list[str] = []
        self.count = 0
        self._stop = False
        self._threads = [threading.Thread(target=self._read, args=(cluster.twin(),)) for _ in range(_READERS)]
        for thread in self._threads:
            thread.start()

    def _read(self, cluster: Cluster) -> None:
        while not self._stop:
            for version in ("v1alpha1", "v1beta1"):
                reply = cluster.call("GET", f"{_url(version, 'update')}")
                self.count += 1
                if reply.code != 200:
                    self.failures.append(str(reply.body))
        cluster.leave()

    def stop(self) -> None:
        self._stop = True
        for thread in self._threads:
            thread.join()


def test_reads_succeed_during_restarts_and_certificate_changes(
    routes: Cluster, served: Path, started: list[Serving], forwarder: Forwarder, tmp_path: Path
) -> None:
    certify("second", tmp_path / "tls")
    readers = Readers(routes)
    try:
        time.sleep(_SECONDS / 6)
        new = Serving(
            served, "--converter-package", served / "converters", "--drain", "2", certificates=tmp_path / "tls"
        )
        started.append(new)
        forwarder.ports = [started[0].port, new.port]
        time.sleep(_SECONDS / 6)
        forwarder.ports = [new.port]  # the old one is no longer ready
        assert started[0].end() == 0
        certify("first", tmp_path / "tls")
        new.wait_for_log("certificate reloaded")
        before = readers.count
        assert until(lambda: readers.count > before + 100)
        started.append(Serving(served, "--converter-package", served / "converters"))
        forwarder.ports = [started[-1].port]
        assert new.end() == 0
        before = readers.count
        assert until(lambda: readers.count > before + 100)
    finally:
        readers.stop()
    assert readers.count > 300
    assert readers.failures == []
