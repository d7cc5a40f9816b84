"""The entry point of the library: CRDs and rules as dicts."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from protoc_gen_crd import ConversionError, Converter, convert
from tests.support.conversion import get_case, rules


def version(name: str, spec: dict[str, Any], *, storage: bool) -> dict[str, Any]:
    schema = {"type": "object", "properties": {"spec": {"type": "object", "properties": spec}}}
    return {"name": name, "served": True, "storage": storage, "schema": {"openAPIV3Schema": schema}}


TEXT = {"type": "string"}
CRD = {
    "apiVersion": "apiextensions.k8s.io/v1",
    "kind": "CustomResourceDefinition",
    "metadata": {"name": "users.acme.example"},
    "spec": {
        "group": "acme.example",
        "scope": "Namespaced",
        "names": {"kind": "User", "plural": "users", "singular": "user", "listKind": "UserList"},
        "versions": [
            version("v1", {"firstName": TEXT}, storage=False),
            version("v2", {"name": {"type": "object", "properties": {"first": TEXT}}}, storage=True),
        ],
    },
}
RULES = {
    "spec": {
        "conversions": [
            {"from": "v1", "to": "v2", "rules": [{"field": "spec.firstName", "destination": "spec.name.first"}]},
            {"from": "v2", "to": "v1", "rules": [{"field": "spec.name.first", "destination": "spec.firstName"}]},
        ]
    }
}
OLD = {"apiVersion": "acme.example/v1", "kind": "User", "spec": {"firstName": "bob"}}


def test_rules_convert_objects_of_a_plain_crd() -> None:
    converter = Converter(CRD, RULES)
    new = converter.convert(OLD, "v2")
    assert new == {"apiVersion": "acme.example/v2", "kind": "User", "spec": {"name": {"first": "bob"}}}
    assert converter.convert(new, "v1") == OLD


def test_a_crd_of_protos_needs_no_rules() -> None:
    case = get_case("one-item")
    obj = case.object("v1", {"spec": {"name": "bob"}})
    assert convert(obj, "v2", case.crd)["spec"] == {"names": ["bob"]}


@pytest.mark.parametrize(
    ("rules", "text"),
    [
        (None, '"spec.firstName" of v1 has no counterpart in v2'),
        ({}, "the rules are not an APIConversion: spec.conversions is missing"),
        ([], "the rules are not an APIConversion: expected a mapping"),
        ({"spec": {"conversions": [{"from": "v1", "to": "v3", "rules": []}]}}, 'unknown version "v3"'),
        (
            {"spec": {"conversions": [{"from": "v1", "to": "v2", "rules": [{"field": "spec.firstName"}]}]}},
            "destination",
        ),
        ({"spec": {"conversions": [{"from": "v1", "to": "v2", "rules": [7]}]}}, "expected a mapping of field, from,"),
        (
            {
                "spec": {
                    "conversions": [{"from": "v1", "to": "v2", "rules": [{"field": "spec.a", "destination": "spec.["}]}]
                }
            },
            'invalid path at ".["',
        ),
    ],
)
def test_rules_that_lose_data_are_an_error(rules: Any, text: str) -> None:
    with pytest.raises(ValueError, match=r".") as error:
        Converter(CRD, rules)
    assert text in str(error.value)


RULES_BY_HAND = rules(
    ("v1", "v2", [{"field": "spec.firstName", "destination": "spec.name.first", "function": "first"}]),
    ("v2", "v1", [{"field": "spec.name.first", "destination": "spec.firstName"}]),
)
FILE = """
from .handwritten import function


@function
def first(value):
    return {"bob": "Bob", "set": {1}, "list": ["a", {"b": {2}}]}[value]


@function
def unused(value):
    return value
"""


def test_handwritten_functions_are_read_from_a_folder(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="no folder for the function first"):
        Converter(CRD, RULES_BY_HAND)
    with pytest.raises(ValueError, match="function first is missing in "):
        Converter(CRD, RULES_BY_HAND, functions=str(tmp_path))
    (tmp_path / "acme_example_users_functions.py").write_text(FILE)
    converter = Converter(CRD, RULES_BY_HAND, functions=str(tmp_path))
    assert converter.convert(OLD, "v2")["spec"] == {"name": {"first": "Bob"}}


@pytest.mark.parametrize("value", ["set", "list"])
def test_results_of_functions_must_be_json(value: str, tmp_path: Path) -> None:
    (tmp_path / "acme_example_users_functions.py").write_text(FILE)
    converter = Converter(CRD, RULES_BY_HAND, functions=str(tmp_path))
    with pytest.raises(ConversionError, match=r"spec.name.first.*: expected a JSON value, found set"):
        converter.convert({**OLD, "spec": {"firstName": value}}, "v2")


def test_objects_of_other_kinds_are_rejected() -> None:
    with pytest.raises(ConversionError, match=r"kind: expected one of User of acme.example, found .Group of"):
        Converter(CRD, RULES).convert({**OLD, "kind": "Group"}, "v2")


def test_objects_that_cannot_be_converted_are_errors() -> None:
    with pytest.raises(ConversionError, match="spec: expected an object, found a list"):
        convert({**OLD, "spec": []}, "v2", CRD, RULES)
