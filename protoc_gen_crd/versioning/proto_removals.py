"""Removals of versions, fields and enum values from .proto files."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from protoc_gen_crd.base.text_edits import (
    TextEdit,
    extend_to_lines,
    find_line_end,
    get_indent,
    get_line_break,
    starts_line,
)
from protoc_gen_crd.findings.finding import Location, Problems
from protoc_gen_crd.kubernetes.api_version_order import get_age_key
from protoc_gen_crd.proto.source_elements import FIELD, ONEOF, VALUE, SourceElement, SourceFile
from protoc_gen_crd.proto.source_tokens import COMMENT
from protoc_gen_crd.versioning.api_sources import ApiSources, KindSource, is_package_of_version, list_element_names
from protoc_gen_crd.versioning.option_edits import remove_line, remove_value, replace_value
from protoc_gen_crd.versioning.option_members import RESOURCE, SINCE, UNTIL, VERSIONS, VersionMember, list_members
from protoc_gen_crd.versioning.source_change import SourceChange

_RANGE_HINT = "remove the element, which exists only in this version, by hand first"
_REMOVED_ENTRIES = {  # members of a resource that name a version -> the depth of the entry to remove
    (VERSIONS,): -1, ("unserved_versions",): -1, ("deprecated_versions", "version"): -2,
    ("version_channels", "key"): -2,
}  # fmt: skip


def remove_version(
    api: ApiSources, kinds: Sequence[KindSource], version: str, change: SourceChange, problems: Problems
) -> list[SourceFile]:
    """Remove a version from the messages of kinds, and return the files of the packages that are removed."""
    packages: dict[str, list[SourceFile]] = {}
    for kind in kinds:
        source = kind.find_source(version)
        if source is None:
            continue
        file = api.get_message_file(source)
        if is_package_of_version(source, file.package, version):
            packages[file.package] = api.list_package_files(file.package)
        elif len(source.versions) == 1:
            _remove_message(file, file.elements[source.message.full_name], change)
    removed = [file for files in packages.values() for file in files]
    _remove_files(api, kinds, removed, change, problems)
    _remove_references(api, kinds, version, frozenset(file.path for file in removed), change, problems)
    return removed


def _remove_message(file: SourceFile, element: SourceElement, change: SourceChange) -> None:
    removal = _remove_declaration(file, element)
    rest = file.text[removal.end :]
    if not file.text[: removal.start].rstrip("\r\n") or file.text[: removal.start].endswith(("\n\n", "\n\r\n")):
        blank = len(rest) - len(rest.lstrip("\r\n"))  # the blank line above the message stays
        removal = removal.replace(end=removal.end + min(blank, len(get_line_break(file.text))))
    change.edit(file, [removal])


def _remove_files(
    api: ApiSources,
    kinds: Sequence[KindSource],
    removed: Sequence[SourceFile],
    change: SourceChange,
    problems: Problems,
) -> None:
    """Remove the files of packages, unless they define other kinds or other files import them."""
    names, selected = {file.name for file in removed}, {kind.name for kind in kinds}
    for kind in api.kinds:
        for source in kind.sources:
            if source.message.file in names and kind.name not in selected:
                message, hint = f"the package also defines {kind.name}", f"also pass --kind {kind.name}"
                problems.report("edit-source", message, source.get_place(), path=source.message.full_name, hint=hint)
    for importer in api.list_importers(names):
        if importer.name not in names:
            token = next(token for name, token in importer.list_imports() if name in names)
            at = Location(importer.path, *importer.find_position(token.start))
            message = f"a file of the removed package is imported: {token.text}"
            problems.report("edit-source", message, at, path=importer.package, hint="move what it uses first")
    for file in removed:
        change.remove(file.path)


def _remove_references(
    api: ApiSources,
    kinds: Sequence[KindSource],
    version: str,
    skipped: frozenset[str],
    change: SourceChange,
    problems: Problems,
) -> None:
    """Remove a version from ranges, lists and conversions of the elements that kinds use."""
    owners = frozenset().union(*(kind.elements for kind in kinds))
    for file in api.list_files():
        names = list_element_names(file, owners)
        if file.path in skipped or not names:
            continue
        members = list(list_members(file, names))
        ranges: dict[tuple[str, int], dict[str, VersionMember]] = {}
        for member in members:
            if member.names[-1] in (SINCE, UNTIL):
                ranges.setdefault(member.range_key, {})[member.names[-1]] = member
            elif member.value == version:
                change.edit(file, _remove_member(member, members))
        for ends in ranges.values():
            known = _list_versions(next(iter(ends.values())), api)
            change.edit(file, _shrink_range(ends, version, known, problems))


def _list_versions(member: VersionMember, api: ApiSources) -> list[str]:
    """Return the versions of the kinds with an element, oldest first."""
    element = member.element
    kinds = [kind for kind in api.kinds if {element.full_name, element.parent} & kind.elements]
    return sorted({version for kind in kinds for version in kind.versions}, key=get_age_key)


def _remove_member(member: VersionMember, members: Sequence[VersionMember]) -> Iterator[TextEdit]:
    if member.root == RESOURCE and member.names in _REMOVED_ENTRIES:
        yield remove_value(member, _REMOVED_ENTRIES[member.names])
    elif member.names[-2:] == ("conversion", VERSIONS):
        conversion = member.entries[-2]
        others = [
            candidate for candidate in members if conversion in candidate.entries and candidate.names == member.names
        ]
        yield remove_value(member, -1 if len(others) > 1 else -2)


def _shrink_range(
    ends: Mapping[str, VersionMember], version: str, known: Sequence[str], problems: Problems
) -> Iterator[TextEdit]:
    """Move the ends of a range from a removed version to the next one inside; remove what is in no other version."""
    since, until = (ends[end].value if end in ends else "" for end in (SINCE, UNTIL))
    if version not in (since, until):
        return
    keys = {name: get_age_key(name) for name in (*known, since, until) if name}
    inside = [
        name
        for name in known
        if name != version and (not since or keys[name] >= keys[since]) and (not until or keys[name] <= keys[until])
    ]
    if not inside:
        yield from _remove_ranged(next(iter(ends.values())), problems)
        return
    for end, nearest in ((SINCE, inside[0]), (UNTIL, inside[-1])):
        if end in ends and ends[end].value == version:
            yield replace_value(ends[end], nearest)


def _remove_ranged(member: VersionMember, problems: Problems) -> Iterator[TextEdit]:
    """Yield the edits that remove the element, marker or entry of a range without versions."""
    if member.is_prefix:
        yield remove_line(member.file, *member.holder)
    elif not member.is_whole:
        yield remove_value(member, -2)
    elif member.element.kind in (FIELD, VALUE):
        yield from remove_element(member.file, member.element)
    else:
        message = f"{member.element.kind} exists only in the removed version {member.value}"
        problems.report("edit-source", message, member.at, path=member.element.full_name, hint=_RANGE_HINT)


def remove_element(file: SourceFile, element: SourceElement) -> Iterator[TextEdit]:
    """Yield the edits that remove a field or an enum value, and reserve its number and name."""
    removal = _remove_declaration(file, element)
    name = element.full_name.rpartition(".")[2]
    reserved = name if file.uses_identifiers else f'"{name}"'
    statements = f"reserved {element.number};", f"reserved {reserved};"
    at = _find_reserved_offset(file, element)
    if starts_line(file.text, at):
        line_break, indent = get_line_break(file.text), get_indent(file.text, at)
        start = at - len(indent)
        yield removal
        yield TextEdit(start, start, "".join(f"{indent}{statement}{line_break}" for statement in statements))
    elif removal.start <= at <= removal.end:
        yield TextEdit(removal.start, removal.end, "".join(f" {statement}" for statement in statements))
    else:
        yield removal
        yield TextEdit(at, at, "".join(f"{statement} " for statement in statements))


def _find_reserved_offset(file: SourceFile, element: SourceElement) -> int:
    """Return where the element starts, with its comments; for a field of a oneof where the oneof starts."""
    for other in file.elements.values():
        if other.kind == ONEOF and other.start <= element.start < other.end:
            element = other
    return element.comments[0].start if element.comments else element.start


def _remove_declaration(file: SourceFile, element: SourceElement) -> TextEdit:
    """Return the removal of an element with the comments above it and on its last line."""
    start = element.comments[0].start if element.comments else element.start
    end = element.end
    line_end = find_line_end(file.text, end)
    trailing = [token for token in file.source.tokens if token.kind == COMMENT and end <= token.start < line_end]
    if trailing and not file.text[end : trailing[0].start].strip():
        end = trailing[-1].end
    return extend_to_lines(file.text, start, end)


def report_unremovable(element: SourceElement, file: SourceFile, problems: Problems) -> None:
    """Report the value of an enum that other values need: its first one."""
    values = (
        candidate
        for candidate in file.elements.values()
        if candidate.kind == VALUE and candidate.parent == element.parent
    )
    if element is next(values, None):
        at = Location(file.path, *file.find_position(element.start))
        message = f'"{element.full_name}" is the first value of its enum, which is its default'
        problems.report("edit-removal", message, at, path=element.full_name, hint="mark it hidden instead")
