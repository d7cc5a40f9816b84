"""The comparison of the reservations and oneofs of two messages or enums."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from protoc_gen_crd.comparison.change import Difference
from protoc_gen_crd.comparison.protos.proto_summary import Facts, ProtoType

UNRESERVED, RESERVATION = "change-unreserved", "change-reservation-removed"
ONEOF, DESCRIPTOR = "change-field-oneof", "change-descriptor"


def check_reservation(new: ProtoType, name: str, old: Facts) -> Iterator[Difference]:
    """Report a removed field or value whose number or name can be used again."""
    number = old.get("number")
    if number is None:
        return
    missing = [] if new.is_reserved(number) or number in _list_numbers(new) else [f"number {number}"]
    missing += [] if name in new.facts.get("reservedNames", ()) else [f'name "{name}"']
    if missing:
        yield Difference(UNRESERVED, "reserved", name, " and ".join(missing))


def _list_numbers(proto_type: ProtoType) -> set[int]:
    return {facts["number"] for facts in proto_type.members.values()}


def compare_reservations(old: ProtoType, new: ProtoType) -> Iterator[Difference]:
    """Report reserved numbers and names that are neither reserved nor used anymore, and those that are new."""
    used = _list_numbers(new)
    for first, last in old.facts.get("reservedNumbers", ()):
        for gap in _find_gaps(new.facts.get("reservedNumbers", ()), first, last, used):
            yield Difference(RESERVATION, "reserved", f"number{_format_range(*gap)}")
    for name in old.facts.get("reservedNames", ()):
        if name not in new.facts.get("reservedNames", ()) and name not in new.members:
            yield Difference(RESERVATION, "reserved", f'name "{name}"')
    yield from _find_added_reservations(old, new)


def _find_added_reservations(old: ProtoType, new: ProtoType) -> Iterator[Difference]:
    """Report reserved numbers and names that the old type neither reserved nor used."""
    known = _list_numbers(old)
    for first, last in new.facts.get("reservedNumbers", ()):
        for gap in _find_gaps(old.facts.get("reservedNumbers", ()), first, last, known):
            yield Difference(DESCRIPTOR, "reserved", None, f"number{_format_range(*gap)}")
    for name in new.facts.get("reservedNames", ()):
        if name not in {*old.facts.get("reservedNames", ()), *old.members}:
            yield Difference(DESCRIPTOR, "reserved", None, f'name "{name}"')


def _find_gaps(
    ranges: Sequence[Sequence[int]], first: int, last: int, used: Collection[int]
) -> Iterator[tuple[int, int]]:
    """Yield the ranges of numbers from first to last that are in no range, and that no member uses."""
    at = first
    for low, high in sorted([*((low, high) for low, high in ranges), *((number, number) for number in used)]):
        if low > last:
            break
        if at < low:
            yield at, low - 1
        at = max(at, high + 1)
    if at <= last:
        yield at, last


def _format_range(first: int, last: int) -> str:
    return f" {first}" if first == last else f"s {first} to {last}"


def compare_oneofs(old: ProtoType, new: ProtoType) -> Iterator[tuple[str, Difference]]:
    """Report fields that moved between oneofs, at the first of those that moved together."""
    moved: dict[tuple[str | None, str | None], str] = {}
    for name, before in old.members.items():
        oneofs = before.get("oneof"), new.members.get(name, before).get("oneof")
        if oneofs[0] != oneofs[1] and _is_wrapped(old, new, name):
            yield name, Difference(DESCRIPTOR, "oneof", *oneofs)
        elif oneofs[0] != oneofs[1]:
            moved.setdefault(oneofs, name)
    for oneofs, name in moved.items():
        yield name, Difference(DESCRIPTOR if _is_renamed(old, new, oneofs) else ONEOF, "oneof", *oneofs)


def _is_renamed(old: ProtoType, new: ProtoType, oneofs: tuple[str | None, str | None]) -> bool:
    """Return whether two oneofs have the same fields, apart from those that only one of the types has."""
    sides = [
        {name for name, facts in side.members.items() if facts.get("oneof") == oneof and name in other.members}
        for side, other, oneof in ((old, new, oneofs[0]), (new, old, oneofs[1]))
    ]
    return None not in oneofs and sides[0] == sides[1]


def _is_wrapped(old: ProtoType, new: ProtoType, name: str) -> bool:
    """Return whether a field has no other field beside it in its oneofs, which then exclude nothing."""
    return all(
        sum(facts.get("oneof") == oneof for facts in value.members.values()) == 1
        for value in (old, new)
        if (oneof := value.members[name].get("oneof")) is not None
    )
