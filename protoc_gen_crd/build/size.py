"""How large a schema is when it is written out: nodes and bytes, each node counted as often as it is inlined."""

from __future__ import annotations

from protoc_gen_crd.schema.types import Schema

_KEYWORD_BYTES = 24  # a keyword with a short value and its indentation
_STEP_BYTES = 16  # a property's name


class Sizes:
    """Measures schemas, each shared node once."""

    def __init__(self, nodes: int, size: int) -> None:
        self._limits = nodes, size
        self._memo: dict[int, tuple[Schema, int, int]] = {}

    def excess(self, schema: Schema) -> str:
        """What a schema exceeds: "at most 10 nodes, found 20"; empty if it is within both limits."""
        measured = self._measure(schema)
        for limit, found, what in zip(self._limits, measured, ("nodes", "bytes"), strict=True):
            if found > limit:
                return f"at most {limit} {what}, found {found}"
        return ""

    def _measure(self, schema: Schema) -> tuple[int, int]:
        known = self._memo.get(id(schema))
        if known is not None:
            return known[1:]
        nodes = 1
        size = _KEYWORD_BYTES * len(schema.keywords) + len(schema.keywords.get("description", ""))
        for child in _children(schema):
            below = self._measure(child)
            nodes += below[0]
            size += below[1] + _STEP_BYTES
        self._memo[id(schema)] = schema, nodes, size
        return nodes, size


def _children(schema: Schema) -> list[Schema]:
    """All direct children; a list because this is asked of every node of a run."""
    found: list[Schema] = []
    for value in schema.keywords.values():
        if type(value) is Schema:
            found.append(value)
        elif type(value) is dict:
            found += [child for child in value.values() if type(child) is Schema]
        elif type(value) is list:
            found += [child for child in value if type(child) is Schema]
    return found
