"""Recorded releases as sides of comparisons."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from protoc_gen_crd.comparison.groups.group_api import GroupApi, select_groups
from protoc_gen_crd.comparison.recorded_channels import restore_channels
from protoc_gen_crd.comparison.recorded_messages import restore_messages
from protoc_gen_crd.documents.api_side import ApiSide
from protoc_gen_crd.findings.finding import Problems
from protoc_gen_crd.history.release_store import (
    PROTOS,
    SAMPLES,
    Release,
    list_crd_folders,
    load_protos,
    load_releases,
    load_summary,
)
from protoc_gen_crd.settings.settings import Settings
from protoc_gen_crd.side_loader import SideReader


class RecordedSideReader:
    """Reads releases of a folder as sides.

    With `reads_samples`, their samples are documents of the sides. `format_name` is that of the reader of the files.
    """

    def __init__(
        self, folder: Path, reader: SideReader, problems: Problems, *, reads_samples: bool = False,
        format_name: Callable[[str], str] = str,
    ) -> None:  # fmt: skip
        self._folder, self._reader, self._problems = folder, reader, problems
        self._reads_samples, self._format_name = reads_samples, format_name

    def read(self, release: Release) -> ApiSide:
        """Return a release with all that its files have: CRDs with channels and messages, API groups, and protos."""
        samples, protos_file = (str(self._folder / release.name / name) for name in (SAMPLES, PROTOS))
        tests = [samples] if self._reads_samples and Path(samples).is_dir() else []
        side = self._reader.read(list_crd_folders(self._folder, release.name), tests)
        summary = load_summary(self._folder, release, self._problems)
        groups = GroupApi(select_groups(summary))
        protos = load_protos(self._folder, release, self._problems, self._format_name)
        if protos is None:
            return side.replace(groups=groups)
        copies = {**side.copies, self._format_name(protos_file): protos_file}
        decoded = restore_messages(restore_channels(side.decoded, summary), protos)
        return side.replace(decoded=decoded, protos=protos, groups=groups, copies=copies)


def load_last_release(
    history: str, settings: Settings, format_name: Callable[[str], str] = str, *, reads_samples: bool = False
) -> ApiSide | None:
    """Return the last release of a folder; None if there is none.

    Files that were changed are no findings here: `history check` reports them.
    """
    ignored = Problems()
    releases = load_releases(Path(history), ignored) if history else []
    if not releases:
        return None
    name = releases[-1].name
    reader = SideReader(f"history:{name}", settings, ignored, format_name)
    sides = RecordedSideReader(Path(history), reader, ignored, reads_samples=reads_samples, format_name=format_name)
    return sides.read(releases[-1]).replace(label=name)


def read_api(folder: Path, release: Release, settings: Settings, problems: Problems) -> ApiSide:
    """Return the CRDs and the protos of a release, as its files have them."""
    side = SideReader(f"history:{release.name}", settings, problems).read(list_crd_folders(folder, release.name))
    return side.replace(protos=load_protos(folder, release, problems))
