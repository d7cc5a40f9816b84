"""Changes of the paths of the scale subresource."""

from __future__ import annotations

from typing import Any

import pytest

from protoc_gen_crd.comparison.api_comparison import judge_changes
from protoc_gen_crd.comparison.change import ChangeClass
from protoc_gen_crd.crd.crd import Crd
from protoc_gen_crd.crd.crd_decoder import decode

PATHS = {"specReplicasPath": ".spec.n", "statusReplicasPath": ".status.n"}


def _make_crd(**paths: str) -> Crd:
    numbers = {"type": "object", "properties": {"n": {"type": "integer"}, "selector": {"type": "string"}}}
    schema: Any = {"type": "object", "properties": {"spec": numbers, "status": numbers}}
    version = {
        "name": "v1", "served": True, "storage": True, "schema": {"openAPIV3Schema": schema},
        "subresources": {"status": {}, "scale": {**PATHS, **paths}},
    }  # fmt: skip
    crd = decode(
        {
            "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
            "metadata": {"name": "widgets.acme.example"},
            "spec": {"group": "acme.example", "names": {"kind": "Widget", "plural": "widgets"}, "scope": "Namespaced",
                     "versions": [version]},
        }
    ).crd  # fmt: skip
    assert crd is not None
    return crd


@pytest.mark.parametrize(
    ("old", "new", "change_class", "message"),
    [
        ({}, {"labelSelectorPath": ".status.selector"}, ChangeClass.ADDITIVE,
         'labelSelectorPath ".status.selector" is new'),
        ({"labelSelectorPath": ".status.selector"}, {}, ChangeClass.BREAK,
         'labelSelectorPath ".status.selector" is removed'),
        ({"labelSelectorPath": ".status.selector"}, {"labelSelectorPath": ".spec.selector"}, ChangeClass.BREAK,
         'labelSelectorPath ".status.selector" is now labelSelectorPath ".spec.selector"'),
        ({}, {"statusReplicasPath": ".status.m"}, ChangeClass.BREAK,
         'statusReplicasPath ".status.n" is now statusReplicasPath ".status.m"'),
    ],
)  # fmt: skip
def test_the_changed_path_is_named(old: Any, new: Any, change_class: ChangeClass, message: str) -> None:
    (change,) = judge_changes([_make_crd(**old)], [_make_crd(**new)])
    assert (change.rule, change.change_class, change.message) == ("change-scale", change_class, message)
