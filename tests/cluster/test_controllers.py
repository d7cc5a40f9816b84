"""The guides for controllers, followed on a running API server: the controllers set the status of objects.

The guide for Python installs kopf, and the guide for Go downloads modules. A guide whose downloads fail is skipped.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.cluster.server import Cluster, wait
from tests.conftest import ROOT
from tests.support.pages import Block, blocks_of, write_programs

CRD = "widgets.acme.example"
WIDGETS = "/apis/acme.example/v1/namespaces/default/widgets"
MERGE = "application/merge-patch+json"


class Guide:
    """A guide in a folder. The last script of its page starts the controller; the scripts before it prepare that."""

    def __init__(self, page: str, folder: Path, environment: dict[str, str]) -> None:
        blocks = list(blocks_of((ROOT / page).read_text("utf-8")))
        self.scripts = [block.text for block in blocks if block.language == "sh"]
        self.consoles = [block for block in blocks if block.language == "console"]
        self.folder = folder
        self.environment = environment
        for block in blocks:
            verb, _, name = block.comment.partition(" ")
            if verb == "file":
                (folder / name).parent.mkdir(parents=True, exist_ok=True)
                (folder / name).write_text(block.text)

    def prepare(self) -> None:
        """Run the scripts before the last one, and skip the test if one fails while it downloads."""
        self.check_console(self.consoles[0])
        for script in self.scripts[:-1]:
            for command in script.splitlines():
                status, output = self.run(command)
                if status and command.startswith(("pip install", "go install", "go mod tidy")):
                    pytest.skip(f"{command}: {output.strip()[-200:]}")
                assert status == 0, f"{command}: {output}"

    def check_console(self, block: Block, patience: float = 0) -> None:
        """Compare the commands of a block with their output, repeatedly while `patience` seconds last."""
        for part in block.text.split("$ ")[1:]:
            command, _, expected = part.partition("\n")
            end = time.monotonic() + patience
            while (output := self.run(command)[1].strip()) != expected.strip() and time.monotonic() < end:
                time.sleep(0.5)
            assert output == expected.strip()

    def run(self, command: str) -> tuple[int, str]:
        """Return the exit status and the output of a command, without the warnings of kubectl on versions."""
        run = subprocess.run(
            ["sh", "-ec", command], cwd=self.folder, env=self.environment, capture_output=True, text=True, check=False
        )
        return run.returncode, run.stdout if run.returncode == 0 else run.stdout + run.stderr

    @contextmanager
    def running(self) -> Iterator[None]:
        """Run the controller."""
        with (self.folder / "log").open("w") as log:
            command = ["sh", "-ec", f"exec {self.scripts[-1]}"]
            process = subprocess.Popen(command, cwd=self.folder, env=self.environment, stdout=log, stderr=log)
            try:
                yield
            finally:
                process.terminate()
                process.wait(60)


@pytest.fixture
def environment(cluster: Cluster, tmp_path: Path) -> dict[str, str]:
    if not shutil.which("kubectl"):
        pytest.skip("kubectl is not on PATH")
    programs = tmp_path / "programs"
    programs.mkdir()
    program = Path(sys.executable).with_name("protoc-gen-crd")
    protoc = f'exec {sys.executable} -m grpc_tools.protoc "$@"'
    write_programs(programs, {"protoc-gen-crd": f'exec {program} "$@"', "protoc": protoc})
    return {**os.environ, "PATH": f"{programs}:{os.environ['PATH']}", "KUBECONFIG": str(cluster.kubeconfig)}


@pytest.fixture(autouse=True)
def _no_crd(cluster: Cluster) -> Iterator[None]:
    yield
    cluster.remove([CRD])


def test_go(cluster: Cluster, tmp_path: Path, environment: dict[str, str]) -> None:
    if not shutil.which("go"):
        pytest.skip("go is not on PATH")
    environment = {**environment, "GOBIN": str(tmp_path / "programs")}
    guide = Guide("docs/controllers-go.md", tmp_path, environment)
    follow(cluster, guide, {"storedBytes": "7"}, {"capacity": "many", "interval": "1h30m", "parts": 101})


def test_python(cluster: Cluster, tmp_path: Path, environment: dict[str, str]) -> None:
    subprocess.run([sys.executable, "-m", "venv", str(tmp_path / "venv")], check=True)
    environment = {**environment, "PATH": f"{tmp_path / 'venv/bin'}:{environment['PATH']}"}
    guide = Guide("docs/controllers-python.md", tmp_path, environment)
    follow(cluster, guide, {"readyParts": 0, "storedBytes": "7"}, {"capacity": "many", "parts": 101})


def follow(cluster: Cluster, guide: Guide, status: dict[str, Any], rejected: dict[str, Any]) -> None:
    """Follow a guide, then change the object: its status becomes `status`, and each value in `rejected` is rejected."""
    guide.prepare()
    with guide.running():
        guide.check_console(guide.consoles[1], patience=60)
        cluster.call("PATCH", f"{WIDGETS}/small", {"spec": {"parts": 0, "capacity": 7}}, MERGE)
        wait(lambda: get_status(cluster) == status, 60)
        for name, value in rejected.items():
            assert cluster.call("PATCH", f"{WIDGETS}/small", {"spec": {name: value}}, MERGE).code == 422, name


def get_status(cluster: Cluster) -> Any:
    return cluster.call("GET", f"{WIDGETS}/small").body.get("status")
