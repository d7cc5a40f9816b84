"""Changes that make CEL functions and macros true or false: a table with one entry each.

Other functions yield no changes.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any

from protoc_gen_crd.cel.parser.ast import Call, Expr, Ident, Literal, Select
from protoc_gen_crd.samples.expression_solver import (
    PARSED,
    expand_list,
    generate_addresses,
    is_stepped,
    solve_comparison,
    step_value,
)
from protoc_gen_crd.samples.path_changes import NOTHING, PathChange, ValuePath, get_at
from protoc_gen_crd.schema.schema import Json

if TYPE_CHECKING:
    from protoc_gen_crd.samples.rule_solver import RuleSolver

ChangePlan = tuple[PathChange, ...]
Scope = Mapping[str, ValuePath]  # variable names to the paths of their values
HintFunction = Callable[["RuleSolver", Call, bool, Scope], Iterator[ChangePlan]]
MAX_PLANS = 40  # plans of one operand that are combined with those of others
MAX_LENGTH = 1000
_MAX_LIKELY_VALUES = 3  # likely values of a node that are tried
_MAX_INDIVIDUAL_ITEMS = 20  # items of a list that are changed individually

_MIRRORED = {"_<_": "_>_", "_<=_": "_>=_", "_>_": "_<_", "_>=_": "_<=_"}
_OPPOSITE = {"_<_": "_>=_", "_<=_": "_>_", "_>_": "_<=_", "_>=_": "_<_", "_==_": "_!=_", "_!=_": "_==_"}
_SHIFTS = {"_<_": (-1,), "_<=_": (0, -1), "_>_": (1,), "_>=_": (0, 1), "_==_": (0,), "_!=_": (1, -1)}
_COMPARISONS: Mapping[str, Callable[[Any, Any], bool]] = {
    "_<_": operator.lt,
    "_<=_": operator.le,
    "_>_": operator.gt,
    "_>=_": operator.ge,
    "_==_": operator.eq,
    "_!=_": operator.ne,
}
_AFFIXES: Mapping[str, Callable[[str, str], str]] = {
    "startsWith": lambda text, part: part + text,
    "endsWith": lambda text, part: text.partition(part[:1] or "\0")[0] + part,
    "contains": lambda text, part: part if not text else f"{text}{part}",
}

_OVERLAYS: Mapping[str, Callable[[str, str], str]] = {  # replacing the existing characters
    "startsWith": lambda text, part: part + text[len(part) :],
    "endsWith": lambda text, part: text[: max(len(text) - len(part), 0)] + part,
}


def _plan_and(planner: RuleSolver, call: Call, expected: bool, scope: Scope) -> Iterator[ChangePlan]:
    if expected:
        yield from planner.plan_all([(arg, True) for arg in call.args], scope)
    else:
        for arg in call.args:
            yield from planner.plan_result(arg, False, scope)


def _plan_or(planner: RuleSolver, call: Call, expected: bool, scope: Scope) -> Iterator[ChangePlan]:
    if expected:
        for arg in call.args:
            yield from planner.plan_result(arg, True, scope)
    else:
        yield from planner.plan_all([(arg, False) for arg in call.args], scope)


def _plan_not(planner: RuleSolver, call: Call, expected: bool, scope: Scope) -> Iterator[ChangePlan]:
    yield from planner.plan_result(call.args[0], not expected, scope)


def _plan_conditional(planner: RuleSolver, call: Call, expected: bool, scope: Scope) -> Iterator[ChangePlan]:
    condition, then, otherwise = call.args
    yield from planner.plan_all([(condition, True), (then, expected)], scope)
    yield from planner.plan_all([(condition, False), (otherwise, expected)], scope)


def _plan_comparison(planner: RuleSolver, call: Call, expected: bool, scope: Scope) -> Iterator[ChangePlan]:
    first, second = call.args
    function = call.function if expected else _OPPOSITE[call.function]
    if _is_related(function, planner.evaluate_constant(first, scope), planner.evaluate_constant(second, scope)):
        yield ()
    if function == "_==_" and isinstance(second, Literal) and isinstance(second.value, bool):
        yield from planner.plan_result(first, second.value, scope)
    if function == "_!=_":
        yield from _plan_likely_values(planner, first, scope, planner.evaluate_constant(second, scope))
    for left, right, relation in ((first, second, function), (second, first, _MIRRORED.get(function, function))):
        value = planner.evaluate_constant(right, scope)
        for shifted in _shift_value(value, _SHIFTS[relation]):
            yield from planner.plan_value(left, shifted, scope)


def _plan_likely_values(planner: RuleSolver, expr: Expr, scope: Scope, but: Any) -> Iterator[ChangePlan]:
    """Plan likely values for the path of an expression, literals of rules first; `but` lists excluded values."""
    path = planner.find_path(expr, scope)
    if path is None:
        return
    literals = planner.literals.get(expr.field, ()) if isinstance(expr, Select) else ()
    excluded = but if isinstance(but, list) else [but]
    candidates = (value for value in (*literals, *planner.fill(path)) if value not in excluded)
    yield from ((PathChange(path, value),) for value in islice(candidates, _MAX_LIKELY_VALUES))


def _is_related(function: str, first: Any, second: Any) -> bool:
    """Check whether a comparison of two known values is true."""
    numbers = all(isinstance(value, int | float) for value in (first, second))
    return (
        NOTHING not in (first, second)
        and (numbers or type(first) is type(second) is str)
        and _COMPARISONS[function](first, second)
    )


def _shift_value(value: Any, shifts: Iterable[int]) -> Iterator[Any]:
    for shift in shifts:
        if isinstance(value, bool):
            yield value if not shift else not value
        elif isinstance(value, int | float):
            yield value + shift
        elif isinstance(value, str) and shift:
            yield step_value(value, shift)
            yield f"{value}-{abs(shift)}"
        elif not shift:
            yield value


def _plan_in(planner: RuleSolver, call: Call, expected: bool, scope: Scope) -> Iterator[ChangePlan]:
    yield from (_plan_membership if expected else _plan_non_membership)(
        planner, call, _get_choices(planner, call, scope), scope
    )


def _get_choices(planner: RuleSolver, call: Call, scope: Scope) -> Any:
    choices = planner.evaluate_constant(call.args[1], scope)
    terms = expand_list(planner, call.args[1], scope) if choices is NOTHING else None
    return choices if terms is None else [planner.evaluate_constant(*term) for term in terms]


def _plan_membership(planner: RuleSolver, call: Call, choices: Any, scope: Scope) -> Iterator[ChangePlan]:
    member, container = planner.evaluate_constant(call.args[0], scope), planner.find_path(call.args[1], scope)
    if container is None:
        yield from _plan_added_member(planner, call, scope)
    for choice in choices if isinstance(choices, list | dict) else ():
        yield from planner.plan_value(call.args[0], choice, scope)
    if container is None or member is NOTHING:
        return
    if isinstance(choices, list):
        yield (PathChange(container, [*choices, member]),)
    elif isinstance(member, str):
        yield from ((PathChange((*container, member), value),) for value in planner.fill((*container, member)))


def _plan_non_membership(planner: RuleSolver, call: Call, choices: Any, scope: Scope) -> Iterator[ChangePlan]:
    member, container = planner.evaluate_constant(call.args[0], scope), planner.find_path(call.args[1], scope)
    if isinstance(choices, list) and member not in choices:
        yield ()
    if container is None or member is NOTHING:
        yield from _plan_likely_values(planner, call.args[0], scope, choices)
    elif isinstance(choices, list):
        yield (PathChange(container, [choice for choice in choices if choice != member]),)
    elif isinstance(member, str):
        yield (PathChange((*container, member), NOTHING),)


def _plan_added_member(planner: RuleSolver, call: Call, scope: Scope) -> Iterator[ChangePlan]:
    """Plan items added to a list whose `map` yields the values."""
    member, macro = planner.evaluate_constant(call.args[0], scope), planner.ast.calls.get(call.args[1].id)
    path = planner.find_path(macro.target, scope) if macro is not None and macro.target is not None else None
    if macro is None or path is None or member is NOTHING or not isinstance(macro.args[0], Ident):
        return
    for addition, inner in _plan_added_item(planner, path, macro.args[0].name, scope):
        yield from (addition + plan for plan in planner.apply_plan(addition).plan_value(macro.args[-1], member, inner))


def _plan_matches(planner: RuleSolver, call: Call, expected: bool, scope: Scope) -> Iterator[ChangePlan]:
    subject, pattern = (call.target, call.args[0]) if call.target else call.args[:2]
    regex = planner.evaluate_constant(pattern, scope)
    if isinstance(regex, str) and expected:
        from protoc_gen_crd.samples.pattern_strings import find_shortest_match  # noqa: PLC0415 - few rules match patterns

        for least in (1, 0):
            yield from planner.plan_value(subject, _to_value(find_shortest_match([regex], least, MAX_LENGTH)), scope)
    elif not expected:
        yield from planner.plan_value(subject, "", scope)


def _to_value(match: str | None) -> Any:
    return NOTHING if match is None else match


def _plan_affix(planner: RuleSolver, call: Call, expected: bool, scope: Scope) -> Iterator[ChangePlan]:
    if call.target is None:
        return
    string, affix = planner.evaluate_constant(call.target, scope), planner.evaluate_constant(call.args[0], scope)
    if isinstance(affix, str) and expected:
        current = string if isinstance(string, str) else ""
        yield from planner.plan_value(call.target, _AFFIXES[call.function](current, affix), scope)
        if call.function in _OVERLAYS:
            yield from planner.plan_value(call.target, _OVERLAYS[call.function](current, affix), scope)
        yield from planner.plan_value(call.target, affix, scope)
    elif isinstance(affix, str) and isinstance(string, str):
        yield from planner.plan_value(call.target, string.replace(affix, "") or "a", scope)


def _plan_all(planner: RuleSolver, macro: Call, expected: bool, scope: Scope) -> Iterator[ChangePlan]:
    """Plan the same result for all items, or an empty list."""
    yield from _plan_quantifier(planner, macro, scope, every=True, expected=expected)


def _plan_exists(planner: RuleSolver, macro: Call, expected: bool, scope: Scope) -> Iterator[ChangePlan]:
    yield from _plan_quantifier(planner, macro, scope, every=False, expected=expected)


def _plan_quantifier(
    planner: RuleSolver, macro: Call, scope: Scope, *, every: bool, expected: bool
) -> Iterator[ChangePlan]:
    path = planner.find_path(macro.target, scope) if macro.target else None
    if path is None or not isinstance(macro.args[0], Ident):
        return
    items, body = get_at(planner.value, path), macro.args[-1]
    name = macro.args[len(macro.args) - 2]
    if not isinstance(items, list) or not isinstance(name, Ident):
        if every is expected:
            yield (PathChange(path, NOTHING),)
        return
    scopes = [{**scope, name.name: (*path, index)} for index in range(len(items))]
    if every is expected:
        yield from _plan_each_item(planner, body, path, scopes, expected=expected)
        yield (PathChange(path, [vary_value(item, index) for index, item in enumerate(items)]),)
        yield (PathChange(path, items[:1]),)
        yield (PathChange(path, []),)
    else:
        for item_scope in scopes:
            yield from planner.plan_result(body, expected, item_scope)
        for addition, inner in _plan_added_item(planner, path, name.name, scope):
            plans = islice(planner.apply_plan(addition).plan_result(body, expected, inner), MAX_PLANS)
            yield from (addition + plan for plan in plans)


def _plan_added_item(
    planner: RuleSolver, path: ValuePath, name: str, scope: Scope
) -> Iterator[tuple[ChangePlan, Scope]]:
    """Plan an added list item; yield each plan with the scope in which the variable is the new item."""
    items = get_at(planner.value, path)
    size = len(items) if isinstance(items, list) else 0
    for item in islice(planner.fill((*path, size)), _MAX_LIKELY_VALUES):
        yield (PathChange(path, [*(items if size else ()), item]),), {**scope, name: (*path, size)}


def _plan_each_item(
    planner: RuleSolver, body: Expr, path: ValuePath, scopes: Sequence[Scope], *, expected: bool
) -> Iterator[ChangePlan]:
    """Plan this result of the body for all items. In long lists, all items are changed like the first."""
    if len(scopes) > _MAX_INDIVIDUAL_ITEMS:
        for plan in islice(planner.plan_result(body, expected, scopes[0]), 8):
            yield tuple(change for index in range(len(scopes)) for change in _move_changes(plan, path, index))
        return
    plans: list[ChangePlan] = [()]
    for item_scope in scopes:
        plans = [plan + more for plan in plans for more in islice(planner.plan_result(body, expected, item_scope), 8)][
            :MAX_PLANS
        ]
    yield from plans


def _move_changes(plan: ChangePlan, path: ValuePath, index: int) -> Iterator[PathChange]:
    """Apply the changes of the first list item to another item."""
    for change in plan:
        inside = change.path[: len(path) + 1] == (*path, 0)
        yield PathChange((*path, index, *change.path[len(path) + 1 :]), change.value) if inside else change


def vary_value(value: Json, index: int) -> Json:
    """Return a variant of a value: a different one for each index, as far as its type permits."""
    if isinstance(value, dict):
        return {key: vary_value(member, index) for key, member in value.items()}
    if not index or value is None or isinstance(value, bool | list):
        return value
    return f"{value}-{index}" if isinstance(value, str) else value + index


def _plan_has(planner: RuleSolver, macro: Call, expected: bool, scope: Scope) -> Iterator[ChangePlan]:
    if isinstance(macro.args[0], Select):
        yield from planner.plan_select(macro.args[0].replace(test_only=True), expected, scope)


def _plan_contains(planner: RuleSolver, call: Call, expected: bool, scope: Scope) -> Iterator[ChangePlan]:
    """Plan an address range that contains, or does not contain, another range or address."""
    if call.target is None:
        return
    values = planner.evaluate_constant(call.target, scope), planner.evaluate_constant(call.args[0], scope)
    for outer, inner in generate_addresses(*values, whole=call.function == "containsCIDR", contained=expected):
        plans = (
            list(planner.plan_value(call.target, outer, scope)),
            list(planner.plan_value(call.args[0], inner, scope)),
        )
        yield from (first + second for first in plans[0] or [()] for second in plans[1] or [()])


def _plan_parsed(planner: RuleSolver, call: Call, expected: bool, scope: Scope) -> Iterator[ChangePlan]:
    """Plan strings that can, or cannot, be parsed, for functions such as `isQuantity`."""
    yield ()
    yield from planner.plan_value(call.args[0], PARSED[call.function] if expected else "", scope)


def _plan_ordered(planner: RuleSolver, call: Call, expected: bool, scope: Scope) -> Iterator[ChangePlan]:
    """Plan values for `isGreaterThan` and `isLessThan`."""
    step = (1 if call.function == "isGreaterThan" else -1) * (1 if expected else -1)
    operands = (call.target, call.args[0])
    first, second = (planner.evaluate_constant(operand, scope) if operand else NOTHING for operand in operands)
    if isinstance(first, str) and isinstance(second, str) and is_stepped(first, second, step):
        yield ()
    for result in (step,) if expected else (0, step):
        yield from solve_comparison(planner, call, result, scope)


MACRO_HINTS: dict[str, HintFunction] = {
    "all": _plan_all,
    "exists": _plan_exists,
    "exists_one": _plan_exists,
    "has": _plan_has,
}
FUNCTION_HINTS: dict[str, HintFunction] = {
    "_&&_": _plan_and,
    "_||_": _plan_or,
    "!_": _plan_not,
    "_?_:_": _plan_conditional,
    **dict.fromkeys(_OPPOSITE, _plan_comparison),
    "@in": _plan_in,
    "matches": _plan_matches,
    **dict.fromkeys(("isGreaterThan", "isLessThan"), _plan_ordered),
    **dict.fromkeys(PARSED, _plan_parsed),
    **dict.fromkeys(("containsIP", "containsCIDR"), _plan_contains),
    **dict.fromkeys(_AFFIXES, _plan_affix),
}
