"""The comparison of two summaries of services: their methods, and what servers promise about them."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from protoc_gen_crd.comparison.change import ChangeClass, Difference
from protoc_gen_crd.comparison.protos.proto_summary import Facts, ProtoType

IDEMPOTENCY = "change-rpc-idempotency"
IDEMPOTENCY_FACT = "idempotency"
_SIGNATURE = "change-rpc-message"
_TYPES = ("request", "response")
_NO_LEVEL = "IDEMPOTENCY_UNKNOWN"
_STRENGTHS = {"IDEMPOTENT": 1, "NO_SIDE_EFFECTS": 2}  # of the promises of levels; others promise nothing


def compare_services(
    old: ProtoType, new: ProtoType, translate: Callable[[str], str]
) -> Iterator[tuple[str, Difference]]:
    """Yield the differences of the methods of a service that a rule claims, by the names of methods.

    `translate` returns the new name of an old type.
    """
    for name, before in old.members.items():
        after = new.members.get(name)
        if after is None:
            yield name, Difference("change-rpc-removed", "", _describe_method(before), None)
            continue
        for fact in _TYPES:
            if translate(before[fact]) != after[fact]:
                yield name, Difference(_SIGNATURE, fact, before[fact], after[fact])
        old_level, new_level = (facts.get(IDEMPOTENCY_FACT, _NO_LEVEL) for facts in (before, after))
        if old_level != new_level:
            is_weaker = _STRENGTHS.get(new_level, 0) < _STRENGTHS.get(old_level, 0)
            change_class = ChangeClass.SEMANTIC if is_weaker else ChangeClass.LOOSEN
            yield name, Difference(IDEMPOTENCY, "idempotency_level", old_level, new_level, change_class)
    for name, after in new.members.items():
        if name not in old.members:
            yield name, Difference("change-rpc-added", "", None, _describe_method(after))


def _describe_method(facts: Facts) -> str:
    return f"({facts['request']}) returns ({facts['response']})"
