from __future__ import annotations

import json
from typing import Any

import pytest

from protoc_gen_crd.base.yamlwrite import dump
from protoc_gen_crd.build.size import INDENTATION, Sizes, bounded
from protoc_gen_crd.crd.types import Crd, Names, Version
from protoc_gen_crd.schema.codec import Encoded, encode
from protoc_gen_crd.schema.types import PRESERVE, VALIDATIONS, Rule, Schema

TEXT = Schema({"type": "string"})


def nested(depth: int, leaf: Schema) -> Schema:
    for _ in range(depth):
        leaf = Schema({"type": "object", "properties": {"next": leaf}})
    return leaf


def wide(count: int) -> Schema:
    return Schema({"type": "object", "properties": {f"field{number}": TEXT for number in range(count)}})


SCHEMAS = {
    "fields": wide(1000),
    "values": Schema({"type": "string", "enum": [f"VALUE_{number}" for number in range(1000)]}),
    "pattern": Schema({"type": "string", "pattern": "x" * 10_000}),
    "default": Schema({"type": "object", "default": {f"key{number}": ["value"] * 3 for number in range(1000)}}),
    "rules": Schema({"type": "object", VALIDATIONS: (Rule("r" * 5000, "m" * 5000),) * 3}),
    "lines": nested(100, Schema({"type": "string", "description": "a line\n" * 1000})),
    "deep": nested(100, wide(1000)),
    "items": nested(20, Schema({"type": "array", "items": wide(100)})),
}


@pytest.mark.parametrize("name", SCHEMAS)
def test_sizes_are_near_the_true_ones(name: str) -> None:
    plain: Any = encode(SCHEMAS[name], Encoded())
    _, size, _, columns = Sizes(1, 1)._measure(SCHEMAS[name])
    assert 0.7 < size / len(json.dumps(plain, separators=(",", ":"))) < 2
    assert 0.7 < (size + columns) / len(dump(plain)) < 2


@pytest.mark.parametrize(
    ("nodes", "size", "schema", "excess"),
    [
        (3, 1000, wide(2), ""),
        (2, 1000, wide(2), "at most 2 nodes, found 3"),
        (3, 100, wide(2), "at most 100 bytes of JSON, found 128"),
        (1000, 18_000, nested(200, wide(50)), f"at most {INDENTATION * 18_000} bytes of YAML, found 335448"),
    ],
)
def test_what_is_exceeded(nodes: int, size: int, schema: Schema, excess: str) -> None:
    assert Sizes(nodes, size).excess(schema) == excess


def test_versions_count_together() -> None:
    versions = tuple(Version(f"v{number}", wide(10), storage=not number) for number in range(3))
    crd = Crd("acme.example", Names("Widget", "widgets", "widget", "WidgetList"), "Namespaced", versions, {}, {})
    told: list[str] = []
    assert bounded([crd], Sizes(5, 2000), lambda _, excess: told.append(excess)) == (crd,)
    (less,) = bounded([crd], Sizes(5, 1000), lambda _, excess: told.append(excess))
    assert told == ["at most 1000 bytes of JSON, found 1344 in 3 versions"]
    assert [version.schema.keywords for version in less.versions if version.schema] == [
        {"type": "object", PRESERVE: True}
    ] * 3
