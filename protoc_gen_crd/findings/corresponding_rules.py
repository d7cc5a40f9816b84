"""Rules of two commands that report the same change: `history-*` against the last release, `change-*` in a comparison.

A suppression of either applies to both.
"""

from __future__ import annotations

_HISTORY, _CHANGES = "history-", "change-"
_REMOVAL = "history-removal"
_COMPARISONS = ("history-incompatible", "history-narrowed")
# The rules of removals; all other rules of changes correspond to those of comparisons.
_REMOVALS = (
    "change-kind-removed",
    "change-version-removed",
    "change-version-unserved",
    "change-field-removed",
    "change-field-renamed",
    "change-enum-value-removed",
    "change-channel",
)


def is_same_change(rule: str, other: str) -> bool:
    """Return whether two rules may report the same change of an element."""
    if rule.startswith(_CHANGES) and other.startswith(_HISTORY):
        rule, other = other, rule
    if not other.startswith(_CHANGES):
        return False
    return other in _REMOVALS if rule == _REMOVAL else rule in _COMPARISONS and other not in _REMOVALS
