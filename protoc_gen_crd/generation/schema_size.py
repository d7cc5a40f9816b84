"""The size of a schema as written, with each node counted as often as it is inlined.

Three measures: nodes, bytes as JSON, and bytes as YAML, where every line of a deep schema is mostly indentation.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from protoc_gen_crd.crd.crd import Crd
from protoc_gen_crd.schema.schema import PRESERVE, Schema, ValidationRule

DEPTH = 400  # messages in each other
INDENTATION = 8  # times the limit of JSON that YAML may take

_KEYWORD = 24  # bytes of a keyword with a short value
_STEP = 16  # bytes of a property's name
_VALUE = 8  # bytes of a number or a boolean, or around another value

# Nodes, bytes without indentation, lines, and columns that these lines stand to the right, all together.
Measure = tuple[int, int, int, int]


class SchemaMeasurer:
    """Measures schemas, each shared node once. The sizes in bytes are near, not exact.

    Shortcut schema-sizes: the measure of a schema is a function of the schema, which is kept alive.
    """

    def __init__(self, nodes: int, size: int) -> None:
        self._limits = nodes, size, INDENTATION * size
        self._memo: dict[int, tuple[Schema, Measure]] = {}

    def find_excess(self, schema: Schema) -> str:
        """Describe the limit that a schema exceeds: "20 nodes, the limit is 10"; empty if it is within all limits."""
        nodes, size, _, columns = self._measure(schema)
        return self._format_excess(nodes, size, size + columns)

    def find_total_excess(self, schemas: Sequence[Schema]) -> str:
        """The same for the bytes of the schemas of one object together."""
        measures = [self._measure(schema) for schema in schemas]
        size = sum(measure[1] for measure in measures)
        return self._format_excess(0, size, size + sum(measure[3] for measure in measures))

    def _format_excess(self, *found: int) -> str:
        for limit, count, what in zip(self._limits, found, ("nodes", "bytes of JSON", "bytes of YAML"), strict=True):
            if count > limit:
                return f"{count} {what}, the limit is {limit}"
        return ""

    def _measure(self, schema: Schema) -> Measure:
        known = self._memo.get(id(schema))
        if known is not None:
            return known[1]
        nodes, lines, columns = 1, len(schema.keywords), 0
        size = _KEYWORD * lines
        for value in schema.keywords.values():
            kind = type(value)
            if kind is str:
                if len(value) > _VALUE:
                    size += len(value)
                    lines += value.count("\n")
                continue
            if kind is Schema:
                children, indent = (value,), 2
            elif kind is dict:
                children, indent = value.values(), 4
            elif kind is list or kind is tuple:
                children, indent = value, 2
            else:
                continue
            for child in children:
                if type(child) is Schema:
                    below = self._measure(child)
                    nodes += below[0]
                    size += below[1] + _STEP
                    lines += below[2] + 1
                    columns += below[3] + below[2] * indent
                else:
                    size += _measure_plain(child)
                    lines += 1
        measured = nodes, size, lines, columns
        self._memo[id(schema)] = schema, measured
        return measured


def _measure_plain(value: object) -> int:
    """Bytes of a value that is no schema."""
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
    """The Crds; those whose versions together are too large are reported, and not described any further."""
    return tuple([_enforce_limit(crd, sizes, report) for crd in crds])


def _enforce_limit(crd: Crd, sizes: SchemaMeasurer, report: Callable[[Crd, str], None]) -> Crd:
    excess = sizes.find_total_excess([version.schema for version in crd.versions if version.schema is not None])
    if not excess:
        return crd
    count = len(crd.versions)
    report(crd, f"{excess} ({count} version{'s' * (count != 1)})")
    versions = [version.replace(schema=Schema({"type": "object", PRESERVE: True})) for version in crd.versions]
    return crd.replace(versions=tuple(versions))
