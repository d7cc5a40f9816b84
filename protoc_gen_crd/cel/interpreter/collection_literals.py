"""Literals of lists and maps, created in advance if all parts are constant, and membership in constant lists.

Source: cel-go v0.29 `interpreter/interpretable.go`, `interpreter/decorators.go`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence, Set

from protoc_gen_crd.cel.parser.ast import Uint
from protoc_gen_crd.cel.values.runtime_values import MISSING, CelError, Map, Optional, Value, make_key, panic_unhashable
from protoc_gen_crd.cel.version_differences import KNOWN_ERRORS
from protoc_gen_crd.kubernetes.shared_results import Switches

from .evaluation_frame import COST, Evaluation, Frame, Interpretable, make_constant

_LIST, _MAP, _STRUCT = 10, 30, 40  # cost of creating one
_MEMBERS = (str, bool, int, Uint, float)


def plan_list(items: Sequence[Interpretable], optionals: Set[int]) -> Interpretable:
    """Plan a list literal; items at `optionals` are optional values, which are omitted if they are none."""
    if not optionals and all(item.constant is not MISSING for item in items):
        return make_constant([item.constant for item in items])
    runs = [item.run for item in items]
    return Interpretable(_plan_optional_list(runs, optionals) if optionals else _plan_plain_list(runs))


def _plan_plain_list(runs: Sequence[Evaluation]) -> Evaluation:
    def make_list(frame: Frame) -> list[Value]:
        frame[COST] += _LIST
        return [run(frame) for run in runs]

    return make_list


def _plan_optional_list(runs: Sequence[Evaluation], optionals: Set[int]) -> Evaluation:
    def make_list(frame: Frame) -> list[Value]:
        frame[COST] += _LIST
        items = []
        for place, run in enumerate(runs):
            value = run(frame)
            if place in optionals:
                if type(value) is not Optional:
                    from protoc_gen_crd.cel.library.functions.type_conversions import format_for_error  # noqa: PLC0415 - for errors

                    raise CelError(
                        f"cannot initialize optional list element from non-optional value {format_for_error(value)}"
                    )
                value = value.value
            if value is not MISSING:
                items.append(value)
        return items

    return make_list


def plan_map(entries: Sequence[tuple[Interpretable, Interpretable, bool]]) -> Interpretable:
    """Plan a map literal from keys, values, and whether these are optional."""
    if all(
        _is_constant_key(key) and value.constant is not MISSING and not optional for key, value, optional in entries
    ):
        return make_constant(Map.from_pairs([(key.constant, value.constant) for key, value, _ in entries]))
    runs = [(key.run, value.run, optional) for key, value, optional in entries]

    def make_map(frame: Frame) -> Map:
        frame[COST] += _MAP
        result = {}
        for key_run, value_run, optional in runs:
            key, value = key_run(frame), value_run(frame)
            if optional:
                if type(value) is not Optional:
                    from protoc_gen_crd.cel.library.functions.type_conversions import format_for_error  # noqa: PLC0415 - for errors

                    message = f"'{format_for_error(key)}' from non-optional value {format_for_error(value)}"
                    raise CelError(f"cannot initialize optional entry {message}")
                value = value.value
            result[make_key(key)] = value
            if value is MISSING:
                del result[make_key(key)]
        return Map(result)

    return Interpretable(make_map)


def plan_struct(name: str, fields: Sequence[tuple[str, Evaluation, bool]], switches: Switches) -> Interpretable:
    """Plan a message literal from the names of its fields, their values, and whether these are optional."""

    from protoc_gen_crd.cel.library.functions.messages import make_message  # noqa: PLC0415 - few rules create messages

    def make_struct(frame: Frame) -> Value:
        frame[COST] += _STRUCT
        values = {}
        for field, run, optional in fields:
            value = run(frame)
            if optional:
                if type(value) is not Optional:
                    from protoc_gen_crd.cel.library.functions.type_conversions import format_for_error  # noqa: PLC0415 - for errors

                    message = f"'{field}' from non-optional value {format_for_error(value)}"
                    raise CelError(f"cannot initialize optional entry {message}")
                value = value.value
            values[field] = value
            if value is MISSING:
                del values[field]
        return make_message(name, values, switches)

    return Interpretable(make_struct)


def _is_constant_key(key: Interpretable) -> bool:
    return key.constant is not MISSING and type(key.constant) is not bytes


def plan_membership(
    items: Sequence[Value], switches: Switches
) -> Interpretable | Callable[[Interpretable], Interpretable] | None:
    """Plan membership in a constant list: a constant for an empty list, a lookup in a set, or None if neither applies.

    On the oldest servers, an error is not a member.
    """
    if not items:
        return make_constant(value=False)
    if not all(type(item) in _MEMBERS for item in items):
        return None
    keys = frozenset([key for item in items for key in _list_equal_keys(item)])

    def make_plan(value: Interpretable) -> Interpretable:
        run = value.run

        def evaluate(frame: Frame) -> bool:
            try:
                value = run(frame)
            except CelError:
                if KNOWN_ERRORS in switches:
                    raise
                return False
            if type(value) is str:
                return value in keys
            if type(value) is bytes:
                panic_unhashable("types.Bytes")
            return type(value) in _MEMBERS and (type(value), value) in keys

        return Interpretable(evaluate)

    return make_plan


def _list_equal_keys(item: Value) -> list[object]:
    """Return the keys under which a member is found: a number also with other numeric types."""
    if type(item) is str:
        return [item]
    if type(item) is bool:
        return [(bool, item)]
    keys: list[object] = [(float, float(item)), (type(item), item)]
    if item == item // 1 and item >= 0:
        keys.append((Uint, Uint(int(item))))
    if item == item // 1:
        keys.append((int, int(item)))
    return keys
