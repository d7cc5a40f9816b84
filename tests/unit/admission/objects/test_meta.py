from __future__ import annotations

from typing import Any

import pytest

from protoc_gen_crd.admission.objects.meta import read, written
from protoc_gen_crd.admission.switches import Switches

NEW = Switches.of(37)


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
    found = read(value, NEW)
    assert (found.members, found.refusal, found.unknown) == (members, "", ())


@pytest.mark.parametrize(("number", "shown"), [(1.5, "1.5"), (1e20, "100000000000000000000"), (1e21, "1e+21")])
def test_numbers_are_read_as_go_writes_them(number: float, shown: str) -> None:
    text = f"json: cannot unmarshal number {shown} into Go struct field ObjectMeta.generation of type int64"
    assert read({"generation": number}, NEW).refusal == text


def test_unknown_members() -> None:
    found = read({"name": "a", "x": 1, "ownerReferences": [{"name": "b", "y": 1}]}, NEW)
    assert found.unknown == ("ownerReferences[0].y", "x")
    assert len(read({f"x{index}": 1 for index in range(200)}, NEW).unknown) == 100


def test_what_is_malformed_is_refused_but_in_storage() -> None:
    value = {"name": "a", "labels": {"a": 1, "b": "c"}, "finalizers": ["x"]}
    assert read(value, NEW).refusal == (
        "json: cannot unmarshal number into Go struct field ObjectMeta.labels of type string"
    )
    assert read(value, NEW, stored=True).members == {"name": "a", "finalizers": ["x"]}
    assert read(["a"], NEW, stored=True).refusal


def test_references_keep_what_must_be_there() -> None:
    made = written({"ownerReferences": [{"name": "b", "controller": False}], "managedFields": [{"operation": ""}]})
    owner = {"apiVersion": "", "kind": "", "name": "b", "uid": "", "controller": False}
    assert made == {"ownerReferences": [owner], "managedFields": [{}]}
