"""Files of one version, made from an annotated file, without the elements of other versions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from google.protobuf import descriptor_pool
from google.protobuf.descriptor_pb2 import (
    DescriptorProto,
    EnumDescriptorProto,
    FileDescriptorProto,
    ServiceDescriptorProto,
)

from protoc_gen_crd.proto.request import Request

Path = tuple[int, ...]
IsVisible = Callable[[str], bool]
_FILE = FileDescriptorProto
# Lists of elements by class: the attribute, its number, and whether elements have elements in them.
_LISTS: Mapping[type, Sequence[tuple[str, int]]] = {
    _FILE: (("message_type", 4), ("enum_type", 5), ("service", 6)),
    DescriptorProto: (("field", 2), ("nested_type", 3), ("enum_type", 4)),
    EnumDescriptorProto: (("value", 2),),
    ServiceDescriptorProto: (("method", 2),),
}
_ONEOF = DescriptorProto.ONEOF_DECL_FIELD_NUMBER


def make_version_request(request: Request, names: Mapping[str, str], version: str, is_visible: IsVisible) -> Request:
    """Return a request with copies of files for a version, which are targets, under the names that they map to."""
    package = request.files[next(iter(names))].package
    types = {name for file in names for name in _list_types(request.files[file])}
    files = {}
    for name, new_name in names.items():
        file = _VersionFile(request.files[name], is_visible).make()
        file.name = new_name
        file.package = f"{package}.{version}" if package else version
        for index, dependency in enumerate(file.dependency):
            file.dependency[index] = names.get(dependency, dependency)
        rename_references(file, types, package, file.package)
        files[new_name] = file
    targets = (*(name for name in request.targets if name not in names), *files)
    paths = {new_name: request.paths.get(name, name) for name, new_name in names.items()}
    return Request({**request.files, **files}, targets, request.parameter, {**request.paths, **paths})


def find_invalid_file(request: Request, names: Iterable[str]) -> str:
    """Return the error of protobuf about the files of a version, empty if they are valid."""
    pool = descriptor_pool.DescriptorPool()
    added: set[str] = set()

    def add(name: str) -> None:
        if name not in added:
            added.add(name)
            for dependency in request.files[name].dependency:
                add(dependency)
            pool.AddSerializedFile(request.files[name].SerializeToString())

    try:
        for name in names:
            add(name)
    except TypeError as error:
        return str(error).rpartition("\n")[2].strip() or str(error)
    return ""


class _VersionFile:
    """A copy of a file with the visible elements, whose source positions still point into the original file."""

    def __init__(self, raw: FileDescriptorProto, is_visible: IsVisible) -> None:
        self._raw = raw
        self._is_visible = is_visible
        self._paths: dict[Path, Path | None] = {}

    def make(self) -> FileDescriptorProto:
        file = FileDescriptorProto()
        file.CopyFrom(self._raw)
        self._prune(file, f"{file.package}." if file.package else "", (), ())
        locations = []
        for location in file.source_code_info.location:
            path = self._move(tuple(location.path))
            if path is not None:
                del location.path[:]
                location.path.extend(path)
                locations.append(location)
        kept = [type(location).FromString(location.SerializeToString()) for location in locations]
        del file.source_code_info.location[:]
        file.source_code_info.location.extend(kept)
        return file

    def _move(self, path: Path) -> Path | None:
        """Return the path of an element in the copy, None if it is left out."""
        for end in range(len(path) - len(path) % 2, 0, -2):
            if path[:end] in self._paths:
                moved = self._paths[path[:end]]
                return None if moved is None else (*moved, *path[end:])
            if any(self._paths.get(path[:start], ()) is None for start in range(2, end, 2)):
                return None
        return path

    def _prune(self, element: Any, scope: str, old: Path, new: Path) -> None:
        for attribute, number in _LISTS.get(type(element), ()):
            items = getattr(element, attribute)
            kept: list[Any] = []
            for index, item in enumerate(items):
                place = (*old, number, index)
                visible = self._is_visible(scope + item.name)
                self._paths[place] = (*new, number, len(kept)) if visible else None
                if visible:
                    self._prune(item, f"{scope}{item.name}.", place, (*new, number, len(kept)))
                    kept.append(type(item).FromString(item.SerializeToString()))
            del items[:]
            items.extend(kept)
        if isinstance(element, DescriptorProto):
            self._prune_oneofs(element, old, new)

    def _prune_oneofs(self, message: DescriptorProto, old: Path, new: Path) -> None:
        """Remove the oneofs without fields."""
        used = sorted({field.oneof_index for field in message.field if field.HasField("oneof_index")})
        for index in range(len(message.oneof_decl)):
            self._paths[(*old, _ONEOF, index)] = (*new, _ONEOF, used.index(index)) if index in used else None
        kept = [
            type(message.oneof_decl[index]).FromString(message.oneof_decl[index].SerializeToString()) for index in used
        ]
        del message.oneof_decl[:]
        message.oneof_decl.extend(kept)
        for field in message.field:
            if field.HasField("oneof_index"):
                field.oneof_index = used.index(field.oneof_index)


def _list_types(file: FileDescriptorProto) -> list[str]:
    prefix = f".{file.package}." if file.package else "."
    names = [prefix + message.name for message in file.message_type] + [prefix + enum.name for enum in file.enum_type]
    stack = [(f"{prefix}{message.name}.", message) for message in file.message_type]
    while stack:
        scope, message = stack.pop()
        names += [scope + nested.name for nested in message.nested_type]
        names += [scope + enum.name for enum in message.enum_type]
        stack += [(f"{scope}{nested.name}.", nested) for nested in message.nested_type]
    return names


def rename_references(element: Any, types: set[str], package: str, new_package: str) -> None:
    """Point the references to types of the package to those of the version."""
    for field, value in element.ListFields():
        if field.name in ("type_name", "input_type", "output_type", "extendee") and value in types:
            rest = value.removeprefix(f".{package}.") if package else value.removeprefix(".")
            setattr(element, field.name, f".{new_package}.{rest}" if new_package else f".{rest}")
        elif field.message_type is not None and field.name not in ("options", "source_code_info"):
            for item in value if field.is_repeated else (value,):
                rename_references(item, types, package, new_package)
