"""Random edits of what servers store: of nullability, and of fields that are known or unknown."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from tests.fuzz.probes import PRESERVE
from tests.fuzz.random_crds import EMBEDDED, list_nodes

if TYPE_CHECKING:
    from tests.fuzz.edits import Editor

Json = Any
Node = dict[str, Any]


def delete_property(node: Node, name: str) -> None:
    """Delete a property that may be required."""
    del node["properties"][name]
    required = [other for other in node.get("required", ()) if other != name]
    node.pop("required", None)
    node |= {"required": required} if required else {}


def _remove_preserved_property(editor: Editor, _: Node) -> None:
    """Remove a property from an object that preserves unknown fields, one with a default if there is one."""
    nodes = [node for node in list_nodes(editor.root) if node.get(PRESERVE) and node.get("properties")]
    choices = [(node, name) for node in nodes for name in node["properties"]]
    likely = [(node, name) for node, name in choices if _has_default(node["properties"][name])]
    if choices:
        delete_property(*editor.choose(*(likely or choices)))


def _has_default(node: Node) -> bool:
    return any("default" in child for child in list_nodes(node))


def _edit_nullability(editor: Editor, node: Node) -> None:
    """Allow null, or no longer, likely as a value with a default or as the metadata of an embedded resource."""
    nodes = list(list_nodes(editor.root))
    metadata = [child["properties"]["metadata"] for child in nodes if child.get(EMBEDDED) and _has_metadata(child)]
    with_default = [child for child in nodes if "default" in child]
    target = editor.choose(*editor.choose(*filter(None, ([node], with_default, metadata))))
    if not target.pop("nullable", False):
        target["nullable"] = True


def _has_metadata(node: Node) -> bool:
    return "metadata" in node.get("properties", {})


def _switch_unknown_fields(editor: Editor, _: Node) -> None:
    """Turn an object with any unknown fields into a map, or the reverse."""
    nodes = [node for node in list_nodes(editor.root) if node.get("type") == "object" and "properties" not in node]
    open_nodes = [node for node in nodes if ("additionalProperties" in node) != bool(node.get(PRESERVE))]
    if not open_nodes:
        return
    node = editor.choose(*open_nodes)
    if node.pop(PRESERVE, False):
        node["additionalProperties"] = copy.deepcopy(editor.choose(*_MAP_VALUES))
    else:
        del node["additionalProperties"]
        node[PRESERVE] = True


_MAP_VALUES: tuple[Json, ...] = (
    True, {PRESERVE: True}, {PRESERVE: True, "nullable": True}, {"type": "string"}, {"type": "object"},
    {"type": "object", PRESERVE: True}, {"type": "string", "default": "a"},
)  # fmt: skip


STORED_VALUE_EDITS: tuple[Callable[[Editor, Node], None], ...] = (
    _remove_preserved_property, _edit_nullability, _switch_unknown_fields,
)  # fmt: skip
