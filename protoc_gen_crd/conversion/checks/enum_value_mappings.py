"""Report enum values without a counterpart, and values that a table converts to the same one."""

from __future__ import annotations

from collections.abc import Mapping

from protoc_gen_crd.admission.objects.value_rejection import find_rejection
from protoc_gen_crd.conversion.document_hints import choose_hint, is_document_place
from protoc_gen_crd.conversion.plan import paths
from protoc_gen_crd.conversion.plan.plan import Direction, Plan
from protoc_gen_crd.conversion.plan.value_steps import ValueTable
from protoc_gen_crd.findings.finding import Problems
from protoc_gen_crd.schema.schema import Schema


def check_values(plan: Plan, direction: Direction, problems: Problems) -> None:
    """Report values of an enum without a counterpart."""
    for step in direction.steps:
        source, target = (
            paths.find_schema(plan.get_schema(direction.source), step.source),
            paths.find_schema(plan.get_schema(direction.target), step.target),
        )
        if not isinstance(step, ValueTable) or source is None or target is None:
            continue
        _check_unmapped_values(direction, step, source, problems)
        table = step.build_table()
        values = [value for value in source.get("enum") or table if not find_rejection(source, value)]
        rejected = {value: fault for value in values if (fault := find_rejection(target, table.get(value, value)))}
        if rejected:
            _report_values(direction, step, rejected, target, problems)


def _report_values(
    direction: Direction, step: ValueTable, rejected: Mapping[str, str], target: Schema, problems: Problems
) -> None:
    table, at, enum = step.build_table(), step.origin, target.get("enum") or ()
    conversions = ", ".join(f'"{value}" converts to "{table.get(value, value)}"' for value in [*rejected][:5])
    reason = "" if target.get("enum") else f": {next(iter(rejected.values()))}"
    missing = next((value for value in rejected if value not in table), None)
    problem = f'"{paths.format_path(step.source)}" of {direction.source} has values that {direction.target} rejects'
    if missing is None:
        hint = next(filter(None, (problems.suggest(table[value], enum) for value in rejected)), "")
    else:
        hint = choose_hint(at, f'add a pair with "{missing}"', f'convert "{missing}" in the expression')
        hint += ": values may share a counterpart, and are restored on conversion back"
    problems.report(
        "conversion-values", f"{problem}: {conversions}{reason}", at, path=at.find_owner() if at else "", hint=hint
    )


def _check_unmapped_values(direction: Direction, step: ValueTable, source: Schema, problems: Problems) -> None:
    """Report strings that are not mapped and coincide with the result of a mapping."""
    table = step.build_table()
    meeting = ((old, new) for old, new in table.items() if new not in table)
    pair = next((pair for pair in meeting if not any(find_rejection(source, value) for value in pair)), None)
    if pair is not None:
        old, new = pair
        problem = f'"{old}" and "{new}" of "{paths.format_path(step.source)}" in {direction.source} both convert to '
        problem += f'"{new}" in {direction.target}'
        hint = f'or give "{paths.format_path(step.source)}" an enum without it'
        at = step.origin
        if is_document_place(at):
            hint = f'map "{new}" to another value, {hint}'
        else:
            hint = f'add a pair of "{new}" and "{new}" in front, since "{new}" converts back to "{old}", {hint}'
        problems.report("conversion-narrowed", problem, at, path=at.find_owner() if at else "", hint=hint)
