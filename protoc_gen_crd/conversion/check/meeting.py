"""Members of a oneof that a way may bring together, since in the version that they come from they are none."""

from __future__ import annotations

from protoc_gen_crd.base.diagnostics import Problems
from protoc_gen_crd.conversion.plan import paths
from protoc_gen_crd.conversion.plan.alternatives import apart
from protoc_gen_crd.conversion.plan.changing import Call, Cel
from protoc_gen_crd.conversion.plan.paths import Path
from protoc_gen_crd.conversion.plan.plan import Way
from protoc_gen_crd.conversion.plan.steps import Fields, Step
from protoc_gen_crd.schema.types import Schema


def check_meeting(way: Way, path: Path, has: Schema, problems: Problems) -> None:
    """Report an object of which a version takes one field at a time, unless it is said when the others are made."""
    for group in apart(has):
        first, *others = [name for name in group if _is_free(way, (*path, name))] or ("",)
        if not others:
            continue
        names = ", ".join(f'"{name}"' for name in (first, *others[:-1]))
        problem = f'a version should take what the other one takes, found {names} and "{others[-1]}" of '
        problem += f'"{paths.shown(path)}" in {way.target}, which takes one at a time, where {way.source} takes several'
        at = has.place("oneOf") or has.origin
        hint = f'make "{others[0]}" by an expression that gives nothing beside "{first}", such as '
        hint += f'"has({_looked_at(way, (*path, first))}) ? optional.none() : optional.of(self)": then it is put aside'
        problems.report("conversion-narrowed", problem, at, path=at.owner() if at else "", hint=hint)


def _is_free(way: Way, member: Path) -> bool:
    """Whether a member is made whatever else there is."""
    return any(_is_about(step, member) and not _asks(step) for step in way.steps)


def _is_about(step: Step, member: Path) -> bool:
    return not isinstance(step, Fields) and any(paths.overlap(path, member) for path in step.writes())


def _asks(step: Step) -> bool:
    """Whether it may be that a step gives nothing because of what else there is."""
    return isinstance(step, Call) or (isinstance(step, Cel) and "?" in step.text)


def _looked_at(way: Way, member: Path) -> str:
    """How expressions name what a member is made of."""
    step = next((step for step in way.steps if _is_about(step, member)), None)
    source = step.source if step is not None and len(step.target) >= len(member) else member
    scope = paths.scope(source)
    return f"item.{paths.shown(source[len(scope) :])}" if scope else f"root.{paths.shown(source)}"
