"""Our answer to an expression: as the oracle's `cel` answers it, with type, result or error, and cost."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable
from math import copysign, isfinite
from typing import Any

from protoc_gen_crd.cel import environment
from protoc_gen_crd.cel.checker.checker import CheckedAst, compile_text
from protoc_gen_crd.cel.checker.types import DeclarationFactory, Type, format_for_author
from protoc_gen_crd.cel.interpreter.program import ProgramError, make_program
from protoc_gen_crd.cel.library.functions.type_conversions import duration_to_string, timestamp_to_string
from protoc_gen_crd.cel.parser.ast import Uint
from protoc_gen_crd.cel.parser.issues import Rejection
from protoc_gen_crd.cel.values.object_values import to_cel_value
from protoc_gen_crd.cel.values.runtime_values import (
    MISSING,
    NONE,
    CelError,
    Duration,
    List,
    Map,
    Optional,
    Timestamp,
    Unreadable,
    Value,
    get_type,
)
from protoc_gen_crd.cel.values.schema_values import ValueReaderFactory
from protoc_gen_crd.cel.version_differences import OPTIONAL_TYPE
from protoc_gen_crd.golang.fmt import format_number
from protoc_gen_crd.kubernetes.shared_results import Switches

from .ours import Request, schema_in, surroundings


def answered(request: Request, minor: int) -> dict[str, Any]:
    """The answer, without estimates."""
    within, variables = surroundings(request, minor)
    return of_compiled(compile_text(request["expr"], within, variables), request, minor)


def of_compiled(compiled: CheckedAst | Rejection, request: Request, minor: int) -> dict[str, Any]:
    """The answer to a request whose expression is compiled already, without estimates."""
    within, variables = surroundings(request, minor)
    if isinstance(compiled, Rejection):
        return {"compile": str(compiled)}
    text = format_for_author(compiled.type)
    answer: dict[str, Any] = {
        "type": text if OPTIONAL_TYPE.is_on(minor) else text.replace("optional_type(", "optional(")
    }
    program = make_program(compiled, within, tuple(variables))
    if isinstance(program, ProgramError):
        return {"compile": f"program instantiation failed: {program.message}", **answer}
    outcome = program.evaluate(_values(request, minor))
    answer["cost"] = outcome.cost
    if outcome.error is not None:
        return {**answer, "error": outcome.error}
    return {**answer, "result": typed(outcome.value)}


def _values(request: Request, minor: int) -> dict[str, Value]:
    read: Callable[[Any], Value] = to_cel_value
    if "schema" in request:
        schema = schema_in(request)
        declarations = DeclarationFactory(environment.get_sizes(minor))
        read = ValueReaderFactory(declarations, Switches(minor)).make_reader(schema, root=request.get("root", False))
    values = {name: to_cel_value(value) for name, value in request.get("vars", {}).items()}
    values |= {name: read(request[name]) for name in ("self", "oldSelf") if name in request}
    if request.get("optionalOldSelf"):
        values["oldSelf"] = Optional(values["oldSelf"]) if "oldSelf" in values else NONE
    return values


def typed(value: Value) -> Any:
    """A value named by its type."""
    if isinstance(value, Optional):
        return {"optional": None if value.value is MISSING else typed(value.value)}
    if isinstance(value, List):
        value = value.list_parts()
    if isinstance(value, list):
        return {"list": [typed(item) for item in value]}
    if isinstance(value, Map):
        pairs = [[typed(key), _part(value, key)] for key in value.keys()]  # noqa: SIM118 - no dict
        return {"map": sorted(pairs, key=lambda pair: json.dumps(pair, sort_keys=True))}
    return _simple(value)


def _part(value: Map, key: Value) -> Any:
    part = value.get_value(key)
    return {"error": f"no such key: {key}"} if part is MISSING else typed(part)


_SPELLED: dict[type, Callable[[Any], Any]] = {
    float: lambda value: format_number(value) if _odd(value) else value,
    bytes: lambda value: base64.b64encode(value).decode(),
    Timestamp: timestamp_to_string,
    Duration: duration_to_string,
    Type: lambda value: value.name,
    Uint: int,
    CelError: lambda value: value.message,
    Unreadable: lambda value: value.message,
}


def _odd(value: float) -> bool:
    return not isfinite(value) or (not value and copysign(1, value) < 0)


def _simple(value: Value) -> Any:
    if value is None:
        return {"null": None}
    return {get_type(value).name: _SPELLED.get(type(value), _itself)(value)}


def _itself(value: Value) -> Any:
    return value if isinstance(value, bool | int | str) else str(value)


def normal(answer: dict[str, Any]) -> dict[str, Any]:
    """A recorded answer as ours: without estimates, maps in our order."""
    normalized = {key: value for key, value in answer.items() if key != "estimate"}
    return _sorted(normalized)  # type: ignore[no-any-return]


def _sorted(value: Any) -> Any:
    if isinstance(value, dict):
        if value.keys() == {"map"}:
            pairs = [[_sorted(part) for part in pair] for pair in value["map"]]
            return {"map": sorted(pairs, key=lambda pair: json.dumps(pair, sort_keys=True))}
        if value.keys() == {"double"} and not isinstance(value["double"], str):
            return {"double": float(value["double"])}
        return {key: _sorted(item) for key, item in value.items()}
    return [_sorted(item) for item in value] if isinstance(value, list) else value
