"""Check a plan against the schemas of its versions: overlapping writes, lost fields, expressions, values."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from protoc_gen_crd.admission.crd.rules.cost_limit_errors import get_max_elements
from protoc_gen_crd.admission.objects.value_rejection import find_rejection
from protoc_gen_crd.base import bounded_json
from protoc_gen_crd.cel.cost.intervals import MAX_UINT64
from protoc_gen_crd.conversion.checks.constraint_narrowing import check_narrowed_constraints, check_narrowing_steps
from protoc_gen_crd.conversion.checks.conversion_data_checks import check_conversion_data
from protoc_gen_crd.conversion.checks.expression_scope import build_variable_schemas
from protoc_gen_crd.conversion.checks.list_keys import check_list_keys
from protoc_gen_crd.conversion.checks.lost_fields import (
    LostField,
    find_unaccounted_fields,
    get_rejected_places,
    report_lost_fields,
)
from protoc_gen_crd.conversion.checks.nesting_depth import check_depth
from protoc_gen_crd.conversion.checks.optional_results import check_optional_results
from protoc_gen_crd.conversion.checks.plan_invariants import check_declared, check_invariants, check_one_way_targets
from protoc_gen_crd.conversion.checks.required_fields import check_required
from protoc_gen_crd.conversion.checks.unknown_fields import check_unknown_fields
from protoc_gen_crd.conversion.derivation.conversion_options import get_plural_of, iterate_declarations
from protoc_gen_crd.conversion.document_hints import choose_hint, is_document_place
from protoc_gen_crd.conversion.expressions import SIZE_KEYWORDS, ConversionExpression
from protoc_gen_crd.conversion.plan import paths
from protoc_gen_crd.conversion.plan.paths import BRACKETS, Path
from protoc_gen_crd.conversion.plan.plan import Direction, Plan, VersionPair
from protoc_gen_crd.conversion.plan.steps import ObjectStep, Step
from protoc_gen_crd.conversion.plan.value_steps import CelExpression, ValueTable
from protoc_gen_crd.findings.finding import Excerpt, Place, Problems
from protoc_gen_crd.kubernetes.api_server_limits import REQUEST_SIZE, RULE_COST
from protoc_gen_crd.kubernetes.api_version_order import get_age_key
from protoc_gen_crd.schema.schema import Schema

_UNBOUNDED_COST = (
    MAX_UINT64 // 20
)  # estimates for strings of unknown length, such as string(1), are a tenth of the maximum
_DECLARATION_HINT = """
    declare its counterpart with conversion {renamed_from: "..."} or another option, keep it in the conversion-data
    annotation with conversion {preserved: true}, or lose it with conversion {dropped: true}"""

_RULE_HINT = """
    name it in a rule of each direction, as the source and as the destination, or in "preserve" of this direction to
    keep it in the conversion-data annotation, or in "drop" to lose it"""


# CEL errors for lists, maps and conditionals with values of several types.
_MIXED_TYPES = re.compile(r"expected type '[^']+' but found|'_\?_:_'")
_MIXED_TYPES_HINT = (
    "wrap values of different types in dyn(...): {'name': dyn(self), 'port': dyn(80)}, self > 0 ? dyn(self) : dyn(null)"
)


def check_plan(plan: Plan, problems: Problems) -> None:
    """Report the errors of a plan."""
    lost_fields: list[LostField] = []
    for pair in plan.pairs:
        check_pair(plan, pair, problems, lost_fields)
    report_lost_fields(lost_fields, [version.name for version in plan.crd.versions], problems)
    check_list_keys(plan, problems)
    check_depth(plan, problems)
    _check_versions(plan, problems)


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
        _check_writes(direction, problems)
        lost_fields += _find_lost(plan, (direction, reverse), (*pair.reported_fields, *pair.hinted_fields), problems)
        check_required(plan, direction, pair.reported_fields, problems)
        check_optional_results(plan, direction, problems)
        check_narrowing(plan, direction, problems)
        check_unknown_fields(plan, direction, problems)
        check_conversion_data(plan, direction, reverse, problems)
        check_expressions(plan, direction, problems)
        _check_values(plan, direction, problems)
    check_one_way_targets(pair, problems)


def _check_writes(direction: Direction, problems: Problems) -> None:
    """Report steps that write overlapping paths."""
    written: dict[Path, list[Step]] = {}
    inside: dict[Path, list[Step]] = {}
    for step in direction.steps:
        if isinstance(step, ObjectStep):
            continue
        for path in step.get_writes():
            above = [first for cut in range(len(path) + 1) for first in written.get(path[:cut], ())]
            for first in (*above, *inside.get(path, ())):
                _report_overlap(direction, path, (first, step), problems)
            written.setdefault(path, []).append(step)
            for cut in range(len(path)):
                inside.setdefault(path[:cut], []).append(step)


def check_expressions(plan: Plan, direction: Direction, problems: Problems) -> None:
    """Report expressions that do not compile or have the wrong result type."""
    source, target = plan.get_schema(direction.source), plan.get_schema(direction.target)
    for step in direction.steps:
        if isinstance(step, CelExpression):
            source_field, target_field = paths.find_schema(source, step.source), paths.find_schema(target, step.target)
            if source_field is None or target_field is None:
                continue
            fault = ConversionExpression(step.expression, build_variable_schemas(direction, step, source)).find_error(
                target_field
            )
            if fault:
                problem = f'invalid expression for "{paths.format_path(step.target)}" of {direction.target}: {fault}'
                at = step.origin
                excerpt = Excerpt(step.expression)
                hint = _MIXED_TYPES_HINT if _MIXED_TYPES.search(fault) else ""
                problems.report(
                    "conversion-cel", problem, at, path=at.find_owner() if at else "", hint=hint, excerpt=excerpt
                )
            else:
                _check_cost(direction, source, step, problems)


def _check_cost(direction: Direction, root: Schema, step: CelExpression, problems: Problems) -> None:
    """Report expressions that cost more than servers allow for a rule."""
    once, least = ConversionExpression(
        step.expression, build_variable_schemas(direction, step, root, SIZE_KEYWORDS)
    ).estimate_cost()
    count, unbounded = 1, ""
    for depth in range(1, len(step.source)):
        around = paths.find_schema(root, step.source[:depth])
        bound = get_max_elements(around) if around is not None and step.source[depth] in BRACKETS else 1
        if bound is None:
            count, unbounded = REQUEST_SIZE // least, unbounded or paths.format_path(step.source[:depth])
            break
        count *= bound
    if once * count > RULE_COST and once < _UNBOUNDED_COST:
        cost = f"{once:,} times {count:,}" if count > 1 else f"{once:,}"
        problem = (
            f'expression for "{paths.format_path(step.target)}" costs {cost}, more than the limit of {RULE_COST:,}'
        )
        hint = f'bound "{unbounded}"' if unbounded else "bound the strings and lists that it reads"
        at = step.origin
        problems.report("conversion-cost", problem, at, path=at.find_owner() if at else "", hint=hint)


def _check_values(plan: Plan, direction: Direction, problems: Problems) -> None:
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


def _report_overlap(direction: Direction, path: Path, steps: tuple[Step, Step], problems: Problems) -> None:
    at = next((step.origin for step in reversed(steps) if step.declared), steps[1].origin)
    other_place = next((step.origin for step in steps if step.origin != at and step.declared), None)
    if other_place and steps[0].format() == steps[1].format():
        _report_duplicate(at, other_place, problems)
        return
    both_steps = " and ".join(f'"{step.format()}"' for step in steps)
    problem = f'field "{paths.format_path(path)}" of {direction.target} is written by two steps: {both_steps}'
    is_one_option = steps[0].declared and steps[0].origin == steps[1].origin and not is_document_place(at)
    hint = (
        "options of a message apply wherever it is used: name the field of the same object with renamed_from"
        if is_one_option
        else choose_hint(
            at, "remove one of the conversion options, or convert it to another field", "remove one of the rules"
        )
    )
    problems.report("conversion-overlap", problem, at, path=at.find_owner() if at else "", hint=hint)


def _report_duplicate(at: Place | None, other_place: Place, problems: Problems) -> None:
    """Report a step that both of its ends declare, once for both directions."""
    if not any(finding.rule == "conversion-overlap" and finding.at == at for finding in problems.findings):
        owner = other_place.find_owner()
        problem = f"duplicate conversion: also declared {f'at {owner}' if owner else 'in a rule'}"
        hint = "remove one: the other direction is derived from either"
        problems.report("conversion-overlap", problem, at, path=at.find_owner() if at else "", hint=hint)


def _find_lost(
    plan: Plan, directions: tuple[Direction, Direction], faults: Sequence[tuple[str, Path]], problems: Problems
) -> Iterator[LostField]:
    """Yield fields that are neither converted in both directions, nor kept, nor dropped."""
    direction, _ = directions
    reported = [path for version, path in faults if version == direction.source]
    places = get_rejected_places(problems)
    unaccounted = tuple(find_unaccounted_fields(directions, plan.get_schema(direction.source)))
    unread = {
        name
        for declaration in (iterate_declarations(plan.get_schema(direction.target)) if unaccounted else ())
        for name in re.findall(r"\w+", declaration.invalid_text)
    }
    for path, schema in unaccounted:
        at = schema.origin
        is_rejected = path[-1] in unread or any(
            declaration.origin in places for declaration in iterate_declarations(schema)
        )
        if is_rejected or any(path[: len(reported_path)] == reported_path for reported_path in reported):
            continue  # its declaration, or one that refers to it, is reported already
        hint, use = " ".join(choose_hint(at, _DECLARATION_HINT, _RULE_HINT).split()), ""
        if get_plural_of(paths.find_schema(plan.get_schema(direction.target), path[:-1]), path[-1]):
            hint = f'keep "{path[-1]}" in {direction.target} with [deprecated = true]: '
            hint += "objects can have it without the list"
        elif (other_use := _find_other_use(path, directions)) is not None:
            step, replacements = other_use
            use = step.format()
            hint = choose_hint(at, _suggest_until(plan, path, replacements), "") + hint
        yield LostField(paths.format_path(path), direction.source, direction.target, use, at, hint)


def _find_other_use(path: Path, directions: tuple[Direction, Direction]) -> tuple[Step, Sequence[Path]] | None:
    """Return the step that uses the field of the same name in the other version, and its fields in this version."""
    direction, reverse = directions
    uses = [(step, step.get_writes(), step.get_reads()) for step in direction.steps]
    uses += [(step, step.get_reads(), step.get_writes()) for step in reverse.steps]
    using = (
        (step, own_paths)
        for step, other_paths, own_paths in uses
        if path in other_paths and not isinstance(step, ObjectStep)
    )
    return next(using, None)


def _suggest_until(plan: Plan, path: Path, replacements: Sequence[Path]) -> str:
    """Suggest the last version of a field that other fields replace; empty if all versions have these."""
    versions = sorted(plan.schemas, key=get_age_key)
    having = [
        name
        for name in versions
        if all(paths.find_schema(plan.schemas[name], replacement) for replacement in replacements)
    ]
    older = versions[: versions.index(having[0])] if having and replacements else []
    older_with_field = [name for name in older if paths.find_schema(plan.schemas[name], path) is not None]
    replacement_fields = " and ".join(f'"{paths.format_path(replacement)}"' for replacement in replacements)
    return (
        f'add until: "{older_with_field[-1]}" if {replacement_fields} replaces it in {having[0]}, or '
        if older_with_field
        else ""
    )


def _check_versions(plan: Plan, problems: Problems) -> None:
    """Report unknown versions in declarations."""
    names = [version.name for version in plan.crd.versions]
    seen: set[int] = set()
    for version in plan.crd.versions:
        for declaration in iterate_declarations(version.schema) if version.schema else ():
            for name in declaration.values.get("versions") or ():
                if name not in names and id(declaration.values) not in seen:
                    seen.add(id(declaration.values))
                    problem = f'unknown version "{name}": the versions of the kind are {", ".join(names)}'
                    listed_names = [known_name for known_name in names if known_name in re.findall(r"\w+", name)]
                    list_hint = f"list the versions: [{', '.join(map(bounded_json.format_json, listed_names))}]"
                    hint = list_hint if len(listed_names) > 1 else problems.suggest(name, names)
                    problems.report(
                        "conversion-version", problem, declaration.origin, path=declaration.owner, hint=hint
                    )
