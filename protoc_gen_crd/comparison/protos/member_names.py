"""The names of the members that a difference of protos is about."""

from __future__ import annotations

from protoc_gen_crd.comparison.protos.proto_comparison import RENAMED, ProtoDifference
from protoc_gen_crd.comparison.protos.proto_summary import MESSAGE, ProtoSummary, get_json_name


class MemberNames:
    """The names of members in two APIs."""

    def __init__(self, old: ProtoSummary, new: ProtoSummary) -> None:
        self._old, self._new = old, new

    def get_old_name(self, difference: ProtoDifference) -> str:
        """Return the JSON name of the old field, or the name of the old value of an enum."""
        name = difference.old_member or difference.member
        proto_type = self._old.types.get(difference.old_owner)
        return get_json_name(name, proto_type.members.get(name, {}) if proto_type else {})

    def get_json_name(self, difference: ProtoDifference) -> str:
        """Return the JSON name of a field; empty for types and for members of enums, which schemas list at once."""
        for summary, name in ((self._new, difference.owner), (self._old, difference.old_owner)):
            facts = summary.types[name].members.get(difference.member) if name in summary.types else None
            if facts is not None and "type" in facts and difference.difference.keyword != "oneof":
                return get_json_name(difference.member, facts)
        return ""

    def find_shared_name(self, difference: ProtoDifference) -> str:
        """Return the JSON name of a renamed field that another field has on the other side, empty for none.

        Schemas compare the fields of one name, so they do not show that these are different fields.
        """
        if difference.difference.rule != RENAMED[MESSAGE]:
            return ""
        if self.get_old_name(difference) == self.get_json_name(difference):
            return ""
        old, new = self._old.types[difference.old_owner].members, self._new.types[difference.owner].members
        old_member, number = difference.old_member or difference.member, new[difference.member]["number"]
        for name, facts, others in (
            (difference.member, new[difference.member], old), (old_member, old[old_member], new),
        ):  # fmt: skip
            json_name = get_json_name(name, facts)
            numbers = {get_json_name(other, facts): facts["number"] for other, facts in others.items()}
            if numbers.get(json_name, number) != number:
                return json_name
        return ""
