"""Structural schemas: the nodes of schemas, built once for all versions, with pruned defaults.

Source: k8s.io/apiextensions-apiserver pkg/apiserver/schema structural.go, pruning algorithm.go.
"""

from __future__ import annotations

from typing import Any

from protoc_gen_crd.admission.objects.structural_nodes import OPAQUE, StructuralNode
from protoc_gen_crd.schema.schema import EMBEDDED, Schema


def prune(value: Any, schema: Schema, *, resource: bool = False) -> Any:
    """The value without fields that the schema does not know; the given value is left as it is.

    For a `resource`, apiVersion, kind and metadata are none of the schema's business.
    """
    from protoc_gen_crd.admission.objects.pruning import Pruner  # noqa: PLC0415 - few CRDs have such defaults

    return Pruner(nulls=False).prune_value(StructuralNodes().get_node(schema, resource=resource), value, "")


class StructuralNodes:
    """Nodes, built once for each schema.

    Shortcut structural-nodes: a node is a function of its schema and of whether it is a resource, is never written to,
    and keeps the schema alive.
    """

    def __init__(self) -> None:
        self._known: dict[tuple[int, bool], StructuralNode] = {}

    def get_node(self, schema: Schema, *, resource: bool = False) -> StructuralNode:
        """The node of a schema; `resource` tells that of a whole object."""
        resource = resource or bool(schema.get(EMBEDDED))
        known = self._known.get((id(schema), resource))
        if known is None:
            known = self._known[id(schema), resource] = self._make_node(schema, resource=resource)
        return known

    def _make_node(self, schema: Schema, *, resource: bool) -> StructuralNode:
        properties = {name: self.get_node(child) for name, child in schema.properties.items()}
        items = self.get_node(schema.items) if isinstance(schema.items, Schema) else None
        made = StructuralNode(schema, properties, items, self._get_additional(schema.additional), resource=resource)
        if type(made.default) in (dict, list):
            from protoc_gen_crd.admission.objects.pruning import Pruner  # noqa: PLC0415 - see above

            made.default = Pruner(nulls=False).prune_value(made, made.default, "")
        return made

    def _get_additional(self, given: Any) -> StructuralNode | None:
        if isinstance(given, Schema):
            return self.get_node(given)
        return None if given is None else OPAQUE
