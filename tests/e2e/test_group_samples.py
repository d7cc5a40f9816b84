"""The pytest plugin of generated packages: tests in several versions, and samples that a running server returns."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from tests.conftest import ROOT

EXAMPLE = ROOT / "examples" / "dummy"
CONFTEST = """
import pytest
import grpc
from groups.dummy import hub, registry
from groups.runtime.serving import GroupServer

pytest_plugins = ["groups.runtime.testing"]

class Server:
    def compute_double(self, request, context, version):
        return hub.ComputeDoubleResponse(2 * request.input)

@pytest.fixture
def services():
    return list(registry.list_services(Server()))

@pytest.fixture
def channel(services):
    server = GroupServer(services, "localhost:0")
    server.start()
    with grpc.insecure_channel(f"localhost:{server.ports['localhost:0']}") as channel:
        yield channel
    server.stop(0)
"""
TESTS = """
from groups.runtime.testing import list_missing_samples, list_wrong_responses, override_version, use_versions

@use_versions("v1alpha1", "v1")
class TestDouble:
    def test_sample(self, group_version, group_samples):
        assert group_samples.read("dummy", group_version, "ComputeDouble", "request")

    @override_version("v1")
    def test_newest(self, group_version, group_samples):
        assert group_version == "v1"
        assert group_samples.common_sample("dummy", "ComputeDouble", "request") == {"input": "21"}

def test_samples_exist(services, group_samples):
    assert list_missing_samples(services, group_samples) == []

def test_responses(channel, services, group_samples):
    assert list_wrong_responses(channel, services, group_samples) == []
"""
SAMPLES: dict[str, dict[str, object]] = {
    "dummy/v1alpha1/ComputeDouble.request.json": {"input32": 21},
    "dummy/v1alpha1/ComputeDouble.response.json": {"response32": 42},
    "dummy/common/ComputeDouble.request.json": {"input": "21"},
    "dummy/common/ComputeDouble.response.json": {"response": "42"},
}


def run(folder: Path, samples: Mapping[str, object]) -> str:
    for name, data in samples.items():
        (folder / "samples" / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / "samples" / name).write_text(json.dumps(data))
    (folder / "conftest.py").write_text(CONFTEST)
    (folder / "test_versions.py").write_text(TESTS)
    environment = {**os.environ, "PYTHONPATH": str(EXAMPLE / "gen"), "PYTHONDONTWRITEBYTECODE": "1"}
    command = [sys.executable, "-m", "pytest", "-v", "-p", "no:cacheprovider", "--rootdir", str(folder), str(folder)]
    return subprocess.run(command, capture_output=True, text=True, check=False, env=environment).stdout


def test_the_plugin_runs_tests_in_versions(tmp_path: Path) -> None:
    output = run(tmp_path, SAMPLES)
    for name in ("test_sample[v1alpha1]", "test_sample[v1]", "test_newest[v1]", "test_samples_exist", "test_responses"):
        assert f"{name} PASSED" in output, output
    assert "5 passed" in output


def test_wrong_and_missing_samples_are_reported(tmp_path: Path) -> None:
    samples: dict[str, dict[str, object]] = {
        **SAMPLES,
        "dummy/v1alpha1/ComputeDouble.response.json": {"response32": 41},
    }
    output = run(tmp_path, samples)
    assert 'dummy/v1alpha1/ComputeDouble: [{"response32": 42}] is not the sample [{"response32": 41}]' in output
    (tmp_path / "samples/dummy/common/ComputeDouble.request.json").unlink()
    assert "dummy/v1/ComputeDouble.request.json" in run(tmp_path, {})
