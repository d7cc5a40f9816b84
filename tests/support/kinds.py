"""Random kinds: two versions whose fields differ in every way that conversions support, with the conversion options."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

from protoc_gen_crd.crd.crd import Crd
from protoc_gen_crd.crd.crd_decoder import decode
from protoc_gen_crd.findings.finding import Location
from protoc_gen_crd.schema.schema import CONVERSION, Schema
from tests.support.conversion import crd, fields

Object = dict[str, Any]
Pair = tuple[Object, Object]
OPTIONS = "x-said"  # temporary keyword: the conversion options of a field of the second version


class Kinds:
    """A generator of kinds, the same for the same seed."""

    def __init__(self, seed: int) -> None:
        self._chance = Random(seed)  # noqa: S311 - no secret
        self._count = 0

    def kind(self) -> tuple[Crd, str]:
        """Return a kind and a description of its contents."""
        self._count = 0
        self.words: list[str] = []
        specs = self._object(depth=0, count=self._chance.randint(1, 4))
        decoded = decode(_plain(crd(v1=specs[0], v2=specs[1]))).crd
        assert decoded is not None
        versions = [
            version.replace(schema=_with_facts(version.schema, fields(spec=spec), version.name))
            for version, spec in zip(decoded.versions, specs, strict=True)
        ]
        return decoded.replace(versions=tuple(versions)), ", ".join(self.words)

    def _name(self) -> str:
        self._count += 1
        return f"f{self._count}"

    def _object(self, *, depth: int, count: int) -> Pair:
        """Return an object schema with some fields that differ."""
        first, second = fields(), fields()
        for _ in range(count):
            feature = self._chance.choice(_FEATURES[: None if depth < 2 else -len(_DEEP)])
            self.words.append(f"{'  ' * depth}{feature.__name__.strip('_')}")
            feature(self, first, second, depth)
        return first, second

    def _some(self, share: float) -> bool:
        return self._chance.random() < share

    def _add(self, around: Object, schema: Object, name: str = "", options: Object | None = None) -> str:
        name = name or self._name()
        around["properties"][name] = {**schema, **({OPTIONS: options} if options else {})}
        if self._some(0.04):
            around.setdefault("required", []).append(name)
        return name

    def _leaf(self, kind: str = "") -> Object:
        kind = kind or self._chance.choice(("string", "string", "int32", "int64", "number", "boolean", "enum"))
        leaf = _leaf(kind)
        if kind == "string" and self._some(0.3):
            leaf |= self._chance.choice(_TEXTS)
        if kind in ("int32", "int64", "number") and self._some(0.3):
            leaf |= self._chance.choice(({"minimum": 1}, {"maximum": 100}, {"minimum": -5, "maximum": 5}))
        if self._some(0.12):
            leaf["nullable"] = True
        return leaf

    def _alike(self, leaf: Object) -> Object:
        """Return a schema of the same type, sometimes with other bounds."""
        kind = "enum" if "enum" in leaf else str(leaf.get("format") if leaf["type"] == "integer" else leaf["type"])
        return self._leaf(kind) if self._some(0.3) else leaf

    # Features: each adds fields to one object in both versions.

    def _same(self, first: Object, second: Object, _depth: int) -> None:
        leaf, name = self._leaf(), self._name()
        self._add(first, leaf, name)
        self._add(second, self._alike(leaf), name)

    def _widened(self, first: Object, second: Object, _depth: int) -> None:
        kinds = self._chance.sample(("int32", "int64"), 2)
        name = self._name()
        self._add(first, self._leaf(kinds[0]), name)
        self._add(second, self._leaf(kinds[1]), name)

    def _renamed(self, first: Object, second: Object, _depth: int) -> None:
        leaf = self._leaf()
        old = self._add(first, leaf)
        self._add(second, self._alike(leaf), options={"renamed_from": old})

    def _defaulted(self, first: Object, second: Object, _depth: int) -> None:
        leaf = {name: value for name, value in self._leaf("string").items() if name in ("type", "nullable")}
        options: Object = {"default": self._chance.choice(("a", ""))}
        if self._some(0.5):
            options["renamed_from"] = self._add(first, leaf)
        self._add(second, leaf, options=options)

    def _kept(self, first: Object, second: Object, _depth: int) -> None:
        options = {self._chance.choice(("preserved", "preserved", "dropped")): True}
        self._add(self._chance.choice((first, second)), self._leaf(), options=options)

    def _kept_object(self, first: Object, second: Object, _depth: int) -> None:
        inner = fields(a=self._leaf(), b=self._leaf())
        self._add(self._chance.choice((first, second)), inner, options={"preserved": True})

    def _named(self, first: Object, second: Object, _depth: int) -> None:
        """An enum whose values have other names."""
        news = ["A", "BETA", *(["GAMMA"] if self._some(0.5) else ["BETA2"])]
        pairs = [{"there": "B", "here": "BETA"}, {"there": "C", "here": "GAMMA" if "GAMMA" in news else "BETA"}]
        pairs += [] if "GAMMA" in news else [{"there": "B", "here": "BETA2"}]
        old = self._add(first, _leaf("enum"))
        self._add(second, {"type": "string", "enum": news}, options={"renamed_from": old, "values": pairs})

    def _single(self, first: Object, second: Object, _depth: int) -> None:
        leaf = self._leaf()
        listed: Object = {"type": "array", "items": self._alike(leaf)}
        if self._some(0.3):
            listed |= self._chance.choice(_LISTS)
            listed["items"] = {name: keyword for name, keyword in listed["items"].items() if name != "nullable"}
        ends = (leaf, listed) if self._some(0.5) else (listed, leaf)
        old = self._add(first, ends[0])
        self._add(second, ends[1], options={"renamed_from": old, "one_item": True})

    def _times(self, first: Object, second: Object, _depth: int) -> None:
        kind = self._chance.choice(("int32", "int64", "number"))
        old = self._add(first, self._leaf(kind))
        factor = self._chance.choice((60.0, -2.0, 1000.0))
        self._add(second, self._leaf(kind), options={"renamed_from": old, "factor": factor})

    def _split(self, first: Object, second: Object, _depth: int) -> None:
        whole = self._add(first, self._leaf("string"))
        for index in (0, 1):
            self._add(second, self._leaf("string"), options={"part": {"of": whole, "separator": "a", "index": index}})

    def _joined(self, first: Object, second: Object, _depth: int) -> None:
        parts = [self._add(first, self._leaf("string")) for _ in (0, 1)]
        self._add(second, self._leaf("string"), options={"join": {"fields": parts, "separator": "a"}})

    def _computed(self, first: Object, second: Object, _depth: int) -> None:
        old = self._add(first, {"type": "string"})
        cel = self._chance.choice((
            {"from": "self + 'x'", "to": "self.substring(0, size(self) == 0 ? 0 : size(self) - 1)"},
            {"from": "self"}, {"to": "self"},
        ))  # fmt: skip
        self._add(second, {"type": "string"}, options={"renamed_from": old, "cel": cel})

    def _moved(self, first: Object, second: Object, depth: int) -> None:
        """Move a field into an object that the first version does not have, or out of one."""
        if depth:
            return
        ends = (first, second) if self._some(0.5) else (second, first)
        inner, holder = fields(), self._name()
        for _ in range(self._chance.randint(1, 2)):
            leaf = self._leaf()
            old = self._add(ends[0], leaf)
            self._add(inner, self._alike(leaf), options={"moved_from": f"spec.{old}"})
        if self._some(0.4):
            self._add(inner, self._leaf(), options={"preserved": True})
        self._add(ends[1], inner, holder)

    def _labelled(self, first: Object, second: Object, depth: int) -> None:
        if not depth:
            where = self._chance.choice(("labels", "annotations"))
            options = {"moved_from": f"metadata.{where}['acme.example/{self._name()}']"}
            self._add(self._chance.choice((first, second)), self._leaf("string"), options=options)

    def _nested(self, first: Object, second: Object, depth: int) -> None:
        name = self._name()
        ends = self._object(depth=depth + 1, count=self._chance.randint(1, 3))
        self._add(first, ends[0], name)
        renamed = self._some(0.4)
        self._add(second, ends[1], "" if renamed else name, {"renamed_from": name} if renamed else None)

    def _listed(self, first: Object, second: Object, depth: int) -> None:
        name = self._name()
        ends = self._object(depth=depth + 1, count=self._chance.randint(1, 3))
        lists = [{"type": "array", "items": end} for end in ends]
        if self._some(0.6):
            for list_schema in lists:
                _keyed(list_schema)
            if self._some(0.3):
                one_of = self._chance.choice(lists)
                del one_of["x-kubernetes-list-type"], one_of["x-kubernetes-list-map-keys"]
        renamed = self._some(0.4)
        self._add(first, lists[0], name)
        self._add(second, lists[1], "" if renamed else name, {"renamed_from": name} if renamed else None)

    def _mapped(self, first: Object, second: Object, depth: int) -> None:
        name = self._name()
        ends = self._object(depth=depth + 1, count=self._chance.randint(1, 3))
        maps = [{"type": "object", "additionalProperties": end} for end in ends]
        renamed = self._some(0.4)
        self._add(first, maps[0], name)
        self._add(second, maps[1], "" if renamed else name, {"renamed_from": name} if renamed else None)

    def _entries(self, first: Object, second: Object, depth: int) -> None:
        """A map that becomes a list."""
        ends = self._object(depth=depth + 1, count=self._chance.randint(1, 2))
        listed = _keyed({"type": "array", "items": ends[1]})
        old = self._add(first, {"type": "object", "additionalProperties": ends[0]})
        self._add(second, listed, options={"renamed_from": old, "key": "id"})

    def _valued(self, first: Object, second: Object, _depth: int) -> None:
        """Scalars that become objects."""
        leaf = {name: keyword for name, keyword in self._leaf().items() if name != "nullable"}
        item = fields(host={name: keyword for name, keyword in self._alike(leaf).items() if name != "nullable"})
        item["required"] = ["host"]
        if self._some(0.5):
            item["properties"]["more"] = {**self._leaf(), OPTIONS: {"preserved": True}}
        kind = self._chance.choice(("list", "map", "both"))
        listed, mapped = ({"type": "array", "items": leaf}, {"type": "object", "additionalProperties": leaf})
        old = self._add(first, listed if kind == "list" else mapped)
        new = {"type": "object", "additionalProperties": item} if kind == "map" else {"type": "array", "items": item}
        options = {"renamed_from": old, "value": "host"}
        if kind == "both":
            new, options = _keyed(new), {**options, "key": "id"}
        self._add(second, new, options=options)


_TEXTS: tuple[Object, ...] = ({"maxLength": 6}, {"minLength": 1}, {"pattern": "^[a-c]*$"}, {"format": "date"})
_LISTS: tuple[Object, ...] = ({"minItems": 1}, {"maxItems": 1}, {"x-kubernetes-list-type": "set"})
_SHALLOW: tuple[Callable[[Kinds, Object, Object, int], None], ...] = (
    Kinds._same, Kinds._widened, Kinds._renamed, Kinds._defaulted, Kinds._kept, Kinds._kept_object, Kinds._named,
    Kinds._single, Kinds._times, Kinds._split, Kinds._joined, Kinds._computed, Kinds._valued, Kinds._moved,
    Kinds._labelled,
)  # fmt: skip
_DEEP = (Kinds._nested, Kinds._listed, Kinds._mapped, Kinds._entries)
_FEATURES = (*_SHALLOW, *_DEEP)


def _leaf(kind: str) -> Object:
    if kind in ("int32", "int64"):
        return {"type": "integer", "format": kind}
    return {"type": "string", "enum": ["A", "B", "C"]} if kind == "enum" else {"type": kind}


def _keyed(listed: Object) -> Object:
    """Return a list of type map with its key."""
    item = listed["items"]
    item["properties"]["id"] = {"type": "string"}
    item.setdefault("required", []).append("id")
    listed |= {"x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["id"]}
    return listed


def _plain(value: Any) -> Any:
    """Return a schema without the declarations of its fields."""
    if isinstance(value, dict):
        return {name: _plain(item) for name, item in value.items() if name != OPTIONS}
    return [_plain(item) for item in value] if isinstance(value, list) else value


def _with_facts(schema: Schema | None, schema_facts: Object, path: str) -> Schema:
    """Return a schema with the declarations of its fields as conversion options."""
    assert schema is not None
    changes: dict[str, Any] = {}
    if schema.properties:
        changes["properties"] = {
            name: _with_facts(child, schema_facts.get("properties", {}).get(name, {}), f"{path}.{name}")
            for name, child in schema.properties.items()
        }
    for keyword in ("items", "additionalProperties"):
        child = schema.get(keyword)
        if isinstance(child, Schema):
            changes[keyword] = _with_facts(child, schema_facts.get(keyword, {}), f"{path}[]")
    origin = Location(path)
    facts = {CONVERSION: [(schema_facts[OPTIONS], origin, path)]} if OPTIONS in schema_facts else {}
    return Schema({**schema.keywords, **changes}, origin, schema.marks, {**(schema.facts or {}), **facts})
