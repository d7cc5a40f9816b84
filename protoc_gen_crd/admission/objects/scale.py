"""The replicas that the scale subresource points at.

Source: k8s.io/apiextensions-apiserver pkg/registry/customresource validator.go.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from protoc_gen_crd.admission.errors import INVALID, FieldError
from protoc_gen_crd.base.gotext import percent_v
from protoc_gen_crd.crd.types import Scale

_MOST = (1 << 31) - 1
_GO = {
    dict: "map[string]interface {}", list: "[]interface {}", str: "string", bool: "bool", int: "int64",
    float: "float64", type(None): "<nil>",
}  # fmt: skip


class _AccessError(Exception):
    """There is a value of another type; the text says so."""


def spec(scale: Scale | None, obj: dict[str, Any]) -> Iterator[FieldError]:
    """What is wrong with the replicas that are wanted."""
    if scale is not None:
        yield from _replicas(scale.spec_replicas_path, obj)


def status(scale: Scale | None, obj: dict[str, Any]) -> Iterator[FieldError]:
    """What is wrong with the replicas that there are, and with the selector."""
    if scale is None:
        return
    yield from _replicas(scale.status_replicas_path, obj)
    if scale.label_selector_path:
        try:
            _nested(obj, scale.label_selector_path, str)
        except _AccessError as error:
            yield FieldError(INVALID, scale.label_selector_path, str(error), "")


def _replicas(path: str, obj: dict[str, Any]) -> Iterator[FieldError]:
    try:
        value = _nested(obj, path, int) or 0
    except _AccessError as error:
        yield FieldError(INVALID, path, str(error), 0)
        return
    if value < 0:
        yield FieldError(INVALID, path, "should be a non-negative integer", value)
    elif value > _MOST:
        yield FieldError(INVALID, path, f"should be less than or equal to {_MOST}", value)


def _nested(obj: dict[str, Any], path: str, kind: type) -> Any:
    """The value at a path, None where it is missing."""
    fields = path.removeprefix(".").split(".")
    value: Any = obj
    for index, field in enumerate(fields):
        if value is None:
            return None
        if type(value) is not dict:
            raise _AccessError(_other(fields[: index + 1], value, "map[string]interface {}"))
        if field not in value:
            return None
        value = value[field]
    if type(value) is not kind:
        raise _AccessError(_other(fields, value, _GO[kind]))
    return value


def _other(fields: list[str], value: Any, wanted: str) -> str:
    wanted = wanted.replace("interface {}", "interface{}")
    return (
        f".{'.'.join(fields)} accessor error: {percent_v(value)} is of the type {_GO[type(value)]}, expected {wanted}"
    )
