"""Unknown fields of requests, which are dropped and counted, or rejected.

A parser compares the size of a request with the size of its known fields, and looks for unknown fields only if the
sizes differ. The sizes also differ for an unusual encoding of known fields.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any, TypeVar

from google.protobuf.message import DecodeError, Message
from google.protobuf.unknown_fields import UnknownFieldSet

AnyMessage = TypeVar("AnyMessage", bound=Message)

COUNTS: Counter[str] = Counter()  # dropped fields by group, version, and RPC


class UnknownFields:
    """The numbers of the unknown fields of a request that is rejected."""

    def __init__(self, numbers: tuple[int, ...]) -> None:
        self.numbers = numbers


class InvalidMessage:
    """The reason why a request is no message of its type."""

    def __init__(self, reason: str) -> None:
        self.reason = reason


def make_parser(kind: type[AnyMessage], rpc: str, *, rejects: bool = False) -> Callable[[bytes], Any]:
    """Return the function that parses the requests of an RPC."""
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
                return UnknownFields(numbers)
        return request

    return parse_request


def _list_numbers(message: Message) -> Iterator[int]:
    """Yield the numbers of the unknown fields of a message and of the messages in it."""
    unknown = UnknownFieldSet(message)
    yield from (unknown[index].field_number for index in range(len(unknown)))
    for field, value in message.ListFields():
        if field.message_type is None:
            continue
        if field.message_type.GetOptions().map_entry:
            values = [item for item in value.values() if isinstance(item, Message)]
        else:
            values = list(value) if field.is_repeated else [value]
        for each in values:
            yield from _list_numbers(each)
