"""Versions that are alike become ranges of one message; the generated CRD is equal."""

from __future__ import annotations

from typing import Any

import pytest

from protoc_gen_crd.crd.crd import Crd
from protoc_gen_crd.crd.crd_decoder import decode
from protoc_gen_crd.findings.finding import Problems
from protoc_gen_crd.importer.crd_import import import_crds
from protoc_gen_crd.importer.version_runs import RangeError, find_range, list_runs, merge_sequences

Json = dict[str, Any]
_VERSIONS = ("v1alpha1", "v1beta1", "v1")


@pytest.mark.parametrize(
    ("present", "expected"),
    [
        (_VERSIONS, {}),
        (("v1",), {"since": "v1"}),
        (("v1alpha1",), {"until": "v1alpha1"}),
        (("v1beta1",), {"since": "v1beta1", "until": "v1beta1"}),
        (("v1alpha1", "v1beta1"), {"until": "v1beta1"}),
    ],
)
def test_ranges(present: tuple[str, ...], expected: dict[str, str]) -> None:
    assert find_range(present, _VERSIONS) == expected


def test_a_gap_is_no_range() -> None:
    with pytest.raises(RangeError):
        find_range(("v1alpha1", "v1"), _VERSIONS)


def test_runs_of_equal_values() -> None:
    runs = list_runs({"v1alpha1": 1, "v1beta1": 1, "v1": 2})
    assert list(runs) == [({"until": "v1beta1"}, 1), ({"since": "v1"}, 2)]


def test_sequences() -> None:
    merged = merge_sequences({"v1beta1": ["a", "c", "old"], "v1": ["a", "b", "c"]})
    assert [item for item, _ in merged] == ["a", "b", "c", "old"]
    assert dict(merged)["a"] == ("v1beta1", "v1")
    with pytest.raises(RangeError):
        merge_sequences({"v1beta1": ["b", "a"], "v1": ["a", "b"]})


def _make_crd(**specs: Json) -> Crd:
    """Return a CRD with a version for each schema of `spec`; the last is stored."""
    versions = [
        {
            "name": name,
            "served": True,
            "storage": name == list(specs)[-1],
            "schema": {"openAPIV3Schema": {"type": "object", "properties": {"spec": spec}}},
        }
        for name, spec in specs.items()
    ]
    names = {"kind": "Lamp", "plural": "lamps"}
    spec = {"group": "acme.example", "names": names, "scope": "Namespaced", "versions": versions}
    crd = decode({"metadata": {"name": "lamps.acme.example"}, "spec": spec}).crd
    assert crd is not None
    return crd


def _import(crd: Crd) -> list[str]:
    """Return the files of a CRD that comes back equal."""
    problems = Problems()
    files = import_crds([crd], problems)
    assert problems.findings == []
    return [file.text for file in files]


def _make_spec(*fields: str, **others: Json) -> Json:
    return {"type": "object", "properties": {**{name: {"type": "string"} for name in fields}, **others}}


_COMMON = ("a", "b", "c", "d", "e", "f")


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        (_make_spec(), _make_spec("g"), 'string g = 7 [(protoc_gen_crd.v1.field).since = "v1"];'),
        (_make_spec("g"), _make_spec(), 'string g = 7 [(protoc_gen_crd.v1.field).until = "v1beta1"];'),
        (
            _make_spec(g={"type": "integer", "format": "int32", "maximum": 2}),
            _make_spec(g={"type": "integer", "format": "int32", "maximum": 4}),
            'during: {until: "v1beta1", maximum: 2}\n      during: {since: "v1", maximum: 4}\n',
        ),
        (
            {**_make_spec("g"), "required": ["g"]},
            _make_spec("g"),
            'string g = 7 [(protoc_gen_crd.v1.field) = {during: {until: "v1beta1", required: true}}];',
        ),
        (
            _make_spec(g={"type": "string", "enum": ["A", "B"]}),
            _make_spec(g={"type": "string", "enum": ["A", "C", "B"]}),
            'C = 1 [(protoc_gen_crd.v1.enum_value) = {since: "v1"}];',
        ),
        (
            _make_spec(g={"type": "string", "description": "Old."}),
            _make_spec(g={"type": "string", "description": "New."}),
            'string g = 7 [(protoc_gen_crd.v1.field) = {during: {until: "v1beta1", description: "Old."}}];',
        ),
        (
            _make_spec(g={"type": "string", "description": "Old."}),
            _make_spec("g"),
            'string g = 7 [(protoc_gen_crd.v1.field) = {during: {until: "v1beta1", description: "Old."}}];',
        ),
        (
            _make_spec(g={"type": "string", "enum": ["A", "B"]}),
            _make_spec("g"),
            'string g = 7 [(protoc_gen_crd.v1.field) = {during: {until: "v1beta1", enum: ["A", "B"]}}];',
        ),
    ],
)
def test_a_difference_becomes_a_range(old: Json, new: Json, expected: str) -> None:
    common = {name: {"type": "string"} for name in _COMMON}
    specs = [{**spec, "properties": {**common, **spec["properties"]}} for spec in (old, new)]
    (text,) = _import(_make_crd(v1beta1=specs[0], v1=specs[1]))
    assert expected in text


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (_make_spec(*_COMMON, g={"type": "integer"}), _make_spec(*_COMMON, "g")),  # another type
        (_make_spec(*_COMMON), _make_spec("g", "h", "i")),  # little in common
    ],
)
def test_other_versions_become_packages(old: Json, new: Json) -> None:
    assert len(_import(_make_crd(v1beta1=old, v1=new))) == 2


def test_a_gap_becomes_a_package() -> None:
    """v1beta1 lacks the field that v1alpha1 and v1 have, so it is the only one with another message."""
    specs = {"v1alpha1": _make_spec(*_COMMON, "g"), "v1beta1": _make_spec(*_COMMON), "v1": _make_spec(*_COMMON, "g")}
    texts = _import(_make_crd(**specs))
    assert len(texts) == 2


def test_columns_and_subresources() -> None:
    crd = _make_crd(v1beta1=_make_spec(*_COMMON), v1=_make_spec(*_COMMON))
    old, new = crd.versions
    (text,) = _import(crd.replace(versions=(old, new.replace(status=True))))
    assert 'during: {since: "v1", status_subresource: true}' in text


def test_types_that_one_version_shares() -> None:
    """Two fields of v1beta1 have equal objects, which one message describes."""
    common = {name: {"type": "string"} for name in _COMMON}
    results = {"type": "object", "properties": {**common, "one": {"type": "string"}}}
    two = {"type": "object", "properties": {**common, "two": {"type": "string"}}}
    (text,) = _import(
        _make_crd(v1beta1=_make_spec(first=results, second=results), v1=_make_spec(first=results, second=two))
    )
    assert "First first = 1;" in text
    assert "Second second = 2;" in text
    assert '(protoc_gen_crd.v1.field).since = "v1"' in text
