"""Helpers that compile protos for tests."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.support.compile import compile_texts, proto_text, request_for
from tests.support.fork_server import get_server, run_program


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
