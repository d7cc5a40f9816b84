from __future__ import annotations

import json
from typing import Any

import pytest

from protoc_gen_crd.crd.crd import Crd, CrdVersion, Names
from protoc_gen_crd.generation.schema_size import INDENTATION, SchemaMeasurer, enforce_size_limits
from protoc_gen_crd.schema.schema import PRESERVE, VALIDATIONS, Schema, ValidationRule
from protoc_gen_crd.schema.schema_encoder import EncodedSchemas, encode
from protoc_gen_crd.yaml.writer import dump

STRING = Schema({"type": "string"})


def nested(depth: int, leaf: Schema) -> Schema:
    for _ in range(depth):
        leaf = Schema({"type": "object", "properties": {"next": leaf}})
    return leaf


def wide(count: int) -> Schema:
    return Schema({"type": "object", "properties": {f"field{number}": STRING for number in range(count)}})


SCHEMAS = {
    "fields": wide(1000),
    "values": Schema({"type": "string", "enum": [f"VALUE_{number}" for number in range(1000)]}),
    "pattern": Schema({"type": "string", "pattern": "x" * 10_000}),
    "default": Schema({"type": "object", "default": {f"key{number}": ["value"] * 3 for number in range(1000)}}),
    "rules": Schema({"type": "object", VALIDATIONS: (ValidationRule("r" * 5000, "m" * 5000),) * 3}),
    "lines": nested(100, Schema({"type": "string", "description": "a line\n" * 1000})),
    "deep": nested(100, wide(1000)),
    "items": nested(20, Schema({"type": "array", "items": wide(100)})),
}


@pytest.mark.parametrize("name", SCHEMAS)
def test_sizes_are_approximate(name: str) -> None:
    plain: Any = encode(SCHEMAS[name], EncodedSchemas())
    _, size, _, columns = SchemaMeasurer(1, 1)._measure(SCHEMAS[name])
    assert 0.7 < size / len(json.dumps(plain, separators=(",", ":"))) < 2
    assert 0.7 < (size + columns) / len(dump(plain)) < 2


@pytest.mark.parametrize(
    ("nodes", "size", "schema", "excess"),
    [
        (3, 1000, wide(2), ""),
        (2, 1000, wide(2), "3 nodes, the limit is 2"),
        (3, 100, wide(2), "128 bytes of JSON, the limit is 100"),
        (1000, 18_000, nested(200, wide(50)), f"335448 bytes of YAML, the limit is {INDENTATION * 18_000}"),
    ],
)
def test_schemas_above_a_limit_are_described(nodes: int, size: int, schema: Schema, excess: str) -> None:
    assert SchemaMeasurer(nodes, size).find_excess(schema) == excess


def test_versions_count_together() -> None:
    versions = tuple(CrdVersion(f"v{number}", wide(10), storage=not number) for number in range(3))
    crd = Crd("acme.example", Names("Widget", "widgets", "widget", "WidgetList"), "Namespaced", versions, {}, {})
    reports: list[str] = []
    assert enforce_size_limits([crd], SchemaMeasurer(5, 2000), lambda _, excess: reports.append(excess)) == (crd,)
    (reduced,) = enforce_size_limits([crd], SchemaMeasurer(5, 1000), lambda _, excess: reports.append(excess))
    assert reports == ["1344 bytes of JSON, the limit is 1000 (3 versions)"]
    assert [version.schema.keywords for version in reduced.versions if version.schema] == [
        {"type": "object", PRESERVE: True}
    ] * 3
