"""Defaults in schemas: each must be a value that the server would take and keep as it is.

Those below additionalProperties are not looked at when a CRD is admitted.
Source: k8s.io/apiextensions-apiserver pkg/apiserver/schema/defaulting validation.go, prune.go.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from protoc_gen_crd.admission.crd.rules.cel_interface import CelInterface
from protoc_gen_crd.admission.field_errors import ABSENT, INVALID, FieldError, format_error
from protoc_gen_crd.admission.objects.correlation import is_deep_equal
from protoc_gen_crd.admission.objects.embedded_resources import coerce_value, validate_resources
from protoc_gen_crd.admission.objects.structural_nodes import META
from protoc_gen_crd.admission.objects.structural_schemas import prune
from protoc_gen_crd.admission.objects.value_validator import ValueValidator
from protoc_gen_crd.admission.switches import RATCHETING, Switches
from protoc_gen_crd.kubernetes.limits import OBJECT_COST
from protoc_gen_crd.schema.schema import EMBEDDED, Schema

Wrapper = Callable[[Any], Any]
_TYPE_META = {"kind": "Validation", "apiVersion": "validation/v1"}


class DefaultValidator:
    """Goes through the defaults of one schema."""

    def __init__(self, switches: Switches, cel: CelInterface | None, *, pruned: bool) -> None:
        self.switches, self.cel, self.pruned = switches, cel, pruned
        self.values = ValueValidator(switches, served=False)
        self.budget = OBJECT_COST

    def validate_defaults(self, root: Schema, path: str) -> Iterator[FieldError]:
        """What is wrong with any default; the root counts as a resource."""
        yield from self._validate_node(root, root, path, lambda value: value, resource=True, meta=False)

    def _validate_node(
        self, node: Schema, root: Schema, path: str, around: Wrapper, *, resource: bool, meta: bool
    ) -> Iterator[FieldError]:
        if self.budget < 0:
            return
        whole, resource = resource, resource or bool(node.get(EMBEDDED))
        if resource:
            root, around, meta = node, lambda value: value, False
        if node.get("default") is not None:
            at = f"{path}.default"
            errors = [] if meta else self._find_unknown_fields(node, at, resource=resource)
            found = (
                self._validate_metadata(node, root, at, around)
                if meta
                else self._validate_value(node, at, resource=resource)
            )
            errors += list(found) or self._validate_rules(node, at, root=whole or node is root)
            for error in errors:
                yield error.replace(origin=node.get_place("default"))
        if isinstance(node.items, Schema):
            inner = _wrap_in_list(around)
            yield from self._validate_node(node.items, root, f"{path}.items", inner, resource=False, meta=meta)
        for name, child in node.properties.items():
            below = f"{path}.properties[{name}]"
            inside = meta or (resource and name in META)
            yield from self._validate_node(
                child, root, below, _wrap_in_object(around, name), resource=False, meta=inside
            )

    def _find_unknown_fields(self, node: Schema, path: str, *, resource: bool) -> list[FieldError]:
        value = node.get("default")
        if not self.pruned or is_deep_equal(prune(value, node, resource=resource), value):
            return []
        shown, _ = coerce_value(value, node, path, self.switches, resource=resource)  # which happens before it is shown
        return [FieldError(INVALID, path, "must not have unknown fields", shown)]

    def _validate_value(self, node: Schema, path: str, *, resource: bool) -> Iterator[FieldError]:
        value, refused = coerce_value(node.get("default"), node, path, self.switches, resource=resource)
        if refused is not None:
            yield refused
            return
        embedded = list(validate_resources(value, node, path, self.switches, resource=resource))
        yield from embedded or self.values.validate_value(node, value, path)

    def _validate_rules(self, node: Schema, path: str, *, root: bool) -> list[FieldError]:
        """What rules say, as if the default were there before and, where rules can tell, as if it were not."""
        if self.cel is None:
            return []
        errors: list[FieldError] = []
        self.switches.evaluate(self.cel.get_equivalence_key)
        value, left = node.get("default"), self.budget
        for old in (value, ABSENT) if RATCHETING in self.switches else (value,):
            if not errors:
                found, rest = self.cel.evaluate_rules(
                    node, value, old, path, self.switches.minor, root=root, budget=self.budget
                )
                errors += found
                left = min(left, rest)
        self.budget = left
        return errors

    def _validate_metadata(self, node: Schema, root: Schema, path: str, around: Wrapper) -> Iterator[FieldError]:
        """A default within metadata is looked at in a resource made around it."""
        value = node.get("default")
        whole = {**_TYPE_META, **around(value)}
        whole, refused = coerce_value(whole, root, None, self.switches, resource=True)
        faults = [refused] if refused else list(validate_resources(whole, root, None, self.switches, resource=True))
        if not faults:
            yield from self.values.validate_value(node, value, path)
            return
        texts = list(dict.fromkeys(format_error(fault, self.switches) for fault in faults))
        words = texts[0] if len(texts) == 1 else f"[{', '.join(texts)}]"
        yield FieldError(INVALID, path, f"must result in valid metadata: {words}", value)


def _wrap_in_list(around: Wrapper) -> Wrapper:
    return lambda value: around([value])


def _wrap_in_object(around: Wrapper, name: str) -> Wrapper:
    return lambda value: around({name: value})


def normalize_defaults(node: Schema, switches: Switches, *, resource: bool = True, meta: bool = False) -> Schema:
    """The schema with defaults as they are stored: metadata in them was read and written again."""
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
    made = {
        name: normalize_defaults(child, switches, resource=False, meta=meta or (resource and name in META))
        for name, child in node.properties.items()
    }
    if any(made[name] is not child for name, child in node.properties.items()):
        changes["properties"] = made
    return node.with_keywords(changes) if changes else node


def has_unpruned(root: Schema) -> bool:
    """Whether some default of a structural schema, those of map values too, has fields that the server would prune."""
    return any(_find_unpruned(root, root, lambda value: value))


def _find_unpruned(node: Schema, root: Schema, around: Wrapper) -> Iterator[bool]:
    value = node.get("default")
    if value is not None:
        whole = around(value)
        yield isinstance(whole, dict) and not is_deep_equal(prune(whole, root, resource=True), whole)
    if isinstance(node.additional, Schema):
        yield from _find_unpruned(node.additional, root, _wrap_in_object(around, "*"))
    if isinstance(node.items, Schema):
        yield from _find_unpruned(node.items, root, _wrap_in_list(around))
    for name, child in node.properties.items():
        yield from _find_unpruned(child, root, _wrap_in_object(around, name))
