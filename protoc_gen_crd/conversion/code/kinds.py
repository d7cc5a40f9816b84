"""Schemas to the Python of a generated module: what types a value may have, and tables of the fields of objects."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from protoc_gen_crd.conversion.derive.fits import CONTAINERS, LIST, OBJECT, limits, narrowed, shape
from protoc_gen_crd.conversion.plan.alternatives import apart
from protoc_gen_crd.conversion.plan.python import constant, laid_out, literal, quoted
from protoc_gen_crd.schema.types import PRESERVE, Schema

_KINDS = {
    "string": "TEXT",
    "integer": "INTEGER",
    "number": "NUMBER",
    "boolean": "BOOLEAN",
    "object": "OBJECT",
    "opaque object": "OBJECT",
    "map": "OBJECT",
    "list": "LIST",
    "integer or text": "EITHER",
}


def kinds(schema: Schema) -> str:
    """The types that a value may have, as Python."""
    known = _KINDS.get(shape(schema), "ANYTHING")
    return f"{known} | NULL" if schema.get("nullable") and known in _KINDS.values() else known


def others(source: Schema, target: Schema) -> str:
    """The argument that has what is unknown carried between objects that both keep it; empty for others."""
    if not (source.get(PRESERVE) and target.get(PRESERVE)):
        return ""
    return f", {literal(tuple(sorted({*source.properties, *target.properties})))}"


class Tables:
    """The tables of a module: each content once, under the name that it was first asked for."""

    def __init__(self) -> None:
        self._names: dict[tuple[str, str], str] = {}
        self._expressions: dict[str, str] = {}
        self._values: dict[str, str] = {}
        self._functions: dict[object, str] = {}
        self._used: set[str] = set()
        self._whole: dict[tuple[int, str], tuple[Schema, str]] = {}

    @property
    def texts(self) -> list[str]:
        """The statements that make the tables, those that others need first."""
        made = [f"{name}: Rows = {content}" for (_, content), name in self._names.items()]
        values, spelled = (
            ["\n".join(laid_out(f"{name} = {content}")) for content, name in each.items()]
            for each in (self._values, self._expressions)
        )
        return [*values, *made, *spelled]

    def expression(self, content: str, name: str) -> str:
        """The name of an expression."""
        if content not in self._expressions:
            self._expressions[content] = self.unused(name)
        return self._expressions[content]

    def table(self, rows: Mapping[str, tuple[str, str]], name: str, way: str = "") -> str:
        """The name of a table with these rows: field to the Python of its row. Each way has its own."""
        if not rows:
            return "{}"
        lines = "".join(f"{line}\n" for field, row in rows.items() for line in _row_lines(field, row))
        key = way, f"{{\n{lines}}}"
        if key not in self._names:
            self._names[key] = self.unused(name)
        return self._names[key]

    def unused(self, name: str) -> str:
        """A name of the module that nothing else has."""
        base, number = name, 2
        while name in self._used:
            name, number = f"{base}_{number}", number + 1
        self._used.add(name)
        return name

    def function(self, name: str, key: object) -> str:
        """The name of a function, the same for the same key."""
        if key not in self._functions:
            self._functions[key] = self.unused(name)
        return self._functions[key]

    def whole(self, schema: Schema, name: str, target: Schema | None = None) -> str:
        """What becomes of a value as a whole, as Python: nothing it does not know is carried; `None` for nothing."""
        if shape(schema) in CONTAINERS:
            return self._container(schema, name, self.whole, target)
        if target is None:
            return "None"
        return self.values(target, schema) if target.get("enum") else "int32" if narrowed(schema, target) else "None"

    def values(self, schema: Schema, other: Schema | None = None) -> str:
        """What refuses values that neither of two enums has, as Python; `None` where the first is none."""
        known = [*(schema.get("enum") or ()), *((other.get("enum") if other else None) or ())]
        plain = all(type(value) in (str, int) for value in known if value is not None)
        names = ", ".join(dict.fromkeys(literal(value) for value in known if value is not None))
        if not (names and plain and schema.get("enum")):
            return "None"
        content = f"one_of({names})"
        if content not in self._values:
            self._values[content] = self.unused("_VALUES")
        return self._values[content]

    def made(self, schema: Schema, name: str) -> str:
        """The same for a value that was worked out: numbers that their fields cannot hold are refused."""
        if shape(schema) in CONTAINERS:
            return self._container(schema, name, self.made)
        return limits(schema) or "None"

    def bounded(self, schema: Schema, name: str) -> str:
        """The same, and what is outside the bounds and enums of the schema is refused."""
        return self._bounded(schema, name, self.bounded)

    def held(self, schema: Schema, name: str) -> str:
        """The same, and it tells of what may not stand beside each other."""
        change, groups = self._bounded(schema, name, self.held), apart(schema)
        return f"apart({change}, {', '.join(map(literal, groups))})" if groups else change

    def _bounded(self, schema: Schema, name: str, inside: Callable[..., str]) -> str:
        known = shape(schema) in CONTAINERS
        change = self._container(schema, name, inside) if known else limits(schema) or "None"
        bounds = ", ".join(f"{argument}={literal(value)}" for argument, value in _bounds(schema))
        return f"bounded({change}, {bounds})" if bounds else change

    def _container(self, schema: Schema, name: str, inside: Callable[..., str], target: Schema | None = None) -> str:
        """What becomes of an object, list or map, whose parts `inside` tells of."""
        found = shape(schema)
        if found == OBJECT:
            held = others(schema, schema if target is None else target)
            return f"within({self._whole_table(schema, name, inside)}{held})"
        inner = schema.items if found == LIST else schema.additional
        if not isinstance(inner, Schema):
            return "None"
        wanted = (target.items if found == LIST else target.additional) if target else None
        change = inside(inner, name, wanted) if isinstance(wanted, Schema) else inside(inner, name)
        rest = "" if change == "None" else f", {change}"
        return f"{'every' if found == LIST else 'entries'}({kinds(inner)}{rest})"

    def _whole_table(self, schema: Schema, name: str, inside: Callable[..., str]) -> str:
        key = id(schema), inside.__name__
        suffix = "" if inside == self.whole else f"_{inside.__name__.upper()}"
        if key not in self._whole:
            rows = {
                field: row(
                    field,
                    kinds(child),
                    inside(child, f"{name}_{constant(field)}", *([child] if inside == self.whole else ())),
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
    """The bounds of a value as arguments."""
    if schema.get("enum"):
        yield "among", tuple(schema.get("enum"))
    yield from ((name, schema.get(keyword)) for keyword, name in _BOUNDS.items() if schema.get(keyword) is not None)


def row(name: str, known: str, change: str, comment: str = "") -> tuple[str, str]:
    """A row of a table: the new name of a field, its types, what becomes of it; and a comment."""
    return f"({quoted(name)}, {known}, {change})", comment


def _row_lines(field: str, row: tuple[str, str]) -> Iterator[str]:
    text, comment = row
    if comment:
        yield from laid_out(f"    # {comment}")
    *lines, last = laid_out(f"    {quoted(field)}: {text}", margin=1)
    yield from lines
    yield f"{last},"
