"""The common part of all estimators: the cost of each kind of node. Subclasses estimate sizes.

Source: cel-go v0.29 `checker/cost.go`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from protoc_gen_crd.cel.checker.checker import CheckedAst
from protoc_gen_crd.cel.checker.types import (
    BOOL,
    DOUBLE,
    DURATION,
    INT,
    MAP,
    OBJECT,
    PARAMETER,
    TIMESTAMP,
    UINT,
    WRAPPER,
    Type,
)
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
from protoc_gen_crd.cel.version_differences import OPTIONAL_SELECTION_COST, PRESENCE_TEST_COST, PRESENCE_TEST_OPERAND
from protoc_gen_crd.kubernetes.shared_results import Switches

from .cost_formulas import CallEstimate
from .function_costs import find_formula_for_range
from .intervals import MAX_UINT64, ONE, UNKNOWN, ZERO, Interval, add, make_exact, union
from .size_paths import ITEMS, VALUES, SchemaPath, SizedDeclaration, append_step, find_size

SCALARS = frozenset((BOOL, DOUBLE, DURATION, INT, TIMESTAMP, UINT))
_SCALAR_NAMES = frozenset([kind.name for kind in SCALARS])

_LIST, _MAP, _STRUCT = make_exact(10), make_exact(30), make_exact(40)
_SELECTED = frozenset((MAP, OBJECT, PARAMETER))
_INDEXED = {"index_list": ITEMS, "index_map": VALUES}


def is_fixed_size(kind: Type) -> bool:
    """Check whether all values of a type, also in an optional, have the same size."""
    while kind.name == "optional_type":
        kind = kind.params[0]
    return kind in SCALARS or (kind.kind == WRAPPER and kind.name in _SCALAR_NAMES)


class Operand:
    """An operand at the time of its estimate: `derived` is its size, if it was computed."""

    __slots__ = ("derived", "node", "path")

    def __init__(self, node: Expr, path: SchemaPath | None, derived: Interval | None) -> None:
        self.node, self.path, self.derived = node, path, derived


class CostEstimator:
    """The estimator with one method per kind of node; results are stored by node id."""

    def __init__(self, checked: CheckedAst, versions: Switches, declared: SizedDeclaration | None) -> None:
        self.checked, self.versions, self.declared = checked, versions, declared
        self.types = checked.types
        self.paths: dict[int, SchemaPath | None] = {}
        self.sizes: dict[int, Interval] = {}
        self._costs: dict[type[Expr], Callable[[Any], Interval]] = {
            Literal: self._cost_literal, Ident: self._cost_ident, Select: self._cost_select, Call: self._cost_call,
            ListExpr: self._cost_create_list,
            MapExpr: self._cost_create_map, StructExpr: self._cost_create_struct,
            Comprehension: self._cost_comprehension,
        }  # fmt: skip

    def estimate(self, node: Expr) -> Interval:
        """Estimate the cost of evaluating a node."""
        return self._costs[type(node)](node)

    # implemented by subclasses

    def set_variable_path(self, node: Expr, name: str) -> None:
        """Record the path of an identifier."""
        raise NotImplementedError

    def get_path(self, node: Expr) -> SchemaPath | None:
        """Return the path of a node that refers to a part of the schema, else None."""
        raise NotImplementedError

    def get_operand(self, node: Expr) -> Operand:
        """Return a node that was estimated as an operand."""
        raise NotImplementedError

    def compute_size(self, operand: Operand) -> Interval:
        """Return the size of an operand."""
        raise NotImplementedError

    def cost_loop(self, node: Comprehension) -> tuple[Interval, Interval]:
        """Return the costs of the loop and of the result, after the range and the start were estimated."""
        raise NotImplementedError

    def cost_transparent_call(self, node: Call) -> Interval | None:
        """Return the cost of `dyn(x)` if its result has the size of x, or None if it is estimated as any call."""
        raise NotImplementedError

    def compute_result_size(self, node: Call, overload: str, size: Interval | None) -> Interval | None:
        """Return the size of the result so far, after one overload was estimated."""
        raise NotImplementedError

    def record_result_entries(self, node: Call, operands: Sequence[Operand]) -> None:
        """Record entry sizes of the result of a conditional or a sum of lists."""

    def widen_sizes(self, sizes: Interval | None, node: Expr) -> Interval | None:
        """Return the sizes of the parts of a literal so far, with a part that was just estimated, if they matter."""

    def record_list_sizes(self, node: ListExpr, items: Interval | None) -> None:
        """Record the sizes of a list's items."""

    def record_map_sizes(self, node: MapExpr, keys: Interval | None, values: Interval | None) -> None:
        """Record the sizes of a map's keys and values."""

    # nodes

    def get_name(self, node: Expr) -> str | None:
        """Return the resolved name of a node, if it is a name."""
        reference = self.checked.references.get(node.id)
        if isinstance(node, Ident):
            return reference.name if reference is not None else node.name
        return reference.name if isinstance(node, Select) and reference is not None else None

    def _cost_literal(self, node: Literal) -> Interval:  # noqa: ARG002
        return ZERO

    def _cost_ident(self, node: Ident) -> Interval:
        self.set_variable_path(node, self.get_name(node) or node.name)
        return ONE

    def _cost_select(self, node: Select) -> Interval:
        name = self.get_name(node)
        if name is not None:
            self.set_variable_path(node, name)
            return ONE
        if node.test_only:
            return self._cost_presence_test(node)
        cost = self.estimate(node.operand)
        if self.types[node.operand.id].kind in _SELECTED:
            cost = add(cost, ONE)
        self.paths[node.id] = append_step(self.get_path(node.operand), node.field)
        return cost

    def _cost_presence_test(self, node: Select) -> Interval:
        if PRESENCE_TEST_COST not in self.versions:
            return ZERO
        cost = self.estimate(node.operand)
        return cost if PRESENCE_TEST_OPERAND in self.versions else add(cost, ONE)

    def _cost_create_list(self, node: ListExpr) -> Interval:
        cost, sizes = ZERO, None
        for element in node.elements:
            cost = add(cost, self.estimate(element))
            sizes = self.widen_sizes(sizes, element)
        self.record_list_sizes(node, sizes)
        return add(cost, _LIST)

    def _cost_create_map(self, node: MapExpr) -> Interval:
        cost, keys, values = ZERO, None, None
        for entry in node.entries:
            cost = add(add(cost, self.estimate(entry.key)), self.estimate(entry.value))
            keys, values = self.widen_sizes(keys, entry.key), self.widen_sizes(values, entry.value)
        self.record_map_sizes(node, keys, values)
        return add(cost, _MAP)

    def _cost_create_struct(self, node: StructExpr) -> Interval:
        cost = ZERO
        for field in node.fields:
            cost = add(cost, self.estimate(field.value))
        return add(cost, _STRUCT)

    def _cost_comprehension(self, node: Comprehension) -> Interval:
        cost = add(self.estimate(node.iter_range), self.estimate(node.accu_init))
        loop, result = self.cost_loop(node)
        return add(add(cost, result), loop)

    # calls

    def _cost_call(self, node: Call) -> Interval:
        reference = self.checked.references.get(node.id)
        name = reference.name if reference is not None else node.function
        if name == "dyn":
            transparent = self.cost_transparent_call(node)
            if transparent is not None:
                return transparent
        costs, operands = [], []
        if name == "_?._" and OPTIONAL_SELECTION_COST not in self.versions:
            return ZERO
        for arg in node.args:
            costs.append(self.estimate(arg))
            operands.append(self.get_operand(arg))
        target = self.checked.find_target(node)
        cost = ZERO
        if target is not None:
            cost = self.estimate(target)
            operands.insert(0, self.get_operand(target))
        least, most, size = MAX_UINT64, 0, None
        for overload in reference.overloads if reference is not None else ():
            overload_cost, result_size = self._cost_function(node, overload.id, name, operands, costs)
            least, most = union((least, most), overload_cost)
            if result_size is not None:
                size = result_size if size is None else union(size, result_size)
            step = _INDEXED.get(overload.id)
            if step is not None:
                self.paths[node.id] = append_step(self.get_path(node.args[0]), step)
            size = self.compute_result_size(node, overload.id, size)
        if size is not None:
            self.sizes[node.id] = size
        return add(cost, (least, most))

    def _cost_function(
        self, node: Call, overload: str, name: str, operands: list[Operand], costs: list[Interval]
    ) -> CallEstimate:
        """Return the cost of one overload with its arguments, and the size of its result."""
        if overload in ("logical_and", "logical_or"):
            return (costs[0][0], add(costs[0], costs[1])[1]), None
        if overload == "conditional":
            size = union(self.compute_size(operands[1]), self.compute_size(operands[2]))
            self.record_result_entries(node, operands[1:])
            return add(costs[0], union(costs[1], costs[2])), size
        if overload in ("add_string", "add_bytes", "add_list"):
            self.record_result_entries(node, operands)
        cost, result_size = find_formula_for_range(overload, name, self.versions).estimate(
            _EstimatedOperands(self, operands)
        )
        for arg in costs:
            cost = add(cost, arg)
        return cost, result_size


class _EstimatedOperands:
    """The operands of a call for cost formulas."""

    __slots__ = ("_estimator", "_operands")

    def __init__(self, estimator: CostEstimator, operands: Sequence[Operand]) -> None:
        self._estimator, self._operands = estimator, operands

    def estimate_size(self, operand: int) -> Interval:
        return self._estimator.compute_size(self._operands[operand])

    def estimate_item_size(self, operand: int) -> Interval:
        size = find_size(self._estimator.declared, self._operands[operand].path, ITEMS)
        return UNKNOWN if size is None else size

    def get_type(self, operand: int) -> Type:
        return self._estimator.types[self._operands[operand].node.id]

    def get_literal(self, operand: int) -> Any:
        node = self._operands[operand].node
        return node.value if isinstance(node, Literal) else None

    def get_computed_size(self, operand: int) -> Interval | None:
        return self._operands[operand].derived

    def __len__(self) -> int:
        return len(self._operands)


def compute_literal_size(node: Expr, *, in_bytes: bool = False) -> Interval | None:
    """Return the size of a literal: characters, bytes, items, or 1 for a scalar."""
    if isinstance(node, Literal):
        value = node.value
        if in_bytes and isinstance(value, str):
            value = value.encode("utf-8", "surrogateescape")
        return make_exact(len(value)) if isinstance(value, str | bytes) else ONE
    if isinstance(node, ListExpr):
        return make_exact(len(node.elements))
    return make_exact(len(node.entries)) if isinstance(node, MapExpr) else None
