"""Rules between versions of which none is the hub, as kcp needs them: they must say what comes of going through it.

Objects convert by way of the hub, whatever such rules say. kcp composes nothing, so a file for it names all pairs.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from protoc_gen_crd.base.diagnostics import Problems, Severity
from protoc_gen_crd.conversion.paths import Path
from protoc_gen_crd.conversion.plan import Plan, Way
from protoc_gen_crd.conversion.ruled import derive
from protoc_gen_crd.conversion.rules import Direction, RuleFile
from protoc_gen_crd.conversion.steps import Copy, Fields, Step
from protoc_gen_crd.schema.types import Schema

_UNKNOWN = "what more than one step changes"


def check_beside(rules: RuleFile, plan: Plan, schemas: Mapping[str, Schema], problems: Problems) -> None:
    """Report rules that differ from the conversion by way of the hub."""
    ways = {(way.source, way.target): way for pair in plan.pairs for way, _ in pair.ways()}
    for one in rules.directions:
        to_hub, from_hub = ways.get((one.source, plan.hub)), ways.get((plan.hub, one.target))
        if to_hub is not None and from_hub is not None and one.source != one.target:
            for step in _steps(one, rules, schemas, problems):
                _compare(step, (to_hub, from_hub), problems)


def _steps(one: Direction, rules: RuleFile, schemas: Mapping[str, Schema], problems: Problems) -> Iterator[Step]:
    """The steps that the rules of a direction are by themselves; what is wrong with them is reported."""
    places = {rule.origin for rule in one.rules}
    found = Problems()
    names = one.source, one.target
    given = one, rules.direction(one.target, one.source)
    pair = derive(names, (schemas[one.source], schemas[one.target]), found, given)
    problems.findings += [finding for finding in found.findings if finding.at in places]
    yield from (step for step in pair.to_hub.steps if step.origin in places and not isinstance(step, Fields))


def _compare(step: Step, ways: tuple[Way, Way], problems: Problems) -> None:
    for path in step.writes():
        direct, through = _said(step), _through(path, ways)
        if direct == through:
            continue
        at = step.origin
        problem = f"rules between other versions must say what comes of going through the hub, {ways[0].target}"
        if through == _UNKNOWN:
            hint = "see that it is so: what more than one step changes cannot be compared"
            problem += f', found "{step.shown()}"'
            problems.report("conversion-rule", problem, at, hint=hint, severity=Severity.WARNING)
        else:
            problem += f', found "{step.shown()}" where that is {through or "nothing"}'
            hint = f"give rules from and to {ways[0].target}: objects convert by way of it, and kcp alone needs others"
            problems.report("conversion-rule", problem, at, hint=hint)


def _said(step: Step) -> str:
    """A step in words that tell it from others."""
    data: dict[str, Any] = step.data()
    detail = " ".join(f"{name}={value!r}" for name, value in data.items() if name not in ("at", "step", "writes"))
    return f"{'copy' if isinstance(step, Copy) else data['step']} {detail}"


def _through(path: Path, ways: tuple[Way, Way]) -> str:
    """What a field is made of by way of the hub, in the same words; empty for nothing."""
    last = _maker(path, ways[1])
    if last is None:
        return ""
    befores = [_maker(read, ways[0]) for read in last.reads()]
    known = [one for one in befores if one is not None]
    if last.reads() and not known:
        return ""
    if all(isinstance(one, Copy) for one in known):
        moved = {read: one.source for read, one in zip(last.reads(), known, strict=False)}
        return _said(_reading(last, moved))
    return _said(known[0]) if isinstance(last, Copy) else _UNKNOWN


def _reading(step: Step, moved: Mapping[Path, Path]) -> Step:
    """A step that reads the same from elsewhere."""
    changes: dict[str, Any] = {"source": moved.get(step.source, step.source)}
    if hasattr(step, "more"):
        changes["more"] = tuple([moved.get(path, path) for path in step.more])
    made: Step = step.replace(**changes)  # type: ignore[attr-defined]
    return made


def _maker(path: Path, way: Way) -> Step | None:
    """The step of a way that writes a field, or copies what is around it: then of the field alone."""
    for step in way.steps:
        for written in () if isinstance(step, Fields) else step.writes():
            if written == path:
                return step
            if isinstance(step, Copy) and path[: len(written)] == written:
                return Copy((*step.source, *path[len(written) :]), path, step.origin)
    return None
