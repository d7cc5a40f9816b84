"""What a version demands that the other one does not: required fields, and bounds of values that are carried."""

from __future__ import annotations

from collections.abc import Iterator

from protoc_gen_crd.base.diagnostics import Problems
from protoc_gen_crd.conversion import paths
from protoc_gen_crd.conversion.containers import ByHand, Own
from protoc_gen_crd.conversion.paths import Path
from protoc_gen_crd.conversion.plan import Plan, Way
from protoc_gen_crd.conversion.sides import OF_ALL
from protoc_gen_crd.conversion.steps import Copy, Default, Defaulted, Fields, Step
from protoc_gen_crd.schema.keywords import KEYWORDS, TIGHTENS_UP
from protoc_gen_crd.schema.types import Schema

_BOUNDS = tuple([name for name, keyword in KEYWORDS.items() if keyword.tightens])
_EXACT = ("pattern", "multipleOf")

Nodes = tuple[Path, Schema, Path, Schema]  # what is converted, and what it becomes


def check_bounds(plan: Plan, way: Way, problems: Problems) -> None:
    """Report required fields that may be missing, and bounds that values may break."""
    makers = {path: step for step in way.steps if not isinstance(step, Fields) for path in step.writes()}
    for nodes in _nodes(plan, way):
        _check_required(way, nodes, makers, problems)
        _check_narrowed(way, nodes, problems)


def _nodes(plan: Plan, way: Way) -> Iterator[Nodes]:
    """Each node that is carried or moved as it is, with its counterpart."""
    source, target = plan.schema(way.source), plan.schema(way.target)
    yield (), source, (), target
    for step in way.steps:
        if isinstance(step, Copy) and not (paths.is_metadata(step.source) or paths.is_metadata(step.target)):
            yield from _below(step, source, target)


def _below(step: Copy, source: Schema, target: Schema) -> Iterator[Nodes]:
    """The nodes of a step: all that is below where it copies, one where other steps go on."""
    ends = (step.inside, step.made) if isinstance(step, ByHand) else (step.source, step.target)
    own, made = paths.at(source, ends[0]), paths.at(target, ends[1])
    stack = [(ends[0], own, ends[1], made)] if own and made else []
    while stack:
        here, schema, there, other = stack.pop()
        yield here, schema, there, other
        for name in (*schema.properties, paths.ITEM, paths.VALUE):
            if isinstance(step, Fields) and name in schema.properties:
                continue
            one, two = paths.child(schema, name), paths.child(other, name)
            if one is not None and two is not None and one is not two:
                stack.append(((*here, name), one, (*there, name), two))


def _check_required(way: Way, nodes: Nodes, makers: dict[Path, Step], problems: Problems) -> None:
    here, schema, there, other = nodes
    for name in other.get("required") or ():
        path = (*there, name)
        if (name in OF_ALL and not there) or _always((*here, name), path, schema, makers):
            continue
        field = paths.child(other, name)
        at = field.origin if field else other.origin
        problem = f'a field that {way.target} requires must always be there, found "{paths.shown(path)}" missing'
        problems.report(
            "conversion-required",
            f"{problem} where {way.source} gives none",
            at,
            path=at.owner() if at else "",
            hint="give a default: conversion {default: ...}, or require what it is made of",
        )


def _always(source: Path, target: Path, schema: Schema, makers: dict[Path, Step]) -> bool:
    """Whether a field of the target is there in every object."""
    step = makers.get(target) or makers.get(paths.bare(target))
    if isinstance(step, Own):
        return True
    if step is None:
        inside = any(path[: len(target)] == target for path in makers)
        return inside or source[-1] in (schema.get("required") or ())
    if isinstance(step, Default | Defaulted):
        return True
    reads = step.reads()
    required = schema.get("required") or ()
    return any(read == source[:-1] or (read[:-1] == source[:-1] and read[-1] in required) for read in reads)


def _check_narrowed(way: Way, nodes: Nodes, problems: Problems) -> None:
    _, schema, there, other = nodes
    for keyword in (*_BOUNDS, *_EXACT):
        wanted, known = other.get(keyword), schema.get(keyword)
        if wanted is None or wanted == known or not _tighter(keyword, wanted, known):
            continue
        at = other.place(keyword)
        found = f'{keyword} {wanted} of "{paths.shown(there)}" in {way.target}'
        problem = f"a version should take what the other one takes, found {found}"
        was = f"{known} in {way.source}" if known is not None else f"none in {way.source}"
        problems.report("conversion-narrowed", f"{problem} and {was}", at, path=at.owner() if at else "")


def _tighter(keyword: str, wanted: float, known: float | None) -> bool:
    if keyword in _EXACT or known is None:
        return not (keyword.startswith("min") and wanted <= 0 and keyword != "minimum")
    return wanted > known if KEYWORDS[keyword].tightens == TIGHTENS_UP else wanted < known
