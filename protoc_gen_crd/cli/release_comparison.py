"""The CRDs of recorded releases, and the verdicts on the changes between them and between versions of a kind."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, pairwise, permutations
from pathlib import Path

from protoc_gen_crd.comparison.api_comparison import compare_apis
from protoc_gen_crd.comparison.api_summary import KindSummary
from protoc_gen_crd.comparison.change import Change
from protoc_gen_crd.comparison.change_verdict import collect_versions, find_verdict
from protoc_gen_crd.comparison.groups.group_api import GroupApi
from protoc_gen_crd.comparison.groups.group_comparison import compare_groups
from protoc_gen_crd.comparison.severity_profiles import ProfileChoice
from protoc_gen_crd.crd.crd import Crd, CrdVersion
from protoc_gen_crd.explorer.kind_page_data import ReleaseCrds, VersionSide, VersionVerdict
from protoc_gen_crd.findings.finding import Problems
from protoc_gen_crd.history.release_names import list_releases
from protoc_gen_crd.kubernetes.api_version_order import get_priority_key
from protoc_gen_crd.kubernetes.version_ranges import get_next_release
from protoc_gen_crd.settings.settings import Settings
from protoc_gen_crd.side_loader import SideReader

_MAX_RELEASES = 12  # of which all pairs are compared
_MAX_SIDES = 16  # versions of a kind in all releases, of which all pairs are compared
_MAX_REASONS = 20


def load_release_crds(settings: Settings, problems: Problems) -> Sequence[ReleaseCrds]:
    """Load the CRDs of the recorded releases, oldest first. Releases of gRPC API groups alone have none."""
    folder = Path(settings.history)
    names = list_releases(folder) if folder.is_dir() else ()
    return [
        ReleaseCrds(name, SideReader(f"release {name}", settings, problems).read([str(folder / name / "crds")]).crds)
        for name in names
        if (folder / name / "crds").is_dir()
    ]


def compare_releases(
    releases: Sequence[ReleaseCrds], crds: Sequence[Crd], settings: Settings
) -> Mapping[tuple[str, str], str]:
    """Return the verdict on the changes between two releases, and from each release to the API itself, named "".

    Of many releases, only adjacent ones are compared.
    """
    compared = combinations(releases, 2) if len(releases) <= _MAX_RELEASES else pairwise(releases)
    pairs = [*compared, *((release, ReleaseCrds("", crds)) for release in releases)]
    profiles = ProfileChoice({"": settings.profile, **settings.profiles})
    return {(old.name, new.name): _find_verdict(old, new, profiles) for old, new in pairs}


def _find_verdict(old: ReleaseCrds, new: ReleaseCrds, profiles: ProfileChoice) -> str:
    versions = collect_versions((*old.crds, *new.crds), microversion=get_next_release(old.name))
    return find_verdict(compare_apis(old.crds, new.crds), versions, profiles).text


def compare_versions(
    releases: Sequence[ReleaseCrds], crds: Sequence[Crd], settings: Settings
) -> dict[str, Sequence[VersionVerdict]]:
    """Return the verdicts on the changes between versions of a kind, by the name of its CRD.

    Versions are compared as if one replaced the other in place. With many releases, only the versions of the API itself
    are compared.
    """
    profiles = ProfileChoice({"": settings.profile, **settings.profiles})
    return {crd.name: list(_compare_kind(crd, releases, profiles)) for crd in crds}


def _compare_kind(crd: Crd, releases: Sequence[ReleaseCrds], profiles: ProfileChoice) -> Iterator[VersionVerdict]:
    own = [(VersionSide("", version.name), crd, version) for version in crd.versions if version.schema is not None]
    past = [
        (VersionSide(release.name, version.name), old, version)
        for release in releases
        for old in release.crds
        if (old.group, old.names.kind) == (crd.group, crd.names.kind)
        for version in old.versions
        if version.schema is not None
    ]
    sides = [*own, *past] if len(own) + len(past) <= _MAX_SIDES else own
    for (old_side, old, old_version), (new_side, new, new_version) in permutations(sides, 2):
        if old_version.schema != new_version.schema:
            name = min(old_version.name, new_version.name, key=get_priority_key)
            changes = compare_apis([_isolate(old, old_version, name)], [_isolate(new, new_version, name)])
            yield _make_verdict(old_side, new_side, changes, profiles)


def _isolate(crd: Crd, version: CrdVersion, name: str) -> Crd:
    """Return a CRD with one version under another name. Which versions are served or stored is no part of a version."""
    version = version.replace(name=name, served=True, storage=True, deprecated=False, deprecation_warning=None)
    return crd.replace(versions=(version,), conversion=None)


def compare_group_versions(api: GroupApi, settings: Settings) -> dict[str, Sequence[VersionVerdict]]:
    """Return the verdicts on the changes between the versions of each gRPC API group, by its name."""
    profiles = ProfileChoice({"": settings.profile, **settings.profiles})
    return {name: list(_compare_group(name, kind, profiles)) for name, kind in api.summary.items()}


def _compare_group(name: str, kind: KindSummary, profiles: ProfileChoice) -> Iterator[VersionVerdict]:
    for old, new in permutations(kind.versions, 2):
        shown = min(old, new, key=get_priority_key)
        sides = [kind.replace(versions={shown: kind.versions[version].replace(facts={})}) for version in (old, new)]
        changes = compare_groups(*(GroupApi({name: side}) for side in sides))
        yield _make_verdict(VersionSide("", old), VersionSide("", new), changes, profiles)


def _make_verdict(
    old: VersionSide, new: VersionSide, changes: Sequence[Change], profiles: ProfileChoice
) -> VersionVerdict:
    verdict = find_verdict(changes, None, profiles)
    reasons = [(change.path, change.message) for change in verdict.reasons[:_MAX_REASONS]]
    return VersionVerdict(old, new, verdict.text, reasons, len(verdict.reasons))
