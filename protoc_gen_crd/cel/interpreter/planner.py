"""Compilation of a checked tree to functions of a frame, one per node, with constants evaluated in advance.

As on servers, lists and maps of constants, conversions of constants, and membership in constant lists are evaluated in
advance. This affects costs, and errors that occur before any evaluation. Source: cel-go v0.29 `interpreter/planner.go`,
`interpreter/decorators.go`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from protoc_gen_crd.cel.checker.checker import CheckedAst, Reference
from protoc_gen_crd.cel.checker.overloads import Overload
from protoc_gen_crd.cel.checker.types import (
    BOOL,
    DOUBLE,
    DURATION,
    INT,
    OBJECT,
    OPAQUE,
    TIMESTAMP,
    UINT,
    Type,
    make_undeclared_object,
)
from protoc_gen_crd.cel.constant_folding import CONVERSIONS, INDEXES, PATTERN_FUNCTIONS, is_constant_name
from protoc_gen_crd.cel.cost.cost_formulas import FixedCost
from protoc_gen_crd.cel.cost.function_costs import find_formula, list_other_formulas
from protoc_gen_crd.cel.environment import Environment, get_stored_environment
from protoc_gen_crd.cel.library.declarations.messages import ENUMS, NAMELESS
from protoc_gen_crd.cel.library.functions.operators import compile_matcher
from protoc_gen_crd.cel.parser.ast import (
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
from protoc_gen_crd.cel.values.runtime_values import MISSING, CelError, Unreadable, Value, make_no_such_overload
from protoc_gen_crd.cel.version_differences import (
    COSTLY_PRESENCE_TESTS,
    ERROR_VARIABLES,
    FOLD_START,
    HIDDEN_FOLD_ERRORS,
    PRESENCE_ATTRIBUTES,
    STRICT_OPTIONALS,
    TYPED_OPERATORS,
    UNNUMBERED_NAMES,
)
from protoc_gen_crd.kubernetes.shared_results import RequestSwitches, Switches
from protoc_gen_crd.kubernetes.supported_versions import Switch

from . import attributes, collection_literals, comprehensions, function_calls, logical_operators
from .attributes import Attribute, ConditionalAttribute, Qualifier, VariableAttribute
from .evaluation_frame import COST, VARIABLES, Evaluation, Frame, Interpretable, PlanningError, make_constant

T = TypeVar("T")
_QUANTIFIERS = {"_&&_": False, "_||_": True}  # the step functions of `all` and `exists`, and their decisive values
_APPENDING, _APPENDING_CONSTANT = 12, 2  # cost of reading the list, creating a list of one item (if any), and adding
# Shortcut simple-comparisons: values of these types have size 1, so comparing them costs 1.
_SIMPLE = frozenset((BOOL, INT, UINT, DOUBLE, DURATION, TIMESTAMP))
_LAZY = frozenset(("format",))  # binary, but planned by cel-go as a call with any number of arguments


class Planner:
    """The planner with one method per kind of node. `globals` has the slots of the program's variables.

    A difference between versions that every evaluation meets is read here, all others when they occur.
    """

    def __init__(
        self, checked: CheckedAst, environment: Environment, variables: Sequence[str], switches: Switches
    ) -> None:
        self.checked, self.environment, self.switches = checked, environment, switches
        self.is_plain = not any(map(_holds_abstract_value, checked.types.values()))
        self.resolver = attributes.AttributeResolver(switches, optionals=not self.is_plain)
        self.globals = {name: VARIABLES + place for place, name in enumerate(variables)}
        self.scopes: list[dict[str, Evaluation | int]] = []
        self.size = VARIABLES + len(variables)
        self.plans: dict[type[Expr], Callable[[Any], Interpretable]] = {
            Literal: lambda node: make_constant(node.value), Ident: self._plan_attribute, Select: self._plan_attribute,
            Call: self._plan_call, ListExpr: self._plan_create_list, MapExpr: self._plan_create_map,
            StructExpr: self._plan_create_struct,
            Comprehension: self._plan_comprehension,
        }  # fmt: skip

    def plan(self, node: Expr) -> Interpretable:
        """Plan the evaluation of a node."""
        return self.plans[type(node)](node)

    # attributes

    def _has(self, switch: Switch) -> bool:
        return switch in self.switches.lasting

    def _plan_attribute(self, node: Expr) -> Interpretable:
        """Plan the value of an attribute, which costs 1 besides its qualifiers unless it starts with a conditional."""
        if is_constant_name(node, self.checked):
            return make_constant(self._get_constant(node))
        attribute = self._make_attribute(node)
        if isinstance(node, Select) and node.test_only:
            plain = attributes.is_plain(attribute)
            lasting = self.switches.lasting
            if lasting.lacks(PRESENCE_ATTRIBUTES) if plain else PRESENCE_ATTRIBUTES not in lasting:
                return Interpretable(logical_operators.plan_legacy_has(self.plan(node.operand).run, node.field))
            if plain:
                run = logical_operators.plan_plain_has(self.resolver.plan_attribute(attribute), self.switches)
                return Interpretable(run)
        if isinstance(attribute.operand, ConditionalAttribute):
            run = self.resolver.plan_attribute(attribute)
            refunded = isinstance(node, Select) and node.test_only and not self._has(COSTLY_PRESENCE_TESTS)
            return Interpretable(logical_operators.plan_refunded(run) if refunded else run)
        if attribute.qualifiers and attribute.qualifiers[-1].presence:
            return Interpretable(logical_operators.plan_has(self.resolver.plan_attribute(attribute)))
        return Interpretable(
            self.resolver.plan_attribute(attribute.replace(operand=_get_charged_start(attribute.operand)))
        )

    def _get_constant(self, node: Expr) -> Value:
        written = self.checked.references[node.id].name
        name = written.removeprefix(".")
        if name in ENUMS:
            return ENUMS[name]
        if name in NAMELESS and not self._has(TYPED_OPERATORS):
            return make_undeclared_object(name)
        kind = self._look_up(lambda environment: environment.types.get(name))
        if name in NAMELESS or kind is None:
            raise PlanningError(f"reference to undefined type: {written}")
        return kind

    def _look_up(self, get: Callable[[Environment], T]) -> T:
        """Look up something in the environment, and record the versions in which it is the same."""
        self.switches.lasting.evaluate(lambda minor: get(get_stored_environment(minor)))
        return get(self.environment)

    def _make_attribute(self, node: Expr) -> Attribute:
        """Return a node as an attribute; a node that is none starts one."""
        reference = self.checked.references.get(node.id)
        if isinstance(node, Ident | Select) and reference is not None and not is_constant_name(node, self.checked):
            return Attribute(
                VariableAttribute(*self._plan_variable(reference.name, node.id), self.checked.types[node.id])
            )
        if isinstance(node, Select) and reference is None:
            step = Qualifier(make_constant(node.field), self.switches, presence=node.test_only)
            return self._make_attribute(node.operand).add_qualifiers(step)
        if isinstance(node, Call) and node.function in INDEXES:
            value, key = node.args
            attribute, step = (
                self._make_attribute(value),
                Qualifier(self._plan_key(key), self.switches, optional=INDEXES[node.function]),
            )
            return attribute.add_qualifiers(attributes.check_qualifier(step))
        if isinstance(node, Call) and node.function == "_?_:_":
            condition, first, second = node.args
            return Attribute(
                ConditionalAttribute(
                    self.plan(condition).run, self._make_attribute(first), self._make_attribute(second)
                )
            )
        return Attribute(self.plan(node))

    def _plan_key(self, node: Expr) -> Interpretable:
        """Plan a key or index; an attribute as a key costs only its qualifiers."""
        if isinstance(node, Literal):
            return make_constant(node.value)
        attribute = self._make_attribute(node)
        if isinstance(attribute.operand, Interpretable):
            return Interpretable(self.resolver.plan_attribute(attribute)) if attribute.qualifiers else attribute.operand
        return Interpretable(attributes.plan_key(self.resolver.plan_attribute(attribute)))

    def _plan_variable(self, name: str, ident: int) -> tuple[Evaluation, Evaluation]:
        for scope in () if name.startswith(".") else reversed(self.scopes):
            slot = scope.get(name)
            if slot is not None:
                return (slot, _add_lookup_cost(slot)) if callable(slot) else _plan_slot(slot, self.switches)
        numbered = f"no such attribute: id: {ident}, names: [{name}]"
        if name.removeprefix(".") not in self.globals:
            missing = f"no such attribute(s): {name}" if self._has(UNNUMBERED_NAMES) else numbered
            run = logical_operators.make_failing(missing)
            return run, _add_lookup_cost(run)
        return _plan_slot(self.globals[name.removeprefix(".")], self.switches, numbered)

    # calls

    def _plan_call(self, node: Call) -> Interpretable:
        if node.function in INDEXES or node.function == "_?_:_":
            return self._plan_attribute(node)
        target = self.checked.find_target(node)
        operands = node.args if target is None else (target, *node.args)
        args = [self.plan(operand) for operand in operands]
        operator = logical_operators.OPERATORS.get(node.function)
        if operator is not None and target is None:
            simple = all(self.checked.types[operand.id] in _SIMPLE for operand in operands)
            return Interpretable(operator(args[0].run, args[-1].run, _charge_nothing if simple else self._find_charge))
        if len(args) == 2 and node.function in logical_operators.OPTIONAL_OPERATORS and target is not None:
            return Interpretable(
                logical_operators.OPTIONAL_OPERATORS[node.function](
                    args[0].run, args[1].run, strict=self._has(STRICT_OPTIONALS)
                )
            )
        return self._plan_function(self.checked.references[node.id], args)

    def _find_charge(self, overload: str, function: str) -> function_calls.Charge | None:
        row = find_formula(overload, function, self.switches.minor)
        others = list_other_formulas(overload, function, self.switches.minor, plain=self.is_plain)
        if others and isinstance(self.switches, RequestSwitches):
            return function_calls.make_compared_charge(row.charge, others, self.switches)
        return None if isinstance(row, FixedCost) and row.charge((), None) == 1 else row.charge

    def _plan_function(self, reference: Reference, args: Sequence[Interpretable]) -> Interpretable:
        name, only = reference.name, reference.overloads if len(reference.overloads) == 1 else ()
        if only and only[0].id == "in_list" and args[1].constant is not MISSING:
            members = collection_literals.plan_membership(args[1].constant, self.switches)
            if members is not None:
                return members(args[0]) if callable(members) else members
        charge = self._find_charge(only[0].id if only else "", name)
        call = function_calls.ResolvedCall(name, only or self._list_overloads(name), tuple(args), charge)
        lazy = (not only and name not in function_calls.UNGUARDED) or name in _LAZY
        body = function_calls.make_body(call, self.switches)
        if name in PATTERN_FUNCTIONS and isinstance(args[1].constant, str):
            lazy, body = True, _compile_pattern(name, args[1].constant, body)
        if name in CONVERSIONS and len(args) == 1 and args[0].constant is not MISSING:
            return make_constant(_evaluate_constant(body, args[0].constant))
        return Interpretable(function_calls.plan_call(call, body, lazy=lazy))

    def _list_overloads(self, name: str) -> tuple[Overload, ...]:
        function = self._look_up(lambda environment: environment.functions.get(name))
        return (*function.plain, *function.methods) if function else ()

    # literals

    def _plan_create_list(self, node: ListExpr) -> Interpretable:
        return collection_literals.plan_list(
            [self.plan(element) for element in node.elements], frozenset(node.optionals)
        )

    def _plan_create_map(self, node: MapExpr) -> Interpretable:
        entries = [(self.plan(entry.key), self.plan(entry.value), entry.optional) for entry in node.entries]
        return collection_literals.plan_map(entries)

    def _plan_create_struct(self, node: StructExpr) -> Interpretable:
        fields = [(field.name, self.plan(field.value).run, field.optional) for field in node.fields]
        return collection_literals.plan_struct(self.checked.references[node.id].name, fields, self.switches)

    # comprehensions

    def _plan_comprehension(self, node: Comprehension) -> Interpretable:
        start, items = self.plan(node.accu_init), self.plan(node.iter_range)
        accumulator, first, second = self._allocate_slots(node)
        self.scopes.append({node.accu_var: comprehensions.plan_accumulator(accumulator, start)})
        is_named = node.accu_var in (node.iter_var, node.iter_var2)
        hidden = node.accu_var if is_named and self._has(FOLD_START) else ""
        named = (node.iter_var, first), (node.iter_var2, second)
        self.scopes.append({name: place for name, place in named if name not in ("", hidden)})
        pairs = bool(node.iter_var2)
        over = comprehensions.plan_entries(items.run, pairs=pairs, hides=pairs and self._has(HIDDEN_FOLD_ERRORS))
        fold = comprehensions.ComprehensionLoop(over, start, accumulator, first, second)
        looked_at = node.accu_var in self.checked.ast.source  # by its name, which servers before 1.33 do not hide
        short = None if looked_at else self._plan_common_macro(node, fold)
        if short is not None:
            del self.scopes[-2:]
            return Interpretable(short)
        condition, step = self.plan(node.condition), self.plan(node.step).run
        self.scopes.pop()
        result = self.plan(node.result).run
        self.scopes.pop()
        return Interpretable(
            comprehensions.plan_fold(
                fold, condition, step, result, eager=start.constant is MISSING and not self._has(FOLD_START)
            )
        )

    def _plan_common_macro(self, node: Comprehension, fold: comprehensions.ComprehensionLoop) -> Evaluation | None:
        """Plan the common macros in one loop, with the costs of their expansions.

        Shortcut common-macros: the loop does what the expansion does, in its order and for its cost, which nothing but
        a look at the accumulator can distinguish.
        """
        step = node.step
        if not isinstance(step, Call) or not isinstance(node.result, Ident):
            return None
        if step.function in _QUANTIFIERS and isinstance(node.condition, Call):
            return comprehensions.plan_quantifier(
                fold, self.plan(step.args[1]).run, decisive=_QUANTIFIERS[step.function]
            )
        predicate = None
        if step.function == "_?_:_" and isinstance(step.args[1], Call):
            predicate, step = step.args[0], step.args[1]
        if step.function != "_+_" or not isinstance(step.args[1], ListExpr):
            return None
        (element,) = step.args[1].elements
        holds, item = self.plan(predicate).run if predicate is not None else None, self.plan(element)
        return comprehensions.plan_map_or_filter(
            fold, holds, item.run, _APPENDING if item.constant is MISSING else _APPENDING_CONSTANT
        )

    def _allocate_slots(self, node: Comprehension) -> tuple[int, int, int]:
        first = self.size + 1
        self.size += 3
        return first - 1, first, first + 1 if node.iter_var2 else 0


def _holds_abstract_value(kind: Type) -> bool:
    """Return true for types of values that data does not have: optionals, and those of libraries."""
    return (
        kind.kind == OPAQUE
        or (kind.kind == OBJECT and kind.fields is None)
        or any(map(_holds_abstract_value, kind.params))
    )


def _charge_nothing(_: str, __: str) -> None:
    """Return no charge, since the compared values have no size."""


def _plan_slot(place: int, switches: Switches, numbered: str = "") -> tuple[Evaluation, Evaluation]:
    """Plan reading a slot, without and with its cost; `numbered` is the older error if it has no value."""

    def make_error(value: CelError) -> CelError:
        if type(value) is CelError:
            return CelError(numbered if numbered and UNNUMBERED_NAMES not in switches else value.message)
        return (CelError if ERROR_VARIABLES in switches else Unreadable)(value.message)

    def get_slot(frame: Frame) -> Value:
        value = frame[place]
        if isinstance(value, CelError):
            raise make_error(value)
        return value

    def get_slot_with_cost(frame: Frame) -> Value:
        frame[COST] += 1
        value = frame[place]
        if isinstance(value, CelError):
            raise make_error(value)
        return value

    return get_slot, get_slot_with_cost


def _add_lookup_cost(run: Evaluation) -> Evaluation:
    def evaluate(frame: Frame) -> Value:
        frame[COST] += 1
        return run(frame)

    return evaluate


def _get_charged_start(
    start: VariableAttribute | ConditionalAttribute | Interpretable,
) -> VariableAttribute | ConditionalAttribute | Interpretable:
    if isinstance(start, ConditionalAttribute):
        return start
    return start.replace(run=start.paid if isinstance(start, VariableAttribute) else _add_lookup_cost(start.run))


def _compile_pattern(name: str, pattern: str, body: Callable[..., Value]) -> Callable[..., Value]:
    """Return the function for a constant pattern. Raises PlanningError if it does not compile."""
    try:
        search = compile_matcher(pattern)
    except CelError as error:
        raise PlanningError(error.message) from None

    def call(string: Value, *others: Value) -> Value:
        if type(string) is Type:
            string = string.name  # servers use Go's value, which for a type is its name
        if type(string) is not str or any(type(other) is not int for other in others[1:]):
            raise make_no_such_overload()
        return search(string) if name == "matches" else body(string, *others)

    return call


def _evaluate_constant(body: Callable[..., Value], value: Value) -> Value:
    try:
        return body(value)
    except CelError as error:
        raise PlanningError(error.message) from None
