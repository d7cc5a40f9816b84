"""The nodes of structural schemas, for pruning, defaulting, and correlation.

They do not include the validation of values. Source: k8s.io/apiextensions-apiserver pkg/apiserver/schema structural.go.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from protoc_gen_crd.admission.objects.number_checks import normalize_numbers
from protoc_gen_crd.schema.schema import EMBEDDED, LIST_MAP_KEYS, LIST_TYPE, MAP_TYPE, PRESERVE, VALIDATIONS, Schema

# What a schema or one below it has, as bits.
DEFAULTS, NULL_DEFAULTS, RESOURCES, LISTS, RULES = 1, 2, 4, 8, 16
META = frozenset(("apiVersion", "kind", "metadata"))


class StructuralNode:
    """One node. The flags `defaults`, `resources`, `lists`, and `rules` are true if the node or a node below has any.

    `settled` is true if the defaults here and below have no nulls, so that storage keeps them. `additional` is None
    without additional properties, and the node OPAQUE if they are allowed without a schema. `make_child` returns the
    node of a schema below; the nodes below are made on first access, since many schemas have more than objects use.

    Shortcut node-flags: a flag is false only where neither the node nor any node below has what its pass looks for, so
    the pass would change and report nothing.
    """

    __slots__ = (
        "additional", "correlatable", "default", "defaulted", "defaults", "droppable", "items", "keys", "list_type",
        "lists", "make_child", "nullable", "preserve", "properties", "resource", "resources", "rules", "schema",
        "settled",
    )  # fmt: skip
    properties: Mapping[str, StructuralNode]
    items: StructuralNode | None
    additional: StructuralNode | None
    defaulted: tuple[tuple[str, StructuralNode], ...]

    def __init__(
        self, schema: Schema, flags: int, make_child: Callable[[Schema], StructuralNode], *, resource: bool
    ) -> None:
        get = schema.keywords.get
        self.schema, self.make_child, self.resource = schema, make_child, resource
        self.preserve = bool(get(PRESERVE))
        self.nullable = bool(get("nullable"))
        self.default = normalize_numbers(get("default"))
        self.droppable = self.default is None and not self.nullable
        self.list_type = get(LIST_TYPE)
        self.keys: tuple[str, ...] = tuple(get(LIST_MAP_KEYS) or ())
        self.correlatable = get(MAP_TYPE) in (None, "granular", "atomic")
        self.defaults, self.settled = bool(flags & DEFAULTS), not flags & NULL_DEFAULTS
        self.resources, self.lists, self.rules = bool(flags & RESOURCES), bool(flags & LISTS), bool(flags & RULES)

    def __getattr__(self, name: str) -> Any:
        make = _MAKERS.get(name)
        if make is None:
            raise AttributeError(name)
        value = make(self)
        setattr(self, name, value)
        return value


def _make_properties(node: StructuralNode) -> Mapping[str, StructuralNode]:
    return {name: node.make_child(child) for name, child in node.schema.properties.items()}


def _make_items(node: StructuralNode) -> StructuralNode | None:
    items = node.schema.items
    return node.make_child(items) if isinstance(items, Schema) else None


def _make_additional(node: StructuralNode) -> StructuralNode | None:
    additional = node.schema.additional
    if isinstance(additional, Schema):
        return node.make_child(additional)
    return None if additional is None else OPAQUE


def _find_defaulted(node: StructuralNode) -> tuple[tuple[str, StructuralNode], ...]:
    properties = node.properties.items() if node.defaults else ()
    return tuple((name, child) for name, child in properties if child.default is not None)


_MAKERS: Mapping[str, Callable[[StructuralNode], Any]] = {
    "properties": _make_properties, "items": _make_items, "additional": _make_additional, "defaulted": _find_defaulted,
}  # fmt: skip


def find_own_flags(schema: Schema) -> int:
    """Return the flags of a schema without those of the schemas below it."""
    get = schema.keywords.get
    default = get("default")
    flags = 0 if default is None else DEFAULTS | NULL_DEFAULTS if _has_null(default) else DEFAULTS
    return (
        flags
        | (RESOURCES if get(EMBEDDED) else 0)
        | (LISTS if get(LIST_TYPE) in ("set", "map") else 0)
        | (RULES if get(VALIDATIONS) else 0)
    )


def _has_null(value: Any) -> bool:
    if type(value) is dict:
        value = list(value.values())
    return type(value) is list and any(item is None or _has_null(item) for item in value)


def _make_opaque(_: Schema) -> StructuralNode:
    return OPAQUE


OPAQUE = StructuralNode(Schema({}), 0, _make_opaque, resource=False)
