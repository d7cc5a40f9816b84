"""Fields that a version requires and an expression makes which is seen to give nothing for some values."""

from __future__ import annotations

from protoc_gen_crd.base.diagnostics import Excerpt, Problems
from protoc_gen_crd.conversion.check.around import given
from protoc_gen_crd.conversion.expressions import Expression
from protoc_gen_crd.conversion.plan import paths
from protoc_gen_crd.conversion.plan.changing import Cel
from protoc_gen_crd.conversion.plan.containers import Each
from protoc_gen_crd.conversion.plan.paths import BRACKETS, Path
from protoc_gen_crd.conversion.plan.plan import Plan, Way
from protoc_gen_crd.conversion.plan.steps import Step


def check_nothing(plan: Plan, way: Way, problems: Problems) -> None:
    """Report expressions that may give nothing for a field that the object around it must have."""
    source, target = plan.schema(way.source), plan.schema(way.target)
    for step in way.steps:
        if not isinstance(step, Cel) or step.target[-1] in BRACKETS:
            continue
        around = paths.at(target, step.target[:-1])
        needed = (around.get("required") or ()) if around is not None else ()
        if paths.at(source, step.source) is None or step.target[-1] not in needed or not _stands(way, step):
            continue
        if Expression(step.text, given(way, step, source)).may_be_nothing():
            problem = f'a field that {way.target} requires must always be there, found "{paths.shown(step.target)}" '
            problem += "made by an expression that may give nothing"
            at, excerpt = step.origin, Excerpt(step.text)
            path = at.owner() if at else ""
            hint = "have it give a value in any case, neither null nor an optional without one"
            problems.report("conversion-required", problem, at, path=path, hint=hint, excerpt=excerpt)


def _stands(way: Way, step: Step) -> bool:
    """Whether anything else leads to the object around what a step writes."""
    around: Path = step.target[:-1]
    others = [one for one in way.steps if one is not step]
    entered = any(isinstance(one, Each) and one.made == around for one in others)
    return not around or entered or any(path[: len(around)] == around for one in others for path in one.writes())
