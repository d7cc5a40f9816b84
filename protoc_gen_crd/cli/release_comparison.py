"""The CRDs of recorded releases, and the verdicts on the changes between them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from protoc_gen_crd.comparison.api_comparison import compare_apis
from protoc_gen_crd.comparison.verdicts import find_verdict
from protoc_gen_crd.crd.crd import Crd
from protoc_gen_crd.explorer.group_model import ReleaseCrds
from protoc_gen_crd.findings.finding import Problems
from protoc_gen_crd.history.release_names import list_releases
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
    pairs = [*zip(releases, releases[1:], strict=False), *((release, ReleaseCrds("", crds)) for release in releases)]
    return {(old.name, new.name): _find_verdict(old.crds, new.crds) for old, new in pairs}


def _find_verdict(old: Sequence[Crd], new: Sequence[Crd]) -> str:
    versions = {version.name for crd in (*old, *new) for version in crd.versions}
    return find_verdict(compare_apis(old, new), versions).text
