"""Encoding of CRDs, and decoding of the result."""

from __future__ import annotations

import json
from typing import Any

import pytest

from protoc_gen_crd.crd.crd import Crd, CrdVersion, Names, PrinterColumn, Scale
from protoc_gen_crd.crd.crd_decoder import decode
from protoc_gen_crd.crd.crd_encoder import encode
from protoc_gen_crd.schema.schema import Schema
from protoc_gen_crd.schema.schema_encoder import EncodedSchemas
from tests.conformance.crd_verdicts import table

NAMES = Names("Thing", "things", "thing", "ThingList", ("th",), ("all",))
ROOT = Schema({"type": "object"})


def test_manifest() -> None:
    version = CrdVersion(
        "v1", ROOT, served=True, storage=True, deprecated=True, deprecation_warning="old", status=True,
        scale=Scale(".spec.r", ".status.r", ".status.s"), selectable_fields=(".spec.a",),
        columns=(PrinterColumn("A", "string", ".a", "about A", "date", 1), PrinterColumn("B", "integer", ".b")),
    )  # fmt: skip
    conversion = {"strategy": "None"}
    assert encode(Crd("example.com", NAMES, "Cluster", (version,), {"l": "1"}, {"a": "2"}, conversion)) == {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": "things.example.com", "labels": {"l": "1"}, "annotations": {"a": "2"}},
        "spec": {
            "group": "example.com",
            "names": {
                "kind": "Thing", "plural": "things", "singular": "thing", "listKind": "ThingList", "shortNames": ["th"],
                "categories": ["all"],
            },
            "scope": "Cluster",
            "conversion": conversion,
            "versions": [
                {
                    "name": "v1", "served": True, "storage": True, "deprecated": True, "deprecationWarning": "old",
                    "schema": {"openAPIV3Schema": {"type": "object"}},
                    "subresources": {
                        "status": {},
                        "scale": {
                            "specReplicasPath": ".spec.r", "statusReplicasPath": ".status.r",
                            "labelSelectorPath": ".status.s",
                        },
                    },
                    "selectableFields": [{"jsonPath": ".spec.a"}],
                    "additionalPrinterColumns": [
                        {
                            "name": "A", "type": "string", "jsonPath": ".a", "description": "about A", "format": "date",
                            "priority": 1,
                        },
                        {"name": "B", "type": "integer", "jsonPath": ".b"},
                    ],
                }
            ],
        },
    }  # fmt: skip


def test_absent_members_are_omitted() -> None:
    plain = encode(Crd("example.com", Names("Thing", "things"), "Cluster", (CrdVersion("v1"),)))
    assert plain["metadata"] == {"name": "things.example.com"}
    assert plain["spec"]["names"] == {"kind": "Thing", "plural": "things"}
    assert plain["spec"]["versions"] == [{"name": "v1", "served": True, "storage": False}]


def test_explicitly_empty_members_are_preserved() -> None:
    version = CrdVersion("v1", explicit_empty=("schema", "subresources"))
    (plain,) = encode(Crd("example.com", NAMES, "Cluster", (version,)))["spec"]["versions"]
    assert plain == {"name": "v1", "served": True, "storage": False, "schema": {}, "subresources": {}}


def test_equal_schemas_are_shared() -> None:
    memo, root = EncodedSchemas(), Schema({"type": "object", "properties": {"size": Schema({"type": "integer"})}})
    versions = (CrdVersion("v1", root), CrdVersion("v2", root))
    plain = encode(Crd("example.com", NAMES, "Cluster", versions), memo)
    first, second = (version["schema"]["openAPIV3Schema"] for version in plain["spec"]["versions"])
    assert first is second


STORED = [row for row in table(37) if "object" in row.answers[0] and row.id != "wire/items-text"]  # null is not decoded


@pytest.mark.parametrize("row", STORED, ids=lambda row: row.id)
def test_round_trip_of_stored_crds(row: Any) -> None:
    stored = row.answers[0]["object"]
    crd = decode(json.loads(json.dumps(stored))).crd
    assert crd is not None
    spec = encode(crd)["spec"]
    assert spec == {key: value for key, value in stored["spec"].items() if key != "preserveUnknownFields"}
