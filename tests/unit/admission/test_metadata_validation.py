from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from protoc_gen_crd.admission.field_errors import format_error
from protoc_gen_crd.admission.metadata_validation import validate_object_meta, validate_object_meta_update
from protoc_gen_crd.admission.name_checks import validate_path_segment
from protoc_gen_crd.kubernetes.shared_results import Switches

OWNER = {"apiVersion": "a/v1", "kind": "A", "name": "a", "uid": "1"}


def list_errors(meta: Mapping[str, Any], minor: int = 37, *, namespaced: bool = False) -> list[str]:
    switches = Switches.from_minor(minor)
    errors = validate_object_meta(
        {"name": "a", **meta}, "metadata", switches, validate_path_segment, namespaced=namespaced
    )
    return [format_error(error, switches) for error in errors]


def changed(meta: Mapping[str, Any], old: Mapping[str, Any]) -> list[str]:
    switches = Switches.from_minor(37)
    return [format_error(error, switches) for error in validate_object_meta_update(meta, old, "metadata", switches)]


def test_valid_metadata() -> None:
    assert list_errors({"labels": {"a": "b"}, "annotations": {"A.b/c": "x y"}, "ownerReferences": [OWNER]}) == []
    assert list_errors({"namespace": "b"}, namespaced=True) == []


@pytest.mark.parametrize(
    ("meta", "starts"),
    [
        ({"name": ""}, ["metadata.name: Required value: name or generateName is required"]),
        ({"name": "a/b"}, ["""metadata.name: Invalid value: "a/b": may not contain '/'"""]),
        ({"generateName": "a%"}, ["""metadata.generateName: Invalid value: "a%": may not contain '%'"""]),
        ({"namespace": "a"}, ["metadata.namespace: Forbidden: not allowed on this type"]),
        ({"generation": -1}, ["metadata.generation: Invalid value: -1: must be greater than or equal to 0"]),
        ({"labels": {"a b": ""}}, ['metadata.labels: Invalid value: "a b":']),
        ({"labels": {"a": "c d"}}, ['metadata.labels: Invalid value: "c d":']),
        ({"annotations": {"a b": ""}}, ['metadata.annotations: Invalid value: "a b":']),
        ({"finalizers": ["a b"]}, ['metadata.finalizers: Invalid value: "a b":']),
        ({"finalizers": ["orphan", "foregroundDeletion"]}, ["metadata.finalizers: Invalid value: "]),
        ({"managedFields": [{"operation": "X"}]}, ['metadata.managedFields[0].operation: Unsupported value: "X"']),
    ],
)  # fmt: skip
def test_faults(meta: dict[str, Any], starts: list[str]) -> None:
    errors = list_errors(meta)
    assert len(errors) >= len(starts)
    assert [any(text.startswith(start) for text in errors) for start in starts] == [True] * len(starts)


@pytest.mark.parametrize(
    ("minor", "words"), [(31, "must have at most 262144 bytes"), (32, "may not be more than 262144 bytes")]
)
def test_long_annotations(minor: int, words: str) -> None:
    assert list_errors({"annotations": {"a": "x" * 262143}}, minor) == []
    assert list_errors({"annotations": {"a": "x" * 262144}}, minor) == [f"metadata.annotations: Too long: {words}"]


def test_two_controllers() -> None:
    owners = [{**OWNER, "controller": True}, {**OWNER, "name": "b", "controller": True}]
    (text,) = list_errors({"ownerReferences": owners}, 30)
    assert text.endswith(
        'Only one reference can have Controller set to true. Found "true" in references for A/a and A/b'
    )


def test_owners_are_named_by_index_at_last() -> None:
    owner = {**OWNER, "kind": ""}
    assert list_errors({"ownerReferences": [owner]}, 36)[0].startswith("metadata.ownerReferences.kind: Invalid value")
    assert list_errors({"ownerReferences": [owner]}, 37)[0].startswith(
        "metadata.ownerReferences[0].kind: Required value"
    )


def test_immutable_fields() -> None:
    assert changed({"name": "b", "uid": "2", "resourceVersion": "1"}, {"name": "a", "uid": "1"}) == [
        'metadata.name: Invalid value: "b": field is immutable',
        'metadata.uid: Invalid value: "2": field is immutable',
    ]


def test_a_resource_version_is_needed() -> None:
    text = 'metadata.resourceVersion: Invalid value: "": must be specified for an update'
    assert changed({"name": "a"}, {"name": "a"}) == [text]


def test_no_new_finalizers_while_deleting() -> None:
    old = {"deletionTimestamp": "2020-01-01T00:00:00Z", "finalizers": ["a.b/c"], "resourceVersion": "1"}
    (text,) = changed({**old, "finalizers": ["a.b/d"]}, old)
    assert text.endswith('if the object is being deleted, found new finalizers []string{"a.b/d"}')
