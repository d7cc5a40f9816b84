from __future__ import annotations

from typing import Any

import pytest

from protoc_gen_crd.admission.field_errors import format_error
from protoc_gen_crd.admission.objects.embedded_resources import coerce_value, find_resources, validate_resources
from protoc_gen_crd.kubernetes.shared_results import Switches
from tests.unit.admission.crd_factory import schema

NEW = Switches.from_minor(37)
NODE = {"type": "object", "x-kubernetes-embedded-resource": True, "x-kubernetes-preserve-unknown-fields": True}
ROOT = schema(
    {
        "type": "object",
        "properties": {"one": NODE, "list": {"type": "array", "items": NODE}},
    }
)
MAP = schema({"type": "object", "additionalProperties": NODE})
POD: dict[str, Any] = {"apiVersion": "v1", "kind": "Pod"}


def test_resources_in_a_value() -> None:
    value = {"one": POD, "list": [POD, POD], "other": POD}
    assert [path for _, path in find_resources(value, ROOT, None, resource=True)] == [None, "one", "list[0]", "list[1]"]
    assert [path for _, path in find_resources({"k": POD}, MAP, "spec", resource=False)] == ["spec[k]"]


@pytest.mark.parametrize(
    ("value", "texts"),
    [
        (POD, []),
        ({}, ["one.apiVersion: Required value", "one.kind: Required value"]),
        ({**POD, "kind": 1}, ["one.kind: Invalid value: 1: must be a string"]),
        ({**POD, "kind": ""}, ['one.kind: Invalid value: "": must not be empty']),
        ({**POD, "kind": "A.b"}, ['one.kind: Invalid value: "A.b": may have mixed case, but should otherwise match']),
        ({**POD, "apiVersion": "a/b/c"}, ['one.apiVersion: Invalid value: "a/b/c": unexpected GroupVersion string']),
        ({**POD, "metadata": {"name": "a/b"}}, ["""one.metadata.name: Invalid value: "a/b": may not contain '/'"""]),
        ({**POD, "metadata": {"namespace": "A"}}, ['one.metadata.namespace: Invalid value: "A": a lowercase RFC 1123']),
        ({**POD, "metadata": 1}, ["one.metadata: Invalid value: 1: json: cannot unmarshal number into Go value of"]),
    ],
)  # fmt: skip
def test_validation(value: dict[str, Any], texts: list[str]) -> None:
    results = [
        format_error(error, NEW) for error in validate_resources({"one": value}, ROOT, None, NEW, resource=False)
    ]
    assert len(results) == len(texts)
    assert all(mine.startswith(text) for mine, text in zip(results, texts, strict=True))


def test_metadata_is_written_again() -> None:
    meta = {"name": "a", "labels": {}, "colour": "red", "ownerReferences": [{"name": "b"}]}
    owner = {"apiVersion": "", "kind": "", "name": "b", "uid": ""}
    value: dict[str, Any] = {"one": {**POD, "metadata": meta}, "list": [1]}
    coerced, error = coerce_value(value, ROOT, None, NEW, resource=False)
    assert error is None
    assert coerced == {"one": {**POD, "metadata": {"name": "a", "ownerReferences": [owner]}}, "list": [1]}
    assert value["one"]["metadata"] is meta


def test_metadata_that_cannot_be_decoded_is_rejected() -> None:
    _, error = coerce_value({"k": {"metadata": {"labels": 1}}}, MAP, "x", NEW, resource=False)
    assert error is not None
    assert (error.path, error.value) == ("x[k].metadata", {"labels": 1})
    _, error = coerce_value({"k": {"kind": 1}}, MAP, None, NEW, resource=False)
    assert error is not None
    assert format_error(error, NEW) == "[k].kind: Invalid value: 1: must be a string"
