"""Check a plan against the schemas of its versions, by all checks of this package."""

from __future__ import annotations

from protoc_gen_crd.conversion.checks.constraint_narrowing import check_narrowed_constraints, check_narrowing_steps
from protoc_gen_crd.conversion.checks.conversion_data_checks import check_conversion_data
from protoc_gen_crd.conversion.checks.enum_value_mappings import check_values
from protoc_gen_crd.conversion.checks.expression_checks import check_expressions
from protoc_gen_crd.conversion.checks.lists_without_keys import check_list_keys
from protoc_gen_crd.conversion.checks.lost_field_hints import find_lost_fields
from protoc_gen_crd.conversion.checks.lost_fields import LostField, report_lost_fields
from protoc_gen_crd.conversion.checks.nesting_depth import check_depth
from protoc_gen_crd.conversion.checks.optional_results import check_optional_results
from protoc_gen_crd.conversion.checks.overlapping_writes import check_writes
from protoc_gen_crd.conversion.checks.plan_invariants import check_declared, check_invariants, check_one_way_targets
from protoc_gen_crd.conversion.checks.required_fields import check_required
from protoc_gen_crd.conversion.checks.unknown_fields import check_unknown_fields
from protoc_gen_crd.conversion.checks.unknown_versions import check_versions
from protoc_gen_crd.conversion.plan.plan import Plan, VersionPair
from protoc_gen_crd.findings.finding import Problems


def check_plan(plan: Plan, problems: Problems) -> None:
    """Report the errors of a plan."""
    lost_fields: list[LostField] = []
    for pair in plan.pairs:
        check_pair(plan, pair, problems, lost_fields)
    report_lost_fields(lost_fields, [version.name for version in plan.crd.versions], problems)
    check_list_keys(plan, problems)
    check_depth(plan, problems)
    check_versions(plan, problems)


def check_pair(
    plan: Plan, pair: VersionPair, problems: Problems, lost_fields: list[LostField], *, only_errors: bool = False
) -> None:
    """Report the errors of a pair of versions, except `lost_fields`, which are added to this list.

    With `only_errors`, warnings about constraints are left out.
    """
    check_narrowing = check_narrowing_steps if only_errors else check_narrowed_constraints
    for direction, reverse in pair.get_directions():
        check_invariants(plan, direction, reverse, problems)
        check_declared(plan, pair, (direction, reverse), problems)
        check_writes(direction, problems)
        lost_fields += find_lost_fields(
            plan, (direction, reverse), (*pair.reported_fields, *pair.hinted_fields), problems
        )
        check_required(plan, direction, pair.reported_fields, problems)
        check_optional_results(plan, direction, problems)
        check_narrowing(plan, direction, problems)
        check_unknown_fields(plan, direction, problems)
        check_conversion_data(plan, direction, reverse, problems)
        check_expressions(plan, direction, problems)
        check_values(plan, direction, problems)
    check_one_way_targets(pair, problems)
