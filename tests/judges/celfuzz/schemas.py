"""Random structural schemas, and data that mostly fits them."""

from __future__ import annotations

import json
import random
from typing import Any

Json = Any
_NAMES = (
    "s", "i", "d", "b", "a-b", "namespace", "x_y", "a__b", "t", "u", "l", "m", "o", "1a", "in", "k", "a.b", "c/d", "if",
    "__x__", "size", "a b", "type", "int", "é", "$x", "-", "a__dash__b", "true", "null", "a.b-c/d", "self", "x", "_",
    "",
)  # fmt: skip
_KEYS = ("a", "b", "k", "x-y", "é", "", "1", "true", "a.b", '"', "k" * 70)
_BOUNDS = (0, 1, 2, 3, 5, 10, 63, 100, 253, 1000, 100_000, 3_145_728)
_TEXTS = (
    "",
    "a",
    "b",
    "ab",
    "1s",
    "é",
    "k",
    "10.0.0.1",
    "1Gi",
    "1.2.3",
    "2020-01-01T00:00:00Z",
    "x-y",
    "😀" * 9,
    "a" * 300,
    "\"'\\",
    "\x00\x7f\u2028",
    "e\u0301",
    "%s",
    "(",
    "::1/64",
    "https://a.b/c?d=e",
    "-0",
    "1e3",
    "true",
)
_FORMATS: dict[str, tuple[str, ...]] = {
    "duration": (
        "1s", "90m", "3 days", "0", "-1.5h", "2 weeks 1d", "bad", "1us", "2562047h47m16.854775807s", "2562048h", "1",
        "", "1.5 hours", "-3w",
    ),
    "date": ("2020-01-01", "2024-02-29", "0001-01-01", "9999-12-31", "0000-01-01", "2023-02-29", "2020-1-1"),
    "date-time": (
        "2020-01-01T00:00:00Z", "2021-03-14T01:59:26.535-05:00", "2020-01-01T00:00:00", "",
        "2020-01-01T00:00:00.123456789Z", "0001-01-01T00:00:00Z", "9999-12-31T23:59:59.999999999Z",
        "2016-12-31T23:59:60Z", "2020-01-01t00:00:00z", "2020-01-01T24:00:00Z", "0000-12-31T23:59:59-23:59",
        "2020-01-01 00:00:00Z", "1969-12-31T23:59:59.9+23:59",
    ),
    "byte": ("YQ==", "", "/+8=", "_-8=", "YWI", "YQ", "Y Q==", "YQ==\n", "////", "YQ==YQ=="),
    "uuid": ("a", "123e4567-e89b-12d3-a456-426614174000"), "int32": ("a",), "ipv4": ("1.2.3.4",), "email": ("a@b.c",),
}  # fmt: skip


class Schemas:
    """Makes a schema and data for it from a seed."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)  # noqa: S311 - not for secrets
        self.misfits = 0.03 if seed % 10 == 0 else 0  # servers evaluate no rule on what is of another type

    def object(self, depth: int) -> dict[str, Any]:
        """An object with some properties."""
        names = self.random.sample(_NAMES, self.random.randint(2, 6))
        schema: dict[str, Any] = {"type": "object", "properties": {name: self.any(depth - 1) for name in names}}
        if self.random.random() < 0.2:
            schema["x-kubernetes-preserve-unknown-fields"] = True
        return schema

    def any(self, depth: int) -> dict[str, Any]:
        """A schema of any kind."""
        ways = [self.scalar] * 4 + ([self.list, self.map, self.object] * 2 if depth > 0 else [])
        ways += [self.embedded] if depth > 0 else []
        schema = self.random.choice(ways)(depth)
        if self.random.random() < 0.15:
            schema["nullable"] = True
        return schema

    def scalar(self, _: int) -> dict[str, Any]:
        """A text, number or truth."""
        kind = self.random.choice(("string", "integer", "number", "boolean", "format", "either", "preserved"))
        if kind == "format":
            return {"type": "string", "format": self.random.choice(list(_FORMATS))}
        if kind == "either":
            return {"x-kubernetes-int-or-string": True}
        if kind == "preserved" and self.random.random() < 0.5:
            return {"type": "object", "x-kubernetes-preserve-unknown-fields": True}
        if kind == "string" and self.random.random() < 0.2:
            return {"type": "string", "enum": self.random.sample(_TEXTS, 3)}
        return {"type": kind if kind != "preserved" else "string"}

    def embedded(self, depth: int) -> dict[str, Any]:
        """A whole object within another."""
        schema = self.object(depth)
        return {**schema, "x-kubernetes-embedded-resource": True}

    def map(self, depth: int) -> dict[str, Any]:
        """Any names."""
        return {"type": "object", "additionalProperties": self.any(depth - 1)}

    def list(self, depth: int) -> dict[str, Any]:
        """A list of some type."""
        kind = self.random.choice(("atomic", "set", "map", None))
        if kind == "set":
            return {"type": "array", "items": self.scalar(0), "x-kubernetes-list-type": "set"}
        if kind == "map":
            item: dict[str, Any] = {
                "type": "object",
                "properties": {"k": {"type": "string"}, "a-b": {"type": "integer"}, "v": self.any(depth - 1)},
            }
            keys = self.random.choice((["k"], ["k", "a-b"]))
            return {
                "type": "array", "items": item, "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": keys,
            }  # fmt: skip
        schema = {"type": "array", "items": self.any(depth - 1)}
        return schema if kind is None else {**schema, "x-kubernetes-list-type": kind}

    def head(self) -> dict[str, Any]:
        """What a whole object begins with."""
        header = {
            "apiVersion": "v1",
            "kind": "A",
            "metadata": {"name": "a", "labels": {"a": "b"}, "generateName": "a-"},
        }
        return {key: value for key, value in header.items() if self.random.random() < 0.9}

    def data(self, schema: dict[str, Any]) -> Json:
        """A value that mostly fits."""
        chance = self.random.random()
        if chance < self.misfits:
            return self.random.choice((None, 4.0, "a", 1, True, [], {}))
        if chance < 0.1 and schema.get("nullable"):
            return None
        if "x-kubernetes-int-or-string" in schema:
            return self.random.choice((1, "a", "50%", 2))
        return getattr(self, f"_{schema['type']}")(schema)

    def _object(self, schema: dict[str, Any]) -> Json:
        values = schema.get("additionalProperties")
        if values:
            return {key: self.data(values) for key in self.random.sample(_KEYS, self.random.randint(0, 3))}
        properties = schema.get("properties", {})
        data = {name: self.data(child) for name, child in properties.items() if self.random.random() < 0.8}
        if schema.get("x-kubernetes-preserve-unknown-fields") and self.random.random() < 0.5:
            data["unknown"] = self.random.choice(
                (1, "a", {"x": [1, 2.5]}, None, [None, True, {"é": {}}], 1e21, 2**63 - 1)
            )
        return data | (self.head() if schema.get("x-kubernetes-embedded-resource") else {})

    def _array(self, schema: dict[str, Any]) -> Json:
        items = [self.data(schema["items"]) for _ in range(self.random.randint(0, 3))]
        keys = schema.get("x-kubernetes-list-map-keys", [])
        if schema.get("x-kubernetes-list-type") not in ("set", "map"):
            return items
        items_by_key = {
            json.dumps([item.get(key) for key in keys] if isinstance(item, dict) else item): item for item in items
        }
        return list(items_by_key.values())

    def _string(self, schema: dict[str, Any]) -> Json:
        if "enum" in schema:
            return self.random.choice(schema["enum"])
        return self.random.choice(_FORMATS.get(schema.get("format", ""), _TEXTS))

    def _integer(self, _: dict[str, Any]) -> Json:
        return self.random.choice((0, 1, 2, -1, 5, 100, 2**63 - 1, -(2**63), 2**53 + 1, -(2**31), 1 << 32))

    def _number(self, _: dict[str, Any]) -> Json:
        return self.random.choice((0, 1, 1.5, -2.25, 1e300, 3, -0.0, 5e-324, 1e21, 1e-7, 0.1, 2**53 + 1, 2**63 - 1))

    def _boolean(self, _: dict[str, Any]) -> Json:
        return self.random.random() < 0.5


def bound(schema: dict[str, Any], chance: random.Random) -> None:
    """Give half of all lists, maps and texts a bound, which estimates go by and values need not keep."""
    for child in (*schema.get("properties", {}).values(), schema.get("items"), schema.get("additionalProperties")):
        if isinstance(child, dict):
            bound(child, chance)
    if chance.random() < 0.5:
        return
    bounds = {"string": "maxLength", "array": "maxItems"}
    keyword = bounds.get(schema.get("type", ""), "maxProperties" if "additionalProperties" in schema else "")
    if schema.get("x-kubernetes-int-or-string"):
        keyword = "maxLength"
    if keyword:
        schema[keyword] = chance.choice(_BOUNDS)
