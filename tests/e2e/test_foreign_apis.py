"""APIs with the shapes of a gateway's and a cloud's: they become installable CRDs without a change to their files."""

from __future__ import annotations

from pathlib import Path

import pytest

from protoc_gen_crd import admit
from protoc_gen_crd.cli.main import main
from tests.conftest import ROOT
from tests.support.yaml_data import load_yaml

FOLDER = ROOT / "testdata" / "foreign-apis"
INCLUDE = ROOT / "testdata" / "include"
ROUTES = ("properties", "spec", "properties", "virtualHost", "properties", "routes")


@pytest.mark.parametrize("settings", ["resources", "overrides"])
def test_the_crds_are_installable(settings: str, tmp_path: Path) -> None:
    arguments = ["--import-path", str(FOLDER), "--import-path", str(INCLUDE), "--out", str(tmp_path)]
    assert main(["generate", str(FOLDER), "--settings", str(FOLDER / f"{settings}.yaml"), *arguments]) == 0
    crds = {path.stem: load_yaml(path.read_text()) for path in tmp_path.glob("*.yaml")}
    assert sorted(crds) == [
        "ai.like.io_pipelinejobs", "dataproc.like.io_clusters", "dataproc.like.io_workflowtemplates",
        "gateway.like.io_gateways", "gateway.like.io_proxies", "gateway.like.io_virtualservices",
    ]  # fmt: skip
    verdicts = [verdict for crd in crds.values() for verdict in admit(crd, kubernetes="1.29..1.37")]
    assert all(verdict.accepted for verdict in verdicts)
    routes = crds["gateway.like.io_virtualservices"]["spec"]["versions"][0]["schema"]["openAPIV3Schema"]
    for step in ROUTES:
        routes = routes[step]
    assert routes.get("maxItems") == (100 if settings == "overrides" else None)
    assert ("typed" in routes["items"]["properties"]) == (settings == "resources")
