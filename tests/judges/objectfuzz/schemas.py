"""Random structural schemas, rules included, with values that nearly fit them."""

from __future__ import annotations

from random import Random
from typing import Any

from protoc_gen_crd.admission.objects.value_validator import ValueValidator
from protoc_gen_crd.kubernetes.shared_results import Switches
from protoc_gen_crd.kubernetes.supported_versions import NEWEST
from protoc_gen_crd.schema.schema_decoder import PROPS, make_decoder

from .rules import rules

Node = dict[str, Any]
Json = Any

NAMES = ("a", "b", "c", "d-e", "f.g", "if", "k")
TEXTS = (
    "", "a", "b", "aa", "ab", "é", "10.0.0.1", "::1", "2020-01-02", "2020-01-02T03:04:05Z", "3m", "1h30m", "AAAA",
    "a@b.c", "x.y", "00:00:5e:00:53:01", "http://a/b", "#fff", "12", "-1", "0123456789abcdef01234567", "true", "null",
    "\u2028<&>",
)  # fmt: skip
FORMATS = (
    "date", "date-time", "duration", "byte", "ipv4", "ipv6", "cidr", "uri", "email", "hostname", "uuid", "mac",
    "password", "hexcolor", "colour", "int32", "k8s-short-name", "datetime",
)  # fmt: skip
PATTERNS = ("^a", "b$", "^[a-z]*$", "é", "^$", "a|b")
NUMBERS = (
    0, 1, -1, 2, 5, 10, 1.5, 0.0, -0.0, 2.0, 1e3, 100.25, 2**31, -(2**31) - 1, 2**53, 2**63 - 1, -(2**63), 2.0**63,
    1e300,
)  # fmt: skip
WHOLE = tuple(number for number in NUMBERS if isinstance(number, int))
KINDS = (
    "string", "string", "integer", "number", "boolean", "array", "array", "object", "object", "object", "map", "either",
    "any",
)  # fmt: skip
METADATA: tuple[tuple[float, str, tuple[Json, ...]], ...] = (
    (0.1, "labels", ({"a": "b"}, {"a b": "c"}, {"x/y": ""}, {"a": 1}, None, {"A": "-"})),
    (0.1, "annotations", ({"a": "b"}, {"a b": "c"}, {"X/Y": ""}, {})),
    (0.1, "finalizers", (["x/y"], ["plain"], ["a.b", "orphan"], ["orphan", "foregroundDeletion"], ["é"], [])),
    (0.05, "ownerReferences", ([{"apiVersion": "v1", "kind": "A", "name": "b", "uid": "c"}], [{"kind": "A"}], [])),
    (0.05, "generateName", ("b-", "B")),
    (0.05, "name", ("", "B", "a.b", "a/b", 1)),
    (0.05, "namespace", ("other", "A")),
    (0.03, "generation", (5, -1)),
    (0.03, "deletionTimestamp", ("2020-01-01T00:00:00Z", "x", None)),
    (0.03, "odd", (1, {})),
    (0.03, "managedFields", ([{"operation": "Apply", "odd": 1}], [{"operation": "x"}])),
)


class Schemas:
    """Makes schemas of at most some depth out of one source of chance."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self._lost = 0  # lists above whose items have no old value

    def chance(self, share: float) -> bool:
        """True so often."""
        return self.random.random() < share

    def node(self, depth: int, kind: str = "") -> Node:
        """A schema."""
        kind = kind or self.random.choice(KINDS)
        if depth <= 0 and kind in ("array", "object", "map"):
            kind = "string"
        schema: Node = getattr(self, f"_{kind}")(depth)
        if self.chance(0.1):
            schema["nullable"] = True
        if self.chance(0.12) and kind != "any":
            self._values(schema, kind)
        if self.chance(0.25):
            self._rules(schema, kind)
        if self.chance(0.15):
            value = self.value(schema, exact=True)
            if value is not None and not ValueValidator(Switches.from_minor(NEWEST)).validate_value(
                make_decoder().decode(schema, PROPS), value
            ):
                schema["default"] = value
        return schema

    def _string(self, _depth: int) -> Node:
        schema: Node = {"type": "string"}
        if self.chance(0.3):
            schema["format"] = self.random.choice(FORMATS)
        if self.chance(0.2):
            schema["maxLength"] = self.random.randint(0, 4)
        if self.chance(0.2):
            schema["minLength"] = self.random.randint(0, 3)
        if self.chance(0.2):
            schema["pattern"] = self.random.choice(PATTERNS)
        if self.chance(0.15):
            schema["enum"] = self.random.sample(TEXTS, 2)
        return schema

    def _integer(self, _depth: int) -> Node:
        return self._bounds({"type": "integer"}, ("int32", "int64"))

    def _number(self, _depth: int) -> Node:
        return self._bounds({"type": "number"}, ("float", "double"))

    def _bounds(self, schema: Node, formats: tuple[str, ...]) -> Node:
        if self.chance(0.25):
            schema["format"] = self.random.choice((*formats, "colour"))
        for keyword in ("minimum", "maximum"):
            if self.chance(0.25):
                schema[keyword] = self.random.choice(NUMBERS)
                if self.chance(0.3):
                    schema["exclusive" + keyword.capitalize()] = True
        if self.chance(0.15):
            schema["multipleOf"] = self.random.choice((1, 2, 3, 0.5, 0.1, 2.5))
        if self.chance(0.12):
            schema["enum"] = self.random.sample(NUMBERS, 3)
        return schema

    def _boolean(self, _depth: int) -> Node:
        return {"type": "boolean"} | ({"enum": [True]} if self.chance(0.1) else {})

    def _either(self, _depth: int) -> Node:
        schema: Node = {"x-kubernetes-int-or-string": True}
        if self.chance(0.3):
            schema["anyOf"] = [{"type": "integer"}, {"type": "string"}]
        if self.chance(0.2):
            schema["pattern"] = self.random.choice(PATTERNS)
        if self.chance(0.2):
            schema["maximum"] = 5
        return schema

    def _any(self, _depth: int) -> Node:
        schema: Node = {"x-kubernetes-preserve-unknown-fields": True}
        return schema | ({"type": "object"} if self.chance(0.6) else {})

    def _array(self, depth: int) -> Node:
        self._lost += 1
        schema: Node = {"type": "array", "items": self.node(depth - 1)}
        self._lost -= 1
        for keyword in ("minItems", "maxItems"):
            if self.chance(0.2):
                schema[keyword] = self.random.randint(0, 3)
        kind = self.random.choice((None, None, "set", "map", "atomic"))
        if kind == "map":
            schema["items"] = self._keyed(depth - 1, schema)
        elif kind == "set":
            schema["items"] = self.node(0, self.random.choice(("string", "integer", "number")))
            schema["items"].pop("nullable", None)
        if kind:
            schema["x-kubernetes-list-type"] = kind
        return schema

    def _keyed(self, depth: int, schema: Node) -> Node:
        item = self._object(max(depth, 1))
        item.pop("x-kubernetes-preserve-unknown-fields", None)
        item.pop("x-kubernetes-map-type", None)
        keys = self.random.sample(("k", "n"), self.random.choice((1, 1, 2)))
        for key in keys:
            item.setdefault("properties", {})[key] = {"type": self.random.choice(("string", "integer", "boolean"))}
        item["required"] = keys
        schema["x-kubernetes-list-map-keys"] = keys
        return item

    def _map(self, depth: int) -> Node:
        schema: Node = {"type": "object", "additionalProperties": self.node(depth - 1)}
        for keyword in ("minProperties", "maxProperties"):
            if self.chance(0.15):
                schema[keyword] = self.random.randint(0, 2)
        if self.chance(0.1):
            schema["additionalProperties"] = True
        return schema

    def _object(self, depth: int) -> Node:
        names = self.random.sample(NAMES, self.random.randint(1, 3))
        schema: Node = {"type": "object", "properties": {name: self.node(depth - 1) for name in names}}
        if self.chance(0.3):
            schema["required"] = self.random.sample(names, 1)
        if self.chance(0.1):
            schema["maxProperties"] = self.random.randint(0, 2)
        if self.chance(0.15):
            schema["x-kubernetes-preserve-unknown-fields"] = True
        if self.chance(0.08):
            schema["x-kubernetes-embedded-resource"] = True
        elif self.chance(0.1):
            schema["x-kubernetes-map-type"] = self.random.choice(("granular", "atomic"))
        return schema

    def _values(self, schema: Node, kind: str) -> None:
        """Logical keywords, whose branches only validate."""
        keyword = self.random.choice(("anyOf", "oneOf", "allOf", "not"))
        branches = [self._branch(schema, kind) for _ in range(self.random.randint(1, 3))]
        if keyword not in schema:
            schema[keyword] = branches[0] if keyword == "not" else branches

    def _branch(self, schema: Node, kind: str) -> Node:
        properties = schema.get("properties")
        if kind == "object" and properties and self.chance(0.7):
            name = self.random.choice(list(properties))
            return self.random.choice(
                ({"required": [name]}, {"properties": {name: {"enum": [self.random.choice(TEXTS)]}}})
            )
        pool: dict[str, tuple[Node, ...]] = {
            "string": ({"pattern": "^a"}, {"maxLength": 1}, {"enum": ["a", ""]}, {"minLength": 1}, {"format": "ipv4"}),
            "array": ({"maxItems": 1}, {"minItems": 2}),
            "map": ({"maxProperties": 1}, {"minProperties": 1}),
        }
        return dict(self.random.choice(pool.get(kind, ({"minimum": 1}, {"maximum": 1}, {"multipleOf": 2}, {}))))

    def _rules(self, schema: Node, kind: str) -> None:
        if kind == "string" and schema.get("format") in ("date", "date-time", "duration", "byte"):
            kind = "format"
        drawn_rules = rules(self.random, kind, list(schema.get("properties", ())), lost=bool(self._lost))
        bound = {"string": "maxLength", "format": "maxLength", "array": "maxItems", "map": "maxProperties"}.get(kind)
        if drawn_rules and bound and self.chance(0.85):  # what rules may cost
            schema.setdefault(bound, self.random.choice((3, 5, 30)))
        if drawn_rules:
            schema["x-kubernetes-validations"] = drawn_rules

    # Values

    def value(self, node: Node, *, exact: bool = False) -> Json:
        """A value that fits, but for its keywords; if not `exact`, sometimes anything."""
        if not exact and self.chance(0.06):
            return self.anything(2)
        if node.get("enum") and self.chance(0.6 if not exact else 1):
            return self.random.choice(node["enum"])
        if node.get("nullable") and self.chance(0.1):
            return None
        kind = node.get("type") or ("either" if node.get("x-kubernetes-int-or-string") else "any")
        return getattr(self, f"_a_{kind}")(node, exact)

    def anything(self, depth: int) -> Json:
        """Any JSON value."""
        choice = self.random.randint(0, 6 if depth else 4)
        if choice == 5:
            return [self.anything(depth - 1) for _ in range(self.random.randint(0, 2))]
        if choice == 6:
            return {name: self.anything(depth - 1) for name in self.random.sample(NAMES, self.random.randint(0, 2))}
        return (
            None,
            self.chance(0.5),
            self.random.choice(NUMBERS),
            self.random.choice(TEXTS),
            self.random.choice(WHOLE),
        )[choice]

    def _a_string(self, _node: Node, _exact: bool) -> Json:
        return self.random.choice(TEXTS)

    def _a_integer(self, _node: Node, exact: bool) -> Json:
        return self.random.choice(WHOLE if exact or self.chance(0.8) else NUMBERS)

    def _a_number(self, _node: Node, _exact: bool) -> Json:
        return self.random.choice(NUMBERS)

    def _a_boolean(self, _node: Node, _exact: bool) -> Json:
        return self.chance(0.5)

    def _a_either(self, _node: Node, _exact: bool) -> Json:
        return self.random.choice((1, "a", 7, "x", 0))

    def _a_any(self, _node: Node, exact: bool) -> Json:
        return {} if exact else self.anything(2)

    def _a_array(self, node: Node, exact: bool) -> Json:
        return [self.value(node["items"], exact=exact) for _ in range(self.random.choice((0, 1, 1, 2, 3)))]

    def _a_object(self, node: Node, exact: bool) -> Json:
        value = {}
        for name, child in node.get("properties", {}).items():
            if self.chance(0.75) or (exact and name in node.get("required", ())):
                value[name] = self.value(child, exact=exact)
            elif not exact and self.chance(0.15):
                value[name] = None
        values = node.get("additionalProperties")
        if values:
            for name in self.random.sample(("a", "b", "z"), self.random.randint(0, 2)):
                value[name] = self.anything(1) if values is True else self.value(values, exact=exact)
        if not exact and self.chance(0.1):
            value["unknown"] = self.anything(2)
        if node.get("x-kubernetes-embedded-resource") and (exact or self.chance(0.8)):
            value |= {"apiVersion": "v1", "kind": "Pod"} | ({"metadata": {"name": "x", "odd": 1}} if not exact else {})
        return value

    def metadata(self) -> dict[str, Json]:
        """The metadata of an object, mostly sound."""
        object_metadata: dict[str, Json] = {"name": "a"}
        for share, member, values in METADATA:
            if self.chance(share):
                object_metadata[member] = self.random.choice(values)
        return object_metadata

    def changed(self, node: Node, value: Json) -> Json:
        """A value that is like another, mostly."""
        if self.chance(0.15):
            return self.value(node)
        if isinstance(value, dict):
            children, values = node.get("properties", {}), node.get("additionalProperties")
            changed_object = {}
            for key, member in value.items():
                child = children.get(key) or (values if isinstance(values, dict) else {})
                if not self.chance(0.05):
                    changed_object[key] = self.changed(child, member) if child else member
            return changed_object
        if isinstance(value, list) and node.get("type") == "array":
            made_items = [self.changed(node["items"], item) for item in value]
            if self.chance(0.3):
                self.random.shuffle(made_items)
            return made_items
        return value
