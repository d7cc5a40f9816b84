"""The checks of a change report what should not have changed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from protoc_gen_crd.crd.crd_decoder import decode
from protoc_gen_crd.findings.finding import Problems
from protoc_gen_crd.versioning.result_checks import (
    ApiState,
    check_added,
    check_deprecated,
    check_removed,
    check_removed_elements,
)

NAME = "widgets.acme.example"


def make_state(*versions: dict[str, Any], kind: str = "Widget") -> ApiState:
    names = {"kind": kind, "plural": "widgets"}
    spec = {"group": "acme.example", "names": names, "scope": "Namespaced", "versions": list(versions)}
    decoded = decode(
        {
            "apiVersion": "apiextensions.k8s.io/v1",
            "kind": "CustomResourceDefinition",
            "metadata": {"name": NAME},
            "spec": spec,
        }
    )
    assert decoded.crd is not None
    return ApiState.make((decoded.crd,))


def make_version(
    name: str, change: Callable[[dict[str, Any]], None] | None = None, *, storage: bool = False, **members: Any
) -> dict[str, Any]:
    """Return a version with the field spec.a, whose schema of spec is changed."""
    spec: dict[str, Any] = {"type": "object", "properties": {"a": {"type": "string", "description": "A."}}}
    if change is not None:
        change(spec)
    schema = {"openAPIV3Schema": {"type": "object", "properties": {"spec": spec}}}
    return {"name": name, "served": True, "storage": storage, "schema": schema, **members}


def rename(spec: dict[str, Any]) -> None:
    spec["properties"]["b"] = spec["properties"].pop("a")


def describe(spec: dict[str, Any]) -> None:
    spec["properties"]["a"]["description"] = "B."


V1BETA1, V1 = make_version("v1beta1"), make_version("v1", storage=True)
BEFORE = make_state(V1, V1BETA1)


@pytest.mark.parametrize(
    ("after", "message"),
    [
        (make_state(V1, V1BETA1, make_version("v2", storage=False)), ""),
        (
            make_state(V1, V1BETA1, make_version("v2", deprecated=True)),
            f'version v2 of {NAME} would have "deprecated: true"',
        ),
        (make_state(V1, V1BETA1), f"version v2 of {NAME} differs from v1: it is missing afterwards"),
        (make_state(V1, V1BETA1, make_version("v2", describe)), f"version v2 of {NAME} differs from v1 at"),
        (make_state(V1, make_version("v2")), f"version v1beta1 of {NAME} would change: it is missing afterwards"),
        (
            make_state(V1, make_version("v1beta1", rename), make_version("v2")),
            f"version v1beta1 of {NAME} would change at",
        ),
        (
            make_state(make_version("v1"), V1BETA1, make_version("v2")),
            f'version v1 of {NAME} would change at "storage"',
        ),
        (make_state(V1, V1BETA1, make_version("v2"), kind="Gadget"), f'{NAME} would change at "names.kind"'),
    ],
)
def test_an_added_version(after: ApiState, message: str) -> None:
    check_added(BEFORE, after, [NAME], ("v2", "v1"), problems := Problems())
    assert [finding.message[: len(message)] for finding in problems.findings] == [message] * bool(message)


@pytest.mark.parametrize(
    ("after", "count"),
    [
        (make_state(V1, make_version("v1beta1", deprecated=True, deprecationWarning="old")), 0),
        (make_state(V1, make_version("v1beta1", describe)), 0),
        (make_state(V1, make_version("v1beta1", rename)), 1),
        (make_state(make_version("v1", storage=True, deprecated=True), V1BETA1), 1),
    ],
)
def test_a_deprecated_version(after: ApiState, count: int) -> None:
    check_deprecated(BEFORE, after, {(NAME, "v1beta1")}, problems := Problems())
    assert len(problems.findings) == count


@pytest.mark.parametrize(
    ("after", "count"),
    [(make_state(V1), 0), (BEFORE, 1), (make_state(make_version("v1", describe, storage=True)), 1)],
)
def test_a_removed_version(after: ApiState, count: int) -> None:
    check_removed(BEFORE, after, {(NAME, "v1beta1")}, problems := Problems())
    assert len(problems.findings) == count


def remove(spec: dict[str, Any]) -> None:
    del spec["properties"]["a"]


@pytest.mark.parametrize(
    ("after", "count"),
    [
        (make_state(V1, make_version("v1beta1", remove)), 0),
        (make_state(V1, make_version("v1beta1", rename)), 1),
        (make_state(V1, make_version("v1beta1", describe)), 1),
        (make_state(V1), 1),
    ],
)
def test_a_removed_element(after: ApiState, count: int) -> None:
    check_removed_elements(BEFORE, after, set(), problems := Problems())
    assert len(problems.findings) == count
