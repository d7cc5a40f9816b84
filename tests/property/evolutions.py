"""Random kinds whose versions evolve from each other, with rules for all differences, and random objects of them."""

from __future__ import annotations

from copy import deepcopy
from random import Random
from typing import Any

Json = dict[str, Any]
VERSIONS = ("v1alpha1", "v1beta1", "v1")
_SCALARS = ("string", "integer", "boolean")


class Evolution:
    """The CRD and the rules of one seed, in which every field has a counterpart or is preserved."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self._names = 0
        self.versions = VERSIONS[: self.random.choice((2, 3))]
        self.hub = self.random.choice(self.versions)
        specs = [self._fields(2)]
        self.conversions: list[Json] = []
        for source, target in zip(self.versions, self.versions[1:], strict=False):
            specs.append(deepcopy(specs[-1]))
            forth, back = ({"from": first, "to": other, "rules": [], "preserve": []}
                           for first, other in ((source, target), (target, source)))  # fmt: skip
            self._evolve(specs[-1], "spec", forth, back, in_list=False)
            self.conversions += [forth, back]
        self.specs = {name: {"type": "object", "properties": spec}
                      for name, spec in zip(self.versions, specs, strict=True)}  # fmt: skip

    @property
    def rules(self) -> Json:
        """The rules, as an APIConversion."""
        return {"spec": {"conversions": self.conversions}}

    @property
    def crd(self) -> Json:
        """The CRD, with the hub as the storage version."""
        versions = [
            {"name": name, "served": True, "storage": name == self.hub,
             "schema": {"openAPIV3Schema": {"type": "object", "properties": {"spec": spec}}}}
            for name, spec in self.specs.items()
        ]  # fmt: skip
        names = {"kind": "Thing", "listKind": "ThingList", "plural": "things", "singular": "thing"}
        return {
            "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
            "metadata": {"name": "things.acme.example"},
            "spec": {"group": "acme.example", "names": names, "scope": "Namespaced", "versions": versions},
        }  # fmt: skip

    def make_object(self) -> Json:
        """Return a random object of a random version."""
        version = self.random.choice(self.versions)
        head = {"apiVersion": f"acme.example/{version}", "kind": "Thing", "metadata": {"name": "a"}}
        return {**head, "spec": self._value(self.specs[version])}

    def _chance(self, share: float) -> bool:
        return self.random.random() < share

    def _name(self) -> str:
        self._names += 1
        return f"{self.random.choice('abc')}{self._names}"

    def _fields(self, depth: int) -> Json:
        return {self._name(): self._field(depth) for _ in range(self.random.randint(1, 4))}

    def _field(self, depth: int) -> Json:
        kinds = ("scalar", "scalar", "list", "map", "bare", *(("object", "object", "items", "keyed") if depth else ()))
        schema: dict[str, Json] = {
            "scalar": {"type": self.random.choice(_SCALARS)},
            "list": {"type": "array", "items": {"type": "string"}},
            "map": {"type": "object", "additionalProperties": {"type": "string"}},
            "bare": {"type": "object"},
        }
        kind = self.random.choice(kinds)
        node = schema.get(kind) or self._container(kind, {"type": "object", "properties": self._fields(depth - 1)})
        return {**node, "nullable": True} if self._chance(0.15) else node

    def _container(self, kind: str, inner: Json) -> Json:
        if kind == "object":
            return inner
        if kind == "items":
            return {"type": "array", "items": inner}
        inner = {**inner, "properties": {**inner["properties"], "name": {"type": "string"}}, "required": ["name"]}
        keys = {"x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["name"]}
        return {"type": "array", "items": inner, **keys}

    def _evolve(self, fields: Json, path: str, forth: Json, back: Json, *, in_list: bool) -> None:
        """Change fields in place, and add the rules for the change in both directions."""
        for name in [name for name in fields if name != "name"]:
            node, old, new = fields[name], f"{path}.{name}", self._name()
            change = self.random.choice(("rename", "remove", "move", "first", "keep", "keep", "keep"))
            if change == "rename":
                fields[new] = fields.pop(name)
                _relate(forth, back, old, f"{path}.{new}")
            elif change == "remove":
                del fields[name]
                forth["preserve"].append(old.replace("[i]", "[]"))
            elif change == "move" and not in_list:
                fields[new] = {"type": "object", "properties": {name: fields.pop(name)}}
                _relate(forth, back, old, f"{path}.{new}.{name}")
            elif change == "first" and not in_list and node.get("items", {}).get("type") == "string":
                del fields[name]
                fields[new] = {"type": "string"}
                _relate(forth, back, f"{old}[0]", f"{path}.{new}")
            elif "properties" in node:
                self._evolve(node["properties"], old, forth, back, in_list=in_list)
            elif "properties" in node.get("items", {}):
                self._evolve(node["items"]["properties"], f"{old}[i]", forth, back, in_list=True)
        if self._chance(0.4):
            added = self._name()
            fields[added] = self._field(1)
            back["preserve"].append(f"{path}.{added}".replace("[i]", "[]"))

    def _value(self, node: Json) -> Any:
        if node.get("nullable") and self._chance(0.3):
            return None
        if node["type"] in _SCALARS:
            return {"string": self.random.choice("xyz"), "integer": self.random.randint(-3, 3),
                    "boolean": self._chance(0.5)}[node["type"]]  # fmt: skip
        if node["type"] == "array":
            items = [self._value(node["items"]) for _ in range(self.random.randint(0, 3))]
            keyed = "x-kubernetes-list-map-keys" in node
            return [{**item, "name": f"k{at}"} for at, item in enumerate(items)] if keyed else items
        if "additionalProperties" in node:
            return dict.fromkeys(self.random.sample("xyz", self.random.randint(0, 2)), "v")
        fields = node.get("properties", {})
        return {name: self._value(child) for name, child in fields.items() if name == "name" or self._chance(0.7)}


def _relate(forth: Json, back: Json, old: str, new: str) -> None:
    forth["rules"].append({"field": old, "destination": new.replace("[i]", "[]")})
    back["rules"].append({"field": new, "destination": old.replace("[i]", "[]")})
