"""The fields of a version that nothing speaks of on the way to another one: they would be lost."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from protoc_gen_crd.base.diagnostics import Place, Problems, Severity
from protoc_gen_crd.conversion.derive.fits import CONTAINERS, shape
from protoc_gen_crd.conversion.derive.sides import OF_ALL
from protoc_gen_crd.conversion.plan import paths
from protoc_gen_crd.conversion.plan.containers import Gather, Own, ToMap
from protoc_gen_crd.conversion.plan.paths import BRACKETS, ITEM, VALUE, Path
from protoc_gen_crd.conversion.plan.plan import Way
from protoc_gen_crd.conversion.plan.steps import Fields, Keep
from protoc_gen_crd.schema.types import Schema


def refusals(problems: Problems) -> Collection[Place | None]:
    """The places of what has been refused."""
    known = (one for one in problems.findings if one.severity in (None, Severity.ERROR))
    return {finding.at for finding in known if finding.rule != "conversion-narrowed"}  # which is a warning by itself


def unaccounted(ways: tuple[Way, Way], root: Schema) -> Iterator[tuple[Path, Schema]]:
    """The fields of the source of a way that are not converted both ways, kept or dropped on purpose."""
    way, back = ways
    kept = [path for step in way.steps if isinstance(step, Keep) for path in step.reads()]
    read = [path for step in way.steps if not isinstance(step, Fields | Gather) for path in step.reads()]
    read += [step.source for step in way.steps if isinstance(step, Gather)]
    read += [step.target for step in back.steps if isinstance(step, Own)]  # functions are given all of an object
    written = [path for step in back.steps if not isinstance(step, Fields) for path in step.writes()]
    kept += [(*step.inside, step.key) for step in way.steps if isinstance(step, ToMap)]
    entered = [step.source for step in way.steps if isinstance(step, Fields)]
    kept, read, written, entered = ([*map(paths.bare, each)] for each in (kept, read, written, entered))
    yield from _lost(root, kept, (read, written), entered)


def _lost(
    root: Schema, kept: list[Path], both: tuple[list[Path], list[Path]], entered: list[Path]
) -> Iterator[tuple[Path, Schema]]:
    """The fields that nothing speaks of, each with all that is below it."""
    read, written = map(set, both)
    aside = set(kept)
    around = {one[:cut] for each in (kept, *both, entered) for one in each for cut in range(len(one) + 1)}
    stack: list[tuple[Path, Schema]] = [
        ((name,), child) for name, child in root.properties.items() if name not in OF_ALL
    ]
    while stack:
        path, schema = stack.pop()
        if _above(path, aside) or (_above(path, read) and _above(path, written)):
            continue
        below = list(_below(path, schema))
        if below and (path in around or path[-1] in BRACKETS):
            stack += reversed(below)
        elif not _empty(schema):
            yield path, schema


def _above(path: Path, known: set[Path]) -> bool:
    return any(path[:cut] in known for cut in range(len(path) + 1))


def _below(path: Path, schema: Schema) -> Iterator[tuple[Path, Schema]]:
    for step, child in ((ITEM, schema.items), (VALUE, schema.additional), *schema.properties.items()):
        if isinstance(child, Schema):
            yield (*path, step), child


def _empty(schema: Schema) -> bool:
    """Whether an object can hold nothing."""
    return shape(schema) in CONTAINERS and not any(True for _ in _below((), schema))
