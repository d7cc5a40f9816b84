"""Simple JSON paths through a schema: `.spec.a['b.c']`, as fieldPath of rules and selectableFields are read.

Source: k8s.io/apiextensions-apiserver pkg/apiserver/schema/cel validation.go (ValidFieldPath).
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from protoc_gen_crd.admission.crd.structure.structural_conversion import find_structural_error
from protoc_gen_crd.schema.schema import Schema

_ESCAPE = re.compile(r"\\.")
_ESCAPES = {r"\a": "\a", r"\b": "\b", r"\f": "\f", r"\n": "\n", r"\r": "\r", r"\t": "\t", r"\v": "\v"} | {
    r"\'": "'",
    r"\\": "\\",
}
_NOT_FOUND = "does not refer to a valid field"


class FieldPathError(Exception):
    """A path that leads nowhere; the message is the server's."""


def is_valid_field_path(schema: Schema, path: str) -> bool:
    """Whether the path leads to a field below the schema. A schema that is refused anyway is not asked."""
    if find_structural_error(schema) is not None:
        return True
    try:
        resolve_field_path(schema, path)
    except FieldPathError:
        return False
    return True


def resolve_field_path(schema: Schema | None, path: str, *, brackets: bool = True) -> tuple[str, Schema | None]:
    """The path in normal form and what it leads to, None below `additionalProperties: true`. Raises PathError."""
    rest = _tokenize(path)
    normal: str = ""
    found: Schema | None = schema
    for word in rest:
        if word == "[":
            if not brackets:
                raise FieldPathError("array notation is not allowed")
            name = _unquote(_read_token(rest))
            normal, found = _follow_step(normal, found, name)
            if (closing := _read_token(rest)) != "]":
                raise FieldPathError(f"expected ] but got {closing}")
        elif word == ".":
            normal, found = _follow_step(normal, found, _read_token(rest))
        else:
            raise FieldPathError(f"expected [ or . but got: {word}")
    return normal, found


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


def _read_token(rest: Iterator[str]) -> str:
    word = next(rest, None)
    if word is None:
        raise FieldPathError("unexpected end of JSON path")
    return word


def _tokenize(text: str) -> Iterator[str]:
    """Delimiters, quoted names with their quotes, and what stands between."""
    start = 0
    while start < len(text):
        end = start + 1
        if text[start] == "'":
            while end < len(text) and (text[end] != "'" or text[end - 1] == "\\"):
                end += 1
            end = min(end + 1, len(text))
        elif text[start] not in ".[]":
            while end < len(text) and text[end] not in ".[]":
                end += 1
        yield text[start:end]
        start = end


def _unquote(token: str) -> str:
    if len(token) < 2 or token[0] != "'" or token[-1] != "'":
        raise FieldPathError(f"expected single quoted string but got {token}")
    for escape in _ESCAPE.findall(token[1:-1]):
        if escape not in _ESCAPES:
            raise FieldPathError(f"invalid string literal: invalid escape char {escape}")
    return _ESCAPE.sub(lambda match: _ESCAPES[match.group()], token[1:-1])
