"""This project's answers in the format of the judge."""

from __future__ import annotations

from protoc_gen_crd.cel.parser import ast, standard_macros
from protoc_gen_crd.cel.parser.issues import Rejection
from protoc_gen_crd.cel.parser.macro_expansion import build_table
from protoc_gen_crd.cel.parser.parser import parse
from protoc_gen_crd.cel.parser.parser_options_and_limits import ParserOptions
from protoc_gen_crd.cel.parser.unparser import unparse

MACROS = build_table(
    *standard_macros.STANDARD,
    *standard_macros.OPTIONALS,
    *standard_macros.TWO_VARIABLES,
    *standard_macros.LISTS,
    *standard_macros.BINDINGS,
)
TYPES = {bool: "Bool", int: "Int", ast.Uint: "Uint", float: "Double", str: "String", bytes: "Bytes", type(None): "Null"}


def answer(text: str, switches: str) -> dict[str, str]:
    """Printed form and tree, or the error. Switches: m macros, e names in backticks, s no optional syntax."""
    dialect = ParserOptions(
        optionals="s" not in switches, backticks="e" in switches, macros=MACROS if "m" in switches else {}
    )
    parsed = parse(text, dialect)
    if isinstance(parsed, Rejection):
        return {"error": str(parsed)}
    return {"printed": unparse(parsed), "tree": tree(parsed.root)}


def tree(node: ast.Expr) -> str:
    """A tree as the judge shows it."""
    match node:
        case ast.Literal():
            return _shown("literal", node, TYPES[type(node.value)])
        case ast.Ident():
            return _shown("ident", node, node.name)
        case ast.Select():
            return _shown("select", node, f'"{node.field}"', str(node.test_only).lower(), tree(node.operand))
        case ast.Call():
            target = ["on", tree(node.target)] if node.target else []
            return _shown("call", node, node.function, *target, *[tree(arg) for arg in node.args])
        case ast.ListExpr():
            marks = " ".join([str(place) for place in node.optionals])
            return _shown("list", node, f"[{marks}]", *[tree(element) for element in node.elements])
        case _:
            return _large(node)


def _large(node: ast.Expr) -> str:
    match node:
        case ast.MapExpr():
            return _shown("map", node, *[_part("entry", entry, tree(entry.key)) for entry in node.entries])
        case ast.StructExpr():
            return _shown("struct", node, node.name, *[_part("field", field, field.name) for field in node.fields])
        case ast.Comprehension():
            parts = node.iter_range, node.accu_init, node.condition, node.step, node.result
            names = node.iter_var, f'"{node.iter_var2}"', node.accu_var
            return _shown("fold", node, *names, *[tree(part) for part in parts])
    raise TypeError(type(node))


def _part(kind: str, part: ast.MapEntry | ast.StructField, key: str) -> str:
    return _shown(kind, part, str(part.optional).lower(), key, tree(part.value))


def _shown(kind: str, node: ast.Expr | ast.MapEntry | ast.StructField, *parts: str) -> str:
    return f"({' '.join([kind, f'{node.id}@{node.at}', *parts])})"
