"""The messages and fields of recorded releases, whose files anyone can edit."""

from __future__ import annotations

import pytest

from protoc_gen_crd.comparison.protos.proto_summary import ENUM, MESSAGE, SERVICE, ProtoSummary, ProtoType
from protoc_gen_crd.comparison.recorded_messages import restore_messages
from protoc_gen_crd.crd.crd import Crd, CrdVersion, Names
from protoc_gen_crd.schema.schema import FIELD, TYPE, FieldOrigin, Schema

STRING = Schema({"type": "string"})
PART = Schema({"type": "object", "properties": {"name": STRING}})
SPEC = Schema(
    {
        "type": "object",
        "properties": {
            "part": PART,
            "parts": Schema({"type": "array", "items": PART}),
            "byName": Schema({"type": "object", "additionalProperties": PART}),
            "mode": Schema({"type": "string", "enum": ["ON"]}),
            "other": STRING,
        },
    }
)
TYPES = {
    "a.Widget": ProtoType(MESSAGE, {}, {
        "part": {"number": 1, "type": "a.Part"},
        "parts": {"number": 2, "type": "repeated a.Part"},
        "by_name": {"number": 3, "type": "map<string, a.Part>", "json": "byName"},
        "mode": {"number": 4, "type": "a.Mode"},
    }),
    "a.Part": ProtoType(MESSAGE, {}, {"name": {"number": 7, "type": "string"}}),
    "a.Mode": ProtoType(ENUM, {}, {"ON": {"number": 0}}),
    "a.Service": ProtoType(SERVICE, {}, {"part": {"request": "a.Part", "response": "a.Part"}}),
}  # fmt: skip


def restore(kinds: dict[str, dict[str, str]], root: Schema) -> Schema:
    crd = Crd("a.example", Names("Widget", "widgets"), "Namespaced", (CrdVersion("v1", schema=root),))
    (restored,) = restore_messages([crd], ProtoSummary({}, TYPES, kinds=kinds))
    schema = restored.versions[0].schema
    assert schema is not None
    return schema


def get_type(schema: Schema) -> str:
    named = (schema.facts or {}).get(TYPE)
    return named.name if named else ""


@pytest.mark.parametrize("path", ["spec", ""])
def test_messages_and_fields_are_restored(path: str) -> None:
    root = restore(
        {"a.example/Widget.v1": {path: "a.Widget"}}, Schema({"properties": {"spec": SPEC}}) if path else SPEC
    )
    spec = root.properties["spec"] if path else root
    assert get_type(spec) == "a.Widget"
    fields = {name: (node.facts or {}).get(FIELD) for name, node in spec.properties.items()}
    assert fields == {
        "part": FieldOrigin("a.Widget.part", 1),
        "parts": FieldOrigin("a.Widget.parts", 2),
        "byName": FieldOrigin("a.Widget.by_name", 3),
        "mode": FieldOrigin("a.Widget.mode", 4),
        "other": None,
    }
    items, values = spec.properties["parts"].items, spec.properties["byName"].additional
    for part in (spec.properties["part"], items, values):
        assert isinstance(part, Schema)
        assert get_type(part) == "a.Part"
        assert (part.properties["name"].facts or {})[FIELD].number == 7
    assert get_type(spec.properties["mode"]) == "a.Mode"


@pytest.mark.parametrize("name", ["a.Mode", "a.Service", "a.Unknown", ""])
@pytest.mark.parametrize("key", ["a.example/Widget.v1", "a.example/Widget.v2", "Widget"])
def test_names_of_something_else_restore_no_fields(key: str, name: str) -> None:
    root = restore({key: {"spec": name, "": name, "status": name}}, Schema({"properties": {"spec": SPEC}}))
    nodes = [root, root.properties["spec"], *root.properties["spec"].properties.values()]
    assert all(FIELD not in (node.facts or {}) for node in nodes)
