"""Builders of the changes that declarations of fields describe, one for each kind of declaration."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping

from protoc_gen_crd.conversion.plan.python_source import format_literal
from protoc_gen_crd.groups import value_conversions
from protoc_gen_crd.groups.group_model import Declaration, EnumLineage, FieldType, HubType, HubTypes
from protoc_gen_crd.groups.python_names import format_attribute, format_member
from protoc_gen_crd.groups.value_conversions import Change, FirstItem, KeyedItems, parse_default
from protoc_gen_crd.groups.value_expressions import ItemFunction, keep

_BOOLEANS = {"false": False, "true": True}


def describe_type(field_type: FieldType) -> str:
    """Describe the type of a field, as in a .proto file."""
    value = field_type.value.name or field_type.value.kind
    if field_type.label == "map" and field_type.key is not None:
        return f"map<{field_type.key.kind}, {value}>"
    return f"repeated {value}" if field_type.label == "list" else value


class ChangeBuilder:
    """Builds the change between two fields. Methods return None if the types do not fit the declaration."""

    def __init__(self, types: HubTypes) -> None:
        self._types = types
        self._builders: Mapping[str, Callable[[FieldType, FieldType, Declaration], Change | None]] = {
            "values": self._build_values,
            "decimal": self._build_decimal,
            "factor": self._build_factor,
            "function": self._build_function,
            "one_item": self._build_one_item,
            "key": self._build_key,
        }

    def is_default(self, field_type: FieldType, default: str) -> bool:
        """Return whether a string is a default of a field."""
        enum = self._types.enums.get(field_type.value.name)
        return (
            default in enum.values
            if enum and field_type.label == "single"
            else parse_default(field_type, default) is not None
        )

    def derive(self, older: FieldType, newer: FieldType) -> Change | None:
        """Return the change that needs no declaration."""
        if older.label != newer.label:
            return None
        return _combine(
            older, newer, value_conversions.derive_item(older.value, newer.value), _derive_key(older, newer)
        )

    def build(self, older: FieldType, newer: FieldType, declaration: Declaration) -> Change | None:
        """Return the change that a declaration describes."""
        kind = next((name for name in self._builders if name in declaration.values), "")
        return self._builders[kind](older, newer, declaration) if kind else self.derive(older, newer)

    def _build_decimal(self, older: FieldType, newer: FieldType, _: Declaration) -> Change | None:
        if older.label != newer.label or (older.value, older.key) == (newer.value, newer.key):
            return None
        item = value_conversions.derive_item(older.value, newer.value) or value_conversions.derive_decimal(
            older.value, newer.value
        )
        key = _derive_key(older, newer)
        if key is None and older.key is not None and newer.key is not None:
            key = value_conversions.derive_decimal(older.key, newer.key, "parse_key")
        return _combine(older, newer, item, key)

    def _build_factor(self, older: FieldType, newer: FieldType, declaration: Declaration) -> Change | None:
        factor = float(declaration.values["factor"])
        if older.label != newer.label or not math.isfinite(factor):
            return None
        return _combine(
            older, newer, value_conversions.make_factor(older.value, newer.value, factor), _derive_key(older, newer)
        )

    @staticmethod
    def _build_function(older: FieldType, newer: FieldType, declaration: Declaration) -> Change:
        """Build a change by functions, which receive the whole list or map."""
        names = declaration.values["function"]
        up, down = (value_conversions.make_function(str(names.get(way, ""))) for way in ("from", "to"))
        return Change(older.replace(label="single"), newer.replace(label="single"), (up, down))

    @staticmethod
    def _build_one_item(older: FieldType, newer: FieldType, _: Declaration) -> Change | None:
        if older.value != newer.value or {older.label, newer.label} != {"single", "list"}:
            return None
        return FirstItem(older, newer, is_up=newer.label == "list")

    def _build_key(self, older: FieldType, newer: FieldType, declaration: Declaration) -> Change | None:
        if older.value != newer.value or {older.label, newer.label} != {"map", "list"}:
            return None
        name = str(declaration.values["key"])
        key = older.key or newer.key
        message = self._types.messages.get(older.value.name)
        fields = message.newest.fields if message else {}
        if name not in fields or key is None or fields[name].type.value != key:
            return None
        return KeyedItems(older, newer, attribute=format_attribute(name), is_up=newer.label == "list")

    def _build_values(self, older: FieldType, newer: FieldType, declaration: Declaration) -> Change | None:
        """Build a table of values. Enum values of the same name need no pair."""
        if older.label != newer.label:
            return None
        pairs = [(pair.get("there", ""), pair.get("here", "")) for pair in declaration.values["values"]]
        up = self._make_table(older.value, newer.value, pairs)
        down = self._make_table(newer.value, older.value, [(here, there) for there, here in pairs])
        item = (up, down) if up is not None and down is not None else None
        return _combine(older, newer, item, _derive_key(older, newer))

    def _make_table(self, source: HubType, target: HubType, pairs: list[tuple[str, str]]) -> ItemFunction | None:
        """Return the lookup of a value in a table: other values stay the same if the types are the same."""
        rows: dict[str, str] = {}
        for before, after in pairs:
            key, value = self._format_value(source, before), self._format_value(target, after)
            if key is None or value is None:
                return None
            rows.setdefault(key, value)
        table = "{" + ", ".join(f"{key}: {value}" for key, value in rows.items()) + "}"
        if source == target:
            return lambda code: f"look_up_or_keep({table}, {code})"
        return lambda code: f"look_up({table}, {code}, {value_conversions.PATH})"

    def _format_value(self, hub_type: HubType, default: str) -> str | None:
        """Return a value of a declaration as Python, None if it is not a value of the type."""
        if hub_type.kind == "string":
            return format_literal(default)
        if hub_type.kind == "bool":
            return repr(_BOOLEANS[default]) if default in _BOOLEANS else None
        if hub_type.kind in value_conversions.INTEGERS:
            return default if default.removeprefix("-").isdecimal() else None
        enum = self._types.enums.get(hub_type.name)
        return format_enum_member(enum, default) if enum is not None and default in enum.values else None


def format_enum_member(enum: EnumLineage, name: str) -> str:
    """Return the member of an enum class for the name of a value."""
    return f"hub.{enum.name}.{format_member(name)}"


def _derive_key(older: FieldType, newer: FieldType) -> tuple[ItemFunction, ItemFunction] | None:
    if older.key is None or newer.key is None:
        return keep, keep
    return value_conversions.derive_item(older.key, newer.key)


def _combine(
    older: FieldType,
    newer: FieldType,
    item: tuple[ItemFunction, ItemFunction] | None,
    key: tuple[ItemFunction, ItemFunction] | None,
) -> Change | None:
    return Change(older, newer, item, key) if item is not None and key is not None else None
