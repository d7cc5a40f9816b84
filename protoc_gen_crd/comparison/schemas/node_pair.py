"""A schema node in the old and the new API, with its parents."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from protoc_gen_crd.comparison.schemas.enforced_keywords import (
    RESOURCE_FIELDS,
    STATUS,
    TYPE_FIELDS,
    get_effective_value,
)
from protoc_gen_crd.comparison.schemas.keyword_order import to_key
from protoc_gen_crd.comparison.schemas.narrowed_constraints import Constraints, get_constraints
from protoc_gen_crd.crd.crd import CrdVersion
from protoc_gen_crd.findings.finding import Place
from protoc_gen_crd.schema.cel_names import escape_cel_name
from protoc_gen_crd.schema.go_type_decoder import DocumentPlace, append_steps
from protoc_gen_crd.schema.schema import (
    CHANNEL_VALUES,
    EMBEDDED,
    INT_OR_STRING,
    LIST_TYPE,
    LOGICAL_KEYWORDS,
    PRESERVE,
    TYPE,
    VALIDATIONS,
    NamedType,
    Schema,
)

CHILD_KEYWORDS = frozenset(("properties", "items", "additionalProperties"))
_ENCODED = frozenset((*LOGICAL_KEYWORDS, VALIDATIONS))
# Keywords whose values may be equal in JSON but not in Python, or the reverse.
_PRECISE = _ENCODED | {"default", "enum", "example"}
METADATA = "metadata"
ANYTHING = Schema({"nullable": True})  # the values of additionalProperties: true
UNKNOWN = Schema({"nullable": True, PRESERVE: True})  # the values of unknown fields that servers preserve
PRUNED = Schema({})  # no values, since servers drop them
_COMPARISON = re.compile(r"[=!]=|\+|\bin\b|\bindexOf\b|\blastIndexOf\b")
_NUMERIC_OPERATION = re.compile(r"[-+*/%]|\b(?:type|string)\(|\.format\(")
_CEL_TYPES = {"byte": "bytes", "duration": "duration", "date": "timestamp", "date-time": "timestamp"}
_WHOLE_SELF = re.compile(r"\b(?:self|oldSelf)\b(?!\s*[.\[])")
ROOT, PROPERTY, ITEM, VALUE = "root", "property", "item", "value"
ENUM_KEYWORDS = ("enum", CHANNEL_VALUES)  # whose place is that of the enum
ELEMENT_KEYWORDS = {ITEM: "items", VALUE: "additionalProperties"}


class NodePair:
    """A node at a path in both APIs.

    `position` is its place in `parent`, `name` its name if it is a property, `old_name` the one in the old API.
    `version` is the new version, and `others` are the old schemas of the other served versions if it stores
    their objects, both at the root only.
    """

    __slots__ = ("name", "new", "old", "old_name", "others", "parent", "path", "position", "version")

    def __init__(
        self, old: Schema, new: Schema, path: str = "", position: str = ROOT, parent: NodePair | None = None,
        name: str = "", version: CrdVersion | None = None,
    ) -> None:  # fmt: skip
        self.old, self.new, self.path = old, new, path
        self.position, self.parent, self.name, self.old_name = position, parent, name, name
        self.version = version
        self.others: Sequence[Schema] = ()

    def with_schemas(self, old: Schema, new: Schema) -> NodePair:
        """Return a copy with other schemas."""
        pair = NodePair(old, new, self.path, self.position, self.parent, self.name, self.version)
        pair.old_name, pair.others = self.old_name, self.others
        return pair

    @property
    def is_added(self) -> bool:
        """Return whether the old API has no such node and accepts no value for it."""
        parent = self.parent
        if parent is None or parent.old is ANYTHING or self.position != PROPERTY:
            return False
        if self.old_name in parent.old.properties:
            return False
        return not parent.keeps_unknown_fields()[0] and parent.old.additional is None

    def keeps_unknown_fields(self) -> tuple[bool, bool]:
        """Return whether each API keeps unknown fields of a node, by its own keyword or by that of an array around it.

        Source: k8s.io/apiextensions-apiserver pkg/apiserver/schema/pruning algorithm.go.
        """
        around = self.parent.keeps_unknown_fields() if self.position == ITEM and self.parent else (False, False)
        return bool(self.old.get(PRESERVE) or around[0]), bool(self.new.get(PRESERVE) or around[1])

    def get_values(self, keyword: str) -> tuple[Any, Any]:
        """Return the plain values of a keyword, None if absent."""
        return get_plain_value(self.old, keyword), get_plain_value(self.new, keyword)

    def get_effective_values(self, keyword: str) -> tuple[Any, Any]:
        """Return the effective values of a keyword."""
        sides = zip((self.old, self.new), self.keeps_unknown_fields(), strict=True)
        schemas = (
            Schema({**schema.keywords, PRESERVE: True}) if is_open and not schema.get(PRESERVE) else schema
            for schema, is_open in sides
        )
        old, new = (get_effective_value(schema, keyword, always=self.list_present_fields(schema)) for schema in schemas)
        return old, new

    def mirror(self) -> NodePair:
        """Return the same node in the reverse order."""
        parent = self.parent.mirror() if self.parent else None
        mirrored = NodePair(self.new, self.old, self.path, self.position, parent, self.old_name)
        mirrored.old_name = self.name
        return mirrored

    def has_unchecked_resources(self) -> bool:
        """Return whether servers accept embedded resources without apiVersion and kind, as in updates of a status.

        Source: k8s.io/apiextensions-apiserver pkg/registry/customresource status_strategy.go (ValidateUpdate).
        """
        top, root = self, self.parent
        while root is not None and root.parent is not None:
            top, root = root, root.parent
        return root is not None and root.version is not None and root.version.status and top.name == STATUS

    def list_present_fields(self, schema: Schema) -> frozenset[str]:
        """Return the fields that all values of a side have, whether its schema has them or not."""
        if self.position == ROOT:
            return RESOURCE_FIELDS
        return TYPE_FIELDS if schema.get(EMBEDDED) and not self.has_unchecked_resources() else frozenset()

    def get_constraints(self) -> tuple[Constraints, Constraints]:
        """Return the constraints of both nodes on their own values as plain data."""
        return get_constraints(self.old), get_constraints(self.new)

    def find_changed_keywords(self) -> list[str]:
        """Return the keywords of the node itself whose values differ."""
        old, new = self.old.keywords, self.new.keywords
        return [
            keyword
            for keyword in dict.fromkeys((*old, *new))
            if keyword not in CHILD_KEYWORDS
            and (before := old.get(keyword)) is not (after := new.get(keyword))
            and (keyword in _PRECISE or before != after)
            and to_key(get_plain_value(self.old, keyword)) != to_key(get_plain_value(self.new, keyword))
        ]

    def find_place(self, keyword: str) -> Place | None:
        """Return the place of a keyword in the new API, or of what is left around it."""
        if keyword in ENUM_KEYWORDS and keyword not in (self.new.marks or {}) and (place := _find_type_place(self.new)):
            return place
        if keyword in LOGICAL_KEYWORDS and (place := self._find_logical_place(keyword)):
            return place
        is_own = keyword in self.new.keywords or self.parent is None
        place = self.new.get_place(keyword) if is_own else self.new.origin
        if place is not None or self.parent is None:
            return place
        return _find_type_place(self.parent.new) or self.parent.find_place("properties")

    def _find_logical_place(self, keyword: str) -> Place | None:
        """Return the place of a oneof of a message that changed, or of its message; None for keywords of the field."""
        if keyword in (self.new.marks or {}):
            return None
        is_marker = keyword in (self.old.marks or {}) and not isinstance(self.old.origin, DocumentPlace)
        return _find_changed_branch(self.new, self.old) or (None if is_marker else _find_type_place(self.new))

    def find_old_place(self, keyword: str = "") -> Place | None:
        """Return the place of a keyword in the old API, or that of the node.

        Schemas of equal blocks have the places of the new API. The place of such a node follows from that of its
        nearest parent with a place in the old API.
        """
        root, pair, steps = self.get_root().old.origin, self, list[str]()
        if not isinstance(root, DocumentPlace):
            is_own = keyword not in LOGICAL_KEYWORDS or keyword in (self.old.marks or {})
            place = None if is_own else _find_changed_branch(self.old, self.new)
            return place or (self.old.get_place(keyword) if keyword else self.old.origin)
        while isinstance(origin := pair.old.origin, DocumentPlace) and origin.places is not root.places:
            steps = [
                *(["properties", pair.old_name] if pair.position == PROPERTY else [ELEMENT_KEYWORDS[pair.position]]),
                *steps,
            ]
            pair = pair.get_parent()
        if not isinstance(origin, DocumentPlace):
            return None  # a new node
        return DocumentPlace(root.places, append_steps([*steps, *([keyword] if keyword else [])], origin.path))

    def get_parent(self) -> NodePair:
        """Return the parent, or a pair without constraints."""
        return self.parent or NodePair(Schema({}), Schema({}))

    def get_root(self) -> NodePair:
        """Return the root of the tree."""
        pair = self
        while pair.parent is not None:
            pair = pair.parent
        return pair

    def find_others(self) -> list[Schema]:
        """Return the schemas of the node in the versions in `others`, PRUNED for a version without it."""
        if self.parent is None:
            return [*self.others]
        return [get_child(parent, self.position, self.old_name) for parent in self.parent.find_others()]

    def iterate_ancestors(self) -> Iterator[NodePair]:
        """Yield the parent, its parent, and so on."""
        pair = self.parent
        while pair is not None:
            yield pair
            pair = pair.parent


def get_child(schema: Schema, position: str, name: str = "") -> Schema:
    """Return the schema of a child: UNKNOWN if servers keep it without one, PRUNED if they drop it."""
    if position == PROPERTY and name in schema.properties:
        return schema.properties[name]
    child = schema.get("items" if position == ITEM else "additionalProperties")
    if isinstance(child, Schema):
        return child
    return UNKNOWN if child or schema.get(PRESERVE) else PRUNED


def _find_changed_branch(schema: Schema, other: Schema) -> Place | None:
    """Return the place of the first part of logical keywords that another schema does not have."""
    others = [part for part, _ in _list_logical_parts(other)]
    return next((place for part, place in _list_logical_parts(schema) if part not in others), None)


def _list_logical_parts(schema: Schema) -> Iterator[tuple[Any, Place | None]]:
    """Yield the logical keywords of a schema, and those inside allOf, with their places."""
    for keyword in ("oneOf", "anyOf", "not"):
        if value := schema.get(keyword):
            first = value if isinstance(value, Schema) else value[0]
            yield (keyword, get_plain_value(schema, keyword)), first.origin
    for branch in schema.get("allOf") or ():
        yield from _list_logical_parts(branch)


def _find_type_place(schema: Schema) -> Place | None:
    """Return the place of the message that a schema was generated from."""
    named: NamedType | None = (schema.facts or {}).get(TYPE)
    return named.schema.origin if named and named.schema else None


def get_plain_value(schema: Schema, keyword: str) -> Any:
    """Return the value of a keyword as plain data, None if it is absent."""
    value = schema.get(keyword)
    if value is not None and keyword in _ENCODED:
        return get_constraints(Schema({keyword: value})).get(keyword)
    return value


def is_unique_list(schema: Schema) -> bool:
    """Report whether a list rejects equal items."""
    return schema.get(LIST_TYPE) in ("set", "map")


def may_compare(pair: NodePair) -> bool:
    """Report whether a rule of the new API may compare or concatenate a value.

    In CEL, both depend on the type of a list, and a comparison depends on whether fields are known.

    Source:
        k8s.io/apiserver pkg/cel/common/values.go: sets and maps ignore the order of items, and `+` merges equal ones.
        An unknown field of an object can be missing in an equal one.
    """
    return any(map(_COMPARISON.search, _list_reading_rules(pair)))


def may_read_type(pair: NodePair) -> bool:
    """Report whether a rule of the new API may have another result because a value has another type in CEL.

    Comparisons of numbers do not depend on their types.
    """
    old, new = (_get_cel_types(schema) for schema in (pair.old, pair.new))
    if old <= new or not new:
        return False
    are_numbers = old | new <= {"integer", "number"}
    return any(not are_numbers or _NUMERIC_OPERATION.search(rule) for rule in _list_reading_rules(pair))


def _get_cel_types(schema: Schema) -> set[str]:
    """Return the types of a scalar in CEL; that of an int-or-string depends on the value."""
    if schema.get(INT_OR_STRING):
        return {"integer", "string"}
    if schema.type == "string":
        return {_CEL_TYPES.get(schema.get("format") or "", "string")}
    return {schema.type} if schema.type in ("integer", "number", "boolean") else set()


def _list_reading_rules(pair: NodePair) -> Iterator[str]:
    """Yield the expressions of the new API that may read a node."""
    child = ""  # the property that contains the node
    for node in (pair, *pair.iterate_ancestors()):
        yield from (
            rule.rule for rule in node.new.rules if not child or child in rule.rule or _WHOLE_SELF.search(rule.rule)
        )
        child = escape_cel_name(node.name)
