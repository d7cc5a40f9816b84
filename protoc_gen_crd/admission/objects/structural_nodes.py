"""The nodes of structural schemas, for pruning, defaulting, and correlation.

They do not include the validation of values. Source: k8s.io/apiextensions-apiserver pkg/apiserver/schema structural.go.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from protoc_gen_crd.admission.objects.number_checks import normalize_numbers
from protoc_gen_crd.schema.schema import EMBEDDED, LIST_MAP_KEYS, LIST_TYPE, MAP_TYPE, PRESERVE, VALIDATIONS, Schema

META = frozenset(("apiVersion", "kind", "metadata"))


class StructuralNode:
    """One node. The flags `defaults`, `resources`, `lists`, and `rules` are true if the node or a node below has any.

    `settled` is true if the defaults here and below have no nulls, so that storage keeps them. `additional` is None
    without additional properties, and the node OPAQUE if they are allowed without a schema.

    Shortcut node-flags: a flag is false only where neither the node nor any node below has what its pass looks for, so
    the pass would change and report nothing.
    """

    __slots__ = (
        "additional", "correlatable", "default", "defaulted", "defaults", "droppable", "items", "keys", "list_type",
        "lists", "nullable", "preserve", "properties", "resource", "resources", "rules", "schema",
        "settled",
    )  # fmt: skip

    def __init__(
        self,
        schema: Schema,
        properties: Mapping[str, StructuralNode],
        items: StructuralNode | None,
        additional: StructuralNode | None,
        *,
        resource: bool,
    ) -> None:
        self.schema, self.properties, self.items, self.additional = schema, properties, items, additional
        self.resource = resource
        self.preserve = bool(schema.get(PRESERVE))
        self.nullable = bool(schema.get("nullable"))
        self.default = normalize_numbers(schema.get("default"))
        self.droppable = self.default is None and not self.nullable
        self.list_type = schema.get(LIST_TYPE)
        self.keys: tuple[str, ...] = tuple(schema.get(LIST_MAP_KEYS) or ())
        self.correlatable = schema.get(MAP_TYPE) in (None, "granular", "atomic")
        self.defaulted = tuple((key, child) for key, child in properties.items() if child.default is not None)
        children = [*properties.values(), *(child for child in (items, additional) if child is not None)]
        self.settled: bool = not _has_null(self.default) and all(child.settled for child in children)
        self.defaults: bool = self.default is not None or any(child.defaults for child in children)
        self.resources: bool = bool(schema.get(EMBEDDED)) or any(child.resources for child in children)
        self.lists: bool = self.list_type in ("set", "map") or any(child.lists for child in children)
        self.rules: bool = bool(schema.get(VALIDATIONS)) or any(child.rules for child in children)


def _has_null(value: Any) -> bool:
    if type(value) is dict:
        value = list(value.values())
    return type(value) is list and any(item is None or _has_null(item) for item in value)


OPAQUE = StructuralNode(Schema({}), {}, None, None, resource=False)
