"""A webhook as users run it: the program as a process, TLS on loopback, its log, and clients of all kinds."""

from __future__ import annotations

import json
import shutil
import signal
import socket
import ssl
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from http.client import HTTPConnection, HTTPSConnection
from pathlib import Path
from typing import Any

from protoc_gen_crd.webhook.review_json import read_members
from protoc_gen_crd.webhook.review_types import ReviewAnswer, ServedKinds

CERTIFICATES = Path(__file__).parents[2] / "testdata" / "webhook" / "certificates"
PATIENCE = 120  # seconds; a longer wait is a hang
Json = dict[str, Any]


def certify(name: str, folder: Path) -> None:
    """Link a folder to one of the certificates, as a certificate is renewed."""
    folder.mkdir(exist_ok=True)
    for file in ("tls.key", "tls.crt"):
        shutil.copyfile(CERTIFICATES / name / file, folder / f"{file}.new")
        (folder / f"{file}.new").replace(folder / file)


def trust() -> ssl.SSLContext:
    """The TLS settings of a client."""
    return ssl.create_default_context(cafile=str(CERTIFICATES / "ca.crt"))


class Serving:
    """A running `serve`, ready when the constructor returns."""

    def __init__(self, *arguments: str | Path, certificates: Path = CERTIFICATES / "first", port: int = 0) -> None:
        command = [sys.executable, "-m", "protoc_gen_crd", "serve", *map(str, arguments), "--port", str(port)]
        command += ["--certificates", str(certificates)]
        self.process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
        self.log: list[Json] = []
        self.text = ""
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        self.port = int(self.wait_for_log("ready")["port"])

    def _read(self) -> None:
        for line in self.process.stderr or ():
            self.text += line
            if line.startswith("{"):
                self.log.append(json.loads(line))

    def wait_for_log(self, message: str, since: int = 0) -> Json:
        """Wait for a message in the log and return its entry."""

        def found() -> Json | None:
            return next((row for row in self.log[since:] if row["message"] == message), None)

        row = until(lambda: found() is not None or self.process.poll() is not None) and found()
        if not row:
            raise AssertionError(f"the log has no message {message!r}: {self.text}")
        return row

    def connect(self) -> HTTPConnection:
        """Return a connection that stays open until it is closed."""
        return HTTPSConnection("localhost", self.port, context=trust(), timeout=PATIENCE)

    def get(self, path: str, method: str = "GET", body: bytes | str | None = None) -> tuple[int, str]:
        """Return status and body of an answer, over a new connection."""
        connection = self.connect()
        try:
            connection.request(method, path, body)
            response = connection.getresponse()
            return response.status, response.read().decode()
        finally:
            connection.close()

    def review(self, review: object) -> Json:
        """The answer to a review of conversion."""
        status, text = self.get("/convert?timeout=30s", "POST", json.dumps(review))
        assert status == 200, text
        answer: Json = json.loads(text)
        return answer

    def metric(self, name: str) -> float:
        """Return the value of a time series, 0 if it is missing."""
        rows = [line.rpartition(" ") for line in self.get("/metrics")[1].splitlines()]
        return sum(float(value) for series, _, value in rows if series == name)

    def raw(self, data: bytes = b"", *, tls: bool = True) -> socket.socket:
        """Return a client that has sent some bytes and then no more."""
        connection = socket.create_connection(("localhost", self.port), PATIENCE)
        if tls:
            connection = trust().wrap_socket(connection, server_hostname="localhost")
        connection.sendall(data)
        return connection

    def end(self, number: int = signal.SIGTERM) -> int:
        """Return the exit status after a signal."""
        self.process.send_signal(number)
        return self.process.wait(PATIENCE)

    def stop(self) -> None:
        """Kill it."""
        self.process.kill()
        self.process.wait(PATIENCE)
        self._reader.join(PATIENCE)
        if self.process.stderr:
            self.process.stderr.close()


def until(check: Callable[[], bool]) -> bool:
    """Wait until a condition is true."""
    end = time.monotonic() + PATIENCE
    while not check():
        if time.monotonic() > end:
            return False
        time.sleep(0.01)
    return True


def review(version: str, *objects: object, uid: str = "u") -> Json:
    """A review of conversion."""
    request = {"uid": uid, "desiredAPIVersion": version, "objects": list(objects)}
    return {"apiVersion": "apiextensions.k8s.io/v1", "kind": "ConversionReview", "request": request}


def answered(answer: Callable[..., Iterator[ReviewAnswer | None]], review: object, kinds: ServedKinds) -> ReviewAnswer:
    """Return the raw answer to a review."""
    data = json.dumps(review).encode()
    *_, last = answer(lambda: read_members(data), kinds)
    assert last is not None
    objects = json.loads(b"[" + last.converted_objects + b"]") if last.converted_objects else []
    response = {**last.body["response"], **({"convertedObjects": objects} if objects else {})}
    return last.replace(body={**last.body, "response": response})
