"""Build conversion plans from CRDs: the hub of a kind, and a pair for each spoke."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from enum import Enum
from typing import TYPE_CHECKING

from protoc_gen_crd.conversion.checks.expression_checks import check_expressions
from protoc_gen_crd.conversion.checks.invisible_characters import check_field_names
from protoc_gen_crd.conversion.checks.plan_check import check_plan
from protoc_gen_crd.conversion.checks.unknown_hubs import are_hubs_unknown, check_unknown_hub
from protoc_gen_crd.conversion.checks.unused_declarations import check_unused_declarations
from protoc_gen_crd.conversion.codegen.handwritten_functions import find_required_functions
from protoc_gen_crd.conversion.composition.direct_conversions import with_direct, with_direct_on_demand
from protoc_gen_crd.conversion.composition.pair_completion import complete_pair
from protoc_gen_crd.conversion.composition.spoke_consistency import (
    SpokeStep,
    check_spoke_declarations,
    check_spoke_rules,
)
from protoc_gen_crd.conversion.composition.undeclared_data import keep_undeclared
from protoc_gen_crd.conversion.composition.value_table_consistency import check_value_tables
from protoc_gen_crd.conversion.composition.version_graph import VersionGraph
from protoc_gen_crd.conversion.derivation.conversion_options import has_declarations
from protoc_gen_crd.conversion.hub_choice import apply_hub_settings, choose_hub
from protoc_gen_crd.conversion.plan.plan import Plan
from protoc_gen_crd.conversion.plan.resource_schemas import expand_embedded_resources
from protoc_gen_crd.conversion.rule_files.api_conversion import RuleFile
from protoc_gen_crd.conversion.rule_files.settings_rules import read_rules
from protoc_gen_crd.conversion.webhook_config import add_conversion_webhook
from protoc_gen_crd.crd.crd import Crd
from protoc_gen_crd.findings.finding import Finding, Place, Problems, Severity
from protoc_gen_crd.findings.severity_policy import has_error
from protoc_gen_crd.schema.schema import Schema
from protoc_gen_crd.settings.settings import Settings

if TYPE_CHECKING:
    from protoc_gen_crd.conversion.proof.spoke_comparison import Difference

_EMPTY_SCHEMA = Schema({})


class Direct(Enum):
    """The conversions between spokes that are part of a plan. Their number grows with the square of the versions."""

    ALL = "all"  # what a module needs
    ON_DEMAND = "on demand"  # what the objects of a run need
    GAPS = "gaps"  # those that cannot be derived
    NONE = "none"


def build_plan(
    crd: Crd, problems: Problems, files: Sequence[RuleFile] = (), *, direct: Direct = Direct.ALL
) -> Plan | None:
    """Build and check the plan of a kind.

    Args:
        crd: The CRD.
        problems: Receives the findings on declarations and lost fields.
        files: The rules of the settings and of rule files for this CRD.
        direct: Which conversions between spokes the caller needs.

    Returns:
        The plan, None if the kind has one version or its hub is unknown.
    """
    hub = choose_hub(crd, problems)
    if not hub:
        return None
    schemas = {version.name: expand_embedded_resources(version.schema or _EMPTY_SCHEMA) for version in crd.versions}
    spokes = [name for name in schemas if name != hub]
    rules = next((file for file in files if file.is_applicable(crd)), None)
    if rules is not None:
        _check_rules(rules, schemas, problems)

    before = len(problems.findings)
    check_field_names(schemas, problems)
    chains = VersionGraph(schemas, rules)
    plan = Plan(crd, hub, schemas, tuple([complete_pair(chains, name, hub, problems) for name in spokes]))
    used_by_spokes, spoke_steps = check_spoke_declarations(plan, schemas, problems)
    check_value_tables(plan, chains, problems)
    used_declarations = used_by_spokes.union(*(pair.used_declarations for pair in plan.pairs))
    plan = plan.replace(
        spoke_declarations=used_declarations.union(chains.find_indirect_declarations(used_declarations))
    )
    if rules is not None:
        spoke_steps = (*spoke_steps, *check_spoke_rules(rules, plan, schemas, problems))
    plan = plan.replace(pairs=tuple([keep_undeclared(pair, schemas) for pair in plan.pairs]))
    one_way_spokes = (
        (*_find_one_way_rules(rules, plan, problems), *_find_invalid_versions(rules)) if rules is not None else ()
    )
    check_plan(plan.replace(pairs=tuple([pair for pair in plan.pairs if pair.spoke not in one_way_spokes])), problems)
    problems.findings[before:] = _deduplicate_findings(problems.findings[before:])
    if not has_error(problems.findings[before:], (), complete=True):
        is_run = direct is Direct.ON_DEMAND or bool(spoke_steps)
        on_demand = with_direct_on_demand(plan, chains) if is_run else plan
        _compare_spoke_steps(on_demand, spoke_steps, problems)
        if direct is Direct.ON_DEMAND:
            plan = on_demand
        elif direct is not Direct.NONE:
            plan = with_direct(plan, chains, only_gaps=direct is Direct.GAPS)
    return plan


def _compare_spoke_steps(plan: Plan, steps: Sequence[SpokeStep], problems: Problems) -> None:
    """Run steps between two spokes, and report those that differ from the conversion through the hub."""
    for step in steps:
        before = len(problems.findings)
        check_expressions(plan, step.way.replace(steps=(step.step,)), problems)
        if len(problems.findings) > before:
            continue
        rule = "conversion-rule" if step.is_rule else "conversion-version"
        description = f'"{step.step.format()}" from {step.way.source} to {step.way.target}'
        at = step.step.origin
        owner = at.find_owner() if at else ""
        difference = _find_spoke_difference(plan, step)
        if difference is not None:
            problem = f"{description} differs from the conversion through the hub {plan.hub}: {difference}"
            hint = "change one of them: the API server converts objects through the hub"
            problems.report(rule, problem, at, path=owner, hint=hint)
        elif step.is_rule:
            problem = f"{description} cannot be compared with the conversion through the hub {plan.hub}"
            hint = "check that the results are the same for all values"
            problems.report(rule, problem, at, path=owner, hint=hint, severity=Severity.WARNING)


def _find_spoke_difference(plan: Plan, spoke_step: SpokeStep) -> Difference | None:
    """Return a value with different results; None for none, and for hand-written functions, which are not run."""
    between = plan.replace(hub=spoke_step.pair.to_hub.target, pairs=(spoke_step.pair,), direct_on_demand=None)
    if not spoke_step.is_sound or find_required_functions(plan) or find_required_functions(between):
        return None
    from protoc_gen_crd.conversion.proof.spoke_comparison import find_difference  # noqa: PLC0415 - it loads the sampler

    return find_difference(plan, between, spoke_step)


def _deduplicate_findings(findings: Sequence[Finding]) -> Iterator[Finding]:
    """Drop repeated findings of a message that is used in several places of the object."""
    seen: set[tuple[str, Place | None, str]] = set()
    for finding in findings:
        message = re.sub(r'"[^"]*\.([^".]+)"', r'"\1"', finding.message)
        key = (finding.rule, finding.at, message)
        if key not in seen:
            yield finding
        seen.add(key)


def _check_rules(rules: RuleFile, schemas: Mapping[str, Schema], problems: Problems) -> None:
    """Report unknown versions of rules, and rules from a version to itself."""
    for direction in rules.directions:
        for name in (direction.source, direction.target):
            if name not in schemas:
                problem = f'unknown version "{name}": the versions of the kind are {", ".join(schemas)}'
                problems.report("conversion-version", problem, direction.origin, hint=problems.suggest(name, schemas))
        if direction.source == direction.target:
            problem = f"rules convert {direction.source} to itself"
            problems.report(
                "conversion-rule", problem, direction.origin, hint="objects are not converted within a version"
            )


def _find_one_way_rules(rules: RuleFile, plan: Plan, problems: Problems) -> Sequence[str]:
    """Report rules without rules in the other direction; return their spokes."""
    ends_of_plan = {ends for pair in plan.pairs for ends in ((pair.spoke, plan.hub), (plan.hub, pair.spoke))}
    candidates = [direction for direction in rules.directions if (direction.source, direction.target) in ends_of_plan]
    one_way = [
        direction
        for direction in candidates
        if direction.rules and rules.find_direction(direction.target, direction.source) is None
    ]
    for direction in one_way:
        problem = f"rules convert {direction.source} to {direction.target}, but not back"
        hint = f"add those from {direction.target} to {direction.source}, "
        hint += "with an empty list if all fields convert automatically"
        problems.report("conversion-rule", problem, direction.origin, hint=hint)
    return [name for direction in one_way for name in (direction.source, direction.target) if name != plan.hub]


def _find_invalid_versions(rules: RuleFile) -> Iterator[str]:
    """Return the versions of rules that could not be read, which is reported already."""
    yield from (
        name for direction in rules.directions if direction.invalid for name in (direction.source, direction.target)
    )


def build_plans(
    crds: Sequence[Crd], settings: Settings, problems: Problems, *, only_checks: bool = False
) -> tuple[Plan, ...]:
    """Build the plans of all kinds with conversion options or rules.

    Args:
        crds: The CRDs.
        settings: The options of the run, with rules and hubs.
        problems: Receives the findings.
        only_checks: Whether no modules are generated from the plans.
    """
    files = read_rules(settings, problems)
    check_rule_file_names(files, crds, problems)
    check_duplicate_rules(files, crds, problems)
    crds = apply_hub_settings(crds, settings, problems)
    declared = find_declared_crds(crds, files)
    for crd in declared:
        _check_conversion_webhook(crd, problems)
    directs = [_select_direct(crd, settings) if only_checks else Direct.ALL for crd in declared]
    built = [build_plan(crd, problems, files, direct=direct) for crd, direct in zip(declared, directs, strict=True)]
    plans = tuple([plan for plan in built if plan is not None])
    check_unused_declarations(plans, problems)
    for plan in plans:
        check_unknown_hub(plan, settings, problems)
    return plans


def _select_direct(crd: Crd, settings: Settings) -> Direct:
    """Return the conversions between spokes that are checked."""
    return Direct.GAPS if are_hubs_unknown(crd, settings) else Direct.NONE


def build_all_plans(
    crds: Sequence[Crd],
    settings: Settings,
    missing: dict[str, Sequence[Finding]] | None = None,
    checked: Sequence[Plan] | None = None,
) -> tuple[Plan, ...]:
    """Build the plans of all kinds with several versions that convert without loss.

    Args:
        crds: The CRDs.
        settings: The options of the run, with rules and hubs.
        missing: Receives the findings of each CRD with several versions that has no plan.
        checked: The result of `build_plans` for the same CRDs, for callers that generate no modules.
    """
    direct = Direct.ALL if checked is None else Direct.NONE
    plans = list(build_plans(crds, settings, Problems()) if checked is None else checked)
    crds = apply_hub_settings(crds, settings, Problems())
    names = {plan.name for plan in plans}
    for crd in crds:
        problems = Problems()
        is_open = crd.name not in names and len(crd.versions) > 1
        plan = build_plan(crd, problems, direct=direct) if is_open else None
        if plan is not None and not problems.findings:
            plans.append(plan)
        elif problems.findings and missing is not None:
            missing[crd.name] = problems.findings
    return tuple(plans)


def add_webhook(
    crds: Sequence[Crd], settings: Settings, problems: Problems, files: Sequence[RuleFile] = ()
) -> tuple[Crd, ...]:
    """Set the webhook of the settings in all CRDs with conversion options or rules."""
    return add_conversion_webhook(
        crds, find_declared_crds(crds, (*files, *read_rules(settings, Problems()))), settings, problems
    )


def find_declared_crds(crds: Sequence[Crd], files: Sequence[RuleFile]) -> list[Crd]:
    """Return the CRDs with conversion options or rules."""
    return [crd for crd in crds if has_declarations(crd) or any(file.is_applicable(crd) for file in files)]


def _check_conversion_webhook(crd: Crd, problems: Problems) -> None:
    """Report a CRD with conversions but no conversion webhook."""
    strategy = (crd.conversion or {}).get("strategy", "None")
    if strategy == "None" and sum(version.served for version in crd.versions) > 1:
        problem = f"{crd.names.kind} has conversions, but its CRD has no conversion webhook"
        hint = "set webhook_service or webhook_url, or accept the finding if another tool sets spec.conversion: "
        hint += "without a webhook, API servers change only apiVersion"
        problems.report("conversion-webhook-missing", problem, crd.origin, path=crd.name, hint=hint)


def check_rule_file_names(files: Sequence[RuleFile], crds: Sequence[Crd], problems: Problems) -> None:
    """Report conversion rules without a CRD."""
    for file in files:
        if not any(file.is_applicable(crd) for crd in crds):
            problem = f'conversion rules for unknown CRD "{file.name}"'
            hint = problems.suggest(file.name, [crd.name for crd in crds])
            problems.report("conversion-rule", problem, file.origin, hint=hint)


def check_duplicate_rules(files: Sequence[RuleFile], crds: Sequence[Crd], problems: Problems) -> None:
    """Report several rule lists for one CRD."""
    for crd in crds:
        applicable = [file for file in files if file.is_applicable(crd)]
        for file in applicable[1:]:
            places = f"{applicable[0].origin} and {file.origin}"
            problem = f"rules of {crd.name} are in several places: {places}"
            problems.report("conversion-rule", problem, file.origin, path=crd.name, hint="merge them into one list")
