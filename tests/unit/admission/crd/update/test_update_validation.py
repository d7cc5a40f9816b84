"""Errors that an update may keep, immutable fields, and the options for CEL."""

from __future__ import annotations

from typing import Any

import pytest

from protoc_gen_crd.admission.crd.structure.checks_by_position import make_schema_visitor
from protoc_gen_crd.admission.crd.update.storage_form import as_stored
from protoc_gen_crd.admission.crd.update.update_validation import compute_update_options
from protoc_gen_crd.admission.crd.update.validation_options import ValidationOptions
from protoc_gen_crd.admission.crd.versions.internal_version import InternalCrd, convert_to_internal
from protoc_gen_crd.crd.crd import Crd, CrdVersion, Names
from protoc_gen_crd.kubernetes.shared_results import Switches
from protoc_gen_crd.schema.schema import VALIDATIONS, Schema
from tests.unit.admission.crd_factory import crd, list_errors, spec


def stored(definition: Crd, *, established: bool = True) -> InternalCrd:
    return convert_to_internal(as_stored(convert_to_internal(definition), established=established))


def let(new: Crd, old: Crd, minor: int = 37) -> ValidationOptions:
    return compute_update_options(
        convert_to_internal(new), stored(old), make_schema_visitor(), Switches.from_minor(minor)
    )


def ruled(*rules: dict[str, Any], **more: Any) -> Crd:
    return crd(spec(a={"type": "object", VALIDATIONS: list(rules)}, **more))


LOOSE_LIST = {"type": "array", "items": {"type": "object"}, "x-kubernetes-list-type": "set"}


@pytest.mark.parametrize(
    "node",
    [
        LOOSE_LIST,
        {
            "type": "array",
            "items": {"type": "object", "properties": {"k": {"type": "string"}}},
            "x-kubernetes-list-type": "map",
            "x-kubernetes-list-map-keys": ["k"],
        },
    ],
    ids=["set", "keys"],
)
def test_an_old_error_may_stay(node: dict[str, Any]) -> None:
    faulty = crd(spec(a=node))
    assert list_errors(faulty)
    assert list_errors(faulty, old=crd())
    assert list_errors(faulty, old=faulty) == []


def test_a_new_fault_may_not_come() -> None:
    assert list_errors(crd(spec(a=LOOSE_LIST, b={"type": "object", "uniqueItems": True})), old=crd(spec(a=LOOSE_LIST)))


def test_schemas_need_not_become_structural() -> None:
    old = crd(Schema({"type": "object", "properties": {"a": Schema({})}}), preserve_unknown_fields=True)
    assert list_errors(old)
    assert list_errors(old, old=old) == []
    assert list_errors(old.replace(preserve_unknown_fields=False), old=old)


def test_a_missing_schema_may_stay_missing() -> None:
    bare = crd(None, CrdVersion("v1", storage=True), preserve_unknown_fields=True)
    assert "spec.versions[0].schema.openAPIV3Schema: Required value" in list_errors(bare)
    assert list_errors(bare, old=bare) == []
    pruned = list_errors(bare.replace(preserve_unknown_fields=False), old=bare)
    assert pruned == [
        "spec.versions[0].schema.openAPIV3Schema: Required value: because otherwise all fields are pruned"
    ]


def test_stored_versions_must_remain() -> None:
    new = crd(None, CrdVersion("v2", spec(), storage=True))
    (text,) = list_errors(new, old=crd())
    assert text.startswith(
        'status.storedVersions[0]: Invalid value: "v1": missing from spec.versions; v1 was previously'
    )


def test_names_are_fixed_once_established() -> None:
    new = crd(names=Names("Other", "things"), scope="Cluster")
    fixed = [text.partition(":")[0] for text in list_errors(new, old=crd())]
    assert fixed == ["spec.scope", "spec.names.kind"]


def test_a_crd_that_is_not_established_may_change() -> None:
    new = crd(names=Names("Other", "things"), scope="Cluster")
    assert let(new, crd()).allows_invalid_ca_bundle is False
    assert (
        compute_update_options(
            convert_to_internal(new), stored(crd(), established=False), make_schema_visitor(), Switches.from_minor(37)
        ).allows_invalid_ca_bundle
        is True
    )


def test_many_selectable_fields_may_stay_in_newer_versions() -> None:
    fields = tuple(f".spec.p{index}" for index in range(9))
    root = spec(**{f"p{index}": {"type": "string"} for index in range(9)})
    definition = crd(None, CrdVersion("v1", root, storage=True, selectable_fields=fields))
    assert let(definition, definition).many_selectable_paths == {"spec"}
    assert let(definition, definition, 34).many_selectable_paths == set()
    assert let(definition, crd()).many_selectable_paths == set()


# For CEL


def test_texts_of_the_old_rules() -> None:
    rule = {"rule": "self == self", "messageExpression": "'a'"}
    texts = frozenset(["self == self"])
    assert let(ruled(rule), ruled(rule)).stored_expressions == (texts, frozenset(["'a'"]))
    assert let(ruled(rule), ruled(rule), 30).stored_expressions == (texts, texts)
    assert let(ruled(rule), crd()).stored_expressions == (frozenset(), frozenset())


def test_an_unchanged_schema_has_no_limit_of_cost() -> None:
    rule = {"rule": "true"}
    assert let(ruled(rule), ruled(rule)).unchanged_versions == {"v1"}
    assert let(ruled(rule), ruled(rule), 28).unchanged_versions == set()
    assert let(ruled(rule, b={"type": "string"}), ruled(rule)).unchanged_versions == set()


def test_optional_old_self_is_dropped_while_its_gate_is_closed() -> None:
    plain, optional = ruled({"rule": "true"}), ruled({"rule": "true", "optionalOldSelf": True})
    assert let(optional, plain, 29).keeps_optional_old_self is False
    assert let(optional, optional, 29).keeps_optional_old_self is True
    assert let(optional, plain, 30).keeps_optional_old_self is True


def test_selectable_fields_are_dropped_while_their_gate_is_closed() -> None:
    plain = crd()
    selectable = crd(None, CrdVersion("v1", spec(), storage=True, selectable_fields=(".spec.a",)))
    assert let(selectable, plain, 30).keeps_selectable_fields is False
    assert let(selectable, selectable, 30).keeps_selectable_fields is True
    assert let(selectable, plain, 31).keeps_selectable_fields is True


UNPRUNED = {"type": "object", "default": {"b": "x"}}


@pytest.mark.parametrize(
    ("field", "kept"),
    [
        ({"type": "string"}, True),
        ({"type": "foo"}, True),  # structural for the server
        ({}, False),
        ({"type": "array"}, False),
        ({"type": "boolean", "x-kubernetes-embedded-resource": True}, False),
        ({"type": "string", "not": {"type": "string"}}, False),
        ({"type": "string", "$ref": "x"}, False),  # not convertible
    ],
)
def test_unknown_fields_in_defaults_are_kept_from_structural_schemas_only(field: dict[str, Any], kept: bool) -> None:
    """As `schemaHasUnprunedDefaults` of apiextensions-apiserver, which returns an error for other schemas."""
    old = crd(spec(a=UNPRUNED | {"properties": {"c": field}}))
    assert let(crd(spec(a=UNPRUNED)), old).requires_pruned_defaults is not kept
