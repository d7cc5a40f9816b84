"""Rules about lists and their merge by server-side apply.

Sources: Kubernetes' API conventions ("Lists of named subobjects preferred over maps"); kube-api-linter's ssatags and
arrayofstruct.
"""

from __future__ import annotations

from protoc_gen_crd.lint.lint_rule import NODE, Issue, LintRule
from protoc_gen_crd.lint.schema_elements import SchemaElement, is_kubernetes_type
from protoc_gen_crd.schema.schema import LIST_TYPE

_LOGICAL_KEYWORDS = ("oneOf", "anyOf", "allOf")


def _check_list_type(node: SchemaElement) -> Issue | None:
    if node.schema.type != "array" or LIST_TYPE in node.schema:
        return None
    is_object = node.schema.items is not None and node.schema.items.type == "object"
    hint = 'set it to "map" and declare the keys, or set it to "atomic"' if is_object else 'set it to "set" or "atomic"'
    return Issue(f'list "{node.key}" has no list type, so server-side apply replaces it as a whole', hint)


def _check_set(node: SchemaElement) -> Issue | None:
    items = node.schema.items
    if node.schema.get(LIST_TYPE) != "set" or items is None or items.type != "object":
        return None
    message = f'list "{node.key}" has the list type "set", so an item is identified by all of its fields'
    return Issue(message, 'set the list type to "map", with the fields that identify an item as keys')


def _check_items(node: SchemaElement) -> Issue | None:
    items = node.schema.items
    if (
        items is None
        or items.type != "object"
        or not items.properties
        or items.get("required")
        or items.get("minProperties")
        or is_kubernetes_type(items)
    ):
        return None
    if any(keyword in items for keyword in _LOGICAL_KEYWORDS):
        return None
    return Issue(
        f'the items of list "{node.key}" have no required field, so "{{}}" is a valid item',
        "require the field that identifies an item",
    )


RULES = (
    LintRule("lint-list-type", (NODE,), _check_list_type, for_new=True),
    LintRule("lint-list-set", (NODE,), _check_set),
    LintRule("lint-list-item", (NODE,), _check_items, for_new=True),
)
