"""Elements of a .proto file with their offsets in its text, from its descriptor and SourceCodeInfo."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from google.protobuf.descriptor_pb2 import DescriptorProto, FieldDescriptorProto, FileDescriptorProto

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.proto.option_text_values import TextEntry, TextValue, read_option
from protoc_gen_crd.proto.source_locations import PACKAGE_PATH, Path
from protoc_gen_crd.proto.source_tokens import NAME, SourceText, Token

# Kind of an element -> the number of its options in its descriptor.
FILE, MESSAGE, FIELD, ENUM, VALUE, ONEOF = "file", "message", "field", "enum", "enum value", "oneof"
SERVICE, RPC = "service", "RPC"
_OPTIONS = {FILE: 8, MESSAGE: 7, FIELD: 8, ENUM: 3, VALUE: 3, ONEOF: 2, SERVICE: 3, RPC: 4}
_NUMBER = {FIELD: FieldDescriptorProto.NUMBER_FIELD_NUMBER, VALUE: 2}
# Kind of an element -> its lists of elements: the name of the list, its number, and the kind of its items.
_CHILDREN = {
    FILE: (("message_type", 4, MESSAGE), ("enum_type", 5, ENUM), ("service", 6, SERVICE)),
    MESSAGE: (("field", 2, FIELD), ("nested_type", 3, MESSAGE), ("enum_type", 4, ENUM), ("oneof_decl", 8, ONEOF)),
    ENUM: (("value", 2, VALUE),),
    SERVICE: (("method", 2, RPC),),
}
_DEPENDENCY, _SYNTAX, _EDITION = 3, 12, 14
_TYPE_NAME, _TYPE, _EXTENDEE = 6, 5, 2
_SERVICE, _METHOD, _INPUT, _OUTPUT = 6, 2, 2, 3
_FILE_EXTENSION, _EXTENSION = 7, 6


class SourceOption(Record):
    """An option: its path below the options of its element, its offsets, its names after the extension, and its values.

    `entries` are the entries of the messages in its value.
    """

    path: Path
    start: int
    end: int
    names: tuple[str, ...]
    values: tuple[TextValue, ...]
    entries: tuple[TextEntry, ...]


class SourceElement(Record):
    """An element: its kind, full name, offsets and options, and the name of the element around it.

    The offsets of a file are those of its package statement. `number_end` is the offset after the number of a field or
    an enum value. `comments` are the comments directly above the element.
    """

    kind: str
    full_name: str
    parent: str
    path: Path
    start: int
    end: int
    options: tuple[SourceOption, ...]
    comments: tuple[Token, ...]
    number: int = 0
    number_end: int = 0


class TypeReference(Record):
    """A type name in the text: its offsets, as written, and the full name that it refers to."""

    start: int
    end: int
    written: str
    full_name: str


class SourceFile:
    """A .proto file: its text, its elements in the order of the descriptor, its imports and its type references."""

    def __init__(self, file: FileDescriptorProto, path: str, data: bytes) -> None:
        self.name, self.package, self.path, self.data = file.name, file.package, path, data
        self.source = SourceText(data.decode(errors="surrogateescape"))
        self.text = self.source.text
        self.imports = tuple(file.dependency)
        self.uses_identifiers = file.syntax == "editions"  # reserved names are identifiers, not strings
        self.declares_extensions = bool(file.extension) or any(map(_declares_extensions, file.message_type))
        self._file = file
        self._spans: dict[Path, list[Sequence[int]]] = {}
        self._commented: set[Path] = set()
        self._read_spans()
        self.elements = {element.full_name or file.name: element for element in self._list_elements()}

    def _read_spans(self) -> None:
        for location in self._file.source_code_info.location:
            if location.leading_comments:
                self._commented.add(tuple(location.path))
            self._spans.setdefault(tuple(location.path), []).append(tuple(location.span))

    def _get_offsets(self, span: Sequence[int]) -> tuple[int, int]:
        last = span[2] if len(span) == 4 else span[0]
        return self.source.find_offset(span[0], span[1]), self.source.find_offset(last, span[-1])

    def find_offsets(self, path: Path) -> tuple[int, int] | None:
        """Return the offsets of the first location of a path, None if there is none."""
        spans = self._spans.get(path)
        return self._get_offsets(spans[0]) if spans else None

    def find_position(self, offset: int) -> tuple[int, int]:
        """Return the line and column of an offset, both from 1."""
        start = self.text.rfind("\n", 0, offset) + 1
        return self.text.count("\n", 0, offset) + 1, offset - start + 1

    def _list_elements(self) -> Iterator[SourceElement]:
        options = self._group_options()
        package = self.find_offsets(PACKAGE_PATH) or (0, 0)
        yield SourceElement(
            FILE, "", "", (), *package, self._read_options(FILE, (), options),
            self._list_comments(PACKAGE_PATH, package[0]),
        )  # fmt: skip
        yield from self._list_children(FILE, self._file, self.package, (), options)

    def _list_comments(self, path: Path, start: int) -> tuple[Token, ...]:
        """Return the comments of an element that starts at an offset, without detached ones and those of others."""
        return tuple(self.source.list_comments_before(start)) if path in self._commented else ()

    def _group_options(self) -> dict[Path, list[tuple[Path, Sequence[int]]]]:
        """Return the paths and spans of options by the path of the options of their element."""
        grouped: dict[Path, list[tuple[Path, Sequence[int]]]] = {}
        for path, spans in self._spans.items():
            for end in range(len(path) - 1, 0, -1):
                if end % 2 and path[:end] in self._spans:
                    grouped.setdefault(path[:end], []).extend((path[end:], span) for span in spans)
                    break
        return grouped

    def _list_children(
        self, kind: str, raw: Any, scope: str, path: Path, options: dict[Path, list[tuple[Path, Sequence[int]]]]
    ) -> Iterator[SourceElement]:
        for name, number, child_kind in _CHILDREN.get(kind, ()):
            for index, child in enumerate(getattr(raw, name)):
                child_path = (*path, number, index)
                offsets = self.find_offsets(child_path)
                if offsets is None:
                    continue  # it is not in the text: an entry of a map, or the oneof of an optional field
                full_name = f"{scope}.{child.name}" if scope else child.name
                number_offsets = (
                    self.find_offsets((*child_path, _NUMBER[child_kind])) if child_kind in _NUMBER else None
                )
                yield SourceElement(
                    child_kind, full_name, scope, child_path, *offsets,
                    self._read_options(child_kind, child_path, options),
                    self._list_comments(child_path, offsets[0]),
                    child.number if number_offsets else 0, number_offsets[1] if number_offsets else 0,
                )  # fmt: skip
                yield from self._list_children(child_kind, child, full_name, child_path, options)

    def _read_options(
        self, kind: str, path: Path, grouped: dict[Path, list[tuple[Path, Sequence[int]]]]
    ) -> tuple[SourceOption, ...]:
        at = (*path, _OPTIONS[kind])
        options = []
        for option_path, span in grouped.get(at, ()):
            start, end = self._get_offsets(span)
            names, values, entries = read_option(self.source.list_tokens(start, end))
            options.append(SourceOption(option_path, start, end, names, tuple(values), tuple(entries)))
        return tuple(sorted(options, key=lambda option: option.start))

    def list_imports(self) -> Iterator[tuple[str, Token]]:
        """Yield the imported files, and the string tokens that name them."""
        for index, name in enumerate(self.imports):
            offsets = self.find_offsets((_DEPENDENCY, index))
            for token in self.source.list_tokens(*offsets) if offsets else ():
                if token.kind == "string":
                    yield name, token

    def list_references(self) -> Iterator[TypeReference]:
        """Yield the types that fields, extensions and methods refer to."""
        yield from self._list_message_references(self._file, (), (("message_type", 4), ("extension", _FILE_EXTENSION)))
        for at, service in enumerate(self._file.service):
            for index, method in enumerate(service.method):
                path = (_SERVICE, at, _METHOD, index)
                yield from self._make_reference((*path, _INPUT), method.input_type)
                yield from self._make_reference((*path, _OUTPUT), method.output_type)

    def _list_message_references(
        self, raw: Any, path: Path, lists: Sequence[tuple[str, int]]
    ) -> Iterator[TypeReference]:
        for name, number in lists:
            for index, child in enumerate(getattr(raw, name)):
                child_path = (*path, number, index)
                if isinstance(child, DescriptorProto):
                    inner = (("field", 2), ("extension", _EXTENSION), ("nested_type", 3))
                    yield from self._list_message_references(child, child_path, inner)
                    continue
                target = _get_target(child, raw)
                yield from self._make_reference((*child_path, _TYPE_NAME), target)
                yield from self._make_reference((*child_path, _EXTENDEE), child.extendee)

    def _make_reference(self, path: Path, full_name: str) -> Iterator[TypeReference]:
        offsets = self.find_offsets(path)
        tokens = self.source.list_tokens(*offsets) if offsets and full_name else []
        while tokens and tokens[-1].kind != NAME:
            tokens.pop()  # the angle bracket of a map
        first = len(tokens)
        while first and (tokens[first - 1].kind == NAME or tokens[first - 1].text == "."):
            first -= 1
        if tokens:
            start, end = tokens[first].start, tokens[-1].end
            yield TypeReference(start, end, "".join(token.text for token in tokens[first:]), full_name.lstrip("."))


def _get_target(field: Any, message: Any) -> str:
    """Return the type of a field, or of the values of its map."""
    name = str(field.type_name).rpartition(".")[2]
    nested = getattr(message, "nested_type", ())
    entry = next(
        (nested_type for nested_type in nested if nested_type.name == name and nested_type.options.map_entry), None
    )
    return str(entry.field[1].type_name if entry is not None else field.type_name)


def _declares_extensions(message: DescriptorProto) -> bool:
    return bool(message.extension) or any(map(_declares_extensions, message.nested_type))
