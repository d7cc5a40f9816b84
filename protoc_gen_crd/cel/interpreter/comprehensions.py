"""Comprehensions: loops over lists and maps that build a value.

The value is initialized on first access. A failing step turns the value into an error, which later steps may absorb.
Source: cel-go v0.29 `interpreter/interpretable.go` (folder).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.cel.values.runtime_values import (
    MISSING,
    CelError,
    Map,
    MutableList,
    MutableMap,
    Value,
    list_parts,
    make_no_such_overload,
)

from .attributes import get_go_type
from .evaluation_frame import COST, LIMIT, CostLimitExceeded, Evaluation, Frame, Interpretable
from .function_calls import evaluate_or_error

Entries = Callable[[Frame], Iterable[Value]]


class ComprehensionLoop(Record):
    """The range of a comprehension, its initial value, and the slots of its variables (0 for none)."""

    items: Entries
    start: Interpretable
    accumulator: int
    first: int
    second: int


UNSET = object()


def plan_accumulator(place: int, start: Interpretable) -> Evaluation:
    """Plan the accumulator as a variable."""
    begin = plan_accumulator_init(start)

    def evaluate(frame: Frame) -> Value:
        value = frame[place]
        if value is UNSET:
            try:
                value = frame[place] = begin(frame)
            except CelError as error:
                frame[place] = error
                raise
        if isinstance(value, CelError):
            raise CelError(value.message)
        return value

    return evaluate


def plan_accumulator_init(start: Interpretable) -> Evaluation:
    """Plan the initial value: empty lists and maps become mutable."""
    if isinstance(start.constant, list) and not start.constant:
        return lambda _: MutableList()
    if isinstance(start.constant, Map) and not len(start.constant):
        return lambda _: MutableMap({})
    return start.run


def freeze_value(value: Value) -> Value:
    """Return the result of a comprehension as an immutable value."""
    if type(value) is MutableList:
        return list(value)
    return Map(value.entries) if type(value) is MutableMap else value


def plan_fold(
    fold: ComprehensionLoop, condition: Interpretable, step: Evaluation, result: Evaluation, *, eager: bool
) -> Evaluation:
    """Plan a comprehension; with `eager`, its value is initialized even if it is never read."""
    over, place = fold.items, fold.accumulator
    loop, begin = _make_loop(fold, condition, step), plan_accumulator_init(fold.start)

    def evaluate(frame: Frame) -> Value:
        items = over(frame)
        frame[place] = evaluate_or_error(begin, frame) if eager else UNSET
        loop(frame, items)
        return freeze_value(result(frame))

    return evaluate


def plan_entries(run: Evaluation, *, pairs: bool, hides: bool) -> Entries:
    """Plan the range of a comprehension: items or keys, or pairs with indexes or values."""

    def find_entries(frame: Frame) -> Iterable[Value]:
        items = evaluate_or_error(run, frame)
        if isinstance(items, CelError):
            raise CelError("unsupported comprehension range type: *types.Err") if hides and pairs else items
        if isinstance(items, list):
            return enumerate(list_parts(items)) if pairs else list_parts(items)
        if isinstance(items, Map):
            return [(key, items.get_entry_value(key)) for key in items.keys()] if pairs else items.keys()  # noqa: SIM118 - not a dict
        if pairs:
            raise CelError(f"unsupported comprehension range type: {get_go_type(items)}")
        raise CelError(f"got '{get_go_type(items)}', expected iterable type")

    return find_entries


def plan_quantifier(fold: ComprehensionLoop, predicate: Evaluation, *, decisive: bool) -> Evaluation:
    """Plan `all` or `exists`, which stop when the predicate is `decisive`."""
    over, first, second, other = fold.items, fold.first, fold.second, not decisive
    condition_cost = 3 if decisive else 2  # cost of the condition before each item, which `exists` negates

    def evaluate(frame: Frame) -> Value:
        result: Value = other
        for item in over(frame):
            frame[COST] += condition_cost
            if result is decisive:
                break
            if second:
                frame[first], frame[second] = item
            else:
                frame[first] = item
            frame[COST] += 1
            try:
                value = predicate(frame)
                if value is decisive:
                    result = value
                elif value is not other and result is other:
                    result = make_no_such_overload()
            except CelError as error:
                result = error if result is other else result
            if frame[COST] > frame[LIMIT]:
                raise CostLimitExceeded
        frame[COST] += 1
        if result is decisive or result is other:
            return result
        raise result

    return evaluate


def plan_map_or_filter(
    fold: ComprehensionLoop, predicate: Evaluation | None, item: Evaluation, cost: int
) -> Evaluation:
    """Plan `map` or `filter`; `cost` is that of an item besides its own evaluation."""
    over, first, second = fold.items, fold.first, fold.second

    def evaluate(frame: Frame) -> Value:
        result: list[Value] = []
        fault: CelError | None = None
        for element in over(frame):
            if second:
                frame[first], frame[second] = element
            else:
                frame[first] = element
            try:
                if predicate is not None and not _is_true(predicate(frame)):
                    continue
            except CelError as error:
                fault = error
                continue
            frame[COST] += cost
            try:
                result.append(item(frame))
            except CelError as error:
                fault = fault or error
            if frame[COST] > frame[LIMIT]:
                raise CostLimitExceeded
        frame[COST] += 1
        if fault is not None:
            raise fault
        return result

    return evaluate


def _is_true(value: Value) -> bool:
    if value is True or value is False:
        return bool(value)
    raise make_no_such_overload()


def _make_loop(
    fold: ComprehensionLoop, condition: Interpretable, step: Evaluation
) -> Callable[[Frame, Iterable[Value]], None]:
    place, first, second = fold.accumulator, fold.first, fold.second
    goes_on = _make_loop_condition(condition)

    def run_loop(frame: Frame, items: Iterable[Value]) -> None:
        for item in items:
            if second:
                frame[first], frame[second] = item
            else:
                frame[first] = item
            if not goes_on(frame):
                return
            try:
                frame[place] = step(frame)
            except CelError as error:
                frame[place] = error
            if frame[COST] > frame[LIMIT]:
                raise CostLimitExceeded

    return run_loop


def _make_loop_condition(condition: Interpretable) -> Callable[[Frame], bool]:
    if condition.constant is not MISSING:
        value = condition.constant is not False
        return lambda _: value
    run = condition.run

    def should_continue(frame: Frame) -> bool:
        try:
            return run(frame) is not False
        except CelError:
            return True

    return should_continue
