"""Report required fields whose expression may have no result."""

from __future__ import annotations

from protoc_gen_crd.conversion.checks.expression_scope import build_variable_schemas
from protoc_gen_crd.conversion.expressions import ConversionExpression
from protoc_gen_crd.conversion.plan import paths
from protoc_gen_crd.conversion.plan.container_steps import ContainerStep
from protoc_gen_crd.conversion.plan.paths import BRACKETS, Path
from protoc_gen_crd.conversion.plan.plan import Direction, Plan
from protoc_gen_crd.conversion.plan.step_base import Step
from protoc_gen_crd.conversion.plan.value_steps import CelExpression
from protoc_gen_crd.findings.finding import Excerpt, Problems


def check_optional_results(plan: Plan, direction: Direction, problems: Problems) -> None:
    """Report expressions that may have no result for a required field."""
    source, target = plan.get_schema(direction.source), plan.get_schema(direction.target)
    for step in direction.steps:
        if not isinstance(step, CelExpression) or step.target[-1] in BRACKETS:
            continue
        around = paths.find_schema(target, step.target[:-1])
        needed = (around.get("required") or ()) if around is not None else ()
        if (
            paths.find_schema(source, step.source) is None
            or step.target[-1] not in needed
            or not _has_other_writer(direction, step)
        ):
            continue
        if ConversionExpression(step.expression, build_variable_schemas(direction, step, source)).is_optional():
            problem = f'field "{paths.format_path(step.target)}" is required in {direction.target}, '
            problem += "but its expression may have no result"
            at, excerpt = step.origin, Excerpt(step.expression)
            path = at.find_owner() if at else ""
            hint = "return a value in every case, neither null nor an empty optional"
            problems.report("conversion-required", problem, at, path=path, hint=hint, excerpt=excerpt)


def _has_other_writer(direction: Direction, step: Step) -> bool:
    """Return true if another step creates the object around the target of a step."""
    around: Path = step.target[:-1]
    others = [other for other in direction.steps if other is not step]
    entered = any(isinstance(other, ContainerStep) and other.target_scope == around for other in others)
    return (
        not around or entered or any(path[: len(around)] == around for other in others for path in other.get_writes())
    )
