"""Manifests of other kinds, and the errors of servers for them."""

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
def test_unregistered_kinds(change: dict[str, str], reason: str) -> None:
    mismatch = find_kind_mismatch({**V1, **change})
    assert mismatch is not None
    kind, version = ({**V1, **change}[member] for member in ("kind", "apiVersion"))
    prefix = f'{kind} in version "{version.rpartition("/")[2]}" cannot be handled as a CustomResourceDefinition: '
    assert mismatch.format_message(100) == f'{prefix}{reason} in scheme "pkg/runtime/scheme.go:100"'


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
def test_registered_kinds_other_than_crds(change: dict[str, str], reason: str) -> None:
    mismatch = find_kind_mismatch({**V1, **change})
    assert mismatch is not None
    assert mismatch.message.endswith(reason)
    assert mismatch.format_message(100) == mismatch.message


@pytest.mark.parametrize(
    ("plain", "reason"),
    [
        ({"kind": 1, "spec": "a text"}, """field .kind of type string ({"kind":1,"spec":"a text"})"""),
        ({**V1, "apiVersion": []}, """field .apiVersion of type string ({"apiVersion":[],"kind":"Custo ...)"""),
        ({**V1, "apiVersion": "a/b/c"}, 'unexpected GroupVersion string: a/b/c ({"apiVersion":"a/b/c","kind":" ...)'),
        ([], r"""APIVersion string "json:\"apiVersion,omitempty\""; Kind string "json:\"kind,omitempty\"" } (5b5d)"""),
    ],
)  # fmt: skip
def test_manifests_without_a_valid_kind(plain: object, reason: str) -> None:
    mismatch = find_kind_mismatch(plain)
    assert mismatch is not None
    assert mismatch.message.startswith(
        "the object provided is unrecognized (must be of type CustomResourceDefinition): "
    )
    assert mismatch.message.endswith(reason)
