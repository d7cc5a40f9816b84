"""Direct conversions between spokes, for fields that the hub does not have."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, takewhile

from protoc_gen_crd.conversion.checks.lost_fields import LostField
from protoc_gen_crd.conversion.checks.plan_check import check_pair
from protoc_gen_crd.conversion.composition.pair_completion import complete_pair
from protoc_gen_crd.conversion.composition.undeclared_data import keep_undeclared
from protoc_gen_crd.conversion.composition.version_graph import VersionGraph
from protoc_gen_crd.conversion.plan import paths
from protoc_gen_crd.conversion.plan.container_steps import HandwrittenObject, ListToMap, UnwrapObject
from protoc_gen_crd.conversion.plan.conversion_data_entries import ConversionDataEntry, find_conversion_data
from protoc_gen_crd.conversion.plan.copy_steps import CopyWithDefault, Default, Keep
from protoc_gen_crd.conversion.plan.paths import BRACKETS, Path
from protoc_gen_crd.conversion.plan.plan import Gap, Plan, VersionPair
from protoc_gen_crd.conversion.plan.value_steps import FunctionCall
from protoc_gen_crd.findings.finding import Problems
from protoc_gen_crd.findings.severity_policy import has_error


class DirectConversions:
    """The conversions between spokes that both keep data, each derived when it is needed, and the gaps.

    A gap is where none can be derived. Any two served versions can share fields that the hub lacks, so there is a
    conversion for each pair of them. Clients never request the other versions, so pairs of these have none: only the
    number of served versions counts twice.
    """

    def __init__(self, plan: Plan, chains: VersionGraph) -> None:
        """Take the conversions from and to the hub, and the pairs of versions of the kind."""
        self.plan, self._chains = plan, chains
        self._served = {version.name for version in plan.crd.versions if version.served}
        self._kept = {pair.spoke: _find_kept(pair) for pair in plan.pairs}
        self._listed_maps = {pair.spoke: _find_listed_maps(pair) for pair in plan.pairs}
        self._with_defaults = {pair.spoke for pair in plan.pairs if _has_default(pair)}
        self._functions = {name for pair in plan.pairs for name in _functions(pair)}
        self._order = {spoke: index for index, spoke in enumerate(self._kept)}
        self._found: dict[tuple[str, str], tuple[VersionPair | None, tuple[Gap, ...]]] = {}

    def list_ends(self) -> Iterator[tuple[str, str]]:
        """Yield each pair of spokes once."""
        return combinations(self._kept, 2)

    def find(self, spoke: str, other: str) -> tuple[VersionPair | None, tuple[Gap, ...]]:
        """Return the conversion between two spokes in any order, None if there is none, and its gaps."""
        spoke, other = sorted((spoke, other), key=self._order.__getitem__)
        if (spoke, other) not in self._found:
            self._found[spoke, other] = self._find(spoke, other)
        return self._found[spoke, other]

    def _find(self, spoke: str, other: str) -> tuple[VersionPair | None, tuple[Gap, ...]]:
        kept = self._kept
        ordered = self._listed_maps[spoke] & self._listed_maps[other]
        if not (kept[spoke] or kept[other] or ordered or {spoke, other} & self._with_defaults):
            return None, ()  # the hub represents all of their data, and nothing else
        if self._served.isdisjoint((spoke, other)):
            ends = (spoke, other), (other, spoke)
            return None, tuple([Gap(*names, fields) for names in ends if (fields := _fields(kept, names[0]))])
        pair, sound = _derived(self.plan, self._chains, spoke, other)
        if sound and _functions(pair) <= self._functions:
            return pair, ()
        return None, tuple(_gaps(pair, kept)) or (Gap(spoke, other, ()),)

    def can_have_gap(self, spoke: str, other: str) -> bool:
        """Return false if both spokes cannot have data that is not converted between them."""
        is_kept = bool(_values(self._kept[spoke]) and _values(self._kept[other]))
        served = not self._served.isdisjoint((spoke, other))
        return is_kept and not (served and self._chains.are_fields_independent(spoke, other))


def with_direct(plan: Plan, chains: VersionGraph, *, only_gaps: bool = False) -> Plan:
    """Add the conversions between spokes that both keep data, and the gaps where none can be derived.

    Args:
        plan: The conversions from and to the hub.
        chains: The pairs of versions of the kind.
        only_gaps: Whether to leave out pairs that cannot have a gap. Their conversions are needed for modules only.
    """
    conversions = DirectConversions(plan, chains)
    ends = conversions.list_ends()
    found = [conversions.find(*pair) for pair in ends if not only_gaps or conversions.can_have_gap(*pair)]
    return plan.replace(
        direct=tuple([pair for pair, _ in found if pair is not None]),
        gaps=tuple([gap for _, gaps in found for gap in gaps]),
    )


def with_direct_on_demand(plan: Plan, chains: VersionGraph) -> Plan:
    """Add the conversions between spokes, for callers that need few of them."""
    return plan.replace(direct_on_demand=DirectConversions(plan, chains))


def _find_kept(pair: VersionPair) -> tuple[ConversionDataEntry, ...]:
    """Return what a spoke keeps: values, and the further items of lists whose first item the hub has."""
    lists = (ConversionDataEntry(step.source) for step in pair.to_hub.steps if isinstance(step, UnwrapObject))
    return find_conversion_data(pair.to_hub, pair.from_hub, lists)


def _find_listed_maps(pair: VersionPair) -> set[Path]:
    """Return the maps of the hub that are lists in a spoke, which keeps the order of their items."""
    return {step.target for step in pair.to_hub.steps if isinstance(step, ListToMap)}


def _has_default(pair: VersionPair) -> bool:
    """Return true if the hub has a default for a field that the spoke lacks, which conversion data would contradict."""
    return any(isinstance(step, Default | CopyWithDefault) for step in pair.to_hub.steps)


def _derived(plan: Plan, chains: VersionGraph, spoke: str, other: str) -> tuple[VersionPair, bool]:
    """The conversion between two spokes, and whether the declarations leave nothing open."""
    if chains.are_fields_independent(spoke, other):
        return chains.derive_pair(spoke, other)[0], True
    problems = Problems()
    pair = keep_undeclared(complete_pair(chains, spoke, other, problems), plan.schemas)
    lost_fields: list[LostField] = []
    check_pair(plan.replace(hub=other, pairs=(pair,)), pair, problems, lost_fields, only_errors=True)
    return pair, not (pair.reported_fields or lost_fields or has_error(problems.findings, (), complete=True))


def _functions(pair: VersionPair) -> set[str]:
    """The hand-written functions that a conversion calls."""
    steps = [step for way, _ in pair.get_directions() for step in way.steps]
    return {step.expression for step in steps if isinstance(step, FunctionCall)} | {
        step.function for step in steps if isinstance(step, HandwrittenObject)
    }


def _gaps(pair: VersionPair, kept: Mapping[str, Sequence[ConversionDataEntry]]) -> Iterator[Gap]:
    """The gaps in both directions: fields that a spoke keeps, unless they are declared to have no counterpart."""
    for (way, _), (back, _) in (pair.get_directions(), pair.get_directions()[::-1]):
        absent = {
            paths.strip_object_scopes(step.source) for step in way.steps if isinstance(step, Keep) and step.declared
        }
        fields = _values(kept[way.source]) - absent
        if fields and _values(kept[back.source]):
            yield Gap(way.source, way.target, tuple(sorted({_outside_lists(path) for path in fields})))


def _fields(kept: Mapping[str, Sequence[ConversionDataEntry]], spoke: str) -> tuple[Path, ...]:
    """Return the fields that a spoke keeps."""
    return tuple(sorted({_outside_lists(path) for path in _values(kept[spoke])}))


def _values(entries: Sequence[ConversionDataEntry]) -> set[Path]:
    """The paths of the values among what a spoke keeps."""
    return {paths.strip_object_scopes(entry.path) for entry in entries if not (entry.empty or entry.absent)}


def _outside_lists(path: Path) -> Path:
    """A path up to the first list or map on it, whose items conversion data names by their keys."""
    return tuple(takewhile(lambda name: name not in BRACKETS, path))
