"""The macros of CEL and of cel-go's libraries. Expansions equal cel-go's node by node, since costs depend on them.

There is one table per library, so that environments can select libraries.
Source: cel-go v0.29 `parser/macro.go`, `cel/library.go`, `ext/comprehensions.go`, `ext/lists.go`, `ext/bindings.go`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from .ast import Call, Comprehension, Expr, Ident, ListExpr, Select
from .issues import Issue
from .macro_expansion import Expander, ExprFactory, Macro

ACCUMULATOR = "@result"
UNUSED = "#unused"
OLD_ACCUMULATOR = "__result__"
_SORTED = "@__sortBy_input__"
_SORTABLE = (ListExpr, Select, Ident, Comprehension, Call)

Operands = Sequence[Expr]
Names = tuple[str, str, str]  # first and second variable, accumulator
ComprehensionBuilder = Callable[[ExprFactory, Expr, Names, Operands], Expr]


def _read_names(factory: ExprFactory, variables: Operands, otherwise: str) -> Names | Issue:
    """Return the names of a comprehension over one or two variables, or an issue with the message `otherwise`."""
    accumulator = ACCUMULATOR if factory.hidden else OLD_ACCUMULATOR
    names = []
    for variable in variables:
        if not isinstance(variable, Ident):
            return Issue(otherwise, variable.at)
        names.append(variable.name)
    if len(names) == 2 and names[0] == names[1]:
        return Issue(f"duplicate variable name: {names[1]}", variables[1].at)
    for variable, name in zip(variables, names, strict=True):
        if name in (ACCUMULATOR, OLD_ACCUMULATOR) and (factory.hidden or len(names) == 2):
            return Issue("iteration variable overwrites accumulator variable", variable.at)
    first, second = [*names, ""][:2]
    return first, second, accumulator


def _make_expander(
    build: ComprehensionBuilder, variables: int, otherwise: str = "argument must be a simple name"
) -> Expander:
    """Return the expander of a method whose first arguments are variables."""

    def expand(factory: ExprFactory, operands: Operands) -> Expr | Issue:
        items, *args = operands
        names = _read_names(factory, args[:variables], otherwise)
        return names if isinstance(names, Issue) else build(factory, items, names, args[variables:])

    return expand


def _make_result(factory: ExprFactory) -> Ident:
    return factory.new_ident(ACCUMULATOR if factory.hidden else OLD_ACCUMULATOR)


def _expand_all(factory: ExprFactory, items: Expr, names: Names, args: Operands) -> Expr:
    start = factory.new_literal(value=True)
    condition = factory.new_call("@not_strictly_false", _make_result(factory))
    step = factory.new_call("_&&_", _make_result(factory), *args)
    return factory.new_comprehension(items, names, start, condition, step, _make_result(factory))


def _expand_exists(factory: ExprFactory, items: Expr, names: Names, args: Operands) -> Expr:
    start = factory.new_literal(value=False)
    condition = factory.new_call("@not_strictly_false", factory.new_call("!_", _make_result(factory)))
    step = factory.new_call("_||_", _make_result(factory), *args)
    return factory.new_comprehension(items, names, start, condition, step, _make_result(factory))


def _expand_exists_one(factory: ExprFactory, items: Expr, names: Names, args: Operands) -> Expr:
    start = factory.new_literal(0)
    condition = factory.new_literal(value=True)
    more = factory.new_call("_+_", _make_result(factory), factory.new_literal(1))
    step = factory.new_call("_?_:_", *args, more, _make_result(factory))
    result = factory.new_call("_==_", _make_result(factory), factory.new_literal(1))
    return factory.new_comprehension(items, names, start, condition, step, result)


def _make_conditional(factory: ExprFactory, predicates: Operands, step: Expr) -> Expr:
    """Return the step, guarded by the predicate if there is one."""
    return factory.new_call("_?_:_", *predicates, step, _make_result(factory)) if predicates else step


def _make_append(factory: ExprFactory, item: Expr) -> Expr:
    return factory.new_call("_+_", _make_result(factory), factory.new_list(item))


def _expand_map(factory: ExprFactory, items: Expr, names: Names, args: Operands) -> Expr:
    start = factory.new_list()
    condition = factory.new_literal(value=True)
    step = _make_conditional(factory, args[:-1], _make_append(factory, args[-1]))
    return factory.new_comprehension(items, names, start, condition, step, _make_result(factory))


_MAP = _make_expander(_expand_map, 1, "argument is not an identifier")


def _expand_filter(factory: ExprFactory, operands: Operands) -> Expr | Issue | None:
    """Expand `filter` as a `map` whose result is its variable."""
    items, variable, predicate = operands
    return _MAP(factory, (items, variable, predicate, variable))


def _expand_transform_list(factory: ExprFactory, items: Expr, names: Names, args: Operands) -> Expr:
    step = _make_conditional(factory, args[:-1], _make_append(factory, args[-1]))
    start, condition = factory.new_list(), factory.new_literal(value=True)
    return factory.new_comprehension(items, names, start, condition, step, _make_result(factory))


def _expand_transform_map(factory: ExprFactory, items: Expr, names: Names, args: Operands) -> Expr:
    step = factory.new_call("cel.@mapInsert", _make_result(factory), factory.new_ident(names[0]), args[-1])
    return _make_map_comprehension(factory, items, names, _make_conditional(factory, args[:-1], step))


def _expand_transform_map_entry(factory: ExprFactory, items: Expr, names: Names, args: Operands) -> Expr:
    step = factory.new_call("cel.@mapInsert", _make_result(factory), args[-1])
    return _make_map_comprehension(factory, items, names, _make_conditional(factory, args[:-1], step))


def _make_map_comprehension(factory: ExprFactory, items: Expr, names: Names, step: Expr) -> Expr:
    start, condition = factory.new_map(), factory.new_literal(value=True)
    return factory.new_comprehension(items, names, start, condition, step, _make_result(factory))


def _make_binding(factory: ExprFactory, name: str, value: Callable[[], Expr], body: Expr) -> Expr:
    """Bind a name to a value in the body, as a comprehension over an empty list."""
    start = factory.new_list()
    named, condition = value(), factory.new_literal(value=False)
    return factory.new_comprehension(start, (UNUSED, "", name), named, condition, factory.new_ident(name), body)


def _expand_bind(factory: ExprFactory, operands: Operands) -> Expr | Issue | None:
    namespace, variable, value, body = operands
    if not (isinstance(namespace, Ident) and namespace.name == "cel"):
        return None
    if not isinstance(variable, Ident):
        return Issue("cel.bind() variable names must be simple identifiers", variable.at)
    return _make_binding(factory, variable.name, lambda: value, body)


def _expand_has(factory: ExprFactory, operands: Operands) -> Expr | Issue:
    (field,) = operands
    if not isinstance(field, Select):
        return Issue("invalid argument to has() macro", field.at)
    return factory.new_presence_test(field.operand, field.field)


def _expand_opt_map(factory: ExprFactory, operands: Operands) -> Expr | Issue:
    return _make_optional_conditional(factory, operands, "optMap", lambda value: factory.new_call("optional.of", value))


def _expand_opt_flat_map(factory: ExprFactory, operands: Operands) -> Expr | Issue:
    return _make_optional_conditional(factory, operands, "optFlatMap", lambda value: value)


def _make_optional_conditional(
    factory: ExprFactory, operands: Operands, name: str, wrap: Callable[[Expr], Expr]
) -> Expr | Issue:
    target, variable, body = operands
    if not isinstance(variable, Ident):
        return Issue(f"{name}() variable name must be a simple identifier", variable.at)
    condition = factory.new_member_call("hasValue", target)

    def get_value() -> Expr:
        return factory.new_member_call("value", factory.repeat(target))

    then = wrap(_make_binding(factory, variable.name, get_value, body))
    return factory.new_call("_?_:_", condition, then, factory.new_call("optional.none"))


def _expand_sort_by(factory: ExprFactory, operands: Operands) -> Expr | Issue | None:
    target, *args = operands
    name = factory.new_ident(_SORTED)
    if not isinstance(target, _SORTABLE):
        kinds = "a list, identifier, comprehension, call or select expression"
        return Issue(f"sortBy can only be applied to {kinds}", target.at)
    keys = _MAP(factory, (factory.copy(name), *args))
    if not isinstance(keys, Expr):
        return keys
    body = factory.new_member_call("@sortByAssociatedKeys", factory.copy(name), keys)
    start, condition = factory.new_list(), factory.new_literal(value=False)
    return factory.new_comprehension(start, (UNUSED, "", _SORTED), target, condition, name, body)


def _make_method_macro(name: str, arity: int, expand: Expander, *, vague: bool = False) -> Macro:
    return Macro(name, method=True, arity=arity, expand=expand, vague=vague)


STANDARD = (
    Macro("has", method=False, arity=1, expand=_expand_has, vague=True),
    _make_method_macro("all", 2, _make_expander(_expand_all, 1)),
    _make_method_macro("exists", 2, _make_expander(_expand_exists, 1)),
    _make_method_macro("exists_one", 2, _make_expander(_expand_exists_one, 1)),
    _make_method_macro("map", 2, _MAP, vague=True),
    _make_method_macro("map", 3, _MAP, vague=True),
    _make_method_macro("filter", 2, _expand_filter, vague=True),
)
OPTIONALS = (
    _make_method_macro("optMap", 2, _expand_opt_map),
    _make_method_macro("optFlatMap", 2, _expand_opt_flat_map),
)
TWO_VARIABLES = (
    _make_method_macro("all", 3, _make_expander(_expand_all, 2)),
    _make_method_macro("exists", 3, _make_expander(_expand_exists, 2)),
    _make_method_macro("existsOne", 3, _make_expander(_expand_exists_one, 2)),
    _make_method_macro("exists_one", 3, _make_expander(_expand_exists_one, 2)),
    _make_method_macro("transformList", 3, _make_expander(_expand_transform_list, 2)),
    _make_method_macro("transformList", 4, _make_expander(_expand_transform_list, 2)),
    _make_method_macro("transformMap", 3, _make_expander(_expand_transform_map, 2)),
    _make_method_macro("transformMap", 4, _make_expander(_expand_transform_map, 2)),
    _make_method_macro("transformMapEntry", 3, _make_expander(_expand_transform_map_entry, 2)),
    _make_method_macro("transformMapEntry", 4, _make_expander(_expand_transform_map_entry, 2)),
)
LISTS = (_make_method_macro("sortBy", 2, _expand_sort_by),)
BINDINGS = (_make_method_macro("bind", 3, _expand_bind),)
