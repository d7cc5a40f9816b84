"""Our answer to an expression: its type or its compilation error."""

from __future__ import annotations

from typing import Any

from protoc_gen_crd.cel import environment
from protoc_gen_crd.cel.checker.checker import compile_text
from protoc_gen_crd.cel.checker.types import (
    DYN,
    Declaration,
    DeclarationFactory,
    Type,
    format_for_author,
    make_optional_type,
)
from protoc_gen_crd.cel.environment import Environment
from protoc_gen_crd.cel.parser.issues import Rejection
from protoc_gen_crd.cel.version_differences import OPTIONAL_TYPE
from protoc_gen_crd.schema.schema import Schema
from protoc_gen_crd.schema.schema_decoder import PROPS, make_decoder

Request = dict[str, Any]


_LAST: list[tuple[Any, Schema]] = []
_LAST_DECLARED: list[tuple[Schema, int, bool, Declaration]] = []


def schema_in(request: Request) -> Schema:
    """The schema, decoded; that of the last request is remembered."""
    schema = request["schema"]
    if not _LAST or _LAST[0][0] is not schema:
        _LAST[:] = [(schema, make_decoder().decode_value(schema, PROPS, ()))]
    return _LAST[0][1]


def declared_in(request: Request, minor: int) -> Declaration | None:
    """What self is declared as, None without a schema; that of the last request is remembered."""
    if "schema" not in request:
        return None
    schema, root = schema_in(request), request.get("root", False)
    if not _LAST_DECLARED or _LAST_DECLARED[0][0] is not schema or _LAST_DECLARED[0][1:3] != (minor, root):
        declared = DeclarationFactory(environment.get_sizes(minor)).declare(schema, root=root)
        assert declared is not None
        _LAST_DECLARED[:] = [(schema, minor, root, declared)]
    return _LAST_DECLARED[0][3]


def surroundings(request: Request, minor: int) -> tuple[Environment, dict[str, Type]]:
    """The environment and the variables of a request."""
    level = int(request["compat"].partition(".")[2]) if "compat" in request else None
    within = (
        environment.get_new_environment(minor, level)
        if request.get("env") == "new"
        else environment.get_stored_environment(minor)
    )
    declared = declared_in(request, minor)
    kind = DYN if declared is None else declared.get_type("selfType")
    old = make_optional_type(kind) if request.get("optionalOldSelf") else kind
    return within, {"self": kind, "oldSelf": old, **dict.fromkeys(request.get("vars", ()), DYN)}


def answer(request: Request, minor: int) -> list[str]:
    """`["type", "bool"]` or `["refused", "ERROR: ..."]`."""
    compiled = compile_text(request["expr"], *surroundings(request, minor))
    if isinstance(compiled, Rejection):
        return ["refused", str(compiled)]
    text = format_for_author(compiled.type)
    return ["type", text if OPTIONAL_TYPE.is_on(minor) else text.replace("optional_type(", "optional(")]
