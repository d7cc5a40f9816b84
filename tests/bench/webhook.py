"""The webhook as API servers use it: one worker, TLS on loopback, persistent connections.

Requests are sent in one piece, like those of API servers. In the steady load they are due at fixed times, and measured
from then: one that waits for the previous answer includes its wait. Delays of this program itself, without a pending
request, do not count: all later requests are due later by the same time.
"""

from __future__ import annotations

import json
import os
import ssl
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from http.client import HTTPResponse, HTTPSConnection
from pathlib import Path
from typing import Any, NamedTuple

from tests.bench.conversions import api, sample

_CERTIFICATES = Path(__file__).parents[2] / "testdata" / "webhook" / "certificates"
_PROGRAM = (sys.executable, "-m", "protoc_gen_crd")
_HEAD = (
    b"POST /convert?timeout=30s HTTP/1.1\r\nHost: localhost\r\n"
    b"Content-Type: application/json\r\nContent-Length: %d\r\n\r\n"
)
_RATE, _SECONDS = 200, 10
_MANY = 100_000
_ROUNDS = 7


class Row(NamedTuple):
    """A measurement: its name, value, unit, maximum, and goal."""

    name: str
    value: float
    unit: str
    most: float
    goal: float


class Webhook:
    """A running webhook of the kind that the conversion benchmark uses, with modules that `generate` wrote."""

    def __init__(self, folder: Path, *flags: str) -> None:
        served = folder / "crds"
        if not served.is_dir():
            (folder / "api.proto").write_text(api(0))
            generate = (*_PROGRAM, "generate", str(folder / "api.proto"), "--converters", "converters")
            subprocess.run((*generate, "--out", str(served)), check=True, capture_output=True)
        start = time.perf_counter()
        command = (*_PROGRAM, "serve", str(served), "--converter-package", str(served / "converters"), "--port", "0")
        flags = ("--certificates", str(_CERTIFICATES / "first"), *flags)
        self.process = subprocess.Popen((*command, *flags), stderr=subprocess.PIPE, text=True)
        self.port = self._ready()
        self.connection = self.connect()
        self.connection.request("GET", "/readyz")
        assert self.connection.getresponse().read() == b"ok\n"
        self.started = time.perf_counter() - start

    def _ready(self) -> int:
        for line in self.process.stderr or ():
            row = json.loads(line) if line.startswith("{") else {}
            if row.get("message") == "ready":
                return int(row["port"])
        raise RuntimeError("the webhook did not start")

    def connect(self) -> HTTPSConnection:
        """Return a connection that trusts it."""
        context = ssl.create_default_context(cafile=str(_CERTIFICATES / "ca.crt"))
        return HTTPSConnection("localhost", self.port, context=context, timeout=60)

    def ask(self, body: bytes) -> bytes:
        """The answer to a review of conversion."""
        self.connection.sock.sendall(_HEAD % len(body) + body)
        response = HTTPResponse(self.connection.sock, method="POST")
        response.begin()
        text = response.read()
        assert response.status == 200, text
        return text

    @property
    def memory(self) -> float:
        """Return the resident memory in MiB."""
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        return next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmRSS")) / 1024

    def stop(self) -> None:
        """Stop it."""
        self.process.kill()
        self.process.wait()


def review(*objects: dict[str, Any]) -> bytes:
    """Return the body that requests objects in the newer version."""
    request = {"uid": "705ab4f5", "desiredAPIVersion": "acme.example/v2", "objects": objects}
    whole = {"apiVersion": "apiextensions.k8s.io/v1", "kind": "ConversionReview", "request": request}
    return json.dumps(whole).encode()


def steady(webhook: Webhook, body: bytes, rate: int, seconds: float) -> list[float]:
    """Return the durations of requests from their due times, in seconds, sorted."""
    found, begin = [], time.perf_counter()
    for number in range(int(rate * seconds)):
        due = begin + number / rate
        if (left := due - time.perf_counter()) > 0:
            time.sleep(left)
            begin += (late := max(time.perf_counter() - due, 0))
            due += late
        webhook.ask(body)
        found.append(time.perf_counter() - due)
    return sorted(found)


def _median(webhook: Webhook, body: bytes) -> float:
    times = []
    for _ in range(_ROUNDS):
        start = time.perf_counter()
        webhook.ask(body)
        times.append(time.perf_counter() - start)
    return statistics.median(times) * 1000


def _large() -> dict[str, Any]:
    """Return an object of 1 MiB."""
    obj = sample(0)
    port = obj["spec"]["ports"][0]
    count = (1 << 20) // (len(json.dumps(port)) + 2)
    obj["spec"]["ports"] = [{**port, "label": f"port-{number}"} for number in range(count)]
    return obj


def webhook(folder: Path, many: int = _MANY) -> Iterator[Row]:
    """Print all rows. The load of the machine comes first, since the slowest requests depend on it."""
    yield Row("load of the machine", os.getloadavg()[0], "", os.cpu_count() or 1, 0.3)
    starts = []
    for _ in range(_ROUNDS):
        running = Webhook(folder)
        starts.append(running.started)
        running.stop()
    yield Row("webhook, start to ready", statistics.median(starts), "s", 1.5, 0.7)
    running = Webhook(folder)
    try:
        yield Row("webhook, memory idle", running.memory, "MiB", 120, 80)
        small = review(sample(0))
        times = steady(running, small, _RATE, _SECONDS)
        yield Row("webhook, 200/s, median", times[len(times) // 2] * 1000, "ms", 4, 2)
        yield Row("webhook, 200/s, p99", times[len(times) * 99 // 100] * 1000, "ms", 4, 2)
        before = running.memory
        for _ in range(many):
            running.ask(small)
        after = running.memory
        yield Row(f"webhook, memory after {many:,}", after, "MiB", 120, 80)
        yield Row("webhook, its growth", after - before, "MiB", 2, 0)
        yield Row("webhook, object of 1 MiB", _median(running, review(_large())), "ms", 100, 50)
        yield Row("webhook, 500 objects", _median(running, review(*(sample(0) for _ in range(500)))), "ms", 150, 75)
        yield Row(
            "webhook, 10,000 objects",
            _median(running, review(*(sample(0) for _ in range(10_000)))),
            "ms",
            30_000,
            2_000,
        )
        yield Row("webhook, memory after that", running.memory, "MiB", 512, 256)
    finally:
        running.stop()
