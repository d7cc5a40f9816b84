"""Report conversion data that is secret or may exceed the size limit of annotations."""

from __future__ import annotations

import json
from typing import Any

from protoc_gen_crd.conversion.document_hints import choose_hint
from protoc_gen_crd.conversion.plan import paths
from protoc_gen_crd.conversion.plan.conversion_data_entries import find_conversion_data
from protoc_gen_crd.conversion.plan.paths import ITEM, VALUE, Path
from protoc_gen_crd.conversion.plan.plan import Direction, Plan
from protoc_gen_crd.findings.finding import Problems
from protoc_gen_crd.kubernetes.api_server_limits import ANNOTATIONS_SIZE
from protoc_gen_crd.schema.schema import Schema

_COUNT_KEYWORDS = {ITEM: "maxItems", VALUE: "maxProperties"}
_MAX_DEPTH = 16  # nesting levels that are measured
_HIDDEN_FORMAT = "password"  # the format of secret strings


def check_conversion_data(plan: Plan, direction: Direction, reverse: Direction, problems: Problems) -> None:
    """Report data that is always kept, if it is secret or its bounds allow it to be too large."""
    root = plan.get_schema(direction.source)
    kept = [
        entry.path
        for entry in find_conversion_data(direction, reverse)
        if entry.inverse is None and not (entry.empty or entry.absent)
    ]
    kept_schemas = [(path, schema) for path in kept if (schema := paths.find_schema(root, path)) is not None]
    sizes = []
    for path, schema in kept_schemas:
        secret = find_secret(schema, path, root)
        if secret is not None:
            problem = f'field "{paths.format_path(secret)}" of {direction.source} has format {_HIDDEN_FORMAT} '
            problem += "and would be kept in the conversion-data annotation"
            at = schema.origin
            away = choose_hint(at, "mark it dropped", 'name it in "drop"')
            hint = f"add a field for it to {direction.target}, or {away}: annotations are not secret"
            problems.report("conversion-secret", problem, at, path=at.find_owner() if at else "", hint=hint)
        sizes.append((_estimate_size(schema) * _count_occurrences(root, path), path, schema))
    total = sum(size for size, _, _ in sizes)
    if total > ANNOTATIONS_SIZE:
        size, path, schema = max(sizes, key=lambda entry: entry[0])
        problem = f"conversion data of {direction.source} may need {total:,} bytes of annotations, more than the "
        problem += f'limit of {ANNOTATIONS_SIZE:,}: {size:,} bytes are for "{paths.format_path(path)}"'
        at = schema.origin
        hint = (
            f"lower its bounds, or add a field for it to {direction.target}: objects that need more are not converted"
        )
        problems.report("conversion-size", problem, at, path=at.find_owner() if at else "", hint=hint)


def find_secret(schema: Schema, path: Path, root: Schema) -> Path | None:
    """Return the path of a secret string in a value."""
    stack, seen = [(schema, path)], set()
    while stack:
        node, here = stack.pop()
        if node.get("format") == _HIDDEN_FORMAT:
            return here
        if id(node) in seen or node is root:
            continue
        seen.add(id(node))
        below: dict[str, Any] = {ITEM: node.items, VALUE: node.additional, **node.properties}
        stack += [(child, (*here, name)) for name, child in below.items() if isinstance(child, Schema)]
    return None


def _count_occurrences(root: Schema, path: Path) -> int:
    """Return how often a value may occur in an object; unbounded lists and maps count once."""
    times = 1
    for cut, name in enumerate(path):
        around = paths.find_schema(root, path[:cut]) if name in _COUNT_KEYWORDS else None
        times *= (around.get(_COUNT_KEYWORDS[name]) or 1) if around is not None else 1
    return times


def _estimate_size(schema: Schema, depth: int = 0) -> int:
    """Estimate the bytes of the largest value; unbounded parts count as empty."""
    if schema.get("enum"):
        return max(len(json.dumps(value)) for value in schema.get("enum"))
    if schema.type == "string":
        return (schema.get("maxLength") or 0) + 2
    if depth > _MAX_DEPTH:
        return 0
    if isinstance(schema.items, Schema):
        return (schema.get("maxItems") or 0) * (_estimate_size(schema.items, depth + 1) + 1) + 2
    if isinstance(schema.additional, Schema):
        return (schema.get("maxProperties") or 0) * (_estimate_size(schema.additional, depth + 1) + 4) + 2
    inner = [len(name) + 4 + _estimate_size(child, depth + 1) for name, child in schema.properties.items()]
    return sum(inner) + 2 if schema.type == "object" else 1
