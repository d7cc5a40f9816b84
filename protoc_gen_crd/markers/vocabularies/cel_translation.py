"""Translation of protovalidate's CEL to CEL of API servers: names, unset fields, enums, durations, and functions.

In protovalidate, an unset field has its zero value, and `has` of a field without presence is false for this value.
Objects do not contain unset fields. The caller type-checks the result as API servers do.
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
from protoc_gen_crd.cel.parser.parser_options_and_limits import ParserOptions
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
from protoc_gen_crd.proto.element_model import Enum, Field
from protoc_gen_crd.schema.cel_names import escape_cel_name, is_selectable

_PLAIN = ParserOptions(macros={})
_FOLDS = ("all", "exists", "exists_one", "existsOne", "filter", "map")
_OF_NONE = {"all": True, "exists": False, "exists_one": False, "existsOne": False}  # results for an empty list
_LOST = {
    "getField": "", "isEmail": "", "isHostAndPort": "", "isHostname": "", "isInf": "", "isIpPrefix": "", "isNan": "",
    "isUri": "", "isUriRef": "", "unique": "",
}  # fmt: skip
_LARGEST = 2**63 - 1


class ValueInfo(Record):
    """Static information about a value: its message type, and the field of the value or item."""

    message: str = ""
    field: Field | None = None
    item: bool = False


_NOTHING = ValueInfo()


def get_field_info(field: Field, api: ApiSet, *, item: bool) -> ValueInfo:
    """Return the information about the value of a field, or with `item` about an item of it."""
    kind = (get_element_shape if item else get_shape)(field, api).kind
    return ValueInfo(field.type_name if kind == "message" else "", field, item)


def translate(expression: str, this: ValueInfo, tools: ReadingContext, name: str = "self") -> tuple[str, str]:
    """Translate an expression to a condition, and to a message expression if it returns a string (else empty).

    `name` replaces `this`. Raises UntranslatableError if there is no equivalent.
    """
    tree = parse(expression, _PLAIN)
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
    """Translator of an expression. With `names`, functions get the names of enum values, as in messages."""

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
            return ListExpr(0, 0, tuple([self.translate_expr(element, scope) for element in node.elements]))
        if isinstance(node, MapExpr):
            pairs = [
                (self.translate_expr(element.key, scope), self.translate_expr(element.value, scope))
                for element in node.entries
            ]
            return MapExpr(0, 0, tuple([MapEntry(0, 0, key, value) for key, value in pairs]))
        if isinstance(node, Literal):
            return _to_signed_literal(node.value) if isinstance(node.value, Uint) else node
        raise UntranslatableError("it creates a message, and API servers have no messages")

    def _translate_ident(self, node: Ident, info: ValueInfo) -> Expr:
        if node.name in ("now", "rule", "rules"):
            raise UntranslatableError(f'the CEL of API servers has no "{node.name}"')
        return self._convert_read(Ident(0, 0, self._name) if node.name == "this" else node, info)

    def _translate_select(self, node: Select, scope: Scope) -> Expr:
        """Translate an enum value, or a field: its zero value if the field or a field on its path is not set."""
        number = find_constant(node, scope, self._api)
        if number is not None:
            return _make_literal(number)
        path, guards, info = self._translate_path(node, scope)
        zero = self._make_zero(info)
        if guards and zero is not None:
            return _make_call("_?_:_", _join_guards(guards), self._convert_read(path, info), zero)
        return self._convert_read(path, info)

    def _translate_path(self, node: Expr, scope: Scope) -> _Path:
        """Return the selection, the `has` tests of the fields on its path, and the information about its value."""
        if id(node) not in self._paths:
            self._paths[id(node)] = self._follow_path(node, scope)
        return self._paths[id(node)]

    def _follow_path(self, node: Expr, scope: Scope) -> _Path:
        if not isinstance(node, Select):
            info = scope.get(node.name, _NOTHING) if isinstance(node, Ident) else self._infer_value(node, scope)
            return self.translate_expr(node, scope), [], info
        operand, guards, info = self._translate_path(node.operand, scope)
        message = self._api.find_message(info.message) if info.message else None
        field = (
            next((candidate for candidate in message.fields if candidate.name == node.field), None) if message else None
        )
        if field is None:
            return Select(0, 0, operand, node.field), guards, _NOTHING
        if not is_selectable(field.json_name):
            raise UntranslatableError(f'CEL cannot select "{field.json_name}"')
        selection = Select(0, 0, operand, escape_cel_name(field.json_name))
        return selection, [*guards, _make_call("has", selection)], get_field_info(field, self._api, item=False)

    def _infer_value(self, node: Expr, scope: Scope) -> ValueInfo:
        """Infer the information about the value of an expression."""
        if isinstance(node, (Ident, Select)):
            return self._translate_path(node, scope)[2]
        if not isinstance(node, Call) or node.function not in ("_[_]", "_?_:_"):
            return _NOTHING
        if node.function == "_?_:_":
            return _get_first([self._infer_value(branch, scope) for branch in node.args[1:]])
        container = self._infer_value(node.args[0], scope)
        if container.field is not None and self._get_kind(container) == "map":
            return get_field_info(get_shape(container.field, self._api).parts["values"], self._api, item=True)
        return self._infer_items(node.args[0], scope)

    def _infer_items(self, node: Expr, scope: Scope) -> ValueInfo:
        """Infer the information about the items of a list."""
        if isinstance(node, ListExpr):
            return _get_first([self._infer_value(element, scope) for element in node.elements])
        if isinstance(node, Call) and node.function in ("_+_", "_?_:_"):
            return _get_first([self._infer_items(part, scope) for part in node.args[-2:]])
        if isinstance(node, Call) and node.function == "filter" and node.target is not None:
            return self._infer_items(node.target, scope)
        return self._get_item_info(self._infer_value(node, scope))

    def _get_item_info(self, info: ValueInfo) -> ValueInfo:
        if info.field is None or info.item or get_shape(info.field, self._api).kind != "repeated":
            return _NOTHING
        return get_field_info(info.field, self._api, item=True)

    def _get_kind(self, info: ValueInfo) -> str:
        if info.field is None:
            return ""
        return (get_element_shape if info.item else get_shape)(info.field, self._api).kind

    def _convert_read(self, path: Expr, info: ValueInfo) -> Expr:
        """Convert a value to its type in protovalidate: durations are strings in objects."""
        return _make_call("duration", path) if self._get_kind(info) == "duration" else path

    def _make_zero(self, info: ValueInfo) -> Expr | None:
        kind, field = self._get_kind(info), info.field
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
        if node.function in ("_==_", "_!=_", "@in") and (comparison := self._translate_enum(node, scope)):
            return comparison
        if node.function == "isIp" and node.target is not None:
            return _make_address_test(self.translate_expr(node.target, scope), node)
        if node.function in _LOST:
            raise UntranslatableError(f'the CEL of API servers has no function "{node.function}"')
        self._check_numbers(node, scope)
        function = "int" if node.function == "uint" else node.function
        target = self.translate_expr(node.target, scope) if node.target is not None else None
        call = Call(0, 0, function, tuple([self.translate_expr(arg, scope) for arg in node.args]), target)
        return self._convert_read(call, self._infer_value(node, scope)) if function == "_[_]" else call

    def _check_numbers(self, node: Call, scope: Scope) -> None:
        """Raise UntranslatableError if a function would get the name of an enum value instead of its number."""
        operands = () if self._names or node.function == "_?_:_" else (*node.args, node.target)
        if any(self._find_enum(operand, scope) is not None for operand in operands if operand is not None):
            raise UntranslatableError(COMPARED)

    def _translate_has(self, node: Expr, scope: Scope) -> Expr:
        path, path_guards, info = self._translate_path(node, scope)
        guards, field, zero = [*path_guards], info.field, self._make_zero(info)
        if field is not None and not info.item and not has_presence(field, self._api):
            kind = self._get_kind(info)
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
        args = (variable, *(self.translate_expr(arg, inner) for arg in node.args[1:]))
        path, guards, info = self._translate_path(node.target, scope)
        if not guards or node.function not in _OF_NONE or self._make_zero(info) is None:
            return Call(0, 0, node.function, args, self.translate_expr(node.target, scope))
        # Not `(has(path) ? path : [])`, since API servers cannot estimate its size.
        comprehension = Call(0, 0, node.function, args, path)
        empty_result = _OF_NONE[node.function]
        return (
            _make_call("_||_", _make_call("!_", _join_guards(guards)), comprehension)
            if empty_result
            else _make_call("_&&_", _join_guards(guards), comprehension)
        )

    def _translate_enum(self, node: Call, scope: Scope) -> Expr | None:
        """Translate a comparison of enums with each other or with numbers, or a membership test: objects have names."""
        listed = node.function == "@in"
        first, second = node.args
        first_enum, second_enum = self._find_enum(first, scope), self._find_enum(second, scope, listed=listed)
        if first_enum is not None and second_enum is not None:
            check_same_enum(first_enum, second_enum, numbered=self._numbered)
            return _make_call(node.function, self.translate_expr(first, scope), self.translate_expr(second, scope))
        if first_enum is not None:
            return make_comparison(
                node.function,
                self.translate_expr(first, scope),
                self._list_numbers(second, scope),
                first_enum,
                numbered=self._numbered,
            )
        if second_enum is None:
            return None
        value = self.translate_expr(second, scope)
        if listed:
            return make_membership(self._list_numbers(first, scope), value, second_enum, numbered=self._numbered)
        return make_comparison(
            node.function, value, self._list_numbers(first, scope), second_enum, numbered=self._numbered
        )

    def _find_enum(self, node: Expr, scope: Scope, *, listed: bool = False) -> Enum | None:
        """Return the enum of a value, or with `listed` of its items; None for other values."""
        info = self._infer_items(node, scope) if listed else self._infer_value(node, scope)
        is_enum = info.field is not None and self._get_kind(info) == "enum"
        return self._api.find_enum(info.field.type_name) if is_enum and info.field is not None else None

    def _list_numbers(self, node: Expr, scope: Scope) -> list[int]:
        """Return the literal numbers of an expression, a number or a list of numbers."""
        parts = node.elements if isinstance(node, ListExpr) else (node,)
        translated = [self.translate_expr(part, scope) for part in parts]
        numbers = [part.value for part in translated if isinstance(part, Literal) and isinstance(part.value, int)]
        if len(numbers) < len(translated):
            raise UntranslatableError(COMPARED)
        return numbers


def _get_first(infos: list[ValueInfo]) -> ValueInfo:
    return next((info for info in infos if info.field is not None), _NOTHING)


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
    conjunction = guards[0]
    for guard in guards[1:]:
        conjunction = _make_call("_&&_", conjunction, guard)
    return conjunction


def _make_address_test(value: Expr, node: Call) -> Expr:
    """Make the translation of `isIp`, optionally with an IP version."""
    is_ip = _make_call("isIP", value)
    if not node.args:
        return is_ip
    return _make_call(
        "_&&_", is_ip, _make_call("_==_", _make_call("family", target=_make_call("ip", value)), node.args[0])
    )
