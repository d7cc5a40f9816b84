"""The walk: every node once for each sort of position, with paths and places from where it stands."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from protoc_gen_crd.admission.crd.structure.checks_by_position import make_schema_visitor
from protoc_gen_crd.admission.crd.structure.schema_visitor import (
    HAS_DEFAULT,
    HAS_EXTENSION,
    HAS_OPTIONAL,
    HAS_RULE,
    LOOSE_KEYS,
    LOOSE_SET,
    ODD_TYPE,
    SCHEMA,
    STRUCTURAL,
    UNCONVERTIBLE,
    find_place,
    select_findings,
)
from protoc_gen_crd.admission.server import AdmissionServer
from protoc_gen_crd.admission.version_differences import NESTED_FALSE
from protoc_gen_crd.kubernetes.shared_results import Switches
from protoc_gen_crd.schema.schema import Schema
from tests.unit.admission.crd_factory import at, crd, list_errors, schema, spec


class Counted(Mapping[str, Any]):
    """Keywords that count how often they are gone through."""

    def __init__(self, keywords: dict[str, Any]) -> None:
        self.keywords, self.walks = keywords, 0

    def __getitem__(self, keyword: str) -> Any:
        return self.keywords[keyword]

    def __iter__(self) -> Iterator[str]:
        self.walks += 1
        return iter(self.keywords)

    def __len__(self) -> int:
        return len(self.keywords)


def test_a_shared_node_is_visited_once() -> None:
    leaf = Counted({"type": "string", "uniqueItems": True})
    inner = Schema({"type": "object", "properties": {"a": Schema(leaf), "b": Schema({"type": "string"})}})
    root = Schema({"type": "object", "properties": {f"p{index}": inner for index in range(50)}})
    report = make_schema_visitor().visit_root(root)
    assert leaf.walks == 1
    findings = list(select_findings(report, SCHEMA, Switches.from_minor(37)))
    assert len(findings) == 50
    assert findings[7].path == ".properties[p7].properties[a].uniqueItems"


def test_a_server_looks_once_however_many_crds_and_versions_there_are() -> None:
    leaf = Counted({"type": "string"})
    root = Schema({"type": "object", "properties": {"a": Schema(leaf)}})
    server = AdmissionServer(range(25, 38))
    for _ in range(3):
        server.admit(crd(root))
    assert leaf.walks == 1


def test_metadata_is_another_position() -> None:
    node = schema({"type": "object", "additionalProperties": {"type": "string", "default": "x"}})
    root = Schema({"type": "object", "properties": {"a": node, "metadata": node}})
    assert [
        finding.path
        for finding in select_findings(make_schema_visitor().visit_root(root), SCHEMA, Switches.from_minor(37))
    ] == [".properties[metadata].additionalProperties.default"]
    assert [
        finding.path
        for finding in select_findings(make_schema_visitor().visit_root(root), STRUCTURAL, Switches.from_minor(37))
    ] == [".properties[metadata]"]


@pytest.mark.parametrize(
    ("plain", "bits"),
    [
        ({"type": "string"}, 0),
        ({"type": "string", "default": "x"}, HAS_DEFAULT),
        ({"type": "array", "items": {"type": "string"}, "x-kubernetes-list-type": "set"}, HAS_EXTENSION),
        ({"type": "object", "x-kubernetes-validations": [{"rule": "true"}]}, HAS_EXTENSION | HAS_RULE),
        (
            {"type": "object", "x-kubernetes-validations": [{"rule": "true", "optionalOldSelf": False}]},
            HAS_EXTENSION | HAS_RULE | HAS_OPTIONAL,
        ),
        ({"type": "object", "definitions": {"a": {}}}, UNCONVERTIBLE),
        ({"type": "strange"}, ODD_TYPE),
        (
            {"type": "array", "items": {"type": "object"}, "x-kubernetes-list-type": "set"},
            HAS_EXTENSION | LOOSE_SET,
        ),
        (
            {
                "type": "array",
                "items": {"type": "object", "properties": {"k": {"type": "string"}}},
                "x-kubernetes-list-type": "map",
                "x-kubernetes-list-map-keys": ["k"],
            },
            HAS_EXTENSION | LOOSE_KEYS,
        ),
    ],
)
def test_flags_of_a_subtree(plain: dict[str, Any], bits: int) -> None:
    assert make_schema_visitor().visit_root(spec(a=plain)).flags == bits


def test_false_extensions_are_ignored() -> None:
    off = dict.fromkeys(("x-kubernetes-embedded-resource", "x-kubernetes-int-or-string", "nullable"), False)
    assert (
        make_schema_visitor()
        .visit_root(Schema({"type": "object", "properties": {"a": Schema({"type": "string", **off})}}))
        .findings
        == ()
    )


def test_findings_depend_on_switches() -> None:
    branch = {"anyOf": [{"additionalProperties": False}], "type": "object"}
    report = make_schema_visitor().visit_root(spec(a=branch))
    assert [finding.unless for finding in select_findings(report, STRUCTURAL, Switches.from_minor(30))] == [
        NESTED_FALSE
    ]
    assert list(select_findings(report, STRUCTURAL, Switches.from_minor(31))) == []


def test_ratcheted_errors_are_not_reported() -> None:
    report = make_schema_visitor().visit_root(spec(a={"type": "strange"}))
    assert len(list(select_findings(report, SCHEMA, Switches.from_minor(37)))) == 1
    assert list(select_findings(report, SCHEMA, Switches.from_minor(37), ODD_TYPE)) == []


def test_the_place_of_a_path_is_that_of_its_last_keyword() -> None:
    leaf = Schema({"type": "string"}, at(3), {"type": at(4)})
    node = Schema({"type": "object", "anyOf": [leaf], "items": leaf}, at(1), {"anyOf": at(2)})
    assert find_place(node, ".anyOf[0].type") == at(4)
    assert find_place(node, ".items") == at(3)
    assert find_place(node, ".anyOf") == at(2)
    assert find_place(node, ".nothing") == at(1)


def test_a_missing_counterpart_is_located_at_the_branch() -> None:
    branch = Schema({"properties": {"b": Schema({}, at(5))}}, at(4))
    root = Schema({"type": "object", "anyOf": [branch]}, at(1))
    (result,) = select_findings(make_schema_visitor().visit_root(root), STRUCTURAL, Switches.from_minor(37))
    assert (result.path, result.origin) == (".properties[b]", at(5))
    start = "spec.validation.openAPIV3Schema"
    why = f"because it is defined in {start}.anyOf[0].properties[b]"
    assert list_errors(crd(root)) == [f"{start}.properties[b]: Required value: {why}"]
