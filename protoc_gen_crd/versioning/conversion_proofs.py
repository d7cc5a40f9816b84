"""The proof of declared conversions as an item of the checklist: round trips of random objects."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from protoc_gen_crd.comparison.crd_checklist import ChecklistItem
from protoc_gen_crd.conversion.codegen.handwritten_functions import find_required_functions, get_converters_folder
from protoc_gen_crd.conversion.codegen.module_compiler import load_converter
from protoc_gen_crd.conversion.plan.plan import Plan
from protoc_gen_crd.conversion.plan_builder import build_plans
from protoc_gen_crd.conversion.proof.prover import Prover
from protoc_gen_crd.conversion.proof.round_trip_laws import LawViolation
from protoc_gen_crd.crd.crd import Crd
from protoc_gen_crd.findings.finding import Problems
from protoc_gen_crd.settings.settings import Settings

_OBJECTS = 50  # of each direction; `convert --prove` uses more


def check_conversions(crds: Sequence[Crd], settings: Settings) -> Iterator[ChecklistItem]:
    """Require that the declared conversions of changed kinds keep all values in round trips."""
    for plan in build_plans(crds, settings, Problems()):
        kind = f"{plan.crd.group}/{plan.crd.names.kind}"
        problem = _find_problem(plan, settings)
        requirement = f"the conversion of {kind} keeps all values in round trips{problem and f' ({problem})'}"
        hint = "run `protoc-gen-crd convert --prove` with the same paths"
        yield ChecklistItem("conversion-proof", kind, requirement, not problem, hint, plan.crd.get_place("conversion"))


def _find_problem(plan: Plan, settings: Settings) -> str:
    """Describe the first violation of a law, or why there is no proof; empty if the conversion is proven."""
    try:
        folder = get_converters_folder(settings) if find_required_functions(plan) else None
        convert = load_converter(plan, folder) if folder else load_converter(plan)
    except (Exception, SystemExit) as error:  # noqa: BLE001 - the functions are code of the user
        return f"its functions cannot be loaded: {type(error).__name__}: {error}"
    proofs = Prover(_OBJECTS, settings.seed).prove(plan, convert)
    return next((_format(violation) for proof in proofs for violation in proof.violations), "")


def _format(violation: LawViolation) -> str:
    where = f" at {violation.path}" if violation.path else ""
    return f"{violation.law}: {violation.detail}{where} from {violation.source} to {violation.target}"
