"""Sizes as estimated by servers of Kubernetes 1.33 and newer: variables, items, keys and values have sizes.

Source: cel-go v0.23 to v0.29 `checker/cost.go`.
"""

from __future__ import annotations

from collections.abc import Sequence

from protoc_gen_crd.cel.checker.checker import CheckedAst
from protoc_gen_crd.cel.checker.types import LIST, MAP
from protoc_gen_crd.cel.parser.ast import Call, Comprehension, Expr, ListExpr, Literal, MapExpr
from protoc_gen_crd.cel.parser.standard_macros import ACCUMULATOR
from protoc_gen_crd.kubernetes.shared_results import Switches

from .estimator_base import CostEstimator, Operand, compute_literal_size, is_fixed_size
from .intervals import ONE, UNKNOWN, ZERO, Interval, add, multiply, union
from .size_paths import (
    INDICES,
    ITEMS,
    KEYS,
    VALUES,
    SchemaPath,
    SizedDeclaration,
    append_step,
    find_size,
    make_variable_path,
)

_INDEXED = ("index_list", "index_map")


class _EntrySizes:
    """The sizes of the keys and values of a list or map that an expression creates."""

    __slots__ = ("container", "key", "value")

    def __init__(self, container: str, key: Interval, value: Interval) -> None:
        self.container, self.key, self.value = container, key, value

    def union(self, other: _EntrySizes | None) -> _EntrySizes | None:
        """Return sizes that include both."""
        if other is None:
            return None
        return _EntrySizes(self.container, union(self.key, other.key), union(self.value, other.value))


class _LoopVariable:
    """A variable of a comprehension."""

    __slots__ = ("entries", "path", "size")

    def __init__(self, path: SchemaPath | None, size: Interval | None, entries: _EntrySizes | None = None) -> None:
        self.path, self.size, self.entries = path, size, entries


class CurrentCostEstimator(CostEstimator):
    """The estimator of newer servers. Variables are resolved to the schema or to parts of the expression."""

    def __init__(self, checked: CheckedAst, versions: Switches, declared: SizedDeclaration | None) -> None:
        super().__init__(checked, versions, declared)
        self._scopes: dict[str, list[_LoopVariable]] = {}
        self._entries: dict[int, _EntrySizes] = {}

    def _find_local(self, node: Expr) -> _LoopVariable | None:
        name = self.get_name(node)
        scope = self._scopes.get(name) if name is not None else None
        return scope[-1] if scope else None

    def set_variable_path(self, node: Expr, name: str) -> None:
        """Record the path of an identifier."""
        scope = self._scopes.get(name)
        self.paths[node.id] = scope[-1].path if scope else make_variable_path(name)

    def get_path(self, node: Expr) -> SchemaPath | None:
        """Return the path of a node that refers to a part of the schema, else None."""
        local = self._find_local(node)
        return local.path if local is not None else self.paths.get(node.id)

    def get_operand(self, node: Expr) -> Operand:
        """Return a node that was estimated as an operand."""
        path = self.get_path(node)
        if path is not None and path.cells[0] == ACCUMULATOR:
            path = None
        return Operand(node, path, self._find_size(node))

    def compute_size(self, operand: Operand) -> Interval:
        """Return the size of an operand."""
        return UNKNOWN if operand.derived is None else operand.derived

    def _find_size(self, node: Expr) -> Interval | None:
        size = self.sizes.get(node.id) or compute_literal_size(node)
        if size is not None:
            return size
        size = find_size(self.declared, self.get_path(node))
        if size is not None:
            self.sizes[node.id] = size
            return size
        if is_fixed_size(self.types[node.id]):
            return ONE
        local = self._find_local(node)
        return None if local is None else local.size

    def _get_known_size(self, node: Expr) -> Interval:
        size = self._find_size(node)
        return UNKNOWN if size is None else size

    def _get_entry_sizes(self, node: Expr) -> _EntrySizes | None:
        entries = self._entries.get(node.id)
        if entries is None:
            local = self._find_local(node)
            entries = None if local is None else local.entries
        return entries

    def _set_entry_sizes(self, node: Expr, entries: _EntrySizes | None) -> None:
        if entries is not None:
            self._entries[node.id] = entries

    def _copy_size(self, node: Expr, source: Expr) -> None:
        """Record that a node is as large as another."""
        size = self._find_size(source)
        if size is not None:
            self.sizes[node.id] = size
        self._set_entry_sizes(node, self._get_entry_sizes(source))

    # calls and literals

    def cost_transparent_call(self, node: Call) -> Interval | None:
        """Return the cost of `dyn(x)`, which is as large as x."""
        cost = self.estimate(node.args[0])
        self._copy_size(node, node.args[0])
        return add(ONE, cost)

    def compute_result_size(self, node: Call, overload: str, size: Interval | None) -> Interval | None:
        """Return the size of the result so far; that of an item depends on its list."""
        if overload in _INDEXED:
            entries = self._get_entry_sizes(node.args[0])
            size = None if entries is None else entries.value
        return self._find_size(node) if size is None else size

    def record_result_entries(self, node: Call, operands: Sequence[Operand]) -> None:
        """Record the sizes of the entries of either operand."""
        first, second = [self._get_entry_sizes(operand.node) for operand in operands]
        self._set_entry_sizes(node, first.union(second) if first is not None else None)

    def widen_sizes(self, sizes: Interval | None, node: Expr) -> Interval | None:
        """Return the sizes of the parts of a literal so far and of this one, whose path the next may overwrite."""
        size = self._get_known_size(node)
        return size if sizes is None else union(sizes, size)

    def record_list_sizes(self, node: ListExpr, items: Interval | None) -> None:
        """Record the sizes of a list's items."""
        self._set_entry_sizes(node, _EntrySizes(LIST, ONE, items or ZERO))

    def record_map_sizes(self, node: MapExpr, keys: Interval | None, values: Interval | None) -> None:
        """Record the sizes of a map's keys and values."""
        self._set_entry_sizes(node, _EntrySizes(MAP, keys or ZERO, values or ZERO))

    # comprehensions

    def cost_loop(self, node: Comprehension) -> tuple[Interval, Interval]:
        """Return the costs of the loop and of the result."""
        if _is_bind(node):
            self._push_variable(node.accu_var, self._make_bound_variable(node.accu_init))
            result = self.estimate(node.result)
            self._pop_variable(node.accu_var)
            self._copy_size(node, node.result)
            return ZERO, result
        self._push_variable(node.accu_var, self._make_bound_variable(node.accu_init))
        variables = self._make_variables(node)
        for name, variable_ in variables:
            self._push_variable(name, variable_)
        condition = self.estimate(node.condition)
        step = self.estimate(node.step)
        for name, _ in variables:
            self._pop_variable(name)
        result = self.estimate(node.result)
        self._pop_variable(node.accu_var)
        count = self._get_known_size(node.iter_range)
        self._record_result(node, count)
        return multiply(count, add(step, condition)), result

    def _record_result(self, node: Comprehension, count: Interval) -> None:
        if isinstance(node.accu_init, Literal):
            self.sizes[node.id] = self._get_known_size(node.accu_init)
        elif isinstance(node.accu_init, ListExpr | MapExpr):
            self.sizes[node.id] = count
            self._set_entry_sizes(node, self._get_entry_sizes(node.step))

    def _push_variable(self, name: str, variable: _LoopVariable) -> None:
        self._scopes.setdefault(name, []).append(variable)

    def _pop_variable(self, name: str) -> None:
        self._scopes[name].pop()

    def _make_bound_variable(self, node: Expr) -> _LoopVariable:
        path = self.get_path(node)
        entries = self._get_entry_sizes(node)
        return _LoopVariable(path, self._find_size(node), entries)

    def _make_variables(self, node: Comprehension) -> list[tuple[str, _LoopVariable]]:
        over = node.iter_range
        entries = self._get_entry_sizes(over)
        is_list = (entries.container if entries is not None else self.types[over.id].kind) == LIST
        keys, values = (None, None) if entries is None else (entries.key, entries.value)
        path = self.get_path(over)
        if node.iter_var2:
            first = _LoopVariable(append_step(path, INDICES if is_list else KEYS), keys)
            return [
                (node.iter_var, first),
                (node.iter_var2, _LoopVariable(append_step(path, ITEMS if is_list else VALUES), values)),
            ]
        return [
            (node.iter_var, _LoopVariable(append_step(path, ITEMS if is_list else KEYS), values if is_list else keys))
        ]


def _is_bind(node: Comprehension) -> bool:
    """Check whether a comprehension runs over nothing and only names a value."""
    over, condition = node.iter_range, node.condition
    if not isinstance(over, ListExpr) or over.elements:
        return False
    return isinstance(condition, Literal) and condition.value is False
