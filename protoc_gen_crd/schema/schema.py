"""Schema: one node of a structural OpenAPI v3 schema.

A node maps keywords, as Kubernetes names them in JSON, to plain values; child schemas are Schema objects. Nodes are
immutable by convention, shared, and compared by identity, so that a shared subtree is processed once.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import Any

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.findings.finding import Place

Json = None | bool | int | float | str | list[Any] | dict[str, Any]

PRESERVE = "x-kubernetes-preserve-unknown-fields"
INT_OR_STRING = "x-kubernetes-int-or-string"
EMBEDDED = "x-kubernetes-embedded-resource"
LIST_TYPE = "x-kubernetes-list-type"
LIST_MAP_KEYS = "x-kubernetes-list-map-keys"
MAP_TYPE = "x-kubernetes-map-type"
VALIDATIONS = "x-kubernetes-validations"
BRANCH_KEYWORDS = ("allOf", "anyOf", "oneOf")  # their values are lists of schemas
LOGICAL_KEYWORDS = (*BRANCH_KEYWORDS, "not")
_MAP_KEYWORDS = ("properties", "patternProperties", "definitions")  # their values map names to schemas
_NESTING = frozenset([*_MAP_KEYWORDS, *BRANCH_KEYWORDS])  # their values are collections of schemas
# All keywords whose values can contain schemas that `iterate_children` yields.
NESTING_KEYWORDS = frozenset([*_MAP_KEYWORDS, *LOGICAL_KEYWORDS, "items", "additionalItems", "additionalProperties"])

# Facts of a node that are not keywords.
DEPRECATED, DEPRECATED_VALUES = "deprecated", "deprecatedValues"
CHANNEL, CHANNEL_VALUES = "channel", "channelValues"
CONVERSION = "conversion"
PLURAL_OF = "pluralOf"  # the singular field beside a list, the place of its marker, and the full name of the list
SKIPPED = "skip"  # the place of a field that a marker omits from all versions
UNREADABLE = "unread"  # the source of a conversion marker that cannot be parsed
SPANS, SPANS_OF_VALUES = "spans", "spansOfValues"  # ranges of releases, with their places
NAMES, REQUIRED = "names", "required"
TYPE = "type"
FIELD = "field"  # the FieldOrigin of a property


class ValidationRule(Record):
    """One entry of x-kubernetes-validations. `origin` is the place of its marker.

    `option` is the option of another vocabulary that it was translated from, as written there.
    """

    rule: str
    message: str = ""
    message_expression: str = ""
    reason: str | None = None
    field_path: str = ""
    optional_old_self: bool | None = None
    origin: Place | None = None
    option: str = ""


class FieldOrigin(Record):
    """The field of a message that a property was generated from: its full name and number."""

    full_name: str
    number: int


class NamedType:
    """A named type that schemas are generated from.

    `values` returns the descriptions of enum values by name; it is a function, since few callers need them. `members`
    are the numbers of all enum values by name, including those that are `hidden` or of other versions or channels.
    """

    __slots__ = ("_parts", "_schema", "hidden", "members", "name", "values")

    def __init__(
        self,
        name: str,
        values: Callable[[], Mapping[str, str]] = dict,
        members: Mapping[str, int] | None = None,
        hidden: Collection[str] = (),
    ) -> None:
        self.name = name
        self.values = values
        self.members = members or {}
        self.hidden = hidden
        self._parts: tuple[Any, ...] | None = None
        self._schema: Schema | None = None

    def set_schema(self, schema: Schema) -> None:
        """Set the schema of the type itself, without the keywords of a field."""
        facts = {fact: value for fact, value in (schema.facts or {}).items() if fact != TYPE}
        self._parts = schema.keywords, schema.origin, schema.marks, facts

    @property
    def schema(self) -> Schema | None:
        """The schema of the type itself, None if it is not set.

        It is created on demand, since it refers to its type, and this cycle would keep all schemas in memory.
        """
        if self._schema is None and self._parts is not None:
            keywords, origin, marks, facts = self._parts
            self._schema = Schema(keywords, origin, marks, {TYPE: self, **facts})
        return self._schema


class Schema:
    """A schema node. `origin` is the place of the node, `marks` are the places of single keywords.

    `facts` are properties that servers do not read: `deprecated` and the release `channel`; for enums
    `deprecatedValues` and `channelValues`, the channels by value; `type`, the NamedType that it was generated from; for
    a field with several `names` all of them, and whether one is `required`; `field`, the FieldOrigin.
    """

    __slots__ = ("facts", "keywords", "marks", "origin")

    def __init__(
        self,
        keywords: Mapping[str, Any],
        origin: Place | None = None,
        marks: Mapping[str, Place] | None = None,
        facts: Mapping[str, Any] | None = None,
    ) -> None:
        self.keywords = keywords
        self.origin = origin
        self.marks = marks
        self.facts = facts

    def get(self, keyword: str) -> Any:
        """Return the value of a keyword, None if it is not set."""
        return self.keywords.get(keyword)

    def __contains__(self, keyword: str) -> bool:
        return keyword in self.keywords

    def __repr__(self) -> str:
        return f"Schema({dict(self.keywords)!r})"

    @property
    def type(self) -> str:
        """Return the JSON type, empty if it is not set."""
        kind: str = self.keywords.get("type", "")
        return kind

    @property
    def properties(self) -> Mapping[str, Schema]:
        """Return the schemas of properties by JSON name."""
        properties: Mapping[str, Schema] = self.keywords.get("properties") or {}
        return properties

    @property
    def items(self) -> Schema | None:
        """Return the schema of list items; None if there is none, or a list of schemas, which API servers reject."""
        items = self.keywords.get("items")
        return items if isinstance(items, Schema) else None

    @property
    def additional(self) -> Schema | bool | None:
        """Return the value of additionalProperties."""
        additional: Schema | bool | None = self.keywords.get("additionalProperties")
        return additional

    @property
    def rules(self) -> tuple[ValidationRule, ...]:
        """Return the CEL rules of this node."""
        rules: tuple[ValidationRule, ...] = self.keywords.get(VALIDATIONS, ())
        return rules

    def get_place(self, keyword: str) -> Place | None:
        """Return the place of a keyword: of its marker, otherwise of the node."""
        return (self.marks or {}).get(keyword) or self.origin

    def with_keywords(self, changes: Mapping[str, Any], mark: Place | None = None) -> Schema:
        """Return a copy with changed keywords; None removes a keyword. `mark` is the place of the changes."""
        keywords = {**self.keywords, **changes}
        for keyword, value in changes.items():
            if value is None:
                del keywords[keyword]
        marks = {**(self.marks or {}), **dict.fromkeys(changes, mark)} if mark else self.marks
        return Schema(keywords, self.origin, marks, self.facts)

    def with_facts(self, facts: Mapping[str, Any]) -> Schema:
        """Return a copy with additional facts."""
        return Schema(self.keywords, self.origin, self.marks, {**(self.facts or {}), **facts})

    def iterate_children(self) -> Iterator[tuple[str, Schema]]:
        """Yield every direct child with its path step as in Kubernetes: `.properties[a]`, `.items`, `.anyOf[0]`."""
        for keyword, value in self.keywords.items():
            if isinstance(value, Schema):
                yield f".{keyword}", value
            elif keyword in _MAP_KEYWORDS:
                for name, child in value.items():
                    yield f".{keyword}[{name}]", child
            elif keyword in BRANCH_KEYWORDS:
                for index, child in enumerate(value):
                    yield f".{keyword}[{index}]", child

    def list_children(self) -> list[Schema]:
        """Return every direct child in the order of `iterate_children`, three times as fast."""
        children: list[Schema] = []
        for keyword, value in self.keywords.items():
            if type(value) is Schema:
                children.append(value)
            elif keyword in _NESTING:
                children += value.values() if keyword in _MAP_KEYWORDS else value
        return children


def iterate_nodes(roots: Iterable[Schema | None]) -> Iterator[Schema]:
    """Yield the nodes of schemas, from the root down. A shared node occurs once."""
    stack = [root for root in roots if root is not None][::-1]
    visited: set[int] = set()
    while stack:
        node = stack.pop()
        if id(node) not in visited:
            visited.add(id(node))
            yield node
            if not NESTING_KEYWORDS.isdisjoint(node.keywords):
                stack += node.list_children()[::-1]


def iterate_rules(roots: Iterable[Schema | None]) -> Iterator[ValidationRule]:
    """Yield the CEL rules of the nodes of schemas, from the root down. The rules of a shared node occur once."""
    for node in iterate_nodes(roots):
        if VALIDATIONS in node.keywords:
            yield from node.rules
