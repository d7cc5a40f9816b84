"""What schemas take without a field for it: unknown fields, and null where an object, an item or an entry stands.

Null in place of a single value is none in the other version, and comes back; what is said here is about the rest.
"""

from __future__ import annotations

from collections.abc import Iterator

from protoc_gen_crd.base.diagnostics import Problems
from protoc_gen_crd.conversion.derive.fits import OBJECT, loose, shape
from protoc_gen_crd.conversion.derive.sides import OF_ALL
from protoc_gen_crd.conversion.plan import paths
from protoc_gen_crd.conversion.plan.containers import ByHand, Each
from protoc_gen_crd.conversion.plan.entries import Entry
from protoc_gen_crd.conversion.plan.paths import ITEM, VALUE, Path
from protoc_gen_crd.conversion.plan.plan import Plan, Way
from protoc_gen_crd.conversion.plan.steps import Copy, Fields
from protoc_gen_crd.schema.types import PRESERVE, Schema

_Ends = tuple[Path, Path]  # of the source and of the target


def check_unseen(plan: Plan, way: Way, problems: Problems) -> None:
    """Report unknown fields that one version alone keeps, and null that it alone takes."""
    seen: set[_Ends] = set()
    for ends in _pairs(way):
        one, two = paths.at(plan.schema(way.source), ends[0]), paths.at(plan.schema(way.target), ends[1])
        if one is None or two is None or ends in seen:
            continue
        seen.add(ends)
        if shape(one) == shape(two) == OBJECT and one.get(PRESERVE) and not two.get(PRESERVE):
            hint = f"have {way.target} preserve unknown fields there as well"
            _report_unknown(way, ends[0], one, hint, problems)
        if loose(one, two):
            _report_null(way, ends, one, problems)
    read = {path for step in way.steps if not isinstance(step, Fields) for path in step.reads()}
    whole = read | {one for one, _ in seen}
    for path, schema in _open(plan.schema(way.source), ()):
        if path not in whole and not any(path[:cut] in read for cut in range(1, len(path))):
            hint = "move or preserve the whole of it, and make values of it by expressions"
            _report_unknown(way, path, schema, hint, problems)


def _open(schema: Schema, path: Path) -> Iterator[tuple[Path, Schema]]:
    """The objects below a path that name some of their fields and keep others."""
    if path and shape(schema) == OBJECT and schema.get(PRESERVE):
        yield path, schema
    inside = {**schema.properties, ITEM: schema.items, VALUE: schema.additional}
    for name, child in inside.items():
        if isinstance(child, Schema) and (path or name not in OF_ALL):
            yield from _open(child, (*path, name))


def covered(way: Way, source: Schema, target: Schema) -> Iterator[Entry]:
    """What both versions keep though one alone knows it: an unknown field that the other one has a field for.

    What is unknown here must not be taken for that field, which may be of another type and made of something else.
    """
    for ends in dict.fromkeys(_pairs(way)):
        one, two = paths.at(source, ends[0]), paths.at(target, ends[1])
        if one is None or two is None or not (one.get(PRESERVE) and two.get(PRESERVE)):
            continue
        if shape(one) == shape(two) == OBJECT:
            strange = [name for name in two.properties if name not in one.properties and name not in OF_ALL]
            yield from (Entry((*ends[0], name)) for name in strange)


def _pairs(way: Way) -> Iterator[_Ends]:
    """Objects, lists and maps, and what is in them, with what they become."""
    yield (), ()
    for step in way.steps:
        if not isinstance(step, Copy) or isinstance(step, ByHand):
            continue
        if isinstance(step, Fields):
            yield step.source, step.target
        if isinstance(step, Each):
            yield step.inside, step.made
        elif not isinstance(step, Fields):
            yield from (((*step.source, inside), (*step.target, inside)) for inside in (ITEM, VALUE))


def _report_unknown(way: Way, path: Path, had: Schema, hint: str, problems: Problems) -> None:
    at = had.place(PRESERVE) or had.origin
    known = paths.shown(path) or "the object"
    problem = f'a field must be converted, preserved or dropped, found unknown fields of "{known}" in {way.source} '
    problem += f"that {way.target} does not keep"
    hint = f"{hint}, or accept in the settings file that they are lost"
    problems.report("conversion-lost", problem, at, path=at.owner() if at else "", hint=hint)


def _report_null(way: Way, ends: _Ends, had: Schema, problems: Problems) -> None:
    at = had.place("nullable") or had.origin
    problem = f'a version should take what the other one takes, found "{paths.shown(ends[1])}" in {way.target} not '
    problem += f'nullable and "{paths.shown(ends[0])}" in {way.source} nullable'
    hint = "make both nullable, or neither: null cannot be left out there"
    problems.report("conversion-narrowed", problem, at, path=at.owner() if at else "", hint=hint)
