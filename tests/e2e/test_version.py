"""`version` as a process, and protoc with the plugin on what it writes, for both layouts of versions."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import ROOT
from tests.support.fork_server import get_server, run_program
from tests.support.yaml_data import load_yaml

PROGRAM = Path(sys.executable).with_name("protoc-gen-crd")
CASES = ROOT / "testdata" / "versioning"
OF_VERSION = ("name", "served", "storage")
# Folder of the case, its protos, the file of its CRD, and the versions that are added: each name with its source.
LAYOUTS = [
    ("packages", "proto", "acme.example_widgets.yaml", [("v1beta2", "v1beta1"), ("v1", "v1beta2")]),
    ("conversions", "protos", "acme.example_pans.yaml", [("v1beta2", "v1beta1"), ("v2alpha1", "v1")]),
    ("markers", "api", "acme.example_gates.yaml", [("v1beta2", "v1beta1"), ("v1", "v1beta2")]),
]


def run(folder: Path, *command: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, cwd=folder, check=False, capture_output=True, text=True)


def compile_crd(folder: Path, protos: str, file: str) -> dict[str, dict[str, Any]]:
    """Return the versions of a CRD that protoc generates with the plugin."""
    out = folder / "out"
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir()
    files = sorted(path.relative_to(folder / protos).as_posix() for path in (folder / protos).rglob("*.proto"))
    arguments = [
        f"--plugin=protoc-gen-crd={PROGRAM}", f"-I{protos}", f"-I{ROOT / 'options'}", f"--crd_out={out}",
        "--crd_opt=settings=protoc-gen-crd.yaml", *files,
    ]  # fmt: skip
    done = get_server("protoc").run(arguments, folder, os.environ)
    assert done.returncode == 0, done.stderr
    crd = load_yaml((out / file).read_text("utf-8"))
    return {entry["name"]: entry for entry in crd["spec"]["versions"]}


@pytest.mark.parametrize(("case", "protos", "file", "steps"), LAYOUTS)
def test_protoc_generates_an_added_version(
    case: str, protos: str, file: str, steps: list[tuple[str, str]], tmp_path: Path
) -> None:
    folder = tmp_path / "api"
    shutil.copytree(CASES / case, folder, ignore=shutil.ignore_patterns("expected"))
    (tmp_path / ".git").mkdir()
    for version, source in steps:
        before = compile_crd(folder, protos, file)
        done = run_program(["version", "add", version, "--from", source], folder)
        assert done.returncode == 0, done.stderr
        assert "steps that are left to you:" in done.stdout
        after = compile_crd(folder, protos, file)
        copy = after.pop(version)
        assert after == before
        assert _drop(copy) == _drop(before[source])
    check = run_program(["generate", "--quiet"], folder)
    assert check.returncode == 0, check.stderr


def _drop(entry: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in entry.items() if key not in OF_VERSION}


def test_an_interrupted_change_is_restored(tmp_path: Path) -> None:
    """The process is interrupted while it generates the CRDs of the changed sources."""
    folder = tmp_path / "api"
    shutil.copytree(CASES / "markers" / "api", folder)
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    script = """
import signal, sys
from protoc_gen_crd.cli import version
from protoc_gen_crd.cli.main import main

class Interrupted(version.Workspace):
    loads = 0

    def __init__(self, *arguments):
        Interrupted.loads += 1
        if Interrupted.loads > 1:
            signal.raise_signal(signal.SIGINT)
        super().__init__(*arguments)

version.Workspace = Interrupted
try:
    main(["version", "add", "v1beta2", "--from", "v1beta1", "api"])
except KeyboardInterrupt:
    print(Interrupted.loads)
"""
    done = run(tmp_path, sys.executable, "-c", script)
    assert done.stdout == "2\n", done.stderr
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before


def test_documents_of_the_settings_can_be_missing_where_no_change_reads_them(tmp_path: Path) -> None:
    for version in ("v1alpha1", "v1"):
        source = tmp_path / "dummy" / version / "api.proto"
        source.parent.mkdir(parents=True)
        text = (
            'syntax = "proto3";\npackage dummy.{};\nservice Dummy {{\n  rpc Get(A) returns (A);\n}}\nmessage A {{}}\n'
        )
        source.write_text(text.format(version))
    (tmp_path / "protoc-gen-crd.yaml").write_text("inputs: [dummy]\nout: gen\ngroups: groups\ndocuments: [missing]\n")
    done = run_program(["version", "add", "v2alpha1", "--from", "v1"], tmp_path)
    assert (done.returncode, done.stderr) == (0, "")


def test_import_names_without_the_version_are_reported(tmp_path: Path) -> None:
    source = tmp_path / "api/v1/queue.proto"
    source.parent.mkdir(parents=True)
    source.write_text(
        'syntax = "proto3";\npackage shop.v1;\nimport "protoc_gen_crd/v1/options.proto";\n'
        'message Queue {\n  option (protoc_gen_crd.v1.resource).group = "shop.example";\n  string topic = 1;\n}\n'
    )
    command = ("version", "add", "v2alpha1", "--from", "v1", "api")
    done = run_program(command, tmp_path)
    assert done.returncode == 1
    assert 'import name "queue.proto" of a file of package "shop.v1" does not contain the version v1' in done.stderr
    assert 'hint: add the folder above "v1" to import_paths, or pass it as -I' in done.stderr
    assert run_program([*command, "-I", "api"], tmp_path).returncode == 0
    assert (tmp_path / "api/v2alpha1/queue.proto").is_file()
