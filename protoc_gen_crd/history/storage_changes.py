"""Storage version changes between releases."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.comparison.api_summary import ApiSummary
from protoc_gen_crd.crd.crd import Crd
from protoc_gen_crd.findings.finding import Problems

STORED_HINT = (
    "keep it with served: false, run protoc-gen-crd migrate on every cluster, and remove it in a later release"
)
_STORAGE = "storage"


class RemovedStoredVersion(Record):
    """A version that was removed since the last release, and the releases that stored objects in it."""

    kind: str
    version: str
    releases: tuple[str, ...]


def find_removed_stored_versions(
    history: Sequence[tuple[str, ApiSummary]], current: ApiSummary
) -> Iterator[RemovedStoredVersion]:
    """Find removed versions that were storage versions, of kinds that still exist."""
    before = history[-1][1] if history else {}
    for name, kind in before.items():
        versions = current[name].versions if name in current else kind.versions
        for version in kind.versions:
            releases = tuple([
                release for release, summary in history
                if name in summary and version in summary[name].versions
                and summary[name].versions[version].facts.get(_STORAGE)
            ])  # fmt: skip
            if version not in versions and releases:
                yield RemovedStoredVersion(name, version, releases)


def find_added_storage_versions(
    history: Sequence[tuple[str, ApiSummary]], current: ApiSummary
) -> Iterator[tuple[str, str]]:
    """Find storage versions that the last release did not have, of kinds that it had."""
    before = history[-1][1] if history else {}
    for name, kind in current.items():
        for version, summary in kind.versions.items():
            if name in before and version not in before[name].versions and summary.facts.get(_STORAGE):
                yield name, version


def check_stored_versions(crd: Crd, stored: Sequence[str], problems: Problems) -> None:
    """Report removed versions that objects in a cluster may be stored in."""
    defined = [version.name for version in crd.versions]
    for version in stored:
        if version not in defined:
            problem = f"version {version} of {crd.names.kind} is removed, but objects may be stored in it"
            at, path = crd.origin, f"{crd.group}/{crd.names.kind}.{version}"
            problems.report("version-stored", problem, at, path=path, hint=STORED_HINT)
