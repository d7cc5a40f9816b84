"""Decoder of custom options, with the extension declarations in the request.

A plugin receives an option as bytes of the options message. The file that uses it imports its declaration, so the
request always contains the declaration, and no copy of a vocabulary is needed.
Source: https://protobuf.dev/programming-guides/encoding/
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator
from typing import Any

from protoc_gen_crd.findings.finding import Problems
from protoc_gen_crd.proto.api_set import ApiSet
from protoc_gen_crd.proto.element_model import Extension, Field
from protoc_gen_crd.proto.wire_format import BYTES, read_fields, read_varint

Path = tuple[int, ...]

# Exceptions of decoding bytes that do not match the declaration.
_MALFORMED = (AttributeError, IndexError, RecursionError, TypeError, ValueError, struct.error)


class OptionValue:
    """A decoded option: full name, plain value (messages as dict by field name, enums by name), descriptor path."""

    __slots__ = ("name", "path", "value")

    def __init__(self, name: str, value: Any, path: Path) -> None:
        self.name = name
        self.value = value
        self.path = path


class OptionReader:
    """Decodes the options of elements. Equal bytes are decoded once. `reduce` removes ignored options."""

    def __init__(
        self, api: ApiSet, problems: Problems, reduce: Callable[[OptionValue], OptionValue | None] | None = None
    ) -> None:
        self._api = api
        self._problems = problems
        self._reduce = reduce
        self._memo: dict[tuple[str, bytes], tuple[OptionValue, ...]] = {}

    def read(self, owner: str, data: bytes) -> tuple[OptionValue, ...]:
        """Return the custom options in the bytes of `google.protobuf.<owner>`, in the order of the bytes."""
        if not data:
            return ()
        key = owner, data
        options = self._memo.get(key)
        if options is None:
            options = self._memo[key] = self._decode_once(f"google.protobuf.{owner}", data)
        return options

    def _decode_once(self, owner: str, data: bytes) -> tuple[OptionValue, ...]:
        try:
            options = self._decode_options(owner, data)
            return tuple(filter(None, map(self._reduce, options)) if self._reduce else options)
        except _MALFORMED:
            message = f"options in {owner} are not encoded as declared"
            self._problems.report(
                "request-options", message, hint="protoc and buf never send this: fix the tool that does"
            )
            return ()

    def _decode_options(self, owner: str, data: bytes) -> Iterator[OptionValue]:
        grouped: dict[int, list[tuple[int, Any]]] = {}
        for number, wire, payload in read_fields(data):
            grouped.setdefault(number, []).append((wire, payload))
        for number, payloads in grouped.items():
            extension = self._api.find_extension(owner, number)
            if extension is not None:
                yield OptionValue(extension.full_name, self._decode_value(extension, payloads), (number,))

    def _decode_value(self, field: Extension | Field, payloads: list[tuple[int, Any]]) -> Any:
        if field.kind in ("message", "group"):
            if field.repeated:
                return [self._decode_message(field.type_name, payload) for _, payload in payloads]
            return self._decode_message(field.type_name, b"".join(payload for _, payload in payloads))
        values = [value for wire, payload in payloads for value in self._decode_scalars(field, wire, payload)]
        return values if field.repeated else values[-1]

    def _decode_message(self, type_name: str, data: bytes) -> dict[str, Any]:
        message = self._api.find_message(type_name)
        if message is None:
            return {}
        by_number = {field.number: field for field in message.fields}
        grouped: dict[int, list[tuple[int, Any]]] = {}
        for number, wire, payload in read_fields(data):
            grouped.setdefault(number, []).append((wire, payload))
        values: dict[str, Any] = {}
        for number, payloads in grouped.items():
            field = by_number.get(number)
            if field is None:
                extension = self._api.find_extension(type_name, number)
                if extension is not None:
                    values[f"[{extension.full_name}]"] = self._decode_value(extension, payloads)
            elif field.kind == "message" and self._is_map(field):
                entries = [self._decode_message(field.type_name, payload) for _, payload in payloads]
                values[field.name] = {entry.get("key", ""): entry.get("value") for entry in entries}
            else:
                values[field.name] = self._decode_value(field, payloads)
        return values

    def _is_map(self, field: Field) -> bool:
        message = self._api.find_message(field.type_name)
        return message is not None and message.is_map_entry

    def _decode_scalars(self, field: Extension | Field, wire: int, payload: Any) -> Iterator[Any]:
        if wire == BYTES and field.kind not in ("string", "bytes"):
            yield from (self._convert_scalar(field, value) for value in _decode_packed(field.kind, payload))
        else:
            yield self._convert_scalar(field, payload)

    def _convert_scalar(self, field: Extension | Field, raw: Any) -> Any:
        if field.kind == "enum":
            enum = self._api.find_enum(field.type_name)
            number = _to_signed(raw, 64)
            names = [value.name for value in enum.values if value.number == number] if enum else []
            return names[0] if names else number
        return _CONVERT[field.kind](raw)


def _to_signed(value: int, bits: int) -> int:
    value &= (1 << bits) - 1
    return value - (1 << bits) if value >> (bits - 1) else value


def _make_unpacker(form: str) -> Callable[[bytes], Any]:
    return lambda raw: struct.unpack(form, raw)[0]


def _decode_zigzag(value: int) -> int:
    return (value >> 1) ^ -(value & 1)


_CONVERT: dict[str, Callable[[Any], Any]] = {
    "double": _make_unpacker("<d"),
    "float": _make_unpacker("<f"),
    "int64": lambda raw: _to_signed(raw, 64),
    "uint64": int,
    "int32": lambda raw: _to_signed(raw, 32),
    "fixed64": _make_unpacker("<Q"),
    "fixed32": _make_unpacker("<I"),
    "bool": bool,
    "string": lambda raw: raw.decode("utf-8", "replace"),
    "bytes": bytes,
    "uint32": int,
    "sfixed32": _make_unpacker("<i"),
    "sfixed64": _make_unpacker("<q"),
    "sint32": _decode_zigzag,
    "sint64": _decode_zigzag,
}

_FIXED_WIDTHS = {"double": 8, "fixed64": 8, "sfixed64": 8, "float": 4, "fixed32": 4, "sfixed32": 4}


def _decode_packed(kind: str, data: bytes) -> Iterator[Any]:
    width = _FIXED_WIDTHS.get(kind)
    at = 0
    while at < len(data):
        if width:
            yield data[at : at + width]
            at += width
        else:
            value, at = read_varint(data, at)
            yield value
