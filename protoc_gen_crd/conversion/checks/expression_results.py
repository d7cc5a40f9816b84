"""Static checks of the result of an expression: constants, list literals and map literals."""

from __future__ import annotations

from collections.abc import Iterator

from protoc_gen_crd.admission.objects.value_rejection import find_rejection
from protoc_gen_crd.base import bounded_json
from protoc_gen_crd.cel.checker.checker import CheckedAst
from protoc_gen_crd.cel.checker.types import BOOL, DOUBLE, DYN, INT, NULL, STRING, Type, format_for_author
from protoc_gen_crd.cel.parser.ast import Call, Expr, Ident, ListExpr, Literal, MapEntry, MapExpr
from protoc_gen_crd.conversion.derivation.schema_compatibility import LIST, MAP, OBJECT, OPAQUE, get_shape
from protoc_gen_crd.schema.schema import PRESERVE, Schema

_RESULT_TYPES = {"string": (STRING,), "integer": (INT,), "number": (DOUBLE, INT), "boolean": (BOOL,)}


def find_result_errors(checked: CheckedAst, target: Schema) -> Iterator[str]:
    """Return the parts of a result that the target schema rejects, outer ones first."""
    yield from _find_errors(checked, checked.ast.root, target, "the field")


def _find_errors(checked: CheckedAst, node: Expr, target: Schema, where: str) -> Iterator[str]:
    kind = _unwrap_optional(checked.types[node.id])
    if isinstance(node, Call) and node.function in ("_?_:_", "dyn"):
        for branch in node.args[1:] or node.args:
            yield from _find_errors(checked, branch, target, where)
    elif not _is_assignable(kind, target):
        yield f"{where} has type {get_shape(target)}, but the result has type {format_for_author(kind)}"
    elif isinstance(node, Literal):
        fault = find_rejection(target, node.value) if isinstance(node.value, (str, int, float)) else ""
        yield from ([f"{where} rejects the result {bounded_json.format_json(node.value)}: {fault}"] if fault else [])
    elif isinstance(node, ListExpr) and target.items is not None:
        for element in node.elements:
            yield from _find_errors(checked, element, target.items, "an item")
    elif isinstance(node, MapExpr):
        yield from _find_map_errors(checked, node, target)


def _find_map_errors(checked: CheckedAst, node: MapExpr, target: Schema) -> Iterator[str]:
    """Validate a map literal against a map or an object with fields."""
    names = [_get_key_name(entry.key) for entry in node.entries]
    for name, entry in zip(names, node.entries, strict=True):
        expected = target.properties.get(name or "") if get_shape(target) == OBJECT else target.additional
        if isinstance(expected, Schema):
            yield from _find_errors(checked, entry.value, expected, f'"{name}"')
        elif get_shape(target) == OBJECT and name is not None and not target.get(PRESERVE):
            yield f'unknown field "{name}" in the result'
    if None not in names:
        unsure = [name for name, entry in zip(names, node.entries, strict=True) if _is_entry_optional(checked, entry)]
        for name in target.get("required") or ():
            if name not in names or name in unsure:
                yield f'the result {"may lack" if name in unsure else "lacks"} the required field "{name}"'


def _is_entry_optional(checked: CheckedAst, entry: MapEntry) -> bool:
    return entry.optional or is_optional_result(checked, entry.value)


def is_optional_result(checked: CheckedAst, node: Expr, *, nullable: bool = False) -> bool:
    """Return true if an expression may give null or an empty optional; `self` may be nullable."""
    if isinstance(node, Call) and node.function in ("_?_:_", "dyn", "optional.of"):
        return any(is_optional_result(checked, branch, nullable=nullable) for branch in node.args[1:] or node.args)
    if isinstance(node, Ident) and node.name == "self":
        return nullable
    kind = checked.types[node.id]
    return kind == NULL or kind.name == "optional_type"


def _get_key_name(key: Expr) -> str | None:
    return key.value if isinstance(key, Literal) and isinstance(key.value, str) else None


def _unwrap_optional(kind: Type) -> Type:
    return kind.params[0] if kind.name == "optional_type" and kind.params else kind


def _is_assignable(kind: Type, target: Schema) -> bool:
    """Return true if values of a type are assignable to a schema."""
    shape = get_shape(target)
    if kind in (DYN, NULL) or shape == "any":
        return True
    if shape == LIST:
        return kind.kind == "list" and (target.items is None or _is_assignable(kind.params[0], target.items))
    if shape in (MAP, OBJECT, OPAQUE):
        inner = target.additional
        fits = kind.kind == "map" and (not isinstance(inner, Schema) or _is_assignable(kind.params[1], inner))
        return fits or kind.kind == "object"
    if shape not in _RESULT_TYPES:
        return kind in (INT, STRING)
    return kind in _RESULT_TYPES[shape]
