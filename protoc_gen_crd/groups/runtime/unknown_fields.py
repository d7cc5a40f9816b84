"""Unknown fields of requests, which are dropped and counted, or rejected.

A parser compares the size of a request with the size of its known fields, and looks for unknown fields only if the
sizes differ. The sizes also differ for an unusual encoding of known fields.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import Any, TypeVar

from google.protobuf import message_factory
from google.protobuf.descriptor_pool import DescriptorPool
from google.protobuf.message import DecodeError, Message
from google.protobuf.unknown_fields import UnknownFieldSet

AnyMessage = TypeVar("AnyMessage", bound=Message)

COUNTS: Counter[str] = Counter()  # dropped fields by group, version, and RPC


class UnknownFields:
    """The names or numbers of the unknown fields of a request that is rejected."""

    def __init__(self, names: Iterable[str]) -> None:
        self.names = tuple(names)


class InvalidMessage:
    """The reason why a request is no message of its type."""

    def __init__(self, reason: str) -> None:
        self.reason = reason


def make_parser(
    kind: type[AnyMessage], rpc: str, *, rejects: bool = False, pool: DescriptorPool | None = None
) -> Callable[[bytes], Any]:
    """Return the function that parses the requests of an RPC. `pool` has the names of fields of other versions."""
    parse = kind.FromString

    def parse_request(data: bytes) -> Any:
        try:
            return parse_known(data)
        except DecodeError as error:
            return InvalidMessage(str(error))

    def parse_known(data: bytes) -> Any:
        request = parse(data)
        request.DiscardUnknownFields()
        if request.ByteSize() != len(data):
            numbers = tuple(_list_numbers(parse(data)))
            COUNTS[rpc] += len(numbers)
            if numbers and rejects:
                return UnknownFields(_describe_fields(kind, data, pool) if pool else map(str, numbers))
        return request

    return parse_request


def _describe_fields(kind: type[Message], data: bytes, pool: DescriptorPool) -> Iterator[str]:
    """Yield the names of fields that only other versions have, and the numbers of fields that no version has."""
    descriptor = kind.DESCRIPTOR
    message = message_factory.GetMessageClass(pool.FindMessageTypeByName(descriptor.full_name)).FromString(data)
    yield from _list_names(message, descriptor, "")
    yield from map(str, _list_numbers(message))


def _list_names(message: Message, descriptor: Any, path: str) -> Iterator[str]:
    """Yield the paths of the fields of a message that a descriptor does not have."""
    for field, value in message.ListFields():
        own = descriptor.fields_by_number.get(field.number)
        if own is None:
            yield f"{path}{field.name}"
            continue
        for item in _list_values(field, value):
            entry = own.message_type.fields_by_name["value"] if own.message_type.GetOptions().map_entry else own
            yield from _list_names(item, entry.message_type, f"{path}{field.name}.")


def _list_values(field: Any, value: Any) -> list[Any]:
    """Return the messages in the value of a field."""
    if field.message_type is None:
        return []
    if field.message_type.GetOptions().map_entry:
        return [item for item in value.values() if isinstance(item, Message)]
    return list(value) if field.is_repeated else [value]


def _list_numbers(message: Message) -> Iterator[int]:
    """Yield the numbers of the unknown fields of a message and of the messages in it."""
    unknown = UnknownFieldSet(message)
    yield from (unknown[index].field_number for index in range(len(unknown)))
    for field, value in message.ListFields():
        for each in _list_values(field, value):
            yield from _list_numbers(each)
