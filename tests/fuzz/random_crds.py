"""Random CRDs in plain data, with all members of a CRD and of its versions."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

from tests.judges.objectfuzz.rules import rules
from tests.judges.objectfuzz.schemas import Schemas

Json = Any
GROUP = "example.com"
SELECTABLE = ("string", "integer", "boolean")
SCALE = {"specReplicasPath": ".spec.replicas", "statusReplicasPath": ".status.replicas"}
COLUMN = {"name": "A", "type": "string", "jsonPath": ".spec.a"}
EMBEDDED = "x-kubernetes-embedded-resource"
_INT64 = 2.0**63
_METADATA_OF_EMBEDDED = {
    "type": "object",
    "properties": {
        "name": {"type": "string"},
        "labels": {"type": "object", "additionalProperties": {"type": "string"}},
    },
}
_METADATA_CONSTRAINTS: tuple[Json, ...] = (
    {}, {"required": ["name"]}, {"minProperties": 1}, {"maxProperties": 0}, {"nullable": True},
    {"anyOf": [{"required": ["name"]}, {"required": ["labels"]}]}, {"not": {"required": ["labels"]}},
)  # fmt: skip


def make_crd(random: Random) -> Json:
    """Return a random CRD; servers may reject it."""
    return CrdMaker(random).make()


class CrdMaker:
    """A generator of one CRD with one source of random numbers."""

    def __init__(self, random: Random) -> None:
        self._schemas = Schemas(random)
        self._random, self._chance = random, self._schemas.chance

    def make(self) -> Json:
        """Return a CRD; servers may reject it."""
        spec = {
            "group": GROUP,
            "names": {"kind": "Thing", "plural": "things", **self._choose_members(_NAMES)},
            "scope": self._random.choice(("Namespaced", "Cluster")),
            "versions": list(self._make_versions()),
        }
        metadata = {"name": f"things.{GROUP}", **self._choose_members(_METADATA)}
        return {
            "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition", "metadata": metadata,
            "spec": spec,
        }  # fmt: skip

    def _choose_members(self, members: dict[str, tuple[float, Json]]) -> Json:
        return {name: copy.deepcopy(value) for name, (share, value) in members.items() if self._chance(share)}

    def _make_versions(self) -> Iterator[Json]:
        first = self._make_version("v1")
        if self._chance(0.85):
            yield first
            return
        second = {**copy.deepcopy(first), "name": "v1beta1"} if self._chance(0.5) else self._make_version("v1beta1")
        self._random.choice((first, second))["storage"] = False
        second["storage"] = not first["storage"]
        second["served"] = self._chance(0.8)
        yield from (first, second)

    def _make_version(self, name: str) -> Json:
        root = self._make_root()
        version: Json = {"name": name, "served": True, "storage": True, "schema": {"openAPIV3Schema": root}}
        version |= self._choose_members(_MEMBERS)
        if self._chance(0.15):
            version["subresources"] = {**version.get("subresources", {}), "scale": make_scale(self._random, version)}
        paths = list_selectable_paths(root)
        if paths and self._chance(0.15):
            version["selectableFields"] = [{"jsonPath": self._random.choice(paths)}]
        return version

    def _make_root(self) -> Json:
        properties = {"spec": self._schemas.node(2, "object")}
        for share, name, make in _PROPERTIES:
            if self._chance(share):
                properties[name] = make(self._schemas)
        root: Json = {"type": "object", "properties": properties}
        for node in list_nodes(root):
            if node.get(EMBEDDED) and self._chance(0.7):
                constraints = self._random.choice(_METADATA_CONSTRAINTS)
                node["properties"]["metadata"] = copy.deepcopy({**_METADATA_OF_EMBEDDED, **constraints})
        if self._chance(0.1):
            root["required"] = [self._random.choice(list(properties))]
        if self._chance(0.1):
            root["x-kubernetes-validations"] = rules(self._random, "root", list(properties), lost=False)
        return root


_PROPERTIES: tuple[tuple[float, str, Callable[[Schemas], Json]], ...] = (
    (0.3, "status", lambda schemas: schemas.node(1, "object")),
    (0.1, "data", lambda schemas: schemas.node(1)),
    (0.15, "pod", lambda schemas: {**schemas.node(1, "object"), EMBEDDED: True}),
    (0.1, "metadata", lambda _: {"type": "object", "properties": {"name": {"type": "string", "maxLength": 5}}}),
)
_NAMES: dict[str, tuple[float, Json]] = {
    "singular": (0.1, "one"),
    "listKind": (0.1, "Things"),
    "shortNames": (0.2, ["th"]),
    "categories": (0.2, ["all"]),
}
_METADATA: dict[str, tuple[float, Json]] = {"labels": (0.1, {"a": "b"}), "annotations": (0.1, {"a": "b"})}
_MEMBERS: dict[str, tuple[float, Json]] = {
    "subresources": (0.4, {"status": {}}),
    "additionalPrinterColumns": (0.2, [COLUMN]),
    "deprecated": (0.2, True),
}


def list_nodes(node: Json) -> Iterator[Json]:
    """Yield the nodes of a schema except branches of logical keywords."""
    yield node
    children = [*node.get("properties", {}).values(), node.get("items"), node.get("additionalProperties")]
    for child in children:
        if isinstance(child, dict):
            yield from list_nodes(child)


def list_selectable_paths(root: Json) -> list[str]:
    """Return the JSON paths of fields that can be selectable."""
    properties = root.get("properties", {}).get("spec", {}).get("properties", {})
    return [f".spec.{name}" for name, child in properties.items() if child.get("type") in SELECTABLE]


def make_scale(random: Random, version: Json) -> Json:
    """Return a scale subresource that reads fields of the schema, if it has some."""
    root = version["schema"]["openAPIV3Schema"].get("properties", {})
    names = {
        part: [name for name in root.get(part, {}).get("properties", {}) if name.isalnum()] or ["replicas"]
        for part in ("spec", "status")
    }
    paths = {part: f".{part}.{random.choice(names[part])}" for part in names}
    scale = {"specReplicasPath": paths["spec"], "statusReplicasPath": paths["status"]}
    return {**scale, "labelSelectorPath": paths["spec"]} if random.random() < 0.2 else scale


def has_wrapped_bound(node: Json) -> bool:
    """Report whether a bound is no int64: servers then compare integers with another number."""
    if isinstance(node, list):
        return any(map(has_wrapped_bound, node))
    if not isinstance(node, dict):
        return False
    bounds = (node.get(keyword) for keyword in ("minimum", "maximum"))
    wrapped = any(isinstance(bound, int | float) and abs(float(bound)) >= _INT64 for bound in bounds)
    return wrapped or any(map(has_wrapped_bound, node.values()))
