"""The table of cost formulas: every row is for an existing function, and charges stay within estimates."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from protoc_gen_crd.cel import environment
from protoc_gen_crd.cel.checker.overloads import Overload
from protoc_gen_crd.cel.cost.function_costs import ROWS, CostRow
from protoc_gen_crd.cel.cost.intervals import MAX_UINT64, add, multiply, multiply_by_factor, to_int64
from protoc_gen_crd.cel.cost.runtime_cost import find_charge
from protoc_gen_crd.cel.cost.size_paths import append_step, make_variable_path
from protoc_gen_crd.cel.values.runtime_values import Map, Optional, Panic, Value


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.keys[0])
def test_a_row_is_for_what_servers_have(row: CostRow) -> None:
    minors = [minor for minor in range(25, 38) if row.is_on(minor)]
    known = {
        name
        for minor in minors
        for overload in environment.get_stored_environment(minor).list_overloads()
        for name in _keys(overload, row)
    }
    assert set(row.keys) <= known


def _keys(overload: Overload, row: CostRow) -> tuple[str, ...]:
    return (overload.name,) if row.named else (overload.id,)


@pytest.mark.parametrize(
    ("overload", "function", "args", "result", "minor", "cost"),
    [
        ("equals", "_==_", ["a" * 21, "a" * 11], False, 37, 2),
        ("equals", "_==_", [1, 2], False, 37, 1),
        ("equals", "_==_", [Optional("a" * 21), Optional("a" * 21)], True, 32, 1),
        ("equals", "_==_", [Optional("a" * 21), Optional("a" * 21)], True, 33, 3),
        ("starts_with_string", "startsWith", ["a" * 50, "a"], True, 36, 5),
        ("starts_with_string", "startsWith", ["a" * 50, "a"], True, 37, 1),
        ("", "startsWith", ["a" * 50, "a"], True, 37, 1),
        ("matches_string", "matches", ["a" * 19, "a" * 5], True, 37, 4),
        ("matches", "matches", ["a" * 19, "a" * 5], True, 36, 1),
        ("matches", "matches", ["a" * 19, "a" * 5], True, 37, 4),
        ("in_list", "@in", [1, [1, 2, 3]], True, 37, 3),
        ("in_map", "@in", [1, Map.from_pairs([(1, 2)])], True, 37, 1),
        ("add_list", "_+_", [[1], [2, 3]], [1, 2, 3], 37, 1),
        ("add_string", "_+_", ["a" * 8, "b" * 3], "", 37, 2),
        ("list_join", "join", [["a", "b"]], "a" * 11, 37, 3),
        ("list_int_sum_int", "sum", [[1, 2, 3]], 6, 37, 3),
        ("list_string_max_string", "max", [["a" * 19, "b" * 9]], "", 37, 1),
        ("list_a_index_of_int", "indexOf", [[Map.from_pairs([("k", 1)]), [2, 3]], 2], -1, 37, 3),
        ("list_sets_equivalent_list", "sets.equivalent", [[1, 2], [1, 2, 3]], True, 37, 13),
        ("list_int_sort", "sort", [[3, 1, 2]], [1, 2, 3], 37, 29),
        ("list_string_sort", "sort", [["b", "a"]], ["a", "b"], 37, 19),
        ("list_flatten_int", "flatten", [[[1], [2]], 3], [], 37, 17),
        ("list_slice", "slice", [[1, 2, 3], 0, 2], [1, 2], 37, 13),
        ("resourcecheck_check", "check", [None, ""], None, 37, 350_000),
        ("year", "getFullYear", [None], 1, 37, 1),
    ],
)
def test_charges(overload: str, function: str, args: Sequence[Value], result: Value, minor: int, cost: int) -> None:
    assert find_charge(overload, function, minor)(args, result) == cost


def test_a_charge_can_fail_as_the_server_does() -> None:
    with pytest.raises(Panic) as error:
        find_charge("list_distinct", "distinct", 37)(["a"], None)
    assert error.value.message == "interface conversion: types.String is not traits.Lister: missing method Contains"


def test_numbers_stop_at_the_greatest() -> None:
    assert add((1, MAX_UINT64), (2, 1)) == (3, MAX_UINT64)
    assert multiply((0, MAX_UINT64), (MAX_UINT64, 2)) == (0, MAX_UINT64)
    assert multiply_by_factor((0, MAX_UINT64), 0.1) == (0, 1844674407370955264)
    assert multiply_by_factor((1, MAX_UINT64), 1) == (1, MAX_UINT64)
    assert [to_int64(value) for value in (3.0, -1.0, 2.0**64, -(2.0**64))] == [3, MAX_UINT64, 1 << 63, 1 << 63]


def test_paths_share_their_cells_as_slices_do() -> None:
    item = append_step(append_step(make_variable_path("self"), "list"), "@items")
    first, other = append_step(item, "a"), append_step(item, "b")
    assert first.steps == other.steps == ["self", "list", "@items", "b"]
    assert append_step(append_step(first, "c"), "d").steps == ["self", "list", "@items", "b", "c", "d"]
