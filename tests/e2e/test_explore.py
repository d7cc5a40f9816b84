"""`explore` as users start and end it: a process on a port."""

from __future__ import annotations

import re
import signal
import socket
import subprocess
import sys
import urllib.request
from pathlib import Path

from tests.conftest import ROOT

EXAMPLE = ROOT / "examples/conversion"
COMMAND = [sys.executable, "-m", "protoc_gen_crd", "explore"]
CRD = "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nspec: ["


def test_it_serves_until_it_is_interrupted() -> None:
    with subprocess.Popen([*COMMAND, "--port", "0"], cwd=EXAMPLE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        line = process.stdout.readline()
        match = re.fullmatch(r"serving (http://127\.0\.0\.1:\d+/[\w-]{32}/)\n", line)
        assert match, line
        with urllib.request.urlopen(match[1]) as response:  # noqa: S310 - http, as matched above
            page = response.read().decode()
        assert "servers.acme.example.html" in page
        process.send_signal(signal.SIGINT)
        assert process.wait(60) == 0


def test_a_port_in_use_is_a_usage_error() -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        done = subprocess.run(
            [*COMMAND, "--port", str(port)], cwd=EXAMPLE, check=False, capture_output=True, text=True, timeout=60
        )
    message = f"protoc-gen-crd: cannot listen on port {port} of 127.0.0.1: Address already in use"
    assert (done.returncode, done.stderr) == (2, f"{message}; pass --port 0 to use a free port\n")


def test_errors_prevent_the_start(tmp_path: Path) -> None:
    (tmp_path / "crd.yaml").write_text(CRD)
    done = subprocess.run(
        [*COMMAND, "crd.yaml", "--port", "0"], cwd=tmp_path, check=False, capture_output=True, text=True
    )
    assert (done.returncode, done.stdout) == (1, "")
    assert "crd.yaml:4:1: error:" in done.stderr


def test_a_missing_path_is_a_usage_error(tmp_path: Path) -> None:
    done = subprocess.run(
        [*COMMAND, "nowhere", "--port", "0"], cwd=tmp_path, check=False, capture_output=True, text=True
    )
    message = "protoc-gen-crd: nowhere: No such file or directory; this folder is empty\n"
    assert (done.returncode, done.stderr) == (2, message)
