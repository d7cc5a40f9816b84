"""Cost formulas of list functions. Source: k8s.io/apiserver pkg/cel/library/cost.go; cel-go v0.29 `ext/lists.go`,
`ext/sets.go`, `ext/costs.go`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import ceil

from protoc_gen_crd.cel.checker.types import BYTES, STRING, WRAPPER, Type
from protoc_gen_crd.cel.parser.ast import Uint
from protoc_gen_crd.cel.values.runtime_values import (
    CelError,
    Duration,
    Map,
    Optional,
    Panic,
    Timestamp,
    Value,
    list_parts,
)

from .cost_formulas import CallEstimate, CostFormula, CostOperands, measure_size
from .intervals import (
    MAX_UINT64,
    ONE,
    TEXT_FACTOR,
    Interval,
    add,
    make_exact,
    multiply,
    multiply_by_factor,
    to_int64,
    wrap_uint64,
)

_CALL, _LIST = 1, 10  # cost of a call, and of a new list
_STRINGS = (STRING.name, BYTES.name)


class TraversalCost(CostFormula):
    """The cost of traversing all items, and strings to their end. `of_text` is the factor for a string operand.

    With `wrapped`, wrappers of strings count as strings.
    """

    def __init__(self, of_text: float, *, wrapped: bool = True) -> None:
        self.of_text, self.wrapped = of_text, wrapped

    def estimate(self, operands: CostOperands) -> CallEstimate:
        """Estimate one per item, and a fraction of each string."""
        kind, size = operands.get_type(0), operands.estimate_size(0)
        if not kind.params:
            return multiply_by_factor(size, self.of_text), None
        item_cost = ONE
        item = kind.params[0]
        if item.name in _STRINGS and (self.wrapped or item.kind != WRAPPER):
            item_cost = add(item_cost, multiply_by_factor(operands.estimate_item_size(0), TEXT_FACTOR))
        return multiply(size, item_cost), None

    def charge(self, args: Sequence[Value], result: Value) -> int:  # noqa: ARG002
        """Charge one per value that is not a string, and a fraction of each string, rounded down."""
        return _count_traversed(args[0])


def _count_traversed(value: Value) -> int:
    if isinstance(value, str):
        return int(len(value.encode(errors="surrogateescape")) * TEXT_FACTOR)
    if isinstance(value, bytes):
        return int(len(value) * TEXT_FACTOR)
    if isinstance(value, list):
        return sum([_count_traversed(item) for item in list_parts(value)])
    if isinstance(value, Map):
        keys = value.keys()
        return sum([_count_traversed(key) + _count_traversed(_get_map_value(value, key)) for key in keys])
    return 1


def _get_map_value(value: Map, key: Value) -> Value:
    """Return the value of a map's key, or its error."""
    try:
        return value.find(key)
    except CelError as error:
        return error


class JoinCost(CostFormula):
    """The cost of joining strings with a separator."""

    def estimate(self, operands: CostOperands) -> CallEstimate:
        """Estimate a fraction of all sizes."""
        count, size = operands.estimate_size(0), (0, 0)
        if operands.get_type(0).params:
            size = multiply(count, operands.estimate_item_size(0))
        if len(operands) > 1:
            size = add(size, multiply(operands.estimate_size(1), (max(count[0] - 1, 0), max(count[1] - 1, 0))))
        return multiply_by_factor(size, TEXT_FACTOR), size

    def charge(self, args: Sequence[Value], result: Value) -> int:  # noqa: ARG002
        """Charge a fraction of the result's size, twice."""
        return ceil(measure_size(result) * 2 * TEXT_FACTOR)


class SetsCost(CostFormula):
    """The cost of comparing each item with each item of the other list, `factor` times."""

    def __init__(self, factor: int) -> None:
        self.factor = factor

    def estimate(self, operands: CostOperands) -> CallEstimate:
        """Estimate the product of the sizes."""
        return add(
            multiply_by_factor(multiply(operands.estimate_size(0), operands.estimate_size(1)), self.factor), ONE
        ), None

    def charge(self, args: Sequence[Value], result: Value) -> int:  # noqa: ARG002
        """Charge the product of the sizes."""
        return _CALL + measure_size(args[0]) * measure_size(args[1]) * self.factor


def _make_list_estimate(size: Interval, factor: float = 1) -> CallEstimate:
    """Return the estimate of a call that creates a list of this assumed size."""
    return add(multiply_by_factor(size, factor), make_exact(_CALL + _LIST)), size


def _make_list_charge(size: int, factor: float = 1) -> int:
    product = float(size) * (factor if factor >= 0 else 1.0)
    return min(to_int64(product) + _CALL + _LIST, MAX_UINT64)


def _get_literal_number(operands: CostOperands, operand: int, otherwise: int) -> int:
    """Return the value of a literal operand, at least 0, or `otherwise` for other operands."""
    value = operands.get_literal(operand)
    return max(value, 0) if type(value) is int else otherwise


class ListCreationCost(CostFormula):
    """The cost of creating a list. `estimate_size` returns its assumed size."""

    def __init__(self, size: Callable[[CostOperands], Interval]) -> None:
        self.size = size

    def estimate(self, operands: CostOperands) -> CallEstimate:
        """Estimate one per item."""
        return _make_list_estimate(self.size(operands))

    def charge(self, args: Sequence[Value], result: Value) -> int:  # noqa: ARG002
        """Charge one per item."""
        return _make_list_charge(measure_size(result))


def estimate_slice_size(operands: CostOperands) -> Interval:
    """Return the size of a slice: an unknown start or end counts as the size of the list."""
    return make_exact(
        wrap_uint64(
            _get_literal_number(operands, 2, operands.estimate_size(0)[1]) - _get_literal_number(operands, 1, 0)
        )
    )


def estimate_range_size(operands: CostOperands) -> Interval:
    """Return the size of a range."""
    return make_exact(_get_literal_number(operands, 0, MAX_UINT64))


class FlattenCost(CostFormula):
    """The cost of flattening a list. With `wraps`, the charge of a negative depth wraps around at 64 bits."""

    def __init__(self, *, wraps: bool = False) -> None:
        self.wraps = wraps

    def estimate(self, operands: CostOperands) -> CallEstimate:
        """Estimate one per item of the outermost list and level."""
        return _make_list_estimate(
            operands.estimate_size(0), float(_get_literal_number(operands, 1, MAX_UINT64) if len(operands) > 1 else 1)
        )

    def charge(self, args: Sequence[Value], result: Value) -> int:  # noqa: ARG002
        """Charge one per item of the outermost list and level."""
        times = float(_to_int(args[1])) if len(args) > 1 else 1.0
        if times < 0 and self.wraps:
            return wrap_uint64(to_int64(measure_size(args[0]) * times) + _CALL + _LIST)
        return _make_list_charge(measure_size(args[0]), times)


class SortCost(CostFormula):
    """The cost of comparing all items pairwise, twice. `operand` is the list; with `texts`, its items are strings."""

    def __init__(self, operand: int = 0, *, texts: bool = False) -> None:
        self.operand = operand
        self.factor = 2.0 + texts * TEXT_FACTOR

    def estimate(self, operands: CostOperands) -> CallEstimate:
        """Estimate the square of the size, which is also the size of the result."""
        size = operands.estimate_size(self.operand)
        return _make_list_estimate(multiply(size, size), self.factor)

    def charge(self, args: Sequence[Value], result: Value) -> int:  # noqa: ARG002
        """Charge the square of the size."""
        items = _to_list(args[self.operand])
        size = len(items)
        factor = 2.0 + TEXT_FACTOR if size and isinstance(list_parts(items)[0], str | bytes) else 2.0
        return _make_list_charge(min(size * size, MAX_UINT64), factor)


# values on which a server's charges fail

_GO_TYPES: dict[type, str] = {
    bool: "types.Bool", int: "types.Int", Uint: "types.Uint", float: "types.Double", str: "types.String",
    bytes: "types.Bytes", type(None): "types.Null", Type: "*types.Type", Duration: "types.Duration",
    Timestamp: "types.Timestamp", Optional: "*types.Optional", list: "*types.baseList", Map: "*types.baseMap",
    CelError: "*types.Err",
}  # fmt: skip
_ADDABLE = (int, float, str, bytes, Duration, Timestamp)  # Go's error names the first missing method


def _to_int(value: Value) -> int:
    if type(value) is int:
        return value
    raise Panic(f"interface conversion: ref.Val is {_GO_TYPES.get(type(value), 'types.Val')}, not types.Int")


def _to_list(value: Value) -> list[Value]:
    if isinstance(value, list):
        return value
    missing = "Contains" if isinstance(value, _ADDABLE) and type(value) is not bool else "Add"
    name = _GO_TYPES.get(type(value), "types.Val")
    raise Panic(f"interface conversion: {name} is not traits.Lister: missing method {missing}")
