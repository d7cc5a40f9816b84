"""CodeGeneratorRequests, descriptor sets and images: mutated bytes, and messages with mutated fields."""

from __future__ import annotations

import json
from random import Random
from typing import Any

from google.protobuf import json_format
from google.protobuf.compiler.plugin_pb2 import CodeGeneratorRequest
from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.descriptor_pb2 import FileDescriptorSet
from google.protobuf.message import Message

import protoc_gen_crd.v1.options_pb2  # noqa: F401 - so that options are messages whose fields can be mutated
from tests.fuzz import corpus
from tests.fuzz.harness import Fuzzer
from tests.fuzz.mutations import mutated_bytes, mutated_data
from tests.fuzz.program import command, plugin

_NAMES = (
    "", "a\nimport os\n", 'a"""', "None", "a[0]", " ", "a b", "a\nb", "a\r", "\0", "é", "\u2028", "..", "/", "../../x",
    "a/b", "A" * 300, "metadata", "spec", "status",
    "kind", "apiVersion", "__class__", "class", "self", "items", "$ref", ".example.v1.Thing", "google.protobuf.Any",
    "a.b.c",
    ".", "-", "x'\"\\", "{{.}}", "true", "1", "v1", "google.protobuf.Struct",
)  # fmt: skip
_NUMBERS = (0, 1, -1, 2, 99, 536_870_911, 2**31 - 1, -(2**31))
_STRINGS = (FieldDescriptor.TYPE_STRING, FieldDescriptor.TYPE_BYTES)


_PARAMETERS = (
    "converters=c", "converters=c,kcp=k", "compat=istio", "compat=istio,report=differences", "oneof=cel",
    "channel=alpha",
    "int64_as=int-or-string,enum_as_int_or_string=true", "resource_shape=object", "format=json", "bundle=all.yaml",
)  # fmt: skip


class Requests(Fuzzer):
    """Requests of protoc."""

    name, slice = "requests", 40

    def generate(self, random: Random) -> bytes:
        data = random.choice(corpus.requests())
        if random.random() < 0.1:
            return mutated_bytes(data, random)
        request = CodeGeneratorRequest.FromString(data)
        if random.random() < 0.5:
            request.parameter = random.choice(_PARAMETERS)
        targets = [file for file in request.proto_file if file.name in request.file_to_generate]
        mutate(random.choice(targets) if targets and random.random() < 0.9 else request, random)
        return request.SerializePartialToString(deterministic=True)

    def run(self, data: bytes) -> str:
        return plugin(data)


class Images(Fuzzer):
    """Descriptor sets and images in all encodings, as commands read them."""

    name, slice = "images", 20

    def generate(self, random: Random) -> bytes:
        request = CodeGeneratorRequest.FromString(random.choice(corpus.requests()))
        image = FileDescriptorSet(file=request.proto_file)
        kind = random.randrange(4)
        if not kind:
            return b"b" + mutated_bytes(image.SerializePartialToString(deterministic=True), random)
        if kind < 3:
            mutate(image.file[-1], random)
            return b"b" + image.SerializePartialToString(deterministic=True)
        del image.file[:-1]
        plain = json_format.MessageToDict(image, preserving_proto_field_name=random.random() < 0.2)
        return b"j" + json.dumps(mutated_data(plain, random)).encode()

    def run(self, data: bytes) -> str:
        name = "api.json" if data[:1] == b"j" else "api.binpb"
        return str(command(["generate", name, "--out", "out"], {name: data[1:]}))


def mutate(message: Any, random: Random) -> None:
    """Change one to six fields of a message and of nested ones, rarely those with source locations."""
    for _ in range(random.choice((1, 1, 2, 6))):
        _change(_inner(message, random), random)


def _inner(message: Any, random: Random) -> Any:
    """A message within a message."""
    while random.random() < 0.85:
        inner = [
            item
            for field, value in message.ListFields()
            if field.type == FieldDescriptor.TYPE_MESSAGE
            and (field.name != "source_code_info" or random.random() < 0.1)
            for item in ([value] if isinstance(value, Message) else value)
            if isinstance(item, Message)
        ]
        if not inner:
            break
        message = random.choice(inner)
    return message


def _change(message: Any, random: Random) -> None:
    plain = [
        field
        for field in message.DESCRIPTOR.fields
        if not (field.message_type and field.message_type.GetOptions().map_entry)
    ]
    if not plain:
        return
    field = random.choice(plain)
    many = field.is_repeated
    if random.random() < 0.25:
        message.ClearField(field.name)
    elif field.type == FieldDescriptor.TYPE_MESSAGE:
        values = getattr(message, field.name)
        if many and len(values):
            values.add().CopyFrom(random.choice(values))
        elif many:
            values.add()
        else:
            values.SetInParent()
    elif many:
        getattr(message, field.name).append(_value(field, random))
    else:
        setattr(message, field.name, _value(field, random))


def _value(field: FieldDescriptor, random: Random) -> Any:
    if field.type in _STRINGS:
        text = random.choice(_NAMES)
        return text if field.type == FieldDescriptor.TYPE_STRING else text.encode()
    if field.enum_type:
        return random.choice(field.enum_type.values).number
    if field.cpp_type in (FieldDescriptor.CPPTYPE_INT32, FieldDescriptor.CPPTYPE_INT64):
        return random.choice(_NUMBERS)
    if field.cpp_type == FieldDescriptor.CPPTYPE_BOOL:
        return random.random() < 0.5
    return abs(random.choice(_NUMBERS))
