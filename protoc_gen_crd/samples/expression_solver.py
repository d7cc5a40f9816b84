"""A solver for expressions: their constant values, and changes that make them return a value.

It supports rules that relate numbers, addresses, versions and strings. Other functions yield no changes.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from protoc_gen_crd.cel.parser.ast import Call, Expr, Ident
from protoc_gen_crd.samples.path_changes import NOTHING, get_at

if TYPE_CHECKING:
    from protoc_gen_crd.samples.cel_function_hints import ChangePlan, Scope
    from protoc_gen_crd.samples.rule_solver import RuleSolver

PlanFunction = Callable[["RuleSolver", Call, Any, "Scope"], "Iterator[ChangePlan]"]

PARSED: Mapping[str, str] = {  # functions that check whether a string can be parsed, and a string that can
    "isCIDR": "192.0.2.0/24",
    "isIP": "192.0.2.1",
    "isQuantity": "1",
    "isSemver": "1.0.0",
    "isURL": "https://example.com",
}
_ADDRESS = "192.0.2.0"  # reserved for documentation, as is the host
_URL = "https://example.com"
_LAST_OF_IPV4 = 32
_ITEM = "an item"  # not a valid CEL identifier, so no variable has this name


def evaluate_call(planner: RuleSolver, call: Call, scope: Scope) -> Any:
    """Return the current value of a call, NOTHING if it is unknown."""
    if call.function in _ARITHMETIC and len(call.args) == 2:
        first, second = (planner.evaluate_constant(arg, scope) for arg in call.args)
        numbers = isinstance(first, int | float) and isinstance(second, int | float)
        if numbers or (call.function == "_+_" and type(first) is type(second) is str):
            return _compute(call.function, first, second)
    terms = _list_terms(planner, call, scope)
    if len(terms) > 1 or call.function == "sum":
        return _add_values([planner.evaluate_constant(*term) for term in terms])
    return NOTHING


def _compute(function: str, first: Any, second: Any) -> Any:
    if function in ("_/_", "_%_") and not second:
        return NOTHING
    whole = isinstance(first, int) and isinstance(second, int)
    result = _ARITHMETIC[function](first, second)
    return int(result) if whole else result


def _add_values(values: Sequence[Any]) -> Any:
    return sum(values) if all(isinstance(value, int | float) for value in values) else NOTHING


_ARITHMETIC: Mapping[str, Callable[[Any, Any], Any]] = {
    "_+_": operator.add,
    "_-_": operator.sub,
    "_*_": operator.mul,
    "_/_": operator.truediv,
    "_%_": operator.mod,
}


def expand_list(planner: RuleSolver, expr: Expr | None, scope: Scope) -> list[tuple[Expr, Scope]] | None:
    """Return the items of a list, or of the result of `map`, as expressions with their scopes; None if unknown."""
    macro = planner.ast.calls.get(expr.id) if expr is not None else None
    if macro is not None and macro.function == "map" and len(macro.args) == 2 and isinstance(macro.args[0], Ident):
        inner = expand_list(planner, macro.target, scope)
        path = planner.find_path(macro.target, scope) if macro.target else None
        if inner is None or path is None:
            return None
        name = macro.args[0].name
        return [(macro.args[1], {**scope, name: (*path, index)}) for index in range(len(inner))]
    path = planner.find_path(expr, scope) if expr is not None else None
    items = NOTHING if path is None else get_at(planner.value, path)
    if path is None or not isinstance(items, list):
        return None
    return [(Ident(0, 0, _ITEM), {**scope, _ITEM: (*path, index)}) for index in range(len(items))]


def _list_terms(planner: RuleSolver, expr: Expr, scope: Scope) -> list[tuple[Expr, Scope]]:
    """Return the terms of a sum as expressions with their scopes."""
    if isinstance(expr, Call) and expr.function == "_+_":
        return [term for arg in expr.args for term in _list_terms(planner, arg, scope)]
    if isinstance(expr, Call) and expr.function == "sum":
        return expand_list(planner, expr.target, scope) or []
    return [(expr, scope)]


def solve_call(planner: RuleSolver, call: Call, value: Any, scope: Scope) -> Iterator[ChangePlan]:
    """Plan changes with which a call returns a value."""
    if call.function in _SOLVERS:
        yield from _SOLVERS[call.function](planner, call, value, scope)


def _solve_addition(planner: RuleSolver, call: Call, value: Any, scope: Scope) -> Iterator[ChangePlan]:
    """Plan a sum: change one term and keep the others, or give all terms equal shares and the first the remainder."""
    terms = _list_terms(planner, call, scope)
    values = [planner.evaluate_constant(*term) for term in terms]
    if not isinstance(value, int | float) or not terms:
        return
    for index, (expr, term_scope) in enumerate(terms):
        rest = _add_values([other for position, other in enumerate(values) if position != index])
        if rest is not NOTHING:
            yield from planner.plan_value(expr, value - rest, term_scope)
    share = value // len(terms)
    shares = [value - share * (len(terms) - 1), *[share] * (len(terms) - 1)]
    plans = [
        next(planner.plan_value(expr, part, term_scope), None)
        for (expr, term_scope), part in zip(terms, shares, strict=True)
    ]
    if None not in plans:
        yield tuple(change for plan in plans for change in plan or ())


def _solve_subtraction(planner: RuleSolver, call: Call, value: Any, scope: Scope) -> Iterator[ChangePlan]:
    yield from _solve_operands(planner, call, scope, lambda second: value + second, lambda first: first - value)


def _solve_multiplication(planner: RuleSolver, call: Call, value: Any, scope: Scope) -> Iterator[ChangePlan]:
    def divide_exactly(other: Any) -> Any:
        return value // other if other and not value % other else NOTHING

    yield from _solve_operands(planner, call, scope, divide_exactly, divide_exactly)


def _solve_division(planner: RuleSolver, call: Call, value: Any, scope: Scope) -> Iterator[ChangePlan]:
    yield from _solve_operands(planner, call, scope, lambda second: value * second, lambda _: NOTHING)


def _solve_operands(
    planner: RuleSolver, call: Call, scope: Scope, solve_first: Callable[[Any], Any], solve_second: Callable[[Any], Any]
) -> Iterator[ChangePlan]:
    """Plan either operand, computed from the value of the other one."""
    first, second = (planner.evaluate_constant(arg, scope) for arg in call.args)
    if isinstance(second, int | float):
        yield from planner.plan_value(call.args[0], solve_first(second), scope)
    if isinstance(first, int | float):
        yield from planner.plan_value(call.args[1], solve_second(first), scope)


def _solve_remainder(planner: RuleSolver, call: Call, value: Any, scope: Scope) -> Iterator[ChangePlan]:
    first, second = (planner.evaluate_constant(arg, scope) for arg in call.args)
    if isinstance(first, int) and isinstance(second, int) and second and isinstance(value, int):
        yield from planner.plan_value(call.args[0], first - first % second + value, scope)
    yield from planner.plan_value(call.args[0], value, scope)


def solve_comparison(planner: RuleSolver, call: Call, value: Any, scope: Scope) -> Iterator[ChangePlan]:
    """Plan changes with which `compareTo` returns a value."""
    if isinstance(value, int) and call.target is not None:
        for left, right, step in ((call.target, call.args[0], value), (call.args[0], call.target, -value)):
            operand = planner.evaluate_constant(right, scope)
            if isinstance(operand, str):
                yield from planner.plan_value(left, step_value(operand, step), scope)


_TIME = re.compile(r"20[0-9]{2}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1[0-9]|2[0-8])T[01][0-9]:[0-5][0-9]:[0-5][0-9]Z")


def step_value(value: str, step: int) -> str:
    """Return a slightly greater or smaller string of an ordered type: quantity, version, time or duration."""
    if not step:
        return value
    if _TIME.fullmatch(value):
        from datetime import datetime, timedelta  # noqa: PLC0415 - few rules compare times

        moved = datetime.fromisoformat(value) + timedelta(days=step)
        return moved.isoformat().replace("+00:00", "Z")
    numbers = [match for match in re.finditer(r"\d+", value) if int(match[0]) + step >= 0]
    if not numbers:
        return f"{value}-{abs(step)}"
    changed = numbers[-1] if "." in value else numbers[0]
    return f"{value[: changed.start()]}{int(changed[0]) + step}{value[changed.end() :]}"


def is_stepped(first: str, second: str, step: int) -> bool:
    """Check whether a string is greater (or less, for a negative step) than another one, by their numbers."""
    numbers = [[int(number) for number in re.findall(r"\d+", value)] for value in (first, second)]
    return numbers[0] > numbers[1] if step > 0 else numbers[0] < numbers[1]


def generate_addresses(around: Any, inside: Any, *, whole: bool, contained: bool) -> Iterator[tuple[str, str]]:
    """Generate address ranges, each with a range (if `whole`) or address inside it; outside it unless `contained`."""
    outer = around if isinstance(around, str) and _RANGE.fullmatch(around) else ""
    inner = inside if isinstance(inside, str) and _RANGE.match(inside) else ""
    for network in filter(None, (outer, f"{_ADDRESS}/24")):
        address = network.partition("/")[0] if contained else "2001:db8:ffff::1" if "." in network else "203.0.113.1"
        yield network, (network if contained else f"{address}/{128 if ':' in address else 32}") if whole else address
    if inner and contained:
        prefix_length = "/64" if ":" in inner else "/24"
        yield inner if "/" in inner else f"{inner}{prefix_length}", inner


_RANGE = re.compile(r"[0-9a-f.:]*[.:][0-9a-f.:]*(?:/[0-9]+)?")


def _make_url_part_solver(part: str) -> PlanFunction:
    def solve_part(planner: RuleSolver, call: Call, value: Any, scope: Scope) -> Iterator[ChangePlan]:
        url = planner.evaluate_constant(call.target, scope) if call.target else NOTHING
        match = (_URL_PATTERN.fullmatch(url) if isinstance(url, str) else None) or _URL_PATTERN.fullmatch(_URL)
        parts = dict(match.groupdict("")) if match else {}
        if call.target is not None and isinstance(value, str):
            replacements = {"port": f":{value}" if value else "", "scheme": value, "host": value, "rest": value}
            host, _, port = value.partition(":")
            parts |= (
                {"host": host, "port": f":{port}" if port else ""} if part == "both" else {part: replacements[part]}
            )
            url = f"{parts['scheme']}://{parts['host']}{parts['port']}{parts['rest']}"
            yield from planner.plan_value(call.target, url, scope)

    return solve_part


_URL_PATTERN = re.compile(r"(?P<scheme>[a-z][a-z0-9+.-]*)://(?P<host>[^/:?]*)(?P<port>:\d+)?(?P<rest>[/?].*)?")


def _solve_prefix_length(planner: RuleSolver, call: Call, value: Any, scope: Scope) -> Iterator[ChangePlan]:
    current = planner.evaluate_constant(call.target, scope) if call.target else NOTHING
    if call.target is not None and isinstance(value, int):
        address = current.partition("/")[0] if isinstance(current, str) and "/" in current else ""
        for network in (address, _ADDRESS if value <= _LAST_OF_IPV4 else "", "2001:db8::"):
            yield from planner.plan_value(call.target, f"{network}/{value}", scope) if network else ()


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
