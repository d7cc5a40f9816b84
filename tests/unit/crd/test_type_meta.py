"""Manifests of other kinds, and what a server says of them."""

from __future__ import annotations

from typing import Any

import pytest

from protoc_gen_crd.crd.type_meta import find_kind_mismatch

V1 = {"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition"}


@pytest.mark.parametrize(
    "plain",
    [
        V1,
        {},
        {"apiVersion": None, "kind": None},
        {**V1, "apiVersion": "/"},
        {**V1, "apiVersion": "apiextensions.k8s.io/"},
    ],
)
def test_crds(plain: dict[str, Any]) -> None:
    assert find_kind_mismatch(plain) is None


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"kind": "Pod"}, 'no kind "Pod" is registered for version "apiextensions.k8s.io/v1"'),
        ({"apiVersion": "v1"}, 'no kind "CustomResourceDefinition" is registered for version "v1"'),
        ({"apiVersion": "a/v2", "kind": "B"}, 'no kind "B" is registered for version "a/v2"'),
    ],
)
def test_kinds_that_no_server_knows(change: dict[str, str], reason: str) -> None:
    found = find_kind_mismatch({**V1, **change})
    assert found is not None
    kind, version = ({**V1, **change}[member] for member in ("kind", "apiVersion"))
    start = f'{kind} in version "{version.rpartition("/")[2]}" cannot be handled as a CustomResourceDefinition: '
    assert found.format_message(100) == f'{start}{reason} in scheme "pkg/runtime/scheme.go:100"'


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"kind": "Status"}, "converting (v1.Status) to (apiextensions.CustomResourceDefinition): unknown conversion"),
        (
            {"apiVersion": "apiextensions.k8s.io/v1beta1", "kind": "ConversionReview"},
            "converting (v1beta1.ConversionReview) to (apiextensions.CustomResourceDefinition): unknown conversion",
        ),
        (
            {"apiVersion": "a/"},
            """Object 'apiVersion' is missing in '{"apiVersion":"a/","kind":"CustomResourceDefinition"}'""",
        ),
        ({"apiVersion": "apiextensions.k8s.io/v1beta1"}, "match the expected API version (apiextensions.k8s.io/v1)"),
    ],
)
def test_kinds_that_are_not_wanted(change: dict[str, str], reason: str) -> None:
    found = find_kind_mismatch({**V1, **change})
    assert found is not None
    assert found.text.endswith(reason)
    assert found.format_message(100) == found.text


@pytest.mark.parametrize(
    ("plain", "reason"),
    [
        ({"kind": 1, "spec": "a text"}, """field .kind of type string ({"kind":1,"spec":"a text"})"""),
        ({**V1, "apiVersion": []}, """field .apiVersion of type string ({"apiVersion":[],"kind":"Custo ...)"""),
        ({**V1, "apiVersion": "a/b/c"}, 'unexpected GroupVersion string: a/b/c ({"apiVersion":"a/b/c","kind":" ...)'),
        ([], r"""APIVersion string "json:\"apiVersion,omitempty\""; Kind string "json:\"kind,omitempty\"" } (5b5d)"""),
    ],
)  # fmt: skip
def test_what_has_no_kind_at_all(plain: object, reason: str) -> None:
    found = find_kind_mismatch(plain)
    assert found is not None
    assert found.text.startswith("the object provided is unrecognized (must be of type CustomResourceDefinition): ")
    assert found.text.endswith(reason)
