"""Decoding of the body of a request into plain JSON data, with Go's error messages and the duplicate fields.

Source: k8s.io/apimachinery pkg/runtime/serializer/json json.go, sigs.k8s.io/json; k8s.io/apiserver
pkg/endpoints/handlers/create.go (transformDecodeError).
"""

from __future__ import annotations

from collections.abc import Iterable
from math import isfinite
from typing import Any

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.base.recursion_limit import check_plain
from protoc_gen_crd.golang.fmt import format_number
from protoc_gen_crd.kubernetes.api_server_limits import MAX_STRICT_ERRORS
from protoc_gen_crd.yaml.go_yaml.events import END, MAPPING, SCALAR, Event

_INT64 = 1 << 63
_MANY = 100_000  # dicts and lists; a value with more may be cyclic
_MAX_SHOWN = 30  # bytes of a body that cannot be read
_END = "unexpected end of JSON input"
_GO_KINDS = {bool: "bool", int: "number", float: "number", str: "string", list: "array"}
_TYPE_META = r'struct { APIVersion string "json:\"apiVersion,omitempty\""; Kind string "json:\"kind,omitempty\"" }'


class DecodedBody(Record):
    """A decoded body.

    `error` is the error of a body that is not JSON, `number_error` that of a number outside the range of float64.
    `duplicates` are the paths of duplicate fields, of which the last one counts.
    """

    value: Any = None
    duplicates: tuple[str, ...] = ()
    error: str = ""
    number_error: str = ""


def decode_body(body: object, kind: str) -> DecodedBody:
    """Decode a body, bytes or plain data, of an object of this kind."""
    if isinstance(body, bytes):
        return _decode_bytes(body, kind)
    try:
        return DecodedBody(_to_json_data(body))
    except _UnsupportedValueError as error:
        return DecodedBody(None, (), error.args[0])
    except OverflowError:
        return DecodedBody(body, (), "", "json: cannot unmarshal number into Go value of type float64")


def _decode_bytes(data: bytes, kind: str) -> DecodedBody:
    from protoc_gen_crd.yaml.json_stream import JsonError, JsonStream  # noqa: PLC0415 - most bodies are plain data

    stream = JsonStream(data + b" ")  # Go's scanner reads a space at the end, which ends numbers and literals
    try:
        events = stream.read_value()
        stream.expect_end()
    except JsonError as error:
        return _reject(data, kind, error.text if error.offset else _END)
    if events is None:
        return _reject(data, kind, _END)
    duplicates: list[str] = []
    value = _build_value(events, duplicates)
    if type(value) in _GO_KINDS:
        fault = f"json: cannot unmarshal {_GO_KINDS[type(value)]} into Go value of type {_TYPE_META}"
        return _reject(data, kind, fault)
    too_large = stream.too_large.text if stream.too_large else ""
    return DecodedBody(value, tuple(dict.fromkeys(duplicates))[:MAX_STRICT_ERRORS], "", too_large)


def _reject(data: bytes, kind: str, fault: str) -> DecodedBody:
    reason = f"couldn't get version/kind; json parse error: {fault} ({_format_start(data)})"
    return DecodedBody(None, (), f"the object provided is unrecognized (must be of type {kind}): {reason}")


def _format_start(data: bytes) -> str:
    start = data[:_MAX_SHOWN]
    excerpt = start.decode(errors="replace") if start.startswith(b"{") else start.hex()
    return (excerpt + " ..." if len(data) > _MAX_SHOWN else excerpt) if data else "<empty>"


def _build_value(events: Iterable[Event], duplicates: list[str]) -> Any:
    """Build the value of a sequence of events, without recursion, since the nesting may be deep."""
    from protoc_gen_crd.yaml.json_stream import parse_literal  # noqa: PLC0415 - most bodies are plain data

    root: list[Any] = []
    inner: Any = root
    key: str | None = None
    outer: list[tuple[Any, str | None]] = []
    for kind, string, _, plain, _, _ in events:
        if kind == END:
            inner, key = outer.pop()
            key = None
            continue
        if type(inner) is dict and key is None:
            key = string
            if string in inner:
                duplicates.append(_format_path([*outer, (inner, string)]))
            continue
        value: Any = (parse_literal(string) if plain else string) if kind == SCALAR else {} if kind == MAPPING else []
        if type(inner) is dict:
            inner[key] = value
        else:
            inner.append(value)
        if kind == SCALAR:
            key = None
        else:
            outer.append((inner, key))
            inner, key = value, None
    return root[0]


def _format_path(steps: list[tuple[Any, str | None]]) -> str:
    path = ""
    for container, key in steps[1:]:
        if type(container) is list:
            path += f"[{len(container) - 1}]"
        else:
            path += f".{key}" if path else str(key)
    return path


class _UnsupportedValueError(Exception):
    """A value that JSON cannot represent."""


def _to_json_data(value: Any) -> Any:
    """Return plain data after encoding to and decoding from JSON; the same object if JSON changes nothing.

    Shortcut plain-bodies: JSON changes only strings that are not ASCII, large integers, and floats that are not finite,
    and a value with any of these is converted.
    """
    pending = [value]
    count = 0
    while pending:
        item = pending.pop()
        kind = type(item)
        if kind is dict:
            pending += item.values()
            count += 1
            if count == _MANY or not all(type(key) is str and key.isascii() for key in item):
                return _convert_checked(value)
        elif kind is list:
            pending += item
            count += 1
            if count == _MANY:
                return _convert_checked(value)
        elif kind is str:
            if not item.isascii():
                return _convert_checked(value)
        elif not (kind is bool or item is None or (kind is int and -_INT64 <= item < _INT64)) and not (
            kind is float and isfinite(item)
        ):
            return _convert_checked(value)
    return value


def _convert_checked(value: Any) -> Any:
    check_plain(value)
    return _convert_value(value)


def _convert_value(value: Any) -> Any:
    if isinstance(value, str):
        return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, int):
        return int(value) if -_INT64 <= value < _INT64 else float(value)
    if isinstance(value, float):
        if not isfinite(value):
            raise _UnsupportedValueError(f"json: unsupported value: {format_number(value)}")
        return float(value)
    if isinstance(value, dict):
        return {_convert_key(key): _convert_value(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_convert_value(item) for item in value]
    raise TypeError(f"plain JSON data is required, not {type(value).__name__}")


def _convert_key(key: object) -> str:
    if not isinstance(key, str):
        raise TypeError(f"keys of JSON objects are strings, not {type(key).__name__}")
    return str(_convert_value(key))
