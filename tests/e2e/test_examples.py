"""The examples work as their files say, and every way of running them gives the committed bytes."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from protoc_gen_crd.cli.output_manifest import MANIFEST_NAME
from tests.conftest import ROOT
from tests.support.fork_server import run_program

EXAMPLES = ROOT / "examples"
# What an example may hold, and the command that makes its output from it.
WAYS = {
    "protoc-gen-crd.yaml": ("protoc-gen-crd", "generate"),
    "buf.gen.yaml": ("buf", "generate"),
    "generate.sh": ("sh", "generate.sh"),
}
CASES = [(path.parent.name, path.name) for way in WAYS for path in sorted(EXAMPLES.glob(f"*/{way}"))]


def listed(folder: Path) -> Path:
    """The manifest of the CRDs; samples and pages have one as well."""
    (manifest,) = [path for path in folder.rglob(MANIFEST_NAME) if path.parent.name not in ("api", "samples")]
    return manifest


def outputs(folder: Path) -> dict[str, str]:
    """The generated files of an example: those that its manifest lists, and the manifest."""
    manifest = listed(folder)
    lines = manifest.read_text().splitlines()
    names = [MANIFEST_NAME, *(line.split("  ", 1)[1] for line in lines if not line.startswith("#"))]
    return {name: (manifest.parent / name).read_text() for name in names}


@pytest.fixture(scope="session")
def environment(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Return the environment of a user: our program, buf, and protoc, which is the bundled one here."""
    folder = tmp_path_factory.mktemp("bin")
    (folder / "protoc").write_text(f'#!/bin/sh\nexec "{sys.executable}" -m grpc_tools.protoc "$@"\n')
    (folder / "protoc").chmod(0o755)
    path = os.pathsep.join([str(folder), str(Path(sys.executable).parent), os.environ["PATH"]])
    return {**os.environ, "PATH": path}


def run(folder: Path, environment: dict[str, str], *command: str) -> None:
    if command[0] == "protoc-gen-crd":
        done = run_program(command[1:], folder, environment)
    else:
        done = subprocess.run(command, cwd=folder, check=False, capture_output=True, text=True, env=environment)
    assert (done.returncode, done.stderr) == (0, "")


def test_each_way_has_an_example() -> None:
    assert {way for _, way in CASES} == set(WAYS)


@pytest.mark.parametrize(("name", "way"), CASES)
def test_committed_files_are_up_to_date(name: str, way: str, tmp_path: Path, environment: dict[str, str]) -> None:
    expected = outputs(EXAMPLES / name)
    folder = tmp_path / name
    shutil.copytree(EXAMPLES / name, folder)
    manifest = listed(folder)
    for file in expected.keys() - {MANIFEST_NAME}:
        (manifest.parent / file).unlink()
    run(folder, environment, *WAYS[way])
    assert outputs(folder) == expected
    run(folder, environment, "protoc-gen-crd", "generate", "--check")


@pytest.mark.parametrize("name", [name for name, way in CASES if way == "buf.gen.yaml"])
def test_an_image_of_buf_gives_the_same(name: str, tmp_path: Path, environment: dict[str, str]) -> None:
    folder = tmp_path / name
    shutil.copytree(EXAMPLES / name, folder)
    for image in ("image.binpb", "image.json"):
        run(folder, environment, "buf", "build", "-o", image)
        run(folder, environment, "protoc-gen-crd", "generate", image, "--check")


def test_an_image_as_json_has_the_options_of_its_own_files(tmp_path: Path, environment: dict[str, str]) -> None:
    folder = tmp_path / "evolving"
    shutil.copytree(EXAMPLES / "evolving", folder)
    shutil.copytree(EXAMPLES.parent / "options", folder / "proto", dirs_exist_ok=True)
    (folder / "buf.yaml").write_text("version: v2\nmodules: [{path: proto}]\n")
    run(folder, environment, "buf", "build", "-o", "image.json")
    run(folder, environment, "protoc-gen-crd", "generate", "image.json", "--target", "acme/*", "--check")
