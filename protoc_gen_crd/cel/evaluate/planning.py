"""From a checked tree to functions of a frame, one for each node, with what can be known beforehand worked out.

Lists and maps of constants, conversions of constants and membership in constant lists are, as on servers, which shows
in costs and in errors that come up before anything is evaluated. Source: cel-go v0.29 `interpreter/planner.go`,
`interpreter/decorators.go`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from protoc_gen_crd.cel.ast import (
    Call,
    Comprehension,
    Expr,
    Ident,
    ListExpr,
    Literal,
    MapExpr,
    Select,
    StructExpr,
)
from protoc_gen_crd.cel.check import Checked, Reference
from protoc_gen_crd.cel.cost.formulas import Fixed
from protoc_gen_crd.cel.cost.table import formula
from protoc_gen_crd.cel.environment import ALL_TYPED, Environment
from protoc_gen_crd.cel.library.functions.operators import matcher
from protoc_gen_crd.cel.library.messages import ENUMS, NAMELESS
from protoc_gen_crd.cel.overloads import Overload
from protoc_gen_crd.cel.types import BOOL, DOUBLE, DURATION, INT, TIMESTAMP, TYPE, UINT, Type, foreign
from protoc_gen_crd.cel.values import MISSING, CelError, Unreadable, Value, no_such_overload

from . import calls, folds, literals, logic, paths
from .frames import COST, VARIABLES, Frame, Plan, Run, Unfit, constant
from .paths import Choice, Step, Variable, Way

_CONVERSIONS = frozenset(("bool", "bytes", "double", "duration", "dyn", "int", "string", "timestamp", "type", "uint"))
_INDEXES = {"_[_]": False, "_[?_]": True, "_?._": True}
_STARTS_LATE = 32  # servers: a fold's value starts when it is looked at (cel-go 0.22)
_HIDES_ERRORS = 32  # the server that cannot tell errors from ranges of two variables (cel-go 0.22)
_STRICT = 37  # servers: `or` and `orValue` take optionals alone (cel-go 0.29)
_QUANTIFIERS = {"_&&_": False, "_||_": True}  # the steps of `all` and `exists`, and the value that decides
_APPENDING, _APPENDING_CONSTANT = 12, 2  # looking at the list so far, a list of one item if it is made, a sum
_SIMPLE = frozenset((BOOL, INT, UINT, DOUBLE, DURATION, TIMESTAMP))
_LAZY = frozenset(("format",))  # binary, but of cel-go's most general kind
_PATTERNED = frozenset(("matches", "find", "findAll"))
_UNSIZED = 28  # servers: an index that leads nowhere is told without the size of the list (cel-go 0.16)
_SEES_FAULTS = 28  # servers: an error is in no list, and none that is known says so (cel-go 0.16)
_UNNUMBERED = 28  # servers: a name without a value is told without the number of its node (cel-go 0.16)
_PRESENCE_COSTS = 28  # the server on which asking whether a field is there costs as much as looking at it


class Planner:
    """One method a kind of node. `places` says where in a frame the variables of the program are."""

    def __init__(self, checked: Checked, environment: Environment, variables: Sequence[str]) -> None:
        self.checked, self.environment, self.minor = checked, environment, environment.minor
        self.resolver = paths.Resolver(self.minor)
        self.globals = {name: VARIABLES + place for place, name in enumerate(variables)}
        self.scopes: list[dict[str, Run | int]] = []
        self.size = VARIABLES + len(variables)
        self.plans: dict[type[Expr], Callable[[Any], Plan]] = {
            Literal: lambda node: constant(node.value), Ident: self._looked_at, Select: self._looked_at,
            Call: self._call, ListExpr: self._list, MapExpr: self._map, StructExpr: self._struct,
            Comprehension: self._fold,
        }  # fmt: skip

    def plan(self, node: Expr) -> Plan:
        """How a node is evaluated."""
        return self.plans[type(node)](node)

    # ways

    def _looked_at(self, node: Expr) -> Plan:
        """The value at the end of a way, which costs 1 besides the steps unless it starts with a choice."""
        if self._names_constant(node):
            return constant(self._named(node))
        if isinstance(node, Select) and node.test_only and self.minor < _PRESENCE_COSTS:
            return Plan(logic.holding(self.plan(node.operand).run, node.field))
        way = self._way(node)
        if isinstance(way.start, Choice):
            run = self.resolver.run_of(way)
            refunded = isinstance(node, Select) and node.test_only and self.minor != _PRESENCE_COSTS
            return Plan(logic.refunded(run) if refunded else run)
        if way.steps and way.steps[-1].presence:
            return Plan(logic.present(self.resolver.run_of(way)))
        return Plan(self.resolver.run_of(way.replace(start=_paid(way.start))))

    def _names_constant(self, node: Expr) -> bool:
        """Whether a node names a type or an enum value."""
        reference = self.checked.references.get(node.id)
        if not isinstance(node, Ident | Select) or reference is None:
            return False
        return self.checked.types[node.id].kind == TYPE or reference.name.removeprefix(".") in ENUMS

    def _named(self, node: Expr) -> Value:
        written = self.checked.references[node.id].name
        name = written.removeprefix(".")
        if name in ENUMS:
            return ENUMS[name]
        if name in NAMELESS and self.minor < ALL_TYPED:
            return foreign(name)
        if name in NAMELESS or name not in self.environment.types:
            raise Unfit(f"reference to undefined type: {written}")
        return self.environment.types[name]

    def _way(self, node: Expr) -> Way:
        """A node as a way; what is none starts one."""
        reference = self.checked.references.get(node.id)
        if isinstance(node, Ident | Select) and reference is not None and not self._names_constant(node):
            return Way(Variable(*self._variable(reference.name, node.id), self.checked.types[node.id]))
        if isinstance(node, Select) and reference is None:
            step = Step(constant(node.field), presence=node.test_only, early=self.minor < _UNSIZED)
            return self._way(node.operand).and_then(step)
        if isinstance(node, Call) and node.function in _INDEXES:
            value, key = node.args
            way, step = (
                self._way(value),
                Step(self._key(key), optional=_INDEXES[node.function], early=self.minor < _UNSIZED),
            )
            return way.and_then(paths.checked(step))
        if isinstance(node, Call) and node.function == "_?_:_":
            condition, first, second = node.args
            return Way(Choice(self.plan(condition).run, self._way(first), self._way(second)))
        return Way(self.plan(node))

    def _key(self, node: Expr) -> Plan:
        """A key or index, of which the last step of a way is paid for as the step that it is the key of."""
        if isinstance(node, Literal):
            return constant(node.value)
        way = self._way(node)
        if isinstance(way.start, Plan):
            return Plan(self.resolver.run_of(way)) if way.steps else way.start
        return Plan(paths.readable(self.resolver.run_of(way)))

    def _variable(self, name: str, ident: int) -> tuple[Run, Run]:
        for scope in () if name.startswith(".") else reversed(self.scopes):
            found = scope.get(name)
            if found is not None:
                return (found, _with_cost(found)) if callable(found) else _at(found, self.resolver)
        told = f": id: {ident}, names: [{name}]" if self.minor < _UNNUMBERED else f"(s): {name}"
        missing = f"no such attribute{told}"
        if name.removeprefix(".") not in self.globals:
            run = logic.failing(missing)
            return run, _with_cost(run)
        return _at(self.globals[name.removeprefix(".")], self.resolver, missing if self.minor < _UNNUMBERED else "")

    # calls

    def _call(self, node: Call) -> Plan:
        if node.function in _INDEXES or node.function == "_?_:_":
            return self._looked_at(node)
        target = self.checked.target(node)
        operands = node.args if target is None else (target, *node.args)
        args = [self.plan(operand) for operand in operands]
        made = logic.OPERATORS.get(node.function)
        if made is not None and target is None:
            simple = all(self.checked.types[operand.id] in _SIMPLE for operand in operands)
            return Plan(made(args[0].run, args[-1].run, _of_1 if simple else self._charge))
        if len(args) == 2 and node.function in logic.OTHERWISE and target is not None:
            return Plan(logic.OTHERWISE[node.function](args[0].run, args[1].run, strict=self.minor >= _STRICT))
        return self._function(self.checked.references[node.id], args)

    def _charge(self, overload: str, function: str) -> calls.Charge | None:
        row = formula(overload, function, self.minor)
        return None if isinstance(row, Fixed) and row.charge((), None) == 1 else row.charge

    def _function(self, reference: Reference, args: Sequence[Plan]) -> Plan:
        name, only = reference.name, reference.overloads if len(reference.overloads) == 1 else ()
        if only and only[0].id == "in_list" and args[1].constant is not MISSING:
            members = literals.members(args[1].constant, forgiving=self.minor < _SEES_FAULTS)
            if members is not None:
                return members(args[0]) if callable(members) else members
        charge = self._charge(only[0].id if only else "", name)
        call = calls.Called(name, only or self._all(name), tuple(args), charge)
        lazy = (not only and name not in calls.UNGUARDED) or name in _LAZY
        body = calls.body_of(call, self.minor)
        if name in _PATTERNED and isinstance(args[1].constant, str):
            lazy, body = True, _prepared(name, args[1].constant, body)
        if name in _CONVERSIONS and len(args) == 1 and args[0].constant is not MISSING:
            return constant(_beforehand(body, args[0].constant))
        return Plan(calls.run_of(call, body, lazy=lazy))

    def _all(self, name: str) -> tuple[Overload, ...]:
        functions = self.environment.functions[name]
        return (*functions.plain, *functions.methods)

    # literals

    def _list(self, node: ListExpr) -> Plan:
        return literals.of_list([self.plan(element) for element in node.elements], frozenset(node.optionals))

    def _map(self, node: MapExpr) -> Plan:
        entries = [(self.plan(entry.key), self.plan(entry.value), entry.optional) for entry in node.entries]
        return literals.of_map(entries)

    def _struct(self, node: StructExpr) -> Plan:
        fields = [(field.name, self.plan(field.value).run, field.optional) for field in node.fields]
        return literals.of_struct(self.checked.references[node.id].name, fields, self.minor)

    # comprehensions

    def _fold(self, node: Comprehension) -> Plan:
        start, items = self.plan(node.accu_init), self.plan(node.iter_range)
        accumulator, first, second = self._places(node)
        self.scopes.append({node.accu_var: folds.looked_at(accumulator, start)})
        hidden = node.accu_var if self.minor >= _STARTS_LATE else ""
        named = (node.iter_var, first), (node.iter_var2, second)
        self.scopes.append({name: place for name, place in named if name not in ("", hidden)})
        over = folds.entries(items.run, pairs=bool(node.iter_var2), hides=self.minor == _HIDES_ERRORS)
        fold = folds.Fold(over, start, accumulator, first, second)
        looked_at = node.accu_var in self.checked.ast.text  # by its name, which servers before 1.33 do not hide
        short = None if looked_at else self._in_short(node, fold)
        if short is not None:
            del self.scopes[-2:]
            return Plan(short)
        condition, step = self.plan(node.condition), self.plan(node.step).run
        self.scopes.pop()
        result = self.plan(node.result).run
        self.scopes.pop()
        return Plan(folds.run_of(fold, condition, step, result, eager=self.minor < _STARTS_LATE))

    def _in_short(self, node: Comprehension, fold: folds.Fold) -> Run | None:
        """The evaluation of macros that are met everywhere, in one loop that costs what their expansions cost."""
        step = node.step
        if not isinstance(step, Call) or not isinstance(node.result, Ident):
            return None
        if step.function in _QUANTIFIERS and isinstance(node.condition, Call):
            return folds.quantified(fold, self.plan(step.args[1]).run, decisive=_QUANTIFIERS[step.function])
        predicate = None
        if step.function == "_?_:_" and isinstance(step.args[1], Call):
            predicate, step = step.args[0], step.args[1]
        if step.function != "_+_" or not isinstance(step.args[1], ListExpr):
            return None
        (element,) = step.args[1].elements
        holds, item = self.plan(predicate).run if predicate is not None else None, self.plan(element)
        return folds.collected(fold, holds, item.run, _APPENDING if item.constant is MISSING else _APPENDING_CONSTANT)

    def _places(self, node: Comprehension) -> tuple[int, int, int]:
        first = self.size + 1
        self.size += 3
        return first - 1, first, first + 1 if node.iter_var2 else 0


def _of_1(_: str, __: str) -> None:
    """The charge for comparing what has no size."""


def _at(place: int, resolver: paths.Resolver, missing: str = "") -> tuple[Run, Run]:
    """The value at a place in a frame, for nothing and for what looking at it costs; `missing` is said of none."""

    def failed(value: CelError) -> CelError:
        if missing and type(value) is CelError:
            return CelError(missing)
        return (Unreadable if resolver.tries and type(value) is Unreadable else CelError)(value.text)

    def variable(frame: Frame) -> Value:
        value = frame[place]
        if isinstance(value, CelError):
            raise failed(value)
        return value

    def paid(frame: Frame) -> Value:
        frame[COST] += 1
        value = frame[place]
        if isinstance(value, CelError):
            raise failed(value)
        return value

    return variable, paid


def _with_cost(run: Run) -> Run:
    def paid(frame: Frame) -> Value:
        frame[COST] += 1
        return run(frame)

    return paid


def _paid(start: Variable | Choice | Plan) -> Variable | Choice | Plan:
    if isinstance(start, Choice):
        return start
    return start.replace(run=start.paid if isinstance(start, Variable) else _with_cost(start.run))


def _prepared(name: str, pattern: str, body: Callable[..., Value]) -> Callable[..., Value]:
    """The body for a pattern that is known."""
    try:
        search = matcher(pattern)
    except CelError as error:
        raise Unfit(error.text) from None

    def prepared(text: Value, *others: Value) -> Value:
        if type(text) is Type:
            text = text.name  # servers look at Go's value, which of a type is its name
        if type(text) is not str or any(type(other) is not int for other in others[1:]):
            raise no_such_overload()
        return search(text) if name == "matches" else body(text, *others)

    return prepared


def _beforehand(body: Callable[..., Value], value: Value) -> Value:
    try:
        return body(value)
    except CelError as error:
        raise Unfit(error.text) from None
