"""What the estimators of all servers have in common: the cost of each kind of node. Sizes are left to subclasses.

Source: cel-go v0.29 `checker/cost.go`.
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
from protoc_gen_crd.cel.check import Checked
from protoc_gen_crd.cel.era import Era
from protoc_gen_crd.cel.types import (
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

from .formulas import Estimate
from .intervals import MOST, NOTHING, ONE, UNKNOWN, Interval, exactly, plus, union
from .paths import ITEMS, VALUES, Path, Sized, extended, size_at
from .table import formula_of

SCALARS = frozenset((BOOL, DOUBLE, DURATION, INT, TIMESTAMP, UINT))
_SCALAR_NAMES = frozenset([kind.name for kind in SCALARS])

_LIST, _MAP, _STRUCT = exactly(10), exactly(30), exactly(40)
_SELECTED = frozenset((MAP, OBJECT, PARAMETER))
_INDEXED = {"index_list": ITEMS, "index_map": VALUES}
_HAS_COSTS = 28  # the server to which it does; before that it is free with its operand, later its operand costs
_OPTIONAL_COSTS = 29  # the server before this, the first to know `.?`, overlooks it with all before it (cel-go 0.16)


def of_fixed_size(kind: Type) -> bool:
    """Whether values of a type are all of one size, also in an optional."""
    while kind.name == "optional_type":
        kind = kind.params[0]
    return kind in SCALARS or (kind.kind == WRAPPER and kind.name in _SCALAR_NAMES)


class Operand:
    """An operand as it was when it was estimated: `derived` is its size, if it has been worked out."""

    __slots__ = ("derived", "node", "path")

    def __init__(self, node: Expr, path: Path | None, derived: Interval | None) -> None:
        self.node, self.path, self.derived = node, path, derived


class Walk:
    """A method for each kind of node; what is worked out for a node is kept by its id."""

    def __init__(self, checked: Checked, era: Era, declared: Sized | None) -> None:
        self.checked, self.era, self.declared = checked, era, declared
        self.types = checked.types
        self.paths: dict[int, Path | None] = {}
        self.sizes: dict[int, Interval] = {}
        self._costs: dict[type[Expr], Callable[[Any], Interval]] = {
            Literal: self._literal, Ident: self._ident, Select: self._select, Call: self._call, ListExpr: self._list,
            MapExpr: self._map, StructExpr: self._struct, Comprehension: self._comprehension,
        }  # fmt: skip

    def cost(self, node: Expr) -> Interval:
        """What it costs to evaluate a node."""
        return self._costs[type(node)](node)

    # what subclasses say

    def variable(self, node: Expr, name: str) -> None:
        """Note the path of a name."""
        raise NotImplementedError

    def path(self, node: Expr) -> Path | None:
        """The path of a node, if it is part of the schema."""
        raise NotImplementedError

    def operand(self, node: Expr) -> Operand:
        """A node that has been estimated."""
        raise NotImplementedError

    def size(self, operand: Operand) -> Interval:
        """How large an operand can be."""
        raise NotImplementedError

    def loop(self, node: Comprehension) -> tuple[Interval, Interval]:
        """The costs of the loop and of the result of a comprehension whose range and start have been estimated."""
        raise NotImplementedError

    def unwrapped(self, node: Call) -> Interval | None:
        """The cost of a call that is seen through."""
        raise NotImplementedError

    def called(self, node: Call, overload: str, size: Interval | None) -> Interval | None:
        """What follows for sizes when one overload has been estimated; the size of the result so far."""
        raise NotImplementedError

    def chosen(self, node: Call, operands: Sequence[Operand]) -> None:
        """Note what is known of the result of a conditional or a sum of lists beside its size."""

    def around(self, sizes: Interval | None, node: Expr) -> Interval | None:
        """The sizes of the parts of a literal so far, and of one that has just been estimated, if that matters."""

    def listed(self, node: ListExpr, items: Interval | None) -> None:
        """Note the sizes of a list's items."""

    def mapped(self, node: MapExpr, keys: Interval | None, values: Interval | None) -> None:
        """Note the sizes of a map's keys and values."""

    # nodes

    def name(self, node: Expr) -> str | None:
        """The name of a node that is one, as it was resolved."""
        reference = self.checked.references.get(node.id)
        if isinstance(node, Ident):
            return reference.name if reference is not None else node.name
        return reference.name if isinstance(node, Select) and reference is not None else None

    def _literal(self, node: Literal) -> Interval:  # noqa: ARG002
        return NOTHING

    def _ident(self, node: Ident) -> Interval:
        self.variable(node, self.name(node) or node.name)
        return ONE

    def _select(self, node: Select) -> Interval:
        name = self.name(node)
        if name is not None:
            self.variable(node, name)
            return ONE
        if node.test_only:
            return self._presence(node)
        cost = self.cost(node.operand)
        if self.types[node.operand.id].kind in _SELECTED:
            cost = plus(cost, ONE)
        self.paths[node.id] = extended(self.path(node.operand), node.field)
        return cost

    def _presence(self, node: Select) -> Interval:
        if not self.era.since(_HAS_COSTS):
            return NOTHING
        cost = self.cost(node.operand)
        return cost if self.era.since(_HAS_COSTS + 1) else plus(cost, ONE)

    def _list(self, node: ListExpr) -> Interval:
        cost, sizes = NOTHING, None
        for element in node.elements:
            cost = plus(cost, self.cost(element))
            sizes = self.around(sizes, element)
        self.listed(node, sizes)
        return plus(cost, _LIST)

    def _map(self, node: MapExpr) -> Interval:
        cost, keys, values = NOTHING, None, None
        for entry in node.entries:
            cost = plus(plus(cost, self.cost(entry.key)), self.cost(entry.value))
            keys, values = self.around(keys, entry.key), self.around(values, entry.value)
        self.mapped(node, keys, values)
        return plus(cost, _MAP)

    def _struct(self, node: StructExpr) -> Interval:
        cost = NOTHING
        for field in node.fields:
            cost = plus(cost, self.cost(field.value))
        return plus(cost, _STRUCT)

    def _comprehension(self, node: Comprehension) -> Interval:
        cost = plus(self.cost(node.iter_range), self.cost(node.accu_init))
        loop, result = self.loop(node)
        return plus(plus(cost, result), loop)

    # calls

    def _call(self, node: Call) -> Interval:
        reference = self.checked.references.get(node.id)
        name = reference.name if reference is not None else node.function
        if name == "dyn":
            seen = self.unwrapped(node)
            if seen is not None:
                return seen
        costs, operands = [], []
        if name == "_?._" and not self.era.since(_OPTIONAL_COSTS):
            return NOTHING
        for arg in node.args:
            costs.append(self.cost(arg))
            operands.append(self.operand(arg))
        target = self.checked.target(node)
        cost = NOTHING
        if target is not None:
            cost = self.cost(target)
            operands.insert(0, self.operand(target))
        least, most, size = MOST, 0, None
        for overload in reference.overloads if reference is not None else ():
            made, its = self._function(node, overload.id, name, operands, costs)
            least, most = union((least, most), made)
            if its is not None:
                size = its if size is None else union(size, its)
            step = _INDEXED.get(overload.id)
            if step is not None:
                self.paths[node.id] = extended(self.path(node.args[0]), step)
            size = self.called(node, overload.id, size)
        if size is not None:
            self.sizes[node.id] = size
        return plus(cost, (least, most))

    def _function(
        self, node: Call, overload: str, name: str, operands: list[Operand], costs: list[Interval]
    ) -> Estimate:
        """The cost of one overload and of its arguments, and the size of its result."""
        if overload in ("logical_and", "logical_or"):
            return (costs[0][0], plus(costs[0], costs[1])[1]), None
        if overload == "conditional":
            size = union(self.size(operands[1]), self.size(operands[2]))
            self.chosen(node, operands[1:])
            return plus(costs[0], union(costs[1], costs[2])), size
        if overload in ("add_string", "add_bytes", "add_list"):
            self.chosen(node, operands)
        cost, its = formula_of(overload, name, self.era).estimate(_Operands(self, operands))
        for arg in costs:
            cost = plus(cost, arg)
        return cost, its


class _Operands:
    """What formulas ask."""

    __slots__ = ("_operands", "_walk")

    def __init__(self, walk: Walk, operands: Sequence[Operand]) -> None:
        self._walk, self._operands = walk, operands

    def size(self, operand: int) -> Interval:
        return self._walk.size(self._operands[operand])

    def item_size(self, operand: int) -> Interval:
        found = size_at(self._walk.declared, self._operands[operand].path, ITEMS)
        return UNKNOWN if found is None else found

    def type(self, operand: int) -> Type:
        return self._walk.types[self._operands[operand].node.id]

    def literal(self, operand: int) -> Any:
        node = self._operands[operand].node
        return node.value if isinstance(node, Literal) else None

    def computed(self, operand: int) -> Interval | None:
        return self._operands[operand].derived

    def __len__(self) -> int:
        return len(self._operands)


def literal_size(node: Expr, *, in_bytes: bool = False) -> Interval | None:
    """The size of what is written out: characters, bytes, items, 1 for a scalar."""
    if isinstance(node, Literal):
        value = node.value
        if in_bytes and isinstance(value, str):
            value = value.encode("utf-8", "surrogateescape")
        return exactly(len(value)) if isinstance(value, str | bytes) else ONE
    if isinstance(node, ListExpr):
        return exactly(len(node.elements))
    return exactly(len(node.entries)) if isinstance(node, MapExpr) else None
