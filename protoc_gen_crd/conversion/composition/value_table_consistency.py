"""Consistency of value tables between two spokes with the conversion through the hub.

If two values of a spoke have one counterpart in the hub, only the first of them is converted back. Another spoke can
declare the other one as the counterpart of its own value. Then the hub would decide which value a client reads.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import permutations

from protoc_gen_crd.conversion.composition.field_counterparts import get_table
from protoc_gen_crd.conversion.composition.pair_completion import complete_pair
from protoc_gen_crd.conversion.composition.spoke_consistency import find_writer
from protoc_gen_crd.conversion.composition.version_graph import VersionGraph
from protoc_gen_crd.conversion.plan.copy_steps import Copy
from protoc_gen_crd.conversion.plan.paths import find_schema, strip_object_scopes
from protoc_gen_crd.conversion.plan.plan import Direction, Plan, VersionPair
from protoc_gen_crd.conversion.plan.step_base import Step
from protoc_gen_crd.conversion.plan.value_steps import ValueTable
from protoc_gen_crd.findings.finding import Problems
from protoc_gen_crd.schema.schema import Schema

_EMPTY_SCHEMA = Schema({})


def check_value_tables(plan: Plan, chains: VersionGraph, problems: Problems) -> None:
    """Report values that spokes convert differently between each other and through the hub.

    Args:
        plan: The conversions from and to the hub.
        chains: The pairs of versions of the kind.
        problems: Receives the findings.
    """
    served = {version.name for version in plan.crd.versions if version.served}
    with_merged_values = {pair.spoke for pair in plan.pairs if any(_find_merged_values(plan, pair))}
    for pair, other in permutations(plan.pairs, 2):
        if other.spoke in with_merged_values and not served.isdisjoint((pair.spoke, other.spoke)):
            direct = complete_pair(chains, pair.spoke, other.spoke, Problems()).to_hub
            for step in direct.steps:
                if isinstance(step, ValueTable):
                    _compare_table(step, plan, (pair, other), problems)


def _find_merged_values(plan: Plan, pair: VersionPair) -> Iterator[ValueTable]:
    """Yield the tables that convert several values of a spoke to one value of the hub."""
    for step in pair.to_hub.steps:
        if isinstance(step, ValueTable):
            values = _list_values(plan, pair.spoke, (step,))
            if len({_map_value(value, step) for value in values}) < len(values):
                yield step


def _list_values(plan: Plan, version: str, steps: Sequence[Step]) -> Sequence[str]:
    """Return the values of the enum that the first step reads; without an enum, those of the tables."""
    schema = find_schema(plan.get_schema(version), strip_object_scopes(steps[0].source)) or _EMPTY_SCHEMA
    values = schema.get("enum") or [value for step in steps for pair in get_table(step).items() for value in pair]
    return [*dict.fromkeys(value for value in values if isinstance(value, str))]


def _compare_table(step: ValueTable, plan: Plan, pairs: tuple[VersionPair, VersionPair], problems: Problems) -> None:
    """Report a value that a table converts differently than the tables through the hub."""
    own, other = pairs
    last = _find_value_step(step.target, other.from_hub)
    first = _find_value_step(last.source, own.to_hub) if last is not None else None
    back = _find_value_step(step.source, own.from_hub)
    place = step.origin
    if last is None or first is None or back is None or any(finding.at == place for finding in problems.findings):
        return
    for value in _list_values(plan, own.spoke, (step, first, last, back)):
        in_hub = _map_value(value, first)
        results = _map_value(value, step), _map_value(in_hub, last)
        # Other values are in the conversion data of the hub, from which they are converted directly.
        if _map_value(in_hub, back) == value and results[0] != results[1]:
            problem = f'"{step.format()}" from {own.spoke} to {other.spoke} differs from the conversion through the '
            problem += f'hub {plan.hub}: "{value}" becomes "{results[0]}" instead of "{results[1]}"'
            hint = f'map "{results[0]}" of {other.spoke} to its value in {plan.hub} before "{results[1]}", '
            hint += f'or set another hub: hub_version: "{other.spoke}"'
            owner = place.find_owner() if place else ""
            problems.report("conversion-version", problem, place, path=owner, hint=hint)
            return


def _find_value_step(path: tuple[str, ...], direction: Direction) -> Step | None:
    """Return the step that writes a field, if it copies or maps the value."""
    step = find_writer(path, direction)
    return step if isinstance(step, ValueTable) or type(step) is Copy else None


def _map_value(value: str, step: Step) -> str:
    return get_table(step).get(value, value)
