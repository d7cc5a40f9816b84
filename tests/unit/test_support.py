"""Helpers that compile protos for tests."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from tests import conftest
from tests.conftest import ROOT
from tests.support.compile import compile_texts, proto_text, request_for
from tests.support.fork_server import get_server, run_program
from tests.support.memory import is_usable


def test_a_text_is_a_request() -> None:
    request = proto_text('syntax = "proto3"; import "google/protobuf/duration.proto"; message Foo {}')
    assert request.targets == ("api.proto",)
    assert sorted(request.files) == ["api.proto", "google/protobuf/duration.proto"]
    assert request.files["api.proto"].source_code_info.location


def test_errors_of_protoc_are_reported() -> None:
    with pytest.raises(ValueError, match=r"api\.proto:1:20: Expected top-level statement"):
        proto_text('syntax = "proto3"; x')


def test_one_of_many_comes_with_what_it_imports(tmp_path: Path) -> None:
    texts = {"a.proto": 'import "b.proto"; message A { optional B b = 1; }', "b.proto": "message B {}", "c.proto": ""}
    request = request_for(
        compile_texts({name: f'syntax = "proto3"; {text}' for name, text in texts.items()}, tmp_path), "a.proto"
    )
    assert sorted(request.files) == ["a.proto", "b.proto"]


CRD_WITHOUT_SCHEMA = """apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: a.b.example}
"""


def test_a_forked_process_has_the_result_of_a_started_one(tmp_path: Path) -> None:
    (tmp_path / "crd.yaml").write_text(CRD_WITHOUT_SCHEMA)
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    for arguments in (["validate", "."], ["validate", "none"], ["explain", "crd-rejected"], ["lint", "-q", "."]):
        command = [sys.executable, "-m", "protoc_gen_crd", *arguments]
        started = subprocess.run(
            command,
            cwd=tmp_path,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
            stdin=subprocess.DEVNULL,
        )
        forked = run_program(arguments, tmp_path, environment)
        assert (forked.returncode, forked.stdout, forked.stderr) == (started.returncode, started.stdout, started.stderr)


def test_a_forked_process_is_killed_at_its_time_limit(tmp_path: Path) -> None:
    (tmp_path / "crd.yaml").write_text((ROOT / "testdata/validate/accepted/widgets.crd.yaml").read_text())
    server = get_server("protoc-gen-crd")
    endless = ["explore", "crd.yaml", "--port", "0"]
    assert server.run(endless, tmp_path, os.environ, seconds=1).returncode == -signal.SIGALRM
    assert server.run(["--version"], tmp_path, os.environ).returncode == 0


def test_protoc_that_crashes_is_started_again(tmp_path: Path) -> None:
    (tmp_path / "api.proto").write_text('syntax = "proto3";')
    plugin = tmp_path / "plugin"
    plugin.write_text("#!/bin/sh\nkill -s SEGV $PPID\n")
    plugin.chmod(0o755)
    server, arguments = get_server("protoc"), [f"--plugin=protoc-gen-x={plugin}", "-I.", "--x_out=.", "api.proto"]
    assert server.run(arguments, tmp_path, os.environ).returncode == -signal.SIGSEGV
    assert server.run(["-I.", "-oapi.binpb", "api.proto"], tmp_path, os.environ).returncode == 0
    assert (tmp_path / "api.binpb").is_file()


def test_no_run_of_protoc_affects_the_next(tmp_path: Path) -> None:
    for name, text in {"good": 'syntax = "proto3";', "bad": 'syntax = "proto3"; x'}.items():
        (tmp_path / name).mkdir()
        (tmp_path / name / "api.proto").write_text(text)
    command = [sys.executable, "-m", "grpc_tools.protoc", "-I.", "-oapi.binpb", "api.proto"]
    for name in ("good", "bad", "good"):
        started = subprocess.run(command, cwd=tmp_path / name, capture_output=True, check=False)
        done = get_server("protoc").run(command[3:], tmp_path / name, os.environ)
        assert (done.returncode, done.stdout, done.stderr) == (started.returncode, started.stdout, started.stderr)
    assert (tmp_path / "good" / "api.binpb").is_file()


def test_temporary_files_need_room(tmp_path: Path) -> None:
    assert is_usable(tmp_path, 1)
    assert not is_usable(tmp_path, 1 << 60)
    assert not is_usable(tmp_path / "none", 1)


@pytest.mark.parametrize(
    ("outcomes", "printed"),
    [
        (["setup passed", "call passed", "teardown passed"], ["call passed"]),
        (["setup passed", "call failed", "teardown passed"], ["call failed"]),
        (["setup passed", "call passed", "teardown failed"], ["call passed", "teardown failed"]),
        (["setup failed", "teardown failed"], ["setup failed", "teardown failed"]),
        (["setup skipped", "teardown passed"], ["setup skipped"]),
    ],
)
def test_a_worker_reports_all_that_is_printed(
    outcomes: list[str], printed: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = [(outcome, *outcome.split()) for outcome in outcomes]
    reports = [SimpleNamespace(nodeid=name, when=when, passed=result == "passed") for name, when, result in rows]
    monkeypatch.setattr(conftest, "runtestprotocol", lambda *_, **__: reports)
    reported: list[str] = []
    hook = SimpleNamespace(pytest_runtest_logreport=lambda report: reported.append(report.nodeid))
    config = SimpleNamespace(workerinput={}, getoption=lambda _: None)
    assert conftest.pytest_runtest_protocol(SimpleNamespace(config=config, ihook=hook), None)  # type: ignore[arg-type]
    assert reported == printed
