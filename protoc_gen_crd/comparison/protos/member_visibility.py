"""The visibility of members of messages and enums in the schemas of kinds, which decides what a difference means."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from enum import Enum

from protoc_gen_crd.comparison.change import ChangeClass, Difference
from protoc_gen_crd.comparison.protos.member_names import MemberNames
from protoc_gen_crd.comparison.protos.proto_change_rules import UNVALIDATED_RULES
from protoc_gen_crd.comparison.protos.proto_comparison import RENAMED, REUSED, ProtoDifference
from protoc_gen_crd.comparison.protos.proto_usage import KindUse


class _Visibility(Enum):
    """How the schema of a kind showed a member of a type."""

    SHOWN = 0
    UNVALIDATED = 1  # objects have the member, but no schema shows it
    SKIPPED = 2  # objects cannot have the member


class MemberVisibility:
    """The members that the schemas of kinds show.

    `uses` are the uses of types in both APIs, `reported` the fields that changes of schemas are about: their kinds,
    types, and JSON names.
    """

    def __init__(
        self,
        uses: Sequence[Mapping[str, Sequence[KindUse]]],
        names: MemberNames,
        reported: Collection[tuple[str, str, str]],
    ) -> None:
        self._uses, self._names, self._reported = uses, names, reported

    def is_reported(self, difference: ProtoDifference, kind: str, name: str) -> bool:
        """Return whether a change of the schema of a kind is about a member of a type."""
        return any((kind, owner, name) in self._reported for owner in (difference.owner, difference.old_owner))

    def adapt(self, difference: ProtoDifference, kind: str) -> Difference:
        """Return the difference of a removed or renamed member for a kind whose schema did not show the member.

        Objects do not have the names of skipped fields, so only their numbers count.
        """
        own = difference.difference
        if own.rule not in UNVALIDATED_RULES:
            return own
        old_name, new_name = self._names.get_old_name(difference), self._names.get_json_name(difference)
        is_renamed = own.rule in RENAMED.values()
        if is_renamed and old_name == new_name:
            return own
        visibility = self._find(difference, kind)
        if visibility is _Visibility.UNVALIDATED:
            return own.replace(change_class=ChangeClass.SEMANTIC)
        if visibility is _Visibility.SKIPPED and is_renamed and difference.old_member:
            return Difference(REUSED, "number", difference.old_member, difference.member)
        return own

    def _find(self, difference: ProtoDifference, kind: str) -> _Visibility:
        """Return how the schema of a kind showed a member that is removed or renamed."""
        uses = (self._uses[0].get(difference.old_owner, ()), self._uses[1].get(difference.owner, ()))
        before, after = ([use for use in side if use.kind == kind] for side in uses)
        for use in before or after:  # one of a kind; recorded releases have none
            if not use.is_shown:
                return _Visibility.UNVALIDATED if use.is_stored else _Visibility.SKIPPED
            name = self._names.get_old_name(difference)
            is_reported = self.is_reported(difference, kind, self._names.get_json_name(difference) and name)
            return _Visibility.SHOWN if (use.shows(name) if before else is_reported) else _Visibility.SKIPPED
        return _Visibility.SHOWN
