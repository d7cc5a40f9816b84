"""The node of a schema at a path such as `spec.backends[].host`, and the values of an object there.

Steps are names of properties, `[]` for items of a list, and `{}` for values of a map; `[*]` is valid for both.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.base.suggestions import suggest
from protoc_gen_crd.schema.schema import Schema

_CONTAINER = re.compile(r"\[\*?\]|\{\}")
_NAME = re.compile(r"[^.\[{]+")


class SchemaPathError(ValueError):
    """A path that a schema does not have; the message names the part."""


class SchemaNode(Record):
    """A node with its ancestors: the nodes from the root to it, each with the step to the next, itself last.

    `steps` are the steps to its values in objects: names of properties, None for all items or values.
    """

    node: Schema
    ancestors: tuple[tuple[Schema, str], ...]
    steps: tuple[str | None, ...]

    @property
    def is_root(self) -> bool:
        """True for the schema of a whole object."""
        return not self.steps


def find_node(root: Schema, path: str) -> SchemaNode:
    """Return the node at a path; the root for an empty path. Raises SchemaPathError."""
    node, ancestors, steps, rest = root, [], [], path
    while rest:
        step, child, schema_step, length = _read_step(node, rest, path)
        ancestors.append((node, schema_step))
        steps.append(step)
        node, rest = child, rest[length:]
    return SchemaNode(node, (*ancestors, (node, "")), tuple(steps))


def _read_step(node: Schema, rest: str, path: str) -> tuple[str | None, Schema, str, int]:
    """Return the first step of a path, the child, the step in the schema, and the length in characters."""
    container = _CONTAINER.match(rest)
    if container:
        for child, keyword in ((node.items, "items"), (node.additional, "additionalProperties")):
            if isinstance(child, Schema):
                return None, child, f".{keyword}", container.end()
        raise SchemaPathError(f'"{path[: len(path) - len(rest)]}" is neither a list nor a map')
    start = rest.startswith(".")
    name = find_property(node, rest[start:])
    if name is None:
        unknown = _NAME.match(rest, start)
        shown = unknown[0] if unknown else rest[start:]
        hint = suggest(shown, node.properties)
        raise SchemaPathError(f'no field "{shown}" in the path "{path}"' + (f"; {hint}" if hint else ""))
    return name, node.properties[name], f".properties[{name}]", start + len(name)


def find_property(node: Schema, rest: str) -> str | None:
    """Return the longest property that a path begins with: names may contain dots."""
    names = [name for name in node.properties if rest.startswith(name) and rest[len(name) : len(name) + 1] in ".[{"]
    return max(names, key=len, default=None)


def find_nested_path(root: Schema, name: str) -> str:
    """Return the shortest path of a field below properties of a schema, without lists and maps; empty for none."""
    level = [("", root)]
    while level:
        nested_path = next((path for path, node in level if name in node.properties), None)
        if nested_path is not None:
            return f"{nested_path}.{name}" if nested_path else name
        level = [
            (f"{path}.{key}" if path else key, child) for path, node in level for key, child in _list_objects(node)
        ]
    return ""


def _list_objects(node: Schema) -> Iterator[tuple[str, Schema]]:
    yield from ((name, child) for name, child in node.properties.items() if child.properties)


def select_values(value: Any, steps: Sequence[str | None], path: str = "") -> Iterator[tuple[str, Any]]:
    """Yield the values at these steps, with their paths such as `spec.backends[0].host`."""
    if not steps:
        yield path, value
    elif steps[0] is not None:
        if isinstance(value, dict) and steps[0] in value:
            yield from select_values(value[steps[0]], steps[1:], f"{path}.{steps[0]}" if path else steps[0])
    elif isinstance(value, dict | list):
        for key, item in value.items() if isinstance(value, dict) else enumerate(value):
            yield from select_values(item, steps[1:], f"{path}[{key}]")
