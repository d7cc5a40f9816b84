"""The checklist of what must accompany changes: the items that follow from the CRDs of both sides alone."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.comparison.change import Change
from protoc_gen_crd.comparison.channel_moves import list_channels
from protoc_gen_crd.comparison.schemas.schema_numbers import SchemaNumbers
from protoc_gen_crd.comparison.severity_profiles import ProfileChoice, is_released
from protoc_gen_crd.comparison.version_differences import (
    VersionDifference,
    find_differences,
    find_element_path,
    get_rule,
)
from protoc_gen_crd.comparison.version_losses import has_conversion
from protoc_gen_crd.crd.crd import Crd, CrdVersion
from protoc_gen_crd.findings.finding import Finding, Place, Severity
from protoc_gen_crd.kubernetes.api_version_order import parse_version

OPEN_RULE = "change-open"
IsAccepted = Callable[[Crd, VersionDifference], bool]
_STABLE = 2  # stage of parse_version


class ChecklistItem(Record):
    """An item of the checklist: its name, the element that it is about, the requirement, and whether it is done.

    `requirement` is an imperative; `hint` describes how to do it while the item is open.
    """

    name: str
    element: str
    requirement: str
    is_done: bool
    hint: str = ""
    at: Place | None = None
    severity: Severity | None = None

    def format(self) -> str:
        """Return the line of the printed checklist."""
        return f"{'done' if self.is_done else 'open'}: {self.name}: {self.requirement}"


def make_open_finding(item: ChecklistItem) -> Finding:
    """Return the finding of an open item; suppressions name it as `NAME.ELEMENT`, or `NAME.*` for all elements."""
    message = f'release checklist item "{item.name}" is open: {item.requirement}'
    return Finding(OPEN_RULE, message, item.at, f"{item.name}.{item.element}", item.hint, severity=item.severity)


def list_crd_items(
    old: Sequence[Crd], new: Sequence[Crd], changes: Sequence[Change], profiles: ProfileChoice, is_accepted: IsAccepted
) -> Iterator[ChecklistItem]:
    """Yield the items about channels, conversion, and stored objects.

    `is_accepted` reports whether the user accepts a difference between versions.
    """
    before, after = ({f"{crd.group}/{crd.names.kind}": crd for crd in crds} for crds in (old, new))
    numbers = SchemaNumbers()
    for kind in dict.fromkeys(change.kind for change in changes):
        own = [change for change in changes if change.kind == kind]
        if profiles.find_name(kind) == "istio":
            yield from _check_channels(own, after)
        if kind in before and kind in after:
            yield from _check_webhook(kind, before[kind], after[kind])
            if any(change.nodes or change.rule == "change-version-added" for change in own):
                yield from _check_conversion(kind, before[kind], after[kind], is_accepted, numbers)
            yield from _check_storage(kind, before[kind], after[kind])
            yield from _check_migration(kind, before[kind], after[kind], own)


def _check_channels(changes: Iterable[Change], crds: Mapping[str, Crd]) -> Iterator[ChecklistItem]:
    """Require a later release channel for new kinds, and for new fields of stable versions.

    CRDs in YAML have no channels.
    """
    for change in changes:
        if not change.at or not change.at.find_owner():
            continue
        if change.rule == "change-kind-added":
            is_marked = all(version.channel for version in crds[change.kind].versions)
        elif change.rule == "change-field-added" and change.nodes and any(map(_is_stable, change.versions)):
            around = (change.nodes, *change.nodes.iterate_ancestors())
            versions = [version for version in crds[change.kind].versions if version.name in change.versions]
            is_marked = all(version.channel for version in versions) or any(
                channel for pair in around for channel in list_channels(pair.new)
            )
        else:
            continue
        requirement = f"add {change.element} in a less stable release channel than the first"
        hint = "mark it with a channel, and move it to the first channel in a later release"
        yield ChecklistItem("channel", change.element, requirement, is_marked, hint, change.at)


def _is_stable(version: str) -> bool:
    parsed = parse_version(version)
    return parsed is None or parsed[1] == _STABLE


def _check_webhook(kind: str, old: Crd, new: Crd) -> Iterator[ChecklistItem]:
    """Require a webhook before the CRD refers to it."""
    if has_conversion(new) and not has_conversion(old):
        hint = "deploy the webhook and check that it is ready, then apply the CRD"
        requirement = f"deploy the webhook of {kind} before the CRD refers to it"
        at = new.get_place("conversion")
        yield ChecklistItem("webhook", kind, requirement, is_done=False, hint=hint, at=at, severity=Severity.NOTE)


def _check_conversion(
    kind: str, old: Crd, new: Crd, is_accepted: IsAccepted, numbers: SchemaNumbers
) -> Iterator[ChecklistItem]:
    """Require a conversion between versions with new differences, unless all of these are accepted.

    Differences that the old CRD has as well are not part of the change: `generate` reports what they lose.
    """
    differences = list(_list_new_differences(old, new, numbers))
    if not differences:
        return
    open_differences = [difference for difference in differences if not is_accepted(new, difference)]
    is_done = has_conversion(new) or not open_differences
    hint = "declare a conversion and serve a webhook, or make the schemas equal"
    for difference in open_differences[:1]:
        hint += f", or accept the differences: {get_rule(difference)} of {find_element_path(new, difference)}"
    requirement = f"declare a conversion between the versions of {kind}, or accept their differences"
    yield ChecklistItem("conversion", kind, requirement, is_done, hint, new.get_place("conversion"))


def _list_new_differences(old: Crd, new: Crd, numbers: SchemaNumbers) -> Iterator[VersionDifference]:
    """Yield the differences of served versions from the storage version that these versions of the old CRD lack."""
    before = {version.name: version for version in old.versions if version.served or version.storage}
    storage = next((version for version in new.versions if version.storage and version.schema), None)
    for version in new.versions if storage else ():
        if storage and version.served and (differences := list(_compare(version, storage, numbers))):
            known = {_make_key(each) for each in _compare(before.get(version.name), before.get(storage.name), numbers)}
            yield from (each for each in differences if _make_key(each) not in known)


def _compare(
    version: CrdVersion | None, storage: CrdVersion | None, numbers: SchemaNumbers
) -> Iterator[VersionDifference]:
    if version and storage and version.schema is not None and storage.schema is not None:
        yield from find_differences(version, storage.schema, numbers)


def _make_key(difference: VersionDifference) -> tuple[object, ...]:
    return difference.kind, difference.path, difference.values


def _check_storage(kind: str, old: Crd, new: Crd) -> Iterator[ChecklistItem]:
    """Require that the old CRD serves the new storage version, so that a rollback can read all objects."""
    before, after = ([version for version in crd.versions if version.storage] for crd in (old, new))
    if not before or not after or before[0].name == after[0].name:
        return
    is_done = any(version.name == after[0].name and version.served for version in old.versions)
    requirement = f"serve {after[0].name} of {kind} in a release before it becomes the storage version"
    hint = f"keep {before[0].name} as the storage version in this release"
    at = after[0].get_place("storage")
    yield ChecklistItem("storage-version", f"{kind}.{after[0].name}", requirement, is_done, hint, at, Severity.ERROR)


def _check_migration(kind: str, old: Crd, new: Crd, changes: Iterable[Change]) -> Iterator[ChecklistItem]:
    """Require that no object is stored in a removed version; without a status, every version may have objects."""
    stored = (old.status or {}).get("storedVersions")
    for change in changes:
        if change.rule == "change-version-removed" and (version := change.versions[0]):
            is_done = isinstance(stored, list) and version not in stored
            requirement = f"migrate the objects of {kind} that are stored in {version}, which is removed"
            hint = f"run `protoc-gen-crd migrate {new.name}`; `--old cluster` reads the stored versions"
            severity = None if is_released(version) else Severity.NOTE
            yield ChecklistItem("migration", change.element, requirement, is_done, hint, change.at, severity)
