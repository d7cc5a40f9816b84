"""Schema: one node of a structural OpenAPI v3 schema.

A node is a mapping of keywords as Kubernetes spells them in JSON, values in plain data, child
schemas as Schema. Nodes are immutable by custom, shared freely and compared by identity, so that
equal subtrees are worked out once.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
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

# Facts of a node that are no keywords.
DEPRECATED, DEPRECATED_VALUES = "deprecated", "deprecatedValues"
CHANNEL, CHANNEL_VALUES = "channel", "channelValues"
CONVERSION = "conversion"
SKIPPED = "skip"  # the place of a field that a marker leaves out of all versions
UNREADABLE = "unread"  # of a conversion whose marker cannot be read: its text
SPANS, SPANS_OF_VALUES = "spans", "spansOfValues"  # ranges of releases, with their places
NAMES, REQUIRED = "names", "required"
TYPE = "type"


class ValidationRule(Record):
    """One entry of x-kubernetes-validations. `origin` is the marker it came from.

    `option` is the option of another vocabulary that it was translated from, as it is spelled.
    """

    rule: str
    message: str = ""
    message_expression: str = ""
    reason: str | None = None
    field_path: str = ""
    optional_old_self: bool | None = None
    origin: Place | None = None
    option: str = ""


class NamedType:
    """A type with a name that schemas are made from: its own schema, before a field adds to it.

    `values` tells what is said of each value of an enum; it is called where somebody asks. `members` are the names of
    all values of an enum with their numbers, of those too that are `hidden`, or of other versions or channels.
    """

    __slots__ = ("hidden", "members", "name", "schema", "values")

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
        self.schema: Schema | None = None


class Schema:
    """Keywords to values; see the module. `origin` is where the node came from, `marks` where single keywords did.

    `facts` are what no keyword says and servers do not read: `deprecated` and the release `channel`, and for enums
    `deprecatedValues` and `channelValues`, the channels by value; as `type` the Named type that it was made from; for a
    field with several `names` all of them, and whether one is `required`.
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
        """The keyword's value, None where it is not set."""
        return self.keywords.get(keyword)

    def __contains__(self, keyword: str) -> bool:
        return keyword in self.keywords

    def __repr__(self) -> str:
        return f"Schema({dict(self.keywords)!r})"

    @property
    def type(self) -> str:
        """The JSON type, empty where none is set."""
        kind: str = self.keywords.get("type", "")
        return kind

    @property
    def properties(self) -> Mapping[str, Schema]:
        """Child schemas by JSON name."""
        known: Mapping[str, Schema] = self.keywords.get("properties") or {}
        return known

    @property
    def items(self) -> Schema | None:
        """The schema of list items."""
        known: Schema | None = self.keywords.get("items")
        return known

    @property
    def additional(self) -> Schema | bool | None:
        """The value of additionalProperties."""
        known: Schema | bool | None = self.keywords.get("additionalProperties")
        return known

    @property
    def rules(self) -> tuple[ValidationRule, ...]:
        """The CEL rules of this node."""
        known: tuple[ValidationRule, ...] = self.keywords.get(VALIDATIONS, ())
        return known

    def get_place(self, keyword: str) -> Place | None:
        """Return the place of a keyword: its marker, else the node's own origin."""
        return (self.marks or {}).get(keyword) or self.origin

    def with_keywords(self, changes: Mapping[str, Any], mark: Place | None = None) -> Schema:
        """The same node with keywords set, or removed where the new value is None."""
        keywords = {**self.keywords, **changes}
        for keyword, value in changes.items():
            if value is None:
                del keywords[keyword]
        marks = {**(self.marks or {}), **dict.fromkeys(changes, mark)} if mark else self.marks
        return Schema(keywords, self.origin, marks, self.facts)

    def with_facts(self, facts: Mapping[str, Any]) -> Schema:
        """The same node with more facts."""
        return Schema(self.keywords, self.origin, self.marks, {**(self.facts or {}), **facts})

    def iterate_children(self) -> Iterator[tuple[str, Schema]]:
        """Every direct child with its path step as Kubernetes writes it: `.properties[a]`, `.items`, `.anyOf[0]`."""
        for keyword, value in self.keywords.items():
            if isinstance(value, Schema):
                yield f".{keyword}", value
            elif keyword in ("properties", "patternProperties", "definitions"):
                for name, child in value.items():
                    yield f".{keyword}[{name}]", child
            elif keyword in ("allOf", "anyOf", "oneOf"):
                for index, child in enumerate(value):
                    yield f".{keyword}[{index}]", child
