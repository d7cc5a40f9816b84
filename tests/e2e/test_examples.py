"""The examples work as their files say, and every way of running them gives the committed bytes."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from protoc_gen_crd.cli.manifest import NAME
from tests.conftest import ROOT
from tests.support.goldens import read_folder

EXAMPLES = ROOT / "examples"
BIN = Path(sys.executable).parent
ENVIRONMENT = {**os.environ, "PATH": f"{BIN}{os.pathsep}{os.environ['PATH']}"}


def examples() -> list[str]:
    return sorted(path.parent.name for path in EXAMPLES.glob("*/buf.gen.yaml"))


def committed(name: str) -> dict[str, str]:
    return {file: text for file, text in read_folder(EXAMPLES / name / "crds").items() if file != NAME}


@pytest.fixture
def copy(tmp_path: Path, request: pytest.FixtureRequest) -> Path:
    """A copy of an example without its output."""
    folder = tmp_path / str(request.param)
    shutil.copytree(EXAMPLES / folder.name, folder, ignore=shutil.ignore_patterns("crds"))
    return folder


def run(folder: Path, *command: str) -> None:
    done = subprocess.run(command, cwd=folder, check=False, capture_output=True, text=True, env=ENVIRONMENT)
    assert (done.returncode, done.stderr) == (0, "")


def test_there_are_examples() -> None:
    assert examples()


@pytest.mark.parametrize("name", examples())
def test_what_is_committed_is_up_to_date(name: str) -> None:
    run(EXAMPLES / name, "protoc-gen-crd", "generate", "--check")


@pytest.mark.parametrize("copy", examples(), indirect=True)
def test_buf_generates_it(copy: Path) -> None:
    run(copy, "buf", "generate")
    assert read_folder(copy / "crds") == committed(copy.name)


@pytest.mark.parametrize("copy", examples(), indirect=True)
def test_protoc_generates_it(copy: Path) -> None:
    (copy / "crds").mkdir()
    files = [path.relative_to(copy).as_posix() for path in sorted((copy / "proto").rglob("*.proto"))]
    options = ["-Iproto", f"-I{ROOT / 'options'}", "--crd_out=crds", "--crd_opt=settings=protoc-gen-crd.yaml"]
    run(copy, sys.executable, "-m", "grpc_tools.protoc", *options, *files)
    assert read_folder(copy / "crds") == committed(copy.name)


@pytest.mark.parametrize("copy", examples(), indirect=True)
def test_generate_takes_the_image_that_buf_builds(copy: Path) -> None:
    run(copy, "buf", "build", "-o", "image.binpb")
    run(copy, "protoc-gen-crd", "generate", "image.binpb")
    assert {file: text for file, text in read_folder(copy / "crds").items() if file != NAME} == committed(copy.name)
