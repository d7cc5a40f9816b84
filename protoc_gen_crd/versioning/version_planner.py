"""Plans of the commands: the changes of all files that add, deprecate or remove a version or an element."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.findings.finding import Problems
from protoc_gen_crd.proto.source_elements import SourceElement, SourceFile
from protoc_gen_crd.settings.settings import Settings
from protoc_gen_crd.versioning import crd_manifests
from protoc_gen_crd.versioning.added_versions import AddedVersion, add_listed_version, extend_references
from protoc_gen_crd.versioning.api_sources import ApiSources, KindSource, is_package_of_version
from protoc_gen_crd.versioning.document_versions import copy_documents, find_documents, remove_documents
from protoc_gen_crd.versioning.kind_selection import KindSelection
from protoc_gen_crd.versioning.package_copies import PackageCopy, copy_package, find_packages
from protoc_gen_crd.versioning.proto_deprecations import deprecate_version, make_warning
from protoc_gen_crd.versioning.proto_removals import remove_element, remove_version, report_unremovable
from protoc_gen_crd.versioning.rule_file_versions import copy_rules, remove_rules
from protoc_gen_crd.versioning.settings_entries import SettingsRenaming, copy_settings, remove_settings
from protoc_gen_crd.versioning.source_change import SourceChange
from protoc_gen_crd.versioning.version_removal_checks import check_removal
from protoc_gen_crd.versioning.workspace import Workspace

_UNLISTED_HINT = "list the versions in (protoc_gen_crd.v1.resource).versions, or name the package after its version"


class VersionPlanner(Record):
    """The planner of a change of kinds. `paths` are the arguments of the command."""

    workspace: Workspace
    selection: KindSelection
    paths: tuple[str, ...]
    problems: Problems

    def plan_addition(self, version: str, source: str) -> SourceChange:
        """Return the change that adds a version as a copy of another one."""
        change, added = SourceChange(), AddedVersion(version, source)
        copies: list[PackageCopy] = []
        if self.workspace.api is not None:
            copies = self._plan_sources(self.workspace.api, added, change)
        for manifest in self.selection.manifests:
            crd_manifests.add_version(manifest, version, source, change, self.problems)
        settings = self.workspace.settings
        for documents in find_documents(settings, self.paths, self.selection.pairs, source):
            copy_documents(documents, source, version, change, self.problems)
        renaming = make_renaming(settings, self.selection.names, (source, version), copies)
        copy_settings(settings, renaming, change, self.problems)
        copy_rules(settings, renaming, change, self.problems)
        return change

    def _plan_sources(self, api: ApiSources, added: AddedVersion, change: SourceChange) -> list[PackageCopy]:
        packaged = [kind for kind in self.selection.kinds if _is_packaged(api, kind, added.source)]
        listed = [kind for kind in self.selection.kinds if kind not in packaged]
        for kind in listed:
            source = kind.find_source(added.source)
            if source is not None and source.declared.get("versions"):
                add_listed_version(api, kind, source, added, change)
            elif source is not None:
                message = f"version {added.source} of {kind.kind} is neither listed nor the end of its package name"
                at, path = source.get_place(), source.message.full_name
                self.problems.report("edit-source", message, at, path=path, hint=_UNLISTED_HINT)
        known = len(self.problems.findings)
        copies = find_packages(api, packaged, added, self.problems)
        if len(self.problems.findings) == known:
            for copy in copies:
                copy_package(copy, packaged, change)
        copied = frozenset(file.path for copy in copies for file in copy.files)
        extend_references(api, self.selection.kinds, added, copied, change, self.problems)
        return copies

    def plan_deprecation(self, version: str, replacement: str, warning: str) -> SourceChange:
        """Return the change that deprecates a version."""
        change = SourceChange()
        if self.workspace.api is not None:
            for kind in self.selection.kinds:
                deprecate_version(self.workspace.api, kind, version, replacement, warning, change)
        for manifest in self.selection.manifests:
            message = warning or make_warning(manifest.crd, version, replacement)
            crd_manifests.deprecate_version(manifest, version, message, change, self.problems)
        return change

    def plan_removal(self, version: str) -> SourceChange:
        """Return the change that removes a version."""
        change, removed = SourceChange(), list[SourceFile]()
        check_removal(self.selection.crds, version, self.problems)
        if self.workspace.api is not None:
            removed = remove_version(self.workspace.api, self.selection.kinds, version, change, self.problems)
        for manifest in self.selection.manifests:
            crd_manifests.remove_version(manifest, version, change, self.problems)
        settings = self.workspace.settings
        for documents in find_documents(settings, self.paths, self.selection.pairs, version):
            remove_documents(documents, change)
        copies = [PackageCopy(name, AddedVersion("", version), []) for name in {file.package for file in removed}]
        renaming = make_renaming(settings, self.selection.names, (version, ""), copies)
        gone = {os.path.abspath(file.path) for file in removed}  # noqa: PTH100
        remove_settings(settings, renaming.replace(move=_make_remover(gone)), change, self.problems)
        remove_rules(settings, renaming, change, self.problems)
        return change


def make_renaming(
    settings: Settings, kinds: Iterable[str], pair: tuple[str, str], copies: Sequence[PackageCopy]
) -> SettingsRenaming:
    """Return what belongs to a version in the settings; `pair` is the version, and its copy or an empty name."""
    source, version = pair
    moves = {os.path.abspath(path): new for copy in copies for path, new in copy.paths.items()}  # noqa: PTH100

    def rename(name: str) -> str:
        return next((new for copy in copies if (new := copy.rename(name)) != name), name)

    def move(path: str) -> str:
        """Return the copy of a file, or of a folder with nothing but copied files."""
        absolute = os.path.abspath(path)  # noqa: PTH100
        if absolute in moves:
            return moves[absolute]
        inside = [path for path in moves if Path(path).is_relative_to(absolute)]
        if not inside or not any(part == source for part in Path(path).parts):
            return path
        new = Path(moves[inside[0]])
        depth = len(Path(inside[0]).relative_to(absolute).parts)
        return str(new.parents[depth - 1])

    folder = os.path.dirname(settings.settings)  # noqa: PTH120 - as the user wrote it
    return SettingsRenaming(source, version, frozenset(kinds), rename, move, folder)


def _make_remover(paths: set[str]) -> Callable[[str], str]:
    """Return a function that renames the paths of removed files, and of folders that contain nothing else."""

    def move(path: str) -> str:
        absolute = os.path.abspath(path)  # noqa: PTH100
        below = [str(path) for path in Path(absolute).rglob("*.proto")] if Path(absolute).is_dir() else [absolute]
        return "" if below and paths.issuperset(below) else path

    return move


def plan_element_removal(file: SourceFile, element: SourceElement, problems: Problems) -> SourceChange:
    """Return the change that removes a field or an enum value."""
    change = SourceChange()
    report_unremovable(element, file, problems)
    change.edit(file, remove_element(file, element))
    return change


def _is_packaged(api: ApiSources, kind: KindSource, version: str) -> bool:
    source = kind.find_source(version)
    return source is not None and is_package_of_version(source, api.get_message_file(source).package, version)
