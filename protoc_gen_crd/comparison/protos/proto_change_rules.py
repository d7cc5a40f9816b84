"""The rules of changes that only protos show, and the classes of these changes."""

from __future__ import annotations

from protoc_gen_crd.comparison.change import Change, ChangeClass, Difference
from protoc_gen_crd.comparison.change_rules import get_class
from protoc_gen_crd.comparison.protos import proto_comparison as rules
from protoc_gen_crd.comparison.protos.member_groups import DESCRIPTOR, ONEOF, RESERVATION, UNRESERVED

# Rules that only protobuf clients notice: for kinds, whose objects are JSON, they change the meaning of bytes.
_WIRE_RULES = (*rules.NUMBERS.values(), rules.REUSED, rules.TYPE, ONEOF, rules.PACKAGE, rules.MESSAGE_NAME)
# Rules that are about protos only. For kinds, schemas show the other differences.
PROTO_RULES = (
    *_WIRE_RULES, UNRESERVED, RESERVATION, rules.PRESENCE, rules.LANGUAGE, DESCRIPTOR,
    rules.DEPRECATED, rules.WITHDRAWN,
)  # fmt: skip
ALWAYS = (
    *rules.NUMBERS.values(),
    UNRESERVED,
    RESERVATION,
    rules.DEPRECATED,
    rules.WITHDRAWN,
    rules.MESSAGE_NAME,
)  # also for elements that a schema change is about
# Rules of members that objects have without a schema: their programs cannot read them anymore.
UNVALIDATED_RULES = (*rules.REMOVED.values(), *rules.RENAMED.values())


def is_proto_change(change: Change) -> bool:
    """Return whether a change is about what the schema of its kind does not show."""
    return change.rule in PROTO_RULES or is_unvalidated(change)


def is_unvalidated(change: Change) -> bool:
    """Return whether a change is about a member that objects have without a schema."""
    return change.rule in UNVALIDATED_RULES and change.change_class is ChangeClass.SEMANTIC


def get_proto_class(difference: Difference) -> ChangeClass:
    """Return the class of a difference: the binary form of a kind is not that of requests."""
    if difference.rule in _WIRE_RULES:
        return ChangeClass.SEMANTIC
    return ChangeClass.NONE if difference.rule == rules.PRESENCE else get_class(difference)
