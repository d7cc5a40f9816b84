from __future__ import annotations

from typing import Any

import pytest

from protoc_gen_crd.admission.objects.metadata_codec import decode_metadata, encode_metadata
from protoc_gen_crd.kubernetes.shared_results import Switches

NEW = Switches.from_minor(37)


@pytest.mark.parametrize(
    ("value", "members"),
    [
        ({"name": "a", "labels": {"b": "c"}}, {"name": "a", "labels": {"b": "c"}}),
        ({"name": "", "labels": {}, "annotations": None}, {}),
        (None, {}),
        ({"finalizers": [], "generation": 0, "deletionGracePeriodSeconds": 0}, {"deletionGracePeriodSeconds": 0}),
        ({"generation": 1.0, "deletionGracePeriodSeconds": 3e2}, {"generation": 1, "deletionGracePeriodSeconds": 300}),
        ({"creationTimestamp": "2020-01-01T01:00:00.5+02:00"}, {"creationTimestamp": "2019-12-31T23:00:00Z"}),
    ],
)
def test_members(value: Any, members: dict[str, Any]) -> None:
    decoded = decode_metadata(value, NEW)
    assert (decoded.members, decoded.error, decoded.unknown) == (members, "", ())


@pytest.mark.parametrize(("number", "shown"), [(1.5, "1.5"), (1e20, "100000000000000000000"), (1e21, "1e+21")])
def test_numbers_are_read_as_go_writes_them(number: float, shown: str) -> None:
    text = f"json: cannot unmarshal number {shown} into Go struct field ObjectMeta.generation of type int64"
    assert decode_metadata({"generation": number}, NEW).error == text


def test_unknown_members() -> None:
    decoded = decode_metadata({"name": "a", "x": 1, "ownerReferences": [{"name": "b", "y": 1}]}, NEW)
    assert decoded.unknown == ("ownerReferences[0].y", "x")
    assert len(decode_metadata({f"x{index}": 1 for index in range(200)}, NEW).unknown) == 100


def test_malformed_metadata_is_rejected_except_in_storage() -> None:
    value = {"name": "a", "labels": {"a": 1, "b": "c"}, "finalizers": ["x"]}
    assert decode_metadata(value, NEW).error == (
        "json: cannot unmarshal number into Go struct field ObjectMeta.labels of type string"
    )
    assert decode_metadata(value, NEW, stored=True).members == {"name": "a", "finalizers": ["x"]}
    assert decode_metadata(["a"], NEW, stored=True).error


def test_owner_references_keep_required_fields() -> None:
    encoded = encode_metadata(
        {"ownerReferences": [{"name": "b", "controller": False}], "managedFields": [{"operation": ""}]}
    )
    owner = {"apiVersion": "", "kind": "", "name": "b", "uid": "", "controller": False}
    assert encoded == {"ownerReferences": [owner], "managedFields": [{}]}
