"""The type checker: every node's type and what every name and call refers to, or all that is wrong.

Source: cel-go v0.29 `checker/checker.go`, `checker/env.go`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from protoc_gen_crd.base.record import Record

from .ast import (
    Ast,
    Call,
    Comprehension,
    Expr,
    Ident,
    ListExpr,
    Literal,
    MapExpr,
    Select,
    StructExpr,
    StructField,
    Uint,
)
from .environment import ALL_TYPED, FORGETS, MIXED_LITERALS, OPTIONAL_TYPE, RIGHT_LINES, SETTLED, Environment
from .era import Era
from .issues import Issue, Refusal
from .names import Found, Names, qualified
from .overloads import Overload
from .syntax import parse
from .types import (
    ANY,
    BOOL,
    BYTES,
    DOUBLE,
    DYN,
    ERROR,
    INT,
    LIST,
    MAP,
    NULL,
    OBJECT,
    PARAMETER,
    STRING,
    UINT,
    UNSET,
    Type,
    list_of,
    map_of,
    optional,
    shown,
    spelled,
    untyped,
)
from .unify import Instance, Unifier, is_dyn, most_general, unwrapped
from .validators import validate

_LITERALS = {bool: BOOL, int: INT, Uint: UINT, float: DOUBLE, str: STRING, bytes: BYTES, type(None): NULL}
SAME_IDS = "incompatible type already exists for expression"
OLD_SAME_IDS = "(Incompatible) Type already exists for expression"
_OLD_NAMES = {"type(type)": "type(type())", "type(<nil>)": "type()"}
_FORGIVEN = frozenset((DYN.kind, ANY.kind, ERROR.kind))


class Reference(Record):
    """What a name stands for: a variable or type, or a function with the overloads that may be meant.

    A name with a leading dot is not that of a comprehension's variable. A call whose target is part of the function's
    name (`ip.isCanonical(x)`) refers to that name and has no target.
    """

    name: str
    overloads: tuple[Overload, ...] = ()


class Checked(Record):
    """A tree with the types of its nodes and the references of its names and calls, both by id."""

    ast: Ast
    types: Mapping[int, Type]
    references: Mapping[int, Reference]

    @property
    def type(self) -> Type:
        """The type of the whole."""
        return self.types[self.ast.root.id]

    def target(self, call: Call) -> Expr | None:
        """What a call is really called on."""
        reference = self.references.get(call.id)
        return call.target if reference is None or reference.name == call.function else None

    def uses(self, variable: str) -> bool:
        """Whether a variable occurs."""
        return any(reference.name == variable and not reference.overloads for reference in self.references.values())


def compiled(text: str, environment: Environment, variables: Mapping[str, Type]) -> Checked | Refusal:
    """A text parsed, checked and its literals validated."""
    tree = parse(text, environment.dialect)
    return tree if isinstance(tree, Refusal) else check(tree, environment, variables)


def check(
    tree: Ast, environment: Environment, variables: Mapping[str, Type], era: Era | None = None
) -> Checked | Refusal:
    """The types of a tree, if there is nothing wrong with it; `era` tells for which servers that holds."""
    era = era or Era(environment.minor)
    checker = _Checker(environment, variables, era)
    checker.check(tree.root)
    if checker.issues:
        return _refusal(tree, checker.issues, era)
    settled = checker.unifier.settled
    types = {node: settled(kind, dynamic=True) for node, kind in checker.types.items()}
    issues = validate(tree, types, environment, era) if era.since(MIXED_LITERALS) else []
    return _refusal(tree, issues, era) if issues else Checked(tree, types, checker.references)


def _refusal(tree: Ast, issues: Sequence[Issue], era: Era) -> Refusal:
    if not era.since(ALL_TYPED):
        for name, told in _OLD_NAMES.items():
            issues = [issue.replace(message=issue.message.replace(name, told)) for issue in issues]
    if not era.since(OPTIONAL_TYPE):
        issues = [issue.replace(message=issue.message.replace("optional_type(", "optional(")) for issue in issues]
    if not era.since(RIGHT_LINES):
        issues = [issue.replace(line_before=True) for issue in issues]
    return Refusal(tree.text, tuple(issues))


class _Checker:
    """One method a kind of node. `strict` tells that numbers of different types do not compare."""

    def __init__(self, environment: Environment, variables: Mapping[str, Type], era: Era) -> None:
        self.environment, self.era = environment, era
        self.names = Names(environment, variables, era)
        self.unifier = Unifier(lambda: era.since(ALL_TYPED))
        self.types: dict[int, Type] = {}
        self.references: dict[int, Reference] = {}
        self.issues: list[Issue] = []
        self.strict = not environment.mixed
        self.checks: dict[type[Expr], Callable[[Any], Type]] = {
            Literal: self._literal, Ident: self._ident, Select: self._select, Call: self._call, ListExpr: self._list,
            MapExpr: self._map, StructExpr: self._struct, Comprehension: self._comprehension,
        }  # fmt: skip

    def check(self, node: Expr) -> Type:
        made = self.checks[type(node)](node)
        before = self.types.setdefault(node.id, made)
        if before is not made and before != made:  # a node that stands twice in the tree
            told = f"old:{spelled(before)}, new:{spelled(made)}".replace("<", "").replace(">", "")
            said = SAME_IDS if self.era.since(ALL_TYPED) else OLD_SAME_IDS
            self._refuse(f"{said}: ({node.id}) {told}", node.at)
        return before

    def _refuse(self, message: str, at: int) -> Type:
        self.issues.append(Issue(message, at))
        return ERROR

    def _undeclared(self, name: str, at: int) -> Type:
        return self._refuse(f"undeclared reference to '{name}' (in container '')", at)

    def _unknown(self, name: str, at: int) -> Type:
        """The type of a method or message that is not declared, which older servers give none."""
        made = self._undeclared(name, at)
        return made if self.era.since(ALL_TYPED) else untyped()

    def _shown(self, kind: Type) -> str:
        """A type that has no fields, as it is shown."""
        if self.era.since(ALL_TYPED):
            return shown(kind)
        from .typetexts import text_of  # noqa: PLC0415 - few ask these servers

        return text_of(kind)

    def _mismatch(self, expected: Type, found: Type, at: int) -> Type:
        return self._refuse(f"expected type '{shown(expected)}' but found '{shown(found)}'", at)

    # names

    def _literal(self, node: Literal) -> Type:
        return _LITERALS[type(node.value)]

    def _ident(self, node: Ident) -> Type:
        return self._referred(node, self.names.plain(node.name)) or self._undeclared(node.name, node.at)

    def _referred(self, node: Expr, found: Found) -> Type | None:
        if found is None:
            return None
        kind, name = found
        self.references[node.id] = Reference(name)
        return kind

    def _select(self, node: Select) -> Type:
        named = self._referred(node, self.names.dotted(node))
        if named is not None:
            return named
        made = self._field(node, node.operand, node.field, wrap=False)
        return BOOL if node.test_only else self.unifier.settled(made)

    def _field(self, node: Expr, operand: Expr, field: str, *, wrap: bool) -> Type:
        """The type of a field; that of an optional's is optional, and with `wrap` any."""
        target, is_optional = unwrapped(self.unifier.settled(self.check(operand)))
        made = DYN
        if target.kind == MAP:
            made = target.params[1]
        elif target.kind == OBJECT:
            made = self._of_object(target, field, node.at)
        elif target.kind == PARAMETER:
            self.unifier.assignable(DYN, target)
        elif target.kind not in _FORGIVEN:
            self._refuse(f"type '{self._shown(target)}' does not support field selection", node.at)
            made = DYN if self.era.since(SETTLED) else ERROR
        return optional(made) if is_optional or wrap else made

    def _of_object(self, target: Type, field: str, at: int) -> Type:
        if target.fields is None:
            internal = "" if self.era.since(ALL_TYPED) else "[internal] "
            return self._refuse(f"{internal}unexpected failed resolution of '{target.name}'", at)
        found = target.field(field, keywords=self.environment.keywords)
        return found or self._refuse(f"undefined field '{field}'", at)

    # calls

    def _call(self, node: Call) -> Type:
        if node.function == "_?._":
            return self._optional_field(node)
        args = [self.check(arg) for arg in node.args]
        functions = self.environment.functions
        if node.target is None:
            name = node.function.removeprefix(".")
            if name not in functions:
                return self._undeclared(node.function, node.at)
            return self._resolve(node, name, functions[name].plain, args)
        prefix = qualified(node.target)
        if prefix is not None:
            name = f"{prefix}.{node.function}".removeprefix(".")
            if name in functions:
                return self._resolve(node, name, functions[name].plain, args)
        target = self.check(node.target)
        if node.function not in functions:
            return self._unknown(node.function, node.at)
        return self._resolve(node, node.function, functions[node.function].methods, [target, *args], method=True)

    def _optional_field(self, node: Call) -> Type:
        operand, field = node.args
        made = self._field(node, operand, str(field.value) if isinstance(field, Literal) else "", wrap=True)
        chosen = [row for row in self.environment.functions["_?._"].plain if row.id == "select_optional_field"]
        self.references[node.id] = Reference("_?._", tuple(chosen))
        return self.unifier.settled(made)

    def _resolve(
        self, node: Call, name: str, overloads: Sequence[Overload], args: list[Type], *, method: bool = False
    ) -> Type:
        """The result of the overloads that fit: dyn if they differ."""
        if name in ("_&&_", "_||_") and self.era.since(ALL_TYPED):
            return self._logical(node, overloads, args)
        fitting, result = [], None
        for overload in overloads:
            if overload.mixed and self.strict:
                continue
            if len(overload.args) != len(args) and not overload.open:  # open ones use up names of variables
                continue
            wanted, its = self._instance(overload) if overload.open else (overload.args, overload.result)
            if self.unifier.all_assignable(args, wanted):
                its = self.unifier.settled(its)
                fitting.append(overload)
                if result is None or not result.kind:
                    result = its
                elif not is_dyn(result) and its != result:
                    result = DYN
        if result is None or not result.kind:
            if self.era.since(SETTLED):
                args = [self.unifier.settled(arg, dynamic=True) for arg in args]
            texts = [shown(arg) for arg in args]
            target = f"{texts.pop(0)}." if method else ""
            signature = f"{target}({', '.join(texts)})"
            return self._refuse(f"found no matching overload for '{name}' applied to '{signature}'", node.at)
        self.references[node.id] = Reference(name, tuple(fitting))
        return result

    def _instance(self, overload: Overload) -> tuple[Sequence[Type], Type]:
        """Arguments and result of one with type parameters, which are its own."""
        made = Instance(self.unifier)
        return [made.of(arg) for arg in overload.args], made.of(overload.result)

    def _logical(self, node: Call, overloads: Sequence[Overload], args: list[Type]) -> Type:
        wrong = False
        for arg, kind in zip(node.args, args, strict=True):
            if not self.unifier.assignable(kind, BOOL):
                self._mismatch(BOOL, kind, arg.at)
                wrong = True
        self.references[node.id] = Reference(node.function, tuple(overloads))
        return ERROR if wrong else BOOL

    # literals of lists, maps and messages

    def _list(self, node: ListExpr) -> Type:
        items: Type | None = None
        for index, element in enumerate(node.elements):
            items = self._joined(element, items, self._element(element, is_optional=index in node.optionals))
        return list_of(self.unifier.fresh() if items is None or not items.kind else items)

    def _element(self, node: Expr, *, is_optional: bool) -> Type:
        """The type of an element; one with a question mark must hold an optional, and counts as what that holds."""
        kind = self.check(node)
        if is_optional:
            kind, held = unwrapped(kind)
            if not held and not is_dyn(kind):
                self._mismatch(optional(kind), kind, node.at)
        return kind

    def _joined(self, node: Expr, before: Type | None, kind: Type) -> Type:
        if before is None or not before.kind:
            return kind
        if self.unifier.assignable(before, kind):
            return most_general(before, kind)
        if self.era.since(MIXED_LITERALS):
            return DYN
        return self._mismatch(before, kind, node.at)

    def _map(self, node: MapExpr) -> Type:
        keys: Type | None = None
        values: Type | None = None
        for entry in node.entries:
            keys = self._joined(entry.key, keys, self.check(entry.key))
            values = self._joined(entry.value, values, self._element(entry.value, is_optional=entry.optional))
        if keys is None or not keys.kind or values is None:
            return map_of(self.unifier.fresh(), self.unifier.fresh())
        return map_of(keys, values)

    def _struct(self, node: StructExpr) -> Type:
        found = self.names.message(node.name)
        if found is None:
            return self._unknown(node.name, node.at)
        self.references[node.id] = Reference(found[1])
        from .structs import literal  # noqa: PLC0415 - few expressions hold messages

        made = literal(*found, self.era)
        if made.issue:
            self._refuse(made.issue, node.at)
        for field in node.fields:
            kind = self._element(field.value, is_optional=field.optional)
            self._set(field, made.field(field.name), kind)
        return made.type

    def _set(self, field: StructField, wanted: Type | str, kind: Type) -> None:
        if isinstance(wanted, str):
            self._refuse(wanted, field.at)
        elif not self.unifier.assignable(wanted, kind):
            said = f"is '{shown(wanted)}' but provided type is '{shown(kind)}'"
            self._refuse(f"expected type of field '{field.name}' {said}", field.at)

    # comprehensions

    def _comprehension(self, node: Comprehension) -> Type:
        items = self.check(node.iter_range)
        start = self.check(node.accu_init)
        variables = self._variables(node, self.unifier.settled(items))
        self.strict = False  # a new scope forgets which overloads are left out
        self.names.scopes.append({node.accu_var: start})
        self.names.scopes.append(variables)
        self._must_be(BOOL, node.condition)
        self._must_be(start, node.step)
        self.names.scopes.pop()
        result = self.check(node.result)
        self.names.scopes.pop()
        return self.unifier.settled(result)

    def _must_be(self, wanted: Type, node: Expr) -> None:
        kind = self.check(node)
        if not self.unifier.assignable(wanted, kind):
            self._mismatch(wanted, kind, node.at)

    def _forgets(self) -> bool:
        return self.era.since(FORGETS) and not self.era.since(FORGETS + 1)

    def _variables(self, node: Comprehension, items: Type) -> dict[str, Type]:
        """The types of the variables: items, keys, index and item, or key and value."""
        first = second = DYN
        if items.kind == LIST:
            first = second = items.params[0]
            if node.iter_var2:
                first = INT
        elif items.kind == MAP:
            first, second = items.params
        elif items.kind == PARAMETER or (items.kind in _FORGIVEN and items != ANY):
            self.unifier.assignable(DYN, items)
            second = UNSET if self._forgets() else DYN
        else:
            said = f"expression of type '{shown(items)}' cannot be range of a comprehension"
            first = second = self._refuse(f"{said} (must be list, map, or dynamic)", node.iter_range.at)
            second = UNSET if self._forgets() else second
        return {node.iter_var: first, node.iter_var2: second} if node.iter_var2 else {node.iter_var: first}
