"""New fields with a default in the storage version, and what clients of other versions read."""

from __future__ import annotations

from typing import Any

import pytest

from protoc_gen_crd.comparison.api_comparison import compare_apis
from protoc_gen_crd.comparison.change import ChangeClass
from protoc_gen_crd.crd.crd import Crd
from protoc_gen_crd.crd.crd_decoder import decode

_COLOR = {"type": "string"}
_RED = {**_COLOR, "default": "red"}


def _make_crd(stored: dict[str, Any], other: dict[str, Any]) -> Crd:
    """Return a CRD whose storage version and other version have these fields."""
    versions = [
        {"name": name, "served": True, "storage": name == "v1", "schema": {"openAPIV3Schema": _make_schema(fields)}}
        for name, fields in (("v1", stored), ("v1beta1", other))
    ]
    names = {"kind": "Lamp", "plural": "lamps"}
    spec = {"group": "acme.example", "scope": "Namespaced", "names": names, "versions": versions}
    kind = {"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition"}
    crd = decode({**kind, "metadata": {"name": "lamps.acme.example"}, "spec": spec}).crd
    assert crd is not None
    return crd


def _make_schema(fields: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "properties": {"spec": {"type": "object", "properties": fields}}}


@pytest.mark.parametrize(
    ("other", "expected"),
    [
        ({"color": _COLOR}, ChangeClass.SEMANTIC),  # its clients read a default that they did not write
        ({"color": {**_COLOR, "default": "blue"}}, ChangeClass.SEMANTIC),
        ({"color": _RED}, ChangeClass.ADDITIVE),
        ({}, ChangeClass.ADDITIVE),
    ],
)
def test_other_versions_read_the_default_of_a_new_field(other: dict[str, Any], expected: ChangeClass) -> None:
    (change,) = compare_apis([_make_crd({}, other)], [_make_crd({"color": _RED}, other)])
    assert (change.rule, change.change_class) == ("change-field-added", expected)
    assert ("whose default clients of other versions read" in change.message) is (expected is ChangeClass.SEMANTIC)
    (change,) = compare_apis([_make_crd({}, other)], [_make_crd({"color": _COLOR}, other)])
    assert change.change_class is ChangeClass.ADDITIVE
