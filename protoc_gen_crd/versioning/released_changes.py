"""Changes that a recorded release already has, or that affect only what was never released.

Compatibility is promised between releases. What a release was recorded with has been accepted, and an element that no
release has may still change.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path

from protoc_gen_crd.comparison.api_comparison import compare_apis, judge_changes
from protoc_gen_crd.comparison.api_summary import get_parent
from protoc_gen_crd.comparison.change import Change, ChangeClass
from protoc_gen_crd.comparison.channel_moves import MOVED
from protoc_gen_crd.comparison.evidence.server_rejections import REJECTED_RULE
from protoc_gen_crd.comparison.groups.group_api import GroupApi, select_groups
from protoc_gen_crd.comparison.recorded_channels import restore_channels
from protoc_gen_crd.comparison.severity_profiles import ProfileChoice
from protoc_gen_crd.comparison.summary_comparison import is_below
from protoc_gen_crd.documents.api_side import ApiSide
from protoc_gen_crd.findings.finding import Problems
from protoc_gen_crd.history.changelog_entries import format_count
from protoc_gen_crd.history.release_store import Release, list_crd_folders, load_protos, load_releases, load_summary
from protoc_gen_crd.kubernetes.supported_versions import parse_minors
from protoc_gen_crd.settings.settings import Settings
from protoc_gen_crd.side_loader import SideReader

UNRELEASED = "change-unreleased"
_ADDED_RULES = ("change-kind-added", "change-version-added", "change-field-added")
_VALUES_REPLACED, _VALUE_ADDED = "change-enum", "change-enum-value-added"
_Key = tuple[str, str, str]  # a kind, a version, and a path or a rule
_HINT = "to compare with the commit alone, pass --old git:REF"


def compare_protos_of_sides(
    old: ApiSide, new: ApiSide, changes: Sequence[Change], profiles: ProfileChoice
) -> Sequence[Change]:
    """Return the changes of protos besides the changes of CRDs; none if a side has no .proto files."""
    if old.protos is None or new.protos is None:
        return ()
    from protoc_gen_crd.comparison.protos.proto_change_selection import ApiProtos, compare_api_protos  # noqa: PLC0415 - not for CRDs from documents

    before, after = (
        ApiProtos(protos, side.crds, side.groups.summary if side.groups else {})
        for side, protos in ((old, old.protos), (new, new.protos))
    )
    return compare_api_protos(before, after, changes, profiles)


def compare_with_release(
    folder: Path, release: Release, new: ApiSide, settings: Settings, problems: Problems
) -> Sequence[Change]:
    """Return the changes of kinds and protos since a recorded release, without evidence."""
    old = _read_release(folder, release, settings, problems)
    profiles = ProfileChoice({"": settings.profile, **settings.profiles})
    changes = compare_apis(old.crds, new.crds, parse_minors(settings.kubernetes)[-1], settings.channels)
    return (*changes, *compare_protos_of_sides(old, new, changes, profiles))


def load_last_release(history: str, settings: Settings) -> ApiSide:
    """Return the last release of a folder, with its API groups; an empty side if there is none.

    Files that were changed are no findings here: `history check` reports them.
    """
    ignored = Problems()
    releases = load_releases(Path(history), ignored) if history else []
    if not releases:
        return ApiSide("")
    release = _read_release(Path(history), releases[-1], settings, ignored)
    return add_recorded(release, Path(history), releases[-1], ignored).replace(label=releases[-1].name)


def add_recorded(side: ApiSide, folder: Path, release: Release, problems: Problems) -> ApiSide:
    """Return the side of a release with what only its other files have: API groups, protos, and channels of fields."""
    summary = load_summary(folder, release, problems)
    protos = load_protos(folder, release, problems)
    decoded = side.decoded if protos is None else restore_channels(side.decoded, summary)
    return side.replace(decoded=decoded, protos=protos, groups=GroupApi(select_groups(summary)))


def _read_release(folder: Path, release: Release, settings: Settings, problems: Problems) -> ApiSide:
    """Return the CRDs and the protos of a release."""
    side = SideReader(f"history:{release.name}", settings, problems).read(list_crd_folders(folder, release.name))
    return side.replace(protos=load_protos(folder, release, problems))


def drop_released(
    changes: Sequence[Change], released: ApiSide, new: ApiSide, minor: int, profiles: ProfileChoice
) -> list[Change]:
    """Return the changes that are also changes of the last release, and those of kinds that it does not have.

    What is added again after its removal is compared with the release, too.

    Args:
        changes: The changes since some other state of the API.
        released: The last recorded release.
        new: The current API.
        minor: The minor version of Kubernetes that compares.
        profiles: The profiles of kinds and packages.
    """
    if not released.crds and not released.protos:
        return list(changes)
    compared = compare_apis(released.crds, new.crds, minor)
    if _select_added_again(changes, compared):
        compared = judge_changes(released.crds, new.crds, (minor,))
    added_again = _select_added_again(changes, compared)
    compared = (*compared, *compare_protos_of_sides(released, new, compared, profiles))
    known = {f"{crd.group}/{crd.names.kind}" for crd in released.crds}
    compared = (*compared, *_select_unknown(changes, released), *_select_unreserved(changes, compared))
    if released.protos:
        from protoc_gen_crd.comparison.protos.proto_usage import collect_package_versions  # noqa: PLC0415 - not for CRDs from documents

        known |= collect_package_versions(released.protos).keys()
    return _select_unreleased(changes, compared, known) + added_again


def _select_added_again(changes: Sequence[Change], compared: Sequence[Change]) -> list[Change]:
    """Return the changes since the release in elements that other changes add, and that the release already has.

    Values that replace others in an enum are added, too, even if the release does not have the others.
    """
    added = [change for change in changes if change.rule in _ADDED_RULES]
    replaced = {key for change in changes if change.rule == _VALUES_REPLACED for key in _get_keys(change)}
    reported = {(change.rule, key) for change in changes for key in _get_keys(change)}
    return [
        change
        for change in compared
        if change.change_class > ChangeClass.ADDITIVE
        and (
            any(_is_inside(change, element) for element in added)
            or (change.rule == _VALUE_ADDED and not replaced.isdisjoint(_get_keys(change)))
        )
        and not any((change.rule, key) in reported for key in _get_keys(change))
    ]


def _is_inside(change: Change, added: Change) -> bool:
    """Return whether a change is in an added kind, version, or field."""
    if change.kind != added.kind or (added.versions and not {*added.versions} & {*change.versions}):
        return False
    parents = (added.path, *added.other_paths)
    paths = (change.path, *change.other_paths)
    return any(path == parent or is_below(path, parent) for path in paths for parent in parents)


def _select_unreserved(changes: Sequence[Change], compared: Sequence[Change]) -> Iterator[Change]:
    """Yield the removals of reservations of what the release uses; since the release, it is removed unreserved."""
    from protoc_gen_crd.comparison.protos.member_groups import RESERVATION, UNRESERVED  # noqa: PLC0415 - not for CRDs from documents

    free = [(change.kind, get_parent(change.path), str(change.new)) for change in compared if change.rule == UNRESERVED]
    for change in changes:
        if change.rule == RESERVATION:
            freed = [text.split(" and ") for kind, path, text in free if (kind, path) == (change.kind, change.path)]
            is_range = change.old.startswith("numbers ")
            if any(change.old in parts or is_range for parts in freed):
                yield change


def _select_unknown(changes: Sequence[Change], released: ApiSide) -> Iterator[Change]:
    """Yield the changes of protos that the record of a release cannot show: they may affect the release.

    A release that was recorded without protos has none of their facts. No record names the messages of kinds, but a
    message that the release does not have is not that of its kind.
    """
    from protoc_gen_crd.comparison.protos.proto_change_rules import is_proto_change  # noqa: PLC0415 - not for CRDs from documents
    from protoc_gen_crd.comparison.protos.proto_comparison import MESSAGE_NAME  # noqa: PLC0415 - not for CRDs from documents

    if released.protos is None:
        yield from (change for change in changes if is_proto_change(change) or change.rule == MOVED)
        return
    names = {released.protos.get_relative_name(name) for name in released.protos.types}
    yield from (change for change in changes if change.rule == MESSAGE_NAME and change.new not in names)


def drop_released_groups(changes: Sequence[Change], released: GroupApi | None, new: GroupApi | None) -> list[Change]:
    """Return the changes that are also changes of the last release, and those of groups that it does not have."""
    if released is None or new is None:
        return list(changes)
    from protoc_gen_crd.comparison.groups.group_comparison import compare_groups  # noqa: PLC0415 - few APIs have groups

    return _select_unreleased(changes, compare_groups(released, new), released.summary)


def _select_unreleased(changes: Sequence[Change], compared: Sequence[Change], known: Collection[str]) -> list[Change]:
    """Return the changes that `compared`, the changes of the last release, have, too, and those of unknown kinds.

    An element that is new since the release, or that now accepts more, has only the weaker change of the release.
    """
    strongest: dict[_Key, ChangeClass] = {}
    for change in compared:
        for key in _get_keys(change):
            strongest[key] = max(change.change_class, strongest.get(key, change.change_class))
    return [change for change in changes if change.kind not in known or _is_unreleased(change, strongest)]


def _is_unreleased(change: Change, strongest: Mapping[_Key, ChangeClass]) -> bool:
    """Return whether the last release has a change at the same element that is as strong.

    Servers reject a CRD without regard to releases, and the strength of a rejected change is that of the rejection.
    """
    if change.rule == REJECTED_RULE:
        return True
    classes = [strongest[key] for key in _get_keys(change) if key in strongest]
    return bool(classes) and (change.is_rejected or max(classes) >= min(change.change_class, ChangeClass.TIGHTEN))


def report_dropped(
    changes: Sequence[Change], kept: Sequence[Change], released: ApiSide, profiles: ProfileChoice, problems: Problems
) -> None:
    """Report how many changes that require something are not kept, since they do not change the last release."""
    kept_ids = {id(change) for change in kept}
    dropped = [change for change in changes if id(change) not in kept_ids]
    count = sum(bool(profiles.find(change.kind).decide(change).requirement) for change in dropped)
    if count:
        number = f"{format_count(count, 'change')} without effect on the API of release {released.label}"
        problems.report(UNRELEASED, f"{number} {'is' if count == 1 else 'are'} not reported", hint=_HINT)


def _get_keys(change: Change) -> list[_Key]:
    """Return the elements of a change by version; changes of whole objects and CRDs also have their rule."""
    rule = "" if change.path else change.rule
    names = [path or rule for path in (change.path, *change.other_paths)]
    return [(change.kind, version, name) for version in change.versions or ("",) for name in names]
