"""The schemas of a page as a table of nodes, in which equal subtrees are one node.

A node is a dict without empty members. A field is a list: its name, the index of its node, whether it is required, its
anchor, its first release if that is later than that of its parent, and its deprecation. Fields are lists and not
members of an object, since a field can have any name, such as `__proto__`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from protoc_gen_crd.base.markdown_escapes import plain
from protoc_gen_crd.explorer.html_descriptions import render_line, render_prose
from protoc_gen_crd.explorer.node_table import NodeTable, trim
from protoc_gen_crd.reference.constraint_descriptions import format_constraints, format_json, format_type
from protoc_gen_crd.reference.field_list import format_deprecation, get_description
from protoc_gen_crd.reference.lifecycle import ElementKey, LifecycleIndex
from protoc_gen_crd.reference.type_index import get_named_type, unwrap_containers
from protoc_gen_crd.schema.deprecated_fields import is_deprecated
from protoc_gen_crd.schema.schema import CHANNEL, CHANNEL_VALUES, DEPRECATED_VALUES, Schema, ValidationRule

_STANDARD_FIELDS = ("apiVersion", "kind", "metadata")


class SchemaTable:
    """The nodes of all schemas of a page. `anchors` are those of fields; schemas of past releases have none."""

    def __init__(self, anchors: Mapping[ElementKey, str], lifecycles: LifecycleIndex) -> None:
        self._anchors = anchors
        self._lifecycles = lifecycles
        self._table = NodeTable()
        self._details: dict[int, tuple[Schema, dict[str, Any]]] = {}  # by identity, with the schema to keep it alive

    @property
    def nodes(self) -> list[dict[str, Any]]:
        """The nodes."""
        return self._table.nodes

    def add_root(self, schema: Schema, kind: str, version: str) -> int:
        """Add the schema of a version without the fields that all objects have, and return the index of its node."""
        return self._add(schema, (kind, version, ""), self._find_since((kind, version, "")))

    def _find_since(self, place: ElementKey) -> str:
        return self._lifecycles.find_lifecycle([place], deprecated=False).since

    def _add(self, schema: Schema, place: ElementKey, since: str) -> int:
        kind, version, path = place
        inner, steps = unwrap_containers(schema)
        details = self._details.setdefault(id(schema), (schema, self._make_details(schema, inner)))[1]
        node = dict(details)
        values = [self._make_value(inner, value, (kind, version, path + steps)) for value in inner.get("enum") or ()]
        fields = {name: child for name, child in inner.properties.items() if path or name not in _STANDARD_FIELDS}
        required = inner.get("required") or ()
        node["values"] = values
        node["steps"] = steps
        node["fields"] = [
            self._add_field(name, child, (kind, version, _join(path + steps, name)), since, required=name in required)
            for name, child in fields.items()
        ]
        return self._table.add(node)

    def _add_field(self, name: str, schema: Schema, place: ElementKey, since: str, *, required: bool) -> list[Any]:
        deprecated = is_deprecated(schema)
        lifecycle = self._lifecycles.find_lifecycle([place], deprecated=deprecated)
        field = [
            name,
            self._add(schema, place, lifecycle.since),
            int(required),
            self._anchors.get(place, ""),
            lifecycle.since if lifecycle.since != since else "",
            f"deprecated{format_deprecation(lifecycle)}" if deprecated else "",
        ]
        return trim(field)

    def _make_details(self, schema: Schema, inner: Schema) -> dict[str, Any]:
        """Return the members of a node that do not depend on its place."""
        return {
            "type": render_line(format_type(schema, lambda node: _get_type_name(node) if node is inner else "")),
            "description": render_prose(get_description(schema)),
            "constraints": [render_line(line) for line in format_constraints(schema)],
            "default": format_json(schema.get("default")) if "default" in schema else "",
            "channel": (schema.facts or {}).get(CHANNEL, ""),
            "rules": list(_make_rules(schema, inner)),
        }

    def _make_value(self, schema: Schema, value: object, place: ElementKey) -> list[str]:
        """Return an enum value, its description, channel, first release and deprecation."""
        facts = schema.facts or {}
        deprecated = value in (facts.get(DEPRECATED_VALUES) or ())
        lifecycle = self._lifecycles.find_lifecycle([place], deprecated=deprecated, value=str(value))
        since = lifecycle.since if lifecycle.since != self._find_since(place) else ""
        named_type = get_named_type(schema)
        description = named_type.values().get(str(value), "") if named_type else ""
        parts = [
            value if isinstance(value, str) and value else format_json(value),
            render_prose(description),
            (facts.get(CHANNEL_VALUES) or {}).get(str(value), ""),
            since,
            f"deprecated{format_deprecation(lifecycle)}" if deprecated else "",
        ]
        return trim(parts)


def _make_rules(schema: Schema, inner: Schema) -> Iterator[list[str]]:
    """Yield the expression of each rule, its message, and `each` if it applies to items or values."""
    yield from (_make_rule(rule, "") for rule in schema.rules)
    if inner is not schema:
        yield from (_make_rule(rule, "each") for rule in inner.rules)


def _make_rule(rule: ValidationRule, scope: str) -> list[str]:
    parts = [rule.rule, rule.message or rule.message_expression, scope]
    return parts if scope else parts[:2]


def _get_type_name(schema: Schema) -> str:
    """Return the name of the type of an object or an enum, without its package."""
    named_type = get_named_type(schema)
    return plain(named_type.name.rpartition(".")[2]) if named_type else ""


def _join(path: str, name: str) -> str:
    return f"{path}.{name}" if path else name
