"""Supported versions and limits of Kubernetes are defined once."""

from __future__ import annotations

import ast

from protoc_gen_crd.conversion.runtime import object_annotations
from protoc_gen_crd.kubernetes import api_server_limits
from tests.drift.test_layers import modules

LIMITS = {name: value for name, value in vars(api_server_limits).items() if name.isupper()}


def test_versions_and_limits_are_defined_once() -> None:
    homes = {"OLDEST": "kubernetes.supported_versions", "NEWEST": "kubernetes.supported_versions"}
    homes |= dict.fromkeys(LIMITS, "kubernetes.api_server_limits")
    defined = {
        (name, module)
        for module, tree in modules().items()
        for statement in tree.body
        if isinstance(statement, ast.Assign)
        for target in statement.targets
        for node in ast.walk(target)
        if isinstance(node, ast.Name) and (name := node.id) in homes
    }
    assert defined == set(homes.items())


def test_generated_modules_have_the_limit_of_annotations() -> None:
    """The tests import nothing of the package, so they have a copy."""
    assert object_annotations.MAX_ANNOTATIONS_SIZE == api_server_limits.ANNOTATIONS_SIZE
