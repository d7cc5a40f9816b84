"""The rules of changes: the class of each, and the rule of the opposite change.

The documentation of a rule and its default severity are in `findings/changes.md`.
"""

from __future__ import annotations

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.comparison.change import ChangeClass, Difference

NONE, ADDITIVE, LOOSEN = ChangeClass.NONE, ChangeClass.ADDITIVE, ChangeClass.LOOSEN
SEMANTIC, TIGHTEN, BREAK = ChangeClass.SEMANTIC, ChangeClass.TIGHTEN, ChangeClass.BREAK


class ChangeRule(Record):
    """A rule: its id, the class of its changes, and the ids of the rules that report the opposite change."""

    id: str
    change_class: ChangeClass
    mirrors: tuple[str, ...]


def _make_pairs(*rows: tuple[str, ChangeClass, str, ChangeClass]) -> list[ChangeRule]:
    return [
        rule
        for name, own, mirror, other in rows
        for rule in (ChangeRule(name, own, (mirror,)), ChangeRule(mirror, other, (name,)))
    ]


# Rules and the rules of the opposite changes.
_PAIRS = _make_pairs(
    ("change-kind-removed", BREAK, "change-kind-added", ADDITIVE),
    ("change-version-removed", BREAK, "change-version-added", ADDITIVE),
    ("change-version-unserved", BREAK, "change-version-served", ADDITIVE),
    ("change-required-added", TIGHTEN, "change-required-removed", LOOSEN),
    ("change-type-narrowed", TIGHTEN, "change-type-widened", LOOSEN),
    ("change-bound-added", TIGHTEN, "change-bound-removed", LOOSEN),
    ("change-bound-tightened", TIGHTEN, "change-bound-loosened", LOOSEN),
    ("change-pattern-added", TIGHTEN, "change-pattern-removed", LOOSEN),
    ("change-format-added", TIGHTEN, "change-format-removed", LOOSEN),
    ("change-format-tightened", TIGHTEN, "change-format-loosened", LOOSEN),
    ("change-enum-added", TIGHTEN, "change-enum-removed", LOOSEN),
    ("change-enum-value-removed", TIGHTEN, "change-enum-value-added", LOOSEN),
    ("change-nullable-removed", SEMANTIC, "change-nullable-added", LOOSEN),
    ("change-default-added", SEMANTIC, "change-default-removed", SEMANTIC),
    ("change-unknown-fields-pruned", BREAK, "change-unknown-fields-preserved", LOOSEN),
    ("change-embedded-added", TIGHTEN, "change-embedded-removed", LOOSEN),
    ("change-list-type-added", TIGHTEN, "change-list-type-removed", SEMANTIC),
    ("change-logic-added", TIGHTEN, "change-logic-removed", LOOSEN),
    ("change-logic-tightened", TIGHTEN, "change-logic-loosened", LOOSEN),
    ("change-rule-added", TIGHTEN, "change-rule-removed", LOOSEN),
    ("change-immutable-added", TIGHTEN, "change-immutable-removed", LOOSEN),
    ("change-status-subresource-removed", BREAK, "change-status-subresource-added", BREAK),
    ("change-scale-removed", BREAK, "change-scale-added", ADDITIVE),
    ("change-selectable-field-removed", BREAK, "change-selectable-field-added", ADDITIVE),
    ("change-column-removed", NONE, "change-column-added", NONE),
    ("change-name-removed", SEMANTIC, "change-name-added", ADDITIVE),
    ("change-rpc-removed", BREAK, "change-rpc-added", ADDITIVE),
    ("change-deprecated", NONE, "change-deprecation-withdrawn", NONE),
)
_ADDED, _REQUIRED, _CONSTRAINED = "change-field-added", "change-field-added-required", "change-field-constrained"
_REMOVED, _OPENED = "change-field-removed", "change-field-opened"
_FIELDS = (
    ChangeRule(_REMOVED, BREAK, (_ADDED, _REQUIRED)),
    ChangeRule(_OPENED, LOOSEN, (_ADDED, _REQUIRED, _CONSTRAINED)),
    ChangeRule(_ADDED, ADDITIVE, (_REMOVED, _OPENED)),
    ChangeRule(_REQUIRED, TIGHTEN, (_REMOVED, _OPENED)),
    ChangeRule(_CONSTRAINED, TIGHTEN, (_OPENED,)),
    # A removed number that is not reserved is a field that is added, and a reservation that is added has no effect.
    ChangeRule("change-unreserved", SEMANTIC, ()),
    ChangeRule("change-reservation-removed", SEMANTIC, ()),
)
# Rules whose opposite change has the same rule.
_SYMMETRIC = [
    ChangeRule(name, change_class, (name,))
    for change_class, names in {
        BREAK: (
            "change-crd-rejected",
            "change-field-renamed",
            "change-type",
            "change-scope",
            "change-names",
            "change-map-object",
            "change-scale",
            "change-rpc-renamed",
            "change-rpc-message",
            "change-rpc-streaming",
            "change-field-number",
            "change-field-oneof",
            "change-enum-number",
        ),
        TIGHTEN: (
            "change-bound",
            "change-pattern",
            "change-format",
            "change-enum",
            "change-list-type",
            "change-list-keys",
            "change-logic",
            "change-rule",
        ),
        SEMANTIC: (
            "change-default",
            "change-map-type",
            "change-storage-version",
            "change-conversion",
            "change-channel",
            "change-unclassified",
            "change-number-reused",
            "change-wire-type",
            "change-field-presence",
            "change-package",
            "change-message-name",
            "change-rpc-idempotency",
        ),
        NONE: (
            "change-no-effect",
            "change-documentation",
            "change-rule-message",
            "change-column",
            "change-metadata",
            "change-language-option",
            "change-descriptor",
            "change-uncompared",
        ),
    }.items()
    for name in names
]
CHANGE_RULES = {rule.id: rule for rule in (*_PAIRS, *_FIELDS, *_SYMMETRIC)}


def get_class(difference: Difference) -> ChangeClass:
    """Return the class of a difference: its own, or that of its rule."""
    own = difference.change_class
    return CHANGE_RULES[difference.rule].change_class if own is None else own
