"""The comparison of unknown fields, and the record of a CRD that has some."""

from __future__ import annotations

from typing import Any

import pytest

from protoc_gen_crd.comparison.api_comparison import compare_apis
from protoc_gen_crd.comparison.change import Change, ChangeClass
from protoc_gen_crd.crd.crd import Crd
from protoc_gen_crd.crd.crd_decoder import decode
from protoc_gen_crd.crd.crd_encoder import add_unknown_fields, encode
from tests.unit.admission.crd_factory import manifest

VERSION = ("spec", "versions", 0)
ROOT = (*VERSION, "schema", "openAPIV3Schema")
SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "list": {"type": "array", "items": {"type": "object", "properties": {"a": {"type": "string"}}}},
        "map": {"type": "object", "additionalProperties": {"type": "string"}},
        "choice": {"type": "integer", "anyOf": [{"minimum": 1}]},
    },
    "x-kubernetes-validations": [{"rule": "true"}],
}


def _decode(plain: dict[str, Any]) -> Crd:
    crd = decode(plain).crd
    assert crd is not None
    return crd


def _set(path: tuple[str | int, ...], value: object) -> Crd:
    """A CRD with a value at a path."""
    crd = _decode(manifest(SCHEMA))
    plain = encode(crd)
    target: Any = plain
    for step in path[:-1]:
        target = target[step]
    target[path[-1]] = value
    return _decode(plain)


def _describe(change: Change) -> tuple[str, tuple[str, ...], str]:
    assert (change.rule, change.change_class) == ("change-unclassified", ChangeClass.NONE)
    return change.path, change.versions, change.message.removesuffix(" (API servers drop this unknown field)")


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        (("zoo",), ("", (), "zoo 1")),
        (("metadata", "zoo"), ("", (), "metadata.zoo 1")),
        (("spec", "zoo"), ("", (), "spec.zoo 1")),
        (("spec", "names", "zoo"), ("", (), "spec.names.zoo 1")),
        ((*VERSION, "zoo"), ("", ("v1",), "zoo 1")),
        ((*VERSION, "schema", "zoo"), ("", ("v1",), "schema.zoo 1")),
        ((*ROOT, "zoo"), ("", ("v1",), "zoo 1")),
        ((*ROOT, "x-kubernetes-validations", 0, "zoo"), ("", ("v1",), "x-kubernetes-validations[0].zoo 1")),
        ((*ROOT, "properties", "list", "zoo"), ("list", ("v1",), "zoo 1")),
        ((*ROOT, "properties", "list", "items", "zoo"), ("list[]", ("v1",), "zoo 1")),
        ((*ROOT, "properties", "list", "items", "properties", "a", "zoo"), ("list[].a", ("v1",), "zoo 1")),
        ((*ROOT, "properties", "map", "additionalProperties", "zoo"), ("map{}", ("v1",), "zoo 1")),
        ((*ROOT, "properties", "choice", "anyOf", 0, "zoo"), ("choice", ("v1",), "anyOf[0].zoo 1")),
    ],
)
def test_an_unknown_field_is_reported_at_its_owner(
    path: tuple[str | int, ...], expected: tuple[str, tuple[str, ...], str]
) -> None:
    before, one, two = _decode(manifest(SCHEMA)), _set(path, 1), _set(path, 2)
    element, versions, message = expected
    assert [_describe(change) for change in compare_apis([before], [one])] == [(element, versions, f"{message} is new")]
    removed = element, versions, f"{message} is removed"
    assert [_describe(change) for change in compare_apis([one], [before])] == [removed]
    changed = element, versions, f"{message} is now 2"
    assert [_describe(change) for change in compare_apis([one], [two])] == [changed]
    assert compare_apis([one], [_set(path, 1)]) == ()
    recorded = _decode(add_unknown_fields(encode(one), one))
    assert compare_apis([one], [recorded]) == ()


@pytest.mark.parametrize(
    ("path", "value", "rules"),
    [
        (("status",), {"zoo": 1}, []),
        ((*ROOT, "properties", "new"), {"type": "string", "zoo": 1}, ["change-field-added"]),
    ],
)
def test_unknown_fields_of_the_status_and_of_new_fields_are_not_reported(
    path: tuple[str | int, ...], value: object, rules: list[str]
) -> None:
    changes = compare_apis([_decode(manifest(SCHEMA))], [_set(path, value)])
    assert [change.rule for change in changes] == rules


def test_a_manifest_does_not_lack_what_only_a_server_knows() -> None:
    path = (*ROOT, "properties", "list", "zoo")
    manifests = _decode(manifest(SCHEMA)), _set(path, 1), _set(path, 2)
    installed = [crd.replace(status={"storedVersions": ["v1"]}) for crd in manifests]
    assert compare_apis([installed[1]], [manifests[0]]) == compare_apis([manifests[0]], [installed[1]]) == ()
    for old, new in (
        (installed[0], manifests[1]), (manifests[1], installed[0]), (installed[1], manifests[2]),
        (installed[1], installed[0]),
    ):  # fmt: skip
        assert [change.rule for change in compare_apis([old], [new])] == ["change-unclassified"]


def test_versions_are_compared_by_name() -> None:
    plain = [manifest(SCHEMA), manifest(SCHEMA)]
    for definition in plain:
        version = definition["spec"]["versions"][0]
        definition["spec"]["versions"] = [{**version, "name": name, "storage": name == "v1"} for name in ("v1", "v2")]
        definition["spec"]["versions"][0]["zoo"] = 1
    plain[1]["spec"]["versions"].reverse()
    assert compare_apis([_decode(plain[0])], [_decode(plain[1])]) == ()
