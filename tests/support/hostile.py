"""Requests that no protoc sends, and valid ones that are huge: name -> bytes on standard input."""

from __future__ import annotations

from collections.abc import Callable

from google.protobuf.compiler.plugin_pb2 import CodeGeneratorRequest
from google.protobuf.descriptor_pb2 import DescriptorProto, FieldDescriptorProto, FileDescriptorProto

_MESSAGE, _STRING = FieldDescriptorProto.TYPE_MESSAGE, FieldDescriptorProto.TYPE_STRING
_TAGS = " A thing.\n +cue-gen:Thing:groupName:example.com\n +cue-gen:Thing:versions:v1\n"

REQUESTS: dict[str, Callable[[], bytes]] = {}


def _request(make: Callable[[], bytes]) -> Callable[[], bytes]:
    REQUESTS[make.__name__.strip("_").replace("_", "-")] = make
    return make


def _file(*messages: str, name: str = "api.proto", comment: str = _TAGS, line: int = 10) -> FileDescriptorProto:
    """A file whose first message has a comment."""
    file = FileDescriptorProto(name=name, package="example.v1", syntax="proto3")
    for message in messages:
        file.message_type.add(name=message)
    if comment:
        place = file.source_code_info.location.add(path=[4, 0], span=[line, 0, 1])
        place.leading_comments = comment
    return file


def _add(message: DescriptorProto, name: str, type_name: str = "") -> None:
    kind = _MESSAGE if type_name else _STRING
    number = len(message.field) + 1
    message.field.add(name=name, json_name=name, number=number, type=kind, label=1, type_name=type_name)


def _bytes(*files: FileDescriptorProto, parameter: str = "") -> bytes:
    names = [file.name for file in files]
    request = CodeGeneratorRequest(file_to_generate=names, proto_file=files, parameter=parameter)
    return request.SerializeToString(deterministic=True)


@_request
def _garbage() -> bytes:
    return b"\xff\xfe garbage \x00" * 9


@_request
def _other_text() -> bytes:
    return b"x\n"  # can be read as an unknown field


@_request
def _truncated() -> bytes:
    return _bytes(_file("Thing"))[:-7]


@_request
def _no_source_info() -> bytes:
    return _bytes(_file("Thing", comment=""))


@_request
def _missing_import() -> bytes:
    file = _file("Thing")
    file.dependency.append("other/missing.proto")
    return _bytes(file)


@_request
def _missing_target() -> bytes:
    return CodeGeneratorRequest(file_to_generate=["nowhere.proto"]).SerializeToString()


@_request
def _cyclic_imports() -> bytes:
    first, second = _file("Thing"), _file("Other", name="other.proto", comment="")
    first.dependency.append("other.proto")
    second.dependency.append("api.proto")
    return _bytes(first, second)


@_request
def _duplicate_symbols() -> bytes:
    return _bytes(_file("Thing"), _file("Thing", name="other.proto"))


@_request
def _duplicate_files() -> bytes:
    return _bytes(_file("Thing"), _file("Thing"))


@_request
def _comment_that_is_no_utf8() -> bytes:
    return _bytes(_file("Thing", comment=f"{_TAGS}\n MARK\n")).replace(b"MARK", b"\xff\xfe\xff\xfe")


@_request
def _comment_of_a_mebibyte() -> bytes:
    return _bytes(_file("Thing", comment=_TAGS + "\n" + " A long story.\n" * 75_000))


@_request
def _a_mebibyte_of_unknown_markers() -> bytes:
    lines = "".join(f" +kubebuilder:validation:MaxLenght{number}=3\n" for number in range(25_000))
    return _bytes(_file("Thing", comment=_TAGS + "\n" + lines, line=40_000))


@_request
def _ten_thousand_fields() -> bytes:
    file = _file("Thing")
    for number in range(10_000):
        _add(file.message_type[0], f"field{number}")
    return _bytes(file)


@_request
def _chain_of_200_messages() -> bytes:
    file = _file("Thing", *[f"Link{number}" for number in range(200)])
    for number, message in enumerate(file.message_type[:-1]):
        _add(message, "next", f".example.v1.Link{number}")
    return _bytes(file)


@_request
def _chain_of_1000_messages() -> bytes:
    file = _file("Thing", *[f"Link{number}" for number in range(1000)])
    for number, message in enumerate(file.message_type[:-1]):
        _add(message, "next", f".example.v1.Link{number}")
    return _bytes(file)


@_request
def _nested_200_deep() -> bytes:
    inner = b""
    for _ in range(200):
        body = b"\x0a\x01M" + inner
        inner = b"\x1a" + _varint(len(body)) + body
    file = b"\x0a\x01a" + b"\x22" + inner[1:]
    return b"\x0a\x01a" + b"\x7a" + _varint(len(file)) + file


def _varint(value: int) -> bytes:
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    return bytes([*out, value])


def _twice(parameter: str) -> bytes:
    file = _file("Thing", *[f"Half{number}" for number in range(25)])
    for number, message in enumerate(file.message_type[:-1]):
        for name in ("left", "right"):
            _add(message, name, f".example.v1.Half{number}")
    return _bytes(file, parameter=parameter)


@_request
def _each_holds_two_of_the_next() -> bytes:
    return _twice("")


@_request
def _each_holds_two_of_the_next_in_compat() -> bytes:
    return _twice("compat=istio")


def _named(*names: str) -> bytes:
    """A message with fields of these names, and an enum with values of them."""
    file = _file("Thing")
    file.enum_type.add(name="Word")
    for number, name in enumerate(names):
        file.enum_type[0].value.add(name=name, number=number)
        _add(file.message_type[0], name)
    enum = FieldDescriptorProto.TYPE_ENUM
    file.message_type[0].field.add(
        name="word", json_name="word", number=99, label=1, type=enum, type_name=".example.v1.Word"
    )
    return _bytes(file)


@_request
def _names_that_are_keywords() -> bytes:
    return _named("yes", "null", "true", "on", "n", "NaN", "class", "def", "None", "self", "e3", "_")


@_request
def _names_that_are_no_identifiers() -> bytes:
    return _named("1e3", "0x1", "~", "", "a b", "a: b")


@_request
def _file_name_with_dots_and_spaces() -> bytes:
    return _bytes(_file("Thing", name="my api/v1.beta/a b..c.proto", comment=_TAGS + " +cue-gen:Thing:scpoe:Cluster\n"))


@_request
def _output_outside_the_folder() -> bytes:
    return _bytes(_file("Thing"), parameter="bundle=../../etc/crds.yaml")


@_request
def _unknown_parameter() -> bytes:
    return _bytes(_file("Thing"), parameter="compatt=istio,format=xml")


@_request
def _rule_with_300_parentheses() -> bytes:
    rule = "(" * 300 + "true" + ")" * 300
    return _bytes(_file("Thing", comment=f'{_TAGS}\n +kubebuilder:validation:XValidation:message="m",rule="{rule}"\n'))


@_request
def _rule_of_100000_characters() -> bytes:
    rule = " || ".join(["true"] * 12_500) + " )"
    return _bytes(_file("Thing", comment=f'{_TAGS}\n +kubebuilder:validation:XValidation:message="m",rule="{rule}"\n'))


@_request
def _default_of_100000_brackets() -> bytes:
    file = _file("Thing")
    _add(file.message_type[0], "text")
    place = file.source_code_info.location.add(path=[4, 0, 2, 0], span=[12, 2, 9])
    place.leading_comments = f" +default={'[' * 100_000}\n"
    return _bytes(file)
