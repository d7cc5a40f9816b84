"""The local server: other sites, other programs and slow clients get nothing."""

from __future__ import annotations

import http.client
import json
import socket
import threading
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from typing import Any

import pytest

from protoc_gen_crd.playground.http_server import ADDRESS, LocalServer, Routes, ServerLimits
from tests.support.serving import PATIENCE, until

PAGES = {"index.html": "<p>secret</p>", "a.html": "<p>a</p>"}


@contextmanager
def serve(requests: int, seconds: int) -> Iterator[LocalServer]:
    with LocalServer(0, ServerLimits(1_000, requests, seconds)) as server:
        server.routes = Routes(PAGES.get, {"api/echo": dict})
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield server
        server.shutdown()
        thread.join()


@pytest.fixture
def server() -> Iterator[LocalServer]:
    """Start a server whose limits no test reaches."""
    with serve(64, PATIENCE) as server:
        yield server


def send(server: LocalServer, method: str, path: str, body: str | None = None, **headers: str) -> tuple[int, str]:
    """Send a request as the page does, except for the given headers."""
    host, port = str(server.server_address[0]), int(server.server_address[1])
    own = {"Host": server.hosts[0], "Origin": f"http://{server.hosts[0]}", "Content-Type": "application/json"}
    with closing(http.client.HTTPConnection(host, port, timeout=PATIENCE)) as connection:
        connection.putrequest(method, path, skip_host=True)
        for name, value in {**own, **headers}.items():
            if value:
                connection.putheader(name.replace("_", "-"), value)
        if body is not None and "Content_Length" not in headers:
            connection.putheader("Content-Length", str(len(body.encode())))
        connection.endheaders((body or "").encode())
        response = connection.getresponse()
        return response.status, response.read().decode()


def test_pages_are_served_at_the_token(server: LocalServer) -> None:
    assert send(server, "GET", f"/{server.token}/") == (200, PAGES["index.html"])
    assert send(server, "GET", f"/{server.token}/a.html?x=1") == (200, PAGES["a.html"])
    assert send(server, "GET", f"/{server.token}/a.html", Host=server.hosts[1]) == (200, PAGES["a.html"])
    assert send(server, "POST", f"/{server.token}/api/echo", '{"a": "\u05e9"}') == (200, json.dumps({"a": "\u05e9"}))


def test_the_address_is_local_and_has_the_token(server: LocalServer) -> None:
    assert server.server_address[0] == ADDRESS == "127.0.0.1"
    assert server.address == f"http://{server.hosts[0]}/{server.token}/"
    assert len(server.token) >= 32


@pytest.mark.parametrize(
    ("method", "path", "headers", "status"),
    [
        ("GET", "/", {}, 404),
        ("GET", "/TOKEN", {}, 404),
        ("GET", "/token/", {}, 404),
        ("GET", "/TOKEN/b.html", {}, 404),
        ("GET", "/TOKEN/../../../../etc/passwd", {}, 404),
        ("GET", "/TOKEN/%2e%2e/%2e%2e/etc/passwd", {}, 404),
        ("GET", "//TOKEN//etc/passwd", {}, 404),
        ("GET", "/TOKEN/", {"Host": "evil.example"}, 421),
        ("GET", "/TOKEN/", {"Host": "evil.example:8443"}, 421),
        ("GET", "/TOKEN/", {"Host": "127.0.0.1.evil.example"}, 421),
        ("GET", "/TOKEN/", {"Host": ""}, 421),
        ("GET", "http://evil.example/TOKEN/", {}, 404),
        ("POST", "/TOKEN/api/echo", {"Origin": "http://evil.example"}, 403),
        ("POST", "/TOKEN/api/echo", {"Origin": "null"}, 403),
        ("POST", "/TOKEN/api/echo", {"Origin": ""}, 403),
        ("POST", "/TOKEN/api/echo", {"Content_Type": "text/plain", "Content-Type": ""}, 415),
        ("POST", "/TOKEN/api/none", {}, 404),
        ("POST", "/TOKEN/api/echo", {"Content_Length": "1001"}, 413),
        ("POST", "/TOKEN/api/echo", {"Content_Length": "-1"}, 411),
        ("OPTIONS", "/TOKEN/api/echo", {}, 501),
        ("PUT", "/TOKEN/api/echo", {}, 501),
    ],
)
def test_other_requests_are_rejected(
    server: LocalServer, method: str, path: str, headers: Mapping[str, str], status: int
) -> None:
    code, body = send(
        server, method, path.replace("TOKEN", server.token), "{}" if method == "POST" else None, **headers
    )
    assert code == status
    assert "secret" not in body
    assert server.token not in body


@pytest.mark.parametrize(
    "body", ["", "{", "[]", "1", '{"a": 1}', "[" * 600, "\ud800".encode("utf-8", "replace").decode()]
)
def test_a_body_that_is_no_question_is_rejected(server: LocalServer, body: str) -> None:
    assert send(server, "POST", f"/{server.token}/api/echo", body)[0] == 400


def test_responses_are_for_no_other_site_and_are_not_kept(server: LocalServer) -> None:
    with closing(http.client.HTTPConnection(ADDRESS, int(server.server_address[1]), timeout=PATIENCE)) as connection:
        connection.request("GET", f"/{server.token}/")
        headers = connection.getresponse().headers
    assert headers["Content-Security-Policy"] == "frame-ancestors 'none'"
    assert headers["Cross-Origin-Resource-Policy"] == "same-origin"
    assert headers["Referrer-Policy"] == "no-referrer"
    assert headers["Cache-Control"] == "no-store"
    assert "Access-Control-Allow-Origin" not in headers


def test_silent_clients_do_not_stop_others(server: LocalServer) -> None:
    silent = [socket.create_connection((ADDRESS, int(server.server_address[1]))) for _ in range(8)]
    assert send(server, "GET", f"/{server.token}/")[0] == 200
    for client in silent:
        client.close()


def test_silent_clients_are_disconnected() -> None:
    with serve(64, 1) as server, socket.create_connection((ADDRESS, int(server.server_address[1]))) as silent:
        silent.settimeout(PATIENCE)
        assert silent.recv(1) == b""


def test_a_body_that_does_not_come_is_rejected() -> None:
    with serve(64, 1) as server:
        code, body = send(server, "POST", f"/{server.token}/api/echo", "{}", Content_Length="99")
    assert (code, body) == (408, "timed out before the whole body was received\n")


def test_too_many_requests_are_rejected() -> None:
    with serve(2, PATIENCE) as server:
        check_rejection(server)


def check_rejection(server: LocalServer) -> None:
    started, ended = threading.Barrier(3), threading.Event()

    def wait(question: Mapping[str, Any]) -> Any:
        started.wait(PATIENCE)
        ended.wait(PATIENCE)
        return {}

    server.routes = Routes(PAGES.get, {"api/wait": wait})
    path = f"/{server.token}/api/wait"
    clients = [threading.Thread(target=send, args=(server, "POST", path, "{}")) for _ in range(2)]
    for client in clients:
        client.start()
    started.wait(PATIENCE)
    assert send(server, "GET", f"/{server.token}/")[0] == 503
    ended.set()
    for client in clients:
        client.join()
    assert until(lambda: send(server, "GET", f"/{server.token}/")[0] == 200)  # handlers end after their responses


def test_a_port_in_use_is_an_error(server: LocalServer) -> None:
    with pytest.raises(OSError, match="in use"):
        LocalServer(int(server.server_address[1]), ServerLimits(1, 1, 1))
