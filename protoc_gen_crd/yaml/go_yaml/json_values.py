"""Conversion of a decoded value to the value of a server, which reads it from JSON.

Source: go.yaml.in/yaml/v2 v2.4.4, decode.go; sigs.k8s.io/yaml v1.6.0, yaml.go; Go 1.26, encoding/json.
"""

from __future__ import annotations

from math import isfinite
from typing import Any, Final

from protoc_gen_crd.golang.fmt import format_number
from protoc_gen_crd.yaml.go_yaml.decoder import DecodedDocument, get_mark
from protoc_gen_crd.yaml.go_yaml.events import ReadError
from protoc_gen_crd.yaml.go_yaml.non_string_keys import NonStringKey, format_go_syntax
from protoc_gen_crd.yaml.go_yaml.scalar_resolver import INT64_MAX, INT64_MIN

_EXACT: Final = 1 << 53  # up to here a whole float is equal to its digits
_LONGEST_WHOLE: Final = 1e21  # from here on Go writes an exponent in JSON


def convert_to_json(document: DecodedDocument) -> Any:
    """Convert a value that JSON changes, in place. Raises ReadError for values that are invalid in JSON."""
    root: list[Any] = [document.value]
    pending: list[Any] = [root]
    finite = True
    while pending:
        collection = pending.pop()
        items = list(collection.values() if isinstance(collection, dict) else collection)
        pending += (item for item in reversed(items) if isinstance(item, dict | list))
        if isinstance(collection, dict):
            _stringify_keys(collection)
        for at, item in list(collection.items() if isinstance(collection, dict) else enumerate(collection)):
            if isinstance(item, float | int) and not isinstance(item, bool):
                finite = finite and isfinite(item)
                collection[at] = parse_json_number(item)
    if not finite:
        _reject_first(root[0], document.place)
    return root[0]


def _stringify_keys(mapping: dict[Any, Any]) -> None:
    """Convert keys to strings. Raises ReadError for types that are not supported."""
    non_strings = [key for key in mapping if isinstance(key, NonStringKey)]
    for key in non_strings:
        if rejected := key.rejected_type():
            shown_key, value = format_go_syntax(key), format_go_syntax(mapping[key])
            raise ReadError(f"unsupported map key of type: {rejected}, key: {shown_key}, value: {value}", key.mark)
    if non_strings:
        members = list(mapping.items())
        mapping.clear()
        mapping.update((key.text if isinstance(key, NonStringKey) else key, value) for key, value in members)


def parse_json_number(value: float) -> float:
    """Return a number as read from Go's JSON: an int64 if it has only digits and fits, otherwise a float."""
    if isinstance(value, float) and value.is_integer() and abs(value) < _LONGEST_WHOLE:
        whole = int(value) if abs(value) <= _EXACT else int(format_number(value, large=21))
    elif isinstance(value, int):
        whole = value
    else:
        return value
    return whole if INT64_MIN <= whole <= INT64_MAX else float(value)


def _reject_first(value: Any, place: Any) -> None:
    """Raise ReadError for the first number, in the order of sorted keys, that is invalid in JSON."""
    pending: list[tuple[Any, Any]] = [(value, place)]
    while pending:
        value, place = pending.pop()
        if isinstance(value, dict):
            pending += ((value[key], place[1][key][1]) for key in sorted(value, reverse=True))
        elif isinstance(value, list):
            pending += reversed(list(zip(value, place[1], strict=True)))
        elif isinstance(value, float) and not isfinite(value):
            raise ReadError(f"json: unsupported value: {format_number(value)}", get_mark(place))
