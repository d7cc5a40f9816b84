"""What is said of two versions of which none is the hub: it must be what comes of going through it.

Objects convert by way of the hub, whatever is said. kcp composes nothing, so a file for it names all pairs; fields may
say of all other versions what they are there, so that another version can be the hub later.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from itertools import combinations
from typing import Any

from protoc_gen_crd.base.diagnostics import Place, Problems, Severity
from protoc_gen_crd.conversion.derive.declared import placed
from protoc_gen_crd.conversion.derive.spelled import read
from protoc_gen_crd.conversion.plan.changing import Cel
from protoc_gen_crd.conversion.plan.containers import Each, ToList, ToMap
from protoc_gen_crd.conversion.plan.paths import METADATA, WITHIN, Path, at
from protoc_gen_crd.conversion.plan.plan import Plan, Way
from protoc_gen_crd.conversion.plan.steps import Copy, Duplicate, Fields, Keep, Loose, Step
from protoc_gen_crd.conversion.rules.ruled import derive
from protoc_gen_crd.conversion.rules.rules import Direction, RuleFile
from protoc_gen_crd.schema.types import Schema

_UNKNOWN = "what more than one step changes"
_PLAIN = (Copy, Duplicate, Loose)
_KEY = "{key}"  # of an entry of a map


def check_beside(rules: RuleFile, plan: Plan, schemas: Mapping[str, Schema], problems: Problems) -> None:
    """Report rules that differ from the conversion by way of the hub, unless it is made of them."""
    heard = {place for pair in plan.pairs for place in pair.heard}
    for one in rules.directions:
        ways = _ways(plan, one.source, one.target)
        if ways is not None and one.source != one.target:
            for step in _steps(one, rules, schemas, problems):
                if step.origin not in heard:
                    _compare(step, ways, problems)


def check_fields(plan: Plan, schemas: Mapping[str, Schema], problems: Problems) -> frozenset[Place]:
    """Report declarations that differ from the conversion by way of the hub; the places of all that name such pairs."""
    seen: set[Place] = set()
    for ends in combinations([pair.spoke for pair in plan.pairs], 2):
        places = {*_naming(ends, schemas), *_naming((ends[1], ends[0]), schemas)}
        if not places:
            continue
        found = Problems()
        pair = derive(ends, (schemas[ends[0]], schemas[ends[1]]), found)
        wrong = [finding for finding in found.findings if finding.at in places]
        problems.findings += wrong
        seen |= places
        for way, _ in pair.ways():
            for step in _of(places - {finding.at for finding in wrong}, way):
                _contradict(step, _ways(plan, way.source, way.target), problems)
    return frozenset(seen)


def _ways(plan: Plan, source: str, target: str) -> tuple[Way, Way] | None:
    """The ways to the hub and from it that lead from one spoke to another."""
    known = {pair.spoke: pair for pair in plan.pairs}
    return (known[source].to_hub, known[target].from_hub) if source in known and target in known else None


def _naming(ends: tuple[str, str], schemas: Mapping[str, Schema]) -> Iterator[Place]:
    """The places of the declarations of a version that name the other one."""
    own, other = ends
    for path, one in placed(schemas[own]):
        if one.named and one.about(own, other, at(schemas[other], path)):
            yield one.origin


def _steps(one: Direction, rules: RuleFile, schemas: Mapping[str, Schema], problems: Problems) -> Iterator[Step]:
    """The steps that the rules of a direction are by themselves; what is wrong with them is reported."""
    places = {rule.origin for rule in one.rules}
    found = Problems()
    names = one.source, one.target
    given = one, rules.direction(one.target, one.source)
    pair = derive(names, (schemas[one.source], schemas[one.target]), found, given)
    problems.findings += [finding for finding in found.findings if finding.at in places]
    yield from _of(places, pair.to_hub)


def _of(places: Collection[Place | None], way: Way) -> Iterator[Step]:
    """The steps that are declared at some places."""
    yield from (step for step in way.steps if step.origin in places and not isinstance(step, Fields))


def _compare(step: Step, ways: tuple[Way, Way], problems: Problems) -> None:
    """Report a rule that differs from what comes of going through the hub, or cannot be compared with it."""
    for path in step.writes():
        direct, through = _said(step), _through(path, ways)
        if direct == through:
            continue
        place = step.origin
        problem = f"rules between other versions must say what comes of going through the hub, {ways[0].target}"
        if through == _UNKNOWN:
            hint = "see that it is so: what more than one step changes cannot be compared"
            problem += f', found "{step.shown()}"'
            problems.report("conversion-rule", problem, place, hint=hint, severity=Severity.WARNING)
        else:
            problem += f', found "{step.shown()}" where that is {through or "nothing"}'
            hint = f"give rules from and to {ways[0].target}: objects convert by way of it, and kcp alone needs others"
            severity = Severity.WARNING if not through and _is_aside(step, ways[0]) else None
            problems.report("conversion-rule", problem, place, hint=hint, severity=severity)


def _contradict(step: Step, ways: tuple[Way, Way] | None, problems: Problems) -> None:
    """Report a declaration that cannot be what comes of going through the hub."""
    if ways is None:
        return
    hub = ways[0].target
    for path in step.writes():
        through, place = _through(path, ways), step.origin
        told = any(finding.at == place for finding in problems.findings)
        if through not in (_said(step), _UNKNOWN) and not told:
            problem = f"what a field says of another version must be what comes of going through the hub, {hub}, found "
            problem += f'"{step.shown()}" of {ways[0].source} -> {ways[1].target} where that is {through or "nothing"}'
            hint = f'say what {hub} has in its place, or name another hub: hub_version: "{ways[0].source}"'
            severity = Severity.WARNING if not through and _is_aside(step, ways[0]) else None
            owner = place.owner() if place else ""
            problems.report("conversion-version", problem, place, path=owner, hint=hint, severity=severity)


def _is_aside(step: Step, way: Way) -> bool:
    """Whether somebody says of what a step reads that the hub has no place for it: neither version sees the other's."""
    kept = [one.source for one in way.steps if isinstance(one, Keep) and one.declared]
    return all(any(read[: len(one)] == one for one in kept) for read in step.reads())


def _said(step: Step) -> str:
    """A step in words that tell it from others."""
    if isinstance(step, Cel):  # or what it spells
        step = read(step.text, step.source, step.target, step.origin)
    data: dict[str, Any] = step.data()
    detail = " ".join(f"{name}={value!r}" for name, value in data.items() if name not in ("at", "step", "writes"))
    return f"{'copy' if isinstance(step, Copy | Duplicate) else data['step']} {detail}"


def _through(path: Path, ways: tuple[Way, Way]) -> str:
    """What a field is made of by way of the hub, in the same words; empty for nothing."""
    last = _maker(path, ways[1])
    if last is None:
        return _UNKNOWN if _in_parts(path, ways[1]) else ""
    befores = [_maker(read, ways[0]) for read in last.reads()]
    known = [one for one in befores if one is not None]
    if last.reads() and not known:
        return _UNKNOWN if any(_in_parts(read, ways[0]) for read in last.reads()) else ""
    if all(type(one) in _PLAIN for one in known):
        moved = {read: one.source for read, one in zip(last.reads(), known, strict=False)}
        return _said(_reading(last, moved))
    return _said(known[0]) if type(last) in _PLAIN else _UNKNOWN


def _in_parts(path: Path, way: Way) -> bool:
    """Whether a way makes a value of several steps, or what is around it in a way of its own."""
    made = [written for step in way.steps for written in step.writes()]
    return any(written[: len(path)] == path or WITHIN in written for written in made)


def _reading(step: Step, moved: Mapping[Path, Path]) -> Step:
    """A step that reads the same from elsewhere."""
    changes: dict[str, Any] = {"source": moved.get(step.source, step.source)}
    if hasattr(step, "more"):
        changes["more"] = tuple([moved.get(path, path) for path in step.more])
    made: Step = step.replace(**changes)  # type: ignore[attr-defined]
    return made


def _key(path: Path, step: Each) -> Step | None:
    """What makes the key of an entry, or the field of an item that holds one; None where that is another field."""
    ends = [(*step.inside, _KEY), (*step.made, _KEY)]
    if isinstance(step, ToList):
        end = isinstance(step, ToMap)
        ends[not end] = (*ends[not end][:-1], step.key)
    return Copy(ends[0], path, step.origin) if path == ends[1] else None


def _maker(path: Path, way: Way) -> Step | None:
    """The step of a way that writes a field, or copies what is around it: then of the field alone."""
    for step in way.steps:
        if isinstance(step, Each) and (key := _key(path, step)):
            return key
        for written in () if isinstance(step, Fields) else step.writes():
            if written == path:
                return step
            if isinstance(step, Copy) and path[: len(written)] == written:
                return Copy((*step.source, *path[len(written) :]), path, step.origin)
    return Copy(path, path, declared=False) if path[:1] == METADATA else None  # all versions have it
