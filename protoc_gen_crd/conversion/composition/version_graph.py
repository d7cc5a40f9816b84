"""Conversions of versions whose fields only name the neighboring version.

A field that would be lost between two versions is followed through those between them, by age. What it is made of step
by step becomes one declaration, as if it stood at the field and named the other version.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import pairwise

from protoc_gen_crd.conversion.checks.lost_fields import find_unaccounted_fields, find_unaccounted_objects
from protoc_gen_crd.conversion.composition.cel_substitution import is_escaped, rename_self_fields
from protoc_gen_crd.conversion.composition.declared_links import DeclaredLinks
from protoc_gen_crd.conversion.composition.field_counterparts import (
    FieldLink,
    FieldTrace,
    OptionMembers,
    find_link,
    get_value_paths,
)
from protoc_gen_crd.conversion.composition.field_reach import FieldReach
from protoc_gen_crd.conversion.composition.independent_fields import IndependentFields
from protoc_gen_crd.conversion.composition.step_composition import compose_members
from protoc_gen_crd.conversion.derivation.conversion_options import ConversionDeclaration, iterate_field_declarations
from protoc_gen_crd.conversion.derivation.endpoints import is_interchangeable
from protoc_gen_crd.conversion.derivation.schema_compatibility import OBJECT, get_shape
from protoc_gen_crd.conversion.plan import paths
from protoc_gen_crd.conversion.plan.copy_steps import Default, Keep
from protoc_gen_crd.conversion.plan.paths import ITEM, VALUE, Path
from protoc_gen_crd.conversion.plan.plan import VersionPair
from protoc_gen_crd.conversion.rule_files.api_conversion import RuleFile
from protoc_gen_crd.conversion.rule_files.rule_derivation import derive_pair
from protoc_gen_crd.conversion.rule_files.rule_set import PairRules
from protoc_gen_crd.findings.finding import Finding, Place, Problems
from protoc_gen_crd.kubernetes.api_version_order import get_age_key
from protoc_gen_crd.schema.schema import CONVERSION, Schema

_PAIR_SIZE = 2  # versions of a pair without intermediate versions
DeclarationOverrides = dict[
    tuple[str, Path], tuple[ConversionDeclaration, ...]
]  # the declarations that replace those of a field of a version


class VersionGraph:
    """The pairs of versions of a kind."""

    def __init__(self, schemas: Mapping[str, Schema], rules: RuleFile | None) -> None:
        self._schemas, self._rules = schemas, rules
        self._derived_pairs: dict[tuple[str, str], tuple[VersionPair, Sequence[Finding]]] = {}
        self._moved_paths: dict[tuple[str, str], dict[Path, Path]] = {}
        self._declared_fields: dict[tuple[str, str], frozenset[Path]] = {}
        self._declarations = (
            {name: tuple(iterate_field_declarations(schema)) for name, schema in schemas.items()}
            if len(schemas) > _PAIR_SIZE
            else {}
        )
        self._links = DeclaredLinks(schemas, self._declarations, rules)
        self._versions = sorted(schemas, key=get_age_key)
        self._independent_fields = IndependentFields(schemas)
        self._reach = FieldReach(self._versions, self._find_links)
        self._naming_places = {
            declaration.origin
            for declarations in self._declarations.values()
            for _, declaration in declarations
            if declaration.named_versions
        }

    @property
    def has_intermediates(self) -> bool:
        """True if there are more than two versions."""
        return len(self._schemas) > _PAIR_SIZE

    def derive_with_overrides(
        self, ends: tuple[str, str], overrides: DeclarationOverrides
    ) -> tuple[VersionPair, Sequence[Finding]]:
        """Derive the steps of a pair with replaced declarations."""
        problems = Problems()
        schema, other_schema = (
            _override_declarations(
                self._schemas[name],
                {path: declarations for (at, path), declarations in overrides.items() if at == name},
            )
            for name in ends
        )
        pair = derive_pair(ends, (schema, other_schema), problems, self.get_rules(ends))
        return pair, problems.findings

    def get_rules(self, ends: tuple[str, str]) -> PairRules:
        """Return the rules of a pair."""
        rules = self._rules
        return (
            (rules.find_direction(*ends), rules.find_direction(ends[1], ends[0])) if rules is not None else (None, None)
        )

    def derive_pair(self, one: str, other: str) -> tuple[VersionPair, Sequence[Finding]]:
        """Derive the steps of a pair with its own declarations."""
        if (one, other) not in self._derived_pairs:
            self._derived_pairs[one, other] = self.derive_with_overrides((one, other), {})
        return self._derived_pairs[one, other]

    def are_fields_independent(self, one: str, other: str) -> bool:
        """Return True if the fields of two versions convert one by one, without errors."""
        return self._rules is None and self._independent_fields.are_independent(one, other)

    def find_schema(self, version: str, path: Path) -> Schema | None:
        """The schema at a path of a version."""
        return paths.find_schema(self._schemas[version], path)

    def get_declarations(self, version: str) -> Sequence[tuple[Path, ConversionDeclaration]]:
        """Return the declarations of a version."""
        return self._declarations[version]

    def find_lost_fields(self, pair: VersionPair) -> Iterator[tuple[str, Path]]:
        """Yield the fields of both versions that would be lost, and objects without fields and counterparts."""
        for directions in pair.get_directions():
            version = directions[0].source
            schema = self._schemas[version]
            for path, _ in (
                *find_unaccounted_fields(directions, schema),
                *find_unaccounted_objects(directions, schema),
            ):
                if (version, path) not in pair.reported_fields:
                    yield version, path

    def find_applicable_versions(self, version: str, declaration: ConversionDeclaration) -> Sequence[str]:
        """Return the versions with which a declaration of a version results in steps."""
        directions_by_version = {
            name: self._derive_ordered(version, name)[0].get_directions() for name in self._schemas if name != version
        }
        return [
            name
            for name, directions in directions_by_version.items()
            if any(step.origin == declaration.origin for direction, _ in directions for step in direction.steps)
        ]

    def find_indirect_declarations(self, used: Collection[Place]) -> Iterator[Place]:
        """Yield unused declarations without versions that convert between two other versions."""
        for version in self._schemas if self.has_intermediates else ():
            for _, declaration in self.get_declarations(version):
                if (
                    not declaration.named_versions
                    and declaration.origin not in used
                    and self.find_applicable_versions(version, declaration)
                ):
                    yield declaration.origin

    def _derive_ordered(self, one: str, other: str) -> tuple[VersionPair, Sequence[Finding]]:
        """Derive the steps of a pair, the older version first, so that both orders share a result."""
        return self.derive_pair(*((one, other) if get_age_key(one) < get_age_key(other) else (other, one)))

    def list_intermediates(self, one: str, other: str) -> Sequence[str]:
        """Return the versions between two by age, those next to the other one first."""
        at, end = self._versions.index(one), self._versions.index(other)
        return self._versions[end + 1 : at] if end < at else self._versions[at + 1 : end][::-1]

    def trace_field(self, version: str, path: Path, other: str, *, first: bool = True) -> FieldTrace | None:
        """Trace a field of a version to another; None if the trace ends before."""
        if not self._reach.can_reach(version, path, other):
            return None
        absent = None
        names = [*(() if first else (other,)), *self.list_intermediates(version, other)]
        for name, link in self._find_links(version, path, names):
            if name == other or (not link.targets and link.origins):
                chain = FieldTrace(
                    (version, other), (link,), path
                )  # a field without counterpart in the next version has none in later ones
            elif len(link.targets) == 1 and (rest := self.trace_field(name, link.targets[0], other, first=False)):
                chain = FieldTrace((version, *rest.versions), (link, *rest.links), path).simplify_split()
            elif len(link.targets) > 1 and (rest := self._trace_all(name, link, other)):
                chain = FieldTrace((version, *rest.versions), rest.links, path)
            else:
                continue
            if chain.links[-1].targets:
                return chain
            absent = absent or chain
        return absent

    def _find_links(self, version: str, path: Path, names: Sequence[str]) -> Iterator[tuple[str, FieldLink]]:
        """Yield the counterparts of a field in other versions: named ones, the next one (the last), then the rest.

        An equal name alone links only neighboring versions.
        """
        links = [
            (name, find_link(self._derive_ordered(version, name)[0], version, path, self.find_schema))
            for name in self._links.select_versions(version, path, names)
        ]
        ranks = [
            (0 if self._is_named(version, name, link) else 1 if name == names[-1] else 2 if link.origins else 3, name)
            for name, link in links
            if link is not None
        ]
        links_by_name = {name: link for name, link in links if link is not None}
        yield from (
            (name, links_by_name[name])
            for rank, name in sorted(ranks, key=lambda rank_and_name: rank_and_name[0])
            if rank < 3
        )

    def _is_named(self, one: str, other: str, link: FieldLink) -> bool:
        """Return True if rules or a declaration name both versions."""
        return any(self.get_rules((one, other))) or not self._naming_places.isdisjoint(link.origins)

    def follow_field(self, version: str, path: Path, other: str, *, absent: bool = False) -> FieldTrace | None:
        """Follow a field through all intermediate versions; None if one has no or several counterparts.

        A field that ends in between is followed that far if it is renamed, or if `absent` is set.
        """
        names, links, current = (
            [version, *self.list_intermediates(version, other)[::-1], other],
            list[FieldLink](),
            path,
        )
        for version_name, following in pairwise(names):
            link = find_link(self._derive_ordered(version_name, following)[0], version_name, current, self.find_schema)
            is_last = link is not None and not link.targets and bool(link.origins) and (absent or current != path)
            if link is None or (len(link.targets) != 1 and not is_last):
                return None
            links.append(link)
            if is_last:
                return FieldTrace((*names[: len(links)], other), tuple(links), path)
            current = link.targets[0]
        return FieldTrace(tuple(names), tuple(links), path)

    def find_declared_fields(self, one: str, other: str) -> set[Path]:
        """Return the fields with declarations between neighboring versions, from one version to another.

        The paths are those in the neighboring versions, and those of the same fields in both ends.
        """
        names = [one, *self.list_intermediates(one, other)[::-1], other]
        fields = set[Path]().union(*map(self._find_neighbor_fields, names, names[1:]))
        for order in (names, names[::-1]):
            moved: set[Path] = set()
            for version, following in pairwise(order):
                moved = {self._find_moved_path(version, following, path) for path in moved}
                moved |= self._find_neighbor_fields(*sorted((version, following), key=names.index))
            fields |= moved
        return fields

    def _find_moved_path(self, version: str, other: str, path: Path) -> Path:
        """Return the path of a field in a neighboring version, if it or an object around it has another one."""
        if (version, other) not in self._moved_paths:
            directions = self._derive_ordered(version, other)[0].get_directions()
            steps = next(direction.steps for direction, _ in directions if direction.source == version)
            writing = [step for step in steps if step.get_writes()]
            ends = [
                *((paths.strip_object_scopes(step.source), paths.strip_object_scopes(step.target)) for step in writing),
                *map(get_value_paths, writing),
            ]
            self._moved_paths[version, other] = {source: target for source, target in ends if source != target}
        moved_paths = self._moved_paths[version, other]
        for size in range(len(path), 0, -1) if moved_paths else ():
            if path[:size] in moved_paths:
                return (*moved_paths[path[:size]], *path[size:])
        return path

    def _find_neighbor_fields(self, one: str, other: str) -> frozenset[Path]:
        """Return the fields with declarations between two versions."""
        if (one, other) not in self._declared_fields:
            directions = self._derive_ordered(one, other)[0].get_directions()
            steps = [step for direction, _ in directions for step in direction.steps]
            self._declared_fields[one, other] = frozenset(
                paths.strip_object_scopes(path)
                for step in steps
                if step.declared and not isinstance(step, Keep | Default)
                for path in (step.source, step.target)
            )
        return self._declared_fields[one, other]

    def _trace_all(self, version: str, link: FieldLink, other: str) -> FieldTrace | None:
        """Trace the several sources of a joined field."""
        rests = [self.trace_field(version, target, other, first=False) for target in link.targets]
        traces = [rest for rest in rests if rest is not None]
        members = [self.compose_trace(rest) for rest in traces]
        if not traces or len(traces) < len(rests):
            return None
        if not any(rest.links[-1].targets for rest in traces):
            same = all(option == members[0] for option in members)
            return FieldTrace(traces[0].versions, (traces[0].links[-1],), ()) if same else None
        if not all(rest.links[-1].targets for rest in traces):
            return None
        targets = tuple([rest.links[-1].targets[0] for rest in traces])
        if members == [{}] * len(rests):
            return FieldTrace(traces[0].versions, (link.replace(targets=targets),), ())
        separator = link.members.get("join", {}).get("separator")
        if len({*targets}) == 1 and members == [
            {"part": {"separator": separator, "index": index}} for index in range(len(targets))
        ]:
            return FieldTrace(traces[0].versions, (link.replace(targets=targets[:1], members={}),), ())
        return None

    def compose_trace(self, chain: FieldTrace) -> OptionMembers | None:
        """Compose the members of a trace; None if no option describes them."""
        composed: OptionMembers | None = {}
        for at in range(len(chain.links)):
            members = self._rename_expression_fields(chain, at)
            composed = compose_members(composed, members) if composed is not None and members is not None else None
        opaque = composed is not None and bool(composed.keys() & {"cel", "function"})
        return None if opaque and not self._has_one_type(chain) else composed

    def _rename_expression_fields(self, chain: FieldTrace, at: int) -> OptionMembers | None:
        """Return the members of a link, with the names that fields have at the end of the trace."""
        if self._is_object_expression(chain, at):
            expression = rename_self_fields(
                chain.links[at].members["cel"]["from"], lambda names: self._find_relative_path(chain, at + 1, names)
            )
            return {"cel": {"from": expression}} if expression else None
        return self._rename_item_fields(chain, at)

    def _is_object_expression(self, chain: FieldTrace, at: int) -> bool:
        """Return True if a link computes a field from an object that the trace continues from."""
        words, there = chain.links[at].members, chain.links[at].targets
        schema = self.find_schema(chain.versions[at + 1], there[0]) if {*words.get("cel", ())} == {"from"} else None
        return at + 1 < len(chain.links) and schema is not None and get_shape(schema) == OBJECT

    def _find_relative_path(self, chain: FieldTrace, at: int, names: tuple[str, ...]) -> Sequence[str]:
        """Return the path of a field relative to the last object of a trace; empty if it changes."""
        parent, last = chain.links[at - 1].targets[0], chain.links[-1].targets[0]
        trace = self.follow_field(chain.versions[at], (*parent, *names), chain.versions[-1])
        if trace is None or self.compose_trace(trace) != {} or any(link.by_parts for link in trace.links):
            return ()
        target = trace.links[-1].targets[0]
        below = target[len(last) :]
        return below if target[: len(last)] == last and not any(map(is_escaped, below)) else ()

    def _rename_item_fields(self, chain: FieldTrace, at: int) -> OptionMembers | None:
        """Return the members of a link, with the names that item fields have at the ends of the trace."""
        words = chain.links[at].members
        named = {kind: self._find_item_field_name(chain, at, words[kind]) for kind in ("key", "value") if kind in words}
        return {**words, **named} if all(named.values()) else None

    def _find_item_field_name(self, chain: FieldTrace, at: int, name: str) -> str:
        """Return the name of an item field at the end of the trace, or at the next such link; empty for none."""
        paths_of_links = [(chain.path,), *(link.targets for link in chain.links)]
        others = [other for other, link in enumerate(chain.links) if {"key", "value"} & link.members.keys()]
        last = min((other for other in others if other > at), default=len(chain.links))
        for side, far in ((at, at if at > others[0] else 0), (at + 1, last)):
            for bracket in (ITEM, VALUE):
                inside = (*paths_of_links[side][0], bracket, name)
                if self.find_schema(chain.versions[side], inside) is None:
                    continue
                if not paths_of_links[far]:  # no counterpart
                    return name
                trace = self.follow_field(chain.versions[side], inside, chain.versions[far]) if side != far else None
                targets = trace.links[-1].targets if trace else (inside,) * (side == far)
                plain = trace is None or self.compose_trace(trace) == {}
                return (
                    targets[0][-1]
                    if plain and targets and targets[0][:-1] == (*paths_of_links[far][0], bracket)
                    else ""
                )
        return ""

    def _has_one_type(self, chain: FieldTrace) -> bool:
        """Return True if values that a trace copies have one type in all versions."""
        looked = next((at for at in range(len(chain.links)) if self._is_object_expression(chain, at)), len(chain.links))
        links = chain.links[: looked + 1]
        schemas = [
            self.find_schema(name, link.targets[0]) for name, link in zip(chain.versions[1:], links, strict=False)
        ]
        carried = zip(schemas, schemas[1:], links[1:], strict=False)
        return not any(link.by_parts for link in links if not link.members) and all(
            one is not None and other is not None and is_interchangeable(one, other)
            for one, other, link in carried
            if not link.members
        )


def _override_declarations(schema: Schema, overrides: Mapping[Path, tuple[ConversionDeclaration, ...]]) -> Schema:
    """Replace the declarations of some fields of a schema."""
    if not overrides:
        return schema
    keywords, facts = dict(schema.keywords), schema.facts
    below: dict[str, dict[Path, tuple[ConversionDeclaration, ...]]] = {}
    for path, declarations in overrides.items():
        if path:
            below.setdefault(path[0], {})[path[1:]] = declarations
        else:
            facts = {
                **(facts or {}),
                CONVERSION: tuple(
                    [(declaration.values, declaration.origin, declaration.owner) for declaration in declarations]
                ),
            }
    keywords["properties"] = dict(schema.properties)
    for step, inner in below.items():
        child = _override_declarations(paths.get_child(schema, step) or schema, inner)
        if step in _CHILD_KEYWORDS:
            keywords[_CHILD_KEYWORDS[step]] = child
        else:
            keywords["properties"][step] = child
    return Schema(keywords, schema.origin, schema.marks, facts)


_CHILD_KEYWORDS = {ITEM: "items", VALUE: "additionalProperties"}
