"""Emit schemas as Python: types of values, and tables of the fields of objects."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from protoc_gen_crd.conversion.derivation.schema_compatibility import (
    CONTAINER_SHAPES,
    LIST,
    OBJECT,
    find_limit_check,
    get_shape,
    is_narrowed,
)
from protoc_gen_crd.conversion.plan.exclusive_fields import find_exclusive_groups
from protoc_gen_crd.conversion.plan.python_source import (
    format_comment,
    format_constant_name,
    format_literal,
    format_string,
    wrap_statement,
)
from protoc_gen_crd.schema.schema import PRESERVE, Schema

_KINDS = {
    "string": "TEXT",
    "integer": "INTEGER",
    "number": "NUMBER",
    "boolean": "BOOLEAN",
    "object": "OBJECT",
    "opaque object": "OBJECT",
    "map": "OBJECT",
    "list": "LIST",
    "integer or string": "EITHER",
}


def kinds(schema: Schema, target: Schema | None = None) -> str:
    """Emit the types that a value may have; not null if it is copied to a `target` that rejects it."""
    type_names = _KINDS.get(get_shape(schema), "ANYTHING")
    is_nullable = schema.get("nullable") and (target is None or target.get("nullable"))
    return f"{type_names} | NULL" if is_nullable and type_names in _KINDS.values() else type_names


def others(source: Schema, target: Schema) -> str:
    """Emit the argument that copies unknown fields between objects that preserve them; empty for others."""
    if not (source.get(PRESERVE) and target.get(PRESERVE)):
        return ""
    return f", {format_literal(tuple(sorted({*source.properties, *target.properties})))}"


class Tables:
    """The tables of a module, deduplicated by content."""

    def __init__(self) -> None:
        self._names: dict[tuple[str, str], str] = {}
        self._expressions: dict[str, str] = {}
        self._values: dict[str, str] = {}
        self._functions: dict[object, str] = {}
        self._used: set[str] = set()
        self._whole: dict[tuple[int, str], tuple[Schema, str]] = {}

    @property
    def texts(self) -> list[str]:
        """Return the statements of the tables, dependencies first."""
        tables = [f"{name}: Rows = {content}" for (_, content), name in self._names.items()]
        values, expressions = (
            ["\n".join(wrap_statement(f"{name} = {content}")) for content, name in names_by_content.items()]
            for names_by_content in (self._values, self._expressions)
        )
        return [*values, *tables, *expressions]

    def expression(self, content: str, name: str) -> str:
        """Return the name of an expression."""
        if content not in self._expressions:
            self._expressions[content] = self.unused(name)
        return self._expressions[content]

    def table(self, rows: Mapping[str, tuple[str, str]], name: str, direction: str = "") -> str:
        """Return the name of a table with these rows, which are Python by field; each direction has its own."""
        if not rows:
            return "{}"
        lines = "".join(f"{line}\n" for field, row in rows.items() for line in _row_lines(field, row))
        key = direction, f"{{\n{lines}}}"
        if key not in self._names:
            self._names[key] = self.unused(name)
        return self._names[key]

    def unused(self, name: str) -> str:
        """Return a unique name in the module."""
        base, number = name, 2
        while name in self._used:
            name, number = f"{base}_{number}", number + 1
        self._used.add(name)
        return name

    def function(self, name: str, key: object) -> str:
        """Return the name of a function, the same for the same key."""
        if key not in self._functions:
            self._functions[key] = self.unused(name)
        return self._functions[key]

    def whole(self, schema: Schema, name: str, target: Schema | None = None) -> str:
        """Emit the conversion of a whole value without unknown fields; `None` if it is copied unchanged."""
        if get_shape(schema) in CONTAINER_SHAPES:
            return self._container(schema, name, self.whole, target)
        if target is None:
            return "None"
        return self.values(target, schema) if target.get("enum") else "int32" if is_narrowed(schema, target) else "None"

    def values(self, schema: Schema, other: Schema | None = None) -> str:
        """Emit the check of a value against two enums; `None` where the first is none."""
        members = [*(schema.get("enum") or ()), *((other.get("enum") if other else None) or ())]
        plain = all(type(value) in (str, int) for value in members if value is not None)
        names = ", ".join(dict.fromkeys(format_literal(value) for value in members if value is not None))
        if not (names and plain and schema.get("enum")):
            return "None"
        content = f"one_of({names})"
        if content not in self._values:
            self._values[content] = self.unused("_VALUES")
        return self._values[content]

    def computed(self, schema: Schema, name: str) -> str:
        """Return the conversion of a computed value: numbers are checked against the range of their field."""
        if get_shape(schema) in CONTAINER_SHAPES:
            return self._container(schema, name, self.computed)
        return find_limit_check(schema) or "None"

    def bounded(self, schema: Schema, name: str) -> str:
        """Return the conversion with checks of bounds and enums."""
        return self._bounded(schema, name, self.bounded)

    def exclusive(self, schema: Schema, name: str) -> str:
        """Return the conversion with checks of oneofs."""
        change, groups = self._bounded(schema, name, self.exclusive), find_exclusive_groups(schema)
        return f"apart({change}, {', '.join(map(format_literal, groups))})" if groups else change

    def _bounded(self, schema: Schema, name: str, inside: Callable[..., str]) -> str:
        is_container = get_shape(schema) in CONTAINER_SHAPES
        change = self._container(schema, name, inside) if is_container else find_limit_check(schema) or "None"
        bounds = ", ".join(f"{argument}={format_literal(value)}" for argument, value in _bounds(schema))
        return f"bounded({change}, {bounds})" if bounds else change

    def _container(self, schema: Schema, name: str, inside: Callable[..., str], target: Schema | None = None) -> str:
        """Emit the conversion of an object, list or map with the conversions of its parts."""
        shape = get_shape(schema)
        if shape == OBJECT:
            unknown_fields = others(schema, schema if target is None else target)
            return f"within({self._whole_table(schema, name, inside)}{unknown_fields})"
        inner = schema.items if shape == LIST else schema.additional
        if not isinstance(inner, Schema):
            return "None"
        target_inner = (target.items if shape == LIST else target.additional) if target else None
        change = inside(inner, name, target_inner) if isinstance(target_inner, Schema) else inside(inner, name)
        rest = "" if change == "None" else f", {change}"
        types = kinds(inner, target_inner if isinstance(target_inner, Schema) else None)
        return f"{'every' if shape == LIST else 'entries'}({types}{rest})"

    def _whole_table(self, schema: Schema, name: str, inside: Callable[..., str]) -> str:
        key = id(schema), inside.__name__
        suffix = "" if inside == self.whole else f"_{inside.__name__.upper()}"
        if key not in self._whole:
            rows = {
                field: row(
                    field,
                    kinds(child),
                    inside(child, f"{name}_{format_constant_name(field)}", *([child] if inside == self.whole else ())),
                )
                for field, child in schema.properties.items()
            }
            self._whole[key] = schema, self.table(rows, name + suffix)
        return self._whole[key][1]


# Keywords that bound a value, and the arguments of `bounded` for them.
_BOUNDS = {
    "minimum": "least",
    "maximum": "most",
    "minLength": "shortest",
    "maxLength": "longest",
    "minItems": "shortest",
    "maxItems": "longest",
    "minProperties": "shortest",
    "maxProperties": "longest",
}


def _bounds(schema: Schema) -> Iterator[tuple[str, Any]]:
    """Emit the bounds of a value as arguments."""
    if schema.get("enum"):
        yield "among", tuple(schema.get("enum"))
    yield from ((name, schema.get(keyword)) for keyword, name in _BOUNDS.items() if schema.get(keyword) is not None)


def row(name: str, types: str, change: str, origin: str = "") -> tuple[str, str]:
    """Emit a table row: the new name of a field, its types, its conversion, and a comment with its declaration."""
    return f"({format_string(name)}, {types}, {change})", origin


def _row_lines(field: str, row: tuple[str, str]) -> Iterator[str]:
    content, origin = row
    if origin:
        yield from wrap_statement(f"    {format_comment(origin)}")
    *lines, last = wrap_statement(f"    {format_string(field)}: {content}", margin=1)
    yield from lines
    yield f"{last},"
