"""Literals of lists and maps, made beforehand where all in them is known, and membership in lists that are known.

Source: cel-go v0.29 `interpreter/interpretable.go`, `interpreter/decorators.go`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence, Set

from protoc_gen_crd.cel.ast import Uint
from protoc_gen_crd.cel.library.functions.conversions import shown
from protoc_gen_crd.cel.library.functions.messages import make
from protoc_gen_crd.cel.values import MISSING, CelError, Map, Optional, Value, key_of, unhashable

from .frames import COST, Frame, Plan, Run, constant

_LIST, _MAP, _STRUCT = 10, 30, 40  # what making one costs
_MEMBERS = (str, bool, int, Uint, float)


def of_list(items: Sequence[Plan], optionals: Set[int]) -> Plan:
    """A literal of a list; at `optionals` stand optional values, which are left out if they are none."""
    if not optionals and all(item.constant is not MISSING for item in items):
        return constant([item.constant for item in items])
    runs = [item.run for item in items]
    return Plan(_with_optionals(runs, optionals) if optionals else _list(runs))


def _list(runs: Sequence[Run]) -> Run:
    def make_list(frame: Frame) -> list[Value]:
        frame[COST] += _LIST
        return [run(frame) for run in runs]

    return make_list


def _with_optionals(runs: Sequence[Run], optionals: Set[int]) -> Run:
    def make_list(frame: Frame) -> list[Value]:
        frame[COST] += _LIST
        made = []
        for place, run in enumerate(runs):
            value = run(frame)
            if place in optionals:
                if type(value) is not Optional:
                    raise CelError(f"cannot initialize optional list element from non-optional value {shown(value)}")
                value = value.value
            if value is not MISSING:
                made.append(value)
        return made

    return make_list


def of_map(entries: Sequence[tuple[Plan, Plan, bool]]) -> Plan:
    """A literal of a map, of keys, values and whether these are optional."""
    if all(_known(key) and value.constant is not MISSING and not optional for key, value, optional in entries):
        return constant(Map.of([(key.constant, value.constant) for key, value, _ in entries]))
    runs = [(key.run, value.run, optional) for key, value, optional in entries]

    def make_map(frame: Frame) -> Map:
        frame[COST] += _MAP
        made = {}
        for key_run, value_run, optional in runs:
            key, value = key_run(frame), value_run(frame)
            if optional:
                if type(value) is not Optional:
                    told = f"'{shown(key)}' from non-optional value {shown(value)}"
                    raise CelError(f"cannot initialize optional entry {told}")
                value = value.value
            made[key_of(key)] = value
            if value is MISSING:
                del made[key_of(key)]
        return Map(made)

    return Plan(make_map)


def of_struct(name: str, fields: Sequence[tuple[str, Run, bool]], minor: int) -> Plan:
    """A literal of a message, of the names of its fields, their values and whether these are optional."""

    def make_struct(frame: Frame) -> Value:
        frame[COST] += _STRUCT
        made = {}
        for field, run, optional in fields:
            value = run(frame)
            if optional:
                if type(value) is not Optional:
                    told = f"'{field}' from non-optional value {shown(value)}"
                    raise CelError(f"cannot initialize optional entry {told}")
                value = value.value
            made[field] = value
            if value is MISSING:
                del made[field]
        return make(name, made, minor)

    return Plan(make_struct)


def _known(key: Plan) -> bool:
    return key.constant is not MISSING and type(key.constant) is not bytes


def members(items: Sequence[Value], *, forgiving: bool) -> Plan | Callable[[Plan], Plan] | None:
    """How to tell whether a value is in a list that is known: never, or by a set; None where there is no such way.

    To a `forgiving` server, an error is no member.
    """
    if not items:
        return constant(value=False)
    if not all(type(item) in _MEMBERS for item in items):
        return None
    known = frozenset([key for item in items for key in _alike(item)])

    def of(value: Plan) -> Plan:
        run = value.run

        def contained(frame: Frame) -> bool:
            found = run(frame)
            if type(found) is str:
                return found in known
            if type(found) is bytes:
                unhashable("types.Bytes")
            return type(found) in _MEMBERS and (type(found), found) in known

        return Plan(_forgiven(contained) if forgiving else contained)

    return of


def _forgiven(run: Run) -> Run:
    def forgiven(frame: Frame) -> Value:
        try:
            return run(frame)
        except CelError:
            return False

    return forgiven


def _alike(item: Value) -> list[object]:
    """The keys that a member is found by: a number also by those of other types."""
    if type(item) is str:
        return [item]
    if type(item) is bool:
        return [(bool, item)]
    found: list[object] = [(float, float(item)), (type(item), item)]
    if item == item // 1 and item >= 0:
        found.append((Uint, Uint(int(item))))
    if item == item // 1:
        found.append((int, int(item)))
    return found
