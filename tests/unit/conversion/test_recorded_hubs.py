"""Hubs of recorded releases."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from protoc_gen_crd.conversion.recorded_hubs import recorded_hubs
from protoc_gen_crd.crd.crd_decoder import decode
from protoc_gen_crd.findings.finding import Location
from protoc_gen_crd.settings.settings import Settings
from tests.unit.conversion.test_converter import CRD, TEXT, version


@pytest.mark.parametrize(("folder", "hubs"), [("1.0", {"users.acme.example": frozenset(["v2"])}), (".1.0.tmp", {})])
def test_an_interrupted_recording_is_no_release(folder: str, hubs: dict[str, frozenset[str]], tmp_path: Path) -> None:
    versions = [version(name, {"name": TEXT}, storage=name == "v3") for name in ("v1", "v2", "v3")]
    crd = decode({**CRD, "spec": {**CRD["spec"], "versions": versions}}, lambda _: Location("crd.yaml")).crd  # type: ignore[dict-item]
    assert crd is not None
    (tmp_path / folder).mkdir()
    summary = {"kinds": {"acme.example/User": {"versions": {"v2": {"facts": {"storage": True}}}}}}
    (tmp_path / folder / "api.json").write_text(json.dumps(summary))
    assert recorded_hubs([crd], Settings(history=str(tmp_path))) == hubs
