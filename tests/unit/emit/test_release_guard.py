"""The policy that guards CRDs against older releases; tests/cluster applies it to a running API server."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from protoc_gen_crd.cel import environment
from protoc_gen_crd.cel.checker.checker import CheckedAst, compile_text
from protoc_gen_crd.cel.checker.types import DeclarationFactory
from protoc_gen_crd.cel.interpreter.program import Program, make_program
from protoc_gen_crd.cel.values.schema_values import ValueReaderFactory
from protoc_gen_crd.crd.crd import Crd, Names
from protoc_gen_crd.emit.release_guard import annotate_release, build_guard, make_guard_file
from protoc_gen_crd.kubernetes.shared_results import Switches
from protoc_gen_crd.schema.schema_decoder import PROPS, make_decoder
from protoc_gen_crd.settings.settings import Settings
from tests.support.yaml_data import load_yaml_stream

GROUP = "acme.example"
OLDEST_WITH_POLICIES = 30
STRING = {"type": "string"}
SCHEMAS: dict[str, Any] = {
    "object": {
        "type": "object",
        "properties": {
            "metadata": {
                "type": "object",
                "properties": {"annotations": {"type": "object", "additionalProperties": STRING}},
            },
            "spec": {
                "type": "object",
                "properties": {
                    "versions": {
                        "type": "array",
                        "items": {"type": "object", "properties": {"name": STRING, "served": {"type": "boolean"}}},
                    }
                },
            },
            "status": {
                "type": "object",
                "properties": {"storedVersions": {"type": "array", "items": STRING}},
            },
        },
    },
    "variables": {"type": "object", "properties": {"release": STRING, "oldRelease": STRING}},
}
SCHEMAS["oldObject"] = SCHEMAS["object"]


def make_crd(release: str | None, *served: str, unserved: tuple[str, ...] = (), stored: tuple[str, ...] = ()) -> Any:
    """Return what the policy reads of a CRD; `release` is None without annotations."""
    versions = [{"name": name, "served": True} for name in served]
    versions += [{"name": name, "served": False} for name in unserved]
    metadata = {} if release is None else {"annotations": {f"{GROUP}/release": release}}
    return {"metadata": metadata, "spec": {"versions": versions}, "status": {"storedVersions": list(stored)}}


def evaluate(expression: str, minor: int, values: Mapping[str, Any]) -> Any:
    cel = environment.get_new_environment(minor)
    declarations = DeclarationFactory(environment.get_sizes(minor))
    schemas = {name: make_decoder().decode_value(SCHEMAS[name], PROPS, ()) for name in values}
    declared = {name: declarations.declare(schema) for name, schema in schemas.items()}
    types = {name: declaration.get_type(f"{name}Type") for name, declaration in declared.items() if declaration}
    checked = compile_text(expression, cel, types)
    assert isinstance(checked, CheckedAst), str(checked)
    program = make_program(checked, cel, tuple(types))
    assert isinstance(program, Program)
    readers = ValueReaderFactory(declarations, Switches(minor))
    result = program.evaluate({name: readers.make_reader(schemas[name])(values[name]) for name in values}, 1_000_000)
    assert not result.error
    return result.value


def find_messages(old: Any, new: Any, minor: int = OLDEST_WITH_POLICIES) -> list[str]:
    """Return the messages with which the policy rejects the update of a CRD."""
    policy, _ = build_guard(GROUP, [f"widgets.{GROUP}"])
    crds = {"object": new, "oldObject": old}
    variables = {
        variable["name"]: evaluate(variable["expression"], minor, crds) for variable in policy["spec"]["variables"]
    }
    values = {**crds, "variables": variables}
    return [
        rule["message"].partition(";")[0]
        for rule in policy["spec"]["validations"]
        if not evaluate(rule["expression"], minor, values)
    ]


OLDER = f'a newer release is installed: annotation "{GROUP}/release" is lower or missing'


@pytest.mark.parametrize("minor", [OLDEST_WITH_POLICIES, 37])
@pytest.mark.parametrize(
    ("old", "new", "is_older"),
    [
        ("1.9", "1.10", False),
        ("1.10", "1.9", True),
        ("1.10", "1.10", False),
        ("2.0", "1.99", True),
        ("1.99", "2.0", False),
        ("1.4", None, True),
        ("1.4", "", True),
        ("1.4", "v2", True),
        ("1.4", "9999999999.0", True),
        (None, "1.4", False),
        (None, None, False),
        ("unknown", "1.4", False),
    ],
)
def test_releases_are_compared_by_number(old: str | None, new: str | None, is_older: bool, minor: int) -> None:
    assert find_messages(make_crd(old, "v1"), make_crd(new, "v1"), minor) == ([OLDER] if is_older else [])


def test_a_served_version_must_not_be_lost() -> None:
    lost = ["a served version is removed or no longer served"]
    old = make_crd("1.0", "v1", "v1beta1", unserved=("v1alpha1",))
    assert find_messages(old, make_crd("1.1", "v1")) == lost
    assert find_messages(old, make_crd("1.1", "v1", unserved=("v1beta1",))) == lost
    assert find_messages(old, make_crd("1.1", "v2", "v1", "v1beta1")) == []


def test_a_stored_version_must_not_be_lost() -> None:
    old = make_crd("1.0", "v1", unserved=("v1alpha1",), stored=("v1alpha1", "v1"))
    assert find_messages(old, make_crd("1.1", "v1")) == ["a version is removed in which objects are stored"]
    assert find_messages(old, make_crd("1.1", "v1", unserved=("v1alpha1",))) == []


def make_crds() -> list[Crd]:
    return [
        Crd(group, Names(kind, f"{kind.lower()}s"), "Namespaced", ())
        for group, kind in ((GROUP, "Widget"), (GROUP, "Gadget"), ("b.example", "Part"))
    ]


def test_each_group_has_a_policy_for_its_crds() -> None:
    file = make_guard_file(make_crds(), Settings(release_guard="guard.yaml", release="1.4", header="Acme"))
    assert (file.name, file.text.splitlines()[0]) == ("guard.yaml", "# Acme")
    manifests = list(load_yaml_stream(file.text))
    assert [manifest["kind"].removeprefix("ValidatingAdmissionPolicy") for manifest in manifests] == ["", "Binding"] * 2
    rules = [policy["spec"]["matchConstraints"]["resourceRules"][0] for policy in manifests[::2]]
    assert [rule["resourceNames"] for rule in rules] == [["gadgets.acme.example", "widgets.acme.example"],
                                                         ["parts.b.example"]]  # fmt: skip
    assert [binding["spec"]["policyName"] for binding in manifests[1::2]] == [f"release-guard.{GROUP}",
                                                                             "release-guard.b.example"]  # fmt: skip


def test_a_long_group_has_a_short_policy_name() -> None:
    policy, binding = build_guard(".".join(["a" * 60] * 4), ["b"])
    assert len(policy["metadata"]["name"]) < 64
    assert policy["metadata"] == binding["metadata"]


def test_crds_get_the_release_and_keep_their_annotations() -> None:
    (crd,) = annotate_release([make_crds()[0].replace(annotations={"a": "b"})], "1.4")
    assert crd.annotations == {"a": "b", f"{GROUP}/release": "1.4"}
