"""The macros of CEL and of cel-go's libraries, expanded as cel-go does it, node by node: cost is counted on expansions.

One table for each library, so that an environment can say which it has. Knows no environment.
Source: cel-go v0.29 `parser/macro.go`, `cel/library.go`, `ext/comprehensions.go`, `ext/lists.go`, `ext/bindings.go`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from .ast import Call, Comprehension, Expr, Ident, ListExpr, Select
from .expansion import Expander, Macro, Workshop
from .issues import Issue

ACCUMULATOR = "@result"
UNUSED = "#unused"
OLD_ACCUMULATOR = "__result__"
_SORTED = "@__sortBy_input__"
_SORTABLE = (ListExpr, Select, Ident, Comprehension, Call)

Operands = Sequence[Expr]
Names = tuple[str, str, str]  # first and second variable, accumulator
Recipe = Callable[[Workshop, Expr, Names, Operands], Expr]


def _names(workshop: Workshop, variables: Operands, otherwise: str) -> Names | Issue:
    """The names of a comprehension over one or two variables. `otherwise` is said of what is no name."""
    accumulator = ACCUMULATOR if workshop.hidden else OLD_ACCUMULATOR
    found = []
    for variable in variables:
        if not isinstance(variable, Ident):
            return Issue(otherwise, variable.at)
        found.append(variable.name)
    if len(found) == 2 and found[0] == found[1]:
        return Issue(f"duplicate variable name: {found[1]}", variables[1].at)
    for variable, name in zip(variables, found, strict=True):
        if name in (ACCUMULATOR, OLD_ACCUMULATOR) and (workshop.hidden or len(found) == 2):
            return Issue("iteration variable overwrites accumulator variable", variable.at)
    first, second = [*found, ""][:2]
    return first, second, accumulator


def _over(recipe: Recipe, variables: int, otherwise: str = "argument must be a simple name") -> Expander:
    """The expander of a method whose first arguments are variables."""

    def expand(workshop: Workshop, operands: Operands) -> Expr | Issue:
        items, *args = operands
        names = _names(workshop, args[:variables], otherwise)
        return names if isinstance(names, Issue) else recipe(workshop, items, names, args[variables:])

    return expand


def _result(workshop: Workshop) -> Ident:
    return workshop.ident(ACCUMULATOR if workshop.hidden else OLD_ACCUMULATOR)


def _all(workshop: Workshop, items: Expr, names: Names, args: Operands) -> Expr:
    start = workshop.literal(value=True)
    condition = workshop.call("@not_strictly_false", _result(workshop))
    step = workshop.call("_&&_", _result(workshop), *args)
    return workshop.fold(items, names, start, condition, step, _result(workshop))


def _exists(workshop: Workshop, items: Expr, names: Names, args: Operands) -> Expr:
    start = workshop.literal(value=False)
    condition = workshop.call("@not_strictly_false", workshop.call("!_", _result(workshop)))
    step = workshop.call("_||_", _result(workshop), *args)
    return workshop.fold(items, names, start, condition, step, _result(workshop))


def _exists_one(workshop: Workshop, items: Expr, names: Names, args: Operands) -> Expr:
    start = workshop.literal(0)
    condition = workshop.literal(value=True)
    more = workshop.call("_+_", _result(workshop), workshop.literal(1))
    step = workshop.call("_?_:_", *args, more, _result(workshop))
    result = workshop.call("_==_", _result(workshop), workshop.literal(1))
    return workshop.fold(items, names, start, condition, step, result)


def _if(workshop: Workshop, predicates: Operands, step: Expr) -> Expr:
    """The step, taken only where the predicate holds if there is one."""
    return workshop.call("_?_:_", *predicates, step, _result(workshop)) if predicates else step


def _append(workshop: Workshop, item: Expr) -> Expr:
    return workshop.call("_+_", _result(workshop), workshop.list(item))


def _map(workshop: Workshop, items: Expr, names: Names, args: Operands) -> Expr:
    start = workshop.list()
    condition = workshop.literal(value=True)
    step = _if(workshop, args[:-1], _append(workshop, args[-1]))
    return workshop.fold(items, names, start, condition, step, _result(workshop))


_MAP = _over(_map, 1, "argument is not an identifier")


def _filter(workshop: Workshop, operands: Operands) -> Expr | Issue | None:
    """A map that keeps its variable."""
    items, variable, predicate = operands
    return _MAP(workshop, (items, variable, predicate, variable))


def _transform_list(workshop: Workshop, items: Expr, names: Names, args: Operands) -> Expr:
    step = _if(workshop, args[:-1], _append(workshop, args[-1]))
    start, condition = workshop.list(), workshop.literal(value=True)
    return workshop.fold(items, names, start, condition, step, _result(workshop))


def _transform_map(workshop: Workshop, items: Expr, names: Names, args: Operands) -> Expr:
    step = workshop.call("cel.@mapInsert", _result(workshop), workshop.ident(names[0]), args[-1])
    return _into_map(workshop, items, names, _if(workshop, args[:-1], step))


def _transform_map_entry(workshop: Workshop, items: Expr, names: Names, args: Operands) -> Expr:
    step = workshop.call("cel.@mapInsert", _result(workshop), args[-1])
    return _into_map(workshop, items, names, _if(workshop, args[:-1], step))


def _into_map(workshop: Workshop, items: Expr, names: Names, step: Expr) -> Expr:
    start, condition = workshop.map(), workshop.literal(value=True)
    return workshop.fold(items, names, start, condition, step, _result(workshop))


def _let(workshop: Workshop, name: str, value: Callable[[], Expr], body: Expr) -> Expr:
    """The body with a name for a value, as a fold over nothing."""
    start = workshop.list()
    named, condition = value(), workshop.literal(value=False)
    return workshop.fold(start, (UNUSED, "", name), named, condition, workshop.ident(name), body)


def _bind(workshop: Workshop, operands: Operands) -> Expr | Issue | None:
    namespace, variable, value, body = operands
    if not (isinstance(namespace, Ident) and namespace.name == "cel"):
        return None
    if not isinstance(variable, Ident):
        return Issue("cel.bind() variable names must be simple identifiers", variable.at)
    return _let(workshop, variable.name, lambda: value, body)


def _has(workshop: Workshop, operands: Operands) -> Expr | Issue:
    (field,) = operands
    if not isinstance(field, Select):
        return Issue("invalid argument to has() macro", field.at)
    return workshop.present(field.operand, field.field)


def _opt_map(workshop: Workshop, operands: Operands) -> Expr | Issue:
    return _if_value(workshop, operands, "optMap", lambda value: workshop.call("optional.of", value))


def _opt_flat_map(workshop: Workshop, operands: Operands) -> Expr | Issue:
    return _if_value(workshop, operands, "optFlatMap", lambda value: value)


def _if_value(workshop: Workshop, operands: Operands, name: str, wrap: Callable[[Expr], Expr]) -> Expr | Issue:
    target, variable, body = operands
    if not isinstance(variable, Ident):
        return Issue(f"{name}() variable name must be a simple identifier", variable.at)
    condition = workshop.method("hasValue", target)

    def held() -> Expr:
        return workshop.method("value", target if workshop.shared else workshop.copy(target))

    then = wrap(_let(workshop, variable.name, held, body))
    return workshop.call("_?_:_", condition, then, workshop.call("optional.none"))


def _sort_by(workshop: Workshop, operands: Operands) -> Expr | Issue | None:
    target, *args = operands
    name = workshop.ident(_SORTED)
    if not isinstance(target, _SORTABLE):
        kinds = "a list, identifier, comprehension, call or select expression"
        return Issue(f"sortBy can only be applied to {kinds}", target.at)
    keys = _MAP(workshop, (workshop.copy(name), *args))
    if not isinstance(keys, Expr):
        return keys
    body = workshop.method("@sortByAssociatedKeys", workshop.copy(name), keys)
    start, condition = workshop.list(), workshop.literal(value=False)
    return workshop.fold(start, (UNUSED, "", _SORTED), target, condition, name, body)


def _method(name: str, arity: int, expand: Expander, *, vague: bool = False) -> Macro:
    return Macro(name, method=True, arity=arity, expand=expand, vague=vague)


STANDARD = (
    Macro("has", method=False, arity=1, expand=_has, vague=True),
    _method("all", 2, _over(_all, 1)),
    _method("exists", 2, _over(_exists, 1)),
    _method("exists_one", 2, _over(_exists_one, 1)),
    _method("map", 2, _MAP, vague=True),
    _method("map", 3, _MAP, vague=True),
    _method("filter", 2, _filter, vague=True),
)
OPTIONALS = (_method("optMap", 2, _opt_map), _method("optFlatMap", 2, _opt_flat_map))
TWO_VARIABLES = (
    _method("all", 3, _over(_all, 2)),
    _method("exists", 3, _over(_exists, 2)),
    _method("existsOne", 3, _over(_exists_one, 2)),
    _method("exists_one", 3, _over(_exists_one, 2)),
    _method("transformList", 3, _over(_transform_list, 2)),
    _method("transformList", 4, _over(_transform_list, 2)),
    _method("transformMap", 3, _over(_transform_map, 2)),
    _method("transformMap", 4, _over(_transform_map, 2)),
    _method("transformMapEntry", 3, _over(_transform_map_entry, 2)),
    _method("transformMapEntry", 4, _over(_transform_map_entry, 2)),
)
LISTS = (_method("sortBy", 2, _sort_by),)
BINDINGS = (_method("bind", 3, _bind),)
