"""`serve` as API servers and clusters meet it: a process, over TLS, with good clients and bad ones."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import socket
import ssl
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import ROOT
from tests.support.serving import CERTIFICATES, PATIENCE, Serving, certify, review, until

API = ROOT / "testdata" / "webhook" / "api"
LIMIT = 32 << 20
HIDDEN = "what nobody may read in logs"


def machine(name: str, version: str = "v1alpha1", **spec: Any) -> dict[str, Any]:
    metadata = {"name": name, "namespace": "ns"}
    return {"apiVersion": f"acme.example/{version}", "kind": "Machine", "metadata": metadata, "spec": spec}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder with the output of `generate`: CRDs and converters, without protos."""
    out = tmp_path_factory.mktemp("served") / "crds"
    command = [sys.executable, "-m", "protoc_gen_crd", "generate", API, "--out", out, "--converters", "converters"]
    subprocess.run(list(map(str, command)), check=True, capture_output=True)
    return out


@pytest.fixture(scope="module")
def certificates(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("tls")
    certify("first", folder)
    return folder


@pytest.fixture(scope="module")
def serving(folder: Path, certificates: Path) -> Iterator[Serving]:
    running = Serving(
        folder, "--converter-package", folder / "converters", "--read-timeout", str(PATIENCE), certificates=certificates
    )
    yield running
    running.stop()


def test_objects_are_converted_on_a_connection_that_is_kept(serving: Serving) -> None:
    connection = serving.connect()
    for number in range(3):
        body = json.dumps(review("acme.example/v1", machine("a", host="h", replicas=number)))
        connection.request("POST", "/convert?timeout=30s", body)
        response = connection.getresponse()
        answer = json.loads(response.read())
        assert (response.status, response.headers["Content-Type"]) == (200, "application/json")
        assert answer["response"]["convertedObjects"] == [machine("a", "v1", hosts=["h"], replicas=number)]
    connection.close()


def record(serving: Serving, request: str) -> str:
    """The first record of TLS that comes back for what is sent in one piece: more would wake a client for parts."""
    client = serving.raw(request.encode())
    decoded = client.recv(65_536).decode()
    client.close()
    return decoded


def test_a_response_is_sent_in_one_piece(serving: Serving) -> None:
    body = json.dumps(review("acme.example/v1", machine("a", host="h")))
    convert = f"POST /convert HTTP/1.1\r\nHost: h\r\nContent-Length: {len(body)}\r\n"
    result = record(serving, f"{convert}\r\n{body}")
    assert json.loads(result.partition("\r\n\r\n")[2])["response"]["convertedObjects"]
    assert record(serving, "GET /healthz HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n").endswith("\r\n\r\nok\n")
    assert record(serving, "HEAD /healthz HTTP/1.1\r\nHost: h\r\n\r\n").endswith("\r\n\r\n")
    assert record(serving, f"{convert}Expect: 100-continue\r\n\r\n") == "HTTP/1.1 100 Continue\r\n\r\n"


def test_requests_that_do_not_wait_are_answered_in_order(serving: Serving) -> None:
    pages = ["/healthz", "/nothing", "/readyz"]
    client = serving.raw("".join(f"GET {page} HTTP/1.1\r\nHost: h\r\n\r\n" for page in pages).encode())
    result = ""
    while result.count("\r\n\r\n") < len(pages) or not result.endswith("ok\n"):
        result += client.recv(65_536).decode()
    assert [line.split()[1] for line in result.splitlines() if line.startswith("HTTP/")] == ["200", "404", "200"]
    client.close()


def test_objects_are_judged(serving: Serving) -> None:
    request = {"uid": "u", "operation": "CREATE", "object": machine("a", "v1", replicas=6)}
    whole = {"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview", "request": request}
    status, text = serving.get("/validate", "POST", json.dumps(whole))
    answer = json.loads(text)["response"]
    assert (status, answer["uid"], answer["allowed"], answer["status"]["code"]) == (200, "u", False, 422)


def test_ten_thousand_objects_keep_their_order(serving: Serving) -> None:
    objects = [machine(f"m{number}", host="h", replicas=number) for number in range(10_000)]
    answer = serving.review(review("acme.example/v1", *objects))["response"]
    assert [converted_object["spec"]["replicas"] for converted_object in answer["convertedObjects"]] == list(
        range(10_000)
    )


def used_seconds(serving: Serving) -> float:
    """The processor time of the process, which other processes do not affect."""
    fields = Path(f"/proc/{serving.process.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def peak(serving: Serving) -> int:
    """The most MiB that the process has had."""
    status = Path(f"/proc/{serving.process.pid}/status").read_text()
    return next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmHWM")) // 1024


@pytest.mark.parametrize(
    ("count", "item", "message"),
    [
        (2_000_000, {}, "; and 995 more; the other objects were skipped"),
        (3_000, {**machine("a", host="h"), "status": {"conditions": [{"message": "m" * 4000}]}}, ""),
        (3, machine("a", host=["x"] * 800_000), "a value of the body exceeds the limit of 3,670,016 characters"),
        (3, machine("a", host="x" * 1_000_000), ""),
    ],
)
def test_long_reviews_take_little_memory_and_hold_up_no_probe(
    serving: Serving, count: int, item: dict[str, Any], message: str
) -> None:
    before = peak(serving)
    body = json.dumps(review("acme.example/v1", 0)).replace("[0]", f"[{','.join([json.dumps(item)] * count)}]")
    answers: list[tuple[int, str]] = []
    asking = threading.Thread(target=lambda: answers.append(serving.get("/convert", "POST", body)))
    asking.start()
    slowest = 0.0
    while asking.is_alive():
        start = used_seconds(serving)
        assert serving.get("/healthz") == (200, "ok\n")
        slowest = max(slowest, used_seconds(serving) - start)
    assert message in answers[0][1]
    assert slowest < 2  # the timeout of the probes in the manifests
    assert peak(serving) - before < 4 * len(body) / (1 << 20) + 30


@pytest.mark.parametrize(
    ("method", "path", "body", "status", "text"),
    [
        ("GET", "/healthz", None, 200, "ok"),
        ("GET", "/readyz", None, 200, "ok"),
        ("HEAD", "/readyz", None, 200, ""),
        ("GET", "/convert", None, 405, "method not allowed, use POST"),
        ("POST", "/healthz", b"", 405, "method not allowed, use GET, HEAD"),
        ("POST", "/elsewhere", b"{}", 404, "not found"),
        ("POST", "/convert", b"", 400, "the body is not valid JSON at character 0"),
        ("POST", "/convert", b'{"a": \xff}', 400, "the body is not valid JSON"),
        ("POST", "/convert", b'{"a": NaN}', 400, "the body is not valid JSON"),
        ("POST", "/convert", b'{"a": 1e999}', 400, "the body is not valid JSON"),
        ("POST", "/convert", b"1" * 5000, 400, "the body is not valid JSON"),
        ("POST", "/convert", b'{"a":' * 100_000, 400, "the body is nested too deeply"),
        ("POST", "/convert", b"[" * 3_000_000, 400, "the body is nested too deeply"),
        ("POST", "/convert", b"{}", 400, "the body is NoneType, NoneType, expected apiextensions.k8s.io/v1"),
        ("POST", "/convert", b" " * (LIMIT + 1), 413, "the body exceeds the limit of 33,554,432 bytes"),
        ("POST", "/elsewhere", b" " * LIMIT, 404, "not found"),
        ("GET", "/convert", b" " * LIMIT, 405, "method not allowed, use POST"),
    ],
)
def test_a_body_that_is_not_a_review_is_reported(
    serving: Serving, method: str, path: str, body: bytes | None, status: int, text: str
) -> None:
    """The rest of a body is read, so that the client receives the answer instead of a connection reset."""
    actual, answer = serving.get(path, method, body)
    assert actual == status
    assert answer.startswith(text)
    assert serving.get("/healthz")[0] == 200


def test_garbage_and_half_closed_connections_leave_it_alone(serving: Serving) -> None:
    head = b"POST /convert HTTP/1.1\r\nHost: x\r\n"
    malformed, large = (
        f'crd_webhook_requests_rejected_total{{reason="{reason}"}}' for reason in ("malformed", "large")
    )
    before = [serving.metric(name) for name in (malformed, large)]
    for data in (b"\0" * 100, head + b"Content-Length: many\r\n\r\n", head + b"Content-Length: 100\r\n\r\n{", b"GET"):
        client = serving.raw(data)
        client.close()
    plain = serving.raw(b"GET /healthz HTTP/1.1\r\n\r\n", tls=False)
    plain.close()
    long = serving.raw(head)
    with contextlib.suppress(OSError):
        for _ in range(40):
            long.sendall(b"x: " + b"y" * 65_536 + b"\r\n")
        assert long.recv(100) == b""
    long.close()
    until(lambda: serving.metric(malformed) >= before[0] + 2 and serving.metric(large) >= before[1] + 1)
    chunks = serving.raw(head + b"Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n2\r\n{}\r\n0\r\n\r\n")
    assert chunks.recv(100).startswith(b"HTTP/1.1 400 ")
    chunks.close()


def connect_slow_clients(serving: Serving) -> list[socket.socket]:
    """Connect clients that send nothing, or only a part of a request: 60 without and 60 with TLS."""
    head = b"POST /convert HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n"
    slow = [serving.raw(b"", tls=False) for _ in range(60)]
    return slow + [serving.raw(data) for data in (b"", b"POST", head, head + b"\r\n{") for _ in range(15)]


def test_slow_clients_hold_nobody_up(serving: Serving) -> None:
    slow = connect_slow_clients(serving)
    start = time.monotonic()
    assert serving.review(review("acme.example/v1", machine("a")))["response"]["result"] == {"status": "Success"}
    assert time.monotonic() - start < PATIENCE / 2  # the server waits for them for PATIENCE
    for client in slow:
        client.close()


def test_slow_clients_are_sent_away(folder: Path) -> None:
    running = Serving(folder, "--converter-package", folder / "converters", "--read-timeout", "2")
    try:
        for client in connect_slow_clients(running):
            while client.recv(1000):
                pass  # answered if the headers were complete
            client.close()
        assert running.metric('crd_webhook_requests_rejected_total{reason="slow"}') >= 60
    finally:
        running.stop()


def test_logs_contain_no_data_of_objects(serving: Serving) -> None:
    bad = machine("bad", host="h", replicas=HIDDEN, **{HIDDEN: HIDDEN})
    answer = serving.review(review("acme.example/v1", machine("good"), bad, uid="of-the-bad-one"))
    assert answer["response"]["result"]["status"] == "Failure"
    assert "Machine ns/bad from v1alpha1 to v1: spec.replicas: expected an integer" in json.dumps(answer)
    assert until(lambda: any(row.get("uid") == "of-the-bad-one" for row in serving.log))
    row = next(row for row in serving.log if row.get("uid") == "of-the-bad-one")
    about = ["acme.example", "Machine", "v1alpha1", "v1"]
    assert row["first"] == [{"object": "Machine ns/bad", "reason": "object", "about": about, "place": "spec.replicas"}]
    assert all(line.startswith("{") for line in serving.text.splitlines())
    assert HIDDEN not in serving.text
    series = 'crd_webhook_conversion_failures_total{from_version="v1alpha1",group="acme.example",kind="Machine",'
    assert serving.metric(f'{series}reason="object",to_version="v1"}}') >= 1


def served_certificate(serving: Serving) -> str:
    connection = serving.connect()
    connection.connect()
    assert isinstance(connection.sock, ssl.SSLSocket)
    subject: Any = (connection.sock.getpeercert() or {})["subject"]
    connection.close()
    return str(subject[0][0][1])


def test_certificates_are_read_again(serving: Serving, certificates: Path) -> None:
    kept = serving.connect()
    kept.request("GET", "/healthz")
    kept.getresponse().read()
    assert served_certificate(serving) == "first"
    certify("second", certificates)
    serving.wait_for_log("certificate reloaded")
    assert served_certificate(serving) == "second"
    for spoil in (
        lambda: (certificates / "tls.key").write_bytes((CERTIFICATES / "first" / "tls.key").read_bytes()),
        lambda: (certificates / "tls.crt").write_text("no certificate"),
        (certificates / "tls.crt").unlink,
    ):
        seen = len(serving.log)
        spoil()
        serving.wait_for_log("cannot load the certificate, keeping the previous one", seen)
        assert served_certificate(serving) == "second"
    assert serving.metric('crd_webhook_certificate_reloads_total{result="failed"}') >= 3
    seen = len(serving.log)
    certify("expired", certificates)
    serving.wait_for_log("certificate expired", seen)
    with pytest.raises(ssl.SSLCertVerificationError, match="expired"):
        serving.get("/healthz")
    certify("first", certificates)
    serving.wait_for_log("certificate reloaded", serving.log.index(serving.wait_for_log("certificate expired", seen)))
    assert served_certificate(serving) == "first"
    kept.request("GET", "/healthz")
    assert kept.getresponse().read() == b"ok\n"
    kept.close()


def refuses_connections(serving: Serving) -> bool:
    try:
        serving.raw(tls=False).close()
    except ConnectionRefusedError:
        return True
    return False


def test_it_is_not_ready_before_it_ends_and_answers_all_meanwhile(folder: Path) -> None:
    running = Serving(folder, "--converter-package", folder / "converters", "--drain", str(PATIENCE))
    try:
        body = json.dumps(review("acme.example/v1", machine("a")))
        early, late = running.connect(), running.connect()
        for connection in (early, late):
            connection.request("GET", "/healthz")
            connection.getresponse().read()
        late.putrequest("POST", "/convert")
        late.putheader("Content-Length", str(len(body)))
        late.endheaders()
        running.process.send_signal(signal.SIGTERM)
        running.wait_for_log("draining")
        assert running.get("/readyz") == (503, "draining\n")
        early.request("POST", "/convert", body)
        response = early.getresponse()
        assert (response.status, response.headers["Connection"]) == (200, "close")
        response.read()
        running.process.send_signal(signal.SIGTERM)  # ends the grace period
        assert until(lambda: refuses_connections(running))
        late.send(body.encode())
        assert late.getresponse().status == 200
        assert running.process.wait(PATIENCE) == 0
        assert (running.log[-1]["message"], running.log[-1]["reason"]) == ("ended", "SIGTERM")
    finally:
        running.stop()


def test_the_grace_period_ends_after_its_seconds(folder: Path) -> None:
    running = Serving(folder, "--converter-package", folder / "converters", "--drain", "1")
    try:
        start = time.monotonic()
        assert running.end() == 0
        assert time.monotonic() - start >= 1
    finally:
        running.stop()


def expiry(name: str) -> float:
    """Return the expiry of a certificate, as the standard library reads it."""
    decoded = ssl._ssl._test_decode_cert(str(CERTIFICATES / name / "tls.crt"))  # type: ignore[attr-defined]
    return ssl.cert_time_to_seconds(decoded["notAfter"])


def test_workers_report_when_the_certificate_in_use_expires(folder: Path, tmp_path: Path) -> None:
    certify("expired", tmp_path)
    running = Serving(
        folder, "--converter-package", folder / "converters", "--workers", "2", "--drain", "0", certificates=tmp_path
    )
    name = "crd_webhook_certificate_expiry_timestamp_seconds"
    try:
        assert until(lambda: sum(row["message"] == "certificate expired" for row in running.log) == 2)
        certify("first", tmp_path)
        # By process: a worker that reads the files while they are written loads them once more.
        assert until(lambda: len({row["pid"] for row in running.log if row["message"] == "certificate reloaded"}) == 2)
        assert [running.metric(name) for _ in range(6)] == [expiry("first")] * 6
        os.kill(running.wait_for_log("ready")["pid"], signal.SIGKILL)
        assert until(lambda: sum(row["message"] == "ready" for row in running.log) == 3)
        assert [running.metric(name) for _ in range(6)] == [expiry("first")] * 6
    finally:
        running.stop()


def test_workers_are_counted_together_and_replaced(folder: Path) -> None:
    running = Serving(folder, "--converter-package", folder / "converters", "--workers", "2", "--drain", "0")
    try:
        assert until(lambda: sum(row["message"] == "ready" for row in running.log) == 2)
        before = review("acme.example/v1", machine("a"))
        for _ in range(20):
            running.review(before)
        pair = 'from_version="v1alpha1",group="acme.example",kind="Machine",to_version="v1"'
        for _ in range(4):
            assert running.metric(f"crd_webhook_conversions_total{{{pair}}}") == 20
        killed = running.wait_for_log("ready")["pid"]
        os.kill(killed, signal.SIGKILL)
        died = running.wait_for_log("worker died")
        assert (died["worker"], died["status"]) == (killed, -9)
        assert until(lambda: sum(row["message"] == "ready" for row in running.log) == 3)
        for _ in range(4):
            running.review(before)
        assert running.metric(f"crd_webhook_conversions_total{{{pair}}}") == 24
        assert running.end() == 0
        assert sum(row["message"] == "ended" for row in running.log) == 2
    finally:
        running.stop()


@pytest.mark.parametrize(
    ("arguments", "status", "text"),
    [
        (
            ["--certificates", "nowhere"],
            2,
            "tls.crt and tls.key in nowhere: tls.crt: No such file or directory; set the folder with --certificates",
        ),
        (["--certificates", str(CERTIFICATES)], 2, "cannot read tls.crt and tls.key in "),
        (["--port", "99999"], 2, "port 99999 of this machine"),
        (["--port", "0", str(CERTIFICATES)], 1, "no documents, CRDs or .proto files found in folder"),
    ],
)
def test_startup_errors(folder: Path, arguments: list[str], status: int, text: str) -> None:
    served = [str(folder), "--converter-package", str(folder / "converters")]
    paths = [] if arguments[-1] == str(CERTIFICATES) and len(arguments) == 3 else served
    command = [sys.executable, "-m", "protoc_gen_crd", "serve", *paths, *arguments]
    done = subprocess.run(command, check=False, capture_output=True, text=True, timeout=PATIENCE)
    assert text in done.stderr
    assert "Errno" not in done.stderr
    assert done.returncode == status


def test_serving_continues_without_its_parent(folder: Path, tmp_path: Path) -> None:
    served = [str(folder), "--converter-package", str(folder / "converters"), "--port", "0", "--drain", "0"]
    command = [sys.executable, "-m", "protoc_gen_crd", "serve", *served]
    start = "import subprocess, sys; log = open(sys.argv[1], 'w'); nothing = subprocess.DEVNULL; "
    start += "print(subprocess.Popen(sys.argv[2:], stdout=nothing, stderr=log).pid)"
    command += ["--certificates", str(CERTIFICATES / "first")]
    parent = [sys.executable, "-c", start, str(tmp_path / "log"), *command]
    pid = int(subprocess.run(parent, check=True, capture_output=True, text=True, stdin=subprocess.DEVNULL).stdout)
    log = tmp_path / "log"
    try:
        assert until(lambda: '"ready"' in log.read_text("utf-8"))
        time.sleep(2.5)  # a server that watched its parent would notice within a second
        assert "draining" not in log.read_text("utf-8")
        os.kill(pid, signal.SIGHUP)
        assert until(lambda: '"ended"' in log.read_text("utf-8"))
        assert json.loads(log.read_text("utf-8").splitlines()[-1])["reason"] == "SIGHUP"
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


def test_children_that_are_no_workers_can_end(folder: Path, tmp_path: Path) -> None:
    """A shell that is replaced by the program leaves it its children, such as those of redirections."""
    log, release = tmp_path / "log", tmp_path / "release"
    os.mkfifo(release)
    command = [sys.executable, "-m", "protoc_gen_crd", "serve", str(folder), "--converter-package"]
    command += [str(folder / "converters"), "--port", "0", "--drain", "0", "--workers", "2"]
    command += ["--certificates", str(CERTIFICATES / "first")]
    script = 'read < "$0" & exec "$@"'
    with log.open("w") as stream:
        process = subprocess.Popen(["bash", "-c", script, str(release), *command], stderr=stream)
    try:
        assert until(lambda: log.read_text("utf-8").count('"ready"') == 2)
        release.write_text("\n")  # ends the child
        children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
        assert until(lambda: len(children.read_text().split()) == 2 if process.poll() is None else True)
        process.terminate()
        assert process.wait(PATIENCE) == 0
        assert [json.loads(line)["message"] for line in log.read_text("utf-8").splitlines()][-2:] == ["ended"] * 2
    finally:
        process.kill()
        process.wait(PATIENCE)


def test_workers_end_with_their_supervisor_and_report_why(folder: Path) -> None:
    running = Serving(folder, "--converter-package", folder / "converters", "--workers", "2", "--drain", "0")
    try:
        assert until(lambda: sum(row["message"] == "ready" for row in running.log) == 2)
        running.process.kill()
        reason = f"the supervising process {running.process.pid} has ended"
        assert until(lambda: [row["reason"] for row in running.log if row["message"] == "ended"] == [reason] * 2)
    finally:
        running.stop()
