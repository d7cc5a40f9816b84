"""Fields that resources have without their schema: apiVersion, kind, and metadata."""

from __future__ import annotations

from typing import Any

import pytest

from protoc_gen_crd.comparison.api_comparison import judge_changes
from protoc_gen_crd.comparison.change import Change, ChangeClass
from protoc_gen_crd.comparison.change_rules import CHANGE_RULES
from protoc_gen_crd.crd.crd import Crd
from protoc_gen_crd.crd.crd_decoder import decode

Json = Any
SHORT = {"type": "string", "maxLength": 3}
LABELS = {"type": "object", "additionalProperties": {"type": "string"}}
PLAIN: Json = {"apiVersion": {"type": "string"}, "kind": {"type": "string"}, "metadata": {"type": "object"}}
BOUND = "change-bound-added"
ROOT, EMBEDDED, ITEM = "", "spec.pod", "spec.pods[]"


def _make_crd(place: str, properties: Json, **keywords: Json) -> Crd:
    """Return a CRD in which a whole object or an embedded resource has these properties."""
    pod = {"type": "object", "x-kubernetes-embedded-resource": True, "properties": {"a": {"type": "string"}}}
    resources: Json = {"": {"type": "object", "properties": {}}, "spec.pod": pod, "spec.pods[]": pod}
    own = resources[place]
    resources[place] = {**own, "properties": {**own["properties"], **properties}, **keywords}
    pods = {"type": "array", "items": resources["spec.pods[]"]}
    spec = {"type": "object", "properties": {"pod": resources["spec.pod"], "pods": pods}}
    schema = {**resources[""], "properties": {"spec": spec, **resources[""]["properties"]}}
    crd = decode(
        {
            "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
            "metadata": {"name": "widgets.acme.example"},
            "spec": {
                "group": "acme.example", "names": {"kind": "Widget", "plural": "widgets"}, "scope": "Namespaced",
                "versions": [{"name": "v1", "served": True, "storage": True, "schema": {"openAPIV3Schema": schema}}],
            },
        }
    ).crd  # fmt: skip
    assert crd is not None
    return crd


def _judge(place: str, old: Json, new: Json) -> list[Change]:
    sides = [{"properties": side} if "properties" not in side else side for side in (old, new)]
    return list(judge_changes([_make_crd(place, **sides[0])], [_make_crd(place, **sides[1])]))


def _name(limits: Json) -> Json:
    return {"metadata": {"type": "object", "properties": {"name": limits}}}


@pytest.mark.parametrize(
    ("place", "properties", "rule", "path"),
    [
        (ROOT, _name(SHORT), BOUND, "metadata.name"),
        (ROOT, {"metadata": {"type": "object", "properties": {"generateName": SHORT}}}, BOUND, "metadata.generateName"),
        (ROOT, {"kind": {"type": "string", "enum": ["Foo"]}}, "change-enum-added", "kind"),
        (ROOT, {"apiVersion": {"type": "string", "pattern": "^q"}}, "change-pattern-added", "apiVersion"),
        (EMBEDDED, _name(SHORT), BOUND, "spec.pod.metadata.name"),
        (EMBEDDED, {"kind": {"type": "string", "enum": ["Foo"]}}, "change-enum-added", "spec.pod.kind"),
        (EMBEDDED, {"apiVersion": SHORT}, BOUND, "spec.pod.apiVersion"),
        (ITEM, _name(SHORT), BOUND, "spec.pods[].metadata.name"),
    ],
)
def test_a_constraint_on_an_implicit_field_is_reported_in_both_directions(
    place: str, properties: Json, rule: str, path: str
) -> None:
    (change,) = _judge(place, {}, properties)
    assert (change.rule, change.path) == (rule, path)
    assert change.example is not None
    (opposite,) = _judge(place, properties, {})
    assert opposite.path == path
    assert opposite.rule in CHANGE_RULES[rule].mirrors


@pytest.mark.parametrize(
    ("constraint", "rule"),
    [
        ({"maxProperties": 1}, BOUND),
        ({"additionalProperties": {"type": "string"}}, "change-field-constrained"),
        ({"properties": {"labels": {**LABELS, "maxProperties": 1}}}, BOUND),
    ],
)
def test_a_constraint_on_metadata_of_an_embedded_resource_is_reported(constraint: Json, rule: str) -> None:
    (change, *_) = _judge(EMBEDDED, {}, {"metadata": {"type": "object", **constraint}})
    assert change.rule == rule


@pytest.mark.parametrize("place", [ROOT, EMBEDDED, ITEM])
@pytest.mark.parametrize(
    "plain",
    [
        *({name: schema} for name, schema in PLAIN.items()),
        PLAIN,
        {"properties": {}, "required": ["apiVersion", "kind"]},
    ],
)  # fmt: skip
def test_an_implicit_field_without_constraints_has_no_effect(place: str, plain: Json) -> None:
    for old, new in [({}, plain), (plain, {})]:
        assert [change.rule for change in _judge(place, old, new)] == ["change-no-effect"]


@pytest.mark.parametrize("place", [EMBEDDED, ITEM])
@pytest.mark.parametrize("name", ["apiVersion", "kind"])
@pytest.mark.parametrize("nullable", [{}, {"nullable": True}])
@pytest.mark.parametrize("without", [None, {}, {"default": None, "nullable": True}])
def test_a_default_of_a_field_that_embedded_resources_require_is_judged_with_the_requirement(
    place: str, name: str, nullable: Json, without: Json
) -> None:
    default = {name: {"type": "string", "default": "Foo", **nullable}}
    others = {} if without is None else {name: {"type": "string", **nullable, **without}}
    removed = _find_default_change(_judge(place, default, others))
    assert (removed.change_class, removed.example is not None) == (ChangeClass.TIGHTEN, True)
    assert _find_default_change(_judge(place, others, default)).change_class is ChangeClass.LOOSEN


def _find_default_change(changes: list[Change]) -> Change:
    (change,) = (change for change in changes if change.rule.startswith("change-default"))
    return change


@pytest.mark.parametrize("name", ["apiVersion", "kind"])
def test_a_default_of_a_whole_object_has_no_requirement(name: str) -> None:
    default = {name: {"type": "string", "default": "Foo"}}
    (change,) = _judge(ROOT, default, {})
    assert change.change_class < ChangeClass.TIGHTEN


def test_names_and_labels_without_constraints_have_no_effect() -> None:
    fields = {"metadata": {"type": "object", "properties": {"name": {"type": "string"}, "labels": LABELS}}}
    assert [change.rule for change in _judge(EMBEDDED, {}, fields)] == ["change-no-effect"]
    assert [change.rule for change in _judge(ROOT, {}, _name({"type": "string"}))] == ["change-no-effect"]


def test_a_rule_may_require_that_an_implicit_field_is_absent() -> None:
    rule = {"x-kubernetes-validations": [{"rule": "!has(self.kind) || self.kind == 'Foo'"}]}
    changes = _judge(ROOT, {}, {"properties": {"kind": {"type": "string"}}, **rule})
    assert "change-rule-added" in {change.rule for change in changes}


def test_a_null_as_metadata_is_dropped_only_if_the_schema_has_it() -> None:
    """A rule that compares embedded resources observes the difference."""
    rule = {"x-kubernetes-validations": [{"rule": "self in [oldSelf]"}]}
    (change,) = _judge(EMBEDDED, {"properties": {}, **rule}, {"properties": {"metadata": {"type": "object"}}, **rule})
    assert (change.rule, change.path) == ("change-nullable-removed", "spec.pod.metadata")


def test_removed_constraints_are_located_at_the_properties_of_the_nearest_parent() -> None:
    old, new = _make_crd(ROOT, _name(SHORT)), _make_crd(ROOT, {})
    (change,) = judge_changes([old], [new])
    schema = new.versions[0].schema
    assert schema is not None
    assert change.at == schema.get_place("properties")


@pytest.mark.parametrize("place", [EMBEDDED, ITEM])
@pytest.mark.parametrize("limits", [{"required": ["name"]}, {"minProperties": 1}, {"anyOf": [{"required": ["name"]}]}])
def test_a_null_as_nullable_metadata_is_validated_as_an_empty_object(place: str, limits: Json) -> None:
    metadata = {"type": "object", "properties": {"name": {"type": "string"}}, **limits}
    (change,) = _judge(place, {"metadata": metadata}, {"metadata": {**metadata, "nullable": True}})
    assert (change.rule, change.change_class) == ("change-nullable-added", ChangeClass.TIGHTEN)
    assert change.is_proven
    assert '"metadata": null' in change.hint


def test_nullable_metadata_is_as_if_the_schema_did_not_have_it() -> None:
    """In both cases, servers store {} for a null."""
    changes = _judge(EMBEDDED, {"metadata": {"type": "object", "nullable": True}}, {})
    assert [change.rule for change in changes] == ["change-no-effect"]


@pytest.mark.parametrize(
    ("labels", "rule"),
    [
        ({"additionalProperties": {"type": "string", "nullable": True}}, "change-nullable-added"),
        ({"x-kubernetes-preserve-unknown-fields": True}, "change-nullable-added"),
    ],
)
def test_labels_without_values_are_as_if_there_were_none(labels: Json, rule: str) -> None:
    """Nulls that servers drop leave no labels, and those that they keep count for a bound on the metadata."""
    fields = [
        {"metadata": {"type": "object", "maxProperties": 0, "properties": {"labels": {"type": "object", **side}}}}
        for side in ({"additionalProperties": {"type": "string"}}, labels)
    ]
    (change,) = (change for change in _judge(EMBEDDED, *fields) if change.rule != "change-no-effect")
    assert (change.rule, change.change_class) == (rule, ChangeClass.TIGHTEN)


STRING = {"type": "string"}
REFERENCE: Json = dict.fromkeys(("apiVersion", "kind", "name", "uid"), STRING)


def _metadata(properties: Json, **keywords: Json) -> Json:
    return {"metadata": {"type": "object", "properties": properties, **keywords}}


def _references(properties: Json, **keywords: Json) -> Json:
    items = {"type": "object", "properties": properties, **keywords}
    return _metadata({"ownerReferences": {"type": "array", "items": items}})


@pytest.mark.parametrize("place", [EMBEDDED, ITEM])
@pytest.mark.parametrize(
    ("old", "new"),
    [
        ({}, _references({"name": STRING, "kind": STRING})),
        (_references(REFERENCE), _references({"name": STRING})),
        (_references(REFERENCE), _references(REFERENCE, required=["name", "uid"])),
        (_metadata({}), _metadata({"managedFields": {"type": "array", "items": {"type": "object", "properties": {}}}})),
        (_metadata({}), _metadata({"labels": {"type": "object"}})),
        (_metadata({"labels": LABELS}), _metadata({"labels": {"type": "object"}})),
        (_metadata({"creationTimestamp": STRING}), _metadata({"creationTimestamp": {**STRING, "format": "date-time"}})),
        (_metadata({}), _metadata({"unknown": STRING})),
    ],
)
def test_servers_decode_metadata_of_embedded_resources_without_regard_to_its_schema(
    place: str, old: Json, new: Json
) -> None:
    """They keep the fields of the Go type and drop others. Source: pruning/algorithm.go, objectmeta/coerce.go."""
    for sides in ((old, new), (new, old)):
        assert {change.rule for change in _judge(place, *sides)} == {"change-no-effect"}


@pytest.mark.parametrize(
    ("old", "new", "rule", "path"),
    [
        ({}, _references({"name": SHORT}), BOUND, "ownerReferences[].name"),
        (_references({}), _references({"name": SHORT}), BOUND, "ownerReferences[].name"),
        ({}, _references({}, required=["controller"]), "change-required-added", "ownerReferences[].controller"),
        ({}, _metadata({"labels": {"type": "object", "properties": {"app": SHORT}}}), "change-field-constrained",
         "labels.app"),
        ({}, _metadata({"creationTimestamp": SHORT}), BOUND, "creationTimestamp"),
        ({}, _metadata({}, required=["unknown"]), "change-required-added", "unknown"),
    ],
)  # fmt: skip
def test_a_constraint_below_metadata_of_an_embedded_resource_is_proven(
    old: Json, new: Json, rule: str, path: str
) -> None:
    (change,) = (change for change in _judge(EMBEDDED, old, new) if change.rule != "change-no-effect")
    assert (change.rule, change.path, change.is_proven) == (rule, f"spec.pod.metadata.{path}", True)
    assert change.example is not None


def test_a_resource_that_is_no_longer_embedded_loses_what_its_metadata_does_not_declare() -> None:
    embedded = _references({"name": STRING})
    crd = _make_crd(EMBEDDED, embedded)
    plain = _make_crd(EMBEDDED, embedded, **{"x-kubernetes-embedded-resource": False})
    assert [change.rule for change in judge_changes([crd], [plain])] == ["change-embedded-removed"]


@pytest.mark.parametrize("place", [EMBEDDED, ITEM])
@pytest.mark.parametrize("name", ["labels", "annotations"])
@pytest.mark.parametrize(
    ("limits", "change_class"), [({"maxProperties": 1}, ChangeClass.TIGHTEN), ({}, ChangeClass.NONE)]
)
def test_servers_keep_nulls_in_labels_that_the_schema_does_not_have(
    place: str, name: str, limits: Json, change_class: ChangeClass
) -> None:
    """They decode them as empty strings, so that the labels are not empty."""
    old, new = _metadata({"name": STRING, name: LABELS}, **limits), _metadata({"name": STRING}, **limits)
    (change,) = _judge(place, old, new)
    assert change.change_class is change_class


def test_servers_keep_nulls_in_labels_that_must_not_exist() -> None:
    limits = {"not": {"required": ["labels"]}}
    (change,) = _judge(
        EMBEDDED, _metadata({"labels": LABELS, "name": STRING}, **limits), _metadata({"name": STRING}, **limits)
    )
    assert (change.path, change.change_class) == ("spec.pod.metadata.labels{}", ChangeClass.TIGHTEN)
