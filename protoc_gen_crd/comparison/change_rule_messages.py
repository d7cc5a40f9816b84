"""Messages for changes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from protoc_gen_crd.comparison.change import ChangeClass, Difference
from protoc_gen_crd.comparison.schemas.enforced_keywords import ANY_TYPE
from protoc_gen_crd.comparison.value_change_messages import describe_fact, format_value
from protoc_gen_crd.schema.schema import CHANNEL, VALIDATIONS

# Messages of rules that describe more than the values of a keyword.
_MESSAGES = {
    "change-kind-added": "kind is added",
    "change-kind-removed": "kind is removed",
    "change-version-added": "version {new} is added",
    "change-version-removed": "version {old} is removed",
    "change-field-added": "field of {new_type} is added",
    "change-field-removed": "field of {old_type} is removed",
    "change-field-added-required": "required field of {new_type} is added",
    "change-field-constrained": "field of {new_type} is added, where unknown fields with any value were accepted",
    "change-field-opened": "field of {old_type} is removed, and its values are accepted as unknown fields",
    "change-field-renamed": 'field "{old}" is renamed to "{new}"',
    "change-required-added": "field is now required",
    "change-required-removed": "field is no longer required",
    "change-type": "{old} is now {new}",
    "change-type-narrowed": "{old} is now {new}",
    "change-type-widened": "{old} is now {new}",
    "change-map-object": "{old} is now {new}",
    "change-unknown-fields-pruned": "unknown fields are now pruned",
    "change-unknown-fields-preserved": "unknown fields are now preserved",
    "change-documentation": "{keyword} is edited",
    "change-version-served": "version is now served",
    "change-version-unserved": "version is no longer served",
    "change-storage-version": "storage version {old} is now {new}",
    "change-metadata": "{keyword} are changed",
    "change-name-added": 'name "{new}" is added to {keyword}',
    "change-name-removed": 'name "{old}" is removed from {keyword}',
    "change-column-added": 'printer column "{new}" is added',
    "change-column-removed": 'printer column "{old}" is removed',
    "change-column": 'printer column "{new}" is changed',
    "change-deprecated": "version is now deprecated",
    "change-deprecation-withdrawn": "version is no longer deprecated",
    "change-field-number": "number {old} is now {new}",
    "change-enum-number": "number {old} is now {new}",
    "change-unreserved": "removed without a reservation of its {new}",
    "change-reservation-removed": "reservation of {old} is removed",
    "change-wire-type": "type {old} is now {new}",
    "change-rpc-added": "RPC {new} is added",
    "change-rpc-removed": "RPC {old} is removed",
    "change-rpc-message": "{keyword} {old} is now {new}",
    "change-rpc-idempotency": "idempotency level {old} is now {new}",
    "change-message-name": 'message "{old}" of the kind is now "{new}"',
    "change-package": 'package "{old}" is now "{new}"',
}
# Messages of rules for one keyword.
_KEYWORD_MESSAGES = {
    ("change-conversion", "conversion"): "conversion strategy {old} is now {new}",
    ("change-descriptor", "options"): "options are changed",
    ("change-descriptor", "oneofs"): "options of oneofs are changed",
    ("change-field-renamed", "json"): 'JSON name "{old}" is now "{new}"',
    ("change-deprecated", "field"): "field is now deprecated",
    ("change-deprecated", "enum value"): 'enum value "{new}" is now deprecated',
    ("change-deprecation-withdrawn", "field"): "field is no longer deprecated",
    ("change-deprecation-withdrawn", "enum value"): 'enum value "{old}" is no longer deprecated',
}
# Messages of rules for changes with another class than that of the rule.
_CLASS_MESSAGES: Mapping[tuple[str, ChangeClass | None], str] = {
    ("change-field-added", ChangeClass.SEMANTIC): (
        "field of {new_type} is added, whose default clients of other versions read"
    ),
    ("change-unknown-fields-preserved", ChangeClass.TIGHTEN): "unknown fields are now preserved and validated",
    ("change-field-opened", ChangeClass.SEMANTIC): (
        "field of {old_type} is removed, and its values are accepted as unknown fields, "
        "which have neither defaults nor list types"
    ),
    ("change-field-constrained", ChangeClass.BREAK): (
        "field of {new_type} is added, where unknown fields with any value were preserved"
    ),
    ("change-embedded-removed", ChangeClass.BREAK): "no longer an embedded resource, so some of its fields are pruned",
}


def _describe_reuse(old: object, new: object) -> str:
    return f'number of "{old}" is now that of "{new}"' if old else "uses a reserved number or name"


def _describe_oneof(old: object, new: object) -> str:
    parts = [f'leaves oneof "{old}"'] if old else []
    return " and ".join([*parts, *([f'joins oneof "{new}", whose fields exclude each other'] if new else [])])


def _describe_channel(old: Any, new: Any) -> str:
    """Describe a move of an element, or of the value of an enum."""
    values = old or new
    if not isinstance(values, dict):
        return describe_fact(CHANNEL, old, new)
    name = next(iter(values))
    return f'enum value "{name}" {describe_fact(CHANNEL, (old or {}).get(name), (new or {}).get(name))}'


def _describe_presence(old: object, _: object) -> str:
    return "no longer distinguishes unset from its default" if old else "now distinguishes unset from its default"


def _describe_range(old: Mapping[str, object] | None, new: Mapping[str, object] | None) -> str:
    """Describe several values that change together, such as bounds and formats."""
    before, after = (
        " and ".join(f"{name} {format_value(value)}" for name, value in (values or {}).items()) for values in (old, new)
    )
    verb = "are" if len(old or new or {}) > 1 else "is"
    if before and after:
        return f"{before} {verb} now {after}"
    return f"{before or after} {verb} {'removed' if before else 'new'}"


_DESCRIBERS = {
    "change-channel": _describe_channel,
    "change-number-reused": _describe_reuse,
    "change-field-oneof": _describe_oneof,
    "change-field-presence": _describe_presence,
    "change-scale": _describe_range,
}


def describe_difference(difference: Difference) -> str:
    """Describe a difference."""
    keyword, old, new = difference.keyword, difference.old, difference.new
    if difference.rule in _DESCRIBERS:
        return _DESCRIBERS[difference.rule](old, new)
    template = _CLASS_MESSAGES.get((difference.rule, difference.change_class))
    template = template or _KEYWORD_MESSAGES.get((difference.rule, keyword)) or _MESSAGES.get(difference.rule)
    if template:
        names = {"old": _format_name(old), "new": _format_name(new)}
        types = {f"{side}_type": name if name == ANY_TYPE else f"type {name}" for side, name in names.items()}
        return template.format(keyword=keyword, **names, **types)
    if difference.rule.startswith("change-bound") and isinstance(old or new, dict):
        return _describe_range(old, new)
    if keyword == VALIDATIONS:
        return describe_fact(keyword, _to_list(old), _to_list(new))
    return describe_fact(keyword, old, new)


def _format_name(value: object) -> str:
    return value if isinstance(value, str) else format_value(value)


def _to_list(rules: object) -> object:
    """Return a list of rules, or of a single rule; None for none."""
    return [rules] if isinstance(rules, dict) else rules
