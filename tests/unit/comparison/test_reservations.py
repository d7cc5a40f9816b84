"""Reserved numbers that a change gives up: only those that are neither reserved nor used anymore are reported."""

from __future__ import annotations

import pytest

from protoc_gen_crd.comparison.protos.member_groups import compare_reservations
from protoc_gen_crd.comparison.protos.proto_summary import ProtoType

Ranges = list[tuple[int, int]]


@pytest.mark.parametrize(
    ("old", "new", "used", "lost"),
    [
        ([(5, 10)], [(5, 9)], (), ["number 10"]),
        ([(5, 10)], [(6, 8)], (), ["number 5", "numbers 9 to 10"]),
        ([(5, 10)], [(20, 30)], (7,), ["numbers 5 to 6", "numbers 8 to 10"]),
        ([(5, 6)], [(6, 6), (1, 5)], (), []),
        ([(9, 536870911)], [(9, 20)], (21, 22), ["numbers 23 to 536870911"]),
    ],
)
def test_only_numbers_that_are_free_are_reported(
    old: Ranges, new: Ranges, used: tuple[int, ...], lost: list[str]
) -> None:
    members = {f"field{number}": {"number": number} for number in used}
    sides = (
        ProtoType("message", {"reservedNumbers": old}, {}),
        ProtoType("message", {"reservedNumbers": new}, members),
    )
    removed = [row for row in compare_reservations(*sides) if row.rule == "change-reservation-removed"]
    assert [row.old for row in removed] == lost
