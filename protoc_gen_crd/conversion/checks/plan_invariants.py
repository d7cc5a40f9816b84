"""Invariants of plans: valid scopes, reverse steps, and an effect of each declaration."""

from __future__ import annotations

from protoc_gen_crd.conversion.checks.preserved_and_dropped import check_preserved_and_dropped
from protoc_gen_crd.conversion.derivation.conversion_options import iterate_field_declarations
from protoc_gen_crd.conversion.plan import paths
from protoc_gen_crd.conversion.plan.container_steps import (
    ContainerStep,
    Gather,
    HandwrittenField,
    HandwrittenObject,
    Spread,
)
from protoc_gen_crd.conversion.plan.conversion_data_entries import CopiedValues
from protoc_gen_crd.conversion.plan.copy_steps import Copy, Default, Keep, ObjectStep
from protoc_gen_crd.conversion.plan.paths import Path
from protoc_gen_crd.conversion.plan.plan import Direction, Plan, VersionPair
from protoc_gen_crd.conversion.plan.step_base import Step
from protoc_gen_crd.conversion.plan.value_steps import ComputedStep
from protoc_gen_crd.findings.finding import Place, Problems
from protoc_gen_crd.schema.schema import Schema

_NAME_PATHS = tuple(map(paths.format_path, paths.NAME_PATHS))


def check_invariants(plan: Plan, direction: Direction, reverse: Direction, problems: Problems) -> None:
    """Report steps that cannot run, and those without a reverse step."""
    scopes: dict[Path, Path] = {(): ()}
    scopes |= {step.target_scope: step.source_scope for step in direction.steps if isinstance(step, ContainerStep)}
    reverse_steps = {(type(step), step.source, step.target) for step in reverse.steps}
    for step in direction.steps:
        fault = _find_step_error(plan, direction, step, scopes)
        if not fault and isinstance(step, ObjectStep):
            is_undone = any(
                (type(inverse), inverse.source, inverse.target) in reverse_steps for inverse in step.invert()
            )
            fault = "" if is_undone else f"no step converts back from {direction.target}"
        if fault:
            at = step.origin
            problem = f'invalid step "{step.format()}" from {direction.source} to {direction.target}: {fault}'
            problems.report("conversion-path", problem, at, path=at.find_owner() if at else "")
    _check_spread_back(direction, reverse, problems)
    check_preserved_and_dropped(direction, reverse, problems)
    _check_copied_back(direction, reverse, problems)


def check_one_way_targets(pair: VersionPair, problems: Problems) -> None:
    """Report destinations of rules that no step writes."""
    for direction, _ in pair.get_directions():
        writes = {
            (step.origin, paths.strip_object_scopes(path)) for step in direction.steps for path in step.get_writes()
        }
        for version, path, at in pair.one_way_targets:
            if version == direction.target and (at, path) not in writes and not _is_reported(problems, at):
                problem = f'the rule for "{paths.format_path(path)}" of {version} has no effect'
                problems.report("conversion-path", problem, at)


def _check_spread_back(direction: Direction, reverse: Direction, problems: Problems) -> None:
    """Report values between an object and its list that are not converted back."""
    read = [step.source for step in reverse.steps]
    for step in direction.steps:
        into = isinstance(step, ComputedStep) and paths.get_scope(step.target) != () == paths.get_scope(step.source)
        if (into or type(step) in (Spread, Gather)) and step.target not in read:
            at = step.origin
            problem = f'step "{step.format()}" between an object and a list in it has no reverse step'
            problems.report("conversion-rule", problem, at, path=at.find_owner() if at else "")


def _check_copied_back(direction: Direction, reverse: Direction, problems: Problems) -> None:
    """Report values that are not copied back to their source field."""
    copies = CopiedValues(direction)
    for step in reverse.steps:
        other = copies.find_crossing(step)
        if other is not None:
            problem = f'value is not converted back to its source field: "{other.format()}" from '
            problem += f'{direction.source} to {direction.target}, "{step.format()}" back'
            at = step.origin
            problems.report("conversion-rule", problem, at, path=at.find_owner() if at else "")


def _find_step_error(plan: Plan, direction: Direction, step: Step, scopes: dict[Path, Path]) -> str:
    """Return the reason why a step cannot run; empty if it can."""
    source, target = plan.get_schema(direction.source), plan.get_schema(direction.target)
    writes, reads = step.get_writes(), step.get_reads()
    if isinstance(step, ContainerStep):
        writes, reads = (*writes, step.target_scope), (*reads, step.source_scope)
    missing = [path for path in reads if not _has_path(source, path)] + [
        path for path in writes if not _has_path(target, path)
    ]
    if missing:
        return f'no field "{paths.format_path(missing[0])}"'
    if isinstance(step, HandwrittenField):
        functions = [
            other
            for other in direction.steps
            if isinstance(other, HandwrittenObject) and other.target == step.target[: len(other.target)]
        ]
        return "" if functions else "no function converts the object around it"
    scope = paths.get_scope(step.target) if step.get_writes() else ()
    if scope not in scopes:
        return f'no step enters "{paths.format_path(scope)}"'
    if isinstance(step, Copy) and not isinstance(step, ObjectStep) and paths.get_scope(step.source) != scopes[scope]:
        return "a value that is copied into each item of a list cannot have a default"
    foreign_reads = [
        path for path in step.get_reads() if step.get_writes() and paths.get_scope(path) not in ((), scopes[scope])
    ]
    return f'it reads items of another list, "{paths.format_path(foreign_reads[0])}"' if foreign_reads else ""


def _has_path(root: Schema, path: Path) -> bool:
    return paths.find_schema(root, path) is not None


def check_declared(plan: Plan, pair: VersionPair, directions: tuple[Direction, Direction], problems: Problems) -> None:
    """Report declared values that no step writes or reads, except in fields that are kept or converted as a whole."""
    direction, reverse = directions
    writing = [step for step in direction.steps if step.get_writes()]
    writes = {(step.origin, paths.strip_object_scopes(path)) for step in writing for path in step.get_writes()}
    reads = {(step.origin, paths.strip_object_scopes(path)) for step in writing for path in step.get_reads()}
    source, target = plan.get_schema(direction.source), plan.get_schema(direction.target)
    for member, root, other, ends, effective, opaque in (
        ("from", target, source, (direction.source, direction.target), writes, _find_opaque_fields(reverse, direction)),
        ("to", source, target, (direction.target, direction.source), reads, _find_opaque_fields(direction, reverse)),
    ):
        for path, declaration in iterate_field_declarations(root):
            requires_step = any(declaration.values.get(name, {}).get(member) for name in ("cel", "function"))
            requires_step |= member == "from" and (
                "default" in declaration.values or declaration.values.get("moved_from") in _NAME_PATHS
            )
            is_inside_opaque = any(path[:cut] in opaque for cut in range(1, len(path)))
            requires_step = (
                requires_step and not is_inside_opaque and (path, declaration.origin) not in pair.ignored_declarations
            )
            if (
                not requires_step
                or not declaration.is_applicable(ends[1], ends[0], paths.find_schema(other, path))
                or _is_reported(problems, declaration.origin)
            ):
                continue
            if (declaration.origin, path) not in effective:
                problem = f'the conversion option of "{paths.format_path(path)}" of {ends[1]} has no effect'
                problems.report("conversion-path", problem, declaration.origin, path=declaration.owner)


def _find_opaque_fields(direction: Direction, reverse: Direction) -> set[Path]:
    """Return the fields without a counterpart or written by expressions: declarations in them have no effect."""
    reads = [path for step in direction.steps if isinstance(step, Keep | ComputedStep) for path in step.get_reads()]
    writes = [path for step in reverse.steps if isinstance(step, Default | ComputedStep) for path in step.get_writes()]
    return {paths.strip_object_scopes(path) for path in (*reads, *writes)}


def _is_reported(problems: Problems, at: Place) -> bool:
    return any(finding.at == at for finding in problems.findings)
