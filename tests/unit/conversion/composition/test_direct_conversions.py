"""Direct conversions between two spokes: for each pair with a served version, since clients request no other."""

from __future__ import annotations

import json
from itertools import combinations
from pathlib import Path

import pytest

from protoc_gen_crd import Converter
from protoc_gen_crd.crd_loader import generate_crds
from protoc_gen_crd.findings.finding import Problems
from protoc_gen_crd.settings.settings import Settings
from tests.support.conversion import Object, crd, fields, rules

PALETTE = """syntax = "proto3";
package x;
import "protoc_gen_crd/v1/options.proto";
message Palette {{
  option (protoc_gen_crd.v1.resource) = {{
    group: "x.io" versions: ["v1beta1", "v1", "v2"] storage_version: "{hub}"
  }};
  map<string, Color> colors = 1 [(protoc_gen_crd.v1.field).until = "v1beta1"];
  repeated NamedColor list = 2 [(protoc_gen_crd.v1.field) = {{
    since: "v1" conversion: {{renamed_from: "colors" key: "name"}} list_type: "map" list_map_keys: "name"
  }}];
}}
message Color {{ string feeling = 1; }}
message NamedColor {{
  string name = 1 [(protoc_gen_crd.v1.field).required = true];
  string feeling = 2;
}}
"""
TEXT: Object = {"type": "string"}
SPOKES = ("v1", "v2", "v3", "v4")
HUB = "v5"


def _make_converter(*served: str) -> Converter:
    """Return the converter of a kind whose spokes have a field that the hub lacks."""
    kind = crd(**{name: fields(x=TEXT, y=TEXT) for name in SPOKES}, **{HUB: fields(x=TEXT)})
    for version in kind["spec"]["versions"]:
        version["served"] = version["name"] in (*served, HUB)
    copy = [{"field": "spec.x", "destination": "spec.x"}]
    ends = [pair for name in SPOKES for pair in ((name, HUB), (HUB, name))]
    declared = rules(*((source, target, copy) for source, target in ends))
    for conversion in declared["spec"]["conversions"]:
        conversion |= {"preserve": ["spec.y"]} if conversion["to"] == HUB else {}
    return Converter(kind, declared)


@pytest.mark.parametrize("served", [(), ("v4",), ("v1", "v3"), SPOKES])
def test_only_served_versions_have_direct_conversions(served: tuple[str, ...]) -> None:
    plan = _make_converter(*served).plan
    pairs = {frozenset((pair.spoke, pair.to_hub.target)) for pair in plan.direct}
    assert pairs == {frozenset(ends) for ends in combinations(SPOKES, 2) if {*ends} & {*served}}
    gaps = {frozenset((gap.spoke, gap.other)) for gap in plan.gaps}
    assert gaps == {frozenset(ends) for ends in combinations(SPOKES, 2)} - pairs


@pytest.mark.parametrize("hub", ["v2", "v3", HUB])
def test_data_that_two_unserved_versions_share_reaches_a_served_one(hub: str) -> None:
    content = {"as": hub, "data": {"spec": {"y": ["", "kept"]}}, "format": 1}
    annotations = {"acme.example/conversion-data.v4": json.dumps(content, separators=(",", ":"))}
    obj: Object = {"apiVersion": f"acme.example/{hub}", "kind": "Thing", "metadata": {"annotations": annotations}}
    converted = _make_converter("v1").convert({**obj, "spec": {"x": "a"}}, "v1")
    assert converted["spec"] == {"x": "a", "y": "kept"}


@pytest.mark.parametrize("hub", ["v1beta1", "v1", "v2"])
def test_the_order_of_a_list_does_not_depend_on_the_hub(hub: str, tmp_path: Path) -> None:
    file = tmp_path / "palette.proto"
    file.write_text(PALETTE.format(hub=hub))
    (kind,) = generate_crds([str(file)], Settings(), {}, Problems())
    converter = Converter(kind)
    items = [{"name": "red", "feeling": "warm"}, {"name": "blue", "feeling": "cold"}]
    obj: Object = {"apiVersion": "x.io/v2", "kind": "Palette", "metadata": {"name": "a"}, "spec": {"list": items}}
    for version in ("v1beta1", "v1", "v2"):
        obj = converter.convert(obj, version)
        assert version == "v1beta1" or obj["spec"] == {"list": items}
