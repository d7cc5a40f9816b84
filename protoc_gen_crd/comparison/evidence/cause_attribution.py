"""The change that an error of a server shows, where several changes affect the same object."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from protoc_gen_crd.admission.causes import Cause
from protoc_gen_crd.admission.objects.error_origins import ErrorOrigin, find_error_origin
from protoc_gen_crd.admission.objects.error_paths import get_error_path, resolve_path
from protoc_gen_crd.comparison.change import Change
from protoc_gen_crd.schema.schema import INT_OR_STRING, LIST_MAP_KEYS, LIST_TYPE, LOGICAL_KEYWORDS, VALIDATIONS, Schema

Key = tuple[str, str]  # the path of a node, and a keyword or the expression of a rule

_ELEMENT = re.compile(r"\[\]|\{\}")  # in the path of a change
_NAMES = {
    "exclusiveMinimum": "minimum", "exclusiveMaximum": "maximum", INT_OR_STRING: "type", LIST_MAP_KEYS: LIST_TYPE,
    **dict.fromkeys(LOGICAL_KEYWORDS, "logic"),
}  # fmt: skip


class CauseAttribution:
    """Attributes errors on objects of one version to changes, by the node and the keyword that an object violates."""

    def __init__(self, changes: Iterable[Change], schema: Schema | None) -> None:
        self._schema = schema
        self._keys = {key for change in changes for key in _list_keys(change)}

    def is_foreign(self, cause: Cause, obj: Mapping[str, Any], change: Change) -> bool:
        """Report whether an error on an object shows another change than this one."""
        if self._schema is None or len(self._keys) <= 1:
            return False
        steps, rest = resolve_path(obj, get_error_path(cause))
        origin = find_error_origin(cause, self._schema, steps, rest)
        key = _get_key(origin) if origin else None
        return key in self._keys and key not in _list_keys(change)


def _get_key(origin: ErrorOrigin) -> Key:
    path = ".".join(origin.path)
    if origin.rule is not None:
        return path, _normalize(origin.rule.rule)
    if origin.required_field:
        return f"{path}.{origin.required_field}".lstrip("."), "required"
    return path, _NAMES.get(origin.keyword, origin.keyword)


def _list_keys(change: Change) -> list[Key]:
    """Return the keys of a change; none of one whose errors are not those of a keyword."""
    if change.nodes is None:
        return []
    rule = change.new.get("rule", "") if change.keyword == VALIDATIONS and isinstance(change.new, dict) else ""
    name = _normalize(rule) if rule else _NAMES.get(change.keyword, change.keyword)
    paths = (change.path, *change.other_paths)
    return [(_ELEMENT.sub(".[*]", path).lstrip("."), name) for path in paths]


def _normalize(expression: str) -> str:
    return " ".join(expression.split())
