"""The size of a schema as written. A shared node is counted each time that it is inlined.

There are three measures: nodes, bytes of JSON, and bytes of YAML, where deep schemas consist mostly of indentation.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from protoc_gen_crd.crd.crd import Crd
from protoc_gen_crd.schema.schema import PRESERVE, Schema, ValidationRule

DEPTH = 400  # maximum depth of nested messages
INDENTATION = 8  # ratio of the limit for YAML to the limit for JSON

_KEYWORD = 24  # bytes of a keyword with a short value
_STEP = 16  # bytes of a property's name
_VALUE = 8  # bytes of a number or boolean, or overhead of another value

# Nodes, bytes without indentation, lines, and the sum of the indentation of these lines.
Measure = tuple[int, int, int, int]


class SchemaMeasurer:
    """Measures schemas. Keywords that several nodes share are measured once, and so are the fields of a type. The sizes
    in bytes are approximate.

    Shortcut schema-sizes: the measure of a schema is a function of its keywords, which are kept alive.
    """

    def __init__(self, nodes: int, size: int) -> None:
        self._limits = nodes, size, INDENTATION * size
        self._memo: dict[int, tuple[object, Measure]] = {}  # of most keywords, and of `properties`

    def find_excess(self, schema: Schema) -> str:
        """Describe the limit that a schema exceeds: "20 nodes, the limit is 10"; empty if it is within all limits."""
        nodes, size, _, columns = self._measure(schema)
        if nodes <= self._limits[0] and size <= self._limits[1] and size + columns <= self._limits[2]:
            return ""
        return self._format_excess(nodes, size, size + columns)

    def find_total_excess(self, schemas: Sequence[Schema]) -> str:
        """Describe the limit of bytes that the schemas of an object exceed together; empty if within the limits."""
        measures = [self._measure(schema) for schema in schemas]
        size = sum(measure[1] for measure in measures)
        return self._format_excess(0, size, size + sum(measure[3] for measure in measures))

    def _format_excess(self, *counts: int) -> str:
        excess = zip(counts, ("nodes", "bytes of JSON", "bytes of YAML"), self._limits, strict=True)
        return next((f"{count} {unit}, the limit is {limit}" for count, unit, limit in excess if count > limit), "")

    def _measure(self, schema: Schema) -> Measure:
        keywords = schema.keywords
        cached = self._memo.get(id(keywords))
        if cached is not None:
            return cached[1]
        nodes, lines, columns = 1, len(keywords), 0
        size = _KEYWORD * lines
        for value in keywords.values():
            kind = type(value)
            if kind is str:
                if len(value) > _VALUE:
                    size += len(value)
                    lines += value.count("\n") if "\n" in value else 0
            elif kind is Schema or kind is dict or kind is list or kind is tuple:
                child_nodes, child_size, child_lines, child_columns = self._measure_children(value, kind)
                nodes += child_nodes
                size += child_size
                lines += child_lines
                columns += child_columns
        measured = nodes, size, lines, columns
        if nodes > 1 or "description" not in keywords:  # nodes with a description are rarely shared
            self._memo[id(keywords)] = keywords, measured
        return measured

    def _measure_children(self, value: Any, kind: type) -> Measure:
        """Return the measure of the value of a keyword, which consists of schemas or of plain values."""
        if kind is Schema:
            children, indent = (value,), 2
        elif kind is dict:
            cached = self._memo.get(id(value))
            if cached is not None:
                return cached[1]
            children, indent = value.values(), 4
        else:
            children, indent = value, 2
        nodes = size = lines = columns = 0
        for child in children:
            if type(child) is Schema:
                child_nodes, child_size, child_lines, child_columns = self._measure(child)
                nodes += child_nodes
                size += child_size + _STEP
                lines += child_lines + 1
                columns += child_columns + child_lines * indent
            else:
                size += len(child) + _VALUE if type(child) is str else _measure_plain(child)
                lines += 1
        measured = nodes, size, lines, columns
        if kind is dict:
            self._memo[id(value)] = value, measured
        return measured


def _measure_plain(value: object) -> int:
    """Return the approximate bytes of a value that is not a schema."""
    if isinstance(value, str):
        return len(value) + _VALUE
    if isinstance(value, list):
        return sum(map(_measure_plain, value)) + _VALUE
    if isinstance(value, dict):
        return sum(len(key) + _measure_plain(item) for key, item in value.items()) + _VALUE
    if isinstance(value, ValidationRule):
        return 4 * _KEYWORD + len(value.rule) + len(value.message) + len(value.message_expression)
    return _VALUE


def enforce_size_limits(
    crds: Iterable[Crd], sizes: SchemaMeasurer, report: Callable[[Crd, str], None]
) -> tuple[Crd, ...]:
    """Return the CRDs. If the versions of a CRD are too large together, it is reported, and its schemas are opaque."""
    return tuple([_enforce_limit(crd, sizes, report) for crd in crds])


def _enforce_limit(crd: Crd, sizes: SchemaMeasurer, report: Callable[[Crd, str], None]) -> Crd:
    excess = sizes.find_total_excess([version.schema for version in crd.versions if version.schema is not None])
    if not excess:
        return crd
    count = len(crd.versions)
    report(crd, f"{excess} ({count} version{'s' * (count != 1)})")
    versions = [version.replace(schema=Schema({"type": "object", PRESERVE: True})) for version in crd.versions]
    return crd.replace(versions=tuple(versions))
