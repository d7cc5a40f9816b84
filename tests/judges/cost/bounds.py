"""The bounds that make rules and schemas of the CRDs in `testdata/cost` fit, as we say."""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any

from protoc_gen_crd.admission.crd.estimates import Estimator
from protoc_gen_crd.admission.crd.fits import Fit
from protoc_gen_crd.admission.crd.spending import spending
from protoc_gen_crd.base import yamlread
from protoc_gen_crd.crd.decode import decode

FOLDER = Path(__file__).parents[3] / "testdata" / "cost"
JUDGED = FOLDER / "judged.json"
FEW = 30_000  # nodes that are estimated, too few for all of what there is to tell of `wide`
Json = dict[str, Any]


def cases() -> dict[str, Json]:
    """The CRDs by name."""
    found = {}
    for path in sorted(FOLDER.glob("*.yaml")):
        (document,) = yamlread.read(path.read_bytes(), path.name)
        found[path.stem] = document.value
    return found


def claims(crd: Json, minor: int) -> Iterator[tuple[str, Json, int]]:
    """The path of a rule or schema, places with keywords, and the largest bound for them that suffices, 0 for none."""
    made = decode(crd).crd
    assert made is not None
    for schema in spending(made, [minor], Estimator(), effort=FEW):
        for path, fit in [*[(rule.path, rule.fit) for rule in schema.rules], (schema.path, schema.fit)]:
            for places, bound in _of_fit(fit):
                yield path, places, bound


def _of_fit(fit: Fit | None) -> Iterator[tuple[Json, int]]:
    if fit is None:
        return
    alone = {factor.steps: bound for factor, bound in fit.alone}
    for factor in fit.missing[: len(fit.missing) - fit.untried]:
        yield {"".join(factor.steps): factor.keyword}, alone.get(factor.steps, 0)
    yield {"".join(factor.steps): factor.keyword for factor in fit.missing}, fit.together


def bounded(crd: Json, places: Json, bound: int) -> Json:
    """The CRD with this bound at these places of each version's schema."""
    made = deepcopy(crd)
    for version in made["spec"]["versions"]:
        for place, keyword in places.items():
            node = version["schema"]["openAPIV3Schema"]
            for step in filter(None, place.split(".")):
                name, _, key = step.partition("[")
                node = node[name][key.removesuffix("]")] if key else node[name]
            node[keyword] = bound
    return made
