"""Report fields that two steps write."""

from __future__ import annotations

from protoc_gen_crd.conversion.document_hints import choose_hint, is_document_place
from protoc_gen_crd.conversion.plan import paths
from protoc_gen_crd.conversion.plan.copy_steps import ObjectStep
from protoc_gen_crd.conversion.plan.paths import Path
from protoc_gen_crd.conversion.plan.plan import Direction
from protoc_gen_crd.conversion.plan.step_base import Step
from protoc_gen_crd.findings.finding import Place, Problems


def check_writes(direction: Direction, problems: Problems) -> None:
    """Report steps that write overlapping paths."""
    written: dict[Path, list[Step]] = {}
    inside: dict[Path, list[Step]] = {}
    for step in direction.steps:
        if isinstance(step, ObjectStep):
            continue
        for path in step.get_writes():
            above = [first for cut in range(len(path) + 1) for first in written.get(path[:cut], ())]
            for first in (*above, *inside.get(path, ())):
                _report_overlap(direction, path, (first, step), problems)
            written.setdefault(path, []).append(step)
            for cut in range(len(path)):
                inside.setdefault(path[:cut], []).append(step)


def _report_overlap(direction: Direction, path: Path, steps: tuple[Step, Step], problems: Problems) -> None:
    at = next((step.origin for step in reversed(steps) if step.declared), steps[1].origin)
    other_place = next((step.origin for step in steps if step.origin != at and step.declared), None)
    if other_place and steps[0].format() == steps[1].format():
        _report_duplicate(at, other_place, problems)
        return
    both_steps = " and ".join(f'"{step.format()}"' for step in steps)
    problem = f'field "{paths.format_path(path)}" of {direction.target} is written by two steps: {both_steps}'
    is_one_option = steps[0].declared and steps[0].origin == steps[1].origin and not is_document_place(at)
    hint = (
        "options of a message apply wherever it is used: name the field of the same object with renamed_from"
        if is_one_option
        else choose_hint(
            at, "remove one of the conversion options, or convert it to another field", "remove one of the rules"
        )
    )
    problems.report("conversion-overlap", problem, at, path=at.find_owner() if at else "", hint=hint)


def _report_duplicate(at: Place | None, other_place: Place, problems: Problems) -> None:
    """Report a step that both of its ends declare, once for both directions."""
    if not any(finding.rule == "conversion-overlap" and finding.at == at for finding in problems.findings):
        owner = other_place.find_owner()
        problem = f"duplicate conversion: also declared {f'at {owner}' if owner else 'in a rule'}"
        hint = "remove one: the other direction is derived from either"
        problems.report("conversion-overlap", problem, at, path=at.find_owner() if at else "", hint=hint)
