"""The packages as users get them: built from the sources alone, installed with their dependencies and nothing else."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tarfile
import venv
from pathlib import Path
from zipfile import ZipFile

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


def copy_sources(folder: Path) -> None:
    for name in SOURCES:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(ROOT / name, folder / name)


def build_packages(folder: Path, umask: int, **environment: str) -> dict[str, bytes]:
    """Return the source archive and the wheel that is built from it, by name."""
    copy_sources(folder)
    for path in folder.rglob("*"):
        path.chmod(path.stat().st_mode & ~umask)
    build = [sys.executable, "-m", "build", "--no-isolation", "--skip-dependency-check", "--outdir", "dist", "."]
    subprocess.run(build, cwd=folder, env={**os.environ, **environment}, umask=umask, check=True, capture_output=True)
    return {path.name: path.read_bytes() for path in sorted((folder / "dist").iterdir())}


@pytest.fixture(scope="module")
def packages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Packages built with the date 2026-01-01, umask 022 and the locale C."""
    folder = tmp_path_factory.mktemp("first")
    build_packages(folder, 0o022, SOURCE_DATE_EPOCH="1767225600", LC_ALL="C", TZ="UTC")
    return folder / "dist"


@pytest.fixture(scope="module")
def program(packages: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The console script in an environment that holds the wheel and what it requires."""
    folder = tmp_path_factory.mktemp("wheel")
    (wheel,) = packages.glob("*.whl")
    venv.create(folder / "venv", with_pip=False)  # the pip of this environment installs into it
    python = folder / "venv" / "bin" / "python"
    # Most modules of the dependencies are never imported, so none is compiled in advance.
    install = [sys.executable, "-m", "pip", "--python", str(python), "install", "--quiet", "--no-compile"]
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


def test_packages_built_twice_are_equal(packages: Path, tmp_path: Path) -> None:
    first = {path.name: path.read_bytes() for path in sorted(packages.iterdir())}
    again = build_packages(tmp_path, 0o077, SOURCE_DATE_EPOCH="1767225600", LC_ALL="C.UTF-8", TZ="Asia/Tokyo")
    assert [name.rpartition(".")[2] for name in first] == ["whl", "gz"]
    assert [name for name in first if first[name] != again[name]] == []
    assert list(first) == list(again)


def test_the_wheel_has_the_date_of_the_build(packages: Path) -> None:
    (path,) = packages.glob("*.whl")
    with ZipFile(path) as archive:
        assert {info.date_time for info in archive.infolist()} == {(2026, 1, 1, 0, 0, 0)}


def test_the_source_archive_has_no_user(packages: Path) -> None:
    (path,) = packages.glob("*.tar.gz")
    with tarfile.open(path) as archive:
        members = archive.getmembers()
    assert {(info.uid, info.gid, info.uname, info.gname, info.mtime) for info in members} == {
        (0, 0, "", "", 1767225600)
    }
    assert {info.mode for info in members if info.isfile()} == {0o644}
    assert [info.name for info in members] == sorted((info.name for info in members), key=lambda name: name.split("/"))
