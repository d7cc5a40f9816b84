"""Versions of gRPC API groups in .proto files: a package that is copied, deprecated, or removed."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.base.text_edits import TextEdit
from protoc_gen_crd.comparison.groups.group_api import GroupApi
from protoc_gen_crd.comparison.groups.group_comparison import compare_groups
from protoc_gen_crd.findings.finding import Problems
from protoc_gen_crd.group_loader import LoadedGroups
from protoc_gen_crd.groups.group_model import GroupVersion, ServiceGroup
from protoc_gen_crd.kubernetes.api_version_names import is_version_name, list_next_names
from protoc_gen_crd.proto.source_elements import SourceFile
from protoc_gen_crd.versioning.added_versions import AddedVersion, report_range
from protoc_gen_crd.versioning.api_sources import ApiSources
from protoc_gen_crd.versioning.option_edits import SERVICE, add_member, repeat_value, replace_value
from protoc_gen_crd.versioning.option_members import SINCE, UNTIL, VERSIONS, VersionMember, list_members
from protoc_gen_crd.versioning.package_copies import PackageCopy, check_files, copy_package
from protoc_gen_crd.versioning.source_change import SourceChange

_ANNOTATED_HINT = "edit the option versions of the service, and the ranges of its elements"
_LINE_ADDITION = 'set maximum of the option microversions to "{version}", and edit the ranges of the elements'
_LINE_DEPRECATION = 'set deprecated_until of the option microversions to "{version}", which includes all older numbers'
_LINE_REMOVAL = "set minimum of the option microversions to the next number, and edit the ranges of the elements"
_UNCHANGED_HINT = "nothing was changed; this change needs to be made by hand"


class GroupSelection(Record):
    """The groups whose version changes, with that version."""

    versions: tuple[tuple[ServiceGroup, GroupVersion], ...]

    @property
    def names(self) -> frozenset[str]:
        """The names of the groups."""
        return frozenset(group.name for group, _ in self.versions)


def select_groups(loaded: LoadedGroups, names: Sequence[str], version: str) -> GroupSelection:
    """Return the groups that have a version; with `names`, only those."""
    return GroupSelection(
        tuple([
            (plan.group, group_version)
            for plan in loaded.plans
            for group_version in plan.group.versions
            if group_version.name == version and (not names or plan.group.name in names)
        ])
    )  # fmt: skip


class GroupVersionPlanner:
    """Plans the changes of the sources of a version of groups."""

    def __init__(self, api: ApiSources, groups: GroupApi, selection: GroupSelection, problems: Problems) -> None:
        self._api = api
        self._groups = groups
        self._selection = selection
        self._problems = problems

    def plan_addition(self, version: str, source: str) -> tuple[SourceChange, list[PackageCopy]]:
        """Return the change that copies the packages of a version, and the copies."""
        self._check_name(version)
        known, change, added = len(self._problems.findings), SourceChange(), AddedVersion(version, source)
        annotated = [
            (group, group_version) for group, group_version in self._selection.versions if group_version.is_generated
        ]
        for group, group_version in annotated:
            self._list_version(group, group_version, added, change)
        copies = [
            PackageCopy(group_version.package, added, files)
            for group_version, files in self._list_packages(report=False)
        ]
        for copy in copies:
            check_files(copy, self._problems)
        if len(self._problems.findings) == known:
            for copy in copies:
                copy_package(copy, (), change)
        return change, copies

    def _check_name(self, version: str) -> None:
        for group, source in self._selection.versions:
            names = [group_version.name for group_version in group.versions]
            hint = f"next: {' or '.join(list_next_names(names))}"
            if group.line:
                self._report_annotated(group, source, _LINE_ADDITION.format(version=version))
            elif not is_version_name(version):
                self._problems.report("edit-name", f'"{version}" is not the name of an API version', hint=hint)
            elif version in names:
                message, at = (
                    f"{group.name} already has a version {version}",
                    self._groups.find_place(group.name, version),
                )
                self._problems.report("edit-name", message, at, path=f"{group.name}.{version}", hint=hint)

    def _list_version(
        self, group: ServiceGroup, version: GroupVersion, added: AddedVersion, change: SourceChange
    ) -> None:
        """List a version in the annotated service of its group, and extend the ranges that end at its source."""
        between = [group_version.name for group_version in group.versions if added.is_between(group_version.name)]
        for file in self._api.list_files():
            if version.package == f"{file.package}.{version.name}".lstrip("."):
                for member in list_members(file):
                    change.edit(file, self._extend_member(member, added, between))

    def _extend_member(self, member: VersionMember, added: AddedVersion, between: Sequence[str]) -> Iterator[TextEdit]:
        name = member.names[-1]
        if member.value == added.source and name == VERSIONS:  # of the service, or of a conversion
            yield repeat_value(member, added.name)
        elif name in (SINCE, UNTIL) and added.separates(name, member.value):
            if name == added.end and member.value == added.source and not between:
                yield replace_value(member, added.name)
            else:
                report_range(member, added, self._problems)

    def _list_packages(self, *, report: bool = True) -> Iterator[tuple[GroupVersion, list[SourceFile]]]:
        """Yield the versions with the files of their packages, and report versions of annotated services.

        Other groups may have a package of the same name, so only files below the folder of the service belong to it.
        """
        for group, version in self._selection.versions:
            if version.is_generated and not report:
                continue
            if version.is_generated:
                self._report_annotated(group, version, _LINE_REMOVAL if group.line else _ANNOTATED_HINT)
                continue
            folder = Path(self._api.get_file(version.service.file).path).parent
            files = self._api.list_package_files(version.package)
            yield version, [file for file in files if Path(file.path).is_relative_to(folder)]

    def _report_annotated(self, group: ServiceGroup, version: GroupVersion, hint: str) -> None:
        message = f"version {version.name} of {group.name} is defined by an annotated service"
        at, path = self._groups.find_place(group.name, version.name), f"{group.name}.{version.name}"
        self._problems.report("edit-source", message, at, path=path, hint=hint)

    def plan_deprecation(self, notice: str, replacement: str) -> SourceChange:
        """Return the change that deprecates a version: its packages, or its entries in annotated services."""
        change, text = SourceChange(), notice or (f"Use {replacement}." if replacement else "Do not use.")
        for group, version in self._selection.versions:
            if group.line:
                self._report_annotated(group, version, _LINE_DEPRECATION.format(version=version.name))
            elif version.is_generated and not version.deprecated:
                self._deprecate_generated(version, text, change)
        for version, _ in self._list_packages(report=False):
            file = self._api.get_file(version.service.file)
            if version.deprecated:
                continue
            start = file.elements[file.name].start
            blank = file.text[:start].rstrip(" \t").endswith(("\n", ""))
            comment = f"// Deprecated: {' '.join(text.split())}\n"
            change.edit(file, [TextEdit(start, start, comment if blank else f"\n{comment}")])
        return change

    def _deprecate_generated(self, version: GroupVersion, notice: str, change: SourceChange) -> None:
        """List a version of an annotated service as deprecated."""
        value = f'{{version: "{version.name}" warning: {json.dumps(notice, ensure_ascii=False)}}}'
        for file in self._api.list_files():
            if version.package == f"{file.package}.{version.name}".lstrip("."):
                service = f"{file.package}.{version.service.name}".lstrip(".")
                if service in file.elements:
                    change.edit(file, [add_member(file, file.elements[service], "deprecated_versions", value, SERVICE)])

    def plan_removal(self) -> SourceChange:
        """Return the change that removes the packages of a version, and report files that others import."""
        change = SourceChange()
        for group, version in self._selection.versions:
            if len(group.versions) == 1:
                message = f"version {version.name} of {group.name} is the only version"
                at, path = self._groups.find_place(group.name, version.name), f"{group.name}.{version.name}"
                self._problems.report("edit-removal", message, at, path=path, hint="remove the group instead")
        for _, files in self._list_packages():
            for importer in self._api.list_importers({file.name for file in files}):
                message = f'"{importer.path}" imports a file of the removed version'
                self._problems.report("edit-source", message, path=importer.path, hint="remove the import first")
            for file in files:
                change.remove(file.path)
        return change


def check_result(
    before: LoadedGroups, after: LoadedGroups, selection: GroupSelection, rule: str, version: str, problems: Problems
) -> None:
    """Report the groups in which anything other than a version has changed; `rule` is that of the intended change."""
    changes = compare_groups(before.api, after.api)
    done = {change.kind for change in changes if change.rule == rule and change.versions == (version,)}
    for name in sorted(selection.names - done):
        message = f"{name} would not have the change of {version}"
        problems.report("edit-result", message, hint=_UNCHANGED_HINT)
    for change in changes:
        if change.rule != rule or change.kind not in selection.names:
            message = f"{change.element} would change as well: {change.message}"
            problems.report("edit-result", message, change.at, path=change.element, hint=_UNCHANGED_HINT)
    if rule != "change-version-added":
        return
    for group, source in selection.versions:
        fields = [after.api.summary[group.name].versions[name].fields for name in (version, source.name)
                  if group.name in done]  # fmt: skip
        if fields and fields[0] != fields[1]:
            message = f"{version} of {group.name} would differ from {source.name}"
            problems.report("edit-result", message, path=f"{group.name}.{version}", hint=_UNCHANGED_HINT)
