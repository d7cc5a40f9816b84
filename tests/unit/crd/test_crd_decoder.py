"""Decoding of manifests into CRDs, and the errors of servers for others."""

from __future__ import annotations

from typing import Any

import pytest

from protoc_gen_crd.crd.crd import Crd, Names, PrinterColumn, Scale
from protoc_gen_crd.crd.crd_decoder import decode
from protoc_gen_crd.findings.finding import Location
from protoc_gen_crd.schema.go_type_decoder import Path
from tests.unit.admission.crd_factory import manifest


def decode_crd(plain: dict[str, Any]) -> Crd:
    crd = decode(plain).crd
    assert crd is not None
    return crd


def test_members() -> None:
    plain = manifest(preserveUnknownFields=True, conversion={"strategy": "None"})
    plain["metadata"] |= {"labels": {"a": "b"}, "uid": "1"}
    plain["status"] = {"storedVersions": ["v1"], "acceptedNames": {"kind": "Thing"}}
    plain["spec"]["versions"][0] |= {
        "subresources": {"status": {}, "scale": {"specReplicasPath": ".a"}},
        "additionalPrinterColumns": [{"name": "A", "type": "string", "jsonPath": ".a", "priority": 1}],
        "selectableFields": [{"jsonPath": ".a"}, {}],
    }
    crd = decode_crd(plain)
    (version,) = crd.versions
    assert (crd.group, crd.names, crd.scope, crd.name) == (
        "example.com",
        Names("Thing", "things"),
        "Namespaced",
        "things.example.com",
    )
    assert crd.labels == {"a": "b"}
    assert crd.metadata == {"name": "things.example.com", "uid": "1"}
    assert crd.preserve_unknown_fields
    assert crd.status == {"storedVersions": ["v1"], "acceptedNames": Names("Thing", "")}
    assert (version.status, version.scale) == (True, Scale(".a", ""))
    assert version.columns == (PrinterColumn("A", "string", ".a", priority=1),)
    assert version.selectable_fields == (".a", "")
    assert version.schema is not None
    assert version.schema.type == "object"


def test_missing_members_are_empty() -> None:
    crd = decode_crd({})
    assert (crd.group, crd.names, crd.scope, crd.versions, crd.name) == ("", Names("", ""), "", (), "")


def test_explicitly_empty_members_are_recorded() -> None:
    plain = manifest()
    plain["spec"]["versions"] = [{"name": "v1", "schema": {}, "subresources": {}, "additionalPrinterColumns": []}]
    (version,) = decode_crd(plain).versions
    assert {"schema", "subresources", "additionalPrinterColumns"} <= set(version.explicit_empty)
    assert "selectableFields" not in version.explicit_empty


def test_places() -> None:
    def places(path: Path) -> Location | None:
        return Location("/".join(map(str, path)))

    crd = decode(manifest(), places).crd
    assert crd is not None
    (version,) = crd.versions
    assert version.schema is not None
    members = [
        crd.get_place("names.kind"),
        crd.get_place("metadata.name"),
        version.get_place("name"),
        version.schema.properties["a"].get_place("type"),
    ]
    start = "spec/versions/0"
    assert [place.resolve().file for place in members if place] == [
        "spec/names/kind",
        "metadata/name",
        f"{start}/name",
        f"{start}/schema/openAPIV3Schema/properties/a/type",
    ]


START = 'CustomResourceDefinition in version "v1" cannot be handled as a CustomResourceDefinition: '


@pytest.mark.parametrize(
    ("plain", "path", "message"),
    [
        (
            {"spec": {"scope": 1}},
            ("spec", "scope"),
            "number into Go struct field CustomResourceDefinitionSpec.spec.scope of type v1.ResourceScope",
        ),
        (
            {"metadata": []},
            ("metadata",),
            "array into Go struct field CustomResourceDefinition.metadata of type v1.ObjectMeta",
        ),
        (
            {"spec": {"versions": [None, {"name": 1}]}},
            ("spec", "versions", 1, "name"),
            "number into Go struct field CustomResourceDefinitionVersion.spec.versions.name of type string",
        ),
    ],
)  # fmt: skip
def test_rejections(plain: object, path: Path, message: str) -> None:
    decoded = decode(plain)
    assert decoded.crd is None
    assert decoded.misfit is not None
    assert decoded.misfit.path == path
    assert decoded.format_rejection(nested=True) == f"{START}json: cannot unmarshal {message}"


def test_other_kinds() -> None:
    assert decode({"kind": "Pod"}).format_rejection(nested=True, line=100).endswith('scheme.go:100"')


def test_crd_is_not_rejected() -> None:
    assert decode(manifest()).format_rejection(nested=True) == ""


def test_unknown_fields() -> None:
    plain = manifest()
    plain["spec"]["versions"][0]["colour"] = "red"
    assert decode(plain).unknown == (("spec", "versions", 0, "colour"),)


def test_members_that_a_server_does_not_have_yet() -> None:
    plain = manifest()
    plain["spec"]["versions"][0]["selectableFields"] = [{"jsonPath": ".a"}]
    member = "v1.CustomResourceDefinitionVersion.selectableFields"
    newest = decode(plain)
    assert member in newest.features
    assert newest.unknown == ()
    older = decode(plain, without=frozenset([member]))
    assert older.unknown == (("spec", "versions", 0, "selectableFields"),)
    assert older.crd is not None
    assert older.crd.versions[0].selectable_fields == ()
