"""Simple JSON paths through a schema such as `.spec.a['b.c']`, for the fieldPath of rules and selectableFields.

Source: k8s.io/apiextensions-apiserver pkg/apiserver/schema/cel validation.go (ValidFieldPath).
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from protoc_gen_crd.admission.crd.structure.structural_conversion_errors import find_structural_error
from protoc_gen_crd.schema.schema import Schema

_ESCAPE = re.compile(r"\\.")
_ESCAPES = {r"\a": "\a", r"\b": "\b", r"\f": "\f", r"\n": "\n", r"\r": "\r", r"\t": "\t", r"\v": "\v"} | {
    r"\'": "'",
    r"\\": "\\",
}
_NOT_FOUND = "does not refer to a valid field"


class FieldPathError(Exception):
    """A path to a field that does not exist; the message is the server's."""


def is_valid_field_path(schema: Schema, path: str) -> bool:
    """Return true if the path leads to a field of the schema, or if the schema is rejected anyway."""
    if find_structural_error(schema) is not None:
        return True
    try:
        resolve_field_path(schema, path)
    except FieldPathError:
        return False
    return True


def resolve_field_path(schema: Schema | None, path: str, *, brackets: bool = True) -> tuple[str, Schema | None]:
    """Return the normalized path and its schema, None below `additionalProperties: true`. Raises FieldPathError."""
    tokens = _tokenize(path)
    normal: str = ""
    target: Schema | None = schema
    for part in tokens:
        if part == "[":
            if not brackets:
                raise FieldPathError("array notation is not allowed")
            name = _unquote(_read_token(tokens))
            normal, target = _follow_step(normal, target, name)
            if (closing := _read_token(tokens)) != "]":
                raise FieldPathError(f"expected ] but got {closing}")
        elif part == ".":
            normal, target = _follow_step(normal, target, _read_token(tokens))
        else:
            raise FieldPathError(f"expected [ or . but got: {part}")
    return normal, target


def _follow_step(path: str, schema: Schema | None, name: str) -> tuple[str, Schema | None]:
    if schema is None:
        raise FieldPathError(_NOT_FOUND)
    if schema.properties:
        child = schema.properties.get(name)
        if child is None:
            raise FieldPathError(_NOT_FOUND)
        return (f"{path}.{name}" if path else name), child
    if schema.additional is None:
        raise FieldPathError(_NOT_FOUND)
    return f"{path}[{name}]", schema.additional if isinstance(schema.additional, Schema) else None


def _read_token(tokens: Iterator[str]) -> str:
    part = next(tokens, None)
    if part is None:
        raise FieldPathError("unexpected end of JSON path")
    return part


def _tokenize(path: str) -> Iterator[str]:
    """Split a path into delimiters, quoted names with their quotes, and unquoted names."""
    start = 0
    while start < len(path):
        end = start + 1
        if path[start] == "'":
            while end < len(path) and (path[end] != "'" or path[end - 1] == "\\"):
                end += 1
            end = min(end + 1, len(path))
        elif path[start] not in ".[]":
            while end < len(path) and path[end] not in ".[]":
                end += 1
        yield path[start:end]
        start = end


def _unquote(token: str) -> str:
    if len(token) < 2 or token[0] != "'" or token[-1] != "'":
        raise FieldPathError(f"expected single quoted string but got {token}")
    for escape in _ESCAPE.findall(token[1:-1]):
        if escape not in _ESCAPES:
            raise FieldPathError(f"invalid string literal: invalid escape char {escape}")
    return _ESCAPE.sub(lambda match: _ESCAPES[match.group()], token[1:-1])
