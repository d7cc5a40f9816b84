"""Printer of a file as .proto source: its elements, comments, and standard options, in the order of the file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from google.protobuf import text_format
from google.protobuf.descriptor_pb2 import (
    DescriptorProto,
    Edition,
    EnumDescriptorProto,
    FieldDescriptorProto,
    FileDescriptorProto,
    ServiceDescriptorProto,
    ServiceOptions,
)
from google.protobuf.message import Message

Path = tuple[int, ...]
_LABELS = {FieldDescriptorProto.LABEL_REPEATED: "repeated ", FieldDescriptorProto.LABEL_REQUIRED: "required "}
_MAX_NUMBER = 2**29  # one more than the largest number of a field


def print_proto(file: FileDescriptorProto, header: str, notices: Mapping[str, str] = {}) -> str:
    """Return the source of a file. Custom options are left out; groups and extensions are not supported.

    Args:
        file: The file, with comments.
        header: The first line.
        notices: The deprecation notices of services by name.
    """
    return "\n".join(_FilePrinter(file, notices).print(header)) + "\n"


class _FilePrinter:
    def __init__(self, file: FileDescriptorProto, notices: Mapping[str, str]) -> None:
        self._file = file
        self._notices = notices
        info = file.source_code_info.location
        self._comments: Mapping[Path, str] = {
            tuple(location.path): location.leading_comments for location in info if location.leading_comments
        }

    def print(self, header: str) -> Iterator[str]:
        file = self._file
        yield f"// {header}"
        edition = Edition.Name(file.edition).removeprefix("EDITION_") if file.syntax == "editions" else ""
        yield f'edition = "{edition}";' if edition else f'syntax = "{file.syntax or "proto2"}";'
        yield ""
        yield from self._print_comment((2,), "")
        yield f"package {file.package};"
        if file.dependency:
            yield from ("", *(f'import "{name}";' for name in sorted(file.dependency)))
        options = list(_list_options(file.options))
        if options:
            yield from ("", *(f"option {option};" for option in options))
        for index, service in enumerate(file.service):
            yield from ("", *self._print_service(service, (6, index)))
        for index, message in enumerate(file.message_type):
            yield from ("", *self._print_message(message, (4, index), ""))
        for index, enum in enumerate(file.enum_type):
            yield from ("", *self._print_enum(enum, (5, index), ""))

    def _print_comment(self, path: Path, indent: str) -> Iterator[str]:
        lines = self._comments.get(path, "").rstrip("\n").split("\n")
        string = [line for line in lines if not line.strip().startswith("+")]
        if "".join(string).strip():
            yield from (f"{indent}//{line}".rstrip() for line in string)

    def _print_service(self, service: ServiceDescriptorProto, path: Path) -> Iterator[str]:
        comment = list(self._print_comment(path, ""))
        yield from comment
        standard = ServiceOptions()
        standard.CopyFrom(service.options)
        if notice := self._notices.get(service.name):
            standard.deprecated = True
            if not any(line.startswith("// Deprecated:") for line in comment):
                yield from (["//"] if comment else [])
                yield from (f"// {line}" for line in f"Deprecated: {notice}".splitlines())
        yield f"service {service.name} {{"
        yield from (f"  option {option};" for option in _list_options(standard))
        for index, method in enumerate(service.method):
            yield from self._print_comment((*path, 2, index), "  ")
            request = f"{'stream ' if method.client_streaming else ''}{method.input_type}"
            response = f"{'stream ' if method.server_streaming else ''}{method.output_type}"
            options = " ".join(f"option {option};" for option in _list_options(method.options))
            end = f" {{ {options} }}" if options else ";"
            yield f"  rpc {method.name}({request}) returns ({response}){end}"
        yield "}"

    def _print_message(self, message: DescriptorProto, path: Path, indent: str) -> Iterator[str]:
        yield from self._print_comment(path, indent)
        yield f"{indent}message {message.name} {{"
        inner = f"{indent}  "
        yield from (f"{inner}option {option};" for option in _list_options(message.options))
        entries = {nested.name: nested for nested in message.nested_type if nested.options.map_entry}
        printed: set[int] = set()
        for index, field in enumerate(message.field):
            oneof = field.oneof_index if field.HasField("oneof_index") and not field.proto3_optional else -1
            if oneof < 0:
                yield from self._print_field(field, (*path, 2, index), inner, entries)
            elif oneof not in printed:
                printed.add(oneof)
                yield from self._print_oneof(message, oneof, path, inner)
        for index, nested in enumerate(message.nested_type):
            if not nested.options.map_entry:
                yield from ("", *self._print_message(nested, (*path, 3, index), inner))
        for index, enum in enumerate(message.enum_type):
            yield from ("", *self._print_enum(enum, (*path, 4, index), inner))
        yield from _print_reserved(message.reserved_range, message.reserved_name, inner, is_enum=False)
        yield f"{indent}}}"

    def _print_oneof(self, message: DescriptorProto, oneof: int, path: Path, indent: str) -> Iterator[str]:
        yield from self._print_comment((*path, 8, oneof), indent)
        yield f"{indent}oneof {message.oneof_decl[oneof].name} {{"
        for index, field in enumerate(message.field):
            if field.HasField("oneof_index") and field.oneof_index == oneof:
                yield from self._print_field(field, (*path, 2, index), f"{indent}  ", {})
        yield f"{indent}}}"

    def _print_field(
        self, field: FieldDescriptorProto, path: Path, indent: str, entries: Mapping[str, DescriptorProto]
    ) -> Iterator[str]:
        yield from self._print_comment(path, indent)
        entry = entries.get(field.type_name.rpartition(".")[2])
        if entry is not None:
            kind = f"map<{_get_type(entry.field[0])}, {_get_type(entry.field[1])}>"
        else:
            in_oneof = field.HasField("oneof_index") and not field.proto3_optional
            label = "" if in_oneof else _LABELS.get(field.label, self._get_optional(field))
            kind = label + _get_type(field)
        options = [*_list_defaults(field), *_list_options(field.options)]
        suffix = f" [{', '.join(options)}]" if options else ""
        yield f"{indent}{kind} {field.name} = {field.number}{suffix};"

    def _get_optional(self, field: FieldDescriptorProto) -> str:
        return "optional " if field.proto3_optional or self._file.syntax in ("", "proto2") else ""

    def _print_enum(self, enum: EnumDescriptorProto, path: Path, indent: str) -> Iterator[str]:
        yield from self._print_comment(path, indent)
        yield f"{indent}enum {enum.name} {{"
        yield from (f"{indent}  option {option};" for option in _list_options(enum.options))
        for index, value in enumerate(enum.value):
            yield from self._print_comment((*path, 2, index), f"{indent}  ")
            options = list(_list_options(value.options))
            yield f"{indent}  {value.name} = {value.number}{f' [{chr(44).join(options)}]' if options else ''};"
        yield from _print_reserved(enum.reserved_range, enum.reserved_name, f"{indent}  ", is_enum=True)
        yield f"{indent}}}"


def _get_type(field: FieldDescriptorProto) -> str:
    return field.type_name or FieldDescriptorProto.Type.Name(field.type).removeprefix("TYPE_").lower()


def _list_defaults(field: FieldDescriptorProto) -> Iterator[str]:
    if field.HasField("default_value"):
        is_text = field.type in (FieldDescriptorProto.TYPE_STRING, FieldDescriptorProto.TYPE_BYTES)
        yield f"default = {_quote(field.default_value) if is_text else field.default_value}"


def _quote(string: str) -> str:
    return text_format.MessageToString(FieldDescriptorProto(name=string)).removeprefix("name: ").rstrip("\n")


def _list_options(options: Message) -> Iterator[str]:
    """Yield the standard options of an element, as in source."""
    for field, value in options.ListFields():
        if not field.is_extension and field.name not in ("map_entry", "uninterpreted_option", "features"):
            string = text_format.MessageToString(_select(options, field.name), as_one_line=True)
            name, _, shown = string.partition(": ")
            yield f"{name} = {shown}" if not field.is_repeated else f"{name} = {value[0]}"
        elif field.name == "features":
            for feature in text_format.MessageToString(value).splitlines():
                yield "features." + feature.replace(": ", " = ", 1)


def _select(options: Message, name: str) -> Message:
    selected = type(options)()
    setattr(selected, name, getattr(options, name))
    return selected


def _print_reserved(ranges: Sequence[object], names: Sequence[str], indent: str, *, is_enum: bool) -> Iterator[str]:
    spans = [(getattr(span, "start"), getattr(span, "end") - (0 if is_enum else 1)) for span in ranges]  # noqa: B009
    if spans:
        limit = 2**31 - 1 if is_enum else _MAX_NUMBER - 1
        parts = [f"{start}" if start == end else f"{start} to {'max' if end >= limit else end}" for start, end in spans]
        yield f"{indent}reserved {', '.join(parts)};"
    if names:
        yield f"{indent}reserved {', '.join(map(_quote, names))};"
