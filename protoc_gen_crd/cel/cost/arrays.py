"""The formulas of functions over lists. Source: k8s.io/apiserver pkg/cel/library/cost.go; cel-go v0.29 `ext/lists.go`,
`ext/sets.go`, `ext/costs.go`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import ceil

from protoc_gen_crd.cel.ast import Uint
from protoc_gen_crd.cel.types import BYTES, STRING, WRAPPER, Type
from protoc_gen_crd.cel.values import CelError, Duration, Map, Optional, Panic, Timestamp, Value, parts

from .formulas import Estimate, Formula, Operands, actual
from .intervals import MOST, ONE, TEXT_FACTOR, Interval, exactly, plus, scaled, times, whole, wrapped

_CALL, _LIST = 1, 10  # what a call and a new list cost
_TEXTS = (STRING.name, BYTES.name)


class Traversal(Formula):
    """Every item is looked at, texts to their end. `of_text` is the cost where there are no items but a text.

    With `wrapped`, the wrappers of texts count as texts.
    """

    def __init__(self, of_text: float, *, wrapped: bool = True) -> None:
        self.of_text, self.wrapped = of_text, wrapped

    def estimate(self, operands: Operands) -> Estimate:
        """One for each item, and a part of each text."""
        kind, size = operands.type(0), operands.size(0)
        if not kind.params:
            return scaled(size, self.of_text), None
        each = ONE
        item = kind.params[0]
        if item.name in _TEXTS and (self.wrapped or item.kind != WRAPPER):
            each = plus(each, scaled(operands.item_size(0), TEXT_FACTOR))
        return times(size, each), None

    def charge(self, args: Sequence[Value], result: Value) -> int:  # noqa: ARG002
        """One for each value that is no text, and a part of each text, rounded down."""
        return _traversed(args[0])


def _traversed(value: Value) -> int:
    if isinstance(value, str):
        return int(len(value.encode(errors="surrogateescape")) * TEXT_FACTOR)
    if isinstance(value, bytes):
        return int(len(value) * TEXT_FACTOR)
    if isinstance(value, list):
        return sum([_traversed(item) for item in parts(value)])
    if isinstance(value, Map):
        keys = value.keys()
        return sum([_traversed(key) + _traversed(_held(value, key)) for key in keys])
    return 1


def _held(value: Map, key: Value) -> Value:
    """What a map holds, or the error if it fails when it is looked at."""
    try:
        return value.find(key)
    except CelError as error:
        return error


class Join(Formula):
    """Texts become one, with a text between them."""

    def estimate(self, operands: Operands) -> Estimate:
        """A part of all sizes."""
        count, size = operands.size(0), (0, 0)
        if operands.type(0).params:
            size = times(count, operands.item_size(0))
        if len(operands) > 1:
            size = plus(size, times(operands.size(1), (max(count[0] - 1, 0), max(count[1] - 1, 0))))
        return scaled(size, TEXT_FACTOR), size

    def charge(self, args: Sequence[Value], result: Value) -> int:  # noqa: ARG002
        """A part of the result's size, twice."""
        return ceil(actual(result) * 2 * TEXT_FACTOR)


class Sets(Formula):
    """Each item is compared with each of the other list, so many times."""

    def __init__(self, factor: int) -> None:
        self.factor = factor

    def estimate(self, operands: Operands) -> Estimate:
        """The product of the sizes."""
        return plus(scaled(times(operands.size(0), operands.size(1)), self.factor), ONE), None

    def charge(self, args: Sequence[Value], result: Value) -> int:  # noqa: ARG002
        """The product of the sizes."""
        return _CALL + actual(args[0]) * actual(args[1]) * self.factor


def _estimated(size: Interval, factor: float = 1) -> Estimate:
    """The estimate of a call that makes a list, which counts as being of the size."""
    return plus(scaled(size, factor), exactly(_CALL + _LIST)), size


def _charged(size: int, factor: float = 1) -> int:
    product = float(size) * (factor if factor >= 0 else 1.0)
    return min(whole(product) + _CALL + _LIST, MOST)


def _number(operands: Operands, operand: int, otherwise: int) -> int:
    """The value of a literal, at least 0, or another number where there is none."""
    value = operands.literal(operand)
    return max(value, 0) if type(value) is int else otherwise


class MakesList(Formula):
    """A list is made. `size` tells how large it counts as."""

    def __init__(self, size: Callable[[Operands], Interval]) -> None:
        self.size = size

    def estimate(self, operands: Operands) -> Estimate:
        """One for each item."""
        return _estimated(self.size(operands))

    def charge(self, args: Sequence[Value], result: Value) -> int:  # noqa: ARG002
        """One for each item."""
        return _charged(actual(result))


def sliced(operands: Operands) -> Interval:
    """From one place to another: an unknown start counts as the list's, an unknown end too."""
    return exactly(wrapped(_number(operands, 2, operands.size(0)[1]) - _number(operands, 1, 0)))


def ranged(operands: Operands) -> Interval:
    """So many numbers."""
    return exactly(_number(operands, 0, MOST))


class Flatten(Formula):
    """Lists in a list are opened so many times. With `wraps`, less than no times is charged 64 bits short of that."""

    def __init__(self, *, wraps: bool = False) -> None:
        self.wraps = wraps

    def estimate(self, operands: Operands) -> Estimate:
        """One for each item of the outermost list and each time."""
        return _estimated(operands.size(0), float(_number(operands, 1, MOST) if len(operands) > 1 else 1))

    def charge(self, args: Sequence[Value], result: Value) -> int:  # noqa: ARG002
        """One for each item of the outermost list and each time."""
        times = float(_int(args[1])) if len(args) > 1 else 1.0
        if times < 0 and self.wraps:
            return wrapped(whole(actual(args[0]) * times) + _CALL + _LIST)
        return _charged(actual(args[0]), times)


class Sort(Formula):
    """Each item is compared with each, twice. `operand` is the list; `texts` tells that its items are texts."""

    def __init__(self, operand: int = 0, *, texts: bool = False) -> None:
        self.operand = operand
        self.factor = 2.0 + texts * TEXT_FACTOR

    def estimate(self, operands: Operands) -> Estimate:
        """The square of the size, which counts as the result's size, too."""
        size = operands.size(self.operand)
        return _estimated(times(size, size), self.factor)

    def charge(self, args: Sequence[Value], result: Value) -> int:  # noqa: ARG002
        """The square of the size."""
        items = _list(args[self.operand])
        size = len(items)
        factor = 2.0 + TEXT_FACTOR if size and isinstance(parts(items)[0], str | bytes) else 2.0
        return _charged(min(size * size, MOST), factor)


# Values on which a server's charges fail.

_GO_TYPES: dict[type, str] = {
    bool: "types.Bool", int: "types.Int", Uint: "types.Uint", float: "types.Double", str: "types.String",
    bytes: "types.Bytes", type(None): "types.Null", Type: "*types.Type", Duration: "types.Duration",
    Timestamp: "types.Timestamp", Optional: "*types.Optional", list: "*types.baseList", Map: "*types.baseMap",
    CelError: "*types.Err",
}  # fmt: skip
_ADDABLE = (int, float, str, bytes, Duration, Timestamp)  # Go names the first method that is missing


def _int(value: Value) -> int:
    if type(value) is int:
        return value
    raise Panic(f"interface conversion: ref.Val is {_GO_TYPES.get(type(value), 'types.Val')}, not types.Int")


def _list(value: Value) -> list[Value]:
    if isinstance(value, list):
        return value
    missing = "Contains" if isinstance(value, _ADDABLE) and type(value) is not bool else "Add"
    name = _GO_TYPES.get(type(value), "types.Val")
    raise Panic(f"interface conversion: {name} is not traits.Lister: missing method {missing}")
