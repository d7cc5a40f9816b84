"""The checklist of what must accompany changes: the items that follow from the CRDs of both sides alone."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.comparison.api_summary import have_new_difference
from protoc_gen_crd.comparison.change import Change
from protoc_gen_crd.comparison.severity_profiles import ProfileChoice, is_released
from protoc_gen_crd.crd.crd import Crd, CrdVersion
from protoc_gen_crd.findings.finding import Finding, Place, Severity
from protoc_gen_crd.kubernetes.api_version_order import parse_version
from protoc_gen_crd.schema.schema import CHANNEL

OPEN_RULE = "change-open"
WEBHOOK = "Webhook"
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
    old: Sequence[Crd], new: Sequence[Crd], changes: Sequence[Change], profiles: ProfileChoice
) -> Iterator[ChecklistItem]:
    """Yield the items about channels, conversion, and stored objects."""
    before, after = ({f"{crd.group}/{crd.names.kind}": crd for crd in crds} for crds in (old, new))
    for kind in dict.fromkeys(change.kind for change in changes):
        own = [change for change in changes if change.kind == kind]
        if profiles.find_name(kind) == "istio":
            yield from _check_channels(own, after)
        if kind in before and kind in after:
            yield from _check_conversion(kind, before[kind], after[kind], own)
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
            is_marked = bool(change.nodes.new.get(CHANNEL))
        else:
            continue
        requirement = f"add {change.element} in a less stable release channel than the first"
        hint = "mark it with a channel, and move it to the first channel in a later release"
        yield ChecklistItem("channel", change.element, requirement, is_marked, hint, change.at)


def _is_stable(version: str) -> bool:
    parsed = parse_version(version)
    return parsed is None or parsed[1] == _STABLE


def _check_conversion(kind: str, old: Crd, new: Crd, changes: Sequence[Change]) -> Iterator[ChecklistItem]:
    """Require a conversion between versions with new differences, and its webhook before the CRD refers to it.

    Differences that the old CRD has as well are not part of the change: `generate` reports what they lose.
    """
    at, has_webhook = new.get_place("conversion"), _has_webhook(new)
    if has_webhook and not _has_webhook(old):
        hint = "deploy the webhook and check that it is ready, then apply the CRD"
        requirement = f"deploy the webhook of {kind} before the CRD refers to it"
        yield ChecklistItem("webhook", kind, requirement, is_done=False, hint=hint, at=at, severity=Severity.NOTE)
    served = [version for version in new.versions if version.served]
    is_affected = any(change.nodes or change.rule == "change-version-added" for change in changes)
    if is_affected and any(_has_new_difference(old, served[0], other) for other in served[1:]):
        hint = "declare a conversion and serve a webhook, or make the schemas equal"
        requirement = f"declare a conversion between the versions of {kind}, whose fields differ"
        yield ChecklistItem("conversion", kind, requirement, has_webhook, hint, at)


def _has_new_difference(old: Crd, first: CrdVersion, second: CrdVersion) -> bool:
    """Return whether fields of two versions differ that did not differ in the same way in the old CRD."""
    before = {version.name: version for version in old.versions if version.served}
    earlier = [before[name] for name in (first.name, second.name) if name in before]
    return have_new_difference((first, second), earlier if len(earlier) == 2 else ())


def _has_webhook(crd: Crd) -> bool:
    return bool(crd.conversion) and (crd.conversion or {}).get("strategy") == WEBHOOK


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
