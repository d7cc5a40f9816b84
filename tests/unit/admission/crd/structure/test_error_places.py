"""Every error of a schema has the location of the keyword that caused it; conformance tables check the messages."""

from __future__ import annotations

import re
from typing import Any

import pytest

from protoc_gen_crd.admission.server import AdmissionServer, admit
from protoc_gen_crd.crd.crd import CrdVersion, PrinterColumn, Scale
from protoc_gen_crd.findings.finding import Location
from protoc_gen_crd.schema.go_type_decoder import Path
from protoc_gen_crd.schema.schema import Schema
from tests.unit.admission.crd_factory import at, crd, manifest, only, schema, spec


def named(path: Path) -> Location:
    return Location("/".join(str(step) for step in path[5:]))


def places(root: dict[str, Any]) -> dict[str, str]:
    """Paths below the root to places, which are the JSON paths of what caused the errors."""
    errors = only(AdmissionServer().admit_data(manifest(root), places=named)).causes
    start = "spec.validation.openAPIV3Schema."
    return {error.path.removeprefix(start): error.place.resolve().file if error.place else "" for error in errors}


def own(paths: list[str]) -> dict[str, str]:
    """Paths with the places of what they lead to: `anyOf[0].type` is at `anyOf/0/type`."""
    return {path: re.sub(r"\[([^\]]*)\]", r"/\1", path).replace(".", "/") for path in paths}


S = {"type": "string"}
LIST = {"type": "array", "items": S}


@pytest.mark.parametrize(
    ("node", "paths"),
    [
        ({"type": "strange"}, ["type"]),
        ({"type": "array"}, ["items"]),
        ({"type": "array", "items": [S]}, ["items"]),
        ({**S, "uniqueItems": True}, ["uniqueItems"]),
        ({**S, "pattern": "("}, ["pattern"]),
        ({"type": "object", "properties": {"a": S}, "additionalProperties": S}, ["additionalProperties"]),
        ({"type": "object", "anyOf": [{"type": "object"}]}, ["anyOf[0].type"]),
        ({"type": "object", "anyOf": [{"description": "x"}]}, ["anyOf[0].description"]),
        ({"type": "object", "not": {"additionalProperties": S}}, ["not.additionalProperties"]),
        ({**LIST, "x-kubernetes-list-type": "bag"}, ["x-kubernetes-list-type"]),
        ({**S, "x-kubernetes-list-type": "set"}, ["type"]),
        ({**S, "x-kubernetes-map-type": "atomic"}, ["type"]),
        ({**S, "default": 1}, ["default"]),
        ({"type": "object", "x-kubernetes-preserve-unknown-fields": False}, ["x-kubernetes-preserve-unknown-fields"]),
        ({"$ref": "x", **S}, ["$ref"]),
        (
            {"type": "object", "definitions": {"d": {"uniqueItems": True}}},
            ["definitions", "definitions[d].uniqueItems"],
        ),
    ],
)
def test_keywords_of_a_node(node: dict[str, Any], paths: list[str]) -> None:
    start = "properties[p]"
    assert places({"type": "object", "properties": {"p": node}}) == own([f"{start}.{path}" for path in paths])


@pytest.mark.parametrize(
    ("root", "path"),
    [
        ({"type": "string"}, "type"),
        ({"type": "object", "nullable": True}, "nullable"),
        ({"type": "object", "additionalProperties": True}, "additionalProperties"),
        ({"type": "object", "properties": {"kind": {"type": "integer"}}}, "properties[kind].type"),
        ({"type": "object", "properties": {"metadata": {"type": "object", "title": "x"}}}, "properties[metadata]"),
    ],
)
def test_keywords_of_the_root(root: dict[str, Any], path: str) -> None:
    assert places(root) == own([path])


def test_the_place_of_a_rule_is_used_for_its_members() -> None:
    result = places({"type": "object", "x-kubernetes-validations": [{"rule": ""}]})
    assert result == {"x-kubernetes-validations[0].rule": "x-kubernetes-validations/0"}


def test_the_root_beside_a_status_subresource() -> None:
    root = Schema({**spec().keywords, "minProperties": 1}, at(1), {"minProperties": at(5)})
    version = CrdVersion("v1", root, storage=True, status=True)
    (error,) = only(admit(crd(None, version))).causes
    assert error.place == at(5)
    assert error.detail.startswith("only [Description Type Format ")


def test_parts_of_a_version() -> None:
    version = CrdVersion(
        "v1",
        schema({"type": "object"}),
        storage=True,
        columns=(PrinterColumn("A", "text", ".a", origin=at(3)), PrinterColumn("", "string", ".a")),
        scale=Scale("", ".status.a", origin=at(4)),
        selectable_fields=("x",),
        origin=at(1),
        marks={"additionalPrinterColumns": at(5), "selectableFields": at(6)},
    )
    by_name = {error.path: error.place for error in only(admit(crd(None, version))).causes}
    assert by_name == {
        "spec.additionalPrinterColumns[0].type": at(3),
        "spec.additionalPrinterColumns[1].name": at(5),
        "spec.subresources.scale.specReplicasPath": at(4),
        "spec.selectableFields[0].jsonPath": at(6),
    }


def test_conversion() -> None:
    definition = crd(conversion={"strategy": "Webhook"}, marks={"conversion": at(9)})
    errors = only(admit(definition)).causes
    assert errors
    assert {error.place for error in errors} == {at(9)}


def test_a_selectable_field_has_the_place_of_its_item() -> None:
    plain = manifest({"type": "object"})
    plain["spec"]["versions"][0]["selectableFields"] = [{"jsonPath": ".spec.a"}]
    (error,) = only(AdmissionServer().admit_data(plain, places=lambda path: Location("/".join(map(str, path))))).causes
    assert error.place is not None
    assert error.place.resolve().file == "spec/versions/0/selectableFields/0"
