"""Changes that make CEL functions and macros true or false: a table with one entry each.

What is not in there asks for nothing.
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
from protoc_gen_crd.samples.pattern_strings import find_shortest_match
from protoc_gen_crd.schema.schema import Json

if TYPE_CHECKING:
    from protoc_gen_crd.samples.rule_solver import RuleSolver

ChangePlan = tuple[PathChange, ...]
Scope = Mapping[str, ValuePath]  # variables to what they stand for
HintFunction = Callable[["RuleSolver", Call, bool, Scope], Iterator[ChangePlan]]
MAX_PLANS = 40  # plans of one part that are combined with others
MAX_LENGTH = 1000
_MAX_LIKELY_VALUES = 3  # values of those that a node may have that are tried
_MAX_INDIVIDUAL_ITEMS = 20  # items of a list that are seen to one by one

_MIRRORED = {"_<_": "_>_", "_<=_": "_>=_", "_>_": "_<_", "_>=_": "_<=_"}
_OPPOSITE = {"_<_": "_>=_", "_<=_": "_>_", "_>_": "_<=_", "_>=_": "_<_", "_==_": "_!=_", "_!=_": "_==_"}
_SHIFTS = {"_<_": (-1,), "_<=_": (0, -1), "_>_": (1,), "_>=_": (0, 1), "_==_": (0,), "_!=_": (1, -1)}
_RELATED: Mapping[str, Callable[[Any, Any], bool]] = {
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

_OVERLAYS: Mapping[str, Callable[[str, str], str]] = {  # over what is there
    "startsWith": lambda text, part: part + text[len(part) :],
    "endsWith": lambda text, part: text[: max(len(text) - len(part), 0)] + part,
}


def _plan_and(planner: RuleSolver, call: Call, wanted: bool, scope: Scope) -> Iterator[ChangePlan]:
    if wanted:
        yield from planner.plan_all([(each, True) for each in call.args], scope)
    else:
        for each in call.args:
            yield from planner.plan_result(each, False, scope)


def _plan_or(planner: RuleSolver, call: Call, wanted: bool, scope: Scope) -> Iterator[ChangePlan]:
    if wanted:
        for each in call.args:
            yield from planner.plan_result(each, True, scope)
    else:
        yield from planner.plan_all([(each, False) for each in call.args], scope)


def _plan_not(planner: RuleSolver, call: Call, wanted: bool, scope: Scope) -> Iterator[ChangePlan]:
    yield from planner.plan_result(call.args[0], not wanted, scope)


def _plan_conditional(planner: RuleSolver, call: Call, wanted: bool, scope: Scope) -> Iterator[ChangePlan]:
    condition, then, otherwise = call.args
    yield from planner.plan_all([(condition, True), (then, wanted)], scope)
    yield from planner.plan_all([(condition, False), (otherwise, wanted)], scope)


def _plan_comparison(planner: RuleSolver, call: Call, wanted: bool, scope: Scope) -> Iterator[ChangePlan]:
    one, other = call.args
    function = call.function if wanted else _OPPOSITE[call.function]
    if _is_related(function, planner.evaluate_constant(one, scope), planner.evaluate_constant(other, scope)):
        yield ()
    if function == "_==_" and isinstance(other, Literal) and isinstance(other.value, bool):
        yield from planner.plan_result(one, other.value, scope)
    if function == "_!=_":
        yield from _plan_likely_values(planner, one, scope, planner.evaluate_constant(other, scope))
    for left, right, relation in ((one, other, function), (other, one, _MIRRORED.get(function, function))):
        value = planner.evaluate_constant(right, scope)
        for shifted in _shift_value(value, _SHIFTS[relation]):
            yield from planner.plan_value(left, shifted, scope)


def _plan_likely_values(planner: RuleSolver, expr: Expr, scope: Scope, but: Any) -> Iterator[ChangePlan]:
    """Likely values for what an expression reads, those first that rules speak of; none that it must not have."""
    path = planner.find_path(expr, scope)
    if path is None:
        return
    known = planner.literals.get(expr.field, ()) if isinstance(expr, Select) else ()
    excluded = but if isinstance(but, list) else [but]
    found = (each for each in (*known, *planner.fill(path)) if each not in excluded)
    yield from ((PathChange(path, value),) for value in islice(found, _MAX_LIKELY_VALUES))


def _is_related(function: str, one: Any, other: Any) -> bool:
    """Check whether two values are related like that, as far as is plain to see."""
    numbers = all(isinstance(each, int | float) for each in (one, other))
    return (
        NOTHING not in (one, other) and (numbers or type(one) is type(other) is str) and _RELATED[function](one, other)
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


def _plan_in(planner: RuleSolver, call: Call, wanted: bool, scope: Scope) -> Iterator[ChangePlan]:
    yield from (_plan_membership if wanted else _plan_non_membership)(
        planner, call, _get_choices(planner, call, scope), scope
    )


def _get_choices(planner: RuleSolver, call: Call, scope: Scope) -> Any:
    found = planner.evaluate_constant(call.args[1], scope)
    made = expand_list(planner, call.args[1], scope) if found is NOTHING else None
    return found if made is None else [planner.evaluate_constant(*term) for term in made]


def _plan_membership(planner: RuleSolver, call: Call, choices: Any, scope: Scope) -> Iterator[ChangePlan]:
    one, around = planner.evaluate_constant(call.args[0], scope), planner.find_path(call.args[1], scope)
    if around is None:
        yield from _plan_added_member(planner, call, scope)
    for choice in choices if isinstance(choices, list | dict) else ():
        yield from planner.plan_value(call.args[0], choice, scope)
    if around is None or one is NOTHING:
        return
    if isinstance(choices, list):
        yield (PathChange(around, [*choices, one]),)
    elif isinstance(one, str):
        yield from ((PathChange((*around, one), value),) for value in planner.fill((*around, one)))


def _plan_non_membership(planner: RuleSolver, call: Call, choices: Any, scope: Scope) -> Iterator[ChangePlan]:
    one, around = planner.evaluate_constant(call.args[0], scope), planner.find_path(call.args[1], scope)
    if isinstance(choices, list) and one not in choices:
        yield ()
    if around is None or one is NOTHING:
        yield from _plan_likely_values(planner, call.args[0], scope, choices)
    elif isinstance(choices, list):
        yield (PathChange(around, [each for each in choices if each != one]),)
    elif isinstance(one, str):
        yield (PathChange((*around, one), NOTHING),)


def _plan_added_member(planner: RuleSolver, call: Call, scope: Scope) -> Iterator[ChangePlan]:
    """Plans that add an item to a list of which `map` makes the value."""
    one, macro = planner.evaluate_constant(call.args[0], scope), planner.ast.calls.get(call.args[1].id)
    path = planner.find_path(macro.target, scope) if macro is not None and macro.target is not None else None
    if macro is None or path is None or one is NOTHING or not isinstance(macro.args[0], Ident):
        return
    for more, inner in _plan_added_item(planner, path, macro.args[0].name, scope):
        yield from (more + plan for plan in planner.apply_plan(more).plan_value(macro.args[-1], one, inner))


def _plan_matches(planner: RuleSolver, call: Call, wanted: bool, scope: Scope) -> Iterator[ChangePlan]:
    subject, pattern = (call.target, call.args[0]) if call.target else call.args[:2]
    text = planner.evaluate_constant(pattern, scope)
    if isinstance(text, str) and wanted:
        for least in (1, 0):
            yield from planner.plan_value(subject, _to_value(find_shortest_match([text], least, MAX_LENGTH)), scope)
    elif not wanted:
        yield from planner.plan_value(subject, "", scope)


def _to_value(text: str | None) -> Any:
    return NOTHING if text is None else text


def _plan_affix(planner: RuleSolver, call: Call, wanted: bool, scope: Scope) -> Iterator[ChangePlan]:
    if call.target is None:
        return
    text, part = planner.evaluate_constant(call.target, scope), planner.evaluate_constant(call.args[0], scope)
    if isinstance(part, str) and wanted:
        given = text if isinstance(text, str) else ""
        yield from planner.plan_value(call.target, _AFFIXES[call.function](given, part), scope)
        if call.function in _OVERLAYS:
            yield from planner.plan_value(call.target, _OVERLAYS[call.function](given, part), scope)
        yield from planner.plan_value(call.target, part, scope)
    elif isinstance(part, str) and isinstance(text, str):
        yield from planner.plan_value(call.target, text.replace(part, "") or "a", scope)


def _plan_all(planner: RuleSolver, macro: Call, wanted: bool, scope: Scope) -> Iterator[ChangePlan]:
    """Every item, or none."""
    yield from _plan_quantifier(planner, macro, scope, every=True, wanted=wanted)


def _plan_exists(planner: RuleSolver, macro: Call, wanted: bool, scope: Scope) -> Iterator[ChangePlan]:
    yield from _plan_quantifier(planner, macro, scope, every=False, wanted=wanted)


def _plan_quantifier(
    planner: RuleSolver, macro: Call, scope: Scope, *, every: bool, wanted: bool
) -> Iterator[ChangePlan]:
    path = planner.find_path(macro.target, scope) if macro.target else None
    if path is None or not isinstance(macro.args[0], Ident):
        return
    found, body = get_at(planner.value, path), macro.args[-1]
    name = macro.args[len(macro.args) - 2]
    if not isinstance(found, list) or not isinstance(name, Ident):
        if every is wanted:
            yield (PathChange(path, NOTHING),)
        return
    scopes = [{**scope, name.name: (*path, index)} for index in range(len(found))]
    if every is wanted:
        yield from _plan_each_item(planner, body, path, scopes, wanted=wanted)
        yield (PathChange(path, [vary_value(each, index) for index, each in enumerate(found)]),)
        yield (PathChange(path, found[:1]),)
        yield (PathChange(path, []),)
    else:
        for each in scopes:
            yield from planner.plan_result(body, wanted, each)
        for more, inner in _plan_added_item(planner, path, name.name, scope):
            yield from (
                more + plan for plan in islice(planner.apply_plan(more).plan_result(body, wanted, inner), MAX_PLANS)
            )


def _plan_added_item(
    planner: RuleSolver, path: ValuePath, name: str, scope: Scope
) -> Iterator[tuple[ChangePlan, Scope]]:
    """A list with an item more, and the scope where a variable stands for that."""
    found = get_at(planner.value, path)
    size = len(found) if isinstance(found, list) else 0
    for item in islice(planner.fill((*path, size)), _MAX_LIKELY_VALUES):
        yield (PathChange(path, [*(found if size else ()), item]),), {**scope, name: (*path, size)}


def _plan_each_item(
    planner: RuleSolver, body: Expr, path: ValuePath, scopes: Sequence[Scope], *, wanted: bool
) -> Iterator[ChangePlan]:
    """Plans that give the body this value for all items. Of many items all are changed like the first."""
    if len(scopes) > _MAX_INDIVIDUAL_ITEMS:
        for plan in islice(planner.plan_result(body, wanted, scopes[0]), 8):
            yield tuple(change for index in range(len(scopes)) for change in _move_changes(plan, path, index))
        return
    plans: list[ChangePlan] = [()]
    for each in scopes:
        plans = [plan + more for plan in plans for more in islice(planner.plan_result(body, wanted, each), 8)][
            :MAX_PLANS
        ]
    yield from plans


def _move_changes(plan: ChangePlan, path: ValuePath, index: int) -> Iterator[PathChange]:
    """Changes in the first item of a list as changes in another."""
    for change in plan:
        inside = change.path[: len(path) + 1] == (*path, 0)
        yield PathChange((*path, index, *change.path[len(path) + 1 :]), change.value) if inside else change


def vary_value(value: Json, index: int) -> Json:
    """A value of which there are as many as there are numbers."""
    if isinstance(value, dict):
        return {key: vary_value(each, index) for key, each in value.items()}
    if not index or value is None or isinstance(value, bool | list):
        return value
    return f"{value}-{index}" if isinstance(value, str) else value + index


def _plan_has(planner: RuleSolver, macro: Call, wanted: bool, scope: Scope) -> Iterator[ChangePlan]:
    if isinstance(macro.args[0], Select):
        yield from planner.plan_select(macro.args[0].replace(test_only=True), wanted, scope)


def _plan_contains(planner: RuleSolver, call: Call, wanted: bool, scope: Scope) -> Iterator[ChangePlan]:
    """Plans for a range of addresses that holds another one, or an address, or does not."""
    if call.target is None:
        return
    texts = planner.evaluate_constant(call.target, scope), planner.evaluate_constant(call.args[0], scope)
    for around, inside in generate_addresses(*texts, whole=call.function == "containsCIDR", wanted=wanted):
        plans = (
            list(planner.plan_value(call.target, around, scope)),
            list(planner.plan_value(call.args[0], inside, scope)),
        )
        yield from (one + other for one in plans[0] or [()] for other in plans[1] or [()])


def _plan_parsed(planner: RuleSolver, call: Call, wanted: bool, scope: Scope) -> Iterator[ChangePlan]:
    """Plans for the questions whether a text is one of something."""
    yield ()
    yield from planner.plan_value(call.args[0], PARSED[call.function] if wanted else "", scope)


def _plan_ordered(planner: RuleSolver, call: Call, wanted: bool, scope: Scope) -> Iterator[ChangePlan]:
    """Plans for `isGreaterThan` and `isLessThan`."""
    step = (1 if call.function == "isGreaterThan" else -1) * (1 if wanted else -1)
    one, other = (planner.evaluate_constant(each, scope) if each else NOTHING for each in (call.target, call.args[0]))
    if isinstance(one, str) and isinstance(other, str) and is_stepped(one, other, step):
        yield ()
    for each in (step,) if wanted else (0, step):
        yield from solve_comparison(planner, call, each, scope)


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
