"""The change that an error of a server shows, where several changes affect the same object."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from protoc_gen_crd.admission.causes import RULES_NOT_CHECKED, Cause
from protoc_gen_crd.admission.objects.error_origins import ErrorOrigin, find_error_origin
from protoc_gen_crd.admission.objects.error_paths import get_error_path, resolve_path
from protoc_gen_crd.comparison.change import Change, ChangeClass
from protoc_gen_crd.comparison.change_rules import CHANGE_RULES
from protoc_gen_crd.comparison.schemas.keyword_strictness import ORDERS
from protoc_gen_crd.schema.schema import (
    EMBEDDED,
    INT_OR_STRING,
    LIST_MAP_KEYS,
    LIST_TYPE,
    LOGICAL_KEYWORDS,
    VALIDATIONS,
    Schema,
)
from protoc_gen_crd.schema.schema_encoder import encode_rule

Key = tuple[str, str]  # the path of a node, and a keyword or the message of a rule

_ELEMENT = re.compile(r"\[\]|\{\}")  # in the path of a change
_NAMES = {
    "exclusiveMinimum": "minimum", "exclusiveMaximum": "maximum", INT_OR_STRING: "type", LIST_MAP_KEYS: LIST_TYPE,
    **dict.fromkeys(LOGICAL_KEYWORDS, "logic"),
}  # fmt: skip
_RANGE = ("format", "minimum", "exclusiveMinimum", "maximum", "exclusiveMaximum")
# Keywords that reject values with errors of their own.
_ASSERTIONS = {*ORDERS, "type", VALIDATIONS, *_NAMES, *LOGICAL_KEYWORDS} - {EMBEDDED, LIST_TYPE, LIST_MAP_KEYS}


class CauseAttribution:
    """Attributes errors on objects of one version to changes, by the node and the keyword that an object violates."""

    def __init__(self, changes: Iterable[Change], schema: Schema | None) -> None:
        self._schema = schema
        narrowing = [change for change in changes if change.change_class >= ChangeClass.TIGHTEN]
        self._is_single = len(narrowing) <= 1
        self._keys = {key for change in narrowing for key in _list_keys(change)}

    def is_shown(self, change: Change, cause: Cause, obj: Mapping[str, Any]) -> bool:
        """Report whether an error on an object shows a change.

        Where several changes reject objects, the error of a keyword shows only the change of that keyword. Other errors
        show changes without errors of their own, such as those of defaults, at the node, below it or above it.
        """
        if RULES_NOT_CHECKED in cause.detail:
            return False
        if self._schema is None or self._is_single:
            return True
        steps, rest = resolve_path(obj, get_error_path(cause))
        origin = find_error_origin(cause, self._schema, steps, rest)
        if origin is None:
            return not _has_error(change)
        key, own = _get_key(origin), _list_keys(change)
        is_related = any(_is_related(key[0], path) for path, _ in own) or not own
        return key in own or (is_related and key not in self._keys and not _has_error(change))


def _has_error(change: Change) -> bool:
    """Report whether the objects that a change rejects have the error of its keyword."""
    return change.keyword in _ASSERTIONS and CHANGE_RULES[change.rule].change_class >= ChangeClass.TIGHTEN


def _is_related(first: str, second: str) -> bool:
    """Report whether two paths are equal, or one contains the other."""
    shorter, longer = sorted((first, second), key=len)
    return not shorter or longer == shorter or longer.startswith(f"{shorter}.")


def _get_key(origin: ErrorOrigin) -> Key:
    path = ".".join(origin.path)
    if origin.rule is not None:
        return path, _get_rule_name(encode_rule(origin.rule))
    if origin.required_field:
        return f"{path}.{origin.required_field}".lstrip("."), "required"
    return path, _NAMES.get(origin.keyword, origin.keyword)


def _list_keys(change: Change) -> list[Key]:
    """Return the keys of a change; none of one whose errors are not those of a keyword."""
    if change.nodes is None:
        return []
    paths = [_ELEMENT.sub(".[*]", path).lstrip(".") for path in (change.path, *change.other_paths)]
    return [(path, name) for path in paths for name in _list_names(change)]


def _list_names(change: Change) -> list[str]:
    """Return the names of the changed keywords in keys: several of bounds and formats that change together."""
    if change.keyword == VALIDATIONS and isinstance(change.new, dict):
        return [_get_rule_name(change.new)]
    is_range = change.keyword in _RANGE and isinstance(change.new, dict)
    return [_NAMES.get(keyword, keyword) for keyword in (change.new if is_range else (change.keyword,))]


def _get_rule_name(rule: Mapping[str, Any]) -> str:
    """Return what the errors of a rule have in common with those of no other rule of the node, as far as possible."""
    return "messageExpression" if "messageExpression" in rule else (rule.get("message") or rule["rule"]).strip()
