"""Random kinds whose fields declare their counterparts in the previous version, and random objects of them."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from copy import deepcopy
from functools import cached_property
from random import Random
from typing import Any

from protoc_gen_crd.crd.crd import Crd
from protoc_gen_crd.crd.crd_decoder import decode
from protoc_gen_crd.findings.finding import Location
from protoc_gen_crd.schema.schema import CONVERSION, Schema

Json = dict[str, Any]
VERSIONS = ("v1alpha1", "v1alpha2", "v1beta1", "v1")
DECLARED = "x-declared"  # the conversion options of a field
STRINGS = ("", "x", "A", "a", "aB", "x:y", "x:y:z", ":x", "S", "SMALL")
_STRING: Json = {"type": "string"}
_EXPRESSIONS: dict[str, tuple[Json, ...]] = {
    "string": (
        {"from": "self.upperAscii()", "to": "self.lowerAscii()"},
        {"from": "self.lowerAscii()", "to": "self.upperAscii()"},
        {"from": "self.lowerAscii()", "to": "self"},
        {"from": "self", "to": "self.upperAscii()"},
        {"from": "self + '!'", "to": "self.replace('!', '')"},
    ),
    "integer": ({"from": "self / 2", "to": "self * 2"}, {"from": "self + 1", "to": "self - 1"}),
    "boolean": ({"from": "!self", "to": "!self"}, {"from": "true", "to": "self"}),
}
_LOSSY_EXPRESSIONS = [
    expression
    for expressions in _EXPRESSIONS.values()
    for expression in expressions
    if expression not in ({"from": "!self", "to": "!self"}, {"from": "self + 1", "to": "self - 1"})
]


class DeclaredKind:
    """The kind of one seed. Changes of one version relative to the previous one are declared at its fields."""

    def __init__(self, seed: int) -> None:
        self.random = Random(f"declared {seed}")
        self._names = 0
        self.labels: dict[str, list[str]] = {}
        self.versions = VERSIONS[-self.random.choice((2, 3, 3, 4)) :]
        self.hub = self.random.choice(self.versions)
        spec: Json = {"type": "object", "properties": self._make_fields(2)}
        self.specs = {self.versions[0]: spec}
        for previous, name in zip(self.versions, self.versions[1:], strict=False):
            spec = deepcopy(self.specs[previous])
            self._evolve(self.specs[previous]["properties"], spec["properties"], "spec", previous, in_list=False)
            self.specs[name] = spec

    @classmethod
    def of(cls, **specs: Json) -> DeclaredKind:
        """Return the kind of given versions; the last one is the hub."""
        kind = cls(0)
        kind.versions, kind.hub, kind.specs = (*specs,), [*specs][-1], specs
        return kind

    @property
    def crd(self) -> Crd:
        """The CRD with the declarations, with the hub as the storage version."""
        versions = [
            {"name": name, "served": True, "storage": name == self.hub,
             "schema": {"openAPIV3Schema": {"type": "object", "properties": {"spec": _without_declarations(spec)}}}}
            for name, spec in self.specs.items()
        ]  # fmt: skip
        names = {"kind": "Thing", "listKind": "ThingList", "plural": "things", "singular": "thing"}
        decoded = decode({
            "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
            "metadata": {"name": "things.acme.example"},
            "spec": {"group": "acme.example", "names": names, "scope": "Namespaced", "versions": versions},
        })  # fmt: skip
        assert decoded.crd is not None, decoded.format_rejection(nested=True)
        numbers = iter(range(1, 10**6))
        root = {name: {"properties": {"spec": spec}} for name, spec in self.specs.items()}
        declared = [
            version.replace(schema=_declare(version.schema, root[version.name], numbers))
            for version in decoded.crd.versions
            if version.schema is not None
        ]
        return decoded.crd.replace(versions=tuple(declared))

    @cached_property
    def defaults(self) -> Sequence[Any]:
        """The defaults that fields of any version declare."""
        return [*_find_defaults([*self.specs.values()])]

    def declares_default(self, version: str) -> bool:
        """Return true if a field of the version declares a default."""
        return any(True for _ in _find_defaults(self.specs[version]))

    def count_lossy_expressions(self) -> int:
        """Return the number of expressions without an inverse."""
        return sum(json.dumps(self.specs).count(json.dumps(expression)) for expression in _LOSSY_EXPRESSIONS)

    def make_object(self, version: str) -> Json:
        """Return a random object of a version."""
        metadata: Json = {"name": "a"}
        labels = {name: self.random.choice(STRINGS) for name in self.labels.get(version, ()) if self.chance(0.7)}
        labels |= {"app": "web"} if self.chance(0.3) else {}
        metadata |= {"labels": labels} if labels else {}
        head = {"apiVersion": f"acme.example/{version}", "kind": "Thing", "metadata": metadata}
        return {**head, "spec": self.make_value(self.specs[version])} if self.chance(0.97) else head

    def chance(self, share: float) -> bool:
        """Return True in a share of the calls."""
        return self.random.random() < share

    def make_value(self, node: Json) -> Any:
        """Return a random value of a schema."""
        if node.get("nullable") and self.chance(0.25):
            return None
        if "enum" in node:
            return self.random.choice(node["enum"])
        kind = node["type"]
        if kind in _EXPRESSIONS:
            return {"string": self.random.choice(STRINGS), "integer": self.random.randint(-3, 5),
                    "boolean": self.chance(0.5)}[kind]  # fmt: skip
        if kind == "array":
            items = [self.make_value(node["items"]) for _ in range(self.random.randint(0, 3))]
            keyed = "x-kubernetes-list-map-keys" in node
            keys = self.random.sample(("k2", "k1", "k0"), len(items))
            return [{**item, "name": key} for item, key in zip(items, keys, strict=True)] if keyed else items
        if "additionalProperties" in node:
            names = self.random.sample(("k0", "k1", "k2"), self.random.randint(0, 2))
            return {name: self.make_value(node["additionalProperties"]) for name in names}
        needed = node.get("required", ())
        return {
            name: self.make_value(child)
            for name, child in node.get("properties", {}).items()
            if name in needed or self.chance(0.7)
        }

    def _name(self) -> str:
        self._names += 1
        return f"{self.random.choice('abc')}{self._names}"

    def _make_fields(self, depth: int) -> Json:
        return {self._name(): self._make_field(depth) for _ in range(self.random.randint(1, 4))}

    def _make_field(self, depth: int) -> Json:
        kinds = ("string",) * 4 + ("integer", "boolean", "enum", "list", "map", "bare")
        kind = self.random.choice((*kinds, *(("object", "object", "items", "keyed", "entries") if depth else ())))
        simple: dict[str, Json] = {
            "enum": {"type": "string", "enum": ["S", "M"]},
            "list": {"type": "array", "items": _STRING},
            "map": {"type": "object", "additionalProperties": _STRING},
            "bare": {"type": "object"},
        }
        node = simple.get(kind) or ({"type": kind} if kind in _EXPRESSIONS else self._make_container(kind, depth))
        return {**node, "nullable": True} if self.chance(0.15) else dict(node)

    def _make_container(self, kind: str, depth: int) -> Json:
        inner: Json = {"type": "object", "properties": self._make_fields(depth - 1)}
        if kind == "object":
            return inner
        if kind == "entries":
            return {"type": "object", "additionalProperties": inner}
        return {"type": "array", "items": inner} if kind == "items" else _keyed(inner)

    def _evolve(self, before: Json, fields: Json, path: str, previous: str, *, in_list: bool) -> None:
        """Change the fields of an object, and declare the changes here or in the previous version."""
        for name in [name for name in fields if name != "name"]:
            if name not in fields:
                continue  # joined with another one
            node = fields[name]
            changes = {**_GENERAL, **_BY_TYPE.get(_kind(node), {}), **({} if in_list else _OUTSIDE_LISTS)}
            names = [change for change in changes if change not in _UNLIKELY or self.chance(0.5)]
            change = self.random.choice(("keep", "keep", "keep", *names))
            if change != "keep" and changes[change](self, before, fields, (path, name, previous)):
                continue
            for steps in (("properties",), ("items", "properties"), ("additionalProperties", "properties")):
                old, new = _at(before.get(name), steps), _at(fields.get(name), steps)
                if old is not None and new is not None:
                    below = f"{path}.{name}{'[]' if steps[0] == 'items' else '[key]' if len(steps) > 1 else ''}"
                    self._evolve(old, new, below, previous, in_list=in_list or len(steps) > 1)
        if self.chance(0.3):
            added = self._make_field(1)
            option: Json = {"default": "x"} if added == _STRING and self.chance(0.5) else {"preserved": True}
            fields[self._name()] = {**added, DECLARED: option}

    def _replace(self, fields: Json, name: str, node: Json, option: Json) -> bool:
        """Replace a field by one with another name that declares its source."""
        old = fields.pop(name)
        nullable = {"nullable": True} if self.chance(0.8 if old.get("nullable") else 0.05) else {}
        node = {key: value for key, value in node.items() if key not in (DECLARED, "nullable")}
        fields[self._name()] = {**node, **nullable, DECLARED: {"renamed_from": name, **option}}
        return True


Ends = tuple[str, str, str]  # the path of the object, the name of the field, and the previous version
Change = Callable[[DeclaredKind, Json, Json, Ends], bool]


def _rename(kind: DeclaredKind, before: Json, fields: Json, ends: Ends) -> bool:
    return kind._replace(fields, ends[1], fields[ends[1]], {})


def _remove(_: DeclaredKind, before: Json, fields: Json, ends: Ends) -> bool:
    del fields[ends[1]]
    before[ends[1]] = {**before[ends[1]], DECLARED: {"preserved": True}}
    return True


def _move(kind: DeclaredKind, before: Json, fields: Json, ends: Ends) -> bool:
    node = {**fields.pop(ends[1]), DECLARED: {"moved_from": f"{ends[0]}.{ends[1]}"}}
    others = kind._make_fields(0) if kind.chance(0.5) else {}
    others = {name: {**other, DECLARED: {"preserved": True}} for name, other in others.items()}
    nullable = {"nullable": True} if kind.chance(0.2) else {}
    fields[kind._name()] = {"type": "object", "properties": {ends[1]: node, **others}, **nullable}
    return True


def _lift(kind: DeclaredKind, before: Json, fields: Json, ends: Ends) -> bool:
    inner = fields[ends[1]]["properties"]
    if len(inner) < 2:
        return False
    name = kind.random.choice([*inner])
    node = inner.pop(name)
    nullable = {"nullable": True} if kind.chance(0.8 if node.get("nullable") else 0.05) else {}
    node = {key: value for key, value in node.items() if key not in (DECLARED, "nullable")}
    fields[kind._name()] = {**node, **nullable, DECLARED: {"renamed_from": f"{ends[1]}.{name}"}}
    return True


def _flip_nullable(_: DeclaredKind, before: Json, fields: Json, ends: Ends) -> bool:
    node = fields[ends[1]]
    fields[ends[1]] = {**node, "nullable": not node.get("nullable")}
    return True


def _label(kind: DeclaredKind, before: Json, fields: Json, ends: Ends) -> bool:
    _, name, previous = ends
    if _kind(fields[name]) != "string":
        return False
    key = f"acme.example/{name}"
    if kind.chance(0.5):  # the previous version has the label
        fields[kind._name()] = {"type": "string", DECLARED: {"moved_from": f"metadata.labels['{key}']"}}
        kind.labels.setdefault(previous, []).append(key)
        return False
    before[name] = {**before[name], DECLARED: {"moved_from": f"metadata.labels['{key}']"}}
    del fields[name]
    later = VERSIONS[VERSIONS.index(previous) + 1]
    kind.labels.setdefault(later, []).append(key)
    return True


def _values(kind: DeclaredKind, before: Json, fields: Json, ends: Ends) -> bool:
    pairs = [{"there": "S", "here": "SMALL"}, {"there": "M", "here": "MEDIUM"}]
    pairs += [{"there": "a", "here": "SMALL"}] if "enum" not in fields[ends[1]] else []
    enum = {"enum": ["SMALL", "MEDIUM"]} if "enum" in fields[ends[1]] else {}
    return kind._replace(fields, ends[1], {"type": "string", **enum}, {"values": pairs})


def _compute(kind: DeclaredKind, before: Json, fields: Json, ends: Ends) -> bool:
    _, name, previous = ends
    cel = kind.random.choice(_EXPRESSIONS[fields[name]["type"]])
    if kind.chance(0.5):
        return kind._replace(fields, name, fields[name], {"cel": cel})
    fields[name] = {**fields[name], DECLARED: {"cel": cel, "versions": [previous]}}
    return True


def _split(kind: DeclaredKind, before: Json, fields: Json, ends: Ends) -> bool:
    del fields[ends[1]]
    for index in range(kind.random.choice((2, 3))):
        part = {"of": ends[1], "separator": ":", "index": index}
        fields[kind._name()] = {**_STRING, DECLARED: {"part": part}}
    return True


def _join(kind: DeclaredKind, before: Json, fields: Json, ends: Ends) -> bool:
    others = [name for name, node in fields.items() if node == _STRING and name not in (ends[1], "name")]
    if not others:
        return False
    names = [ends[1], kind.random.choice(others)]
    for name in names:
        del fields[name]
    fields[kind._name()] = {**_STRING, DECLARED: {"join": {"fields": names, "separator": ":"}}}
    return True


def _wrap(kind: DeclaredKind, before: Json, fields: Json, ends: Ends) -> bool:
    item = {key: value for key, value in fields[ends[1]].items() if key != DECLARED}
    return kind._replace(fields, ends[1], {"type": "array", "items": item}, {"one_item": True})


def _take_first(kind: DeclaredKind, before: Json, fields: Json, ends: Ends) -> bool:
    return kind._replace(fields, ends[1], fields[ends[1]]["items"], {"one_item": True})


def _default(kind: DeclaredKind, before: Json, fields: Json, ends: Ends) -> bool:
    return kind._replace(fields, ends[1], fields[ends[1]], {"default": "x"})


def _multiply(kind: DeclaredKind, before: Json, fields: Json, ends: Ends) -> bool:
    return kind._replace(fields, ends[1], fields[ends[1]], {"factor": kind.random.choice((2, 60, -1))})


def _key_list(kind: DeclaredKind, before: Json, fields: Json, ends: Ends) -> bool:
    inner = deepcopy(fields[ends[1]]["items"])
    inner["properties"].pop("name")
    inner.pop("required", None)
    return kind._replace(fields, ends[1], {"type": "object", "additionalProperties": inner}, {"key": "name"})


def _list_map(kind: DeclaredKind, before: Json, fields: Json, ends: Ends) -> bool:
    values = fields[ends[1]]["additionalProperties"]
    if "properties" not in values:
        inner = {"type": "object", "properties": {"value": _STRING}, "required": ["value"]}
        return kind._replace(fields, ends[1], _keyed(inner), {"key": "name", "value": "value"})
    return "name" not in values["properties"] and kind._replace(
        fields, ends[1], _keyed(deepcopy(values)), {"key": "name"}
    )


def _wrap_values(kind: DeclaredKind, before: Json, fields: Json, ends: Ends) -> bool:
    inner: Json = {"type": "object", "properties": {"value": _STRING}, "required": ["value"]}
    if kind.chance(0.5):
        inner["properties"][kind._name()] = {**_STRING, DECLARED: {"preserved": True}}
    return kind._replace(fields, ends[1], {"type": "array", "items": inner}, {"value": "value"})


def _unkey(_: DeclaredKind, before: Json, fields: Json, ends: Ends) -> bool:
    fields[ends[1]] = {key: value for key, value in fields[ends[1]].items() if "kubernetes-list" not in key}
    return False


_GENERAL: dict[str, Change] = {
    "rename": _rename, "remove": _remove, "nullable": _flip_nullable,
}  # fmt: skip
_OUTSIDE_LISTS: dict[str, Change] = {"move": _move, "label": _label}
_BY_TYPE: dict[str, dict[str, Change]] = {
    "string": {"compute": _compute, "values": _values, "split": _split, "join": _join, "wrap": _wrap,
               "default": _default},
    "enum": {"values": _values},
    "integer": {"compute": _compute, "multiply": _multiply},
    "boolean": {"compute": _compute},
    "object": {"wrap": _wrap, "lift": _lift},
    "strings": {"first": _take_first, "values": _wrap_values},
    "items": {"first": _take_first},
    "keyed": {"key": _key_list, "unkey": _unkey},
    "map": {"list": _list_map},
}  # fmt: skip
_UNLIKELY = ("remove", "nullable")


def _kind(node: Json) -> str:
    if "enum" in node:
        return "enum"
    if node["type"] == "array":
        keyed = "x-kubernetes-list-map-keys" in node
        return "strings" if node["items"]["type"] == "string" else "keyed" if keyed else "items"
    if "additionalProperties" in node:
        return "map"
    return "object" if "properties" in node else "bare" if node["type"] == "object" else str(node["type"])


def _keyed(inner: Json) -> Json:
    """Return the schema of a list whose items have their name as the key."""
    required = [*dict.fromkeys(("name", *inner.get("required", ())))]
    inner = {**inner, "properties": {**inner["properties"], "name": _STRING}, "required": required}
    return {"type": "array", "items": inner, "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["name"]}


def _find_defaults(node: Any) -> Iterator[Any]:
    """Yield the declared defaults below a schema or list of schemas."""
    if isinstance(node, dict):
        if "default" in node.get(DECLARED, ()):
            yield node[DECLARED]["default"]
        node = [*node.values()]
    for part in node if isinstance(node, list) else ():
        yield from _find_defaults(part)


def _at(node: Any, steps: tuple[str, ...]) -> Any:
    for step in steps:
        node = node.get(step) if isinstance(node, dict) else None
    return node if isinstance(node, dict) else None


def _without_declarations(node: Any) -> Any:
    if isinstance(node, dict):
        return {key: _without_declarations(value) for key, value in node.items() if key != DECLARED}
    return node


def _declare(schema: Schema, node: Json, numbers: Iterator[int]) -> Schema:
    """Return a schema with the declarations of its description, each at a place of its own."""
    keywords, facts = dict(schema.keywords), dict(schema.facts or {})
    if "properties" in node:
        keywords["properties"] = {
            name: _declare(child, node["properties"][name], numbers) for name, child in schema.properties.items()
        }
    if schema.items is not None:
        keywords["items"] = _declare(schema.items, node["items"], numbers)
    if isinstance(schema.additional, Schema):
        keywords["additionalProperties"] = _declare(schema.additional, node["additionalProperties"], numbers)
    if DECLARED in node:
        facts[CONVERSION] = ((node[DECLARED], Location("api.proto", next(numbers), 1), ""),)
    return Schema(keywords, schema.origin, schema.marks, facts)
