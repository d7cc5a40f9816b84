"""Removal of rules of other vocabularies that API servers reject, such as rules over the cost limit.

These rules must not make a CRD uninstallable, and neither must rules on the type of the keys of a map. Rules of native
markers remain, and admission reports them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.crd.crd import Crd, CrdVersion
from protoc_gen_crd.findings.finding import Problems
from protoc_gen_crd.generation.map_schemas import KEY_TYPE
from protoc_gen_crd.kubernetes.api_server_limits import RULE_COST, SCHEMA_COST
from protoc_gen_crd.kubernetes.supported_versions import format_minors, parse_minors
from protoc_gen_crd.proto.source_locations import ElementPlace
from protoc_gen_crd.schema.schema import VALIDATIONS, Schema, ValidationRule

if TYPE_CHECKING:
    from protoc_gen_crd.admission.crd.rules.cel_interface import RuleSite
    from protoc_gen_crd.admission.crd.rules.cost_limit_errors import RuleExpression
    from protoc_gen_crd.admission.crd.rules.rule_estimates import RuleEstimator, SchemaCost

_Tree = dict[str, Any]  # step -> tree of the child; `_RULES` -> rule id -> replacement, None to remove
_RULES = ""
_MAX_NAMED = 3  # fields in a finding
_HINT = "bound lists, maps and strings with max_items, max_properties and max_length"


class _Reason(Record):
    """The reason for a removal: the id of the finding, and a part of its message."""

    finding: str
    message: str


_EXPENSIVE = _Reason("vocabulary-cost", "costs more than API servers allow")
_EXPENSIVE_TOGETHER = _Reason("vocabulary-cost", "exceeds the cost that API servers allow for all rules of a CRD")
_UNTYPED = _Reason("vocabulary-unsupported", "validates a value that the CEL of API servers cannot see")


class _Removal(Record):
    """A rule, or the message expression of a rule, that API servers of some versions reject at a location of a CRD."""

    rule: ValidationRule
    site: RuleSite
    reason: _Reason
    crd_name: str
    minors: tuple[int, ...]
    is_message: bool = False


def drop_rejected_rules(crds: Sequence[Crd], kubernetes: str, problems: Problems) -> tuple[Crd, ...]:
    """Return the CRDs without the rules of other vocabularies that API servers of these versions reject.

    Each removal is reported.
    """
    from protoc_gen_crd.admission.crd.rules.rule_estimates import RuleEstimator  # noqa: PLC0415 - it loads CEL

    estimator, minors = RuleEstimator(includes_rejected=True), parse_minors(kubernetes)
    removals: list[_Removal] = []
    reduced = tuple([_reduce_crd(crd, estimator, minors, removals) for crd in crds])
    _report(removals, len(minors), problems)
    return reduced


def _reduce_crd(crd: Crd, estimator: RuleEstimator, minors: Sequence[int], removals: list[_Removal]) -> Crd:
    groups: dict[str, list[tuple[tuple[int, ...], SchemaCost]]] = {}
    for equivalent_minors, costs in estimator.estimate_schemas(crd, minors):
        for cost in costs:
            groups.setdefault(cost.path, []).append((tuple(equivalent_minors), cost))
    trees: dict[str, _Tree] = {}
    for group in groups.values():
        rejected = _select_rejected(crd.name, group)
        for removal in rejected.values():
            for version in group[0][1].versions:
                _add_to_tree(trees.setdefault(version, {}), removal)
        removals += rejected.values()
    schemas: dict[int, Schema] = {}  # versions that share a schema still share it afterwards
    return crd.replace(versions=tuple([_reduce_version(version, trees, schemas) for version in crd.versions]))


def _select_rejected(crd_name: str, group: Sequence[tuple[tuple[int, ...], SchemaCost]]) -> dict[str, _Removal]:
    """Return the foreign rules and message expressions of a schema that API servers reject, by path."""
    removals: dict[str, _Removal] = {}
    for minors, cost in group:
        for path, rule, site, reason in (*_list_untyped(cost), *_list_rejected(cost)):
            all_minors = (*removals[path].minors, *minors) if path in removals else minors
            removals[path] = _Removal(rule, site, reason, crd_name, all_minors, is_message=not path.endswith(".rule"))
    group_minors = tuple([minor for minors, _ in group for minor in minors])
    for _, cost in group:
        for expression in _select_most_expensive(cost.expressions, removals):
            is_message = expression.path != _get_rule_path(expression)
            removals[expression.path] = _Removal(
                expression.rule, expression.site, _EXPENSIVE_TOGETHER, crd_name, group_minors, is_message
            )
    return removals


_Rejected = tuple[str, ValidationRule, "RuleSite", _Reason]


def _list_untyped(cost: SchemaCost) -> Iterator[_Rejected]:
    for site in cost.untyped:
        for index, rule in enumerate(site.node.rules):
            if rule.option:
                yield f"{site.path}.{VALIDATIONS}[{index}].rule", rule, site, _UNTYPED


def _list_rejected(cost: SchemaCost) -> Iterator[_Rejected]:
    for expression in filter(_is_foreign, cost.expressions):
        if (reason := _find_reason(expression)) is not None:
            yield expression.path, expression.rule, expression.site, reason


def _is_foreign(expression: RuleExpression) -> bool:
    return bool(expression.rule.option)


def _find_reason(expression: RuleExpression) -> _Reason | None:
    """Return why API servers reject an expression, regardless of others; None if they accept it."""
    from protoc_gen_crd.cel.parser.issues import Rejection  # noqa: PLC0415 - it loads CEL

    if isinstance(expression.result, Rejection):
        return _Reason("vocabulary-unsupported", f"does not compile: {expression.result.issues[0].message}")
    if expression.error is not None:
        return _Reason("vocabulary-unsupported", f"is invalid: {expression.error}")
    return _EXPENSIVE if expression.cost > RULE_COST else None


def _select_most_expensive(
    expressions: Sequence[RuleExpression], removed: Mapping[str, _Removal]
) -> list[RuleExpression]:
    """Select the most expensive foreign expressions until API servers accept the total of the others."""
    remaining = [
        expression
        for expression in expressions
        if expression.path not in removed and _get_rule_path(expression) not in removed
    ]
    total = sum([expression.cost for expression in remaining])
    selected: list[RuleExpression] = []
    for expression in sorted(
        filter(_is_foreign, remaining), key=lambda expression: (-expression.cost, expression.path)
    ):
        if total <= SCHEMA_COST:
            break
        selected.append(expression)
        total -= expression.cost
    return selected


def _get_rule_path(expression: RuleExpression) -> str:
    """Return the path of the rule with an expression."""
    return f"{expression.path.rpartition('.')[0]}.rule"


def _add_to_tree(tree: _Tree, removal: _Removal) -> None:
    for _, step in removal.site.ancestors[:-1]:
        tree = tree.setdefault(step, {})
    replacements = tree.setdefault(_RULES, {})
    if removal.is_message:
        replacements.setdefault(id(removal.rule), removal.rule.replace(message_expression=""))
    else:
        replacements[id(removal.rule)] = None


def _reduce_version(version: CrdVersion, trees: Mapping[str, _Tree], schemas: dict[int, Schema]) -> CrdVersion:
    tree, schema = trees.get(version.name), version.schema
    if tree is None or schema is None:
        return version
    if id(schema) not in schemas:
        schemas[id(schema)] = _drop(schema, tree)
    return version.replace(schema=schemas[id(schema)])


def _drop(schema: Schema, tree: _Tree) -> Schema:
    """Return a schema with the replacements of a tree."""
    changes: dict[str, Any] = {}
    properties = dict(schema.properties)
    for step, subtree in tree.items():
        name = step.removeprefix(".properties[").removesuffix("]")
        if step == _RULES:
            changes[VALIDATIONS] = tuple(filter(None, [subtree.get(id(rule), rule) for rule in schema.rules])) or None
        elif name != step:
            changes["properties"] = properties
            properties[name] = _drop(properties[name], subtree)
        else:
            changes[step[1:]] = _drop(schema.keywords[step[1:]], subtree)
    return schema.with_keywords(changes)


def _report(removals: Sequence[_Removal], minor_count: int, problems: Problems) -> None:
    """Report the removals, once for each option, message, and kind of reason."""
    groups: dict[tuple[str, str, str, tuple[int, ...]], list[_Removal]] = {}
    for removal in removals:
        rule = removal.rule
        finding = "map-keys" if rule.option == KEY_TYPE else removal.reason.finding
        groups.setdefault((finding, rule.option, *_split_origin(rule)), []).append(removal)
    for (finding, option, message, _), group in groups.items():
        minors = sorted({minor for removal in group for minor in removal.minors})
        versions = "" if len(minors) == minor_count else f" of Kubernetes {format_minors(minors)}"
        fields = _format_fields(group, message)
        problem = f"API servers{versions} cannot enforce {option}{fields}: {_describe(group)}"
        hint = _HINT if group[0].reason.finding == _EXPENSIVE.finding else ""
        problems.report(finding, problem, group[0].rule.origin, path=message, hint=hint)


def _split_origin(rule: ValidationRule) -> tuple[str, tuple[int, ...]]:
    """Return the message with the option of a rule, and the path of the option without the field."""
    if not isinstance(rule.origin, ElementPlace):
        return "", ()
    path = rule.origin.get_path_in_message()
    return rule.origin.find_message(), path[2:] if path[:1] == (_FIELD,) else path


_FIELD = 2  # the number of `field` in the descriptor of a message


def _format_fields(group: Sequence[_Removal], message: str) -> str:
    """Format the fields of a message with an option; empty for options of the message itself."""
    owners = dict.fromkeys(at.find_owner() for removal in group if (at := removal.rule.origin) is not None)
    names = [f'"{owner.rpartition(".")[2]}"' for owner in owners if owner != message]
    more = len(names) - _MAX_NAMED
    listed = ", ".join(names[:_MAX_NAMED]) + (f" and {more} more" if more > 0 else "")
    return f" of {'fields' if len(names) > 1 else 'field'} {listed}" if names else ""


def _describe(group: Sequence[_Removal]) -> str:
    """Describe removals by the reason for the first one and the number of locations."""
    from protoc_gen_crd.admission.crd.rules.cost_factors import get_object_path  # noqa: PLC0415 - few rules are removed

    first, other_count = group[0], len(group) - 1
    member = "message expression" if first.is_message else "rule"
    more = f" and at {other_count} other location{'s' * (other_count > 1)}" if other_count else ""
    return f"its {member} at {get_object_path(first.site)} of {first.crd_name}{more} {first.reason.message}"
