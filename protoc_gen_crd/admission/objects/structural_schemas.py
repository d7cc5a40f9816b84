"""Structural schemas: trees of nodes with pruned defaults, built once for all versions.

Source: k8s.io/apiextensions-apiserver pkg/apiserver/schema structural.go, pruning algorithm.go.
"""

from __future__ import annotations

from typing import Any

from protoc_gen_crd.admission.objects.structural_nodes import StructuralNode, find_own_flags
from protoc_gen_crd.schema.schema import EMBEDDED, Schema


class StructuralNodes:
    """A cache of nodes, built once for each schema.

    Shortcut structural-nodes: a node is a function of its schema and of whether it is a resource, is never written to,
    and keeps the schema alive.
    """

    def __init__(self) -> None:
        self._known: dict[tuple[int, bool], StructuralNode] = {}
        self._flags: dict[int, int] = {}

    def get_node(self, schema: Schema, *, resource: bool = False) -> StructuralNode:
        """Return the node of a schema; `resource` is true for the schema of a whole object."""
        resource = resource or bool(schema.get(EMBEDDED))
        node = self._known.get((id(schema), resource))
        if node is None:
            node = self._known[id(schema), resource] = self._make_node(schema, resource=resource)
        return node

    def _make_node(self, schema: Schema, *, resource: bool) -> StructuralNode:
        node = StructuralNode(schema, self._get_flags(schema), self.get_node, resource=resource)
        if type(node.default) in (dict, list):
            from protoc_gen_crd.admission.objects.pruning import Pruner  # noqa: PLC0415 - few CRDs have such defaults

            node.default = Pruner(nulls=False).prune_value(node, node.default, "")
        return node

    def _get_flags(self, schema: Schema) -> int:
        """Return the flags of a schema with those of all schemas below it."""
        flags = self._flags.get(id(schema))
        if flags is None:
            flags, get = find_own_flags(schema), schema.keywords.get
            for child in (*(get("properties") or {}).values(), get("items"), get("additionalProperties")):
                if isinstance(child, Schema):
                    flags |= self._get_flags(child)
            self._flags[id(schema)] = flags
        return flags

    def prune(self, value: Any, schema: Schema, *, resource: bool = False) -> Any:
        """Return the value without the fields that the schema does not specify; the argument is not modified.

        The schema of a `resource` does not affect apiVersion, kind, and metadata.
        """
        from protoc_gen_crd.admission.objects.pruning import Pruner  # noqa: PLC0415 - see above

        return Pruner(nulls=False).prune_value(self.get_node(schema, resource=resource), value, "")
