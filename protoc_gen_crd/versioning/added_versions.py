"""A version that is added to the messages of a kind: it is listed, and ranges that end at its source include it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from protoc_gen_crd.base.text_edits import TextEdit
from protoc_gen_crd.findings.finding import Problems
from protoc_gen_crd.generation.resource_messages import ResourceSource
from protoc_gen_crd.kubernetes.api_version_order import get_age_key
from protoc_gen_crd.kubernetes.version_ranges import is_release
from protoc_gen_crd.versioning.api_sources import ApiSources, KindSource, list_element_names
from protoc_gen_crd.versioning.option_edits import add_member, repeat_value, replace_value
from protoc_gen_crd.versioning.option_members import (
    RESOURCE,
    SINCE,
    UNTIL,
    VERSIONS,
    VersionMember,
    list_members,
)
from protoc_gen_crd.versioning.source_change import SourceChange

_RANGE_HINT = "copy the version that is next to the new one in age, or define the new version by a package of its own"


class AddedVersion:
    """A version to add, and the version that it copies."""

    def __init__(self, name: str, source: str) -> None:
        self.name, self.source = name, source
        self._low, self._high = sorted((name, source), key=get_age_key)
        # The end of a range that includes the source and not the new version.
        self.end = UNTIL if self._high == name else SINCE

    def is_between(self, version: str) -> bool:
        """Return whether a version is between the two in age."""
        return get_age_key(self._low) < get_age_key(version) < get_age_key(self._high)

    def separates(self, end: str, version: str) -> bool:
        """Return whether the end of a range at a version includes only one of the two."""
        if is_release(version):
            return False
        low, high, at = map(get_age_key, (self._low, self._high, version))
        return low < at <= high if end == SINCE else low <= at < high


def add_listed_version(
    api: ApiSources, kind: KindSource, source: ResourceSource, added: AddedVersion, change: SourceChange
) -> None:
    """List a version in the message that defines its source."""
    file = api.get_message_file(source)
    element = file.elements[source.message.full_name]
    listed = [
        member for member in list_members(file, [element.full_name]) if _is_version_of(member, VERSIONS, added.source)
    ]
    change.edit(file, [repeat_value(member, added.name) for member in listed])
    if len(kind.versions) == 1 and not source.declared.get("storage_version"):
        change.edit(file, [add_member(file, element, "storage_version", f'"{kind.versions[0]}"')])


def _is_version_of(member: VersionMember, name: str, version: str) -> bool:
    return member.root == RESOURCE and member.names == (name,) and member.value == version


def extend_references(
    api: ApiSources,
    kinds: Sequence[KindSource],
    added: AddedVersion,
    copied: frozenset[str],
    change: SourceChange,
    problems: Problems,
) -> None:
    """Extend the ranges of elements that kinds use, their channels and their conversions to a new version.

    `copied` are the paths of files of which the new version has copies.
    """
    owners = frozenset().union(*(kind.elements for kind in kinds))
    for file in api.list_files():
        names = list_element_names(file, owners)
        for member in list_members(file, names) if names and file.path not in copied else ():
            change.edit(file, _extend_member(member, added, api, problems))


def _extend_member(
    member: VersionMember, added: AddedVersion, api: ApiSources, problems: Problems
) -> Iterator[TextEdit]:
    name, outer = member.names[-1], member.names[-2:-1]
    if member.value == added.source and outer == ("conversion",) and name == VERSIONS:
        yield repeat_value(member, added.name)
    elif member.value == added.source and member.names == ("version_channels", "key"):
        yield repeat_value(member, added.name, -2)
    elif name in (SINCE, UNTIL) and added.separates(name, member.value):
        if name == added.end and member.value == added.source and not _find_between(member, added, api):
            yield replace_value(member, added.name)
        else:
            report_range(member, added, problems)


def _find_between(member: VersionMember, added: AddedVersion, api: ApiSources) -> list[str]:
    """Return the versions of kinds with an element that are between the new version and its source."""
    element = member.element
    kinds = [kind for kind in api.kinds if {element.full_name, element.parent} & kind.elements]
    return [version for kind in kinds for version in kind.versions if added.is_between(version)]


def report_range(member: VersionMember, added: AddedVersion, problems: Problems) -> None:
    """Report a range that includes only one of the two versions, and cannot be extended."""
    message = f'range with "{member.names[-1]}" {member.value} cannot be extended to treat {added.name} like '
    message += f"{added.source}, because it would change other versions"
    problems.report("edit-source", message, member.at, path=member.element.full_name, hint=_RANGE_HINT)
