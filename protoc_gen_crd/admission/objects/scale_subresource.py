"""Validation of the values that the paths of the scale subresource select.

Source: k8s.io/apiextensions-apiserver pkg/registry/customresource validator.go.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from protoc_gen_crd.admission.field_errors import INVALID, Cause
from protoc_gen_crd.crd.crd import Scale
from protoc_gen_crd.golang.fmt import format_value

MAX_REPLICAS = (1 << 31) - 1
_GO = {
    dict: "map[string]interface {}", list: "[]interface {}", str: "string", bool: "bool", int: "int64",
    float: "float64", type(None): "<nil>",
}  # fmt: skip


class _AccessError(Exception):
    """A value of another type; the message is the server's."""


def validate_spec_replicas(scale: Scale | None, obj: dict[str, Any]) -> Iterator[Cause]:
    """Validate the replicas of the spec."""
    if scale is not None:
        yield from _validate_replicas(scale.spec_replicas_path, obj)


def validate_status(scale: Scale | None, obj: dict[str, Any]) -> Iterator[Cause]:
    """Validate the replicas of the status and the selector."""
    if scale is None:
        return
    yield from _validate_replicas(scale.status_replicas_path, obj)
    if scale.label_selector_path:
        try:
            _get_nested(obj, scale.label_selector_path, str)
        except _AccessError as error:
            yield Cause(INVALID, scale.label_selector_path, str(error), "")


def _validate_replicas(path: str, obj: dict[str, Any]) -> Iterator[Cause]:
    try:
        value = _get_nested(obj, path, int) or 0
    except _AccessError as error:
        yield Cause(INVALID, path, str(error), 0)
        return
    if value < 0:
        yield Cause(INVALID, path, "should be a non-negative integer", value)
    elif value > MAX_REPLICAS:
        yield Cause(INVALID, path, f"should be less than or equal to {MAX_REPLICAS}", value)


def _get_nested(obj: dict[str, Any], path: str, kind: type) -> Any:
    """Return the value at a path, None if it is missing."""
    fields = path.removeprefix(".").split(".")
    value: Any = obj
    for index, field in enumerate(fields):
        if value is None:
            return None
        if type(value) is not dict:
            raise _AccessError(_format_access_error(fields[: index + 1], value, "map[string]interface {}"))
        if field not in value:
            return None
        value = value[field]
    if type(value) is not kind:
        raise _AccessError(_format_access_error(fields, value, _GO[kind]))
    return value


def _format_access_error(fields: list[str], value: Any, expected: str) -> str:
    expected = expected.replace("interface {}", "interface{}")
    return (
        f".{'.'.join(fields)} accessor error: {format_value(value)} is of the type {_GO[type(value)]}, expected "
        f"{expected}"
    )
