"""Random workloads for the admission of CRDs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from copy import deepcopy
from random import Random
from typing import Any

from protoc_gen_crd.admission.crd.rules import cost_report, rule_compiler, rule_estimates
from protoc_gen_crd.admission.server import AdmissionServer
from protoc_gen_crd.admission.verdicts import Verdict
from protoc_gen_crd.crd.crd_decoder import decode
from protoc_gen_crd.findings.finding import Problems
from protoc_gen_crd.generation.admission_findings import check_admission
from protoc_gen_crd.generation.schema_size import SchemaMeasurer
from tests.judges.crdfuzz.mutations import mutated
from tests.property.workloads.draws import MINORS, Outcome, draw_input, format_minors, list_more, make_crd, make_version


def _format_crd_verdict(verdict: Verdict, minor: int) -> Outcome:
    lists = verdict.causes, verdict.warnings, verdict.unknown_fields
    messages = [[(cause.message, str(cause.place)) for cause in causes] for causes in lists]
    return messages, verdict.replace(minors=(minor,)).stored


_ROOT = ("maxProperties", 1), ("title", "a"), ("nullable", True), ("allOf", [{"required": ["spec"]}])


def _change_root(crd: dict[str, Any], random: Random) -> dict[str, Any]:
    """Return a CRD with a subresource `status`, sometimes with a keyword at the root that it does not allow."""
    first, *others = crd["spec"]["versions"]
    root = first["schema"]["openAPIV3Schema"] | dict(random.sample(_ROOT, random.choice((0, 0, 1))))
    changed = {**first, "schema": {"openAPIV3Schema": root}, "subresources": {"status": {}}}
    return {**crd, "spec": {**crd["spec"], "versions": [changed, *others]}}


def _change_type(crd: dict[str, Any], random: Random) -> dict[str, Any]:
    """Return a CRD in which one type is replaced."""
    changed = deepcopy(crd)
    waiting: list[Any] = [version["schema"] for version in changed["spec"]["versions"]]
    typed = []
    while waiting:
        node = waiting.pop()
        if isinstance(node, dict):
            typed += [node] if isinstance(node.get("type"), str) else []
            waiting += node.values()
    random.choice(typed)["type"] = random.choice(("", "x", "array", "string", "object"))
    return changed


def admit_crds(seeds: Iterable[int]) -> Iterator[Outcome]:
    """Verdicts on random CRDs, of which many are invalid, created and as updates."""
    server = AdmissionServer(MINORS, rule_compiler.RuleCompiler())
    for seed in list_more(seeds, 3):
        old, random = draw_input(seed)["crd"], Random(seed)
        crd = (_change_root, _change_type, mutated, mutated)[seed % 4](old, random)
        yield format_minors(server.admit_data(crd, old if seed % 3 == 0 else None), _format_crd_verdict)


_PARTS = (
    "a",
    "[a-z]",
    "(?<n>a)",
    "(?P<n>a)",
    "\\d",
    "\\p{L}",
    "\\p{Lu}",
    "\\pN",
    "(?i:K)",
    "{2}",
    "*",
    "+",
    "|",
    "(b)",
    "(",
)


def admit_patterns(seeds: Iterable[int]) -> Iterator[Outcome]:
    """Verdicts on CRDs with random patterns, of which some are valid for the Go of some versions."""
    server = AdmissionServer(MINORS)
    for seed in list_more(seeds, 5):
        random = Random(seed)
        pattern = "".join(random.choices(_PARTS, k=random.randint(1, 4)))
        version = make_version("v1", {"type": "string", "pattern": pattern}) | {"storage": True}
        yield format_minors(server.admit_data(make_crd(version)), _format_crd_verdict)


def report_costs(seeds: Iterable[int]) -> Iterator[Outcome]:
    """Estimates of the rules of random CRDs, with the bounds that are suggested."""
    estimator = rule_estimates.RuleEstimator()
    for seed in seeds:
        crd = decode(draw_input(seed)["crd"]).crd
        assert crd is not None
        yield repr(list(cost_report.report_costs(crd, MINORS, estimator, effort=1_000_000)))


def measure_schemas(seeds: Iterable[int]) -> Iterator[Outcome]:
    """Sizes of random schemas."""
    measurer = SchemaMeasurer(0, 0)
    for seed in seeds:
        crd = decode(draw_input(seed)["crd"]).crd
        assert crd is not None
        yield measurer.find_total_excess([version.schema for version in crd.versions if version.schema] * 2)


def report_findings(seeds: Iterable[int]) -> Iterator[Outcome]:
    """Return findings of random CRDs, including those behind other errors."""
    for seed in seeds:
        crd = decode(mutated(draw_input(seed)["crd"], Random(seed))).crd
        problems = Problems()
        check_admission([] if crd is None else [crd], "", problems)
        yield [(finding.rule, finding.message, finding.hint) for finding in problems.findings]
