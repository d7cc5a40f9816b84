"""The type checker: the types of nodes and the references of names and calls, or all errors.

Source: cel-go v0.29 `checker/checker.go`, `checker/env.go`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.cel.environment import Environment
from protoc_gen_crd.cel.parser.ast import (
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
from protoc_gen_crd.cel.parser.issues import Issue, Rejection
from protoc_gen_crd.cel.parser.parser import parse
from protoc_gen_crd.cel.parser.standard_macros import ACCUMULATOR, OLD_ACCUMULATOR
from protoc_gen_crd.cel.version_differences import (
    LINE_STARTS,
    MIXED_LITERALS,
    OPTIONAL_TYPE,
    SUBSTITUTED_TYPES,
    TYPED_OPERATORS,
    UNTYPED_SECOND_VARIABLE,
)
from protoc_gen_crd.kubernetes.shared_results import Switches

from .assignability import TypeInstance, Unifier, get_most_general, is_dyn, unwrap_optional
from .literal_validators import validate
from .overloads import Overload
from .scopes import ResolvedName, ScopeStack, get_qualified_name
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
    format_for_author,
    format_type,
    make_list_type,
    make_map_type,
    make_optional_type,
    make_untyped,
)

_LITERALS = {bool: BOOL, int: INT, Uint: UINT, float: DOUBLE, str: STRING, bytes: BYTES, type(None): NULL}
SAME_IDS = "incompatible type already exists for expression"
OLD_SAME_IDS = "(Incompatible) Type already exists for expression"
_OLD_NAMES = {"type(type)": "type(type())", "type(<nil>)": "type()"}
_FORGIVEN = frozenset((DYN.kind, ANY.kind, ERROR.kind))


class Reference(Record):
    """The declaration that a name refers to: a variable or type, or a function with its possible overloads.

    A name with a leading dot does not refer to a variable of a comprehension. A call whose target is part of the
    function's name (`ip.isCanonical(x)`) refers to that name and has no target.
    """

    name: str
    overloads: tuple[Overload, ...] = ()


class CheckedAst(Record):
    """A tree with the types of its nodes and the references of its names and calls, both by node id."""

    ast: Ast
    types: Mapping[int, Type]
    references: Mapping[int, Reference]

    @property
    def type(self) -> Type:
        """The type of the expression."""
        return self.types[self.ast.root.id]

    def find_target(self, call: Call) -> Expr | None:
        """Return the target of a call; None if the written target is part of the function's name."""
        reference = self.references.get(call.id)
        return call.target if reference is None or reference.name == call.function else None

    def has_variable(self, variable: str) -> bool:
        """Check whether the expression uses a variable."""
        return any(reference.name == variable and not reference.overloads for reference in self.references.values())


def describe_result(checked: CheckedAst | Rejection) -> object:
    """Describe a result: equal for equal results for one text, apart from the name of the variable that macros add."""
    if isinstance(checked, Rejection):
        return str(checked)
    references = {
        node: (reference.name, [row.id if row.uniform else id(row) for row in reference.overloads])
        for node, reference in checked.references.items()
    }
    described = f"{checked.ast.root!r} {sorted(references.items())}"
    if ACCUMULATOR not in checked.ast.source and OLD_ACCUMULATOR not in checked.ast.source:
        described = described.replace(OLD_ACCUMULATOR, ACCUMULATOR)
    return described, checked.types


def compile_text(source: str, environment: Environment, variables: Mapping[str, Type]) -> CheckedAst | Rejection:
    """Parse and check an expression, and validate its literals.

    Args:
        source: The expression.
        environment: The functions, macros and checks of a Kubernetes version.
        variables: The types of the variables by name.

    Returns:
        The checked tree, or the errors with the messages of the server.
    """
    tree = parse(source, environment.dialect)
    return tree if isinstance(tree, Rejection) else check(tree, environment, variables)


def check(
    tree: Ast, environment: Environment, variables: Mapping[str, Type], versions: Switches | None = None
) -> CheckedAst | Rejection:
    """Check a tree, and return its types or all errors; `versions` records what the result depends on."""
    versions = versions or Switches(environment.minor)
    checker = _Checker(environment, variables, versions)
    checker.check(tree.root)
    if checker.issues:
        return _make_rejection(tree, checker.issues, versions)
    settled = checker.unifier.substitute
    types = {node: settled(kind, dynamic=True) for node, kind in checker.types.items()}
    issues = validate(tree, types, environment, versions) if MIXED_LITERALS in versions else []
    return _make_rejection(tree, issues, versions) if issues else CheckedAst(tree, types, checker.references)


def _make_rejection(tree: Ast, issues: Sequence[Issue], versions: Switches) -> Rejection:
    if TYPED_OPERATORS not in versions:
        for name, replacement in _OLD_NAMES.items():
            issues = [issue.replace(message=issue.message.replace(name, replacement)) for issue in issues]
    if OPTIONAL_TYPE not in versions:
        issues = [issue.replace(message=issue.message.replace("optional_type(", "optional(")) for issue in issues]
    if LINE_STARTS not in versions:
        issues = [issue.replace(line_before=True) for issue in issues]
    return Rejection(tree.source, tuple(issues))


class _Checker:
    """The checker with one method per kind of node. With `strict`, numbers of different types do not compare."""

    def __init__(self, environment: Environment, variables: Mapping[str, Type], versions: Switches) -> None:
        self.environment, self.versions = environment, versions
        self.names = ScopeStack(environment, variables, versions)
        self.unifier = Unifier(lambda: TYPED_OPERATORS in versions)
        self.types: dict[int, Type] = {}
        self.references: dict[int, Reference] = {}
        self.issues: list[Issue] = []
        self.strict = not environment.mixed
        self.checks: dict[type[Expr], Callable[[Any], Type]] = {
            Literal: self._check_literal, Ident: self._check_ident, Select: self._check_select,
            Call: self._check_call, ListExpr: self._check_create_list,
            MapExpr: self._check_create_map, StructExpr: self._check_create_struct,
            Comprehension: self._check_comprehension,
        }  # fmt: skip

    def check(self, node: Expr) -> Type:
        kind = self.checks[type(node)](node)
        previous = self.types.setdefault(node.id, kind)
        if previous is not kind and previous != kind:  # the same node occurs twice in the tree
            types = f"old:{format_for_author(previous)}, new:{format_for_author(kind)}"
            types = types.replace("<", "").replace(">", "")
            message = SAME_IDS if TYPED_OPERATORS in self.versions else OLD_SAME_IDS
            self._report(f"{message}: ({node.id}) {types}", node.at)
        return previous

    def _report(self, message: str, at: int, fields: tuple[str, ...] = ()) -> Type:
        self.issues.append(Issue(message, at, fields=fields))
        return ERROR

    def _report_undeclared(self, name: str, at: int) -> Type:
        return self._report(f"undeclared reference to '{name}' (in container '')", at)

    def _report_unknown(self, name: str, at: int) -> Type:
        """Report an undeclared method or message and return its type; older servers assign none."""
        kind = self._report_undeclared(name, at)
        return kind if TYPED_OPERATORS in self.versions else make_untyped()

    def _format_type(self, kind: Type) -> str:
        """Return the name of a type without fields as it appears in error messages."""
        if TYPED_OPERATORS in self.versions:
            return format_type(kind)
        from .proto_type_format import format_proto_type  # noqa: PLC0415 - rarely needed

        return format_proto_type(kind)

    def _report_mismatch(self, expected: Type, actual: Type, at: int) -> Type:
        return self._report(f"expected type '{format_type(expected)}' but found '{format_type(actual)}'", at)

    # names

    def _check_literal(self, node: Literal) -> Type:
        return _LITERALS[type(node.value)]

    def _check_ident(self, node: Ident) -> Type:
        return self._set_reference(node, self.names.resolve_ident(node.name)) or self._report_undeclared(
            node.name, node.at
        )

    def _set_reference(self, node: Expr, resolved: ResolvedName) -> Type | None:
        if resolved is None:
            return None
        kind, name = resolved
        self.references[node.id] = Reference(name)
        return kind

    def _check_select(self, node: Select) -> Type:
        named = self._set_reference(node, self.names.resolve_qualified(node))
        if named is not None:
            return named
        kind = self._check_field(node, node.operand, node.field, wrap=False)
        return BOOL if node.test_only else self.unifier.substitute(kind)

    def _check_field(self, node: Expr, operand: Expr, field: str, *, wrap: bool) -> Type:
        """Return the type of a field; it is optional if the operand is optional or with `wrap`."""
        target, is_optional = unwrap_optional(self.unifier.substitute(self.check(operand)))
        kind = DYN
        if target.kind == MAP:
            kind = target.params[1]
        elif target.kind == OBJECT:
            kind = self._lookup_field_type(target, field, node.at)
        elif target.kind == PARAMETER:
            self.unifier.is_assignable(DYN, target)
        elif target.kind not in _FORGIVEN:
            self._report(f"type '{self._format_type(target)}' does not support field selection", node.at)
            kind = DYN if SUBSTITUTED_TYPES in self.versions else ERROR
        return make_optional_type(kind) if is_optional or wrap else kind

    def _lookup_field_type(self, target: Type, field: str, at: int) -> Type:
        if target.fields is None:
            internal = "" if TYPED_OPERATORS in self.versions else "[internal] "
            return self._report(f"{internal}unexpected failed resolution of '{target.name}'", at)
        kind = target.get_field(field, keywords=self.environment.keywords)
        return kind or self._report(f"undefined field '{field}'", at, tuple(sorted(target.fields.fields)))

    # calls

    def _check_call(self, node: Call) -> Type:
        if node.function == "_?._":
            return self._check_optional_select(node)
        args = [self.check(arg) for arg in node.args]
        functions = self.environment.functions
        if node.target is None:
            name = node.function.removeprefix(".")
            if name not in functions:
                return self._report_undeclared(node.function, node.at)
            return self._resolve_overload(node, name, functions[name].plain, args)
        prefix = get_qualified_name(node.target)
        if prefix is not None:
            name = f"{prefix}.{node.function}".removeprefix(".")
            if name in functions:
                return self._resolve_overload(node, name, functions[name].plain, args)
        target = self.check(node.target)
        if node.function not in functions:
            return self._report_unknown(node.function, node.at)
        return self._resolve_overload(
            node, node.function, functions[node.function].methods, [target, *args], method=True
        )

    def _check_optional_select(self, node: Call) -> Type:
        operand, field = node.args
        kind = self._check_field(node, operand, str(field.value) if isinstance(field, Literal) else "", wrap=True)
        chosen = [row for row in self.environment.functions["_?._"].plain if row.id == "select_optional_field"]
        self.references[node.id] = Reference("_?._", tuple(chosen))
        return self.unifier.substitute(kind)

    def _resolve_overload(
        self, node: Call, name: str, overloads: Sequence[Overload], args: list[Type], *, method: bool = False
    ) -> Type:
        """Return the result type of the overloads that match; dyn if they differ."""
        if name in ("_&&_", "_||_") and TYPED_OPERATORS in self.versions:
            return self._check_logical(node, overloads, args)
        matching, result = [], None
        for overload in overloads:
            if overload.mixed and self.strict:
                continue
            if len(overload.args) != len(args) and not overload.open:  # open ones still use up names of type variables
                continue
            params, returned = self._instantiate(overload) if overload.open else (overload.args, overload.result)
            if self.unifier.is_all_assignable(args, params):
                returned = self.unifier.substitute(returned)
                matching.append(overload)
                if result is None or not result.kind:
                    result = returned
                elif not is_dyn(result) and returned != result:
                    result = DYN
        if result is None or not result.kind:
            if SUBSTITUTED_TYPES in self.versions:
                args = [self.unifier.substitute(arg, dynamic=True) for arg in args]
            texts = [format_type(arg) for arg in args]
            target = f"{texts.pop(0)}." if method else ""
            signature = f"{target}({', '.join(texts)})"
            return self._report(f"found no matching overload for '{name}' applied to '{signature}'", node.at)
        self.references[node.id] = Reference(name, tuple(matching))
        return result

    def _instantiate(self, overload: Overload) -> tuple[Sequence[Type], Type]:
        """Return the argument types and the result type of an overload with fresh type variables."""
        instance = TypeInstance(self.unifier)
        return [instance.instantiate(arg) for arg in overload.args], instance.instantiate(overload.result)

    def _check_logical(self, node: Call, overloads: Sequence[Overload], args: list[Type]) -> Type:
        wrong = False
        for arg, kind in zip(node.args, args, strict=True):
            if not self.unifier.is_assignable(kind, BOOL):
                self._report_mismatch(BOOL, kind, arg.at)
                wrong = True
        self.references[node.id] = Reference(node.function, tuple(overloads))
        return ERROR if wrong else BOOL

    # literals of lists, maps and messages

    def _check_create_list(self, node: ListExpr) -> Type:
        items: Type | None = None
        for index, element in enumerate(node.elements):
            items = self._join_types(element, items, self._check_element(element, is_optional=index in node.optionals))
        return make_list_type(self.unifier.new_variable() if items is None or not items.kind else items)

    def _check_element(self, node: Expr, *, is_optional: bool) -> Type:
        """Return the type of an element; one with a question mark must be optional and has the type of its value."""
        kind = self.check(node)
        if is_optional:
            kind, unwrapped = unwrap_optional(kind)
            if not unwrapped and not is_dyn(kind):
                self._report_mismatch(make_optional_type(kind), kind, node.at)
        return kind

    def _join_types(self, node: Expr, before: Type | None, kind: Type) -> Type:
        if before is None or not before.kind:
            return kind
        if self.unifier.is_assignable(before, kind):
            return get_most_general(before, kind)
        if MIXED_LITERALS in self.versions:
            return DYN
        return self._report_mismatch(before, kind, node.at)

    def _check_create_map(self, node: MapExpr) -> Type:
        keys: Type | None = None
        values: Type | None = None
        for entry in node.entries:
            keys = self._join_types(entry.key, keys, self.check(entry.key))
            values = self._join_types(entry.value, values, self._check_element(entry.value, is_optional=entry.optional))
        if keys is None or not keys.kind or values is None:
            return make_map_type(self.unifier.new_variable(), self.unifier.new_variable())
        return make_map_type(keys, values)

    def _check_create_struct(self, node: StructExpr) -> Type:
        resolved = self.names.resolve_message(node.name)
        if resolved is None:
            return self._report_unknown(node.name, node.at)
        self.references[node.id] = Reference(resolved[1])
        from .message_literals import resolve_literal  # noqa: PLC0415 - message literals are rare

        literal = resolve_literal(*resolved, self.versions)
        if literal.issue:
            self._report(literal.issue, node.at)
        for field in node.fields:
            kind = self._check_element(field.value, is_optional=field.optional)
            self._check_struct_field(field, literal.get_field(field.name), kind)
        return literal.type

    def _check_struct_field(self, field: StructField, expected: Type | str, kind: Type) -> None:
        if isinstance(expected, str):
            self._report(expected, field.at)
        elif not self.unifier.is_assignable(expected, kind):
            types = f"is '{format_type(expected)}' but provided type is '{format_type(kind)}'"
            self._report(f"expected type of field '{field.name}' {types}", field.at)

    # comprehensions

    def _check_comprehension(self, node: Comprehension) -> Type:
        items = self.check(node.iter_range)
        start = self.check(node.accu_init)
        variables = self._declare_variables(node, self.unifier.substitute(items))
        self.strict = False  # in cel-go, a new scope drops the set of disabled overloads
        self.names.scopes.append({node.accu_var: start})
        self.names.scopes.append(variables)
        self._assert_type(BOOL, node.condition)
        self._assert_type(start, node.step)
        self.names.scopes.pop()
        result = self.check(node.result)
        self.names.scopes.pop()
        return self.unifier.substitute(result)

    def _assert_type(self, expected: Type, node: Expr) -> None:
        kind = self.check(node)
        if not self.unifier.is_assignable(expected, kind):
            self._report_mismatch(expected, kind, node.at)

    def _has_old_null_semantics(self) -> bool:
        return UNTYPED_SECOND_VARIABLE in self.versions

    def _declare_variables(self, node: Comprehension, items: Type) -> dict[str, Type]:
        """Return the types of the variables: items, keys, index and item, or key and value."""
        first = second = DYN
        if items.kind == LIST:
            first = second = items.params[0]
            if node.iter_var2:
                first = INT
        elif items.kind == MAP:
            first, second = items.params
        elif items.kind == PARAMETER or (items.kind in _FORGIVEN and items != ANY):
            self.unifier.is_assignable(DYN, items)
            second = UNSET if self._has_old_null_semantics() else DYN
        else:
            message = f"expression of type '{format_type(items)}' cannot be range of a comprehension"
            first = second = self._report(f"{message} (must be list, map, or dynamic)", node.iter_range.at)
            second = UNSET if self._has_old_null_semantics() else second
        return {node.iter_var: first, node.iter_var2: second} if node.iter_var2 else {node.iter_var: first}
