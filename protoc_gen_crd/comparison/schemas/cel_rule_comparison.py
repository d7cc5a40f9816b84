"""The comparison of the CEL rules of a node."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from protoc_gen_crd.comparison.change import ChangeClass, Difference
from protoc_gen_crd.comparison.schemas.cel_rule_facts import find_schema_facts
from protoc_gen_crd.comparison.schemas.cel_rule_formula import Formula, make_formula
from protoc_gen_crd.comparison.schemas.cel_rule_inclusion import is_included
from protoc_gen_crd.comparison.schemas.cel_rule_normal_form import normalize_rule, parse_rule
from protoc_gen_crd.comparison.schemas.node_pair import METADATA, PROPERTY, NodePair
from protoc_gen_crd.comparison.schemas.present_fields import list_field_counts
from protoc_gen_crd.kubernetes.shared_results import Switches
from protoc_gen_crd.schema.field_count_rules import count_in_rule, is_implied
from protoc_gen_crd.schema.schema import EMBEDDED, VALIDATIONS, ValidationRule
from protoc_gen_crd.schema.schema_encoder import encode_rule

_TRANSITION = "oldSelf"
Rules = Sequence[ValidationRule]


def compare_rules(pair: NodePair, _: Switches, __: list[str]) -> Iterator[Difference]:
    """Compare CEL rules by their normal forms; one rule that replaces another one is a changed rule."""
    old, new = ({normalize_rule(rule.rule): rule for rule in schema.rules} for schema in (pair.old, pair.new))
    removed = [rule for expression, rule in old.items() if expression not in new]
    added = [rule for expression, rule in new.items() if expression not in old]
    rejecting = find_rejecting_rules(added, removed, pair)
    if len(removed) == len(added) == 1:
        change_class = None if rejecting else ChangeClass.LOOSEN
        if rejecting or find_rejecting_rules(removed, added, pair.mirror()):
            yield _make_rule_difference("change-rule", removed[0], added[0], change_class)
        else:
            yield _make_rule_difference("change-no-effect", removed[0], added[0])
    else:
        relaxing = find_rejecting_rules(removed, added, pair.mirror())
        yield from (_make_rule_difference(_get_rule_name(rule, "removed"), rule, None) for rule in relaxing)
        yield from (_make_rule_difference(_get_rule_name(rule, "added"), None, rule) for rule in rejecting)
    for expression in (expression for expression in old if expression in new):
        if encode_rule(old[expression].replace(rule="")) != encode_rule(new[expression].replace(rule="")):
            yield _compare_rule_members(old[expression], new[expression])


def find_rejecting_rules(rules: Rules, replaced: Rules, pair: NodePair) -> Rules:
    """Return the rules that may reject objects of the old schema.

    Args:
        rules: New rules.
        replaced: The old rules that they replace.
        pair: The node with these rules.
    """
    if _is_embedded_metadata(pair):
        return rules
    unused, rejecting = list(replaced), []
    for rule in rules:
        if _is_count_implied(rule, pair) or _is_included(pair.old.rules, rule, pair, are_replaced=False):
            continue
        source = next((other for other in unused if _is_included([other], rule, pair, are_replaced=True)), None)
        if source is None:
            rejecting.append(rule)
        else:
            unused.remove(source)
    return rejecting


def _is_embedded_metadata(pair: NodePair) -> bool:
    """Report whether a node is the metadata of an embedded resource.

    Admission accepts rules about all of its fields, but servers reject all objects if a rule reads other fields than
    `name` and `generateName`. Source: k8s.io/apiserver pkg/cel/common schemas.go (WithTypeAndObjectMeta).
    """
    owner = pair.get_parent()
    is_metadata = pair.position == PROPERTY and pair.name == METADATA
    return is_metadata and bool(owner.old.get(EMBEDDED) or owner.new.get(EMBEDDED))


def _is_count_implied(rule: ValidationRule, pair: NodePair) -> bool:
    """Report whether a rule counts fields, and the old schema implies it."""
    count = count_in_rule(rule.rule)
    return count is not None and is_implied(count, list_field_counts(pair))


def _is_included(others: Rules, rule: ValidationRule, pair: NodePair, *, are_replaced: bool) -> bool:
    """Report whether the old schema and some of its rules imply a rule."""
    formula = _make_formula(rule)
    if formula is None:
        return False
    premises = [premise for other in others if (premise := _make_premise(other, rule))]
    return is_included(premises, formula, find_schema_facts(pair, [*premises, formula]), are_replaced=are_replaced)


def _make_premise(other: ValidationRule, rule: ValidationRule) -> Formula | None:
    """Return the formula of a rule that servers evaluate for the same requests as another one; None otherwise."""
    is_comparable = _get_evaluation(other) == _get_evaluation(rule)
    return _make_formula(other) if is_comparable else None


def _get_evaluation(rule: ValidationRule) -> tuple[bool, bool]:
    """Return what decides whether servers evaluate a rule: if it reads the old value, and if that is optional."""
    return _TRANSITION in rule.rule, bool(rule.optional_old_self)


def _make_formula(rule: ValidationRule) -> Formula | None:
    tree = parse_rule(rule.rule)
    return make_formula(tree) if tree else None


def _get_rule_name(rule: ValidationRule, suffix: str) -> str:
    return f"change-{'immutable' if _TRANSITION in rule.rule else 'rule'}-{suffix}"


def _compare_rule_members(old: ValidationRule, new: ValidationRule) -> Difference:
    if bool(old.optional_old_self) != bool(new.optional_old_self):
        return _make_rule_difference("change-rule", old, new)
    return _make_rule_difference("change-rule-message", old, new)


def _make_rule_difference(
    name: str, old: ValidationRule | None, new: ValidationRule | None, change_class: ChangeClass | None = None
) -> Difference:
    return Difference(name, VALIDATIONS, old and encode_rule(old), new and encode_rule(new), change_class)
