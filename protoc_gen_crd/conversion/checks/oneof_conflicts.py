"""Report fields that exclude each other only in the target version."""

from __future__ import annotations

from protoc_gen_crd.conversion.plan import paths
from protoc_gen_crd.conversion.plan.copy_steps import ObjectStep
from protoc_gen_crd.conversion.plan.exclusive_fields import find_exclusive_groups
from protoc_gen_crd.conversion.plan.paths import Path
from protoc_gen_crd.conversion.plan.plan import Direction
from protoc_gen_crd.conversion.plan.step_base import Step
from protoc_gen_crd.conversion.plan.value_steps import CelExpression, FunctionCall
from protoc_gen_crd.findings.finding import Problems
from protoc_gen_crd.schema.schema import Schema


def check_oneof_conflicts(direction: Direction, path: Path, has: Schema, problems: Problems) -> None:
    """Report an object with several fields of a oneof, unless their expressions are conditional."""
    for group in find_exclusive_groups(has):
        first, *others = [name for name in group if _is_unconditional(direction, (*path, name))] or ("",)
        if not others:
            continue
        names = ", ".join(f'"{name}"' for name in (first, *others[:-1]))
        problem = f'{names} and "{others[-1]}" of "{paths.format_path(path)}" exclude each other in '
        problem += f"{direction.target}, but {direction.source} accepts several at once"
        at = has.get_place("oneOf") or has.origin
        hint = f'convert "{others[0]}" by an expression without a result if "{first}" is set, such as '
        hint += f'"has({_format_source(direction, (*path, first))}) ? optional.none() : optional.of(self)": '
        hint += "it is then kept in the conversion-data annotation"
        problems.report("conversion-narrowed", problem, at, path=at.find_owner() if at else "", hint=hint)


def _is_unconditional(direction: Direction, member: Path) -> bool:
    """Return true if a member is written unconditionally."""
    return any(_is_writing(step, member) and not _is_conditional(step) for step in direction.steps)


def _is_writing(step: Step, member: Path) -> bool:
    return not isinstance(step, ObjectStep) and any(paths.has_overlap(path, member) for path in step.get_writes())


def _is_conditional(step: Step) -> bool:
    """Return true if a step may have no result because of other fields."""
    return isinstance(step, FunctionCall) or (isinstance(step, CelExpression) and "?" in step.expression)


def _format_source(direction: Direction, member: Path) -> str:
    """Return the name of a member's source in expressions."""
    step = next((step for step in direction.steps if _is_writing(step, member)), None)
    source = step.source if step is not None and len(step.target) >= len(member) else member
    scope = paths.get_scope(source)
    return f"item.{paths.format_path(source[len(scope) :])}" if scope else f"root.{paths.format_path(source)}"
