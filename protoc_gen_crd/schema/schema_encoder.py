"""Encoding of Schema as plain data, as in JSON; `schema_decoder` is the inverse. Keys are sorted by the YAML writer."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from protoc_gen_crd.schema.schema import (
    BRANCH_KEYWORDS,
    LIST_MAP_KEYS,
    NESTING_KEYWORDS,
    VALIDATIONS,
    Schema,
    ValidationRule,
)

_RULE_KEYS = (
    ("fieldPath", "field_path"),
    ("message", "message"),
    ("messageExpression", "message_expression"),
    ("optionalOldSelf", "optional_old_self"),
    ("reason", "reason"),
    ("rule", "rule"),
)

_NEVER_OMITTED = ("rule", "reason")
_COLLECTIONS = (list, tuple, dict)
# Keywords whose values contain schemas or rules, or are omitted when they are empty.
COMPOSED = frozenset([*NESTING_KEYWORDS, "dependencies", "enum", "required", LIST_MAP_KEYS, VALIDATIONS])


def encode_rule(rule: ValidationRule) -> dict[str, Any]:
    """Encode a CEL rule; empty members are omitted, except those that servers distinguish from absent ones."""
    return {
        key: value
        for key, field in _RULE_KEYS
        if (value := getattr(rule, field)) not in ("", None) or (key in _NEVER_OMITTED and value == "")
    }


class EncodedSchemas(dict[int, dict[str, Any]]):
    """The plain data of schemas by identity; `repeated` contains the ids of data that was requested more than once."""

    def __init__(self) -> None:
        super().__init__()
        self.repeated: set[int] = set()


def encode(schema: Schema, memo: EncodedSchemas) -> dict[str, Any]:
    """Encode a schema.

    With `memo`, a shared node with children, rules, or lists becomes a shared dict; callers must keep the nodes alive.
    """
    if COMPOSED.isdisjoint(schema.keywords):
        return dict(schema.keywords)  # too small to be shared
    encoded = memo.get(id(schema))
    if encoded is not None:
        memo.repeated.add(id(encoded))
        return encoded
    plain = memo[id(schema)] = dict(schema.keywords)
    for keyword, value in schema.keywords.items():
        if keyword in COMPOSED:
            _encode_value(plain, keyword, value, memo)
    return plain


def _encode_children(children: Mapping[str, Schema], memo: EncodedSchemas) -> dict[str, Any]:
    """Encode schemas by name. The fields of a type have the same children, whatever their descriptions."""
    encoded = memo.get(id(children))
    if encoded is not None:
        memo.repeated.add(id(encoded))
        return encoded
    plain = memo[id(children)] = {name: encode(child, memo) for name, child in children.items()}
    return plain


def _encode_value(plain: dict[str, Any], keyword: str, value: Any, memo: EncodedSchemas) -> None:
    """Replace the value of a keyword in encoded keywords, or remove it if it is empty."""
    if type(value) is Schema:
        plain[keyword] = encode(value, memo)
    elif not value and type(value) in _COLLECTIONS:
        if keyword == "items":  # `items` was not a schema, but existed
            plain[keyword] = None
        else:
            del plain[keyword]
    elif keyword in ("properties", "patternProperties", "definitions"):
        plain[keyword] = _encode_children(value, memo)
    elif keyword == "items" or keyword in BRANCH_KEYWORDS:
        plain[keyword] = [encode(child, memo) for child in value]
    elif keyword == "dependencies":
        plain[keyword] = {
            name: encode(dependency, memo) if isinstance(dependency, Schema) else dependency
            for name, dependency in value.items()
        }
    elif keyword == VALIDATIONS:
        plain[keyword] = [encode_rule(rule) for rule in value]
