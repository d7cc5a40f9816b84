"""Descriptors that generated code embeds: the files of a service and their imports, without comments and options.

Custom options are left out, with the imports that only they need, since a program that reads the descriptors does not
need the files that declare options.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from google.protobuf import descriptor_pool
from google.protobuf.descriptor import Descriptor
from google.protobuf.descriptor_pb2 import (
    DescriptorProto,
    EnumDescriptorProto,
    FieldDescriptorProto,
    FileDescriptorProto,
    FileDescriptorSet,
)
from google.protobuf.message import Message

from protoc_gen_crd.proto.request import Request
from protoc_gen_crd.proto.version_files import rename_references


def index_types(request: Request) -> dict[str, str]:
    """Return the name of the file of each message and enum, by full name with a leading dot."""
    return {name: file.name for file in request.files.values() for name in _list_types(file)}


class EmbeddedFiles:
    """The files of some targets and their imports, each after its imports.

    `declaring` is the result of `index_types`, for callers that need several files of a request.
    """

    def __init__(self, request: Request, targets: Iterable[str], declaring: Mapping[str, str] | None = None) -> None:
        self._request = request
        self._declaring = declaring or index_types(request)
        self._files: dict[str, FileDescriptorProto] = {}
        for target in targets:
            self._add(target)

    def _add(self, name: str) -> None:
        if name in self._files:
            return
        file = _strip_file(self._request.files[name])
        needed = {self._declaring[reference] for reference in _list_references(file) if reference in self._declaring}
        imports = sorted(needed - {name})
        del file.dependency[:], file.public_dependency[:], file.weak_dependency[:]
        file.dependency.extend(imports)
        for imported in imports:
            self._add(imported)
        self._files[name] = file

    def get_file(self, name: str) -> FileDescriptorProto:
        """Return a file with its comments."""
        return self._files[name]

    def rename_package(self, package: str, new_package: str, names: Mapping[str, str]) -> None:
        """Rename the files of a package, which map to `names`, and the package."""
        types = {name for file in self._files.values() if file.package == package for name in _list_types(file)}
        files, self._files = self._files, {}
        for name, file in files.items():
            if file.package == package:
                rename_references(file, types, package, new_package)
                file.package = new_package
            file.name = names.get(name, name)
            for index, dependency in enumerate(file.dependency):
                file.dependency[index] = names.get(dependency, dependency)
            self._files[file.name] = file

    def serialize(self) -> bytes:
        """Return the files as a FileDescriptorSet, without comments."""
        files = FileDescriptorSet(file=self._files.values())
        for file in files.file:
            file.ClearField("source_code_info")
        return files.SerializeToString(deterministic=True)

    def find_presence(self) -> frozenset[str]:
        """Return the full names of the fields that distinguish unset from their default values."""
        pool = descriptor_pool.DescriptorPool()
        files = [pool.AddSerializedFile(_drop_json_names(file).SerializeToString()) for file in self._files.values()]
        messages = [message for file in files for message in file.message_types_by_name.values()]
        return frozenset(name for message in messages for name in _list_presence(message))


def _list_presence(message: Descriptor) -> Iterator[str]:
    yield from (field.full_name for field in message.fields if field.has_presence)
    for nested in message.nested_types:
        yield from _list_presence(nested)


def _drop_json_names(raw: FileDescriptorProto) -> FileDescriptorProto:
    """Return a copy without JSON names: a pool rejects equal ones, which protoc accepts in old files."""
    file = FileDescriptorProto()
    file.CopyFrom(raw)
    for message in _walk_messages(file.message_type):
        for field in message.field:
            field.ClearField("json_name")
    return file


def _strip_file(raw: FileDescriptorProto) -> FileDescriptorProto:
    """Return a copy without custom options and extensions of options."""
    file = FileDescriptorProto()
    file.CopyFrom(raw)
    _strip_options(file)
    for extensions in (file.extension, *(message.extension for message in _walk_messages(file.message_type))):
        kept = [field for field in extensions if not field.extendee.startswith(".google.protobuf.")]
        del extensions[:]
        extensions.extend(kept)
    return file


def _strip_options(element: Message) -> None:
    """Remove the custom options of an element and of the elements in it."""
    for field, value in element.ListFields():
        if field.name == "options":
            value.DiscardUnknownFields()
            for extension, _ in value.ListFields():
                if extension.is_extension:
                    value.ClearExtension(extension)
            del value.uninterpreted_option[:]
            if not value.ListFields():
                element.ClearField("options")
        elif field.message_type is not None:
            for item in value if field.is_repeated else (value,):
                _strip_options(item)


def _walk_messages(messages: Iterable[DescriptorProto]) -> Iterator[DescriptorProto]:
    for message in messages:
        yield message
        yield from _walk_messages(message.nested_type)


def _list_types(file: FileDescriptorProto) -> Iterator[str]:
    """Yield the full names of the messages and enums of a file, with a leading dot."""
    prefix = f".{file.package}." if file.package else "."
    yield from _list_nested(file.message_type, file.enum_type, prefix)


def _list_nested(
    messages: Iterable[DescriptorProto], enums: Iterable[EnumDescriptorProto], prefix: str
) -> Iterator[str]:
    yield from (prefix + enum.name for enum in enums)
    for message in messages:
        yield prefix + message.name
        yield from _list_nested(message.nested_type, message.enum_type, f"{prefix}{message.name}.")


def _list_references(file: FileDescriptorProto) -> Iterator[str]:
    """Yield the types that a file refers to."""
    for message in _walk_messages(file.message_type):
        yield from _list_field_types((*message.field, *message.extension))
    yield from _list_field_types(file.extension)
    for service in file.service:
        for method in service.method:
            yield from (method.input_type, method.output_type)


def _list_field_types(fields: Iterable[FieldDescriptorProto]) -> Iterator[str]:
    for field in fields:
        yield from filter(None, (field.type_name, field.extendee))
