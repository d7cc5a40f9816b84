"""The wheel as users get it: built from the sources alone, installed with its own dependencies and nothing else."""

from __future__ import annotations

import shutil
import subprocess
import sys
import venv
from pathlib import Path

import pytest

from protoc_gen_crd import __version__
from tests.conftest import ROOT

SOURCES = ("pyproject.toml", "setup.py", "README.md", "LICENSE", "protoc_gen_crd", "options")
API = """syntax = "proto3";
package acme.v1;
import "k8s.io/apimachinery/pkg/util/intstr/generated.proto";
import "protoc_gen_crd/v1/options.proto";

message Widget {
  option (protoc_gen_crd.v1.resource) = {group: "acme.example"};
  string name = 1 [(protoc_gen_crd.v1.field).max_length = 63];
  k8s.io.apimachinery.pkg.util.intstr.IntOrString port = 2;
}
"""


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The console script in an environment that holds the wheel and what it requires."""
    folder = tmp_path_factory.mktemp("wheel")
    for name in SOURCES:
        copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copy
        copy(ROOT / name, folder / name)
    build: list[str | Path] = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", folder, folder]
    subprocess.run(build, check=True, capture_output=True)
    (wheel,) = folder.glob("*.whl")
    venv.create(folder / "venv", with_pip=False)  # the pip of this environment installs into it
    python = folder / "venv" / "bin" / "python"
    install: list[str | Path] = [sys.executable, "-m", "pip", "--python", python, "install", "--quiet"]
    subprocess.run([*install, "--constraint", ROOT / "constraints.txt", wheel], check=True)
    return python.with_name("protoc-gen-crd")


def run(program: Path, folder: Path, *arguments: str) -> str:
    done = subprocess.run([program, *arguments], cwd=folder, check=True, capture_output=True, stdin=subprocess.DEVNULL)
    return done.stdout.decode()


def test_it_knows_its_version(program: Path, tmp_path: Path) -> None:
    assert run(program, tmp_path, "--version") == f"protoc-gen-crd {__version__}\n"


def test_it_brings_protoc_its_options_and_its_catalogue(program: Path, tmp_path: Path) -> None:
    (tmp_path / "api.proto").write_text(API)
    (tmp_path / "protoc-gen-crd.yaml").write_text("inputs: [api.proto]\nheader: Made by a wheel.\n")
    assert run(program, tmp_path, "generate") == "wrote crds/acme.example_widgets.yaml\ncrds: 1 file, 1 written\n"
    text = (tmp_path / "crds" / "acme.example_widgets.yaml").read_text()
    assert "maxLength: 63\n" in text
    assert "Made by a wheel." in text
    assert run(program, tmp_path, "explain", "output-stale").startswith("output-stale (error)\n")


def test_it_is_a_plugin(program: Path, tmp_path: Path) -> None:
    (tmp_path / "api.proto").write_text(API)
    protoc: list[str | Path] = [program.with_name("python"), "-m", "grpc_tools.protoc"]
    include = run(program, tmp_path, "include").strip()
    assert Path(include).is_relative_to(program.parent.parent)
    flags = [f"--plugin=protoc-gen-crd={program}", "-I.", f"-I{include}", "--crd_out=.", "api.proto"]
    subprocess.run([*protoc, *flags], cwd=tmp_path, check=True)
    assert "kind: Widget\n" in (tmp_path / "acme.example_widgets.yaml").read_text()
