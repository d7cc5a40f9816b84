"""What the functions and macros of CEL ask for where they shall be true or false: a table, one entry each.

What is not in there asks for nothing.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any

from protoc_gen_crd.cel.ast import Call, Expr, Ident, Literal, Select
from protoc_gen_crd.samples.changes import NOTHING, Change, Steps, at
from protoc_gen_crd.samples.computed import PARSED, addresses, compared, is_stepped, mapped, stepped
from protoc_gen_crd.samples.patterns import matching
from protoc_gen_crd.schema.types import Json

if TYPE_CHECKING:
    from protoc_gen_crd.samples.plans import Planner

Plan = tuple[Change, ...]
Scope = Mapping[str, Steps]  # variables to what they stand for
Asked = Callable[["Planner", Call, bool, Scope], Iterator[Plan]]
MOST = 40  # plans of one part that are combined with others
LONGEST = 1000
_LIKELY = 3  # values of those that a node may have that are tried
_FEW = 20  # items of a list that are seen to one by one

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

_LAID: Mapping[str, Callable[[str, str], str]] = {  # over what is there
    "startsWith": lambda text, part: part + text[len(part) :],
    "endsWith": lambda text, part: text[: max(len(text) - len(part), 0)] + part,
}


def _and(planner: Planner, call: Call, wanted: bool, scope: Scope) -> Iterator[Plan]:
    if wanted:
        yield from planner.all_of([(each, True) for each in call.args], scope)
    else:
        for each in call.args:
            yield from planner.asked(each, False, scope)


def _or(planner: Planner, call: Call, wanted: bool, scope: Scope) -> Iterator[Plan]:
    if wanted:
        for each in call.args:
            yield from planner.asked(each, True, scope)
    else:
        yield from planner.all_of([(each, False) for each in call.args], scope)


def _not(planner: Planner, call: Call, wanted: bool, scope: Scope) -> Iterator[Plan]:
    yield from planner.asked(call.args[0], not wanted, scope)


def _either(planner: Planner, call: Call, wanted: bool, scope: Scope) -> Iterator[Plan]:
    condition, then, otherwise = call.args
    yield from planner.all_of([(condition, True), (then, wanted)], scope)
    yield from planner.all_of([(condition, False), (otherwise, wanted)], scope)


def _compared(planner: Planner, call: Call, wanted: bool, scope: Scope) -> Iterator[Plan]:
    one, other = call.args
    function = call.function if wanted else _OPPOSITE[call.function]
    if _holds(function, planner.constant(one, scope), planner.constant(other, scope)):
        yield ()
    if function == "_==_" and isinstance(other, Literal) and isinstance(other.value, bool):
        yield from planner.asked(one, other.value, scope)
    if function == "_!=_":
        yield from _filled(planner, one, scope, planner.constant(other, scope))
    for left, right, relation in ((one, other, function), (other, one, _MIRRORED.get(function, function))):
        value = planner.constant(right, scope)
        for shifted in _shifted(value, _SHIFTS[relation]):
            yield from planner.put(left, shifted, scope)


def _filled(planner: Planner, expr: Expr, scope: Scope, but: Any) -> Iterator[Plan]:
    """Likely values for what an expression reads, those first that rules speak of; none that it must not have."""
    path = planner.path(expr, scope)
    if path is None:
        return
    known = planner.literals.get(expr.field, ()) if isinstance(expr, Select) else ()
    excluded = but if isinstance(but, list) else [but]
    found = (each for each in (*known, *planner.fill(path)) if each not in excluded)
    yield from ((Change(path, value),) for value in islice(found, _LIKELY))


def _holds(function: str, one: Any, other: Any) -> bool:
    """Whether two values are related like that, as far as is plain to see."""
    numbers = all(isinstance(each, int | float) for each in (one, other))
    return (
        NOTHING not in (one, other) and (numbers or type(one) is type(other) is str) and _RELATED[function](one, other)
    )


def _shifted(value: Any, shifts: Iterable[int]) -> Iterator[Any]:
    for shift in shifts:
        if isinstance(value, bool):
            yield value if not shift else not value
        elif isinstance(value, int | float):
            yield value + shift
        elif isinstance(value, str) and shift:
            yield stepped(value, shift)
            yield f"{value}-{abs(shift)}"
        elif not shift:
            yield value


def _in(planner: Planner, call: Call, wanted: bool, scope: Scope) -> Iterator[Plan]:
    yield from (_among if wanted else _not_among)(planner, call, _choices(planner, call, scope), scope)


def _choices(planner: Planner, call: Call, scope: Scope) -> Any:
    found = planner.constant(call.args[1], scope)
    made = mapped(planner, call.args[1], scope) if found is NOTHING else None
    return found if made is None else [planner.constant(*term) for term in made]


def _among(planner: Planner, call: Call, choices: Any, scope: Scope) -> Iterator[Plan]:
    one, around = planner.constant(call.args[0], scope), planner.path(call.args[1], scope)
    if around is None:
        yield from _among_more(planner, call, scope)
    for choice in choices if isinstance(choices, list | dict) else ():
        yield from planner.put(call.args[0], choice, scope)
    if around is None or one is NOTHING:
        return
    if isinstance(choices, list):
        yield (Change(around, [*choices, one]),)
    elif isinstance(one, str):
        yield from ((Change((*around, one), value),) for value in planner.fill((*around, one)))


def _not_among(planner: Planner, call: Call, choices: Any, scope: Scope) -> Iterator[Plan]:
    one, around = planner.constant(call.args[0], scope), planner.path(call.args[1], scope)
    if isinstance(choices, list) and one not in choices:
        yield ()
    if around is None or one is NOTHING:
        yield from _filled(planner, call.args[0], scope, choices)
    elif isinstance(choices, list):
        yield (Change(around, [each for each in choices if each != one]),)
    elif isinstance(one, str):
        yield (Change((*around, one), NOTHING),)


def _among_more(planner: Planner, call: Call, scope: Scope) -> Iterator[Plan]:
    """Plans that add an item to a list of which `map` makes the value."""
    one, macro = planner.constant(call.args[0], scope), planner.ast.calls.get(call.args[1].id)
    path = planner.path(macro.target, scope) if macro is not None and macro.target is not None else None
    if macro is None or path is None or one is NOTHING or not isinstance(macro.args[0], Ident):
        return
    for more, inner in _grown(planner, path, macro.args[0].name, scope):
        yield from (more + plan for plan in planner.after(more).put(macro.args[-1], one, inner))


def _matches(planner: Planner, call: Call, wanted: bool, scope: Scope) -> Iterator[Plan]:
    subject, pattern = (call.target, call.args[0]) if call.target else call.args[:2]
    text = planner.constant(pattern, scope)
    if isinstance(text, str) and wanted:
        for least in (1, 0):
            yield from planner.put(subject, _or_nothing(matching([text], least, LONGEST)), scope)
    elif not wanted:
        yield from planner.put(subject, "", scope)


def _or_nothing(text: str | None) -> Any:
    return NOTHING if text is None else text


def _affixed(planner: Planner, call: Call, wanted: bool, scope: Scope) -> Iterator[Plan]:
    if call.target is None:
        return
    text, part = planner.constant(call.target, scope), planner.constant(call.args[0], scope)
    if isinstance(part, str) and wanted:
        given = text if isinstance(text, str) else ""
        yield from planner.put(call.target, _AFFIXES[call.function](given, part), scope)
        if call.function in _LAID:
            yield from planner.put(call.target, _LAID[call.function](given, part), scope)
        yield from planner.put(call.target, part, scope)
    elif isinstance(part, str) and isinstance(text, str):
        yield from planner.put(call.target, text.replace(part, "") or "a", scope)


def _all(planner: Planner, macro: Call, wanted: bool, scope: Scope) -> Iterator[Plan]:
    """Every item, or none."""
    yield from _quantified(planner, macro, scope, every=True, wanted=wanted)


def _exists(planner: Planner, macro: Call, wanted: bool, scope: Scope) -> Iterator[Plan]:
    yield from _quantified(planner, macro, scope, every=False, wanted=wanted)


def _quantified(planner: Planner, macro: Call, scope: Scope, *, every: bool, wanted: bool) -> Iterator[Plan]:
    path = planner.path(macro.target, scope) if macro.target else None
    if path is None or not isinstance(macro.args[0], Ident):
        return
    found, body = at(planner.value, path), macro.args[-1]
    name = macro.args[len(macro.args) - 2]
    if not isinstance(found, list) or not isinstance(name, Ident):
        if every is wanted:
            yield (Change(path, NOTHING),)
        return
    scopes = [{**scope, name.name: (*path, index)} for index in range(len(found))]
    if every is wanted:
        yield from _for_each(planner, body, path, scopes, wanted=wanted)
        yield (Change(path, [varied(each, index) for index, each in enumerate(found)]),)
        yield (Change(path, found[:1]),)
        yield (Change(path, []),)
    else:
        for each in scopes:
            yield from planner.asked(body, wanted, each)
        for more, inner in _grown(planner, path, name.name, scope):
            yield from (more + plan for plan in islice(planner.after(more).asked(body, wanted, inner), MOST))


def _grown(planner: Planner, path: Steps, name: str, scope: Scope) -> Iterator[tuple[Plan, Scope]]:
    """A list with an item more, and the scope where a variable stands for that."""
    found = at(planner.value, path)
    size = len(found) if isinstance(found, list) else 0
    for item in islice(planner.fill((*path, size)), _LIKELY):
        yield (Change(path, [*(found if size else ()), item]),), {**scope, name: (*path, size)}


def _for_each(planner: Planner, body: Expr, path: Steps, scopes: Sequence[Scope], *, wanted: bool) -> Iterator[Plan]:
    """Plans that give the body this value for all items. Of many items all are changed like the first."""
    if len(scopes) > _FEW:
        for plan in islice(planner.asked(body, wanted, scopes[0]), 8):
            yield tuple(change for index in range(len(scopes)) for change in _moved(plan, path, index))
        return
    plans: list[Plan] = [()]
    for each in scopes:
        plans = [plan + more for plan in plans for more in islice(planner.asked(body, wanted, each), 8)][:MOST]
    yield from plans


def _moved(plan: Plan, path: Steps, index: int) -> Iterator[Change]:
    """Changes in the first item of a list as changes in another."""
    for change in plan:
        inside = change.path[: len(path) + 1] == (*path, 0)
        yield Change((*path, index, *change.path[len(path) + 1 :]), change.value) if inside else change


def varied(value: Json, index: int) -> Json:
    """A value of which there are as many as there are numbers."""
    if isinstance(value, dict):
        return {key: varied(each, index) for key, each in value.items()}
    if not index or value is None or isinstance(value, bool | list):
        return value
    return f"{value}-{index}" if isinstance(value, str) else value + index


def _has(planner: Planner, macro: Call, wanted: bool, scope: Scope) -> Iterator[Plan]:
    if isinstance(macro.args[0], Select):
        yield from planner.select(macro.args[0].replace(test_only=True), wanted, scope)


def _contains(planner: Planner, call: Call, wanted: bool, scope: Scope) -> Iterator[Plan]:
    """Plans for a range of addresses that holds another one, or an address, or does not."""
    if call.target is None:
        return
    texts = planner.constant(call.target, scope), planner.constant(call.args[0], scope)
    for around, inside in addresses(*texts, whole=call.function == "containsCIDR", wanted=wanted):
        plans = list(planner.put(call.target, around, scope)), list(planner.put(call.args[0], inside, scope))
        yield from (one + other for one in plans[0] or [()] for other in plans[1] or [()])


def _parsed(planner: Planner, call: Call, wanted: bool, scope: Scope) -> Iterator[Plan]:
    """Plans for the questions whether a text is one of something."""
    yield ()
    yield from planner.put(call.args[0], PARSED[call.function] if wanted else "", scope)


def _ordered(planner: Planner, call: Call, wanted: bool, scope: Scope) -> Iterator[Plan]:
    """Plans for `isGreaterThan` and `isLessThan`."""
    step = (1 if call.function == "isGreaterThan" else -1) * (1 if wanted else -1)
    one, other = (planner.constant(each, scope) if each else NOTHING for each in (call.target, call.args[0]))
    if isinstance(one, str) and isinstance(other, str) and is_stepped(one, other, step):
        yield ()
    for each in (step,) if wanted else (0, step):
        yield from compared(planner, call, each, scope)


MACROS: dict[str, Asked] = {
    "all": _all,
    "exists": _exists,
    "exists_one": _exists,
    "has": _has,
}
ASKED: dict[str, Asked] = {
    "_&&_": _and,
    "_||_": _or,
    "!_": _not,
    "_?_:_": _either,
    **dict.fromkeys(_OPPOSITE, _compared),
    "@in": _in,
    "matches": _matches,
    **dict.fromkeys(("isGreaterThan", "isLessThan"), _ordered),
    **dict.fromkeys(PARSED, _parsed),
    **dict.fromkeys(("containsIP", "containsCIDR"), _contains),
    **dict.fromkeys(_AFFIXES, _affixed),
}
