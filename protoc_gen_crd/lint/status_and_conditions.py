"""Rules about status, its subresource and conditions, and about required fields.

Sources: Kubernetes' API conventions ("Spec and Status", "Typical status properties", "Optional vs. Required");
kube-api-linter's conditions, statusoptional, statussubresource and defaultorrequired.
"""

from __future__ import annotations

from protoc_gen_crd.lint.lint_rule import NODE, VERSION, Issue, LintRule
from protoc_gen_crd.lint.schema_elements import CrdElement, SchemaElement
from protoc_gen_crd.schema.schema import LIST_MAP_KEYS, LIST_TYPE

_CONDITION = frozenset(("type", "status", "reason", "message", "lastTransitionTime"))

_REMOVE = "remove the default, or make the field optional"


def _check_conditions(node: SchemaElement) -> Issue | None:
    items = node.schema.items
    if node.path != "status.conditions" or node.schema.type != "array" or items is None:
        return None
    missing = sorted(_CONDITION - items.properties.keys())
    if missing:
        names = ", ".join(f'"{name}"' for name in missing)
        return Issue(f"conditions do not have the fields {names} of metav1.Condition", "add the missing fields")
    keys = tuple(node.schema.get(LIST_MAP_KEYS) or ())
    if node.schema.get(LIST_TYPE) == "map" and keys == ("type",):
        return None
    message = 'conditions do not have the list type "map" with the key "type"'
    return Issue(message, 'set the list type to "map", and its key to "type"')


def _check_status(version: CrdElement) -> Issue | None:
    schema = version.version.schema if version.version else None
    if schema is None or version.version is None or version.version.status or "status" not in schema.properties:
        return None
    message = f'{version.name} has a "status" but no status subresource, so users can write it'
    return Issue(message, "enable the status subresource")


def _check_subresource(version: CrdElement) -> Issue | None:
    schema = version.version.schema if version.version else None
    if schema is None or version.version is None or not version.version.status or not schema.properties:
        return None
    if "status" in schema.properties:
        return None
    return Issue(
        f'{version.name} has a status subresource but no "status"', 'add the field "status", or disable the subresource'
    )


def _check_required_status(node: SchemaElement) -> Issue | None:
    names = node.path.split(".")
    if len(names) != 2 or names[0] != "status" or not node.is_required:
        return None
    return Issue(
        f'"{node.path}" is required, so a controller cannot write the rest of the status first', "make it optional"
    )


def _check_default(node: SchemaElement) -> Issue | None:
    if not node.is_required or node.schema.get("default") is None:
        return None
    return Issue(f'"{node.key}" is required and has a default, so the requirement has no effect', _REMOVE)


RULES = (
    LintRule("lint-conditions", (NODE,), _check_conditions),
    LintRule("lint-status", (VERSION,), _check_status),
    LintRule("lint-status-subresource", (VERSION,), _check_subresource),
    LintRule("lint-status-required", (NODE,), _check_required_status),
    LintRule("lint-required-default", (NODE,), _check_default),
)
