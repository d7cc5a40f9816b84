"""A version that is added as a copy of the package of another one."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from protoc_gen_crd.base.text_edits import TextEdit, apply_edits
from protoc_gen_crd.findings.finding import Location, Problems
from protoc_gen_crd.kubernetes.api_version_names import replace_version
from protoc_gen_crd.proto.source_elements import FILE, SourceElement, SourceFile
from protoc_gen_crd.proto.source_tokens import STRING, Token
from protoc_gen_crd.versioning.added_versions import AddedVersion
from protoc_gen_crd.versioning.api_sources import ApiSources, KindSource
from protoc_gen_crd.versioning.option_edits import add_member, remove_line, remove_option, remove_value, replace_value
from protoc_gen_crd.versioning.option_members import (
    PACKAGE,
    RESOURCE,
    SINCE,
    UNTIL,
    VERSIONS,
    VersionMember,
    list_marker_lines,
    list_members,
)
from protoc_gen_crd.versioning.source_change import SourceChange

# Options of files that name packages of languages -> whether a stage follows a capital V in capitals, as in V1Beta1.
_LANGUAGE_OPTIONS = {
    "go_package": False, "java_package": False, "java_outer_classname": True, "csharp_namespace": True,
    "php_namespace": False, "php_metadata_namespace": False, "php_class_prefix": False, "ruby_package": False,
    "objc_class_prefix": False, "swift_prefix": False,
}  # fmt: skip
_DEPRECATED_OPTIONS = {FILE: 23, "message": 3}  # number of `deprecated` in FileOptions and MessageOptions
# Markers of the version of a message; the copy has another version, which is neither stored, hidden nor deprecated.
_MARKERS_OF_SOURCE = (
    "+kubebuilder:storageversion", "+kubebuilder:unservedversion", "+kubebuilder:deprecatedversion",
)  # fmt: skip
_STORAGE_TAG = re.compile(r"\+cue-gen:(?:[^:]*:)?(storageVersion|deprecationReplacement)\b")
_EXTENSION_HINT = "move the extensions to a package without a version"


# Members that name the version of a message: the message in options.proto, and their names.
_VERSION_NAMES = (
    (RESOURCE, (VERSIONS,)),
    (RESOURCE, ("version_channels", "key")),
    (PACKAGE, ("version",)),
)


class PackageCopy:
    """The copy of a package: its names, and the names and paths of its files."""

    def __init__(self, package: str, added: AddedVersion, files: Sequence[SourceFile]) -> None:
        self.added, self.files = added, files
        self.old, self.new = package, f"{package.rpartition('.')[0]}.{added.name}".lstrip(".")
        self.pattern = re.compile(rf"(?<![\w.]){re.escape(self.old)}(?![\w-])")  # the package as a full name
        self.names: Mapping[str, str] = {file.name: _rename_path(file.name, added) for file in files}
        self.paths: Mapping[str, str] = {file.path: _rename_path(file.path, added) for file in files}

    def rename(self, full_name: str) -> str:
        """Return the full name of an element in the copy; other names stay."""
        inside = f"{full_name}.".startswith(f"{self.old}.")
        return self.new + full_name[len(self.old) :] if inside else full_name


def _rename_path(path: str, added: AddedVersion) -> str:
    """Replace the version in a path: the last folder of its name, or else the version in the name of the file."""
    parts = list(Path(path).parts)
    folders = [index for index, part in enumerate(parts[:-1]) if part == added.source]
    if folders:
        parts[folders[-1]] = added.name
    else:
        parts[-1] = replace_version(parts[-1], added.source, added.name)
    return str(Path(*parts))


def find_packages(
    api: ApiSources, kinds: Sequence[KindSource], added: AddedVersion, problems: Problems
) -> list[PackageCopy]:
    """Return the packages to copy, and report those that cannot be copied."""
    packages = dict.fromkeys(
        api.get_message_file(source).package for kind in kinds if (source := kind.find_source(added.source))
    )
    copies = [PackageCopy(name, added, api.list_package_files(name)) for name in packages]
    for copy in copies:
        _check_kinds(copy, api, kinds, problems)
        check_files(copy, problems)
    return copies


def check_files(copy: PackageCopy, problems: Problems) -> None:
    """Report the files of a package that cannot be copied."""
    for file in copy.files:
        _check_file(file, copy, problems)


def _check_kinds(copy: PackageCopy, api: ApiSources, kinds: Sequence[KindSource], problems: Problems) -> None:
    """Report kinds of a package that are not selected: the copy would define them too."""
    selected = {kind.name for kind in kinds}
    for kind in api.kinds:
        for source in kind.sources:
            file = api.get_message_file(source)
            if kind.name not in selected and file in copy.files:
                message = f'package "{copy.old}" also defines {kind.name}'
                hint = f"also pass --kind {kind.name}, since a package is copied as a whole"
                problems.report("edit-source", message, source.get_place(), path=source.message.full_name, hint=hint)


def _check_file(file: SourceFile, copy: PackageCopy, problems: Problems) -> None:
    at, target = Location(file.path, 1, 1), copy.paths[file.path]
    if target != file.path and copy.names[file.name] == file.name:
        message = f'import name "{file.name}" of a file of package "{copy.old}" does not contain the version '
        hint = f'add the folder above "{copy.added.source}" to import_paths, or pass it as -I'
        problems.report("edit-source", f"{message}{copy.added.source}", at, path=file.package, hint=hint)
    elif target == file.path:
        message = f'path of a file of package "{copy.old}" does not contain the version {copy.added.source}'
        hint = f'move the file to a folder "{copy.added.source}"'
        problems.report("edit-source", message, at, path=file.package, hint=hint)
    elif Path(target).exists():
        problems.report("edit-source", f'"{target}" already exists', at, path=file.package)
    if file.declares_extensions:
        message = f'package "{copy.old}" declares extensions, whose numbers cannot be used twice'
        problems.report("edit-source", message, at, path=file.package, hint=_EXTENSION_HINT)


def copy_package(copy: PackageCopy, kinds: Sequence[KindSource], change: SourceChange) -> None:
    """Write the files of a copy, and name the storage version of kinds that had only one version."""
    undeclared = {
        source.message.full_name: source
        for kind in kinds
        if (source := kind.find_source(copy.added.source)) and _lacks_storage_version(kind)
    }
    for file in copy.files:
        own = [
            add_member(file, element, "storage_version", f'"{copy.added.source}"')
            for name, element in file.elements.items()
            if name in undeclared
        ]
        change.edit(file, own)
        content = apply_edits(file.text, [*_list_edits(file, copy), *own])
        change.write(copy.paths[file.path], content.encode(errors="surrogateescape"))
        change.notes += _list_shared_options(file, copy)
    change.notes += _list_other_files(copy)


def _lacks_storage_version(kind: KindSource) -> bool:
    return len(kind.versions) == 1 and not any(source.declared.get("storage_version") for source in kind.sources)


def _list_edits(file: SourceFile, copy: PackageCopy) -> Iterator[TextEdit]:
    yield from _rename_package(file, copy)
    yield from _rename_imports(file, copy)
    yield from _rename_references(file, copy)
    yield from _rename_language_options(file, copy)
    yield from _rename_strings(file, copy)
    for element in file.elements.values():
        yield from _drop_marks(file, element)
    for member in list_members(file):
        yield from _rename_member(member, copy.added)


def _rename_package(file: SourceFile, copy: PackageCopy) -> Iterator[TextEdit]:
    package = file.elements[file.name]
    names = [token for token in file.source.list_tokens(package.start, package.end) if token.kind == "name"]
    depth = copy.old.count(".") + 1  # the version is the last part of the package that is copied
    token = names[depth]  # after the keyword
    yield TextEdit(token.start, token.end, copy.added.name)


def _rename_imports(file: SourceFile, copy: PackageCopy) -> Iterator[TextEdit]:
    for name, token in file.list_imports():
        if name in copy.names:
            yield _replace_string(token, copy.names[name])


def _replace_string(token: Token, value: str) -> TextEdit:
    return TextEdit(token.start + 1, token.end - 1, value)


def _rename_references(file: SourceFile, copy: PackageCopy) -> Iterator[TextEdit]:
    for reference in file.list_references():
        renamed = copy.rename(reference.full_name)
        if renamed == reference.full_name:
            continue
        written, full = reference.written.lstrip(".").split("."), renamed.split(".")
        spelled = ".".join(full[len(full) - len(written) :])
        if spelled != ".".join(written):
            dot = "." if reference.written.startswith(".") else ""
            yield TextEdit(reference.start, reference.end, dot + spelled)


def _rename_language_options(file: SourceFile, copy: PackageCopy) -> Iterator[TextEdit]:
    for option, token in _list_file_strings(file):
        if option in _LANGUAGE_OPTIONS:
            renamed = _rename_in_option(token.text, copy.added, title=_LANGUAGE_OPTIONS[option])
            yield TextEdit(token.start, token.end, renamed)


def _rename_in_option(value: str, added: AddedVersion, *, title: bool) -> str:
    return replace_version(value, added.source, added.name, title=title)


def _list_file_strings(file: SourceFile) -> Iterator[tuple[str, Token]]:
    """Yield the strings of the options of a file, with the names of the options."""
    for option in file.elements[file.name].options:
        name = option.names[0] if len(option.names) == 1 else ""
        for token in file.source.list_tokens(option.start, option.end):
            if token.kind == STRING:
                yield name, token


def _rename_strings(file: SourceFile, copy: PackageCopy) -> Iterator[TextEdit]:
    """Yield the edits of strings and markers that name elements of the package, such as the message of a status."""
    language = {token.start for name, token in _list_file_strings(file) if name in _LANGUAGE_OPTIONS}
    imports = {token.start for _, token in file.list_imports()}
    for token in file.source.tokens:
        if token.kind == STRING and token.start not in language | imports:
            yield from _rename_span(file, token.start, token.end, copy)
    for element in file.elements.values():
        for line in list_marker_lines(file, element):
            yield from _rename_span(file, line.start, line.end, copy)


def _rename_span(file: SourceFile, start: int, end: int, copy: PackageCopy) -> Iterator[TextEdit]:
    for match in copy.pattern.finditer(file.text, start, end):
        yield TextEdit(match.start(), match.end(), copy.new)


def _drop_marks(file: SourceFile, element: SourceElement) -> Iterator[TextEdit]:
    """Yield the removals of what only the source is: stored by a marker, unserved or deprecated."""
    for option in element.options:
        if option.path[:1] == (_DEPRECATED_OPTIONS.get(element.kind),):
            yield remove_option(file, option.start, option.end)
    for line in list_marker_lines(file, element):
        if line.text.startswith(_MARKERS_OF_SOURCE) or _STORAGE_TAG.match(line.text):
            yield remove_line(file, line.start, line.end)


def _rename_member(member: VersionMember, added: AddedVersion) -> Iterator[TextEdit]:
    """Yield the edit of a member that names the source."""
    root, names = member.root, member.names
    if root == RESOURCE and names[0] == "deprecated_versions":
        yield remove_value(member, -2)
    elif root == RESOURCE and names == ("unserved_versions",):
        yield remove_value(member)
    elif member.value == added.source and (names[-1] in (SINCE, UNTIL) or (root, names) in _VERSION_NAMES):
        yield replace_value(member, added.name)


def _list_shared_options(file: SourceFile, copy: PackageCopy) -> Iterator[str]:
    """Yield a step for each package of a language that would be shared with the source."""
    for name, token in _list_file_strings(file):
        unchanged = _rename_in_option(token.text, copy.added, title=False) == token.text
        if name in ("go_package", "java_package", "csharp_namespace") and unchanged:
            yield f"set {name} in {copy.paths[file.path]}: {token.text} does not contain the version"


def _list_other_files(copy: PackageCopy) -> Iterator[str]:
    """Yield a step for the files beside the sources that were not copied."""
    folders = dict.fromkeys(Path(file.path).parent for file in copy.files)
    others = [str(path) for folder in folders for path in sorted(folder.iterdir()) if path.suffix != ".proto"]
    others = [path for path in others if Path(path).is_file()]
    if others:
        yield f"copy what the new package needs of: {', '.join(others)}"
