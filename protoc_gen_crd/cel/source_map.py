"""Map offsets in an expanded, printed rule to offsets in the rule with the project's macros.

Both rules are parsed without the servers' macros, so the trees have the same shape except where the printer regroups.
"""

from __future__ import annotations

from collections.abc import Iterator

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.cel.parser.ast import Ast
from protoc_gen_crd.cel.parser.parser import parse
from protoc_gen_crd.cel.parser.parser_options_and_limits import DEFAULT

from .project_macros import DIALECT_WITH_PROJECT_MACROS


def map_origins(written: str, printed: str) -> dict[int, int]:
    """Map the offset of each node in a printed rule to the offset of its origin. Empty if either is not valid CEL."""
    source, result = parse(written, DIALECT_WITH_PROJECT_MACROS), parse(printed, DEFAULT)
    if not (isinstance(source, Ast) and isinstance(result, Ast)):
        return {}
    places: dict[int, int] = {}
    for offset, origin in _pair_nodes(source.root, result.root):
        places.setdefault(offset, origin)
    return places


def _pair_nodes(source: Record, result: Record) -> Iterator[tuple[int, int]]:
    """Yield the offset of each result node with that of its source node, or of the nearest ancestor that has one."""
    stack: list[tuple[Record, Record]] = [(source, result)]
    while stack:
        old, new = stack.pop()
        yield new.at, old.at  # type: ignore[attr-defined] # all nodes have an offset
        below, above = _list_children(new), _list_children(old)
        stack += zip(above if _is_alike(old, new) else [old] * len(below), below, strict=True)


def _list_children(node: Record) -> list[Record]:
    values = [getattr(node, field) for field in type(node)._fields]
    flat = [item for value in values for item in (value if isinstance(value, tuple) else (value,))]
    return [item for item in flat if isinstance(item, Record)]


def _is_alike(old: Record, new: Record) -> bool:
    """Check whether the children of two nodes correspond to each other."""
    named = getattr(old, "function", "") == getattr(new, "function", "")
    return type(old) is type(new) and named and len(_list_children(old)) == len(_list_children(new))
