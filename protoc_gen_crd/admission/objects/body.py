"""The body of a request to plain JSON data, with Go's words for what is no JSON and the fields that are given twice.

Source: k8s.io/apimachinery pkg/runtime/serializer/json json.go, sigs.k8s.io/json; k8s.io/apiserver
pkg/endpoints/handlers/create.go (transformDecodeError).
"""

from __future__ import annotations

from collections.abc import Iterable
from math import isfinite
from typing import Any

from protoc_gen_crd.admission.objects.meta import MOST_UNKNOWN
from protoc_gen_crd.base.gotext import number
from protoc_gen_crd.base.goyaml.events import END, MAPPING, SCALAR, Event
from protoc_gen_crd.base.jsonread import JsonError, JsonStream, literal
from protoc_gen_crd.base.record import Record
from protoc_gen_crd.base.recursion import check_plain

_INT64 = 1 << 63
_MANY = 100_000  # dicts and lists, from which on they may be without end
_SHOWN = 30  # bytes of a body that cannot be read


class Body(Record):
    """What a body holds.

    `refusal` is why it is no JSON at all, `too_large` what number in it no float holds; `duplicates` are the paths of
    fields that are given again, of which the last counts.
    """

    value: Any = None
    duplicates: tuple[str, ...] = ()
    refusal: str = ""
    too_large: str = ""


def read(given: object, kind: str) -> Body:
    """A body, bytes or plain data, for an object of this kind."""
    if isinstance(given, bytes):
        return _of_bytes(given, kind)
    try:
        return Body(_jsonable(given))
    except _UnsayableError as unsayable:
        return Body(None, (), unsayable.args[0])
    except OverflowError:
        return Body(given, (), "", "json: cannot unmarshal number into Go value of type float64")


def _of_bytes(data: bytes, kind: str) -> Body:
    stream = JsonStream(data)
    try:
        events = stream.next()
        stream.end()
    except JsonError as error:
        events, fault = None, error.text if error.offset else "unexpected end of JSON input"
    else:
        fault = "unexpected end of JSON input"
    if events is None:
        shown = _start(data)
        reason = f"couldn't get version/kind; json parse error: {fault} ({shown})"
        return Body(None, (), f"the object provided is unrecognized (must be of type {kind}): {reason}")
    duplicates: list[str] = []
    value = _built(events, duplicates)
    too_large = stream.too_large.text if stream.too_large else ""
    return Body(value, tuple(dict.fromkeys(duplicates))[:MOST_UNKNOWN], "", too_large)


def _start(data: bytes) -> str:
    start = data[:_SHOWN]
    shown = start.decode(errors="replace") if start.startswith(b"{") else start.hex()
    return (shown + " ..." if len(data) > _SHOWN else shown) if data else "<empty>"


def _built(events: Iterable[Event], duplicates: list[str]) -> Any:
    """The value of the events; deep nesting is no matter."""
    root: list[Any] = []
    inner: Any = root
    key: str | None = None
    outer: list[tuple[Any, str | None]] = []
    for kind, text, _, plain, _, _ in events:
        if kind == END:
            inner, key = outer.pop()
            key = None
            continue
        if type(inner) is dict and key is None:
            key = text
            if text in inner:
                duplicates.append(_path([*outer, (inner, text)]))
            continue
        value: Any = (literal(text) if plain else text) if kind == SCALAR else {} if kind == MAPPING else []
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


def _path(steps: list[tuple[Any, str | None]]) -> str:
    path = ""
    for holder, key in steps[1:]:
        if type(holder) is list:
            path += f"[{len(holder) - 1}]"
        else:
            path += f".{key}" if path else str(key)
    return path


class _UnsayableError(Exception):
    """JSON has no such value."""


def _jsonable(value: Any) -> Any:
    """Plain data as it comes through JSON: itself, if there is nothing in it that JSON changes."""
    waiting = [value]
    count = 0
    while waiting:
        each = waiting.pop()
        kind = type(each)
        if kind is dict:
            waiting += each.values()
            count += 1
            if count == _MANY or not all(type(key) is str and key.isascii() for key in each):
                return _converted_whole(value)
        elif kind is list:
            waiting += each
            count += 1
            if count == _MANY:
                return _converted_whole(value)
        elif kind is str:
            if not each.isascii():
                return _converted_whole(value)
        elif not (kind is bool or each is None or (kind is int and -_INT64 <= each < _INT64)) and not (
            kind is float and isfinite(each)
        ):
            return _converted_whole(value)
    return value


def _converted_whole(value: Any) -> Any:
    check_plain(value)
    return _converted(value)


def _converted(value: Any) -> Any:
    if isinstance(value, str):
        return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, int):
        return int(value) if -_INT64 <= value < _INT64 else float(value)
    if isinstance(value, float):
        if not isfinite(value):
            raise _UnsayableError(f"json: unsupported value: {number(value)}")
        return float(value)
    if isinstance(value, dict):
        return {_key(key): _converted(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [_converted(each) for each in value]
    raise TypeError(f"plain JSON data is required, not {type(value).__name__}")


def _key(key: object) -> str:
    if not isinstance(key, str):
        raise TypeError(f"keys of JSON objects are texts, not {type(key).__name__}")
    return str(_converted(key))
