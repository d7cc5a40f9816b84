"""Consistency of declarations between two spokes with the conversion through the hub.

Objects are converted through the hub in any case. kcp does not compose conversions, so its rule files name all pairs.
Fields may declare their counterparts in all other versions, so that another version can become the hub later.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.conversion.composition.field_counterparts import get_value_paths
from protoc_gen_crd.conversion.derivation.cel_rendering import parse_step
from protoc_gen_crd.conversion.derivation.conversion_options import ConversionDeclaration, iterate_field_declarations
from protoc_gen_crd.conversion.plan.container_steps import ContainerStep, ListToMap, MapToList
from protoc_gen_crd.conversion.plan.copy_steps import Copy, CopyNonNull, Duplicate, Keep, ObjectStep
from protoc_gen_crd.conversion.plan.paths import METADATA_PATH, OBJECT_SCOPE, Path, find_schema, strip_object_scopes
from protoc_gen_crd.conversion.plan.plan import Direction, Plan, VersionPair
from protoc_gen_crd.conversion.plan.step_base import Step
from protoc_gen_crd.conversion.plan.value_steps import CelExpression, First, Wrap
from protoc_gen_crd.conversion.rule_files.api_conversion import DirectionRules, RuleFile
from protoc_gen_crd.conversion.rule_files.rule_derivation import derive_pair
from protoc_gen_crd.findings.finding import Place, Problems, Severity
from protoc_gen_crd.schema.schema import Schema

_INCOMPARABLE = "several changes"
_COPY_STEPS = (Copy, Duplicate, CopyNonNull)
_KEY_STEP = "{key}"  # of an entry of a map


class SpokeStep(Record):
    """A step between two spokes that has no common form with the conversion through the hub, and its direction.

    `is_sound` is False if the pair has errors, so that it cannot be run.
    """

    step: Step
    pair: VersionPair
    is_rule: bool
    is_sound: bool

    @property
    def way(self) -> Direction:
        """The direction of the step."""
        return next(
            direction
            for direction, _ in self.pair.get_directions()
            if any(step is self.step for step in direction.steps)
        )


def check_spoke_rules(
    rules: RuleFile, plan: Plan, schemas: Mapping[str, Schema], problems: Problems
) -> Iterator[SpokeStep]:
    """Report rules that differ from the conversion through the hub, unless it is derived from them.

    Yields the steps that must be run for a comparison.
    """
    used = {place for pair in plan.pairs for place in pair.used_declarations}
    for direction in rules.directions:
        through_hub = _find_directions(plan, direction.source, direction.target)
        if through_hub is not None and direction.source != direction.target:
            pair, is_sound = _derive_rule_pair(direction, rules, schemas, problems)
            for step in _select_steps({rule.origin for rule in direction.rules}, pair.to_hub):
                if step.origin not in used and _compare_rule(step, through_hub, problems):
                    yield SpokeStep(step, pair, is_rule=True, is_sound=is_sound)


def check_spoke_declarations(
    plan: Plan, schemas: Mapping[str, Schema], problems: Problems
) -> tuple[frozenset[Place], tuple[SpokeStep, ...]]:
    """Report declarations that differ from the conversion through the hub.

    Returns the places of all that name two spokes, and the steps that must be run for a comparison.
    """
    seen: set[Place] = set()
    steps: list[SpokeStep] = []
    naming = {pair.spoke: _collect_naming_declarations(schemas[pair.spoke]) for pair in plan.pairs}
    for ends in combinations(naming, 2):
        places = {
            *_find_applicable_places(naming[ends[0]], ends, schemas),
            *_find_applicable_places(naming[ends[1]], ends[::-1], schemas),
        }
        if not places:
            continue
        local_problems = Problems()
        pair = derive_pair(ends, (schemas[ends[0]], schemas[ends[1]]), local_problems)
        errors = [finding for finding in local_problems.findings if finding.at in places]
        problems.findings += errors
        seen |= places
        for direction, _ in pair.get_directions():
            through_hub = _find_directions(plan, direction.source, direction.target)
            declared = _select_steps(places - {finding.at for finding in errors}, direction)
            incomparable = [
                step
                for step in declared
                if through_hub is not None and _compare_declaration(step, through_hub, problems)
            ]
            # A field that both versions have may be declared for each of them alone.
            moved = [step for step in incomparable if isinstance(step, CelExpression) and step.source != step.target]
            steps += [SpokeStep(step, pair, is_rule=False, is_sound=not local_problems.findings) for step in moved]
    return frozenset(seen), tuple(steps)


def _find_directions(plan: Plan, source: str, target: str) -> tuple[Direction, Direction] | None:
    """Return the directions from one spoke to the hub and on to another."""
    pairs = {pair.spoke: pair for pair in plan.pairs}
    return (pairs[source].to_hub, pairs[target].from_hub) if source in pairs and target in pairs else None


def _collect_naming_declarations(schema: Schema) -> Sequence[tuple[Path, ConversionDeclaration]]:
    """Return the declarations that name versions, with the paths of their fields."""
    return [
        (path, declaration) for path, declaration in iterate_field_declarations(schema) if declaration.named_versions
    ]


def _find_applicable_places(
    declarations: Sequence[tuple[Path, ConversionDeclaration]], ends: tuple[str, str], schemas: Mapping[str, Schema]
) -> Iterator[Place]:
    """Yield the places of the declarations of a version that name the other one."""
    own, other = ends
    for path, declaration in declarations:
        if declaration.is_applicable(own, other, find_schema(schemas[other], path)):
            yield declaration.origin


def _derive_rule_pair(
    direction: DirectionRules, rules: RuleFile, schemas: Mapping[str, Schema], problems: Problems
) -> tuple[VersionPair, bool]:
    """Derive rules by themselves, and report their errors. Return the pair, and whether it has no errors."""
    places = {rule.origin for rule in direction.rules}
    local_problems = Problems()
    names = direction.source, direction.target
    pair_rules = direction, rules.find_direction(direction.target, direction.source)
    pair = derive_pair(names, (schemas[direction.source], schemas[direction.target]), local_problems, pair_rules)
    problems.findings += [finding for finding in local_problems.findings if finding.at in places]
    return pair, not local_problems.findings


def _select_steps(places: Collection[Place | None], direction: Direction) -> Iterator[Step]:
    """Return the steps that are declared at some places."""
    yield from (step for step in direction.steps if step.origin in places and not isinstance(step, ObjectStep))


def _compare_rule(step: Step, directions: tuple[Direction, Direction], problems: Problems) -> bool:
    """Report a rule that differs from the conversion through the hub. Return True if it must be run for that."""
    is_incomparable = False
    for path in step.get_writes():
        direct, through = _format_comparable(step), _compose_through_hub(path, directions)
        is_incomparable |= through == _INCOMPARABLE
        if through not in (direct, _INCOMPARABLE):
            place = step.origin
            hub = directions[0].target
            problem = f'rule "{step.format()}" differs from the conversion through the hub {hub}: '
            problem += through or "no conversion"
            hint = f"add rules from and to {hub}: objects are converted through it, and only kcp needs others"
            severity = Severity.WARNING if not through and _is_kept(step, directions[0]) else None
            problems.report("conversion-rule", problem, place, hint=hint, severity=severity)
    return is_incomparable


def _compare_declaration(step: Step, directions: tuple[Direction, Direction], problems: Problems) -> bool:
    """Report a declaration that differs from the conversion through the hub. Return True if it must be run for that."""
    hub, is_incomparable = directions[0].target, False
    for path in step.get_writes():
        through, place = _compose_through_hub(path, directions), step.origin
        is_incomparable |= through == _INCOMPARABLE
        reported = any(finding.at == place for finding in problems.findings)
        if through not in (_format_comparable(step), _INCOMPARABLE) and not reported:
            problem = f'"{step.format()}" from {directions[0].source} to {directions[1].target} differs from the '
            problem += f"conversion through the hub {hub}: {through or 'no conversion'}"
            hint = f'declare the counterpart in {hub}, or set another hub: hub_version: "{directions[0].source}"'
            severity = Severity.WARNING if not through and _is_kept(step, directions[0]) else None
            owner = place.find_owner() if place else ""
            problems.report("conversion-version", problem, place, path=owner, hint=hint, severity=severity)
    return is_incomparable


def _is_kept(step: Step, direction: Direction) -> bool:
    """Return True if the sources of a step are declared to have no counterpart in the hub."""
    kept = [other.source for other in direction.steps if isinstance(other, Keep) and other.declared]
    return all(any(read[: len(path)] == path for path in kept) for read in step.get_reads())


def _format_comparable(step: Step) -> str:
    """Format a step for comparison."""
    if isinstance(step, CelExpression):  # or what it spells
        step = parse_step(step.expression, step.source, step.target, step.origin)
    data: dict[str, Any] = step.to_dict()
    detail = " ".join(f"{name}={value!r}" for name, value in data.items() if name not in ("at", "step", "writes"))
    return f"{'copy' if isinstance(step, Copy | Duplicate) else data['step']} {detail}"


def _compose_through_hub(path: Path, directions: tuple[Direction, Direction]) -> str:
    """Describe the composed conversion of a field; empty for none."""
    last = find_writer(path, directions[1])
    if last is None:
        return _INCOMPARABLE if _is_built_in_parts(path, directions[1]) else ""
    writers = [find_writer(read, directions[0]) for read in last.get_reads()]
    known_writers = [writer for writer in writers if writer is not None]
    if last.get_reads() and not known_writers:
        return _INCOMPARABLE if any(_is_built_in_parts(read, directions[0]) for read in last.get_reads()) else ""
    if all(type(writer) in _COPY_STEPS for writer in known_writers):
        moved = {read: writer.source for read, writer in zip(last.get_reads(), known_writers, strict=False)}
        return _format_comparable(_replace_sources(last, moved))
    return _format_comparable(known_writers[0]) if type(last) in _COPY_STEPS else _INCOMPARABLE


def _is_built_in_parts(path: Path, direction: Direction) -> bool:
    """Return True if several steps of a direction write a value, or an object around it is converted as a unit."""
    written_paths = [written for step in direction.steps for written in step.get_writes()]
    return any(path_written[: len(path)] == path or OBJECT_SCOPE in path_written for path_written in written_paths)


def _replace_sources(step: Step, moved: Mapping[Path, Path]) -> Step:
    """Replace the sources of a step."""
    changes: dict[str, Any] = {"source": moved.get(step.source, step.source)}
    if hasattr(step, "more"):
        changes["more"] = tuple([moved.get(path, path) for path in step.more])
    replaced: Step = step.replace(**changes)  # type: ignore[attr-defined]
    return replaced


def _find_key_step(path: Path, step: ContainerStep) -> Step | None:
    """Return the step that writes the key of an entry or the key field of an item; None for other fields."""
    ends = [(*step.source_scope, _KEY_STEP), (*step.target_scope, _KEY_STEP)]
    if isinstance(step, MapToList):
        end = isinstance(step, ListToMap)
        ends[not end] = (*ends[not end][:-1], step.key)
    return Copy(ends[0], path, step.origin) if path == ends[1] else None


def find_writer(path: Path, direction: Direction) -> Step | None:
    """Return the step that writes a field. If an object around it is copied, return a copy of the field."""
    inside = strip_object_scopes(path)
    for step in direction.steps:
        if isinstance(step, ContainerStep) and (key := _find_key_step(path, step)):
            return key
        for written in () if isinstance(step, ObjectStep) else step.get_writes():
            if written == path:
                return step
            if isinstance(step, Copy) and path[: len(written)] == written:
                return Copy((*step.source, *path[len(written) :]), path, step.origin)
        if isinstance(step, Wrap | First):
            source, target = get_value_paths(step)
            if inside[: len(target)] == target:
                return Copy((*source, *inside[len(target) :]), path, step.origin)
    return Copy(path, path, declared=False) if path[:1] == METADATA_PATH else None  # all versions have it
