"""Reduction of rules of other vocabularies in versions that omit some of their fields.

Options of other vocabularies have no version ranges, so their rules are reduced to the fields of each version: an
omitted field is never set.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.cel import environment
from protoc_gen_crd.cel.checker.checker import CheckedAst, compile_text
from protoc_gen_crd.cel.parser.ast import Ast, Call, Expr, Ident, Literal, Select
from protoc_gen_crd.cel.parser.parser import parse
from protoc_gen_crd.cel.parser.unparser import unparse
from protoc_gen_crd.kubernetes.supported_versions import NEWEST
from protoc_gen_crd.schema.cel_names import escape_cel_name
from protoc_gen_crd.schema.schema import Schema

OmittedFields = Callable[
    [Mapping[str, Schema]], Collection[str]
]  # the names of fields that properties have only in other versions
_Scope = Mapping[str, Schema | None]

_ITEMS = "_[_]"
_CHOICE, _AND, _OR, _NOT, _PLUS = "_?_:_", "_&&_", "_||_", "!_", "_+_"


def reduce_rule(rule: str, schema: Schema, list_omitted: OmittedFields) -> str | bool:
    """Reduce a rule to the existing fields. Return a bool if the result is constant."""
    tree = parse(rule)
    if not isinstance(tree, Ast):
        return rule  # syntax errors are reported elsewhere
    reducer = _RuleReducer(list_omitted)
    reduced = reducer.reduce(tree.root, {"self": schema, "oldSelf": schema})
    if not reducer.changed:
        return rule
    constant = _evaluate_constant(reduced)
    return unparse(Ast("", reduced, {})).replace("\n", " ") if constant is None else constant


def _evaluate_constant(node: Expr) -> bool | None:
    """Evaluate an expression without variables. Return None if it has variables or is not a boolean."""
    if any(isinstance(inner, Ident) for inner in _walk_nodes(node)):
        return None
    from protoc_gen_crd.cel.interpreter.program import ProgramError, make_program  # noqa: PLC0415 - few rules lose all of their fields

    env = environment.get_new_environment(NEWEST)
    checked = compile_text(unparse(Ast("", node, {})), env, {})
    program = make_program(checked, env, ()) if isinstance(checked, CheckedAst) else ProgramError("")
    value = None if isinstance(program, ProgramError) else program.evaluate({}).value
    return value if isinstance(value, bool) else None


def _walk_nodes(root: Expr) -> Iterator[Expr]:
    stack: list[object] = [root]
    while stack:
        node = stack.pop()
        if isinstance(node, tuple):
            stack.extend(node)
        elif isinstance(node, Record):
            if isinstance(node, Expr):
                yield node
            stack.extend(getattr(node, field) for field in type(node)._fields)


class _RuleReducer:
    """Reducer of an expression. A scope contains the schemas of variables."""

    def __init__(self, list_omitted: OmittedFields) -> None:
        self.changed = False
        self._list_omitted = list_omitted

    def reduce(self, node: Expr, scope: _Scope) -> Expr:
        """Replace tests for omitted fields in an expression, and simplify the result."""
        if isinstance(node, Select):
            return node.replace(operand=self.reduce(node.operand, scope))
        if not isinstance(node, Call):
            return node
        if node.function == "has" and self._is_omitted(node.args[0], scope):
            self.changed = True
            return Literal(0, 0, value=False)
        target = node.target and self.reduce(node.target, scope)
        inner = self._make_inner_scope(node, scope)
        reduced = node.replace(target=target, args=tuple([self.reduce(arg, inner) for arg in node.args]))
        return _simplify(reduced)

    def _is_omitted(self, node: Expr, scope: _Scope) -> bool:
        """Return whether a selection is an omitted field, or a part of one."""
        if not isinstance(node, Select):
            return isinstance(node, Call) and node.function == _ITEMS and self._is_omitted(node.args[0], scope)
        below = self._find_schema(node.operand, scope)
        omitted = below is not None and node.field in map(escape_cel_name, self._list_omitted(below.properties))
        return omitted or self._is_omitted(node.operand, scope)

    def _make_inner_scope(self, node: Call, scope: _Scope) -> _Scope:
        """Return the scope of the arguments, including the variables of a macro over a list or map."""
        if node.target is None or len(node.args) < 2 or not isinstance(node.args[0], Ident):
            return scope
        names = [arg.name for arg in node.args[:-1] if isinstance(arg, Ident)]
        collection = self._find_schema(node.target, scope)
        listed = collection is not None and collection.items is not None
        element = (
            _get_element_schema(collection) if listed or len(names) > 1 else None
        )  # a single variable is a key of a map
        return {**scope, **dict.fromkeys(names), names[-1]: element}

    def _find_schema(self, node: Expr, scope: _Scope) -> Schema | None:
        if isinstance(node, Ident):
            return scope.get(node.name)
        if isinstance(node, Select):
            below = self._find_schema(node.operand, scope)
            by_cel_name = {escape_cel_name(name): child for name, child in below.properties.items()} if below else {}
            return by_cel_name.get(node.field) or _get_element_schema(below)
        if not isinstance(node, Call):
            return None
        if node.function == _ITEMS:
            return _get_element_schema(self._find_schema(node.args[0], scope))
        alternatives = (
            node.args[1:] if node.function == _CHOICE else (node.target,) if node.function == "filter" else ()
        )
        return next((schema for child in alternatives if child and (schema := self._find_schema(child, scope))), None)


def _get_element_schema(schema: Schema | None) -> Schema | None:
    """Return the schema of the items or values, None if there is none."""
    element = (schema.items or schema.additional) if schema else None
    return element if isinstance(element, Schema) else None


def _simplify(node: Call) -> Expr:
    """Simplify an operation with constant operands."""
    values = [arg.value if isinstance(arg, Literal) else None for arg in node.args]
    if node.function == _CHOICE and (condition := _evaluate_constant(node.args[0])) is not None:
        return node.args[1] if condition else node.args[2]
    if node.function == "all" and values[-1] is True:
        return Literal(0, 0, value=True)
    if node.function == _NOT and isinstance(values[0], bool):
        return Literal(0, 0, not values[0])
    if node.function in (_AND, _OR):
        return _simplify_logical(node, values, ends=node.function == _OR)
    if node.function == _PLUS and 0 in [value for value in values if type(value) is int]:
        return node.args[1] if type(values[0]) is int and values[0] == 0 else node.args[0]
    return node


def _simplify_logical(node: Call, values: Sequence[object], *, ends: bool) -> Expr:
    """Simplify a logical operation. An operand that is `ends` decides the result."""
    if any(value is ends for value in values):
        return Literal(0, 0, ends)
    remaining = [arg for arg, value in zip(node.args, values, strict=True) if value is not (not ends)]
    return node if len(remaining) > 1 else remaining[0] if remaining else Literal(0, 0, not ends)
