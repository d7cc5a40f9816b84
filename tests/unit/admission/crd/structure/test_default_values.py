"""Defaults: values that would be taken and kept as they are."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from protoc_gen_crd.admission.crd.rules.rule_compiler import RuleCompiler
from protoc_gen_crd.admission.crd.structure.default_values import has_unpruned, normalize_defaults
from protoc_gen_crd.admission.objects import structural_schemas
from protoc_gen_crd.admission.objects.structural_nodes import StructuralNode
from protoc_gen_crd.admission.server import AdmissionServer, admit
from protoc_gen_crd.kubernetes.shared_results import Switches
from protoc_gen_crd.schema.schema import Schema
from tests.unit.admission.crd_factory import at, crd, only, spec
from tests.unit.admission.crd_factory import list_errors as list_crd_errors

START = "spec.validation.openAPIV3Schema.properties[spec].properties[a]"
EMBEDDED = {"type": "object", "x-kubernetes-embedded-resource": True, "x-kubernetes-preserve-unknown-fields": True}
POD = {"apiVersion": "v1", "kind": "Pod"}


def list_errors(node: dict[str, Any], minor: int = 37) -> list[str]:
    return [text.removeprefix(START) for text in list_crd_errors(crd(spec(a=node)), minor)]


@pytest.mark.parametrize(
    ("node", "texts"),
    [
        ({"type": "string", "default": "x"}, []),
        ({"type": "string", "default": None}, []),
        ({"type": "string", "default": 1}, ['.default: Invalid value: "integer":  in body must be of type'])  ,
        (
            {"type": "object", "properties": {"b": {"type": "string"}}, "default": {"b": "x", "c": 1}},
            ['.default: Invalid value: {"b":"x","c":1}: must not have unknown fields'],
        ),
        (
            {"type": "array", "items": {"type": "object"}, "uniqueItems": True, "default": [{}, {}]},
            ['.default: Invalid value: "":  in body shouldn\'t contain duplicates', ".uniqueItems: Forbidden: "],
        ),
        (
            {"type": "object", "properties": {"b": {"type": "string", "maxLength": 1}}, "default": {"b": "xx"}},
            [".default.b: Too long: may not be more than 1 byte"],
        ),
        (
            {"type": "array", "items": {"type": "string", "default": 1}},
            ['.items.default: Invalid value: "integer":  in body must be of type string: "integer"'],
        ),
        ({"type": "object", "additionalProperties": {"type": "string", "default": 1}}, []),
        ({**EMBEDDED, "default": POD}, []),
        ({**EMBEDDED, "default": {"kind": "Pod"}}, [".default.apiVersion: Required value"]),
        (
            {**EMBEDDED, "default": {**POD, "metadata": {"labels": {"a b": ""}}}},
            ['.default.metadata.labels: Invalid value: "a b": name part must consist of'],
        ),
    ],
)  # fmt: skip
def test_values(node: dict[str, Any], texts: list[str]) -> None:
    errors = list_errors(node)
    assert len(errors) == len(texts)
    assert all(mine.startswith(text) for mine, text in zip(errors, texts, strict=True))


def test_metadata_within_a_resource() -> None:
    labels = {"type": "object", "additionalProperties": {"type": "string"}, "default": {"a b": "c"}}
    metadata = {"type": "object", "properties": {"labels": labels}}
    (text,) = list_errors({**EMBEDDED, "properties": {"metadata": metadata}})
    assert text.startswith(
        '.properties[metadata].properties[labels].default: Invalid value: {"a b":"c"}: must result in valid metadata: '
    )


def test_metadata_is_kept_as_it_would_be_written() -> None:
    node = {**EMBEDDED, "default": {**POD, "metadata": {"name": "x", "labels": {}, "colour": "red"}}}
    root = spec(a=node)
    changed = normalize_defaults(root, Switches.from_minor(37)).properties["spec"].properties["a"].get("default")
    assert changed == {**POD, "metadata": {"name": "x"}}
    assert root.properties["spec"].properties["a"].get("default")["metadata"]["colour"] == "red"


def test_unchanged_defaults_keep_the_same_schema() -> None:
    root = spec(a={"type": "array", "items": {"type": "string", "default": "x"}})
    assert normalize_defaults(root, Switches.from_minor(37)) is root


@pytest.mark.parametrize(
    ("default", "unpruned"), [({"b": "x"}, False), ({"c": 1}, True), ({"metadata": {}}, True), (None, False)]
)
def test_unknown_fields_in_old_defaults(default: Any, unpruned: bool) -> None:
    inner = {"type": "object", "properties": {"b": {"type": "string"}}, "default": default}
    for outer in (inner, {"type": "array", "items": inner}, {"type": "object", "additionalProperties": inner}):
        assert has_unpruned(spec(a=outer)) is unpruned


def test_unknown_fields_may_stay_on_an_update() -> None:
    definition = crd(spec(a={"type": "object", "default": {"b": 1}}))
    assert list_crd_errors(definition)
    assert list_crd_errors(definition, old=definition) == []


def test_errors_of_defaults_have_locations() -> None:
    node = Schema({"type": "string", "default": 1}, at(3), {"default": at(4)})
    (error,) = only(admit(crd(Schema({"type": "object", "properties": {"a": node}})))).causes
    assert error.place == at(4)


def test_defaults_of_invalid_schemas_are_not_checked() -> None:
    texts = list_errors({"type": "string", "default": 1, "anyOf": [{"type": "string"}]})
    assert texts == [".anyOf[0].type: Forbidden: must be empty to be structural"]


def list_rule_errors(node: dict[str, Any]) -> list[str]:
    """The errors of a server that compiles rules."""
    verdict = only(AdmissionServer([37], RuleCompiler()).admit(crd(spec(a=node))))
    return [cause.message.removeprefix(START) for cause in verdict.causes]


INITIALIZATION = "rule compiler initialization error: failed to convert to declType for CEL validation rules"
UNTYPED = {"x-kubernetes-preserve-unknown-fields": True, "x-kubernetes-validations": [{"rule": "true"}]}


@pytest.mark.parametrize(
    ("node", "paths"),
    [
        ({"type": "array", "items": UNTYPED, "default": [{}, None, 1]}, ["[0]", "[2]"]),
        ({"type": "object", "additionalProperties": UNTYPED, "default": {"x": {}}}, ["[x]"]),
        (
            {"type": "array", "items": {"type": "array", "items": UNTYPED}, "default": [[1]]},
            ["[0][0]"],
        ),
        ({"type": "object", "properties": {"b": UNTYPED}, "default": {"b": {}}}, []),
        ({"type": "object", "properties": {"5xx": UNTYPED}, "default": {"5xx": {}}}, []),
    ],
)  # fmt: skip
def test_rules_without_a_declaration_are_reported_for_each_value(node: dict[str, Any], paths: list[str]) -> None:
    matching = [text for text in list_rule_errors(node) if INITIALIZATION in text]
    assert matching == [f'.default{path}: Invalid value: "": {INITIALIZATION}' for path in paths]


@pytest.mark.parametrize(("message", "path"), [("'a'", ".default.b"), ("1", ".default"), ("'a'.none()", ".default")])
def test_the_field_path_of_a_rule_whose_message_expression_does_not_compile_is_ignored(message: str, path: str) -> None:
    rule = {"rule": "self != oldSelf", "messageExpression": message, "fieldPath": ".b"}
    node = {"type": "object", "properties": {"b": {"type": "string"}}, "default": {}}
    rule_errors = list_rule_errors({**node, "x-kubernetes-validations": [rule]})
    assert any(text.startswith(f"{path}: Invalid value: ") for text in rule_errors)


@pytest.mark.parametrize("validate", [lambda root: list_crd_errors(crd(root)), has_unpruned])
def test_nodes_grow_with_depth(validate: Callable[[Schema], Any], monkeypatch: pytest.MonkeyPatch) -> None:
    """The defaults of a schema share the nodes that they are pruned with."""
    created: list[Schema] = []

    class CountedNode(StructuralNode):
        __slots__ = ()

        def __init__(self, schema: Schema, *arguments: Any, resource: bool) -> None:
            created.append(schema)
            super().__init__(schema, *arguments, resource=resource)

    monkeypatch.setattr(structural_schemas, "StructuralNode", CountedNode)
    counts = []
    for depth in (10, 20):
        node: dict[str, Any] = {"type": "object"}
        for _ in range(depth):
            node = {"type": "object", "properties": {"a": node}, "default": {}}
        created.clear()
        validate(spec(a=node))
        counts.append(len(created))
    assert 0 < counts[1] <= 2 * counts[0]
