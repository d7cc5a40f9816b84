"""All of istio/api, from its own module: compat=istio gives the bytes that its maintainers committed.

The module is looked for where `go mod download istio.io/api@VERSION` puts it; the tests skip where it is not.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from protoc_gen_crd.cel.project_macros import preprocess
from protoc_gen_crd.yaml.reader import read
from tests.support.fork_server import run_program

FILE = "kubernetes/customresourcedefinitions.gen.yaml"
# What the repository's own buf run makes CRDs of.
FOLDERS = ("analysis", "authentication", "extensions", "meta", "networking", "security", "telemetry", "type")
# Real mistakes of the API, which have no effect in the plugin's output.
MISTAKES = ["cel-field", "resource-kind"]


@cache
def module(version: str) -> Path | None:
    """The folder of one version of the API, if it has been downloaded."""
    go = shutil.which("go")
    if go is None:
        return None
    output = subprocess.run([go, "env", "GOMODCACHE"], capture_output=True, text=True, check=True).stdout.strip()
    folder = Path(output, "istio.io", f"api@v{version}")
    return folder if (folder / FILE).is_file() else None


def generate(version: str, out: Path, *options: str) -> tuple[Path, subprocess.CompletedProcess[str]]:
    """The module and a run of `generate` on it; skips the test where it is absent."""
    folder = module(version)
    if folder is None:
        pytest.skip(f"istio.io/api is not in Go's module cache: run go mod download istio.io/api@v{version}")
    return folder, run(folder, out, *options)


def run(folder: Path, out: Path, *options: str) -> subprocess.CompletedProcess[str]:
    """A run of `generate` on the files of the API in a folder."""
    inputs = [str(folder / name) for name in FOLDERS if (folder / name).is_dir()]
    paths = ["--import-path", str(folder), "--import-path", str(folder / "common-protos")]
    return run_program(["generate", *options, *paths, "--out", out, *inputs], out)


def respelled(version: str, copy: Path) -> Path:
    """The protos of a module, with markers that began otherwise as they are written now; skips where it is absent."""
    folder = module(version)
    if folder is None:
        pytest.skip(f"istio.io/api is not in Go's module cache: run go mod download istio.io/api@v{version}")
    for path in folder.rglob("*.proto"):
        target = copy / path.relative_to(folder)
        target.parent.mkdir(parents=True, exist_ok=True)
        text = re.sub(
            r"\+kubebuilder:((?:map|list)-value|duration)-validation",
            r"+protoc-gen-crd:\1-validation",
            path.read_text(),
        )
        target.write_text(text)
    return copy


@pytest.mark.parametrize("version", ["1.29.0", "1.31.1"])
def test_the_newest_plugin_is_met_byte_for_byte(version: str, tmp_path: Path) -> None:
    folder, run = generate(version, tmp_path, "--compat", "istio")
    assert run.returncode == 0, run.stderr
    assert (tmp_path / FILE).read_text() == (folder / FILE).read_text()


@pytest.mark.parametrize("version", ["1.25.0", "1.28.0"])
def test_its_predecessor_differed_in_the_format_of_bytes(version: str, tmp_path: Path) -> None:
    folder, run = generate(version, tmp_path, "--compat", "istio")
    assert run.returncode == 0, run.stderr
    assert (tmp_path / FILE).read_text() == (folder / FILE).read_text().replace("format: binary", "format: byte")


def test_an_older_one_wrote_rules_as_they_are_written(tmp_path: Path) -> None:
    folder, run = generate("1.24.2", tmp_path, "--compat", "istio")
    assert run.returncode == 0, run.stderr
    expected, result = (documents(path / FILE) for path in (folder, tmp_path))
    assert canonical(expected) == canonical(result)


def test_one_before_spelled_markers_otherwise(tmp_path: Path) -> None:
    folder = respelled("1.23.0", tmp_path / "protos")
    result = run(folder, tmp_path, "--compat", "istio")
    assert result.returncode == 0, result.stderr
    theirs, ours = (canonical(documents(path / FILE)) for path in (module("1.23.0") or folder, tmp_path))
    assert [less_status(crd) for crd in theirs] == [less_status(crd) for crd in ours]


@pytest.mark.parametrize("version", ["1.24.2", "1.31.1"])
def test_default_mode_finds_the_mistakes_and_nothing_else(version: str, tmp_path: Path) -> None:
    _, run = generate(version, tmp_path)
    assert re.findall(r" error: .*\[([\w-]+)\]$", run.stderr, re.MULTILINE) == MISTAKES
    assert re.findall(r" warning: .*\[([\w-]+)\]$", run.stderr, re.MULTILINE) == ["crd-size"]


def documents(path: Path) -> list[object]:
    """The documents of a YAML file."""
    return [document.value for document in read(path.read_text(), path.name)]


def canonical(value: object, key: str = "") -> Any:
    """A CRD with its rules in canonical form and with today's format of bytes."""
    if isinstance(value, dict):
        return {name: canonical(item, name) for name, item in value.items()}
    if isinstance(value, list):
        return [canonical(item) for item in value]
    if key == "rule":
        return str(preprocess(str(value)))
    return "byte" if (key, value) == ("format", "binary") else value


def less_status(crd: Any) -> Any:
    """A CRD with a status that has no fields, and with each required field once: the tool of then added some thrice."""
    for version in crd["spec"]["versions"]:
        schema = version["schema"]["openAPIV3Schema"]
        schema["properties"]["status"] = {}
        schema["required"] = sorted(set(schema.get("required", ())))
    return crd
