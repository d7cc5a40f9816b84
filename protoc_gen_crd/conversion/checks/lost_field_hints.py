"""Find the lost fields of a pair of versions, with hints how to declare their counterparts."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from protoc_gen_crd.conversion.checks.lost_fields import LostField, find_unaccounted_fields, get_rejected_places
from protoc_gen_crd.conversion.derivation.conversion_options import get_plural_of, iterate_declarations
from protoc_gen_crd.conversion.document_hints import choose_hint
from protoc_gen_crd.conversion.plan import paths
from protoc_gen_crd.conversion.plan.copy_steps import ObjectStep
from protoc_gen_crd.conversion.plan.paths import Path
from protoc_gen_crd.conversion.plan.plan import Direction, Plan
from protoc_gen_crd.conversion.plan.step_base import Step
from protoc_gen_crd.findings.finding import Problems
from protoc_gen_crd.kubernetes.api_version_order import get_age_key

_DECLARATION_HINT = """
    declare its counterpart with conversion {renamed_from: "..."} or another option, keep it in the conversion-data
    annotation with conversion {preserved: true}, or lose it with conversion {dropped: true}"""

_RULE_HINT = """
    name it in a rule of each direction, as the source and as the destination, or in "preserve" of this direction to
    keep it in the conversion-data annotation, or in "drop" to lose it"""


def find_lost_fields(
    plan: Plan, directions: tuple[Direction, Direction], faults: Sequence[tuple[str, Path]], problems: Problems
) -> Iterator[LostField]:
    """Yield fields that are neither converted in both directions, nor kept, nor dropped."""
    direction, _ = directions
    reported = [path for version, path in faults if version == direction.source]
    places = get_rejected_places(problems)
    unaccounted = tuple(find_unaccounted_fields(directions, plan.get_schema(direction.source)))
    unread = {
        name
        for declaration in (iterate_declarations(plan.get_schema(direction.target)) if unaccounted else ())
        for name in re.findall(r"\w+", declaration.invalid_text)
    }
    for path, schema in unaccounted:
        at = schema.origin
        is_rejected = path[-1] in unread or any(
            declaration.origin in places for declaration in iterate_declarations(schema)
        )
        if is_rejected or any(path[: len(reported_path)] == reported_path for reported_path in reported):
            continue  # its declaration, or one that refers to it, is reported already
        hint, use = " ".join(choose_hint(at, _DECLARATION_HINT, _RULE_HINT).split()), ""
        if get_plural_of(paths.find_schema(plan.get_schema(direction.target), path[:-1]), path[-1]):
            hint = f'keep "{path[-1]}" in {direction.target} with [deprecated = true]: '
            hint += "objects can have it without the list"
        elif (other_use := _find_other_use(path, directions)) is not None:
            step, replacements = other_use
            use = step.format()
            hint = choose_hint(at, _suggest_until(plan, path, replacements), "") + hint
        yield LostField(paths.format_path(path), direction.source, direction.target, use, at, hint)


def _find_other_use(path: Path, directions: tuple[Direction, Direction]) -> tuple[Step, Sequence[Path]] | None:
    """Return the step that uses the field of the same name in the other version, and its fields in this version."""
    direction, reverse = directions
    uses = [(step, step.get_writes(), step.get_reads()) for step in direction.steps]
    uses += [(step, step.get_reads(), step.get_writes()) for step in reverse.steps]
    using = (
        (step, own_paths)
        for step, other_paths, own_paths in uses
        if path in other_paths and not isinstance(step, ObjectStep)
    )
    return next(using, None)


def _suggest_until(plan: Plan, path: Path, replacements: Sequence[Path]) -> str:
    """Suggest the last version of a field that other fields replace; empty if all versions have these."""
    versions = sorted(plan.schemas, key=get_age_key)
    having = [
        name
        for name in versions
        if all(paths.find_schema(plan.schemas[name], replacement) for replacement in replacements)
    ]
    older = versions[: versions.index(having[0])] if having and replacements else []
    older_with_field = [name for name in older if paths.find_schema(plan.schemas[name], path) is not None]
    replacement_fields = " and ".join(f'"{paths.format_path(replacement)}"' for replacement in replacements)
    return (
        f'add until: "{older_with_field[-1]}" if {replacement_fields} replaces it in {having[0]}, or '
        if older_with_field
        else ""
    )
