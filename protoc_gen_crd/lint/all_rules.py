"""All rules of the linter by id."""

from __future__ import annotations

from protoc_gen_crd.lint import (
    bounds,
    cel_rules,
    channels,
    comment_constraints,
    comment_defaults,
    comments,
    enums,
    field_types,
    lists,
    naming,
    packages,
    status_and_conditions,
    unions,
)

_MODULES = (
    naming, enums, packages, field_types, bounds, lists, status_and_conditions, unions, cel_rules, channels, comments,
    comment_constraints, comment_defaults,
)  # fmt: skip
LINT_RULES = {rule.id: rule for module in _MODULES for rule in module.RULES}
