"""Rules of other vocabularies in versions that do not have all their fields: what is not there is never set.

Options of other vocabularies have no ranges, so their rules say what is left of them. May not know what they mean.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.base.versions import NEWEST
from protoc_gen_crd.cel import environment
from protoc_gen_crd.cel.ast import Ast, Call, Expr, Ident, Literal, Select
from protoc_gen_crd.cel.check import Checked, compiled
from protoc_gen_crd.cel.syntax import parse
from protoc_gen_crd.cel.unparse import unparse
from protoc_gen_crd.schema.celnames import cel_name
from protoc_gen_crd.schema.types import Schema

LeftOut = Callable[[Mapping[str, Schema]], Collection[str]]  # the fields that properties have in other versions only
_Scope = Mapping[str, Schema | None]

_ITEMS = "_[_]"
_CHOICE, _AND, _OR, _NOT, _PLUS = "_?_:_", "_&&_", "_||_", "!_", "_+_"


def reduced(text: str, schema: Schema, left_out: LeftOut) -> str | bool:
    """A rule less what it says of fields that are not there; True or False where nothing else decides it."""
    tree = parse(text)
    if not isinstance(tree, Ast):
        return text  # what cannot be read is told elsewhere
    walk = _Walk(left_out)
    made = walk.without(tree.root, {"self": schema, "oldSelf": schema})
    if not walk.changed:
        return text
    known = _decided(made)
    return unparse(Ast("", made, {})).replace("\n", " ") if known is None else known


def _decided(node: Expr) -> bool | None:
    """What an expression without a variable gives."""
    if any(isinstance(one, Ident) for one in _nodes(node)):
        return None
    from protoc_gen_crd.cel.evaluate import Fault, program  # noqa: PLC0415 - few rules lose all of their fields

    within = environment.new(NEWEST)
    found = compiled(unparse(Ast("", node, {})), within, {})
    made = program(found, within, ()) if isinstance(found, Checked) else Fault("")
    value = None if isinstance(made, Fault) else made.run({}).value
    return value if isinstance(value, bool) else None


def _nodes(root: Expr) -> Iterator[Expr]:
    stack: list[object] = [root]
    while stack:
        node = stack.pop()
        if isinstance(node, tuple):
            stack.extend(node)
        elif isinstance(node, Record):
            if isinstance(node, Expr):
                yield node
            stack.extend(getattr(node, field) for field in type(node)._fields)


class _Walk:
    """Takes a tree apart; a scope has the schemas of what names stand for."""

    def __init__(self, left_out: LeftOut) -> None:
        self.changed = False
        self._left_out = left_out

    def without(self, node: Expr, scope: _Scope) -> Expr:
        """A node less the questions whether something is there that is not."""
        if isinstance(node, Select):
            return node.replace(operand=self.without(node.operand, scope))
        if not isinstance(node, Call):
            return node
        if node.function == "has" and self._lacks(node.args[0], scope):
            self.changed = True
            return Literal(0, 0, value=False)
        target = node.target and self.without(node.target, scope)
        inner = self._inside(node, scope)
        made = node.replace(target=target, args=tuple([self.without(arg, inner) for arg in node.args]))
        return _simpler(made)

    def _lacks(self, node: Expr, scope: _Scope) -> bool:
        """Whether a selection is of a field that is not there, or of what one would hold."""
        if not isinstance(node, Select):
            return isinstance(node, Call) and node.function == _ITEMS and self._lacks(node.args[0], scope)
        below = self._schema(node.operand, scope)
        here = below is not None and node.field in map(cel_name, self._left_out(below.properties))
        return here or self._lacks(node.operand, scope)

    def _inside(self, node: Call, scope: _Scope) -> _Scope:
        """The scope of the arguments: a macro over a list or map has names for what that holds."""
        if node.target is None or len(node.args) < 2 or not isinstance(node.args[0], Ident):
            return scope
        names = [arg.name for arg in node.args[:-1] if isinstance(arg, Ident)]
        over = self._schema(node.target, scope)
        listed = over is not None and over.items is not None
        held = _held(over) if listed or len(names) > 1 else None  # a name alone is a key of a map
        return {**scope, **dict.fromkeys(names), names[-1]: held}

    def _schema(self, node: Expr, scope: _Scope) -> Schema | None:
        if isinstance(node, Ident):
            return scope.get(node.name)
        if isinstance(node, Select):
            below = self._schema(node.operand, scope)
            named = {cel_name(name): one for name, one in below.properties.items()} if below else {}
            return named.get(node.field) or _held(below)
        if not isinstance(node, Call):
            return None
        if node.function == _ITEMS:
            return _held(self._schema(node.args[0], scope))
        same = node.args[1:] if node.function == _CHOICE else (node.target,) if node.function == "filter" else ()
        return next((found for one in same if one and (found := self._schema(one, scope))), None)


def _held(schema: Schema | None) -> Schema | None:
    """What a list or map holds."""
    found = (schema.items or schema.additional) if schema else None
    return found if isinstance(found, Schema) else None


def _simpler(node: Call) -> Expr:
    """An operation less operands that are known."""
    values = [arg.value if isinstance(arg, Literal) else None for arg in node.args]
    if node.function == _CHOICE and (known := _decided(node.args[0])) is not None:
        return node.args[1] if known else node.args[2]
    if node.function == "all" and values[-1] is True:
        return Literal(0, 0, value=True)
    if node.function == _NOT and isinstance(values[0], bool):
        return Literal(0, 0, not values[0])
    if node.function in (_AND, _OR):
        return _joined(node, values, ends=node.function == _OR)
    if node.function == _PLUS and 0 in [value for value in values if type(value) is int]:
        return node.args[1] if type(values[0]) is int and values[0] == 0 else node.args[0]
    return node


def _joined(node: Call, values: Sequence[object], *, ends: bool) -> Expr:
    """What is left of operands of which one that is `ends` decides."""
    if any(value is ends for value in values):
        return Literal(0, 0, ends)
    kept = [arg for arg, value in zip(node.args, values, strict=True) if value is not (not ends)]
    return node if len(kept) > 1 else kept[0] if kept else Literal(0, 0, not ends)
