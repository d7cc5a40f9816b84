"""Options of message Schema that change the keywords of a proto type to those of a schema."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Mapping
from typing import Any

from protoc_gen_crd.markers.option_declarations import SCHEMA
from protoc_gen_crd.schema.schema import LIST_MAP_KEYS, LIST_TYPE, PRESERVE, VALIDATIONS

Json = dict[str, Any]

_OPTIONS = {option.keyword: option for option in SCHEMA.values() if option.keyword}
_RULE_MEMBERS = {
    "rule": "rule", "message": "message", "messageExpression": "message_expression", "reason": "reason",
    "fieldPath": "field_path", "optionalOldSelf": "optional_old_self",
}  # fmt: skip
_MAX_EXACT, _MAX_INT32 = 2**53, 2**31


def make_options(
    schema: Json, base: Mapping[str, Any], target: str, children: Collection[str] = (), raw: Collection[str] = ()
) -> Json:
    """Return the options for the difference between a schema and the keywords of its proto type.

    Args:
        schema: The schema as plain data.
        base: The keywords of the proto type.
        target: FIELD, MESSAGE, or empty for items and values.
        children: The keywords that the fields, the items or the values of the type represent.
        raw: Keywords that the option `keywords` sets even if they have their own option.
    """
    options: Json = {}
    other: Json = {}
    for keyword, value in schema.items():
        if keyword in children or (keyword in base and base[keyword] == value):
            continue
        converted = None if keyword in raw else _convert(keyword, value, schema, target)
        if converted is None:
            other[keyword] = value
        else:
            options[_OPTIONS[keyword].name] = converted
    for keyword in sorted(base.keys() - schema.keys() - {*children}):
        if keyword in ("type", "format"):
            options[keyword] = ""
        else:
            other[keyword] = None
    if other:
        options["keywords"] = json.dumps(other, ensure_ascii=False, sort_keys=True)
    return options


def _convert(keyword: str, value: Any, schema: Json, target: str) -> Any:
    """Return the value of the option of a keyword; None if it has no option that applies here."""
    option = _OPTIONS.get(keyword)
    if option is None or (target and option.targets and target not in option.targets):
        return None
    kind = schema.get("type", "")
    if option.types and kind not in option.types:
        return None
    if option.values and value not in option.values:
        return None
    if keyword in _SPECIAL:
        return _SPECIAL[keyword](value, schema)
    if option.json:
        return _format_json(value, kind)
    return _check_scalar(value, option.kind, schema)


def _check_scalar(value: Any, kind: str, schema: Json) -> Any:
    """Return a value that the option accepts, otherwise None."""
    if kind == "number":
        limit = _MAX_INT32 if schema.get("format") == "int32" else _MAX_EXACT
        return value if abs(value) < limit and (schema.get("type") != "integer" or value == int(value)) else None
    if kind == "integer":
        return value if 0 <= value < 2**63 else None
    if kind == "bool":
        return value or None
    return value


def _format_json(value: Any, kind: str) -> str | None:
    """Return a value as JSON, or a plain string for a string; None for values that the option rejects."""
    if value is None or isinstance(value, str) != (kind == "string" or (not kind and isinstance(value, str))):
        return None
    if kind == "string" and not value.startswith('"'):
        return str(value)
    return json.dumps(value, ensure_ascii=False, sort_keys=True)


def _convert_enum(values: list[Any], schema: Json) -> list[str] | None:
    formatted = [_format_json(value, schema.get("type", "")) for value in values]
    return None if None in formatted or not formatted else [value for value in formatted if value is not None]


def _convert_rules(rules: list[Json], _: Json) -> list[Json] | None:
    if any(not rule.get("rule", "").strip() or rule.keys() - _RULE_MEMBERS.keys() for rule in rules):
        return None
    return [{_RULE_MEMBERS[name]: value for name, value in rule.items()} for rule in rules]


def _convert_keys(keys: list[str], schema: Json) -> list[str] | None:
    properties = (schema.get("items") or {}).get("properties") or {}
    good = schema.get(LIST_TYPE) == "map" and all(key in properties for key in keys) and len({*keys}) == len(keys)
    return keys if good else None


def _convert_default(value: Any, schema: Json) -> str | None:
    return _format_json(value, schema.get("type", ""))


def _convert_docs(value: Json, _: Json) -> Json | None:
    return value if value.get("url", "").startswith(("https://", "http://")) else None


def _convert_flag(value: Any, _: Json) -> Any:
    return value or None


_SPECIAL: Mapping[str, Callable[[Any, Json], Any]] = {
    "default": _convert_default,
    "enum": _convert_enum,
    "externalDocs": _convert_docs,
    LIST_MAP_KEYS: _convert_keys,
    PRESERVE: _convert_flag,
    VALIDATIONS: _convert_rules,
}
