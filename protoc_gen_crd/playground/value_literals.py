"""Values of CEL as literals: what an expression evaluates to, for people and programs."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from protoc_gen_crd.cel.checker.types import Type, format_for_author
from protoc_gen_crd.cel.library.functions.type_conversions import (
    double_to_string,
    duration_to_string,
    timestamp_to_string,
)
from protoc_gen_crd.cel.parser.ast import Uint
from protoc_gen_crd.cel.values.runtime_values import (
    MISSING,
    CelError,
    Duration,
    Map,
    Optional,
    Timestamp,
    Value,
    get_type,
    list_parts,
)


def format_literal(value: Value) -> str:
    """Format a value as a CEL literal; a value without one as a call such as `quantity("1Ki")`."""
    if isinstance(value, CelError):
        return f"error({_quote(value.message)})"
    if isinstance(value, list):
        return f"[{', '.join(format_literal(item) for item in list_parts(value))}]"
    if isinstance(value, Map):
        pairs = sorted((format_literal(key), format_literal(value.get_value(key))) for key in value.keys())  # noqa: SIM118
        return f"{{{', '.join(f'{key}: {item}' for key, item in pairs)}}}"
    if isinstance(value, Optional):
        return "optional.none()" if value.value is MISSING else f"optional.of({format_literal(value.value)})"
    write = _SCALARS.get(type(value))
    return write(value) if write else _format_opaque(value)


def _format_opaque(value: Value) -> str:
    """Format a value of a library as the call of its function, or as its type if it has no string."""
    name = get_type(value).name.rpartition(".")[2]
    return f"{name.lower()}({_quote(str(value))})" if "__str__" in vars(type(value)) else f"<{name}>"


def _quote(string: str) -> str:
    return json.dumps(string.encode("utf-8", "replace").decode(), ensure_ascii=False)


def _format_double(value: float) -> str:
    shown = double_to_string(value)
    return f"{shown}.0" if shown.lstrip("-").isdigit() else shown


_SCALARS: dict[type, Callable[[Any], str]] = {
    type(None): lambda _: "null",
    bool: lambda value: "true" if value else "false",
    int: str,
    Uint: lambda value: f"{int(value)}u",
    float: _format_double,
    str: _quote,
    bytes: lambda value: f"b{_quote(value.decode('utf-8', 'replace'))}",
    Type: format_for_author,
    Timestamp: lambda value: f"timestamp({_quote(timestamp_to_string(value))})",
    Duration: lambda value: f"duration({_quote(duration_to_string(value))})",
}
