"""An annotated service with several versions: the same package as for separate files, and a .proto of each version."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from google.protobuf.descriptor_pb2 import FileDescriptorProto

from protoc_gen_crd.cli.main import main
from protoc_gen_crd.findings.finding import Problems
from protoc_gen_crd.proto.generate_inputs import read_inputs
from tests.conftest import ROOT
from tests.support.groups import Package, generate_package, import_package

SHOP = (ROOT / "testdata" / "groups" / "annotated" / "shop.proto").read_text()
VERSIONS = ("v1alpha1", "v1beta1", "v1")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("shop")


@pytest.fixture(scope="module")
def package(folder: Path) -> Iterator[Package]:
    name, findings = generate_package({"shop/shop.proto": SHOP}, folder)
    assert {finding.rule for finding in findings} == {"group-enum"}
    places = [finding.at.resolve() for finding in findings if finding.at]
    assert {(place.file, place.line) for place in places} == {
        ("shop/shop.proto", SHOP[: SHOP.index("GREEN")].count("\n") + 1)
    }
    with import_package(folder, name, "shop") as package:
        yield package


def forget_details(file: FileDescriptorProto) -> FileDescriptorProto:
    """Return a file without its comments and name."""
    copy = FileDescriptorProto()
    copy.CopyFrom(file)
    copy.ClearField("source_code_info")
    copy.ClearField("name")
    return copy


@pytest.mark.parametrize("version", VERSIONS)
def test_protoc_compiles_the_proto_of_a_version(package: Package, folder: Path, version: str) -> None:
    """Compare the compiled file with the descriptors that the package embeds."""
    problems = Problems()
    protos = folder / package.name / "proto"
    inputs = read_inputs([str(protos / "shop" / version / "shop.proto")], [str(protos)], [], problems)
    assert problems.findings == []
    embedded = FileDescriptorProto()
    package.load(f"{version}.messages").pool.FindFileByName(f"shop/{version}/shop.proto").CopyToProto(embedded)
    compiled = forget_details(inputs.request.proto_file[-1])
    assert compiled == forget_details(embedded)
    text = (protos / "shop" / version / "shop.proto").read_text()
    assert ("// How many.\n" in text, "+protoc-gen-crd" in text) == (True, False)


def test_an_rpc_is_renamed(package: Package) -> None:
    names = {version: dir(package.load(f"{version}.client").Client) for version in VERSIONS}
    assert ["buy" in names[version] for version in VERSIONS] == [True, True, False]
    assert ["place_order" in names[version] for version in VERSIONS] == [False, False, True]
    assert ["watch" in names[version] for version in VERSIONS] == [False, True, True]
    assert hasattr(package.load("api").Server, "place_order")
    assert not hasattr(package.load("api").Server, "buy")


@pytest.mark.parametrize(("version", "field"), [("v1alpha1", "thing"), ("v1beta1", "item"), ("v1", "item")])
def test_fields_are_converted(package: Package, version: str, field: str) -> None:
    hub, messages = package.load("hub"), package.load(f"{version}.messages")
    fields: dict[str, Any] = {field: "x", "count": 0, "address": "here", "prices": {"a": {"cents": 3}}, "colors": [1]}
    order = package.load(f"{version}.conversions").order_to_hub(messages.Order(**fields))
    delivery, prices = hub.OrderDeliveryAddress("here"), {"a": hub.Money(3)}
    assert order == hub.Order("x", 0, delivery, prices, [hub.Color.RED], "")
    receipt = messages.Receipt()
    package.load(f"{version}.conversions").receipt_from_hub(hub.Receipt(order), receipt)
    assert receipt.order == messages.Order(**fields)


UNTIL = '(protoc_gen_crd.v1.field).until = "%s"];\n  string item'


def change(old: str, new: str) -> str:
    assert old in SHOP
    return SHOP.replace(old, new)


@pytest.mark.parametrize(
    ("text", "rule", "message"),
    [
        (change(UNTIL % "v1alpha1", UNTIL % "v1"),
         "group-range", '"item" is renamed from "thing", which v1beta1 still has'),
        (change("until=v1beta1\n  rpc Buy", "until=v1\n  rpc Buy"), "group-rpc",
         '"PlaceOrder" is renamed from "Buy", which v1 still has'),
        (change('"v1alpha1", "v1beta1"', '"v1alpha1", "v1beta1", "1"'), "group-range", 'invalid version name "1"'),
        (change("COLOR_UNSPECIFIED = 0;", 'COLOR_UNSPECIFIED = 0 [(protoc_gen_crd.v1.enum_value).since = "v1"];'),
         "group-range", "version v1alpha1 is not valid"),
        (change("// +protoc-gen-crd:gone=note\n", ""), "conversion-lost", 'field "note" of "Order" in v1alpha1'),
        (change("until=v1beta1\n  rpc", "until=1beta\n  rpc"), "version-range", "neither an API version"),
    ],
)  # fmt: skip
def test_a_wrong_range_is_reported(tmp_path: Path, text: str, rule: str, message: str) -> None:
    findings = generate_package({"shop/shop.proto": text}, tmp_path)[1]
    matching = [finding for finding in findings if finding.rule == rule and message in finding.message]
    assert matching, findings
    assert all(finding.at is not None and finding.at.resolve().file == "shop/shop.proto" for finding in matching)


def test_overrides_of_an_annotated_service_apply_to_its_versions(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The options are the same in the settings as in the .proto file."""
    monkeypatch.chdir(tmp_path)
    proto = "syntax = 'proto3'; package odd.thing; service S { rpc Do(R) returns (R); } message R { string a = 1; }"
    (tmp_path / "odd.proto").write_text(proto)
    (tmp_path / "protoc-gen-crd.yaml").write_text(
        "inputs: [odd.proto]\nout: gen\ngroups: groups\noverrides:\n"
        "  odd.thing.S: {versions: [v1, v1beta1], group: odd}\n"
    )
    assert main(["generate"]) == 0, capsys.readouterr()
    folders = {path.name for path in (tmp_path / "gen/groups/odd").iterdir() if path.is_dir()}
    assert folders == {"v1", "v1beta1"}
    assert not (tmp_path / "gen/groups/thing").exists()
