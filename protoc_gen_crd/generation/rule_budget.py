"""Removal of rules of other vocabularies that API servers reject, such as those that cost too much at their location.

Such a rule must not make a CRD uninstallable. Rules of native markers stay: they are findings of admission.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.cel.cost.cost_limits import RULE, SCHEMA
from protoc_gen_crd.crd.crd import Crd, CrdVersion
from protoc_gen_crd.findings.finding import Problems
from protoc_gen_crd.kubernetes.versions import format_minors, parse_minors
from protoc_gen_crd.proto.source_locations import ElementPlace
from protoc_gen_crd.schema.schema import VALIDATIONS, Schema

if TYPE_CHECKING:
    from protoc_gen_crd.admission.crd.rules.rule_costs import RuleExpression
    from protoc_gen_crd.admission.crd.rules.rule_estimates import RuleEstimator, SchemaCost

_Tree = dict[str, Any]  # steps to the trees of children, and `_RULES` to what replaces rules, by id
_RULES = ""
_MAX_NAMED = 3  # fields in a finding
_HINT = "bound lists, maps and strings with max_items, max_properties and max_length"


class _Reason(Record):
    """The reason for a removal: the id of the finding, and the words of its message."""

    finding: str
    text: str


_EXPENSIVE = _Reason("vocabulary-cost", "costs more than API servers allow")
_EXPENSIVE_TOGETHER = _Reason("vocabulary-cost", "exceeds the cost that API servers allow for all rules of a CRD")


class _Removal(Record):
    """An expression that servers reject, in one CRD."""

    expression: RuleExpression
    reason: _Reason
    crd_name: str
    minors: tuple[int, ...]


def drop_rejected_rules(crds: Sequence[Crd], kubernetes: str, problems: Problems) -> tuple[Crd, ...]:
    """Return the CRDs without the rules of other vocabularies that servers of these versions reject; report each."""
    seen: set[int] = set()
    if not any(_has_foreign_rule(version.schema, seen) for crd in crds for version in crd.versions):
        return tuple(crds)
    from protoc_gen_crd.admission.crd.rules.rule_estimates import RuleEstimator  # noqa: PLC0415 - it loads CEL

    estimator, minors = RuleEstimator(includes_rejected=True), parse_minors(kubernetes)
    removals: list[_Removal] = []
    made = tuple([_reduce_crd(crd, estimator, minors, removals) for crd in crds])
    _report(removals, len(minors), problems)
    return made


def _has_foreign_rule(schema: Schema | None, seen: set[int]) -> bool:
    if schema is None or id(schema) in seen:
        return False
    seen.add(id(schema))
    return any(rule.option for rule in schema.rules) or any(
        _has_foreign_rule(child, seen) for _, child in schema.iterate_children()
    )


def _reduce_crd(crd: Crd, estimator: RuleEstimator, minors: Sequence[int], removals: list[_Removal]) -> Crd:
    groups: dict[str, list[tuple[tuple[int, ...], SchemaCost]]] = {}
    for same, costs in estimator.estimate_schemas(crd, minors):
        for cost in costs:
            groups.setdefault(cost.path, []).append((tuple(same), cost))
    trees: dict[str, _Tree] = {}
    for group in groups.values():
        rejected = _select_rejected(crd.name, group)
        for removal in rejected.values():
            for version in group[0][1].versions:
                _add_to_tree(trees.setdefault(version, {}), removal.expression)
        removals += rejected.values()
    return crd.replace(versions=tuple([_reduce_version(version, trees) for version in crd.versions]))


def _select_rejected(crd_name: str, group: Sequence[tuple[tuple[int, ...], SchemaCost]]) -> dict[str, _Removal]:
    """Select the foreign expressions of a schema that servers reject, by path."""
    found: dict[str, _Removal] = {}
    for minors, cost in group:
        for expression in filter(_is_foreign, cost.expressions):
            if (reason := _find_reason(expression)) is not None:
                known = found.get(expression.path)
                both = (*known.minors, *minors) if known else minors
                found[expression.path] = _Removal(expression, reason, crd_name, both)
    every = tuple([minor for minors, _ in group for minor in minors])
    for _, cost in group:
        for expression in _select_most_expensive(cost.expressions, found):
            found[expression.path] = _Removal(expression, _EXPENSIVE_TOGETHER, crd_name, every)
    return found


def _is_foreign(expression: RuleExpression) -> bool:
    return bool(expression.rule.option)


def _find_reason(expression: RuleExpression) -> _Reason | None:
    """Return why servers reject an expression by itself, None if they accept it."""
    from protoc_gen_crd.cel.parser.issues import Rejection  # noqa: PLC0415 - it loads CEL

    if isinstance(expression.result, Rejection):
        return _Reason("vocabulary-unsupported", f"does not compile: {expression.result.issues[0].message}")
    if expression.error is not None:
        return _Reason("vocabulary-unsupported", f"is invalid: {expression.error}")
    return _EXPENSIVE if expression.cost > RULE else None


def _select_most_expensive(
    expressions: Sequence[RuleExpression], removed: Mapping[str, _Removal]
) -> list[RuleExpression]:
    """Select foreign expressions, the most expensive ones first, until servers accept the total of the others."""
    left = [each for each in expressions if each.path not in removed and _get_rule_path(each) not in removed]
    total = sum([expression.cost for expression in left])
    found: list[RuleExpression] = []
    for expression in sorted(filter(_is_foreign, left), key=lambda each: (-each.cost, each.path)):
        if total <= SCHEMA:
            break
        found.append(expression)
        total -= expression.cost
    return found


def _get_rule_path(expression: RuleExpression) -> str:
    """Return the path of the rule of a rule or messageExpression."""
    return f"{expression.path.rpartition('.')[0]}.rule"


def _add_to_tree(tree: _Tree, expression: RuleExpression) -> None:
    for _, step in expression.site.ancestors[:-1]:
        tree = tree.setdefault(step, {})
    known = tree.setdefault(_RULES, {})
    if expression.path == _get_rule_path(expression):
        known[id(expression.rule)] = None
    else:
        known.setdefault(id(expression.rule), expression.rule.replace(message_expression=""))


def _reduce_version(version: CrdVersion, trees: Mapping[str, _Tree]) -> CrdVersion:
    tree = trees.get(version.name)
    return version if tree is None or version.schema is None else version.replace(schema=_drop(version.schema, tree))


def _drop(schema: Schema, tree: _Tree) -> Schema:
    """Return a schema without the expressions of a tree."""
    changes: dict[str, Any] = {}
    properties = dict(schema.properties)
    for step, below in tree.items():
        name = step.removeprefix(".properties[").removesuffix("]")
        if step == _RULES:
            changes[VALIDATIONS] = tuple(filter(None, [below.get(id(rule), rule) for rule in schema.rules])) or None
        elif name != step:
            changes["properties"] = properties
            properties[name] = _drop(properties[name], below)
        else:
            changes[step[1:]] = _drop(schema.keywords[step[1:]], below)
    return schema.with_keywords(changes)


def _report(removals: Sequence[_Removal], asked: int, problems: Problems) -> None:
    """Report the removals: once for each option, message and reason."""
    groups: dict[tuple[str, str, str], list[_Removal]] = {}
    for removal in removals:
        rule = removal.expression.rule
        message = rule.origin.find_message() if isinstance(rule.origin, ElementPlace) else ""
        groups.setdefault((rule.option, message, removal.reason.finding), []).append(removal)
    for (option, message, finding), group in groups.items():
        first = group[0]
        minors = sorted({minor for removal in group for minor in removal.minors})
        versions = "" if len(minors) == asked else f" of Kubernetes {format_minors(minors)}"
        problem = f"API servers{versions} cannot enforce {option}{_format_fields(group, message)}: {_describe(group)}"
        hint = _HINT if first.reason.finding == _EXPENSIVE.finding else ""
        problems.report(finding, problem, first.expression.rule.origin, path=message, hint=hint)


def _format_fields(group: Sequence[_Removal], message: str) -> str:
    """Format the fields of a message with an option; nothing for options of the message itself."""
    owners = dict.fromkeys(at.find_owner() for each in group if (at := each.expression.rule.origin) is not None)
    names = [f'"{owner.rpartition(".")[2]}"' for owner in owners if owner != message]
    more = len(names) - _MAX_NAMED
    shown = ", ".join(names[:_MAX_NAMED]) + (f" and {more} more" if more > 0 else "")
    return f" of {'fields' if len(names) > 1 else 'field'} {shown}" if names else ""


def _describe(group: Sequence[_Removal]) -> str:
    """Describe the removals: the reason for the first one, and the number of locations."""
    from protoc_gen_crd.admission.crd.rules.cost_factors import get_object_path  # noqa: PLC0415 - few rules are removed

    first = group[0]
    member = "rule" if first.expression.path == _get_rule_path(first.expression) else "message expression"
    others = len(group) - 1
    more = f" and {others} other location{'s' * (others > 1)}" if others else ""
    return f"its {member} at {get_object_path(first.expression.site)}{more} of {first.crd_name} {first.reason.text}"
