"""A solver for expressions: their constant values, and changes that make them return a value.

Made for rules that tie numbers, addresses, versions and texts together; what is not in the tables asks for nothing.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from protoc_gen_crd.cel.parser.ast import Call, Expr, Ident
from protoc_gen_crd.samples.path_changes import NOTHING, get_at

if TYPE_CHECKING:
    from protoc_gen_crd.samples.constraint_hints import ChangePlan, Scope
    from protoc_gen_crd.samples.rule_solver import RuleSolver

PlanFunction = Callable[["RuleSolver", Call, Any, "Scope"], "Iterator[ChangePlan]"]

PARSED: Mapping[str, str] = {  # questions whether a text can be read as something, and one that can
    "isCIDR": "192.0.2.0/24",
    "isIP": "192.0.2.1",
    "isQuantity": "1",
    "isSemver": "1.0.0",
    "isURL": "https://example.com",
}
_ADDRESS = "192.0.2.0"  # reserved for documentation, as is the host
_URL = "https://example.com"
_LAST_OF_IPV4 = 32
_ITEM = "an item"  # no name of CEL


def evaluate_call(planner: RuleSolver, call: Call, scope: Scope) -> Any:
    """The value of a call as it stands, NOTHING where that is not plain to see."""
    if call.function in _ARITHMETIC and len(call.args) == 2:
        one, other = (planner.evaluate_constant(each, scope) for each in call.args)
        numbers = isinstance(one, int | float) and isinstance(other, int | float)
        if numbers or (call.function == "_+_" and type(one) is type(other) is str):
            return _compute(call.function, one, other)
    terms = _list_terms(planner, call, scope)
    if len(terms) > 1 or call.function == "sum":
        return _add_values([planner.evaluate_constant(*term) for term in terms])
    return NOTHING


def _compute(function: str, one: Any, other: Any) -> Any:
    if function in ("_/_", "_%_") and not other:
        return NOTHING
    whole = isinstance(one, int) and isinstance(other, int)
    found = _ARITHMETIC[function](one, other)
    return int(found) if whole else found


def _add_values(values: Sequence[Any]) -> Any:
    return sum(values) if all(isinstance(each, int | float) for each in values) else NOTHING


_ARITHMETIC: Mapping[str, Callable[[Any, Any], Any]] = {
    "_+_": operator.add,
    "_-_": operator.sub,
    "_*_": operator.mul,
    "_/_": operator.truediv,
    "_%_": operator.mod,
}


def expand_list(planner: RuleSolver, expr: Expr | None, scope: Scope) -> list[tuple[Expr, Scope]] | None:
    """What a list is made of, as expressions with their variables: the items of a list, or what `map` makes of them."""
    macro = planner.ast.calls.get(expr.id) if expr is not None else None
    if macro is not None and macro.function == "map" and len(macro.args) == 2 and isinstance(macro.args[0], Ident):
        inner = expand_list(planner, macro.target, scope)
        path = planner.find_path(macro.target, scope) if macro.target else None
        if inner is None or path is None:
            return None
        name = macro.args[0].name
        return [(macro.args[1], {**scope, name: (*path, index)}) for index in range(len(inner))]
    path = planner.find_path(expr, scope) if expr is not None else None
    found = NOTHING if path is None else get_at(planner.value, path)
    if path is None or not isinstance(found, list):
        return None
    return [(Ident(0, 0, _ITEM), {**scope, _ITEM: (*path, index)}) for index in range(len(found))]


def _list_terms(planner: RuleSolver, expr: Expr, scope: Scope) -> list[tuple[Expr, Scope]]:
    """What is added up."""
    if isinstance(expr, Call) and expr.function == "_+_":
        return [term for each in expr.args for term in _list_terms(planner, each, scope)]
    if isinstance(expr, Call) and expr.function == "sum":
        return expand_list(planner, expr.target, scope) or []
    return [(expr, scope)]


def solve_call(planner: RuleSolver, call: Call, value: Any, scope: Scope) -> Iterator[ChangePlan]:
    """Plans that make a call give a value."""
    if call.function in _SOLVERS:
        yield from _SOLVERS[call.function](planner, call, value, scope)


def _solve_addition(planner: RuleSolver, call: Call, value: Any, scope: Scope) -> Iterator[ChangePlan]:
    """One term makes up for the others; or all get the same, the first what is left."""
    terms = _list_terms(planner, call, scope)
    found = [planner.evaluate_constant(*term) for term in terms]
    if not isinstance(value, int | float) or not terms:
        return
    for index, (expr, around) in enumerate(terms):
        rest = _add_values([each for at, each in enumerate(found) if at != index])
        if rest is not NOTHING:
            yield from planner.plan_value(expr, value - rest, around)
    share = value // len(terms)
    shares = [value - share * (len(terms) - 1), *[share] * (len(terms) - 1)]
    plans = [
        next(planner.plan_value(expr, part, around), None) for (expr, around), part in zip(terms, shares, strict=True)
    ]
    if None not in plans:
        yield tuple(change for plan in plans for change in plan or ())


def _solve_subtraction(planner: RuleSolver, call: Call, value: Any, scope: Scope) -> Iterator[ChangePlan]:
    yield from _solve_operands(planner, call, scope, lambda other: value + other, lambda one: one - value)


def _solve_multiplication(planner: RuleSolver, call: Call, value: Any, scope: Scope) -> Iterator[ChangePlan]:
    def divide_exactly(other: Any) -> Any:
        return value // other if other and not value % other else NOTHING

    yield from _solve_operands(planner, call, scope, divide_exactly, divide_exactly)


def _solve_division(planner: RuleSolver, call: Call, value: Any, scope: Scope) -> Iterator[ChangePlan]:
    yield from _solve_operands(planner, call, scope, lambda other: value * other, lambda _: NOTHING)


def _solve_operands(
    planner: RuleSolver, call: Call, scope: Scope, first: Callable[[Any], Any], second: Callable[[Any], Any]
) -> Iterator[ChangePlan]:
    """Either operand as it has to be beside the other one."""
    one, other = (planner.evaluate_constant(each, scope) for each in call.args)
    if isinstance(other, int | float):
        yield from planner.plan_value(call.args[0], first(other), scope)
    if isinstance(one, int | float):
        yield from planner.plan_value(call.args[1], second(one), scope)


def _solve_remainder(planner: RuleSolver, call: Call, value: Any, scope: Scope) -> Iterator[ChangePlan]:
    one, other = (planner.evaluate_constant(each, scope) for each in call.args)
    if isinstance(one, int) and isinstance(other, int) and other and isinstance(value, int):
        yield from planner.plan_value(call.args[0], one - one % other + value, scope)
    yield from planner.plan_value(call.args[0], value, scope)


def solve_comparison(planner: RuleSolver, call: Call, value: Any, scope: Scope) -> Iterator[ChangePlan]:
    """What `compareTo` is to give."""
    if isinstance(value, int) and call.target is not None:
        for left, right, step in ((call.target, call.args[0], value), (call.args[0], call.target, -value)):
            text = planner.evaluate_constant(right, scope)
            if isinstance(text, str):
                yield from planner.plan_value(left, step_value(text, step), scope)


_TIME = re.compile(r"20[0-9]{2}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1[0-9]|2[0-8])T[01][0-9]:[0-5][0-9]:[0-5][0-9]Z")


def step_value(text: str, step: int) -> str:
    """A text of something that has an order, a quantity, a version, a time, a duration, a bit more or less."""
    if not step:
        return text
    if _TIME.fullmatch(text):
        moved = datetime.fromisoformat(text) + timedelta(days=step)
        return moved.isoformat().replace("+00:00", "Z")
    numbers = [each for each in re.finditer(r"\d+", text) if int(each[0]) + step >= 0]
    if not numbers:
        return f"{text}-{abs(step)}"
    last = numbers[-1] if "." in text else numbers[0]
    return f"{text[: last.start()]}{int(last[0]) + step}{text[last.end() :]}"


def is_stepped(one: str, other: str, step: int) -> bool:
    """Check whether a text is more or less than another one, as far as their numbers tell."""
    numbers = [[int(each) for each in re.findall(r"\d+", text)] for text in (one, other)]
    return numbers[0] > numbers[1] if step > 0 else numbers[0] < numbers[1]


def generate_addresses(around: Any, inside: Any, *, whole: bool, wanted: bool) -> Iterator[tuple[str, str]]:
    """Ranges with what they hold, `whole` ranges or else addresses; or with what they do not hold."""
    known = around if isinstance(around, str) and _RANGE.fullmatch(around) else ""
    given = inside if isinstance(inside, str) and _RANGE.match(inside) else ""
    for one in filter(None, (known, f"{_ADDRESS}/24")):
        address = one.partition("/")[0] if wanted else "2001:db8:ffff::1" if "." in one else "203.0.113.1"
        yield one, (one if wanted else f"{address}/{128 if ':' in address else 32}") if whole else address
    if given and wanted:
        least = "/64" if ":" in given else "/24"
        yield given if "/" in given else f"{given}{least}", given


_RANGE = re.compile(r"[0-9a-f.:]*[.:][0-9a-f.:]*(?:/[0-9]+)?")


def _make_url_part_solver(part: str) -> PlanFunction:
    def solve_part(planner: RuleSolver, call: Call, value: Any, scope: Scope) -> Iterator[ChangePlan]:
        text = planner.evaluate_constant(call.target, scope) if call.target else NOTHING
        known = (_URL_PATTERN.fullmatch(text) if isinstance(text, str) else None) or _URL_PATTERN.fullmatch(_URL)
        parts = dict(known.groupdict("")) if known else {}
        if call.target is not None and isinstance(value, str):
            told = {"port": f":{value}" if value else "", "scheme": value, "host": value, "rest": value}
            host, _, port = value.partition(":")
            parts |= {"host": host, "port": f":{port}" if port else ""} if part == "both" else {part: told[part]}
            text = f"{parts['scheme']}://{parts['host']}{parts['port']}{parts['rest']}"
            yield from planner.plan_value(call.target, text, scope)

    return solve_part


_URL_PATTERN = re.compile(r"(?P<scheme>[a-z][a-z0-9+.-]*)://(?P<host>[^/:?]*)(?P<port>:\d+)?(?P<rest>[/?].*)?")


def _solve_prefix_length(planner: RuleSolver, call: Call, value: Any, scope: Scope) -> Iterator[ChangePlan]:
    text = planner.evaluate_constant(call.target, scope) if call.target else NOTHING
    if call.target is not None and isinstance(value, int):
        address = text.partition("/")[0] if isinstance(text, str) and "/" in text else ""
        for one in (address, _ADDRESS if value <= _LAST_OF_IPV4 else "", "2001:db8::"):
            yield from planner.plan_value(call.target, f"{one}/{value}", scope) if one else ()


_SOLVERS: Mapping[str, PlanFunction] = {
    "_+_": _solve_addition,
    "sum": _solve_addition,
    "_-_": _solve_subtraction,
    "_*_": _solve_multiplication,
    "_/_": _solve_division,
    "_%_": _solve_remainder,
    "compareTo": solve_comparison,
    "prefixLength": _solve_prefix_length,
    "getScheme": _make_url_part_solver("scheme"),
    "getHostname": _make_url_part_solver("host"),
    "getHost": _make_url_part_solver("both"),
    "getPort": _make_url_part_solver("port"),
    "getEscapedPath": _make_url_part_solver("rest"),
}
