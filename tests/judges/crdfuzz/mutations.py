"""CRDs that are nearly sound: sound ones in which some places were changed."""

from __future__ import annotations

import copy
from random import Random
from typing import Any

Json = Any
Place = tuple[Any, Any]  # a container and the key or index in it

ODD: tuple[Json, ...] = (
    None, True, False, 0, 1, -1, 1.5, 2**31, 2**53, 1e300, "",
    "a", "é", "A b", "a.b", "a/b", "x" * 64, "v1",
    "v1alpha1", "object", "string", "integer", "array", "number", "null", "date", "^(", "^a$", [], ["a"], ["a", "a"],
    [1, "a", None], {}, {"a": "b"}, {"type": "string"}, {"type": "object"}, {"type": "array"}, [{}],
    [{"type": "integer"}],
)  # fmt: skip
RULES = (
    "true", "self == self", "1", "self.foo", "self.size() > 1", "oldSelf == self", "self.all(x, x == x)", "", "(",
    "1 + 'a'",
    "self.exists(x, self.exists(y, x == y))", "has(self.a)", "self.a.b > 1", "duration(self) > duration('1s')",
    "self.matches('^(a')", "[1].sortBy(x, x) == [1]", "optional.of(1).hasValue()", "isSemver('1.0.0')",
    "cidr('::/0') == self",
)  # fmt: skip
# Keywords of schemas with values that mean something, or nearly so.
KEYWORDS: dict[str, tuple[Json, ...]] = {
    "type": ("object", "string", "integer", "array", "number", "boolean", "null", "x"),
    "format": ("date", "int32", "byte", "x", "duration", "ipv4"),
    "default": ODD, "example": ODD, "enum": ([], ["a"], ["a", "a"], [1], None), "nullable": (True, False),
    "minimum": (0, 1.5, -1), "maximum": (0, 10, 2**63), "multipleOf": (1, 0.5), "exclusiveMinimum": (True,),
    "maxLength": (0, 5, -1, 10_000_000), "minLength": (0, 9, -1), "pattern": ("^a", "(", "\\d", "a{1001}"),
    "maxItems": (0, 3, -1), "minItems": (0, 4), "uniqueItems": (True, False), "maxProperties": (0, 3),
    "items": ({"type": "string"}, {}, {"type": "object"}, [{"type": "string"}]), "required": (["a"], [], ["a", "a"]),
    "properties": ({"a": {"type": "string"}}, {"a": {}}, {}, {"metadata": {"type": "object"}}),
    "additionalProperties": (True, False, {"type": "string"}, {}),
    "allOf": ([{"required": ["a"]}], [{"type": "string"}], []), "anyOf": ([{"minimum": 1}], [{"default": 1}]),
    "oneOf": ([{"properties": {"a": {"enum": ["x"]}}}],), "not": ({"type": "string"}, {"required": ["b"]}),
    "x-kubernetes-preserve-unknown-fields": (True, False), "x-kubernetes-int-or-string": (True, False),
    "x-kubernetes-embedded-resource": (True,), "x-kubernetes-list-type": ("set", "map", "atomic", "x"),
    "x-kubernetes-list-map-keys": (["a"], [], ["a", "a"], ["b"]), "x-kubernetes-map-type": ("atomic", "granular", "x"),
    "x-kubernetes-validations": tuple([[{"rule": rule}] for rule in RULES]),
    "$ref": ("#/a",), "id": ("a",), "title": ("t",), "description": ("d",), "definitions": ({},), "unknown": (1,),
}  # fmt: skip
SPEC: dict[str, tuple[Json, ...]] = {
    "conversion": ({"strategy": "None"}, {"strategy": "Webhook"}, {"strategy": "x"}, {}),
    "preserveUnknownFields": (True, False), "scope": ("Cluster", "Namespaced", "x"), "unknown": (1,),
    "additionalPrinterColumns": ([], [{"name": "a", "type": "string", "jsonPath": ".spec"}], [{"name": ""}]),
    "selectableFields": ([{"jsonPath": ".spec.a"}], [{"jsonPath": "x"}], []),
    "subresources": ({"status": {}}, {"scale": {"specReplicasPath": ".spec.a", "statusReplicasPath": ".status.a"}}, {}),
    "deprecationWarning": ("w", ""), "deprecated": (True,), "served": (False,), "storage": (True, False),
    "shortNames": (["a"], ["A"], ["a", "a"]), "categories": (["all"], ["-"]), "singular": ("thing", "Thing", ""),
    "listKind": ("ThingList", "Thing", "x"),
}  # fmt: skip


def mutated(crd: Json, random: Random) -> Json:
    """A copy with one to three places changed."""
    mutant = copy.deepcopy(crd)
    for _ in range(random.choice((1, 1, 2, 3))):
        places = _places(mutant)
        if places:
            random.choice(_WAYS)(places, random)
    return mutant


def _places(node: Json) -> list[Place]:
    all_places: list[Place] = []
    waiting = [node]
    while waiting:
        container = waiting.pop()
        entries = (
            container.items()
            if isinstance(container, dict)
            else enumerate(container)
            if isinstance(container, list)
            else ()
        )
        all_places += [(container, key) for key, _ in entries]
        waiting += [value for _, value in entries]
    return all_places


def _remove(places: list[Place], random: Random) -> None:
    container, key = random.choice(places)
    del container[key]


def _replace(places: list[Place], random: Random) -> None:
    container, key = random.choice(places)
    container[key] = copy.deepcopy(random.choice(ODD))


def _move(places: list[Place], random: Random) -> None:
    (container, key), (source, other) = random.choice(places), random.choice(places)
    container[key] = copy.deepcopy(source[other])


def _double(places: list[Place], random: Random) -> None:
    container, key = random.choice(places)
    if isinstance(container, list):
        container.append(copy.deepcopy(container[key]))
    else:
        container[f"{key}x"] = container.pop(key)


def _add(places: list[Place], random: Random) -> None:
    """A keyword into a schema, or a member into what is none."""
    objects = [container[key] for container, key in places if isinstance(container[key], dict)]
    if not objects:
        return
    target = random.choice(objects)
    schemas = [candidate for candidate in objects if "type" in candidate or "properties" in candidate]
    rows = SPEC
    if schemas and random.random() < 0.8:
        target, rows = random.choice(schemas), KEYWORDS
    name = random.choice(list(rows))
    target[name] = copy.deepcopy(random.choice(rows[name]))


_WAYS = (_remove, _replace, _move, _double, _add, _add, _add)
