"""Rules about CEL rules: optional fields that are not tested, and tests that are always true.

Source: Istio's API guidelines ("Guard optional fields"); Kubernetes' documentation of CEL ("optional fields").
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.cel.environment import get_new_environment
from protoc_gen_crd.cel.parser.ast import Ast, Call, Comprehension, Expr, Ident, ListExpr, MapExpr, Select, StructExpr
from protoc_gen_crd.cel.parser.parser import parse
from protoc_gen_crd.kubernetes.supported_versions import NEWEST
from protoc_gen_crd.lint.lint_rule import NODE, Issue, LintRule
from protoc_gen_crd.lint.schema_elements import SchemaElement
from protoc_gen_crd.schema.cel_names import unescape_cel_name
from protoc_gen_crd.schema.schema import INT_OR_STRING, Schema

_SELF = "self"
Path = tuple[str, ...]


class _Access(Record):
    """A selection of `self`: its path, and whether it is in `has()`."""

    path: Path
    is_test: bool


@lru_cache(maxsize=4096)
def _list_accesses(rule: str) -> tuple[_Access, ...]:
    """Return the selections of `self` and of the variables of macros over its lists; none for an invalid rule."""
    parsed = parse(rule, get_new_environment(NEWEST).dialect)
    return tuple(_walk(parsed.root)) if isinstance(parsed, Ast) else ()


def _walk(root: Expr) -> Iterator[_Access]:
    stack: list[tuple[Expr, dict[str, Path]]] = [(root, {_SELF: ()})]
    while stack:
        node, scope = stack.pop()
        if isinstance(node, Select):
            path = _find_path(node, scope)
            if path:
                yield _Access(path, node.test_only)
            stack.append((node.operand, scope))
        elif isinstance(node, Comprehension):
            inner = {name: path for name, path in scope.items() if name not in (node.iter_var, node.iter_var2)}
            path = _find_path(node.iter_range, scope)
            if path is not None and not node.iter_var2:
                inner[node.iter_var] = (*path, "[]")
            stack += [(node.iter_range, scope), (node.accu_init, scope)]
            stack += [(part, inner) for part in (node.condition, node.step, node.result)]
        else:
            stack += [(child, scope) for child in _list_children(node)]


def _list_children(node: Expr) -> list[Expr]:
    if isinstance(node, Call):
        return [*node.args, *([node.target] if node.target else [])]
    if isinstance(node, ListExpr):
        return list(node.elements)
    if isinstance(node, MapExpr):
        return [part for entry in node.entries for part in (entry.key, entry.value)]
    return [field.value for field in node.fields] if isinstance(node, StructExpr) else []


def _find_path(node: Expr, scope: dict[str, Path]) -> Path | None:
    names: list[str] = []
    while isinstance(node, Select):
        names.append(node.field)
        node = node.operand
    if not isinstance(node, Ident) or node.name not in scope:
        return None
    return (*scope[node.name], *reversed(names))


def _find_property(schema: Schema, path: Path) -> tuple[Schema, Schema] | None:
    """Return a property at a path and the schema that contains it, None if the path leads elsewhere."""
    parent: Schema | None = None
    for name in path:
        child = schema.items if name == "[]" else schema.properties.get(unescape_cel_name(name) or name)
        if child is None or (not schema.properties and name != "[]"):
            return None
        parent, schema = schema, child
    return (schema, parent) if parent is not None and path[-1] != "[]" else None


def _may_be_absent(schema: Schema, parent: Schema, name: str) -> bool:
    return unescape_cel_name(name) not in (parent.get("required") or ()) and schema.get("default") is None


def _check_unguarded(node: SchemaElement) -> Issue | None:
    for rule in node.schema.rules:
        accesses = _list_accesses(rule.rule)
        tested = {access.path for access in accesses if access.is_test}
        for access in accesses:
            if access.is_test or access.path in tested:
                continue
            property_schema = _find_property(node.schema, access.path)
            if (
                property_schema
                and _may_be_absent(*property_schema, access.path[-1])
                and INT_OR_STRING not in property_schema[0]
            ):
                name = _format_path(access.path)
                message = f'rule reads the optional field "{name}", and fails for objects without it'
                return Issue(message, f'test the field first: "!has({name}) || ..."', rule.origin)
    return None


def _check_needless(node: SchemaElement) -> Issue | None:
    for rule in node.schema.rules:
        for access in _list_accesses(rule.rule):
            property_schema = _find_property(node.schema, access.path) if access.is_test else None
            if property_schema and not _may_be_absent(*property_schema, access.path[-1]):
                reason = "is required" if property_schema[0].get("default") is None else "has a default"
                message = f'"has({_format_path(access.path)})" is always true, because the field {reason}'
                return Issue(message, "remove the test", rule.origin)
    return None


def _format_path(path: Path) -> str:
    return ".".join((_SELF, *path)).replace(".[]", "[]")


def _check_message(node: SchemaElement) -> Issue | None:
    rule = next((rule for rule in node.schema.rules if not rule.message and not rule.message_expression), None)
    if rule is None:
        return None
    return Issue(
        "rule has no message, so errors show the expression",
        "add a message that describes the requirement",
        rule.origin,
    )


RULES = (
    LintRule("lint-cel-optional", (NODE,), _check_unguarded),
    LintRule("lint-cel-has", (NODE,), _check_needless),
    LintRule("lint-cel-message", (NODE,), _check_message),
)
