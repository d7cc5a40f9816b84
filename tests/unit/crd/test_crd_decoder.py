"""Manifests to CRDs, and what a server says of others."""

from __future__ import annotations

from typing import Any

import pytest

from protoc_gen_crd.crd.crd import Crd, Names, PrinterColumn, Scale
from protoc_gen_crd.crd.crd_decoder import decode
from protoc_gen_crd.findings.finding import Location
from protoc_gen_crd.schema.json_decoder import Path
from tests.unit.admission.crd_factory import manifest


def made(plain: dict[str, Any]) -> Crd:
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
    crd = made(plain)
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


def test_what_is_missing_is_empty() -> None:
    crd = made({})
    assert (crd.group, crd.names, crd.scope, crd.versions, crd.name) == ("", Names("", ""), "", (), "")


def test_empty_members_are_remembered() -> None:
    plain = manifest()
    plain["spec"]["versions"] = [{"name": "v1", "schema": {}, "subresources": {}, "additionalPrinterColumns": []}]
    (version,) = made(plain).versions
    assert {"schema", "subresources", "additionalPrinterColumns"} <= set(version.explicit_empty)
    assert "selectableFields" not in version.explicit_empty


def test_places() -> None:
    def places(path: Path) -> Location | None:
        return Location("/".join(map(str, path)))

    crd = decode(manifest(), places).crd
    assert crd is not None
    (version,) = crd.versions
    assert version.schema is not None
    found = [
        crd.get_place("names.kind"),
        crd.get_place("metadata.name"),
        version.get_place("name"),
        version.schema.properties["a"].get_place("type"),
    ]
    start = "spec/versions/0"
    assert [place.resolve().file for place in found if place] == [
        "spec/names/kind",
        "metadata/name",
        f"{start}/name",
        f"{start}/schema/openAPIV3Schema/properties/a/type",
    ]


START = 'CustomResourceDefinition in version "v1" cannot be handled as a CustomResourceDefinition: '


@pytest.mark.parametrize(
    ("plain", "path", "text"),
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
def test_refusals(plain: object, path: Path, text: str) -> None:
    found = decode(plain)
    assert found.crd is None
    assert found.misfit is not None
    assert found.misfit.path == path
    assert found.format_rejection(nested=True) == f"{START}json: cannot unmarshal {text}"


def test_other_kinds() -> None:
    assert decode({"kind": "Pod"}).format_rejection(nested=True, line=100).endswith('scheme.go:100"')


def test_a_crd_is_not_refused() -> None:
    assert decode(manifest()).format_rejection(nested=True) == ""


def test_unknown_fields() -> None:
    plain = manifest()
    plain["spec"]["versions"][0]["colour"] = "red"
    assert decode(plain).unknown == (("spec", "versions", 0, "colour"),)


def test_members_that_a_server_is_too_old_for() -> None:
    plain = manifest()
    plain["spec"]["versions"][0]["selectableFields"] = [{"jsonPath": ".a"}]
    member = "v1.CustomResourceDefinitionVersion.selectableFields"
    found = decode(plain)
    assert member in found.features
    assert found.unknown == ()
    older = decode(plain, without=frozenset([member]))
    assert older.unknown == (("spec", "versions", 0, "selectableFields"),)
    assert older.crd is not None
    assert older.crd.versions[0].selectable_fields == ()
