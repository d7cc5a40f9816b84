"""The CRDs of recorded releases, and the verdicts on the changes between them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from pathlib import Path

from protoc_gen_crd.comparison.api_comparison import compare_apis
from protoc_gen_crd.comparison.change_verdict import collect_versions, find_verdict
from protoc_gen_crd.comparison.profiles import ProfileChoice
from protoc_gen_crd.crd.crd import Crd
from protoc_gen_crd.explorer.group_model import ReleaseCrds
from protoc_gen_crd.findings.finding import Problems
from protoc_gen_crd.history.release_names import list_releases
from protoc_gen_crd.kubernetes.version_ranges import get_next_release
from protoc_gen_crd.settings.settings import Settings
from protoc_gen_crd.side_loader import SideReader


def load_release_crds(settings: Settings, problems: Problems) -> Sequence[ReleaseCrds]:
    """Load the CRDs of the recorded releases, oldest first."""
    folder = Path(settings.history)
    names = list_releases(folder) if folder.is_dir() else ()
    return [
        ReleaseCrds(name, SideReader(f"release {name}", settings, problems).read([str(folder / name / "crds")]).crds)
        for name in names
    ]


def compare_releases(
    releases: Sequence[ReleaseCrds], crds: Sequence[Crd], settings: Settings
) -> Mapping[tuple[str, str], str]:
    """Return the verdict on the changes of each release, and from each release to the API itself, named ""."""
    pairs = [*pairwise(releases), *((release, ReleaseCrds("", crds)) for release in releases)]
    profiles = ProfileChoice({"": settings.profile, **settings.profiles})
    return {(old.name, new.name): _find_verdict(old, new, profiles) for old, new in pairs}


def _find_verdict(old: ReleaseCrds, new: ReleaseCrds, profiles: ProfileChoice) -> str:
    versions = collect_versions((*old.crds, *new.crds), microversion=get_next_release(old.name))
    return find_verdict(compare_apis(old.crds, new.crds), versions, profiles).text
