"""What is put aside whatever the objects hold: it must fit into annotations, which whoever reads metadata reads."""

from __future__ import annotations

import json
from typing import Any

from protoc_gen_crd.base.diagnostics import Problems
from protoc_gen_crd.conversion.plan import paths
from protoc_gen_crd.conversion.plan.entries import entries
from protoc_gen_crd.conversion.plan.paths import ITEM, VALUE, Path
from protoc_gen_crd.conversion.plan.plan import Plan, Way
from protoc_gen_crd.schema.types import Schema

MOST = 262_144  # bytes that the annotations of an object may have
_COUNTS = {ITEM: "maxItems", VALUE: "maxProperties"}
_DEEPEST = 16  # levels that are looked at for sizes
_HIDDEN = "password"  # the format of texts that nobody should see


def check_aside(plan: Plan, way: Way, back: Way, problems: Problems) -> None:
    """Report what is kept of each object that has it, where it is secret or may be too large by its bounds."""
    root = plan.schema(way.source)
    kept = [entry.path for entry in entries(way, back) if entry.back is None and not (entry.empty or entry.made)]
    known = [(path, schema) for path in kept if (schema := paths.at(root, path)) is not None]
    sizes = []
    for path, schema in known:
        secret = _secret(schema, path, root)
        if secret is not None:
            problem = f'what is put aside must be nothing secret, found "{paths.shown(secret)}" of {way.source} with '
            problem += f"format {_HIDDEN}"
            at = schema.origin
            hint = f"give {way.target} a field for it, or say dropped: whoever reads metadata reads annotations"
            problems.report("conversion-secret", problem, at, path=at.owner() if at else "", hint=hint)
        sizes.append((_size(schema) * _times(root, path), path, schema))
    total = sum(size for size, _, _ in sizes)
    if total > MOST:
        size, path, schema = max(sizes, key=lambda found: found[0])
        problem = f"what is put aside should fit into {MOST:,} bytes of annotations, found {total:,} that objects of "
        problem += f'{way.source} may need, {size:,} of them for "{paths.shown(path)}"'
        at = schema.origin
        hint = f"lower its bounds, or give {way.target} a field for it: an object that needs more is not converted"
        problems.report("conversion-size", problem, at, path=at.owner() if at else "", hint=hint)


def _secret(schema: Schema, path: Path, root: Schema) -> Path | None:
    """The path of a text in a value that nobody should see."""
    stack, seen = [(schema, path)], set()
    while stack:
        node, here = stack.pop()
        if node.get("format") == _HIDDEN:
            return here
        if id(node) in seen or node is root:
            continue
        seen.add(id(node))
        below: dict[str, Any] = {ITEM: node.items, VALUE: node.additional, **node.properties}
        stack += [(child, (*here, name)) for name, child in below.items() if isinstance(child, Schema)]
    return None


def _times(root: Schema, path: Path) -> int:
    """How often a value may stand in an object by the bounds of what it is in, once where there is none."""
    times = 1
    for cut, name in enumerate(path):
        around = paths.at(root, path[:cut]) if name in _COUNTS else None
        times *= (around.get(_COUNTS[name]) or 1) if around is not None else 1
    return times


def _size(schema: Schema, depth: int = 0) -> int:
    """The bytes that the largest value needs at least, less what has no bounds."""
    if schema.get("enum"):
        return max(len(json.dumps(value)) for value in schema.get("enum"))
    if schema.type == "string":
        return (schema.get("maxLength") or 0) + 2
    if depth > _DEEPEST:
        return 0
    if isinstance(schema.items, Schema):
        return (schema.get("maxItems") or 0) * (_size(schema.items, depth + 1) + 1) + 2
    if isinstance(schema.additional, Schema):
        return (schema.get("maxProperties") or 0) * (_size(schema.additional, depth + 1) + 4) + 2
    inner = [len(name) + 4 + _size(child, depth + 1) for name, child in schema.properties.items()]
    return sum(inner) + 2 if schema.type == "object" else 1
