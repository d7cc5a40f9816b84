"""A running API server, and its answers to manifests. See tests/apiserver for the program."""

from __future__ import annotations

import base64
import copy
import http.client
import json
import ssl
import subprocess
import time
from collections.abc import Callable, Iterable, Iterator
from http import HTTPStatus
from pathlib import Path
from typing import Any

from protoc_gen_crd.base.record import Record

CRDS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
_PATIENCE = 300  # seconds; what takes longer hangs


class Reply(Record):
    """Status code, body and Warning headers."""

    code: int
    body: dict[str, Any]
    warnings: tuple[str, ...]

    @property
    def errors(self) -> list[str]:
        """Return the field errors, each as `field: message`, sorted; the server's order is random."""
        causes = self.body.get("details", {}).get("causes", ()) if self.code == 422 else ()
        return sorted(f"{cause.get('field', '')}: {cause['message']}" for cause in causes)


class Cluster:
    """An API server, which ends with `stop` or with this process."""

    def __init__(self, program: str, folder: Path) -> None:
        self.folder = folder
        with (folder / "log").open("w") as log:
            self._process = subprocess.Popen(
                [program, "--dir", str(folder)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log, text=True
            )
        line = self._process.stdout.readline() if self._process.stdout else ""
        if not line.startswith("ready "):
            raise RuntimeError((folder / "log").read_text()[-2000:])
        token = (folder / "tokens.csv").read_text().split(",")[0]
        self._headers = {"Authorization": f"Bearer {token}"}
        self._host = line.split()[1].split("//")[1]
        self._context = ssl.create_default_context(cafile=str(folder / "apiserver.crt"))
        self._connection = http.client.HTTPSConnection(self._host, context=self._context)

    def twin(self) -> Cluster:
        """The same server over a connection of its own, for another thread."""
        server = copy.copy(self)
        server._connection = http.client.HTTPSConnection(self._host, context=self._context)
        return server

    def leave(self) -> None:
        """Close the connection."""
        self._connection.close()

    @property
    def kubeconfig(self) -> Path:
        """Return the connection settings for other programs."""
        return self.folder / "kubeconfig"

    def call(self, method: str, path: str, body: object = None, content: str = "application/json") -> Reply:
        """Send a request, repeated while the server installs a CRD; bytes are sent unchanged."""
        data = body if body is None or isinstance(body, bytes) else json.dumps(body).encode()
        headers = {**self._headers, "Content-Type": content}
        while True:
            try:
                self._connection.request(method, path, data, headers)
                response = self._connection.getresponse()
                text = response.read()
            except ssl.SSLEOFError:  # it was idle for minutes
                self._connection.close()
                continue
            except (http.client.RemoteDisconnected, ConnectionError):  # it panicked, and continues
                self._connection.close()
                return Reply(HTTPStatus.INTERNAL_SERVER_ERROR, {"message": "the server hung up"}, ())
            if response.status != HTTPStatus.TOO_MANY_REQUESTS:
                warnings = tuple([_unquoted(value) for value in response.headers.get_all("Warning", ())])
                return Reply(response.status, json.loads(text) if text[:1] == b"{" else {}, warnings)
            time.sleep(0.02)

    def put(self, key: str, value: object) -> None:
        """Write to etcd what no server accepts any more, such as an object that is older than a rule."""
        self._etcd("put", {"key": _base64(f"/registry/{key}"), "value": _base64(json.dumps(value))})

    def drop(self, key: str) -> None:
        """Remove an object from etcd at once, without its finalizers."""
        self._etcd("deleterange", {"key": _base64(f"/registry/{key}")})

    def kept(self, prefix: str) -> Iterator[dict[str, Any]]:
        """Return the content of etcd below a prefix, as it is stored."""
        start, end = f"/registry/{prefix}", f"/registry/{prefix[:-1]}{chr(ord(prefix[-1]) + 1)}"
        while True:
            result = self._etcd("range", {"key": _base64(start), "range_end": _base64(end), "limit": "500"})
            for item in result.get("kvs", ()):
                yield json.loads(base64.b64decode(item["value"]))
            if not result.get("more"):
                return
            start = base64.b64decode(result["kvs"][-1]["key"]).decode() + "\0"

    def compact(self) -> None:
        """Compact etcd to its current state, as API servers do every few minutes."""
        now = self._etcd("range", {"key": _base64("/"), "limit": "1"})["header"]["revision"]
        self._etcd("compaction", {"revision": now})

    def _etcd(self, action: str, text: dict[str, str]) -> dict[str, Any]:
        endpoint = (self.folder / "etcd-endpoint").read_text().strip().split("//")[1]
        connection = http.client.HTTPConnection(endpoint)
        connection.request("POST", f"/v3/kv/{action}", json.dumps(text))
        response = connection.getresponse()
        if response.status != HTTPStatus.OK:
            raise RuntimeError(f"etcd does not take {action} {text}")
        data: dict[str, Any] = json.loads(response.read())
        connection.close()
        return data

    def serve(self, crds: Iterable[dict[str, Any]]) -> dict[str, Reply]:
        """Install CRDs and wait until their objects can be created; the answers by name."""
        replies = {crd["metadata"]["name"]: self.call("POST", CRDS, crd) for crd in crds}
        for name, reply in replies.items():
            if reply.code == HTTPStatus.CREATED:
                wait(lambda name=name: self._established(name))  # type: ignore[misc]
        time.sleep(2)  # a create soon after its CRD is delayed this long
        return replies

    def remove(self, names: Iterable[str]) -> None:
        """Remove CRDs with their objects, and wait until they are removed."""
        names = tuple(names)
        for name in names:
            self.call("DELETE", f"{CRDS}/{name}")
        for name in names:
            wait(lambda name=name: self._is_removed(name))  # type: ignore[misc]

    def _is_removed(self, name: str) -> bool:
        """Return whether a CRD is removed within a second; otherwise, change it.

        A server whose cache of the objects is still starting retries with pauses that double, but immediately when
        the CRD changes.
        """
        for _ in range(20):
            if self.call("GET", f"{CRDS}/{name}").code == HTTPStatus.NOT_FOUND:
                return True
            time.sleep(0.05)
        change = {"metadata": {"annotations": {"requested": str(time.time_ns())}}}
        self.call("PATCH", f"{CRDS}/{name}", change, "application/merge-patch+json")
        return False

    def stop(self) -> None:
        """End the server."""
        self._connection.close()
        if self._process.stdin:
            self._process.stdin.close()
        if self._process.stdout:
            self._process.stdout.close()
        self._process.wait(_PATIENCE)

    def _established(self, name: str) -> bool:
        conditions = self.call("GET", f"{CRDS}/{name}").body.get("status", {}).get("conditions") or ()
        return any(condition["type"] == "Established" and condition["status"] == "True" for condition in conditions)


def wait(check: Callable[[], bool], patience: float = _PATIENCE) -> None:
    """Repeat a check until it succeeds, for `patience` seconds. Raises TimeoutError."""
    end = time.monotonic() + patience
    while not check():
        if time.monotonic() > end:
            raise TimeoutError
        time.sleep(0.05)


def _base64(text: str) -> str:
    return base64.b64encode(text.encode()).decode()


def _unquoted(header: str) -> str:
    """The text of a header such as `299 - "text"`."""
    text = header.encode("latin-1").decode()  # headers are bytes to http.client, and UTF-8 to a server
    return str(json.loads(text.split(" ", 2)[2]))
