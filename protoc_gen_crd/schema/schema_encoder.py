"""Schema to plain data, as JSON spells it; `schema_decoder` is the way back. The writer sorts keys."""

from __future__ import annotations

from typing import Any

from protoc_gen_crd.schema.schema import VALIDATIONS, Schema, ValidationRule

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
_KEPT_WHEN_EMPTY = ("default", "example", "externalDocs")  # which may be so


def encode_rule(rule: ValidationRule) -> dict[str, Any]:
    """A CEL rule as JSON has it; empty members are left out, but those that a server tells from none."""
    members = {key: getattr(rule, field) for key, field in _RULE_KEYS}
    return {
        key: value
        for key, value in members.items()
        if value not in ("", None) or (key in _NEVER_OMITTED and value == "")
    }


class EncodedSchemas(dict[int, dict[str, Any]]):
    """The plain data of schemas by their identity; `repeated` has the ids of data that was asked for again."""

    def __init__(self) -> None:
        super().__init__()
        self.repeated: set[int] = set()


def encode(schema: Schema, memo: EncodedSchemas) -> dict[str, Any]:
    """A schema as plain data. `memo` makes a shared node one shared dict; its owner keeps the nodes."""
    known = memo.get(id(schema))
    if known is not None:
        memo.repeated.add(id(known))
        return known
    plain: dict[str, Any] = {}
    for keyword, value in schema.keywords.items():
        kind = type(value)
        if kind is Schema:
            plain[keyword] = encode(value, memo)
        elif not value and kind in _COLLECTIONS and keyword not in _KEPT_WHEN_EMPTY:
            if keyword == "items":  # what was no schema is none, and still there
                plain[keyword] = None
        elif keyword in ("properties", "patternProperties", "definitions"):
            plain[keyword] = {name: encode(child, memo) for name, child in value.items()}
        elif keyword in ("allOf", "anyOf", "oneOf", "items"):
            plain[keyword] = [encode(child, memo) for child in value]
        elif keyword == "dependencies":
            plain[keyword] = {
                name: encode(each, memo) if isinstance(each, Schema) else each for name, each in value.items()
            }
        elif keyword == VALIDATIONS:
            plain[keyword] = [encode_rule(rule) for rule in value]
        else:
            plain[keyword] = value
    memo[id(schema)] = plain
    return plain
