"""Reference pages and samples of gRPC API groups: the samples are valid in every version, and convert."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from google.protobuf import json_format

from protoc_gen_crd.cli.main import main
from tests.conftest import ROOT
from tests.support.groups import Package, import_package

STORAGE = ROOT / "testdata" / "groups" / "storage"
RENAMED = {"StatsRequest": "GetStatsRequest", "SetAttachStateRequest": "SetStateRequest"}
PACKAGE = "groups_of_docs"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the protos, the package, the samples, and the docs of the group storage."""
    folder = tmp_path_factory.mktemp("docs")
    for path in STORAGE.glob("*/api.proto"):
        target = folder / "proto/storage" / path.parent.name / "api.proto"
        target.parent.mkdir(parents=True)
        target.write_text(path.read_text())
    (folder / "protoc-gen-crd.yaml").write_text(
        f"inputs: [{folder}/proto]\nout: {folder}/gen\ngroups: {PACKAGE}\nsamples: {folder}/samples\n"
        f"docs: {folder}/docs\nhistory: {folder}/history\n"
    )
    for command in (
        ["generate"],
        ["samples"],
        ["samples"],
        ["history", "record", "1.0"],
        ["docs"],
        ["docs", "--html", "--out", str(folder / "html")],
    ):
        assert main([*command, "-q", "--settings", str(folder / "protoc-gen-crd.yaml")]) == 0
    return folder


@pytest.fixture
def package(folder: Path) -> Iterator[Package]:
    with import_package(folder / "gen", PACKAGE, "storage") as package:
        yield package


def test_every_rpc_of_every_version_has_samples(folder: Path, package: Package) -> None:
    services = list(package.load("registry").list_services(object.__new__(make_server(package))))
    testing = package.runtime("testing")
    assert testing.list_missing_samples(services, testing.Samples(folder / "samples")) == []
    assert {service.version for service in services} == {"v1alpha1", "v1beta1", "v1beta2", "v1beta3", "v1"}


def make_server(package: Package) -> type:
    methods = [name for name in vars(package.load("api").Server) if not name.startswith("_")]
    return type("Server", (), dict.fromkeys(methods))


def test_samples_are_messages_that_convert(folder: Path, package: Package) -> None:
    """Parse every sample with protobuf, and convert requests to the hub."""
    count = 0
    for service in package.load("registry").list_services(object.__new__(make_server(package))):
        messages = package.load(f"{service.version}.messages")
        conversions = package.load(f"{service.version}.conversions")
        for method in service.pool.FindServiceByName(service.name).methods:
            for way, descriptor in (("request", method.input_type), ("response", method.output_type)):
                path = folder / "samples/storage" / service.version / f"{method.name}.{way}.json"
                data = json.loads(path.read_text())
                for item in data if isinstance(data, list) else [data]:
                    message = json_format.ParseDict(item, getattr(messages, descriptor.name)())
                    if way == "request":
                        name = package_name(RENAMED.get(descriptor.name, descriptor.name))
                        assert getattr(conversions, f"{name}_to_hub")(message)
                    count += 1
    assert count == 2 * len(list((folder / "samples").rglob("*.request.json")))


def package_name(name: str) -> str:
    return "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in name).strip("_")


def test_an_edited_sample_is_kept(folder: Path) -> None:
    path = folder / "samples/storage/v1/Partition.request.json"
    path.write_text("{}")
    settings = str(folder / "protoc-gen-crd.yaml")
    assert main(["samples", "-q", "--settings", settings]) == 0
    assert main(["samples", "-q", "--check", "--settings", settings]) == 0
    assert path.read_text() == "{}"


def test_the_page_has_the_versions_of_rpcs_and_fields(folder: Path) -> None:
    page = (folder / "docs/storage.md").read_text()
    cells = "unary | get\\_stats | v1beta1 to v1 | The size of a device, named Stats in v1beta1 to v1beta2"
    assert f'| <a id="getstats"></a>GetStats | {cells} |' in page
    assert '| <a id="getstatsresponse-size_bytes"></a>size\\_bytes | int64 | v1beta3 to v1 |' in page
    assert '### <a id="getstats-v1-request"></a>GetStats v1, request\n\n```json\n{\n' in page
    assert (folder / "docs/storage.md").read_text().count("+protoc-gen-crd") == 0


def read_model(folder: Path) -> dict[str, Any]:
    page = (folder / "html/storage.html").read_text()
    data = re.search(r'<script type="application/json" id="model">(.*?)</script>', page, re.DOTALL)
    assert data
    model: dict[str, Any] = json.loads(data[1])
    return model


def test_anchors_of_both_pages_are_the_same(folder: Path) -> None:
    model = read_model(folder)
    anchors = {kind["anchor"] for kind in model["kinds"]} | {anchor for anchor, *_ in model["types"]}
    anchors |= {sample[0] for kind in model["kinds"] for sample in kind["samples"]}
    anchors |= {field[3] for node in model["nodes"] for field in node.get("fields", ()) if field[3:]}
    written = re.findall(r'<a id="([^"]*)"></a>', (folder / "docs/storage.md").read_text())
    assert len(written) == len(set(written))
    assert anchors - {"service"} == set(written)


def test_the_html_page_has_the_older_fields_and_the_verdicts(folder: Path) -> None:
    model = read_model(folder)
    notes = {(node["type"], *node["older"]) for node in model["nodes"] if "older" in node}
    assert ("uint32", "in v1beta2: device_id string") in notes
    verdicts = {tuple(verdict[1::2][:2]): verdict[4] for verdict in model["kinds"][0]["verdicts"]}
    assert verdicts["v1beta3", "v1"] == "compatible"
    assert verdicts["v1alpha1", "v1"] == "new version"
