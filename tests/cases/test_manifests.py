"""The commands `manifests` and `patch`: each folder of testdata/manifests and testdata/patch is a case."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.support.manifests import FOLDERS, RECORD, digest, listed
from tests.support.transcripts import Stage, cases_in
from tests.support.yaml_data import load_yaml

CASES = [(command, name) for command in ("manifests", "patch") for name in cases_in(ROOT / "testdata" / command)]


@pytest.mark.parametrize(("command", "name"), CASES)
def test_case(
    command: str, name: str, update: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    stage = Stage(command, monkeypatch, capsys)
    case = ROOT / "testdata" / command / name
    assert not (differences := stage.differences(case, tmp_path, update=update)), "\n".join(differences)


@pytest.mark.parametrize("name", list(listed()))
def test_kustomize_output_satisfies_types_and_security_standards(name: str) -> None:
    recorded, folder = json.loads(RECORD.read_text("utf-8"))[name], listed()[name]
    depth = FOLDERS.index(name.rpartition(":")[2])
    assert recorded["digest"] == digest(folder.parents[depth]), "record it again: tests/judges/manifests"
    assert not {"error", "faults", "security"} & recorded.keys()
    production = depth > 0
    assert recorded["replicas"] == (3 if production else 2)
    assert ("PrometheusRule" in str(recorded["objects"])) == production
    base = (folder.parents[depth] / "base" / "deployment.yaml").read_text("utf-8")
    assert recorded["images"] == [load_yaml(base)["spec"]["template"]["spec"]["containers"][0]["image"]]
