"""Removal of rules of other vocabularies that API servers reject, such as those that cost too much at their location.

Such a rule must not make a CRD uninstallable. Rules of native markers stay: they are findings of admission.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.crd.crd import Crd, CrdVersion
from protoc_gen_crd.findings.finding import Problems
from protoc_gen_crd.kubernetes.limits import RULE_COST, SCHEMA_COST
from protoc_gen_crd.kubernetes.versions import format_minors, parse_minors
from protoc_gen_crd.proto.source_locations import ElementPlace
from protoc_gen_crd.schema.schema import VALIDATIONS, Schema, ValidationRule

if TYPE_CHECKING:
    from protoc_gen_crd.admission.crd.rules.cel_interface import RuleSite
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
_UNTYPED = _Reason("vocabulary-unsupported", "validates a value that the CEL of API servers cannot see")


class _Removal(Record):
    """A rule, or the message expression of a rule, that servers of some versions reject at one location of a CRD."""

    rule: ValidationRule
    site: RuleSite
    reason: _Reason
    crd_name: str
    minors: tuple[int, ...]
    is_message: bool = False


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
                _add_to_tree(trees.setdefault(version, {}), removal)
        removals += rejected.values()
    schemas: dict[int, Schema] = {}  # versions that share a schema still share it
    return crd.replace(versions=tuple([_reduce_version(version, trees, schemas) for version in crd.versions]))


def _select_rejected(crd_name: str, group: Sequence[tuple[tuple[int, ...], SchemaCost]]) -> dict[str, _Removal]:
    """Select the foreign rules and message expressions of a schema that servers reject, by path."""
    found: dict[str, _Removal] = {}
    for minors, cost in group:
        for path, rule, site, reason in (*_list_untyped(cost), *_list_rejected(cost)):
            both = (*found[path].minors, *minors) if path in found else minors
            found[path] = _Removal(rule, site, reason, crd_name, both, is_message=not path.endswith(".rule"))
    every = tuple([minor for minors, _ in group for minor in minors])
    for _, cost in group:
        for each in _select_most_expensive(cost.expressions, found):
            is_message = each.path != _get_rule_path(each)
            found[each.path] = _Removal(each.rule, each.site, _EXPENSIVE_TOGETHER, crd_name, every, is_message)
    return found


_Rejected = tuple[str, ValidationRule, "RuleSite", _Reason]


def _list_untyped(cost: SchemaCost) -> Iterator[_Rejected]:
    for site in cost.untyped:
        for index, rule in enumerate(site.node.rules):
            if rule.option:
                yield f"{site.path}.{VALIDATIONS}[{index}].rule", rule, site, _UNTYPED


def _list_rejected(cost: SchemaCost) -> Iterator[_Rejected]:
    for each in filter(_is_foreign, cost.expressions):
        if (reason := _find_reason(each)) is not None:
            yield each.path, each.rule, each.site, reason


def _is_foreign(expression: RuleExpression) -> bool:
    return bool(expression.rule.option)


def _find_reason(expression: RuleExpression) -> _Reason | None:
    """Return why servers reject an expression by itself, None if they accept it."""
    from protoc_gen_crd.cel.parser.issues import Rejection  # noqa: PLC0415 - it loads CEL

    if isinstance(expression.result, Rejection):
        return _Reason("vocabulary-unsupported", f"does not compile: {expression.result.issues[0].message}")
    if expression.error is not None:
        return _Reason("vocabulary-unsupported", f"is invalid: {expression.error}")
    return _EXPENSIVE if expression.cost > RULE_COST else None


def _select_most_expensive(
    expressions: Sequence[RuleExpression], removed: Mapping[str, _Removal]
) -> list[RuleExpression]:
    """Select foreign expressions, the most expensive ones first, until servers accept the total of the others."""
    left = [each for each in expressions if each.path not in removed and _get_rule_path(each) not in removed]
    total = sum([expression.cost for expression in left])
    found: list[RuleExpression] = []
    for expression in sorted(filter(_is_foreign, left), key=lambda each: (-each.cost, each.path)):
        if total <= SCHEMA_COST:
            break
        found.append(expression)
        total -= expression.cost
    return found


def _get_rule_path(expression: RuleExpression) -> str:
    """Return the path of the rule of a rule or messageExpression."""
    return f"{expression.path.rpartition('.')[0]}.rule"


def _add_to_tree(tree: _Tree, removal: _Removal) -> None:
    for _, step in removal.site.ancestors[:-1]:
        tree = tree.setdefault(step, {})
    known = tree.setdefault(_RULES, {})
    if removal.is_message:
        known.setdefault(id(removal.rule), removal.rule.replace(message_expression=""))
    else:
        known[id(removal.rule)] = None


def _reduce_version(version: CrdVersion, trees: Mapping[str, _Tree], schemas: dict[int, Schema]) -> CrdVersion:
    tree, schema = trees.get(version.name), version.schema
    if tree is None or schema is None:
        return version
    if id(schema) not in schemas:
        schemas[id(schema)] = _drop(schema, tree)
    return version.replace(schema=schemas[id(schema)])


def _drop(schema: Schema, tree: _Tree) -> Schema:
    """Return a schema without what a tree removes."""
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
    """Report the removals: once for each option, message and kind of reason."""
    groups: dict[tuple[str, str, str, tuple[int, ...]], list[_Removal]] = {}
    for removal in removals:
        rule, finding = removal.rule, removal.reason.finding
        groups.setdefault((finding, rule.option, *_split_origin(rule)), []).append(removal)
    for (finding, option, message, _), group in groups.items():
        minors = sorted({minor for removal in group for minor in removal.minors})
        versions = "" if len(minors) == asked else f" of Kubernetes {format_minors(minors)}"
        fields = _format_fields(group, message)
        problem = f"API servers{versions} cannot enforce {option}{fields}: {_describe(group)}"
        hint = _HINT if finding == _EXPENSIVE.finding else ""
        problems.report(finding, problem, group[0].rule.origin, path=message, hint=hint)


def _split_origin(rule: ValidationRule) -> tuple[str, tuple[int, ...]]:
    """Return the message with the option of a rule, and the path of the option, which is the same for all fields."""
    if not isinstance(rule.origin, ElementPlace):
        return "", ()
    path = rule.origin.get_path_in_message()
    return rule.origin.find_message(), path[2:] if path[:1] == (_FIELD,) else path


_FIELD = 2  # the number of `field` in the descriptor of a message


def _format_fields(group: Sequence[_Removal], message: str) -> str:
    """Format the fields of a message with an option; nothing for options of the message itself."""
    owners = dict.fromkeys(at.find_owner() for each in group if (at := each.rule.origin) is not None)
    names = [f'"{owner.rpartition(".")[2]}"' for owner in owners if owner != message]
    more = len(names) - _MAX_NAMED
    shown = ", ".join(names[:_MAX_NAMED]) + (f" and {more} more" if more > 0 else "")
    return f" of {'fields' if len(names) > 1 else 'field'} {shown}" if names else ""


def _describe(group: Sequence[_Removal]) -> str:
    """Describe the removals: the reason for the first one, and the number of locations."""
    from protoc_gen_crd.admission.crd.rules.cost_factors import get_object_path  # noqa: PLC0415 - few rules are removed

    first, others = group[0], len(group) - 1
    member = "message expression" if first.is_message else "rule"
    more = f" and at {others} other location{'s' * (others > 1)}" if others else ""
    return f"its {member} at {get_object_path(first.site)} of {first.crd_name}{more} {first.reason.text}"
