"""A solver for CEL rules: changes of an object that make a rule true, found from the outermost expression inwards.

A plan may fail, since operands are solved independently; callers validate the result. The changes for CEL functions
are in `cel_function_hints`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import islice
from typing import Any

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.cel.parser.ast import Ast, Call, Constant, Expr, Ident, ListExpr, Literal, Select, Uint
from protoc_gen_crd.samples import expression_solver
from protoc_gen_crd.samples.cel_function_hints import (
    FUNCTION_HINTS,
    MACRO_HINTS,
    MAX_LENGTH,
    MAX_PLANS,
    ChangePlan,
    Scope,
)
from protoc_gen_crd.samples.path_changes import NOTHING, PathChange, ValuePath, apply_changes, get_at
from protoc_gen_crd.samples.sample_validator import count_parts
from protoc_gen_crd.schema.schema import Json

_SMALL = 500  # parts of a value that plans can be applied to while they are combined
_WRAPPERS = (
    "int",
    "uint",
    "double",
    "string",
    "dyn",
    "duration",
    "timestamp",
    "quantity",
    "url",
    "ip",
    "cidr",
    "semver",
)


class RuleSolver:
    """A generator of plans for one rule and one value.

    `fill` returns likely values for a path, `resolve_field` the property of a CEL field at a path, `literals` are the
    values that rules compare fields with, by field name.
    """

    def __init__(
        self,
        ast: Ast,
        value: Json,
        fill: Callable[[ValuePath], Iterable[Json]],
        resolve_field: Callable[[ValuePath, str], str],
        literals: Mapping[str, Sequence[Json]],
    ) -> None:
        self.ast, self.value, self.fill, self.resolve_field, self.literals = ast, value, fill, resolve_field, literals

    def generate_plans(self) -> Iterator[ChangePlan]:
        """Generate plans that may make the rule true; those derived from the expression first."""
        yield from self.plan_result(self.ast.root, True, {"self": ()})
        yield from self._generate_rough_plans()

    def plan_result(self, expr: Expr, expected: bool, scope: Scope) -> Iterator[ChangePlan]:
        """Plan changes that may give an expression this boolean result."""
        macro = self.ast.calls.get(expr.id)
        if macro is not None and macro.function in MACRO_HINTS:
            yield from MACRO_HINTS[macro.function](self, macro, expected, scope)
        elif isinstance(expr, Select):
            yield from self.plan_select(expr, expected, scope)
        elif isinstance(expr, Literal):
            if expr.value is expected:
                yield ()
        elif isinstance(expr, Call) and expr.function in FUNCTION_HINTS:
            yield from FUNCTION_HINTS[expr.function](self, expr, expected, scope)
        elif (path := self.find_path(expr, scope)) is not None:
            yield (PathChange(path, expected),)
        else:
            yield ()  # it may have the result already

    def plan_select(self, expr: Select, expected: bool, scope: Scope) -> Iterator[ChangePlan]:
        """Plan changes for a boolean field, or for the existence of a field (`test_only`)."""
        path = self.find_path(expr.replace(test_only=False), scope)
        if path is None:
            return
        if not expr.test_only:
            yield (PathChange(path, expected),)
        elif not expected:
            yield (PathChange(path, NOTHING),)
        elif get_at(self.value, path) is not NOTHING:
            yield ()
        else:
            yield from ((PathChange(path, value),) for value in self.fill(path))

    def find_path(self, expr: Expr, scope: Scope) -> ValuePath | None:
        """Return the path that an expression reads; None if it computes a value."""
        match expr:
            case Ident():
                return scope.get(expr.name)
            case Select(test_only=False):
                parent = self.find_path(expr.operand, scope)
                return None if parent is None else (*parent, self.resolve_field(parent, expr.field))
            case Call(function="_[_]" | "_?._" | "_[?_]") if isinstance(expr.args[1], Literal):
                parent, step = self.find_path(expr.args[0], scope), expr.args[1].value
                return (*parent, step) if parent is not None and isinstance(step, str | int) else None
            case Call() if (inner := _get_passed_operand(expr)) is not None:
                return self.find_path(inner, scope)
        return None

    def evaluate_constant(self, expr: Expr, scope: Scope) -> Any:
        """Return the current value of an expression, NOTHING if it is unknown."""
        match expr:
            case Literal():
                return _to_json_value(expr.value)
            case ListExpr():
                values = [self.evaluate_constant(element, scope) for element in expr.elements]
                return NOTHING if NOTHING in values else values
            case Call(function="-_"):
                inner = self.evaluate_constant(expr.args[0], scope)
                return -inner if isinstance(inner, int | float) else NOTHING
            case Call() if expr.function in _WRAPPERS and len(expr.args) == 1:
                return self.evaluate_constant(expr.args[0], scope)
        return self._evaluate(expr, scope)

    def _evaluate(self, expr: Expr, scope: Scope) -> Any:
        sized_path, path = self._find_sized_path(expr, scope), self.find_path(expr, scope)
        if sized_path is not None:
            sized_value = get_at(self.value, sized_path)
            return len(sized_value) if isinstance(sized_value, str | list | dict) else 0
        if path is None and isinstance(expr, Call):
            return expression_solver.evaluate_call(self, expr, scope)
        return NOTHING if path is None else get_at(self.value, path)

    def _find_sized_path(self, expr: Expr, scope: Scope) -> ValuePath | None:
        """Return the path whose size an expression computes."""
        if isinstance(expr, Call) and expr.function == "size":
            return self.find_path(expr.target or expr.args[0], scope)
        return None

    def plan_value(self, expr: Expr, value: Any, scope: Scope) -> Iterator[ChangePlan]:
        """Plan changes that give an expression a value."""
        if value is NOTHING:
            return
        if isinstance(expr, ListExpr):
            yield from self._plan_elements(expr, value, scope)
        sized_path = self._find_sized_path(expr, scope)
        if sized_path is not None and isinstance(value, int):
            yield from self._plan_size(sized_path, value)
        path = self.find_path(expr, scope)
        if path is not None and sized_path is None:
            current = get_at(self.value, path)
            yield (PathChange(path, str(value) if isinstance(current, str) else value),)
        elif path is None and sized_path is None and isinstance(expr, Call):
            yield from expression_solver.solve_call(self, expr, value, scope)

    def _plan_elements(self, expr: ListExpr, value: Any, scope: Scope) -> Iterator[ChangePlan]:
        """Plan changes that give each element of a list its value."""
        if isinstance(value, list) and len(value) == len(expr.elements):
            plans = [next(self.plan_value(*pair, scope), None) for pair in zip(expr.elements, value, strict=True)]
            if None not in plans:
                yield tuple(change for plan in plans for change in plan or ())

    def _plan_size(self, path: ValuePath, size: int) -> Iterator[ChangePlan]:
        value = get_at(self.value, path)
        if not 0 <= size <= MAX_LENGTH:
            return
        for filled in [value] if value is not NOTHING else self.fill(path):
            if isinstance(filled, str):
                yield (PathChange(path, (filled + (filled[-1:] or "a") * size)[:size]),)
            elif isinstance(filled, list) and (filled or not size):
                yield (PathChange(path, [filled[min(index, len(filled) - 1)] for index in range(size)]),)
            elif isinstance(filled, dict) and len(filled) >= size:
                yield (PathChange(path, dict(islice(filled.items(), size))),)

    def plan_all(self, parts: Sequence[tuple[Expr, bool]], scope: Scope) -> Iterator[ChangePlan]:
        """Plan changes that give every expression its result."""
        if not parts:
            yield ()
            return
        (expr, expected), rest = parts[0], parts[1:]
        for plan in islice(self.plan_result(expr, expected, scope), MAX_PLANS):
            yield from (plan + other for other in islice(self.apply_plan(plan).plan_all(rest, scope), MAX_PLANS))

    def apply_plan(self, plan: ChangePlan) -> RuleSolver:
        """Return a planner for the value after a plan; for large values the planner itself, to save time."""
        if not plan or not self._is_small:
            return self
        return RuleSolver(self.ast, apply_changes(self.value, plan), self.fill, self.resolve_field, self.literals)

    @cached_property
    def _is_small(self) -> bool:
        return count_parts(self.value) <= _SMALL

    def _generate_rough_plans(self) -> Iterator[ChangePlan]:
        """Generate plans for any rule: remove what it refers to, then fill it, then use the literals of the rule."""
        referenced = list(dict.fromkeys(self._find_referenced_paths(self.ast.root, {"self": ()})))
        yield from ((PathChange(path, NOTHING),) for path in referenced)
        yield tuple(PathChange(path, NOTHING) for path in referenced)
        for kept in referenced:
            yield tuple(PathChange(path, NOTHING) for path in referenced if path != kept and path != kept[: len(path)])
        for path in referenced:
            current = get_at(self.value, path)
            if isinstance(current, list) and len(current) > 1:
                yield (PathChange(path, current[:1]),)
            if not isinstance(current, list | dict):
                yield from ((PathChange(path, value),) for value in self.fill(path))
        literals = [_to_json_value(expr.value) for expr in walk_expression(self.ast.root) if isinstance(expr, Literal)]
        for path in referenced:
            yield from ((PathChange(path, literal),) for literal in literals if literal is not NOTHING)

    def _find_referenced_paths(self, expr: Expr, scope: Scope) -> Iterator[ValuePath]:
        """Yield the paths that an expression refers to."""
        for part in walk_expression(expr):
            if isinstance(part, Select | Call):
                path = self.find_path(part.replace(test_only=False) if isinstance(part, Select) else part, scope)
                if path:
                    yield path


def _get_passed_operand(call: Call) -> Expr | None:
    """Return the operand that a call returns unchanged or converted; None for other calls."""
    if call.function == "_?_:_":
        return call.args[1]
    if call.function == "orValue":
        return call.target
    return call.args[0] if call.function in _WRAPPERS and len(call.args) == 1 else None


def _to_json_value(value: Constant) -> Any:
    """Return a constant as a JSON value, NOTHING if JSON has none."""
    if isinstance(value, bytes):
        return NOTHING
    return int(value) if isinstance(value, Uint) else value


def collect_literals(asts: Iterable[Ast]) -> dict[str, list[Json]]:
    """Return the literals that rules compare fields with, by the names of the fields in CEL."""
    literals: dict[str, list[Json]] = {}
    for call in (expr for ast in asts for expr in walk_expression(ast.root) if isinstance(expr, Call)):
        if call.function not in ("_==_", "_!=_", "@in"):
            continue
        for field, operand in (call.args, call.args[::-1]):
            exprs = operand.elements if isinstance(operand, ListExpr) else (operand,)
            values = [_to_json_value(expr.value) for expr in exprs if isinstance(expr, Literal)]
            if isinstance(field, Select):
                literals.setdefault(field.field, []).extend(
                    value for value in values if value not in ("", None, NOTHING)
                )
    return literals


def walk_expression(expr: Any) -> Iterator[Expr]:
    """Yield an expression and all its subexpressions."""
    if isinstance(expr, Expr):
        yield expr
    if isinstance(expr, Record):
        for field in type(expr)._fields:
            yield from walk_expression(getattr(expr, field))
    elif isinstance(expr, tuple):
        for part in expr:
            yield from walk_expression(part)
