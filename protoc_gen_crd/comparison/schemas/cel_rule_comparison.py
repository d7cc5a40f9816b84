"""The comparison of the CEL rules of a node."""

from __future__ import annotations

import re
from collections.abc import Iterator

from protoc_gen_crd.comparison.change import Difference
from protoc_gen_crd.comparison.schemas.cel_rule_normal_form import normalize_rule
from protoc_gen_crd.comparison.schemas.narrowed_constraints import list_counts
from protoc_gen_crd.comparison.schemas.node_pair import NodePair
from protoc_gen_crd.kubernetes.shared_results import Switches
from protoc_gen_crd.schema.cel_names import unescape_cel_name
from protoc_gen_crd.schema.field_count_rules import count_in_rule, is_implied
from protoc_gen_crd.schema.schema import EMBEDDED, VALIDATIONS, ValidationRule
from protoc_gen_crd.schema.schema_encoder import encode_rule

_TRANSITION = "oldSelf"
# A rule that is true without a field. Conditionals and transition rules may have another meaning.
_ONLY_WITH_FIELD = re.compile(r"!has\(self\.(\w+)\) \|\| (?!.*(?:\?|oldSelf))", re.DOTALL)


def compare_rules(pair: NodePair, _: Switches, __: list[str]) -> Iterator[Difference]:
    """Compare CEL rules by their normal forms; one rule that replaces another one is a changed rule."""
    old, new = ({normalize_rule(rule.rule): rule for rule in schema.rules} for schema in (pair.old, pair.new))
    removed = [rule for expression, rule in old.items() if expression not in new]
    added = [rule for expression, rule in new.items() if expression not in old and not _is_implied(rule, pair)]
    if len(removed) == len(added) == 1:
        yield _make_rule_difference("change-rule", removed[0], added[0])
        removed, added = [], []
    yield from (_make_rule_difference(_get_rule_name(rule, "removed"), rule, None) for rule in removed)
    yield from (_make_rule_difference(_get_rule_name(rule, "added"), None, rule) for rule in added)
    for expression in (expression for expression in old if expression in new):
        if encode_rule(old[expression].replace(rule="")) != encode_rule(new[expression].replace(rule="")):
            yield _compare_rule_members(old[expression], new[expression])


def _is_implied(rule: ValidationRule, pair: NodePair) -> bool:
    """Report whether the old schema implies a rule: one that counts fields, or that applies only with a new field."""
    if (condition := _ONLY_WITH_FIELD.match(rule.rule)) and _is_never_set(unescape_cel_name(condition[1]), pair):
        return True
    count = count_in_rule(rule.rule)
    return count is not None and is_implied(count, [*list_counts(pair.get_constraints()[0])])


def _is_never_set(name: str | None, pair: NodePair) -> bool:
    """Report whether no object of the old schema has a field of the new one."""
    is_open = pair.keeps_unknown_fields()[0] or pair.old.get(EMBEDDED) or pair.old.additional
    field = pair.new.properties.get(name or "")
    return not is_open and name not in pair.old.properties and field is not None and "default" not in field


def _get_rule_name(rule: ValidationRule, suffix: str) -> str:
    return f"change-{'immutable' if _TRANSITION in rule.rule else 'rule'}-{suffix}"


def _compare_rule_members(old: ValidationRule, new: ValidationRule) -> Difference:
    if bool(old.optional_old_self) != bool(new.optional_old_self):
        return _make_rule_difference("change-rule", old, new)
    return _make_rule_difference("change-rule-message", old, new)


def _make_rule_difference(name: str, old: ValidationRule | None, new: ValidationRule | None) -> Difference:
    return Difference(name, VALIDATIONS, old and encode_rule(old), new and encode_rule(new))
