"""Validation of the defaults of a schema: each must be a value that the server accepts and does not change.

The admission of a CRD does not validate defaults below additionalProperties.
Source: k8s.io/apiextensions-apiserver pkg/apiserver/schema/defaulting validation.go, prune.go.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from protoc_gen_crd.admission.crd.rules.cel_interface import CelInterface
from protoc_gen_crd.admission.field_errors import ABSENT, INVALID, Cause, format_error
from protoc_gen_crd.admission.objects.correlation import is_deep_equal
from protoc_gen_crd.admission.objects.embedded_resources import coerce_value, validate_resources
from protoc_gen_crd.admission.objects.structural_nodes import META
from protoc_gen_crd.admission.objects.structural_schemas import StructuralNodes
from protoc_gen_crd.admission.objects.value_validator import ValueValidator
from protoc_gen_crd.admission.version_differences import RATCHETING
from protoc_gen_crd.kubernetes.api_server_limits import OBJECT_COST
from protoc_gen_crd.kubernetes.shared_results import Switches
from protoc_gen_crd.schema.schema import EMBEDDED, Schema

Wrapper = Callable[[Any], Any]
_TYPE_META = {"kind": "Validation", "apiVersion": "validation/v1"}


class DefaultValidator:
    """Validates the defaults of one schema."""

    def __init__(self, switches: Switches, cel: CelInterface | None, *, pruned: bool) -> None:
        self.switches, self.cel, self.pruned = switches, cel, pruned
        self.values = ValueValidator(switches, served=False)
        self.nodes = StructuralNodes()
        self.budget = OBJECT_COST

    def validate_defaults(self, root: Schema, path: str) -> Iterator[Cause]:
        """Validate all defaults; the root counts as a resource."""
        yield from self._validate_node(root, root, path, lambda value: value, resource=True, meta=False)

    def _validate_node(
        self, node: Schema, root: Schema, path: str, wrap: Wrapper, *, resource: bool, meta: bool
    ) -> Iterator[Cause]:
        if self.budget < 0:
            return
        whole, resource = resource, resource or bool(node.get(EMBEDDED))
        if resource:
            root, wrap, meta = node, lambda value: value, False
        if node.get("default") is not None:
            default_path = f"{path}.default"
            errors = [] if meta else self._find_unknown_fields(node, default_path, resource=resource)
            value_errors = (
                self._validate_metadata(node, root, default_path, wrap)
                if meta
                else self._validate_value(node, default_path, resource=resource)
            )
            errors += list(value_errors) or self._validate_rules(node, default_path, root=whole or node is root)
            for error in errors:
                yield error.replace(place=node.get_place("default"))
        if isinstance(node.items, Schema):
            inner = _wrap_in_list(wrap)
            yield from self._validate_node(node.items, root, f"{path}.items", inner, resource=False, meta=meta)
        for name, child in node.properties.items():
            child_path = f"{path}.properties[{name}]"
            child_meta = meta or (resource and name in META)
            yield from self._validate_node(
                child, root, child_path, _wrap_in_object(wrap, name), resource=False, meta=child_meta
            )

    def _find_unknown_fields(self, node: Schema, path: str, *, resource: bool) -> list[Cause]:
        value = node.get("default")
        if not self.pruned or is_deep_equal(self.nodes.prune(value, node, resource=resource), value):
            return []
        # The server coerces the value before it formats the error.
        coerced, _ = coerce_value(value, node, path, self.switches, resource=resource)
        return [Cause(INVALID, path, "must not have unknown fields", coerced)]

    def _validate_value(self, node: Schema, path: str, *, resource: bool) -> Iterator[Cause]:
        value, error = coerce_value(node.get("default"), node, path, self.switches, resource=resource)
        if error is not None:
            yield error
            return
        embedded = list(validate_resources(value, node, path, self.switches, resource=resource))
        yield from embedded or self.values.validate_value(node, value, path)

    def _validate_rules(self, node: Schema, path: str, *, root: bool) -> list[Cause]:
        """Evaluate rules with the default as the old value and, for newer servers, without an old value."""
        if self.cel is None:
            return []
        errors: list[Cause] = []
        self.switches.evaluate(self.cel.get_equivalence_key)
        value, remaining = node.get("default"), self.budget
        for old in (value, ABSENT) if RATCHETING in self.switches else (value,):
            if not errors:
                rule_errors, budget = self.cel.evaluate_rules(
                    node, value, old, path, self.switches.minor, root=root, budget=self.budget
                )
                errors += rule_errors
                remaining = min(remaining, budget)
        self.budget = remaining
        return errors

    def _validate_metadata(self, node: Schema, root: Schema, path: str, wrap: Wrapper) -> Iterator[Cause]:
        """Validate a default inside metadata, as part of a minimal resource."""
        value = node.get("default")
        whole = {**_TYPE_META, **wrap(value)}
        whole, error = coerce_value(whole, root, None, self.switches, resource=True)
        errors = [error] if error else list(validate_resources(whole, root, None, self.switches, resource=True))
        if not errors:
            yield from self.values.validate_value(node, value, path)
            return
        messages = list(dict.fromkeys(format_error(fault, self.switches) for fault in errors))
        message = messages[0] if len(messages) == 1 else f"[{', '.join(messages)}]"
        yield Cause(INVALID, path, f"must result in valid metadata: {message}", value)


def _wrap_in_list(wrap: Wrapper) -> Wrapper:
    return lambda value: wrap([value])


def _wrap_in_object(wrap: Wrapper, name: str) -> Wrapper:
    return lambda value: wrap({name: value})


def normalize_defaults(node: Schema, switches: Switches, *, resource: bool = True, meta: bool = False) -> Schema:
    """Return the schema with defaults as stored: metadata in them is decoded and encoded."""
    resource = resource or bool(node.get(EMBEDDED))
    meta = meta and not resource
    changes: dict[str, Any] = {}
    value = node.get("default")
    if value is not None and not meta:
        changed, _ = coerce_value(value, node, "", switches, resource=resource)
        changes |= {} if is_deep_equal(changed, value) else {"default": changed}
    if isinstance(node.items, Schema):
        items = normalize_defaults(node.items, switches, resource=False, meta=meta)
        changes |= {} if items is node.items else {"items": items}
    properties = {
        name: normalize_defaults(child, switches, resource=False, meta=meta or (resource and name in META))
        for name, child in node.properties.items()
    }
    if any(properties[name] is not child for name, child in node.properties.items()):
        changes["properties"] = properties
    return node.with_keywords(changes) if changes else node


def has_unpruned(root: Schema) -> bool:
    """Return true if a default of a structural schema, or of map values, has fields that the server would prune."""
    return _has_unpruned(root, root, lambda value: value, StructuralNodes())


def _has_unpruned(node: Schema, root: Schema, wrap: Wrapper, nodes: StructuralNodes) -> bool:
    value = node.get("default")
    if value is not None and _is_changed_by_pruning(wrap(value), root, nodes):
        return True
    return (
        (
            isinstance(node.additional, Schema)
            and _has_unpruned(node.additional, root, _wrap_in_object(wrap, "*"), nodes)
        )
        or (isinstance(node.items, Schema) and _has_unpruned(node.items, root, _wrap_in_list(wrap), nodes))
        or any(
            _has_unpruned(child, root, _wrap_in_object(wrap, name), nodes) for name, child in node.properties.items()
        )
    )


def _is_changed_by_pruning(value: object, root: Schema, nodes: StructuralNodes) -> bool:
    return isinstance(value, dict) and not is_deep_equal(nodes.prune(value, root, resource=True), value)
