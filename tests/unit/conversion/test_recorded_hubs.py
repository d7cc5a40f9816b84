"""Hubs of recorded releases."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from protoc_gen_crd.conversion.recorded_hubs import recorded_hubs
from protoc_gen_crd.crd.crd import Crd
from protoc_gen_crd.crd.crd_decoder import decode
from protoc_gen_crd.findings.finding import Location
from protoc_gen_crd.settings.settings import Settings
from tests.unit.conversion.test_converter import CRD, TEXT, version


@pytest.mark.parametrize(("folder", "hubs"), [("1.0", {"users.acme.example": frozenset(["v2"])}), (".1.0.tmp", {})])
def test_an_interrupted_recording_is_no_release(folder: str, hubs: dict[str, frozenset[str]], tmp_path: Path) -> None:
    (tmp_path / folder).mkdir()
    summary = {"kinds": {"acme.example/User": {"versions": {"v2": {"facts": {"storage": True}}}}}}
    (tmp_path / folder / "api.json").write_text(json.dumps(summary))
    assert recorded_hubs([_make_crd()], Settings(history=str(tmp_path))) == hubs


def _make_crd() -> Crd:
    versions = [version(name, {"name": TEXT}, storage=name == "v3") for name in ("v1", "v2", "v3")]
    crd = decode({**CRD, "spec": {**CRD["spec"], "versions": versions}}, lambda _: Location("crd.yaml")).crd  # type: ignore[dict-item]
    assert crd is not None
    return crd


@pytest.mark.parametrize(
    "kind",
    [
        [],
        {"versions": ["v2"]},
        {"versions": {"v2": "stored"}},
        {"versions": {"v2": {"facts": ["storage"]}}},
        {"facts": "hub"},
        {"facts": {"hub": ["v2"]}},
    ],
)
def test_a_member_of_another_type_names_no_hub(kind: Any, tmp_path: Path) -> None:
    (tmp_path / "1.0").mkdir()
    (tmp_path / "1.0" / "api.json").write_text(json.dumps({"kinds": {"acme.example/User": kind}}))
    assert recorded_hubs([_make_crd()], Settings(history=str(tmp_path))) == {"users.acme.example": frozenset()}
