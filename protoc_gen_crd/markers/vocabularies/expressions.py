"""Custom CEL of protovalidate to CEL of API servers: names, unset fields, enums, durations and functions.

To protovalidate an unset field has its zero value, and `has` of a field that does not track presence asks for another
one; an object has no such field at all. What comes out is put to the checker of API servers.
"""

from __future__ import annotations

from collections.abc import Mapping

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.cel.ast import Ast, Call, Constant, Expr, Ident, ListExpr, Literal, MapEntry, MapExpr, Select, Uint
from protoc_gen_crd.cel.issues import Refusal
from protoc_gen_crd.cel.reader import Dialect
from protoc_gen_crd.cel.syntax import parse
from protoc_gen_crd.cel.unparse import unparse
from protoc_gen_crd.markers.vocabularies.conditions import holds, is_text, told
from protoc_gen_crd.markers.vocabularies.enums import (
    COMPARED,
    UntranslatableError,
    check_alike,
    compared,
    constant,
    looked_for,
    zero_name,
)
from protoc_gen_crd.markers.vocabularies.reading import Tools
from protoc_gen_crd.markers.vocabularies.shapes import INTEGERS, element, shape, tracked
from protoc_gen_crd.proto.load import ApiSet
from protoc_gen_crd.proto.model import Enum, Field
from protoc_gen_crd.schema.celnames import cel_name, selectable

_PLAIN = Dialect(macros={})
_FOLDS = ("all", "exists", "exists_one", "existsOne", "filter", "map")
_OF_NONE = {"all": True, "exists": False, "exists_one": False, "existsOne": False}  # what they are of no items
_LOST = {
    "getField": "", "isEmail": "", "isHostAndPort": "", "isHostname": "", "isInf": "", "isIpPrefix": "", "isNan": "",
    "isUri": "", "isUriRef": "", "unique": "",
}  # fmt: skip
_LARGEST = 2**63 - 1


class Known(Record):
    """What is known of a value: the message it is of, or the field whose value or item it is."""

    message: str = ""
    field: Field | None = None
    item: bool = False


_NOTHING = Known()


def of_field(field: Field, api: ApiSet, *, item: bool) -> Known:
    """What is known of the value of a field, or of an item of it."""
    kind = (element if item else shape)(field, api).kind
    return Known(field.type_name if kind == "message" else "", field, item)


def translated(text: str, this: Known, tools: Tools, name: str = "self") -> tuple[str, str]:
    """The expression as a condition, and the one of a text where it gives one. `name` is what `this` becomes.

    Raises UntranslatableError.
    """
    tree = parse(text, _PLAIN)
    if isinstance(tree, Refusal):
        raise UntranslatableError(f"it is not CEL: {tree.issues[0].message}")
    scope = {"this": this}
    if not is_text(tree.root):
        return _printed(_Translator(tools, name).expr(tree.root, scope)), ""
    condition = _Translator(tools, name).expr(holds(tree.root), scope)
    return _printed(condition), _printed(_Translator(tools, name, names=True).expr(told(tree.root), scope))


def _printed(node: Expr) -> str:
    return unparse(Ast("", node, {}))


def _call(function: str, *args: Expr, target: Expr | None = None) -> Call:
    return Call(0, 0, function, args, target)


def _literal(value: Constant) -> Literal:
    return Literal(0, 0, value)


Scope = Mapping[str, Known]


_Path = tuple[Expr, list[Expr], Known]


class _Translator:
    """`names` lets functions have the name of an enum's value instead of its number, as what only tells may."""

    def __init__(self, tools: Tools, name: str, *, names: bool = False) -> None:
        self._api, self._numbered = tools.api, tools.numbered
        self._name = name
        self._names = names
        self._paths: dict[int, _Path] = {}

    def expr(self, node: Expr, scope: Scope) -> Expr:
        if isinstance(node, Ident):
            return self._ident(node, scope.get(node.name, _NOTHING))
        if isinstance(node, Select):
            return self._select(node, scope)
        if isinstance(node, Call):
            return self._call(node, scope)
        if isinstance(node, ListExpr):
            return ListExpr(0, 0, tuple([self.expr(one, scope) for one in node.elements]))
        if isinstance(node, MapExpr):
            pairs = [(self.expr(one.key, scope), self.expr(one.value, scope)) for one in node.entries]
            return MapExpr(0, 0, tuple([MapEntry(0, 0, key, value) for key, value in pairs]))
        if isinstance(node, Literal):
            return _signed(node.value) if isinstance(node.value, Uint) else node
        raise UntranslatableError("it makes a message, of which API servers have none")

    def _ident(self, node: Ident, known: Known) -> Expr:
        if node.name in ("now", "rule", "rules"):
            raise UntranslatableError(f'the CEL of API servers has no "{node.name}"')
        return self._read(Ident(0, 0, self._name) if node.name == "this" else node, known)

    def _select(self, node: Select, scope: Scope) -> Expr:
        """A value of an enum; or a field, or its zero value where it or one on the way to it is not set."""
        number = constant(node, scope, self._api)
        if number is not None:
            return _literal(number)
        path, guards, known = self._path(node, scope)
        zero = self._zero(known)
        if guards and zero is not None:
            return _call("_?_:_", _all(guards), self._read(path, known), zero)
        return self._read(path, known)

    def _path(self, node: Expr, scope: Scope) -> _Path:
        """The plain selection, the questions whether each part of it is there, and what is known of it."""
        if id(node) not in self._paths:
            self._paths[id(node)] = self._followed(node, scope)
        return self._paths[id(node)]

    def _followed(self, node: Expr, scope: Scope) -> _Path:
        if not isinstance(node, Select):
            known = scope.get(node.name, _NOTHING) if isinstance(node, Ident) else self._known(node, scope)
            return self.expr(node, scope), [], known
        operand, guards, known = self._path(node.operand, scope)
        message = self._api.message(known.message) if known.message else None
        field = next((one for one in message.fields if one.name == node.field), None) if message else None
        if field is None:
            return Select(0, 0, operand, node.field), guards, _NOTHING
        if not selectable(field.json_name):
            raise UntranslatableError(f'CEL cannot select "{field.json_name}"')
        made = Select(0, 0, operand, cel_name(field.json_name))
        return made, [*guards, _call("has", made)], of_field(field, self._api, item=False)

    def _known(self, node: Expr, scope: Scope) -> Known:
        """What is known of the value of an expression."""
        if isinstance(node, (Ident, Select)):
            return self._path(node, scope)[2]
        if not isinstance(node, Call) or node.function not in ("_[_]", "_?_:_"):
            return _NOTHING
        if node.function == "_?_:_":
            return _first([self._known(branch, scope) for branch in node.args[1:]])
        held = self._known(node.args[0], scope)
        if held.field is not None and self._kind(held) == "map":
            return of_field(shape(held.field, self._api).parts["values"], self._api, item=True)
        return self._items(node.args[0], scope)

    def _items(self, node: Expr, scope: Scope) -> Known:
        """What is known of the items of a list."""
        if isinstance(node, ListExpr):
            return _first([self._known(one, scope) for one in node.elements])
        if isinstance(node, Call) and node.function in ("_+_", "_?_:_"):
            return _first([self._items(part, scope) for part in node.args[-2:]])
        if isinstance(node, Call) and node.function == "filter" and node.target is not None:
            return self._items(node.target, scope)
        return self._inside(self._known(node, scope))

    def _inside(self, known: Known) -> Known:
        if known.field is None or known.item or shape(known.field, self._api).kind != "repeated":
            return _NOTHING
        return of_field(known.field, self._api, item=True)

    def _kind(self, known: Known) -> str:
        if known.field is None:
            return ""
        return (element if known.item else shape)(known.field, self._api).kind

    def _read(self, path: Expr, known: Known) -> Expr:
        """A value as protovalidate has it: a duration is a text in an object."""
        return _call("duration", path) if self._kind(known) == "duration" else path

    def _zero(self, known: Known) -> Expr | None:
        kind, field = self._kind(known), known.field
        if field is None or kind in ("message", "any", "field_mask") or field.type_name.endswith("Value"):
            return None
        if kind == "enum":
            return zero_name(self._api.enum(field.type_name))
        return _zero_of(kind)

    def _call(self, node: Call, scope: Scope) -> Expr:
        if node.function == "has" and len(node.args) == 1:
            return self._has(node.args[0], scope)
        if node.function in _FOLDS and node.target is not None and len(node.args) > 1:
            return self._fold(node, scope)
        if node.function in ("_==_", "_!=_", "@in") and (compared := self._enum(node, scope)):
            return compared
        if node.function == "isIp" and node.target is not None:
            return _address(self.expr(node.target, scope), node)
        if node.function in _LOST:
            raise UntranslatableError(f'the CEL of API servers has no function "{node.function}"')
        self._check_numbers(node, scope)
        function = "int" if node.function == "uint" else node.function
        target = self.expr(node.target, scope) if node.target is not None else None
        made = Call(0, 0, function, tuple([self.expr(one, scope) for one in node.args]), target)
        return self._read(made, self._known(node, scope)) if function == "_[_]" else made

    def _check_numbers(self, node: Call, scope: Scope) -> None:
        """Raise UntranslatableError where a function would be given a name for the number of an enum."""
        given = () if self._names or node.function == "_?_:_" else (*node.args, node.target)
        if any(self._enum_of(one, scope) is not None for one in given if one is not None):
            raise UntranslatableError(COMPARED)

    def _has(self, node: Expr, scope: Scope) -> Expr:
        path, found, known = self._path(node, scope)
        guards, field, zero = [*found], known.field, self._zero(known)
        if field is not None and not known.item and not tracked(field, self._api):
            kind = self._kind(known)
            if kind in ("map", "repeated"):
                guards.append(_call("_>_", _call("size", target=path), _literal(0)))
            elif zero is not None:
                guards.append(_call("_!=_", path, zero))
                if kind == "enum" and self._numbered:
                    guards.append(_call("_!=_", path, _literal(0)))
        return _all(guards) if guards else _call("has", path)

    def _fold(self, node: Call, scope: Scope) -> Expr:
        variable = node.args[0]
        if not isinstance(variable, Ident) or node.target is None:
            raise UntranslatableError(f'"{node.function}" names no variable')
        inner = {**scope, variable.name: self._items(node.target, scope)}
        args = (variable, *(self.expr(one, inner) for one in node.args[1:]))
        path, guards, known = self._path(node.target, scope)
        if not guards or node.function not in _OF_NONE or self._zero(known) is None:
            return Call(0, 0, node.function, args, self.expr(node.target, scope))
        # Not `(has(path) ? path : [])`: servers do not know how long that may be.
        made = Call(0, 0, node.function, args, path)
        none = _OF_NONE[node.function]
        return _call("_||_", _call("!_", _all(guards)), made) if none else _call("_&&_", _all(guards), made)

    def _enum(self, node: Call, scope: Scope) -> Expr | None:
        """Enums compared with each other or with numbers, or looked for among several: in an object they are names."""
        listed = node.function == "@in"
        first, second = node.args
        one, other = self._enum_of(first, scope), self._enum_of(second, scope, listed=listed)
        if one is not None and other is not None:
            check_alike(one, other, numbered=self._numbered)
            return _call(node.function, self.expr(first, scope), self.expr(second, scope))
        if one is not None:
            return compared(
                node.function, self.expr(first, scope), self._numbers(second, scope), one, numbered=self._numbered
            )
        if other is None:
            return None
        value = self.expr(second, scope)
        if listed:
            return looked_for(self._numbers(first, scope), value, other, numbered=self._numbered)
        return compared(node.function, value, self._numbers(first, scope), other, numbered=self._numbered)

    def _enum_of(self, node: Expr, scope: Scope, *, listed: bool = False) -> Enum | None:
        """The enum of a value, or of its items."""
        known = self._items(node, scope) if listed else self._known(node, scope)
        found = known.field is not None and self._kind(known) == "enum"
        return self._api.enum(known.field.type_name) if found and known.field is not None else None

    def _numbers(self, node: Expr, scope: Scope) -> list[int]:
        """The numbers that are written, one by one or as a list."""
        parts = node.elements if isinstance(node, ListExpr) else (node,)
        made = [self.expr(part, scope) for part in parts]
        numbers = [part.value for part in made if isinstance(part, Literal) and isinstance(part.value, int)]
        if len(numbers) < len(made):
            raise UntranslatableError(COMPARED)
        return numbers


def _first(found: list[Known]) -> Known:
    return next((one for one in found if one.field is not None), _NOTHING)


def _signed(value: Uint) -> Literal:
    if value > _LARGEST:
        raise UntranslatableError(f"numbers of objects go up to {_LARGEST:,}")
    return _literal(int(value))


def _zero_of(kind: str) -> Expr | None:
    if kind in INTEGERS:
        return _literal(0)
    if kind in ("map", "repeated"):
        return MapExpr(0, 0, ()) if kind == "map" else ListExpr(0, 0, ())
    if kind in ("duration", "timestamp"):
        return _call(kind, _literal("0s" if kind == "duration" else "1970-01-01T00:00:00Z"))
    simple: Mapping[str, Constant] = {"bool": False, "bytes": b"", "double": 0.0, "float": 0.0, "string": ""}
    return _literal(simple[kind]) if kind in simple else None


def _all(guards: list[Expr]) -> Expr:
    made = guards[0]
    for guard in guards[1:]:
        made = _call("_&&_", made, guard)
    return made


def _address(value: Expr, node: Call) -> Expr:
    """`isIp`, of any version or of one."""
    found = _call("isIP", value)
    if not node.args:
        return found
    return _call("_&&_", found, _call("_==_", _call("family", target=_call("ip", value)), node.args[0]))
