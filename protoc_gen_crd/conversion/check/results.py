"""What an expression is seen to give without running it: constants, and lists and maps that are written out."""

from __future__ import annotations

from collections.abc import Iterator

from protoc_gen_crd.base import jsontext
from protoc_gen_crd.cel.ast import Call, Expr, Ident, ListExpr, Literal, MapEntry, MapExpr
from protoc_gen_crd.cel.check import Checked
from protoc_gen_crd.cel.types import BOOL, DOUBLE, DYN, INT, NULL, STRING, Type, spelled
from protoc_gen_crd.conversion.derive.fits import LIST, MAP, OBJECT, OPAQUE, shape
from protoc_gen_crd.conversion.derive.held import refusal
from protoc_gen_crd.schema.types import PRESERVE, Schema

_RESULTS = {"string": (STRING,), "integer": (INT,), "number": (DOUBLE, INT), "boolean": (BOOL,)}


def faults(checked: Checked, target: Schema) -> Iterator[str]:
    """What cannot stand in a field, outer things first."""
    yield from _faults(checked, checked.ast.root, target, "a field")


def _faults(checked: Checked, node: Expr, target: Schema, where: str) -> Iterator[str]:
    kind = _unwrapped(checked.types[node.id])
    if isinstance(node, Call) and node.function in ("_?_:_", "dyn"):
        for each in node.args[1:] or node.args:
            yield from _faults(checked, each, target, where)
    elif not _fits(kind, target):
        yield f"a result of type {spelled(kind)} for {where} of type {shape(target)}"
    elif isinstance(node, Literal):
        fault = refusal(target, node.value) if isinstance(node.value, (str, int, float)) else ""
        yield from (
            [f"the result {jsontext.shown(node.value)} for {where} that does not take it: {fault}"] if fault else []
        )
    elif isinstance(node, ListExpr) and target.items is not None:
        for each in node.elements:
            yield from _faults(checked, each, target.items, "an item")
    elif isinstance(node, MapExpr):
        yield from _of_map(checked, node, target)


def _of_map(checked: Checked, node: MapExpr, target: Schema) -> Iterator[str]:
    """What is wrong with a map that is written out, as a map or an object with fields."""
    names = [_name(entry.key) for entry in node.entries]
    for name, entry in zip(names, node.entries, strict=True):
        known = target.properties.get(name or "") if shape(target) == OBJECT else target.additional
        if isinstance(known, Schema):
            yield from _faults(checked, entry.value, known, f'"{name}"')
        elif shape(target) == OBJECT and name is not None and not target.get(PRESERVE):
            yield f'a result with "{name}" for a field that has no such field'
    if None not in names:
        unsure = [name for name, entry in zip(names, node.entries, strict=True) if _may_lack(checked, entry)]
        for name in target.get("required") or ():
            if name not in names or name in unsure:
                how = "that may be without" if name in unsure else "without"
                yield f'a result {how} "{name}", which the field requires'


def _may_lack(checked: Checked, entry: MapEntry) -> bool:
    return entry.optional or may_be_nothing(checked, entry.value)


def may_be_nothing(checked: Checked, node: Expr, *, nullable: bool = False) -> bool:
    """Whether an expression is seen to give null or an optional without a value; `self` may be nullable."""
    if isinstance(node, Call) and node.function in ("_?_:_", "dyn", "optional.of"):
        return any(may_be_nothing(checked, each, nullable=nullable) for each in node.args[1:] or node.args)
    if isinstance(node, Ident) and node.name == "self":
        return nullable
    kind = checked.types[node.id]
    return kind == NULL or kind.name == "optional_type"


def _name(key: Expr) -> str | None:
    return key.value if isinstance(key, Literal) and isinstance(key.value, str) else None


def _unwrapped(kind: Type) -> Type:
    return kind.params[0] if kind.name == "optional_type" and kind.params else kind


def _fits(kind: Type, target: Schema) -> bool:
    """Whether values of a type are of a schema."""
    wanted = shape(target)
    if kind in (DYN, NULL) or wanted == "any":
        return True
    if wanted == LIST:
        return kind.kind == "list" and (target.items is None or _fits(kind.params[0], target.items))
    if wanted in (MAP, OBJECT, OPAQUE):
        inner = target.additional
        fits = kind.kind == "map" and (not isinstance(inner, Schema) or _fits(kind.params[1], inner))
        return fits or kind.kind == "object"
    if wanted not in _RESULTS:
        return kind in (INT, STRING)
    return kind in _RESULTS[wanted]
