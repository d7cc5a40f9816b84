"""The bounds that make rules and schemas of the CRDs in `testdata/cost` fit, as we say."""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any

from protoc_gen_crd.admission.crd.rules.bound_suggestions import BoundSuggestion
from protoc_gen_crd.admission.crd.rules.cost_report import report_costs
from protoc_gen_crd.admission.crd.rules.rule_estimates import RuleEstimator
from protoc_gen_crd.crd.crd_decoder import decode
from protoc_gen_crd.yaml import reader

FOLDER = Path(__file__).parents[3] / "testdata" / "cost"
JUDGED = FOLDER / "judged.json"
FEW = 30_000  # estimated nodes, too few for all suggestions for `wide`
Json = dict[str, Any]


def cases() -> dict[str, Json]:
    """The CRDs by name."""
    cases_by_name = {}
    for path in sorted(FOLDER.glob("*.yaml")):
        (document,) = reader.read(path.read_bytes(), path.name)
        cases_by_name[path.stem] = document.value
    return cases_by_name


def claims(crd: Json, minor: int) -> Iterator[tuple[str, Json, int]]:
    """The path of a rule or schema, places with keywords, and the largest bound for them that suffices, 0 for none."""
    decoded = decode(crd).crd
    assert decoded is not None
    for schema in report_costs(decoded, [minor], RuleEstimator(), effort=FEW):
        for path, fit in [*[(rule.path, rule.suggestion) for rule in schema.rules], (schema.path, schema.suggestion)]:
            for places, bound in _of_fit(fit):
                yield path, places, bound


def _of_fit(fit: BoundSuggestion | None) -> Iterator[tuple[Json, int]]:
    if fit is None:
        return
    alone = {factor.steps: bound for factor, bound in fit.single_bounds}
    for factor in fit.missing_bounds[: len(fit.missing_bounds) - fit.skipped_factors]:
        yield {"".join(factor.steps): factor.keyword}, alone.get(factor.steps, 0)
    yield {"".join(factor.steps): factor.keyword for factor in fit.missing_bounds}, fit.common_bound


def bounded(crd: Json, places: Json, bound: int) -> Json:
    """The CRD with this bound at these places of each version's schema."""
    copy = deepcopy(crd)
    for version in copy["spec"]["versions"]:
        for place, keyword in places.items():
            node = version["schema"]["openAPIV3Schema"]
            for step in filter(None, place.split(".")):
                name, _, key = step.partition("[")
                node = node[name][key.removesuffix("]")] if key else node[name]
            node[keyword] = bound
    return copy
