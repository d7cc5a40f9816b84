"""The API of a commit as the old side of a comparison."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

from protoc_gen_crd.base.suggestions import suggest
from protoc_gen_crd.base.temporary_files import temporary_folder
from protoc_gen_crd.documents.api_side import ApiSide
from protoc_gen_crd.documents.git_repository import SHORT, GitError, GitRepository, open_repository
from protoc_gen_crd.documents.git_tree import GitTree, copy_tree
from protoc_gen_crd.documents.side_reference import GIT, LATEST_TAG, MERGE_BASE, SideReference
from protoc_gen_crd.documents.side_settings import find_copies, read_side_settings
from protoc_gen_crd.findings.finding import Problems
from protoc_gen_crd.history.release_names import resolve_release
from protoc_gen_crd.settings.settings import Settings
from protoc_gen_crd.side_loader import SideReader
from protoc_gen_crd.versioning.recorded_sides import load_last_release

if TYPE_CHECKING:
    from protoc_gen_crd.cli.old_side import SideInputs

_MAX_CRD_FOLDERS = 3  # in a hint
_CRD = re.compile(rb"^kind: *[\"']?CustomResourceDefinition\b", re.MULTILINE)


class CommitOpener:
    """Opens the sides of commits. The stack removes the temporary folders."""

    def __init__(self, inputs: SideInputs, settings: Settings, problems: Problems, stack: ExitStack) -> None:
        self._inputs = inputs
        self._settings = settings
        self._problems = problems
        self._stack = stack

    def open(self, reference: SideReference) -> ApiSide | None:
        """Open a side; None, with a finding, if it cannot be read."""
        try:
            return self._open(reference)
        except GitError as error:
            self._problems.report("old-reference", f"cannot read {reference}: {error}", hint=error.hint)
            return None

    def _open(self, reference: SideReference) -> ApiSide:
        """Open a side of git. Raises GitError."""
        repository = open_repository(self._inputs.paths, self._settings.settings)
        commit, label = _FINDERS[reference.form](repository, reference.value)
        folder = Path(os.path.realpath(self._stack.enter_context(temporary_folder())))
        tree = copy_tree(repository, commit, label, folder)
        settings = self._read_settings(tree)
        paths = self._find_inputs(tree, reference, settings)
        self._report_links(tree, (*paths, *settings.import_paths))
        tests = [path for name in self._inputs.test_options for path in _get_paths(settings, name)]
        reader = SideReader(
            label, settings, self._problems, tree.format_name, known=self._inputs.known, build=self._inputs.build
        )
        before = len(self._problems.findings)
        side = reader.read(paths, find_copies(tree, tests), is_partial=True)
        if not side.crds and not reference.folder and len(self._problems.findings) == before:
            side = self._add_imported(side, reader, find_copies(tree, [settings.out] if settings.out else []), paths)
        folders = () if side.crds or reference.folder else _list_crd_folders(tree.folder)
        side = side.replace(
            label=f"{reference} ({label})" if reference.form != GIT else str(reference),
            other_folders=tuple(f"{GIT}:{label}:{folder}" for folder in folders),
        )
        is_base = self._inputs.reads_releases and reference.form == MERGE_BASE
        return self._add_release(side, settings, tree) if is_base else side

    def _add_release(self, side: ApiSide, settings: Settings, tree: GitTree) -> ApiSide:
        """Return the side of a merge base with the release that users have; other commits are compared as they are."""
        reads_samples = "samples" in self._inputs.test_options
        released = load_last_release(settings.history, settings, tree.format_name, reads_samples=reads_samples)
        return side.replace(released=released, copies={**side.copies, **released.copies}) if released else side

    def _add_imported(self, side: ApiSide, reader: SideReader, out: Sequence[str], paths: Sequence[str]) -> ApiSide:
        """Return a side without CRDs with those in the output folder, such as CRDs that were imported.

        The inputs of the settings can be older than the import: test documents, and .proto files without resources.
        """
        if self._inputs.paths or not out or {*out} <= {*paths}:
            return side
        imported = reader.read(out, is_partial=True)
        return side.replace(decoded=imported.decoded, cases=(*side.cases, *imported.cases))

    def _read_settings(self, tree: GitTree) -> Settings:
        """Return the settings for a commit, for the release after the last one that it records."""
        own = self._settings
        if resolve_release(own.replace(release="")).release == own.release:
            own = own.replace(release="")
        settings = read_side_settings(tree, own, self._problems)
        return resolve_release(settings).replace(channel=own.channel)

    def _find_inputs(self, tree: GitTree, reference: SideReference, settings: Settings) -> tuple[str, ...]:
        """Return the paths to read. Raises GitError if the folder of the reference does not exist.

        A commit from before the inputs existed can have CRDs in the output folder, such as those that were imported.
        """
        if reference.folder:
            path = tree.find_folder(reference.folder)
            if not path or not os.path.exists(path):  # noqa: PTH110
                hint = suggest(reference.folder, tree.list_folders()) or _describe_crd_folders(tree)
                raise GitError(f'no .proto files or documents in "{reference.folder}"', hint)
            return (path,)
        of_options = [path for name in self._inputs.options for path in _get_paths(settings, name)]
        for paths in (self._inputs.paths, of_options, (settings.out,) if settings.out else ()):
            if copies := find_copies(tree, paths):
                return copies
        return ()

    def _report_links(self, tree: GitTree, paths: Sequence[str]) -> None:
        """Report the symbolic links in the inputs that lead out of the commit."""
        for link in tree.links:
            if any((tree.folder / link).is_relative_to(path) for path in paths):
                message = f'symbolic link "{link}" of {tree.label} leads to no input in the commit and is ignored'
                hint = "if it leads to a submodule or out of the repository, compare with a descriptor set"
                self._problems.report("old-link", message, hint=hint)


def _get_paths(settings: Settings, name: str) -> Sequence[str]:
    value = getattr(settings, name)
    return (value,) if isinstance(value, str) else value


def _describe_crd_folders(tree: GitTree) -> str:
    names = ", ".join(f'"{folder}"' for folder in _list_crd_folders(tree.folder))
    return f"the commit has CRDs in {names}" if names else ""


def _list_crd_folders(folder: Path) -> list[str]:
    """Return up to three folders of the copy of a commit with CRDs, those with the most of them first."""
    files = [path for path in sorted(folder.rglob("*.y*ml")) if path.is_file()]
    folders = Counter(path.parent for path in files if _CRD.search(path.read_bytes()))
    return [path.relative_to(folder).as_posix() for path, _ in folders.most_common(_MAX_CRD_FOLDERS)]


def _find_commit(repository: GitRepository, ref: str) -> tuple[str, str]:
    return repository.resolve(ref), ref


def _find_merge_base(repository: GitRepository, ref: str) -> tuple[str, str]:
    commit = repository.find_merge_base(ref)
    return commit, commit[:SHORT]


def _find_latest_tag(repository: GitRepository, pattern: str) -> tuple[str, str]:
    tag = repository.find_latest_tag(pattern)
    return repository.resolve(f"refs/tags/{tag}"), tag


# The commit of a form, and its name in places.
_FINDERS: Mapping[str, Callable[[GitRepository, str], tuple[str, str]]] = {
    GIT: _find_commit,
    MERGE_BASE: _find_merge_base,
    LATEST_TAG: _find_latest_tag,
}
