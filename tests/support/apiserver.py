"""A small API server in memory: one CRD, its objects, and StorageVersionMigrations; also over HTTP, for processes.

It exposes the stored version of every object, which no real server does. `faults` replace its answers, and `hooks` run
before it answers; the keys of both are a method and a part of the path.
"""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Lock, Thread
from typing import Any
from urllib.parse import parse_qs, urlsplit

from protoc_gen_crd.cluster.api_server import JSON, MERGE, ApiReply, DisconnectedError

Json = dict[str, Any]
NAME, GROUP = "widgets.acme.example", "acme.example"
_DATE = "Sun, 22 Nov 2026 09:00:00 GMT"
BEFORE = "2026-11-22T08:00:00Z"


class Fault:
    """An answer, `times` times; None hangs up."""

    def __init__(self, method: str, part: str, reply: ApiReply | None, times: int = 1) -> None:
        self.method, self.part, self.reply, self.times = method, part, reply, times


class FakeServer:
    """See the module."""

    def __init__(self, count: int = 0, stored: tuple[str, ...] = ("v1alpha1", "v1"), group: str = GROUP) -> None:
        self._group, self._name = group, f"widgets.{group}"
        self.revision, self.oldest, self.lost = 100, 0, False
        self.root = ""  # before all paths
        self.crd = _crd(stored, group)
        self.objects: dict[tuple[str, str], tuple[int, str, str]] = {
            ("default", f"w{at:05}"): (at + 1, stored[0], f"content {at}") for at in range(count)
        }
        self.migrations: list[Json] = []
        self.managed: dict[tuple[str, str], list[Json]] = {}
        self.faults: list[Fault] = []
        self.hooks: list[tuple[str, str, Callable[[], object]]] = []
        self.requests: list[tuple[str, str]] = []
        self._lock = Lock()

    @property
    def stored(self) -> set[str]:
        """The versions that objects are stored in."""
        return {version for _, version, _ in self.objects.values()}

    @property
    def stored_versions(self) -> list[str]:
        """status.storedVersions."""
        return list(self.crd["status"]["storedVersions"])

    def switch(self, version: str) -> None:
        """Change the storage version."""
        for crd_version in self.crd["spec"]["versions"]:
            crd_version["storage"] = crd_version["name"] == version
        stored = self.crd["status"]["storedVersions"]
        self.crd["status"]["storedVersions"] = [*stored, *({version} - {*stored})]
        self.touch()

    def touch(self) -> None:
        """Change the spec of the CRD."""
        self.crd["metadata"]["generation"] += 1
        self._bump(self.crd["metadata"])

    def write(self, key: tuple[str, str]) -> None:
        """Update an object as another client does."""
        self.revision += 1
        self.objects[key] = (self.revision, self._storage, f"somebody's {self.revision}")

    def call(self, method: str, path: str, body: object = None, *, content: str = JSON, accept: str = JSON) -> ApiReply:
        """See Api."""
        with self._lock:
            self.requests.append((method, path))
            for hook in [candidate for candidate in self.hooks if candidate[0] == method and candidate[1] in path]:
                self.hooks.remove(hook)
                hook[2]()
            for fault in self.faults:
                if fault.times and fault.method == method and fault.part in path:
                    fault.times -= 1
                    if fault.reply is None:
                        raise DisconnectedError("nobody is there")
                    return fault.reply
            if method == "PATCH" and content != MERGE:
                return failed(415, "a merge patch is wanted")
            if "PartialObjectMetadata" not in accept and re.search("/widgets[/?]", path):
                return failed(406, "metadata are wanted, not whole objects")
            parts = urlsplit(path)
            query = {key: values[0] for key, values in parse_qs(parts.query).items()}
            if not parts.path.startswith(self.root):
                return failed(404, "there is nothing here")
            names = parts.path.removeprefix(self.root).strip("/").split("/")
            return self._route(method, names, query, body if isinstance(body, dict) else {})

    def _route(self, method: str, path: list[str], query: dict[str, str], body: Json) -> ApiReply:
        if method == "GET" and path[3:] == ["customresourcedefinitions"]:
            bare = {key: value for key, value in self.crd.items() if key not in ("apiVersion", "kind")}
            return self._reply({"metadata": {}, "items": [bare]})
        return self._route_rest(method, path, query, body)

    def _route_rest(self, method: str, path: list[str], query: dict[str, str], body: Json) -> ApiReply:
        if path[:2] == ["apis", "storagemigration.k8s.io"] and self.migrations:
            return self._reply(
                {"preferredVersion": {"version": "v1"}} if path[2:] == [] else {"items": self.migrations}
            )
        match method, path:
            case "GET" | "PATCH", ["apis", "apiextensions.k8s.io", "v1", _, name, *rest] if (
                name == self._name and self.crd
            ):
                return self._reply(self.crd) if method == "GET" else self._patch_crd(rest, query, body)
            case "GET", ["apis", group, version, "widgets"] if group == self._group and self._serves(version):
                return self._page(query)
            case "GET", ["apis", _, _, "namespaces", namespace, "widgets", name] if (namespace, name) in self.objects:
                return self._reply({"metadata": self._metadata((namespace, name))})
            case "PATCH", ["apis", group, version, "namespaces", namespace, "widgets", name] if self._serves(version):
                return self._patch((namespace, name), query, body)
        return failed(404, "the server could not find the requested resource")

    def _serves(self, version: str) -> bool:
        return any(
            crd_version["name"] == version and crd_version["served"] for crd_version in self.crd["spec"]["versions"]
        )

    @property
    def _storage(self) -> str:
        return str(next(crd_version["name"] for crd_version in self.crd["spec"]["versions"] if crd_version["storage"]))

    def _patch_crd(self, rest: list[str], query: dict[str, str], body: Json) -> ApiReply:
        resource_version = body.get("metadata", {}).get("resourceVersion", self.crd["metadata"]["resourceVersion"])
        if resource_version != self.crd["metadata"]["resourceVersion"]:
            return failed(409, "the object has been modified")
        if "dryRun" not in query:
            part = "status" if rest else "spec"
            self.crd[part] |= body[part]
            self._bump(self.crd["metadata"])
        return self._reply(self.crd)

    def _page(self, query: dict[str, str]) -> ApiReply:
        revision, start = self.revision, ""
        if "continue" in query:
            revision, start = json.loads(base64.b64decode(query["continue"]))
            if 0 < revision < self.oldest:
                token = {} if self.lost else {"continue": _token(-1, start)}
                return ApiReply(410, {"message": "The provided continue parameter is too old", "metadata": token})
        keys = sorted(key for key in self.objects if "/".join(key) > start)
        limit = int(query["limit"])
        last = "/".join(keys[:limit][-1]) if keys else ""
        more = {"continue": _token(revision, last), "remainingItemCount": len(keys) - limit}
        items = [{"metadata": self._metadata(key)} for key in keys[:limit]]
        return self._reply({"metadata": more if len(keys) > limit else {}, "items": items})

    def _metadata(self, key: tuple[str, str]) -> Json:
        managed = self.managed.get(key, [{"apiVersion": f"{self._group}/v1alpha1"}])
        rv = str(self.objects[key][0])
        return {"namespace": key[0], "name": key[1], "resourceVersion": rv, "managedFields": managed}

    def _patch(self, key: tuple[str, str], query: dict[str, str], body: Json) -> ApiReply:
        if key not in self.objects:
            return failed(404, f'widgets "{key[1]}" not found', {"name": key[1]})
        stored = self.objects[key]
        if body.get("metadata", {}).get("resourceVersion", str(stored[0])) != str(stored[0]):
            return failed(409, "the object has been modified")
        managed = body.get("metadata", {}).get("managedFields")
        if (stored[1] != self._storage or managed) and "dryRun" not in query:
            self.revision += 1
            self.managed |= {key: managed} if managed else {}
            self.objects[key] = (self.revision, self._storage, stored[2])
        return self._reply({"metadata": self._metadata(key)})

    def _bump(self, metadata: Json) -> None:
        self.revision += 1
        metadata["resourceVersion"] = str(self.revision)

    @staticmethod
    def _reply(body: Json) -> ApiReply:
        return ApiReply(200, json.loads(json.dumps(body)), {"date": _DATE})


def failed(code: int, message: str, details: Json | None = None, **headers: str) -> ApiReply:
    """A Status."""
    names = {name.replace("_", "-"): value for name, value in headers.items()}
    return ApiReply(code, {"kind": "Status", "message": message, "details": details or {}}, names)


def _token(revision: int, start: str) -> str:
    return base64.b64encode(json.dumps([revision, start]).encode()).decode()


def _crd(stored: tuple[str, ...], group: str) -> Json:
    names = {"kind": "Widget", "plural": "widgets"}
    schema = {"openAPIV3Schema": {"type": "object"}}
    versions = [{"name": name, "served": True, "storage": name == stored[-1], "schema": schema} for name in stored]
    managed = [{"operation": "Update", "time": BEFORE}]
    metadata = {
        "name": f"widgets.{group}",
        "uid": "u1",
        "generation": 2,
        "resourceVersion": "9",
        "managedFields": managed,
    }
    conditions = [{"type": "Established", "status": "True"}]
    status = {"storedVersions": list(stored), "conditions": conditions}
    kind = {"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition"}
    spec = {"group": group, "names": names, "scope": "Namespaced", "versions": versions}
    return {**kind, "metadata": metadata, "spec": spec, "status": status}


@contextmanager
def serving(server: FakeServer, folder: Path) -> Iterator[Path]:
    """The server over HTTP; the kubeconfig that leads to it."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        wbufsize = -1

        def do_GET(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            try:
                accept, content = self.headers["Accept"], self.headers.get("Content-Type", JSON)
                reply = server.call(
                    self.command, self.path, json.loads(body or b"null"), content=content, accept=accept
                )
            except DisconnectedError:
                self.close_connection = True
                return
            data = json.dumps(reply.body).encode()
            self.send_response_only(reply.code)
            for name, value in {**reply.headers, "Content-Length": str(len(data))}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(data)

        do_PATCH = do_GET  # noqa: N815 - their names there

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - its name there
            pass

        def handle_one_request(self) -> None:
            with suppress(ConnectionError):
                super().handle_one_request()

    http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = Thread(target=http.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield kubeconfig(folder, f"http://127.0.0.1:{http.server_address[1]}")
    finally:
        http.shutdown()
        thread.join()
        http.server_close()


def kubeconfig(folder: Path, server: str, user: Json | None = None) -> Path:
    """A kubeconfig for a server."""
    path = folder / "config"
    named = {"clusters": {"cluster": {"server": server}}, "users": {"user": user or {"token": "secret"}}}
    lists = {kind: [{"name": "test", **body}] for kind, body in named.items()}
    contexts = [{"name": "test", "context": {"cluster": "test", "user": "test"}}]
    config = {"apiVersion": "v1", "kind": "Config", **lists, "contexts": contexts, "current-context": "test"}
    path.write_text(json.dumps(config))
    return path
