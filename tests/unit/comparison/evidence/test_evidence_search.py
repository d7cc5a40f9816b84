"""The search for evidence at nodes without a type, whose keywords apply to values of their type."""

from __future__ import annotations

from typing import Any

import pytest

from protoc_gen_crd.comparison.api_comparison import judge_changes
from protoc_gen_crd.comparison.change import ChangeClass
from protoc_gen_crd.comparison.evidence import candidate_objects
from protoc_gen_crd.crd.crd import Crd
from protoc_gen_crd.crd.crd_decoder import decode
from protoc_gen_crd.schema.schema import ValidationRule

PRESERVE = {"x-kubernetes-preserve-unknown-fields": True}
STRING = {"type": "string"}
STRINGS = {"type": "array", "items": STRING}
INT_OR_STRING = {"x-kubernetes-int-or-string": True}


def make_crd(value: dict[str, Any]) -> Crd:
    spec = {"type": "object", "properties": {"value": {**PRESERVE, **value}}}
    schema = {"openAPIV3Schema": {"type": "object", "properties": {"spec": spec}}}
    names = {"kind": "Thing", "plural": "things"}
    versions = [{"name": "v1", "served": True, "storage": True, "schema": schema}]
    crd = decode(
        {
            "apiVersion": "apiextensions.k8s.io/v1",
            "kind": "CustomResourceDefinition",
            "metadata": {"name": "things.acme.example"},
            "spec": {"group": "acme.example", "scope": "Namespaced", "names": names, "versions": versions},
        }
    ).crd
    assert crd is not None
    return crd


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ({"maxLength": 10}, {"maxLength": 5}),
        ({}, {"minLength": 40}),
        ({"maximum": 100}, {"maximum": 50}),
        ({}, {"multipleOf": 7}),
        ({"multipleOf": 4}, {"multipleOf": 2}),
        ({"multipleOf": 4, "maximum": 9}, {"multipleOf": 2, "maximum": 9}),
        ({"type": "number", "enum": [2, 4]}, {"type": "number", "enum": [2, 4], "multipleOf": 2}),
    ],
)
def test_values_of_each_type_are_tried(old: dict[str, Any], new: dict[str, Any]) -> None:
    (change,) = judge_changes([make_crd(old)], [make_crd(new)])
    assert change.is_proven
    assert change.example is not None


def test_a_node_with_many_siblings_has_an_example(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(candidate_objects, "_BUDGET", 2_000)
    monkeypatch.setattr(candidate_objects, "_MAX_FULL_PARTS", 200)

    def make_large_crd(limit: int) -> Crd:
        part = {"type": "object", "properties": {"a": {"type": "string", "maxLength": 40}, "b": {"type": "integer"}}}
        changed = {"type": "object", "properties": {"a": {"type": "string", "maxLength": limit}}}
        return make_crd({"type": "object", "properties": {**{f"f{at}": part for at in range(1_000)}, "last": changed}})

    (change,) = judge_changes([make_large_crd(40)], [make_large_crd(30)])
    assert change.is_proven
    assert change.example is not None


PORTS = {
    "type": "array",
    "items": {
        "type": "object",
        "properties": {"name": {"type": "string"}, "port": {"type": "integer"}},
        "required": ["name", "port"],
    },
    "x-kubernetes-list-type": "map",
    "x-kubernetes-list-map-keys": ["name", "port"],
}
REFERENCE = {
    "type": "object",
    "properties": {"group": {"type": "string"}, "kind": {"type": "string"}},
    "required": ["group", "kind"],
}
CHOICE: dict[str, Any] = {
    "type": "object",
    "properties": {name: {"type": "string"} for name in "abz"},
    "minProperties": 1,
    "maxProperties": 1,
}
LETTERS = {"type": "array", "items": {"type": "string", "enum": ["A", "B"]}}


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ({"type": "object"}, {"type": "object", "x-kubernetes-embedded-resource": True}, "apiVersion: Required value"),
        (PORTS, {**PORTS, "x-kubernetes-list-map-keys": ["name"]}, "Duplicate value"),
        (LETTERS, {**LETTERS, "maxItems": 5}, "must have at most 5 items"),
        (
            REFERENCE,
            {**REFERENCE, "x-kubernetes-validations": [{"rule": "self.kind == oldSelf.kind"}]},
            "failed rule: self.kind == oldSelf.kind",
        ),
        (CHOICE, {**CHOICE, "properties": {**CHOICE["properties"], "z": {"type": "string", "maxLength": 3}}}, "z"),
    ],
)
def test_an_example_is_found(old: dict[str, Any], new: dict[str, Any], message: str) -> None:
    (change,) = judge_changes([make_crd(old)], [make_crd(new)])
    assert change.is_proven
    assert message in change.hint


MANY = "Too many: 2: must have at most 1 item"
SINGLE = {**CHOICE, "minProperties": 0}
PAIR = {"type": "object", "properties": {"a": {"type": "string"}, "b": {"type": "string"}}}
EXCLUSIVE = {"oneOf": [{"required": ["a"]}, {"required": ["b"]}]}
ENTRIES = {"type": "object", "additionalProperties": {"type": "string"}, "maxProperties": 1}


def _allow_null(schema: dict[str, Any], name: str) -> dict[str, Any]:
    """Return an object whose property is nullable, or a map with nullable values."""
    if name == "{}":
        return {**schema, "additionalProperties": {"type": "string", "nullable": True}}
    return {**schema, "properties": {**schema["properties"], name: {"type": "string", "nullable": True}}}


@pytest.mark.parametrize(
    ("old", "new", "message", "expected"),
    [
        (SINGLE, _allow_null(SINGLE, "z"), MANY, {"a": "example", "z": None}),
        ({**PAIR, **EXCLUSIVE}, {**_allow_null(PAIR, "a"), **EXCLUSIVE}, "oneOf", {"a": None, "b": "example"}),
        (ENTRIES, _allow_null(ENTRIES, "{}"), MANY, {"key": None, "key-1": "example"}),
        ({**_allow_null(PAIR, "a"), "minProperties": 1}, {**PAIR, "minProperties": 1}, "at least 1", {"a": None}),
        ({**_allow_null(PAIR, "a"), "required": ["a"]}, {**PAIR, "required": ["a"]}, "Required", {"a": None}),
        (
            {**SINGLE, **PRESERVE},
            {**SINGLE, **PRESERVE, "properties": {"a": {"type": "string"}}},
            MANY,
            {"b": None, "a": "example"},
        ),
        (
            {"type": "array", "items": {"type": "string", "nullable": True}},
            {"type": "array", "items": {"type": "string"}},
            "must be of type string",
            [None],
        ),
        (
            {"type": "array", "items": {**_allow_null(PAIR, "a"), **EXCLUSIVE}},
            {"type": "array", "items": {**PAIR, **EXCLUSIVE}},
            "oneOf",
            [{"a": None}],
        ),
    ],
)
def test_a_null_that_servers_keep_or_drop_has_an_example(
    old: dict[str, Any], new: dict[str, Any], message: str, expected: Any
) -> None:
    changes = judge_changes(
        [make_crd({"type": "object", "properties": {"v": old}})],
        [make_crd({"type": "object", "properties": {"v": new}})],
    )
    change = next(change for change in changes if change.change_class is ChangeClass.TIGHTEN)
    assert change.is_proven
    assert message in change.hint
    assert change.example is not None
    assert change.example["spec"]["value"]["v"] == expected


def test_a_default_that_may_reject_objects_shows_what_is_stored() -> None:
    def make(field: dict[str, Any]) -> Crd:
        rules = [{"rule": "has(self.a) || true"}]
        return make_crd({"type": "object", "properties": {"a": field}, "x-kubernetes-validations": rules})

    (change,) = judge_changes([make({"type": "string"})], [make({"type": "string", "default": "x"})])
    assert change.change_class is ChangeClass.TIGHTEN
    assert not change.is_proven
    assert change.hint.startswith("for example, ")
    assert change.hint.endswith("; no object was found that only the old API accepts")
    assert ' is stored as {"spec": {"value": {"a": "x"}}}' in change.hint


@pytest.mark.parametrize(("name", "change_class"), [("name", ChangeClass.TIGHTEN), ("other", ChangeClass.SEMANTIC)])
def test_a_default_below_a_list_of_type_map_rejects_only_duplicate_keys(name: str, change_class: ChangeClass) -> None:
    def make(default: dict[str, Any]) -> Crd:
        fields = {key: {"type": "string", **(default if key == name else {})} for key in ("name", "port", "other")}
        items = {"type": "object", "required": ["port"], "properties": fields}
        fields["name"] = {"default": "a", **fields["name"]}
        keys = {"x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["name", "port"]}
        return make_crd({"type": "array", "items": items, **keys})

    (change,) = judge_changes([make({})], [make({"default": "b"})])
    assert change.change_class is change_class
    assert ("Duplicate value" in change.hint) is (change_class is ChangeClass.TIGHTEN)


def test_a_null_that_servers_now_drop_makes_items_equal() -> None:
    item = {**PAIR, "x-kubernetes-map-type": "atomic"}
    lists = (
        {"type": "array", "x-kubernetes-list-type": "set", "items": side} for side in (_allow_null(item, "a"), item)
    )
    sides = [make_crd({"type": "object", "properties": {"v": side}}) for side in lists]
    (change,) = judge_changes(sides[:1], sides[1:])
    assert "Duplicate value" in change.hint
    assert change.example is not None
    assert change.example["spec"]["value"] == {"v": [{"a": None}, {}]}


def test_lists_that_exceed_a_bound_have_the_smallest_items() -> None:
    item = {"type": "object", "required": ["a"], "properties": {"a": {"type": "string"}, "b": {"type": "string"}}}
    old = {"type": "array", "items": item}
    (change,) = judge_changes([make_crd(old)], [make_crd({**old, "maxItems": 20})])
    assert change.example is not None
    items = change.example["spec"]["value"]
    assert len(items) == 21
    assert all(item.keys() == {"a"} for item in items)


def test_lists_whose_items_are_pruned_have_an_example() -> None:
    item = {"type": "object", "properties": {"a": {"type": "string"}}}
    new = {"type": "array", "items": {"type": "array", "items": item}}
    crds = [make_crd({"type": "object", "properties": {"list": side}}) for side in ({**new, **PRESERVE}, new)]
    (change,) = judge_changes(crds[:1], crds[1:])
    assert change.rule == "change-unknown-fields-pruned"
    assert change.example is not None
    assert change.example["spec"]["value"] == {"list": [[{"unknownField": 1}]]}


ALTERNATIVES = {"oneOf": [{"required": ["a"]}, {"required": ["b"]}]}


@pytest.mark.parametrize(
    ("keywords", "parents"),
    [
        (ALTERNATIVES, {}),
        ({"not": {"required": ["a", "b"]}}, {}),
        ({}, {"oneOf": [{"properties": {"inner": {"required": [name]}}} for name in "ab"]}),
    ],
)
def test_a_default_shows_an_object_of_another_alternative(keywords: dict[str, Any], parents: dict[str, Any]) -> None:
    def make(field: dict[str, Any]) -> Crd:
        fields = {"a": {"type": "string", **field}, "b": {"type": "string"}}
        inner = {"type": "object", "properties": fields, **keywords}
        return make_crd({"type": "object", "properties": {"inner": inner}, "required": ["inner"], **parents})

    (change,) = judge_changes([make({})], [make({"default": "x"})])
    assert change.is_proven
    assert change.example is not None
    assert change.example["spec"]["value"]["inner"].keys() == {"b"}


@pytest.mark.parametrize(
    "keywords",
    [{"maxProperties": 1}, {"enum": [{}, {"a": "b"}]}, {"not": {"minProperties": 2}}],
)
def test_unknown_fields_that_servers_keep_have_an_example(keywords: dict[str, Any]) -> None:
    old = {**PAIR, **keywords}
    sides = [make_crd({"type": "object", "properties": {"v": side}}) for side in (old, {**old, **PRESERVE})]
    (change,) = judge_changes(sides[:1], sides[1:])
    assert change.rule == "change-unknown-fields-preserved"
    assert change.is_proven
    assert change.example is not None


def test_an_update_has_only_what_the_rule_needs() -> None:
    rules = {"x-kubernetes-validations": [{"rule": "!has(oldSelf.a) || has(self.a)"}]}
    (change,) = judge_changes([make_crd(PAIR)], [make_crd({**PAIR, **rules})])
    assert change.before is not None
    assert change.example is not None
    assert change.before["spec"] == {"value": {"a": "example"}}
    assert change.example["spec"] == {"value": {}}


@pytest.mark.parametrize(("limit", "names"), [(1, "a"), (2, "ab")])
def test_a_new_field_with_a_default_shows_an_object_with_too_many_others(limit: int, names: str) -> None:
    def make(fields: str) -> Crd:
        properties = {name: {"type": "string", **({"default": "q"} if name == "c" else {})} for name in fields}
        inner = {"type": "object", "properties": properties, "maxProperties": limit}
        return make_crd({"type": "object", "properties": {"v": inner}})

    (change,) = judge_changes([make("ab")], [make("abc")])
    assert f"Too many: {limit + 1}" in change.hint
    assert change.example is not None
    assert set(change.example["spec"]["value"]["v"]) == set(names)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (INT_OR_STRING, {**INT_OR_STRING, "minLength": 1}),
        ({**INT_OR_STRING, "maxLength": 10}, {**INT_OR_STRING, "maxLength": 9}),
        ({**STRING, "pattern": "^[a-z]+$"}, {**STRING, "pattern": "^[a-y]+$"}),
        (STRING, {**STRING, "pattern": "^[^q]*$"}),
        (STRING, {**STRING, "maxLength": 5_000}),
        ({**STRING, "pattern": "^[a-z]+$"}, {**STRING, "pattern": "^[a-z]+$", "maxLength": 8_000}),
        (STRINGS, {**STRINGS, "maxItems": 5_000}),
        ({"type": "number"}, {"type": "number", "format": "float"}),
        ({"type": "number", "format": "double"}, {"type": "number", "format": "float"}),
        ({"type": "number", "minimum": 0}, {"type": "number", "minimum": 0, "format": "float"}),
        (STRING, {**STRING, "not": {"enum": ["default"]}}),
        ({**STRING, "not": {"enum": ["a"]}}, {**STRING, "not": {"enum": ["a", "b"]}}),
        (STRING, {**STRING, "not": {"pattern": "^kube-"}}),
        (STRING, {**STRING, "allOf": [{"not": {"anyOf": [{"enum": ["zyx"]}, {"pattern": "^zz$"}]}}]}),
        (STRING, {**STRING, "anyOf": [{"not": {"enum": ["zyx"]}}, {"pattern": "^q"}]}),
        ({"type": "integer"}, {"type": "integer", "not": {"enum": [42]}}),
        (STRINGS, {**STRINGS, "not": {"minItems": 3}}),
        (PAIR, {**PAIR, "not": {"properties": {"a": {"enum": ["zyx"]}}, "required": ["a"]}}),
    ],
)
def test_a_field_has_an_example(old: dict[str, Any], new: dict[str, Any]) -> None:
    sides = [make_crd({"type": "object", "properties": {"v": side}}) for side in (old, new)]
    (change,) = judge_changes(sides[:1], sides[1:])
    assert change.change_class is ChangeClass.TIGHTEN
    assert " is rejected: " in change.hint


@pytest.mark.parametrize(
    ("old", "new", "change_class"),
    [
        ("^[a-y]+$", "^[a-z]+$", ChangeClass.LOOSEN),
        ("^(a|b)$", "^[ab]$", ChangeClass.NONE),
        ("(?m)^a$", "^a$", ChangeClass.TIGHTEN),
    ],
)
def test_a_pattern_that_matches_more_is_loosened(old: str, new: str, change_class: ChangeClass) -> None:
    sides = [make_crd({"type": "object", "properties": {"v": {**STRING, "pattern": side}}}) for side in (old, new)]
    (change,) = judge_changes(sides[:1], sides[1:])
    assert change.change_class is change_class


def test_the_example_of_a_rule_on_the_name_shows_the_name() -> None:
    def make(rule: str) -> Crd:
        crd = make_crd({})
        rules = [ValidationRule(rule)]
        schemas = [version.schema for version in crd.versions if version.schema is not None]
        versions = [
            version.replace(schema=schema.with_keywords({"x-kubernetes-validations": rules}))
            for version, schema in zip(crd.versions, schemas, strict=True)
        ]
        return crd.replace(versions=tuple(versions))

    (change,) = judge_changes([make("self.metadata.name.size() < 300")], [make("self.metadata.name.size() < 3")])
    assert 'for example, {"metadata": {"name": "example"}} is rejected: ' in change.hint


def test_a_lost_default_is_shown_rather_than_a_null_that_is_kept() -> None:
    """Servers drop nulls of known fields, too, but keep those of unknown fields."""
    known = {"properties": {"color": {"type": "object", "properties": {"name": {**STRING, "default": "red"}}}}}
    (change,) = judge_changes([make_crd({"type": "object", **known})], [make_crd({"type": "object"})])
    assert change.rule == "change-field-opened"
    assert change.change_class is ChangeClass.SEMANTIC
    assert change.example is not None
    assert change.example["spec"] == {"value": {"color": {}}}


def test_a_default_that_is_no_longer_stored_for_a_null_is_shown() -> None:
    sides = [make_crd({"type": "object", "properties": {"a": {**STRING, "default": "x", **nullable}}})
             for nullable in ({}, {"nullable": True})]  # fmt: skip
    (change,) = judge_changes(sides[:1], sides[1:])
    assert (change.rule, change.change_class) == ("change-nullable-added", ChangeClass.SEMANTIC)
    assert change.hint == (
        'for example, {"spec": {"value": {"a": null}}} is stored as {"spec": {"value": {"a": null}}} '
        'instead of {"spec": {"value": {"a": "x"}}}'
    )


UNION: dict[str, Any] = {
    "type": "object",
    "required": ["type"],
    "properties": {
        "type": {**STRING, "enum": ["Add", "Set"]},
        "add": {"type": "object", "properties": {"text": STRING}},
        "set": {"type": "object", "properties": {"text": STRING}},
    },
    "x-kubernetes-validations": [
        {"rule": "has(self.add) == (self.type == 'Add')"},
        {"rule": "has(self.set) == (self.type == 'Set')"},
    ],
}


@pytest.mark.parametrize("branch", ["add", "set"])
def test_a_field_in_any_branch_of_a_union_has_an_example(branch: str) -> None:
    members = {**UNION["properties"], branch: {"type": "object", "properties": {"text": {**STRING, "pattern": "^x"}}}}
    (change,) = judge_changes([make_crd(UNION)], [make_crd({**UNION, "properties": members})])
    assert change.is_proven
    assert change.example is not None
    example = change.example["spec"]["value"]
    assert example == {"type": branch.capitalize(), branch: example[branch]}
    assert not example[branch]["text"].startswith("x")


@pytest.mark.parametrize(
    ("rule", "expected"),
    [
        ("!has(self.add) || self.type == 'Add'", {"type": "Set", "add": {}}),
        ("self.type != 'Set' // for now", {"type": "Set"}),
        ("!has(self.names) || !('*' in self.names && self.names.size() > 1)", {"type": "Add", "names": ["*"]}),
    ],
)
def test_a_new_rule_has_an_example_that_follows_the_old_rules(rule: str, expected: dict[str, Any]) -> None:
    members = {**UNION["properties"], "names": STRINGS}
    old = {**UNION, "properties": members, "x-kubernetes-validations": [{"rule": "self.type != ''"}]}
    rules = [*old["x-kubernetes-validations"], {"rule": rule}]
    (change,) = judge_changes([make_crd(old)], [make_crd({**old, "x-kubernetes-validations": rules})])
    assert change.is_proven
    assert change.example is not None
    example = change.example["spec"]["value"]
    assert example.keys() == expected.keys()
    assert example["type"] == expected["type"]
    assert set(expected.get("names", ())) <= set(example.get("names", ()))


def test_a_repeated_branch_of_a_union_has_an_example() -> None:
    old = {"type": "array", "items": UNION}
    rules = [{"rule": "self.filter(v, v.type == 'Set').size() <= 1"}]
    (change,) = judge_changes([make_crd(old)], [make_crd({**old, "x-kubernetes-validations": rules})])
    assert change.is_proven
    assert change.example is not None
    assert change.example["spec"]["value"] == [{"type": "Set", "set": {}}] * 2


def test_a_string_of_a_pattern_exceeds_a_new_length() -> None:
    old = {**STRING, "pattern": r"^\[[0-9]+-[0-9]+\]$"}
    (change,) = judge_changes([make_crd(old)], [make_crd({**old, "maxLength": 33})])
    assert change.is_proven
    assert change.example is not None
    assert len(change.example["spec"]["value"]) > 33


def test_a_list_of_values_of_an_enum_exceeds_a_new_bound() -> None:
    items = {"type": "object", "required": ["type"], "properties": {"type": {**STRING, "enum": ["a", "b"]}}}
    old = {"type": "array", "items": items}
    (change,) = judge_changes([make_crd(old)], [make_crd({**old, "maxItems": 100})])
    assert change.is_proven
    assert change.example is not None
    assert len(change.example["spec"]["value"]) == 101
