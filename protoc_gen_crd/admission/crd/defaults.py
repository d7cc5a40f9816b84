"""Defaults in schemas: each must be a value that the server would take and keep as it is.

Those below additionalProperties are not looked at when a CRD is admitted.
Source: k8s.io/apiextensions-apiserver pkg/apiserver/schema/defaulting validation.go, prune.go.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from protoc_gen_crd.admission.crd.cel import Cel
from protoc_gen_crd.admission.errors import ABSENT, INVALID, FieldError, message
from protoc_gen_crd.admission.objects.correlation import same
from protoc_gen_crd.admission.objects.embedded import coerced, validated
from protoc_gen_crd.admission.objects.prune import prune
from protoc_gen_crd.admission.objects.structural import META
from protoc_gen_crd.admission.objects.values import Values
from protoc_gen_crd.admission.switches import RATCHETING, Switches
from protoc_gen_crd.schema.types import EMBEDDED, Schema

COST_BUDGET = 10_000_000
Around = Callable[[Any], Any]
_TYPE_META = {"kind": "Validation", "apiVersion": "validation/v1"}


class Defaults:
    """Goes through the defaults of one schema."""

    def __init__(self, switches: Switches, cel: Cel | None, *, pruned: bool) -> None:
        self.switches, self.cel, self.pruned = switches, cel, pruned
        self.values = Values(switches, served=False)
        self.budget = COST_BUDGET

    def errors(self, root: Schema, path: str) -> Iterator[FieldError]:
        """What is wrong with any default; the root counts as a resource."""
        yield from self._below(root, root, path, lambda value: value, resource=True, meta=False)

    def _below(
        self, node: Schema, root: Schema, path: str, around: Around, *, resource: bool, meta: bool
    ) -> Iterator[FieldError]:
        if self.budget < 0:
            return
        whole, resource = resource, resource or bool(node.get(EMBEDDED))
        if resource:
            root, around, meta = node, lambda value: value, False
        if node.get("default") is not None:
            at = f"{path}.default"
            errors = [] if meta else self._unknown_fields(node, at, resource=resource)
            found = self._of_metadata(node, root, at, around) if meta else self._of_value(node, at, resource=resource)
            errors += list(found) or self._of_rules(node, at, root=whole or node is root)
            for error in errors:
                yield error.replace(origin=node.place("default"))
        if isinstance(node.items, Schema):
            inner = _in_list(around)
            yield from self._below(node.items, root, f"{path}.items", inner, resource=False, meta=meta)
        for name, child in node.properties.items():
            below = f"{path}.properties[{name}]"
            inside = meta or (resource and name in META)
            yield from self._below(child, root, below, _in_object(around, name), resource=False, meta=inside)

    def _unknown_fields(self, node: Schema, path: str, *, resource: bool) -> list[FieldError]:
        value = node.get("default")
        if not self.pruned or same(prune(value, node, resource=resource), value):
            return []
        shown, _ = coerced(value, node, path, self.switches, resource=resource)  # which happens before it is shown
        return [FieldError(INVALID, path, "must not have unknown fields", shown)]

    def _of_value(self, node: Schema, path: str, *, resource: bool) -> Iterator[FieldError]:
        value, refused = coerced(node.get("default"), node, path, self.switches, resource=resource)
        if refused is not None:
            yield refused
            return
        embedded = list(validated(value, node, path, self.switches, resource=resource))
        yield from embedded or self.values.errors(node, value, path)

    def _of_rules(self, node: Schema, path: str, *, root: bool) -> list[FieldError]:
        """What rules say, as if the default were there before and, where rules can tell, as if it were not."""
        if self.cel is None:
            return []
        errors: list[FieldError] = []
        self.switches.ask(self.cel.alike)
        value, left = node.get("default"), self.budget
        for old in (value, ABSENT) if RATCHETING in self.switches else (value,):
            if not errors:
                found, rest = self.cel.evaluated(
                    node, value, old, path, self.switches.minor, root=root, budget=self.budget
                )
                errors += found
                left = min(left, rest)
        self.budget = left
        return errors

    def _of_metadata(self, node: Schema, root: Schema, path: str, around: Around) -> Iterator[FieldError]:
        """A default within metadata is looked at in a resource made around it."""
        value = node.get("default")
        whole = {**_TYPE_META, **around(value)}
        whole, refused = coerced(whole, root, None, self.switches, resource=True)
        faults = [refused] if refused else list(validated(whole, root, None, self.switches, resource=True))
        if not faults:
            yield from self.values.errors(node, value, path)
            return
        texts = list(dict.fromkeys(message(fault, self.switches) for fault in faults))
        words = texts[0] if len(texts) == 1 else f"[{', '.join(texts)}]"
        yield FieldError(INVALID, path, f"must result in valid metadata: {words}", value)


def _in_list(around: Around) -> Around:
    return lambda value: around([value])


def _in_object(around: Around, name: str) -> Around:
    return lambda value: around({name: value})


def kept(node: Schema, switches: Switches, *, resource: bool = True, meta: bool = False) -> Schema:
    """The schema with defaults as they are stored: metadata in them was read and written again."""
    resource = resource or bool(node.get(EMBEDDED))
    meta = meta and not resource
    changes: dict[str, Any] = {}
    value = node.get("default")
    if value is not None and not meta:
        changed, _ = coerced(value, node, "", switches, resource=resource)
        changes |= {} if same(changed, value) else {"default": changed}
    if isinstance(node.items, Schema):
        items = kept(node.items, switches, resource=False, meta=meta)
        changes |= {} if items is node.items else {"items": items}
    made = {
        name: kept(child, switches, resource=False, meta=meta or (resource and name in META))
        for name, child in node.properties.items()
    }
    if any(made[name] is not child for name, child in node.properties.items()):
        changes["properties"] = made
    return node.having(changes) if changes else node


def has_unpruned(root: Schema) -> bool:
    """Whether some default of a structural schema, those of map values too, has fields that the server would prune."""
    return any(_unpruned(root, root, lambda value: value))


def _unpruned(node: Schema, root: Schema, around: Around) -> Iterator[bool]:
    value = node.get("default")
    if value is not None:
        whole = around(value)
        yield isinstance(whole, dict) and not same(prune(whole, root, resource=True), whole)
    if isinstance(node.additional, Schema):
        yield from _unpruned(node.additional, root, _in_object(around, "*"))
    if isinstance(node.items, Schema):
        yield from _unpruned(node.items, root, _in_list(around))
    for name, child in node.properties.items():
        yield from _unpruned(child, root, _in_object(around, name))
