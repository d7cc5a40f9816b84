"""Translation of protovalidate's CEL to CEL of API servers: names, unset fields, enums, durations and functions.

In protovalidate, an unset field has its zero value, and `has` of a field without presence tests for another value; an
object does not contain such a field. The result is type-checked as API servers do.
"""

from __future__ import annotations

from collections.abc import Mapping

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.cel.parser.ast import (
    Ast,
    Call,
    Constant,
    Expr,
    Ident,
    ListExpr,
    Literal,
    MapEntry,
    MapExpr,
    Select,
    Uint,
)
from protoc_gen_crd.cel.parser.issues import Rejection
from protoc_gen_crd.cel.parser.parser import parse
from protoc_gen_crd.cel.parser.parser_base import ParserOptions
from protoc_gen_crd.cel.parser.unparser import unparse
from protoc_gen_crd.markers.vocabularies.enum_translation import (
    COMPARED,
    UntranslatableError,
    check_same_enum,
    find_constant,
    get_zero_name,
    make_comparison,
    make_membership,
)
from protoc_gen_crd.markers.vocabularies.field_shapes import INTEGERS, get_element_shape, get_shape, has_presence
from protoc_gen_crd.markers.vocabularies.message_expressions import (
    is_string_expr,
    make_condition,
    make_message_expression,
)
from protoc_gen_crd.markers.vocabularies.option_reader import ReadingContext
from protoc_gen_crd.proto.api_set import ApiSet
from protoc_gen_crd.proto.model import Enum, Field
from protoc_gen_crd.schema.cel_names import escape_cel_name, is_selectable

_PLAIN = ParserOptions(macros={})
_FOLDS = ("all", "exists", "exists_one", "existsOne", "filter", "map")
_OF_NONE = {"all": True, "exists": False, "exists_one": False, "existsOne": False}  # what they are of no items
_LOST = {
    "getField": "", "isEmail": "", "isHostAndPort": "", "isHostname": "", "isInf": "", "isIpPrefix": "", "isNan": "",
    "isUri": "", "isUriRef": "", "unique": "",
}  # fmt: skip
_LARGEST = 2**63 - 1


class ValueInfo(Record):
    """Static information on a value: its message, or the field of the value or item."""

    message: str = ""
    field: Field | None = None
    item: bool = False


_NOTHING = ValueInfo()


def get_field_info(field: Field, api: ApiSet, *, item: bool) -> ValueInfo:
    """Return the information on the value of a field, or on an item of it."""
    kind = (get_element_shape if item else get_shape)(field, api).kind
    return ValueInfo(field.type_name if kind == "message" else "", field, item)


def translate(text: str, this: ValueInfo, tools: ReadingContext, name: str = "self") -> tuple[str, str]:
    """Translate an expression to a condition, and a message expression if it is a string. `name` replaces `this`.

    Raises UntranslatableError.
    """
    tree = parse(text, _PLAIN)
    if isinstance(tree, Rejection):
        raise UntranslatableError(f"it is not valid CEL: {tree.issues[0].message}")
    scope = {"this": this}
    if not is_string_expr(tree.root):
        return _unparse(_Translator(tools, name).translate_expr(tree.root, scope)), ""
    condition = _Translator(tools, name).translate_expr(make_condition(tree.root), scope)
    return _unparse(condition), _unparse(
        _Translator(tools, name, names=True).translate_expr(make_message_expression(tree.root), scope)
    )


def _unparse(node: Expr) -> str:
    return unparse(Ast("", node, {}))


def _make_call(function: str, *args: Expr, target: Expr | None = None) -> Call:
    return Call(0, 0, function, args, target)


def _make_literal(value: Constant) -> Literal:
    return Literal(0, 0, value)


Scope = Mapping[str, ValueInfo]


_Path = tuple[Expr, list[Expr], ValueInfo]


class _Translator:
    """Translator of an expression. With `names`, functions receive the name of an enum value, as in messages."""

    def __init__(self, tools: ReadingContext, name: str, *, names: bool = False) -> None:
        self._api, self._numbered = tools.api, tools.settings.enum_as_int_or_string
        self._name = name
        self._names = names
        self._paths: dict[int, _Path] = {}

    def translate_expr(self, node: Expr, scope: Scope) -> Expr:
        if isinstance(node, Ident):
            return self._translate_ident(node, scope.get(node.name, _NOTHING))
        if isinstance(node, Select):
            return self._translate_select(node, scope)
        if isinstance(node, Call):
            return self._translate_call(node, scope)
        if isinstance(node, ListExpr):
            return ListExpr(0, 0, tuple([self.translate_expr(one, scope) for one in node.elements]))
        if isinstance(node, MapExpr):
            pairs = [
                (self.translate_expr(one.key, scope), self.translate_expr(one.value, scope)) for one in node.entries
            ]
            return MapExpr(0, 0, tuple([MapEntry(0, 0, key, value) for key, value in pairs]))
        if isinstance(node, Literal):
            return _to_signed_literal(node.value) if isinstance(node.value, Uint) else node
        raise UntranslatableError("it creates a message, and API servers have no messages")

    def _translate_ident(self, node: Ident, known: ValueInfo) -> Expr:
        if node.name in ("now", "rule", "rules"):
            raise UntranslatableError(f'the CEL of API servers has no "{node.name}"')
        return self._convert_read(Ident(0, 0, self._name) if node.name == "this" else node, known)

    def _translate_select(self, node: Select, scope: Scope) -> Expr:
        """A value of an enum; or a field, or its zero value where it or one on the way to it is not set."""
        number = find_constant(node, scope, self._api)
        if number is not None:
            return _make_literal(number)
        path, guards, known = self._translate_path(node, scope)
        zero = self._make_zero(known)
        if guards and zero is not None:
            return _make_call("_?_:_", _join_guards(guards), self._convert_read(path, known), zero)
        return self._convert_read(path, known)

    def _translate_path(self, node: Expr, scope: Scope) -> _Path:
        """Return the selection, the `has` tests of its parts, and the information on its value."""
        if id(node) not in self._paths:
            self._paths[id(node)] = self._follow_path(node, scope)
        return self._paths[id(node)]

    def _follow_path(self, node: Expr, scope: Scope) -> _Path:
        if not isinstance(node, Select):
            known = scope.get(node.name, _NOTHING) if isinstance(node, Ident) else self._infer_value(node, scope)
            return self.translate_expr(node, scope), [], known
        operand, guards, known = self._translate_path(node.operand, scope)
        message = self._api.find_message(known.message) if known.message else None
        field = next((one for one in message.fields if one.name == node.field), None) if message else None
        if field is None:
            return Select(0, 0, operand, node.field), guards, _NOTHING
        if not is_selectable(field.json_name):
            raise UntranslatableError(f'CEL cannot select "{field.json_name}"')
        made = Select(0, 0, operand, escape_cel_name(field.json_name))
        return made, [*guards, _make_call("has", made)], get_field_info(field, self._api, item=False)

    def _infer_value(self, node: Expr, scope: Scope) -> ValueInfo:
        """Infer the information on the value of an expression."""
        if isinstance(node, (Ident, Select)):
            return self._translate_path(node, scope)[2]
        if not isinstance(node, Call) or node.function not in ("_[_]", "_?_:_"):
            return _NOTHING
        if node.function == "_?_:_":
            return _get_first([self._infer_value(branch, scope) for branch in node.args[1:]])
        held = self._infer_value(node.args[0], scope)
        if held.field is not None and self._get_kind(held) == "map":
            return get_field_info(get_shape(held.field, self._api).parts["values"], self._api, item=True)
        return self._infer_items(node.args[0], scope)

    def _infer_items(self, node: Expr, scope: Scope) -> ValueInfo:
        """Infer the information on the items of a list."""
        if isinstance(node, ListExpr):
            return _get_first([self._infer_value(one, scope) for one in node.elements])
        if isinstance(node, Call) and node.function in ("_+_", "_?_:_"):
            return _get_first([self._infer_items(part, scope) for part in node.args[-2:]])
        if isinstance(node, Call) and node.function == "filter" and node.target is not None:
            return self._infer_items(node.target, scope)
        return self._get_item_info(self._infer_value(node, scope))

    def _get_item_info(self, known: ValueInfo) -> ValueInfo:
        if known.field is None or known.item or get_shape(known.field, self._api).kind != "repeated":
            return _NOTHING
        return get_field_info(known.field, self._api, item=True)

    def _get_kind(self, known: ValueInfo) -> str:
        if known.field is None:
            return ""
        return (get_element_shape if known.item else get_shape)(known.field, self._api).kind

    def _convert_read(self, path: Expr, known: ValueInfo) -> Expr:
        """Convert a value to the type of protovalidate: objects contain durations as strings."""
        return _make_call("duration", path) if self._get_kind(known) == "duration" else path

    def _make_zero(self, known: ValueInfo) -> Expr | None:
        kind, field = self._get_kind(known), known.field
        if field is None or kind in ("message", "any", "field_mask") or field.type_name.endswith("Value"):
            return None
        if kind == "enum":
            return get_zero_name(self._api.find_enum(field.type_name))
        return _make_zero_of_type(kind)

    def _translate_call(self, node: Call, scope: Scope) -> Expr:
        if node.function == "has" and len(node.args) == 1:
            return self._translate_has(node.args[0], scope)
        if node.function in _FOLDS and node.target is not None and len(node.args) > 1:
            return self._translate_comprehension(node, scope)
        if node.function in ("_==_", "_!=_", "@in") and (compared := self._translate_enum(node, scope)):
            return compared
        if node.function == "isIp" and node.target is not None:
            return _make_address_test(self.translate_expr(node.target, scope), node)
        if node.function in _LOST:
            raise UntranslatableError(f'the CEL of API servers has no function "{node.function}"')
        self._check_numbers(node, scope)
        function = "int" if node.function == "uint" else node.function
        target = self.translate_expr(node.target, scope) if node.target is not None else None
        made = Call(0, 0, function, tuple([self.translate_expr(one, scope) for one in node.args]), target)
        return self._convert_read(made, self._infer_value(node, scope)) if function == "_[_]" else made

    def _check_numbers(self, node: Call, scope: Scope) -> None:
        """Raise UntranslatableError if a function would receive the name of an enum value for its number."""
        given = () if self._names or node.function == "_?_:_" else (*node.args, node.target)
        if any(self._find_enum(one, scope) is not None for one in given if one is not None):
            raise UntranslatableError(COMPARED)

    def _translate_has(self, node: Expr, scope: Scope) -> Expr:
        path, found, known = self._translate_path(node, scope)
        guards, field, zero = [*found], known.field, self._make_zero(known)
        if field is not None and not known.item and not has_presence(field, self._api):
            kind = self._get_kind(known)
            if kind in ("map", "repeated"):
                guards.append(_make_call("_>_", _make_call("size", target=path), _make_literal(0)))
            elif zero is not None:
                guards.append(_make_call("_!=_", path, zero))
                if kind == "enum" and self._numbered:
                    guards.append(_make_call("_!=_", path, _make_literal(0)))
        return _join_guards(guards) if guards else _make_call("has", path)

    def _translate_comprehension(self, node: Call, scope: Scope) -> Expr:
        variable = node.args[0]
        if not isinstance(variable, Ident) or node.target is None:
            raise UntranslatableError(f'"{node.function}" names no variable')
        inner = {**scope, variable.name: self._infer_items(node.target, scope)}
        args = (variable, *(self.translate_expr(one, inner) for one in node.args[1:]))
        path, guards, known = self._translate_path(node.target, scope)
        if not guards or node.function not in _OF_NONE or self._make_zero(known) is None:
            return Call(0, 0, node.function, args, self.translate_expr(node.target, scope))
        # Not `(has(path) ? path : [])`: API servers cannot estimate its size.
        made = Call(0, 0, node.function, args, path)
        none = _OF_NONE[node.function]
        return (
            _make_call("_||_", _make_call("!_", _join_guards(guards)), made)
            if none
            else _make_call("_&&_", _join_guards(guards), made)
        )

    def _translate_enum(self, node: Call, scope: Scope) -> Expr | None:
        """Enums compared with each other or with numbers, or looked for among several: in an object they are names."""
        listed = node.function == "@in"
        first, second = node.args
        one, other = self._find_enum(first, scope), self._find_enum(second, scope, listed=listed)
        if one is not None and other is not None:
            check_same_enum(one, other, numbered=self._numbered)
            return _make_call(node.function, self.translate_expr(first, scope), self.translate_expr(second, scope))
        if one is not None:
            return make_comparison(
                node.function,
                self.translate_expr(first, scope),
                self._list_numbers(second, scope),
                one,
                numbered=self._numbered,
            )
        if other is None:
            return None
        value = self.translate_expr(second, scope)
        if listed:
            return make_membership(self._list_numbers(first, scope), value, other, numbered=self._numbered)
        return make_comparison(node.function, value, self._list_numbers(first, scope), other, numbered=self._numbered)

    def _find_enum(self, node: Expr, scope: Scope, *, listed: bool = False) -> Enum | None:
        """The enum of a value, or of its items."""
        known = self._infer_items(node, scope) if listed else self._infer_value(node, scope)
        found = known.field is not None and self._get_kind(known) == "enum"
        return self._api.find_enum(known.field.type_name) if found and known.field is not None else None

    def _list_numbers(self, node: Expr, scope: Scope) -> list[int]:
        """The numbers that are written, one by one or as a list."""
        parts = node.elements if isinstance(node, ListExpr) else (node,)
        made = [self.translate_expr(part, scope) for part in parts]
        numbers = [part.value for part in made if isinstance(part, Literal) and isinstance(part.value, int)]
        if len(numbers) < len(made):
            raise UntranslatableError(COMPARED)
        return numbers


def _get_first(found: list[ValueInfo]) -> ValueInfo:
    return next((one for one in found if one.field is not None), _NOTHING)


def _to_signed_literal(value: Uint) -> Literal:
    if value > _LARGEST:
        raise UntranslatableError(f"integers of objects are at most {_LARGEST:,}")
    return _make_literal(int(value))


def _make_zero_of_type(kind: str) -> Expr | None:
    if kind in INTEGERS:
        return _make_literal(0)
    if kind in ("map", "repeated"):
        return MapExpr(0, 0, ()) if kind == "map" else ListExpr(0, 0, ())
    if kind in ("duration", "timestamp"):
        return _make_call(kind, _make_literal("0s" if kind == "duration" else "1970-01-01T00:00:00Z"))
    simple: Mapping[str, Constant] = {"bool": False, "bytes": b"", "double": 0.0, "float": 0.0, "string": ""}
    return _make_literal(simple[kind]) if kind in simple else None


def _join_guards(guards: list[Expr]) -> Expr:
    made = guards[0]
    for guard in guards[1:]:
        made = _make_call("_&&_", made, guard)
    return made


def _make_address_test(value: Expr, node: Call) -> Expr:
    """`isIp`, of any version or of one."""
    found = _make_call("isIP", value)
    if not node.args:
        return found
    return _make_call(
        "_&&_", found, _make_call("_==_", _make_call("family", target=_make_call("ip", value)), node.args[0])
    )
