"""Places of the members of imported CRDs."""

from __future__ import annotations

import pytest

from protoc_gen_crd.crd.crd import Crd
from protoc_gen_crd.crd.crd_decoder import decode
from protoc_gen_crd.findings.finding import Place
from protoc_gen_crd.importer.crd_places import locate_field, locate_key
from protoc_gen_crd.schema.go_type_decoder import Path
from protoc_gen_crd.yaml.reader import read

TEXT = """apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: lamps.acme.example}
spec:
  group: acme.example
  versions:
  - name: v1
    schema:
      openAPIV3Schema:
        properties:
          spec:
            required: [color, bulb]
            properties:
              color: {type: string}
              bulb:
                properties:
                  watt: {type: integer}
              sockets:
                items:
                  properties:
                    watt: {type: integer}
          status:
            properties:
              color: {type: string}
"""
ROOT = ("spec", "versions", "v1", "schema", "openAPIV3Schema")


@pytest.fixture(scope="module")
def crd() -> Crd:
    document = read(TEXT)[0]
    crd = decode(document.value, document.get_place).crd
    assert crd is not None
    return crd


def _get_line(place: Place | None) -> int:
    assert place is not None
    return place.resolve().line


@pytest.mark.parametrize(
    ("path", "line"),
    [
        (("spec", "group"), 5),
        (("spec", "scope"), 5),  # missing: the first member of the spec
        (("spec", "versions", "v2"), 6),  # missing: the versions
        ((*ROOT, "properties", "spec", "required", 1), 12),  # the items are sorted
        ((*ROOT, "properties", "spec", "properties", "bulb"), 15),
    ],
)
def test_a_member_is_located_at_its_key(crd: Crd, path: Path, line: int) -> None:
    assert _get_line(locate_key(crd, path)) == line


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("acme.v1.Lamp.Spec.color", 14),
        ("acme.v1.Lamp.Status.color", 24),
        ("acme.v1.Lamp.Spec.Bulb.watt", 17),
        ("acme.v1.Lamp.Spec.bulb", 15),
        ("acme.v1.Lamp.Other.watt", 1),  # ambiguous
        ("acme.v1.Lamp.Spec.unknown", 1),
        ("", 1),
    ],
)
def test_a_field_is_located_at_its_property(crd: Crd, name: str, line: int) -> None:
    assert _get_line(locate_field(crd, name)) == line
