"""Changes of protos that the schemas of CRDs do not show.

Messages of API groups are compared by `group_comparison`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.comparison.api_summary import KindSummary
from protoc_gen_crd.comparison.change import MESSAGE_ITSELF, Change, ChangeClass
from protoc_gen_crd.comparison.change_rule_messages import describe_difference
from protoc_gen_crd.comparison.groups.group_api import ENUM, get_element
from protoc_gen_crd.comparison.protos import proto_comparison as rules
from protoc_gen_crd.comparison.protos.member_groups import DESCRIPTOR, RESERVATION
from protoc_gen_crd.comparison.protos.member_names import MemberNames
from protoc_gen_crd.comparison.protos.member_visibility import MemberVisibility
from protoc_gen_crd.comparison.protos.proto_change_rules import (
    ALWAYS,
    get_proto_class,
    is_proto_change,
    is_unvalidated,
)
from protoc_gen_crd.comparison.protos.proto_comparison import ProtoDifference, compare_protos
from protoc_gen_crd.comparison.protos.proto_summary import SERVICE, ProtoSummary
from protoc_gen_crd.comparison.protos.proto_usage import KindUse, find_kind_uses, find_root_types, split_package
from protoc_gen_crd.comparison.protos.service_comparison import IDEMPOTENCY
from protoc_gen_crd.comparison.protos.shown_elements import find_elements, find_explained_types
from protoc_gen_crd.comparison.severity_profiles import DEFAULT_PROFILES, IMMUTABLE, ProfileChoice
from protoc_gen_crd.crd.crd import Crd

_UNCOMPARED = "change-uncompared"
_LOWEST_RANK = (-1, -1)
_MAX_SHOWN = 3


class ApiProtos(Record):
    """The protos of an API, the CRDs that are generated from them, and the API groups of services."""

    summary: ProtoSummary
    crds: tuple[Crd, ...]
    groups: Mapping[str, KindSummary] = {}


def compare_api_protos(
    old: ApiProtos, new: ApiProtos, changes: Sequence[Change], profiles: ProfileChoice = DEFAULT_PROFILES
) -> list[Change]:
    """Return the changes of protos that the changes of CRDs do not report already."""
    return list(_ProtoChanges(old, new, changes, profiles).find())


class _ProtoChanges:
    def __init__(self, old: ApiProtos, new: ApiProtos, changes: Sequence[Change], profiles: ProfileChoice) -> None:
        self._old, self._new, self._profiles = old.summary, new.summary, profiles
        self._groups = (old.groups, new.groups)
        before = {(f"{crd.group}/{crd.names.kind}", version.name) for crd in old.crds for version in crd.versions}
        self._uses = [
            {name: [_limit_versions(use, before) for use in uses] for name, uses in uses_by_type.items()}
            for uses_by_type in (find_kind_uses(api.crds, api.summary) for api in (old, new))
        ]
        self._used = {name for uses in self._uses for name in uses}
        roots = [find_root_types(api.crds) for api in (old, new)]
        unnamed = {key: name for key, name in roots[1].items() if key in before and key not in roots[0]}
        known = {kind for kind, _ in roots[0]}
        self._messages = _guess_renamed_roots(old.summary, new.summary, unnamed)
        self._messages |= {roots[0][key]: name for key, name in roots[1].items() if key in roots[0]}
        self._added = {name for (kind, _), name in roots[1].items() if kind not in known}
        reported = {(change.kind, *key) for change in changes if change.nodes for key in find_elements(change.nodes)}
        self._names = MemberNames(old.summary, new.summary)
        self._visibility = MemberVisibility(self._uses, self._names, reported)
        self._explained: dict[tuple[str, str, str], tuple[int, int]] = {}
        for change in changes:
            for owner, name in find_explained_types(change):
                key = (change.kind, owner, name)
                self._explained[key] = max(self._rank(change), self._explained.get(key, _LOWEST_RANK))

    def find(self) -> Iterator[Change]:
        services: list[Change] = []
        unused: list[Change] = []
        for difference in compare_protos(self._old, self._new, self._messages):
            if difference.difference.keyword == rules.IMPORT and not self._get_version(difference):
                continue  # a new version in the same file can need other imports
            if self._is_in_group(difference):
                yield from self._make_changes(difference) if self._is_rest_of_group(difference) else ()
                continue
            changes = list(self._make_changes(difference))
            change = changes[0]
            if difference.owner in self._new.files or self._is_used(difference):
                yield from (change for change in changes if self._is_relevant(difference, change))
            elif SERVICE in (self._get_type_kind(difference), difference.difference.old):
                services += [change] if change.change_class > ChangeClass.NONE or change.old == SERVICE else []
            elif change.change_class > ChangeClass.NONE:
                unused.append(change)
        yield from self._report_unused([*services, *unused])

    def _rank(self, change: Change) -> tuple[int, int]:
        """Return the requirement and the severity of a change in the profile of its kind."""
        decision = self._profiles.find(change.kind).decide(change)
        return decision.requirement, decision.severity

    def _get_type_kind(self, difference: ProtoDifference) -> str:
        proto_type = self._new.types.get(difference.owner)
        return proto_type.kind if proto_type else ""

    def _is_in_group(self, difference: ProtoDifference) -> bool:
        """Return whether a difference is of a type of an API group, which no kind uses."""
        is_of_kind = bool({difference.owner, difference.old_owner} & self._used)
        name = self._split_package(self._get_package(difference.owner))[0]
        return not is_of_kind and any(name in groups for groups in self._groups)

    def _get_version(self, difference: ProtoDifference) -> str:
        return split_package(self._get_package(difference.owner))[1]

    def _split_package(self, package: str) -> tuple[str, str]:
        """Return the API group of a package, or the package without its version if there is no group; and the version.

        The group of acme.work.v1 is work, unless an option names another one.
        """
        name, version = split_package(package)
        last = name.rpartition(".")[2]
        return (last if any(last in groups for groups in self._groups) else name), version

    def _is_rest_of_group(self, difference: ProtoDifference) -> bool:
        """Return whether the comparison of API groups does not report a difference of a version of both sides."""
        rule, keyword = difference.difference.rule, difference.difference.keyword
        if rule == IDEMPOTENCY or not self._is_immutable(difference):
            return rule == IDEMPOTENCY
        if difference.owner in self._new.files:
            return rule == DESCRIPTOR
        package = self._get_package(difference.owner)
        name, version = self._split_package(package)
        path = difference.owner.removeprefix(f"{package}.")
        if not version:  # an annotated service; numbers can be reserved for new versions
            is_reserved = keyword == "reserved" and not difference.difference.old
            return _is_rest(difference) and not is_reserved and bool(self._find_annotated_versions(difference))
        sides = [groups[name].versions.get(version) for groups in self._groups if name in groups]
        if len(sides) < len(self._groups) or None in sides:
            return False  # a version that is added or removed
        is_known = [path in side.fields for side in sides if side]
        if rule == DESCRIPTOR and keyword == rules.TYPE_ITSELF and not difference.member:
            return not any(is_known)  # a type that is used is reported where it is used
        return _is_rest(difference) or not all(is_known)

    def _find_annotated_versions(self, difference: ProtoDifference) -> tuple[str, ...]:
        """Return the versions of an annotated service that both sides have, and the old one with the element.

        All versions share the files of the service. What only new versions have, may be added there.
        """
        package = self._get_package(difference.owner)
        name, _ = self._split_package(package)
        path = difference.owner.removeprefix(f"{package}.")
        member = f"{path}.{difference.member}" if difference.member else path
        before, after = (groups[name].versions if name in groups else {} for groups in self._groups)
        return tuple(
            version
            for version, side in before.items()
            if version in after
            and (
                difference.owner in self._new.files
                or {path, member} <= side.fields.keys()
                or get_element(side.fields.get(path, {})) == ENUM
            )
        )

    def _is_used(self, difference: ProtoDifference) -> bool:
        names = {difference.owner, difference.old_owner}
        return bool(names & self._used) or self._is_immutable(difference)

    def _is_relevant(self, difference: ProtoDifference, change: Change) -> bool:
        """Report whether a change is not reported for schemas, and is about more than unused files and types."""
        rule, owner = difference.difference.rule, difference.owner
        if owner in self._new.files:
            names = {name for name, proto_type in self._new.types.items() if proto_type.facts["file"] == owner}
            return bool(names & self._used) or self._is_immutable(difference)
        is_type = not difference.member and difference.difference.keyword == rules.TYPE_ITSELF
        is_new_kind = owner in self._added and self._is_immutable(difference)
        is_used = owner in self._used and not is_new_kind
        if rule == DESCRIPTOR and is_type and (is_used or not self._is_in_both(owner)):
            return False  # a type that is added or removed is reported where it is used, or with its version
        name = self._names.get_json_name(difference) if rule == rules.TYPE else self._names.find_shared_name(difference)
        if name:
            known = self._explained.get((change.kind, owner, name), _LOWEST_RANK)
            return known < self._rank(change)
        if not is_proto_change(change) and not self._is_immutable(difference):
            return False
        if change.rule in ALWAYS or (change.rule == rules.REUSED and change.old is None) or is_unvalidated(change):
            return True
        names = {self._names.get_json_name(difference)}
        names |= {self._names.get_old_name(difference)} if change.rule == rules.REUSED else set()
        return not all(self._visibility.is_reported(difference, change.kind, name) for name in names)

    def _is_immutable(self, difference: ProtoDifference) -> bool:
        package = self._get_package(difference.owner)
        return self._profiles.find_name(self._split_package(package)[0]) == IMMUTABLE

    def _get_package(self, name: str) -> str:
        return self._new.get_package(name) or self._old.get_package(name)

    def _is_in_both(self, name: str) -> bool:
        """Return whether both sides have the package of a type."""
        package = self._get_package(name)
        return all(any(facts["package"] == package for facts in side.files.values()) for side in (self._old, self._new))

    def _make_changes(self, proto_difference: ProtoDifference) -> Iterator[Change]:
        """Yield the change for each kind that uses its type, at least one."""
        owner = proto_difference.owner
        element = f"{owner}.{proto_difference.member}" if proto_difference.member else owner
        old_owner, old_member = (
            proto_difference.old_owner or owner,
            proto_difference.old_member or proto_difference.member,
        )
        old_element = f"{old_owner}.{old_member}" if old_member else old_owner
        old_at = self._old.find_place(old_element, old_owner)
        for kind, versions, path in self._locate(proto_difference):
            difference = self._visibility.adapt(proto_difference, kind)
            yield Change(
                difference.rule, get_proto_class(difference), kind, path, describe_difference(difference),
                versions, difference.old, difference.new, at=self._new.find_place(element, owner) or old_at,
                old_at=old_at, keyword="" if proto_difference.member else MESSAGE_ITSELF,
            )  # fmt: skip

    def _find_uses(self, difference: ProtoDifference) -> Sequence[KindUse]:
        """Return the uses of the type of a difference by kinds that used it before, and that have its member.

        If there are none, return all uses.
        """
        before, after = self._uses[0].get(difference.old_owner, ()), self._uses[1].get(difference.owner, ())
        known = {use.kind for use in before}
        uses = [use for use in after if use.kind in known] or after or before
        member = self._names.get_json_name(difference) or difference.member
        having = {use.kind for use in (*before, *after) if use.shows(member) or not use.is_shown}
        return [use for use in uses if use.kind in having] or uses

    def _locate(self, difference: ProtoDifference) -> Iterator[tuple[str, tuple[str, ...], str]]:
        """Yield the kinds, the versions, and the paths of a change; without a kind, those of the package."""
        owner, member = difference.owner, difference.member
        if uses := self._find_uses(difference):
            json_name = self._names.get_json_name(difference) or member
            for use in uses:
                yield use.kind, use.select_versions(json_name), _join_path(use, json_name)
            return
        package = self._get_package(owner)
        name, version = self._split_package(package)
        relative = owner.removeprefix(f"{package}.") if package else owner
        versions = (version,) if version else self._find_annotated_versions(difference)
        yield name, versions, f"{relative}.{member}" if member else relative

    def _report_unused(self, changes: Sequence[Change]) -> Iterator[Change]:
        """Report once that changes of types without a use are not judged."""
        names = list(dict.fromkeys(change.element for change in changes))
        if names:
            rest = f" and {len(names) - _MAX_SHOWN} more" if len(names) > _MAX_SHOWN else ""
            shown = f"{', '.join(names[:_MAX_SHOWN])}{rest}"
            message = f"changes of services, messages, and enums that no kind uses are not compared: {shown}"
            hint = "compare them with `buf breaking`, or set `groups` if they belong to a gRPC API group"
            first = changes[0]
            yield Change(
                _UNCOMPARED, ChangeClass.NONE, first.kind, "", message, first.versions, hint=hint, at=first.at,
                old_at=first.old_at,
            )  # fmt: skip


def _guess_renamed_roots(old: ProtoSummary, new: ProtoSummary, roots: Mapping[tuple[str, str], str]) -> dict[str, str]:
    """Return the new messages of kinds by the old ones, in a recorded release, which does not name the old ones.

    A message that the release does not have replaces the one that is named like the kind.
    """
    replaced: dict[str, str] = {}
    for (kind, _), name in roots.items():
        package = new.get_package(name)
        old_name = ".".join(filter(None, (package, kind.rpartition("/")[2])))
        if name not in old.types and old_name in old.types:
            replaced[old_name] = name
    return replaced


def _is_rest(difference: ProtoDifference) -> bool:
    """Return whether the comparison of API groups has no rule for a difference of a type that it knows."""
    rule, keyword = difference.difference.rule, difference.difference.keyword
    is_descriptor = rule == DESCRIPTOR and keyword != "oneof"
    return is_descriptor or rule == RESERVATION or keyword in ("json", "default")


def _limit_versions(use: KindUse, before: Collection[tuple[str, str]]) -> KindUse:
    """Return a use without versions that are new, in which nothing changed."""
    return use.replace(versions=tuple([name for name in use.versions if (use.kind, name) in before]))


def _join_path(use: KindUse, member: str) -> str:
    return ".".join(filter(None, (use.path, member)))
