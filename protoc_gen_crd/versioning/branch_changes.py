"""The changes of a branch for users, who have the last release, and not the commit that the branch started from.

The API is compared with the release. The commit only shows which of these changes were made before: those that it has,
too, or that are stronger in it. They are reported again only where the branch makes another incompatible change.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.comparison.api_comparison import compare_kinds, get_kind, list_keys
from protoc_gen_crd.comparison.change import Change, ChangeClass
from protoc_gen_crd.comparison.evidence.server_rejections import REJECTED_RULE
from protoc_gen_crd.comparison.severity_profiles import ProfileChoice
from protoc_gen_crd.comparison.summary_comparison import is_below
from protoc_gen_crd.documents.api_side import ApiSide
from protoc_gen_crd.findings.finding import Problems
from protoc_gen_crd.history.changelog_entries import format_count
from protoc_gen_crd.kubernetes.supported_versions import parse_minors
from protoc_gen_crd.settings.settings import Settings
from protoc_gen_crd.versioning.side_comparison import (
    BranchChanges,
    compare_groups_of_sides,
    compare_protos_of_sides,
    judge_kinds,
    list_names,
    select_crds,
)

_STEP = re.compile(r"[.\[{]")
UNRELEASED = "change-unreleased"
_HINT = "to compare with the commit alone, pass --old git:REF"


class _Part(Record):
    """Changes of one part of an API: those of the branch, and those since the release before and after them."""

    of_branch: Sequence[Change]
    before: Sequence[Change]
    after: Sequence[Change]


def find_branch_changes(
    base: ApiSide, released: ApiSide, new: ApiSide, settings: Settings, profiles: ProfileChoice
) -> BranchChanges:
    """Return the changes of a branch that started from a base, for users of a release, with their evidence.

    A kind, a package, or an API group that the release does not have is compared with the base.
    """
    return _BranchComparison(base, released, new, settings, profiles).compare()


class _BranchComparison:
    def __init__(
        self, base: ApiSide, released: ApiSide, new: ApiSide, settings: Settings, profiles: ProfileChoice
    ) -> None:
        released = _add_messages(released, base)
        self._base, self._released, self._new = base, released, new
        self._settings, self._profiles = settings, profiles
        unreleased = select_crds(base.crds, list_names(released.crds), are_named=False)
        self._old = released.replace(generated=(*released.generated, *unreleased), cases=(*base.cases, *released.cases))

    def compare(self) -> BranchChanges:
        """Compare the kinds, the protos, and the groups."""
        kinds = self._compare_kinds()
        parts = (kinds, self._compare_protos(kinds), self._compare_groups())
        changes = tuple([change for part in parts for change in _select_own(part)])
        others = tuple([change for part in parts for change in part.before])
        of_branch = [change for part in parts for change in part.of_branch]
        return BranchChanges(self._old, changes, others, tuple(_select_unshown(of_branch, changes)))

    def _compare_kinds(self) -> _Part:
        minor = parse_minors(self._settings.kubernetes)[-1]
        pairs = list(compare_kinds(self._base.crds, self._new.crds, minor, self._settings.channels))
        changed = [crd for pair in pairs if pair.is_changed for crd in (pair.old, pair.new) if crd]
        names = list_names([*changed, *self._new.repeated])
        of_branch = [change for pair in pairs for change in pair.changes]
        old, base, new = (_limit(side, names) for side in (self._old, self._base, self._new))
        return self._judge_kinds(old, base, new, of_branch)

    def _judge_kinds(self, old: ApiSide, base: ApiSide, new: ApiSide, of_branch: Sequence[Change]) -> _Part:
        """Return the changes of kinds with their evidence.

        Shortcut unrelated-changes: evidence depends on the nodes along the path of a change, and on those below it. If
        the branch changes none of them, a change that the base has, too, has the same evidence. It is not reported.
        """
        touched = _TouchedPaths(change for change in of_branch if change.change_class > ChangeClass.NONE)
        before = judge_kinds(old, base, self._settings, needs_evidence=touched.are_related)
        known = {key: change.change_class for change in before for key in list_keys(change)}

        def needs_evidence(change: Change) -> bool:
            is_known = all(change.change_class <= known.get(key, ChangeClass.NONE) for key in list_keys(change))
            return not is_known or touched.are_related(change)

        return _Part(of_branch, before, judge_kinds(old, new, self._settings, known, needs_evidence))

    def _compare_protos(self, kinds: _Part) -> _Part:
        of_branch = compare_protos_of_sides(self._base, self._new, kinds.of_branch, self._profiles)
        if self._released.protos is None:
            return _Part(of_branch, (), of_branch)
        before = compare_protos_of_sides(self._old, self._base, kinds.before, self._profiles)
        after = compare_protos_of_sides(self._old, self._new, kinds.after, self._profiles)
        return self._replace_unknown(_Part(of_branch, before, after))

    def _compare_groups(self) -> _Part:
        of_branch = compare_groups_of_sides(self._base, self._new)
        if self._base.groups is None:
            return _Part((), (), ())
        before, after = (compare_groups_of_sides(self._old, side) for side in (self._base, self._new))
        return self._replace_unknown(_Part(of_branch, before, after))

    def _replace_unknown(self, part: _Part) -> _Part:
        """Return a part with the changes of the branch for what the release does not have."""
        known = self._list_known()
        before, after = ([change for change in own if change.kind in known] for own in (part.before, part.after))
        return part.replace(before=before, after=[*after, *(each for each in part.of_branch if each.kind not in known)])

    def _list_known(self) -> set[str]:
        """Return the names in changes of the kinds, the packages, and the API groups of the release."""
        crds, protos, groups = self._released.crds, self._released.protos, self._released.groups
        names = list_names(crds)
        known = {get_kind(crd) for crd in (*crds, *select_crds((*self._base.crds, *self._new.crds), names))}
        if protos:
            from protoc_gen_crd.comparison.protos.proto_usage import collect_package_versions  # noqa: PLC0415 - not for CRDs from documents

            known |= collect_package_versions(protos).keys()
        return known | (groups.summary.keys() if groups else set())


class _TouchedPaths:
    """The paths of changes of nodes, and the paths around them."""

    def __init__(self, changes: Iterable[Change]) -> None:
        self._touched = {place for change in changes for place in _list_places(change, change.versions or ("",))}
        self._around = {(*key, parent) for *key, path in self._touched for parent in _list_parents(path)}

    def are_inside(self, change: Change) -> bool:
        """Return whether one of the changes is at a node of another change, or below it."""
        return not self._around.isdisjoint(_list_places(change, change.versions))

    def are_around(self, change: Change) -> bool:
        """Return whether one of the changes is at a node of another change, or around it."""
        places = _list_places(change, (*change.versions, ""))
        around = ((*key, parent) for *key, path in places for parent in _list_parents(path))
        return not self._touched.isdisjoint(around)

    def are_related(self, change: Change) -> bool:
        """Return whether one of the changes is at a node of another change, around it, or below it."""
        places = _list_places(change, (*change.versions, ""))
        return not self._around.isdisjoint(places) or self.are_around(change)


def _list_places(change: Change, versions: Sequence[str]) -> Iterator[tuple[str, str, str]]:
    """Yield the kind, version and path of each location of a change."""
    paths = (change.path, *change.other_paths)
    return ((change.kind, version, path) for version in versions for path in paths)


def _list_parents(path: str) -> Iterator[str]:
    """Yield a path and the paths around it."""
    yield from (path, "")
    yield from (path[: step.start()] for step in _STEP.finditer(path))


def _add_messages(released: ApiSide, base: ApiSide) -> ApiSide:
    """Return a release with the messages of kinds that the base has, if its record has none.

    Without .proto files in the record, the fields have the numbers of the base.
    """
    protos = released.protos or base.protos
    if protos is None or protos.kinds:
        return released
    from protoc_gen_crd.comparison.protos.proto_usage import list_root_types  # noqa: PLC0415 - not for CRDs from documents
    from protoc_gen_crd.comparison.recorded_messages import restore_messages  # noqa: PLC0415

    kinds = {
        kind: {path: name for path, name in names.items() if name in protos.types}
        for kind, names in list_root_types(base.crds).items()
    }
    return released.replace(decoded=restore_messages(released.decoded, protos.replace(kinds=kinds)))


def _limit(side: ApiSide, names: Collection[str]) -> ApiSide:
    """Return a side with the CRDs that have one of the names."""
    return side.replace(generated=select_crds(side.crds, names), decoded=())


def _select_own(part: _Part) -> Iterator[Change]:
    """Yield the changes since the release that the branch makes.

    Servers reject a CRD without regard to releases.
    """
    strengths = {key: _get_strength(change) for change in part.before for key in list_keys(change)}
    incompatible = _TouchedPaths(change for change in part.of_branch if change.change_class > ChangeClass.LOOSEN)
    classes = {key: change.change_class for change in part.before for key in _list_keywords(change)}
    for change in part.after:
        known = [strengths[key] for key in list_keys(change) if key in strengths]
        is_known = _get_strength(change) <= min(known) if known else _is_weakened(change, classes, incompatible)
        if not is_known or change.rule == REJECTED_RULE or _is_worse(change, incompatible):
            yield change


def _list_keywords(change: Change) -> list[tuple[str, ...]]:
    """Return the keyword of a change of a node at each of its locations."""
    if change.nodes is None or not change.keyword:
        return []
    return [(*place, change.keyword) for place in _list_places(change, change.versions)]


def _is_weakened(change: Change, classes: Mapping[tuple[str, ...], ChangeClass], incompatible: _TouchedPaths) -> bool:
    """Return whether a constraint rejects objects since before the branch, which only makes it reject fewer of them.

    `classes` are those of the changes that the branch started with.
    """
    keywords = _list_keywords(change)
    is_known = bool(keywords) and all(classes.get(key, ChangeClass.NONE) >= change.change_class for key in keywords)
    is_constraint = change.change_class is ChangeClass.TIGHTEN and not change.is_rejected
    is_broken = incompatible.are_inside(change) or incompatible.are_around(change)
    return is_known and is_constraint and not is_broken


def _get_strength(change: Change) -> tuple[bool, ChangeClass, bool]:
    return change.is_rejected, change.change_class, change.is_proven


def _is_worse(change: Change, incompatible: _TouchedPaths) -> bool:
    """Return whether a known change of a node can be worse now, since the branch changes what is at the node or below.

    A change of a type or of a field does not show what is below.
    """
    is_harmful = change.nodes is not None and change.change_class > ChangeClass.LOOSEN
    return is_harmful and incompatible.are_inside(change)


def _is_inside(change: Change, around: Change) -> bool:
    """Return whether a change is at the element of another one, or below it, in one of its versions."""
    if change.kind != around.kind or (around.versions and not {*around.versions} & {*change.versions}):
        return False
    parents = (around.path, *around.other_paths)
    paths = (change.path, *change.other_paths)
    return any(path == parent or is_below(path, parent) for path in paths for parent in parents)


def _select_unshown(changes: Iterable[Change], shown: Sequence[Change]) -> Iterator[Change]:
    """Yield the changes without one that is shown, and that is as incompatible: the same one, or one of its element."""
    keys = {key for change in shown for key in list_keys(change)}
    for change in changes:
        if keys.isdisjoint(list_keys(change)) and not any(_is_as_bad(other, change) for other in shown):
            yield change


def _is_as_bad(other: Change, change: Change) -> bool:
    """Return whether another change at, around, or below a change is as incompatible."""
    if other.change_class < min(change.change_class, ChangeClass.TIGHTEN):
        return False
    is_comparable = other.rule == change.rule or not (_is_member(change) or _is_member(other))
    return is_comparable and (_is_inside(change, other) or _is_inside(other, change))


def _is_member(change: Change) -> bool:
    """Return whether a change is one of a CRD or a version, and not of objects."""
    return not change.path and change.nodes is None


def report_unreleased(branch: BranchChanges, release: str, profiles: ProfileChoice, problems: Problems) -> None:
    """Report how many changes that require something are not shown, since they do not change a release."""
    count = sum(bool(profiles.find(change.kind).decide(change).requirement) for change in branch.unreleased)
    if count:
        number = f"{format_count(count, 'change')} without effect on the API of release {release}"
        problems.report(UNRELEASED, f"{number} {'is' if count == 1 else 'are'} not reported", hint=_HINT)
