"""Completion of a pair of versions with the declarations of the versions between them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from protoc_gen_crd.conversion.composition.declaration_synthesis import VersionField, build_declaration, find_origin
from protoc_gen_crd.conversion.composition.field_counterparts import (
    VALUE_COPIES,
    FieldLink,
    FieldTrace,
    OptionMembers,
    find_link,
    get_value_paths,
)
from protoc_gen_crd.conversion.composition.version_graph import DeclarationOverrides, VersionGraph
from protoc_gen_crd.conversion.derivation.conversion_options import (
    ABSENCE_MEMBERS,
    ConversionDeclaration,
    get_declarations,
)
from protoc_gen_crd.conversion.document_hints import choose_hint
from protoc_gen_crd.conversion.plan import paths
from protoc_gen_crd.conversion.plan.copy_steps import CopyNonNull, Keep, ObjectStep
from protoc_gen_crd.conversion.plan.paths import ITEM, VALUE, Path
from protoc_gen_crd.conversion.plan.plan import VersionPair
from protoc_gen_crd.conversion.plan.step_base import Step
from protoc_gen_crd.findings.finding import Finding, Place, Problems
from protoc_gen_crd.schema.schema import Schema


class PairCompletion:
    """A pair of versions and the declarations that complete it."""

    def __init__(self, chains: VersionGraph, version_names: tuple[str, str]) -> None:
        self._chains, self._ends = chains, version_names
        self.pair, self.findings = chains.derive_pair(*version_names)
        self._overrides: DeclarationOverrides = {}
        self._problems = Problems()
        self._used_declarations: set[Place] = set()
        self._tried: set[VersionField] = set()
        self._reached_fields: set[VersionField] = set()  # targets of the traces of other fields
        self._reported_fields: list[VersionField] = []

    def complete(self) -> None:
        """Trace fields that would be lost until no trace leads further."""
        if self._drop_absences():
            self.pair, self.findings = self._chains.derive_with_overrides(self._ends, self._overrides)
        while self._extend_declarations():
            self.pair, self.findings = self._chains.derive_with_overrides(self._ends, self._overrides)
        for end, chain in self._find_unwritten_fields():
            self._report_uncomposable(end, chain)
        self.findings = [*map(self._add_hint, self.findings), *self._problems.findings]
        reported_fields = (*self.pair.reported_fields, *self._reported_fields)
        used_declarations, one_way_targets = (
            self.pair.used_declarations | self._used_declarations,
            (*self.pair.one_way_targets, *self._find_one_way_targets()),
        )
        self.pair = self.pair.replace(
            used_declarations=used_declarations,
            reported_fields=reported_fields,
            one_way_targets=one_way_targets,
            ignored_declarations=self._find_ignored_declarations(),
        )

    def _find_one_way_targets(self) -> Iterator[tuple[str, Path, Place]]:
        """Yield fields that composed conversions write and round trips do not need: version, path and origin."""
        for direction, _ in self.pair.get_directions():
            origins = {
                paths.strip_object_scopes(path): step.origin
                for step in direction.steps
                if step.declared
                for path in step.get_writes()
            }
            candidates = ((path, origins.get(path)) for version, path in self._overrides if version == direction.target)
            yield from ((direction.target, path, origin) for path, origin in candidates if origin is not None)

    def _add_hint(self, finding: Finding) -> Finding:
        """Add a hint to a finding about a declaration for other versions."""
        if finding.rule != "conversion-path" or finding.hint:
            return finding
        for version in self._ends:
            declarations = [
                declaration
                for _, declaration in self._chains.get_declarations(version)
                if declaration.origin == finding.at and not declaration.named_versions
            ]
            applicable_versions = (
                self._chains.find_applicable_versions(version, declarations[0]) if declarations else ()
            )
            if applicable_versions:
                other = self._get_other_version(version)
                hint = f"this option applies to {' and '.join(applicable_versions)}: add one for {other}, conversion "
                return finding.replace(hint=f'{hint}{{versions: "{other}" ...}}')
        return finding

    def _find_ignored_declarations(self) -> frozenset[tuple[Path, Place]]:
        """Return the declarations of fields that are ignored for this pair."""
        fields = [
            (end, self._chains.find_schema(*end), {declaration.origin for declaration in overrides})
            for end, overrides in self._overrides.items()
        ]
        unused = (
            (end[1], declaration.origin, overrides)
            for end, schema, overrides in fields
            if schema
            for declaration in get_declarations(schema)
        )
        return frozenset((path, origin) for path, origin, overrides in unused if origin not in overrides)

    def _find_kept_fields(self, version: str) -> Mapping[Path, tuple[ConversionDeclaration, ...]]:
        """Return the fields without counterpart in any version, and their other declarations."""
        direction = next(direction for direction, _ in self.pair.get_directions() if direction.source == version)
        kept = {step.origin for step in direction.steps if isinstance(step, Keep)}
        absences = [
            (path, declaration)
            for path, declaration in self._chains.get_declarations(version)
            if declaration.origin in kept and _is_absent(declaration)
        ]
        return {
            path: tuple([other for other in self._get_declarations(version, path) if other != declaration])
            for path, declaration in absences
        }

    def _get_declarations(self, version: str, path: Path) -> tuple[ConversionDeclaration, ...]:
        schema = self._chains.find_schema(version, path)
        return get_declarations(schema) if schema is not None else ()

    def _drop_absences(self) -> bool:
        """Ignore that a field has no counterpart if a field of the other version names it."""
        for direction, reverse in self.pair.get_directions():
            written = {
                paths.strip_object_scopes(path)
                for step in reverse.steps
                if step.declared and step.get_reads()
                for path in step.get_writes()
            }
            for path, rest in self._find_kept_fields(direction.source).items():
                if path in written:
                    self._overrides[direction.source, path] = rest
        return bool(self._overrides)

    def _follow_carried_fields(self) -> None:
        """Trace undeclared fields that change in the versions between."""
        silent = self._chains.list_intermediates(*self._ends) and not any(self._chains.get_rules(self._ends))
        reported = {path for _, path in self.pair.reported_fields}
        candidates = sorted(self._chains.find_declared_fields(*self._ends) | reported) if silent else ()
        for version in self._ends[::-1]:
            for path in candidates:
                link = self._find_carried_link(version, path) if (version, path) not in self._tried else None
                other = self._get_other_version(version)
                chain = self._follow_or_trace(version, path, absent=path in reported) if link else None
                if link is not None and chain is not None and not self._is_unchanged(chain, link):
                    self._tried.add((version, path))
                    self._declare_trace((version, path), chain)
                    self._drop_unnamed_declarations(
                        [(version, path), *((other, target) for target in chain.links[-1].targets)]
                    )

    def _follow_or_trace(self, version: str, path: Path, *, absent: bool) -> FieldTrace | None:
        """Follow a field through all intermediate versions, or else trace it."""
        followed = self._chains.follow_field(version, path, self._get_other_version(version), absent=absent)
        traced = self._trace_field((version, path)) if followed is None else None
        return traced if traced is not None and traced.links[-1].targets else followed

    def _drop_unnamed_declarations(self, ends: Sequence[VersionField]) -> None:
        """Ignore declarations without versions for fields that differ in this pair."""
        for field in ends:
            declarations = self._get_declarations(*field)
            rest = tuple(
                [
                    declaration
                    for declaration in declarations
                    if declaration.named_versions or declaration.origin not in self.pair.used_declarations
                ]
            )
            if field not in self._overrides and len(rest) < len(declarations):
                self._overrides[field] = rest

    def _is_unchanged(self, chain: FieldTrace, link: FieldLink) -> bool:
        """Return True if a trace leads to the known counterpart by the same declarations."""
        places: list[set[Place]] = []
        for origins in filter(None, ({*trace_link.origins} for trace_link in chain.links)):
            places = places[:-1] if places[-1:] == [origins] else [*places, origins]
        same_conversion = (
            places == ([{*link.origins}] if link.origins else []) or self._chains.compose_trace(chain) == link.members
        )
        return chain.links[-1].targets == link.targets and same_conversion

    def _find_carried_link(self, version: str, path: Path) -> FieldLink | None:
        """Return the link of a field without declarations for exactly these versions; None if it has some."""
        declarations = [declaration for name in self._ends for declaration in self._get_declarations(name, path)]
        if (version, path) in self.pair.reported_fields:
            used = [declaration for declaration in declarations if declaration.origin in self.pair.used_declarations]
            reported = FieldLink((path,), {}, tuple([declaration.origin for declaration in used]))
            return None if any(declaration.named_versions for declaration in used) else reported
        direction = next(direction for direction, _ in self.pair.get_directions() if direction.source == version)
        for step in direction.steps:
            source = paths.strip_object_scopes(step.source)
            if source != path[: len(source)]:
                continue
            inside, target = get_value_paths(step)
            is_copied = type(step) in (CopyNonNull, *VALUE_COPIES) and inside == path[: len(inside)]
            if is_copied and len(inside) < len(path):
                return FieldLink(((*target, *path[len(inside) :]),), {})
            if source == path and step.get_writes() and not self._is_named(step):
                return find_link(self.pair, version, path, self._chains.find_schema)
        return None

    def _is_named(self, step: Step) -> bool:
        """Return True if a step is declared for exactly these versions."""
        declarations = [
            declaration
            for name in self._ends
            for path in (step.source, step.target)
            for declaration in self._get_declarations(name, path)
        ]
        declarations += [declaration for overrides in self._overrides.values() for declaration in overrides]
        return any(declaration.named_versions for declaration in declarations if declaration.origin == step.origin)

    def _extend_declarations(self) -> bool:
        """Add declarations of lost fields; return True if there are new ones."""
        before = len(self._overrides)
        self._follow_carried_fields()
        if len(self._overrides) > before:
            return True
        lost = sorted(self._chains.find_lost_fields(self.pair), key=lambda end: end[0] != self._ends[1])
        for end in (*lost, *(end for end, _ in self._find_unwritten_fields())):
            self._follow_lost_field(end, lost)
        self._drop_superseded_declarations(lost)
        return len(self._overrides) > before

    def _follow_lost_field(self, end: VersionField, lost: Sequence[VersionField]) -> None:
        """Declare the counterpart of a field that would be lost, or of the fields below it."""
        if end in self._tried:
            return
        self._tried.add(end)
        version, path = end
        chain = self._chains.trace_field(version, path, self._get_other_version(version))
        if chain is not None and self._is_unclaimed(chain, lost):
            self._declare_trace(end, chain)
            return
        schema, before = self._chains.find_schema(version, path), len(self._overrides)
        for step, child in _iterate_children(schema) if schema is not None else ():
            if child is not None:
                self._follow_lost_field((version, (*path, step)), lost)
        if len(self._overrides) > before and schema is not None:
            self._drop_wrong_declarations(end, schema)

    def _get_other_version(self, version: str) -> str:
        return self._ends[self._ends[0] == version]

    def _is_unclaimed(self, chain: FieldTrace, lost: Sequence[VersionField]) -> bool:
        """Return True if the targets of a trace have no other conversion, or are only read."""
        if _is_read_only(self._chains.compose_trace(chain)):
            return True
        other = chain.versions[-1]
        claimed = [path for version, path in (*lost, *self.pair.reported_fields) if version == other]
        claimed += self._find_kept_fields(other)
        if "part" in (self._chains.compose_trace(chain) or {}):
            claimed += [path for version, path in self._reached_fields if version == other]
        return all(
            target[:1] == paths.METADATA_PATH or any(paths.has_overlap(target, path) for path in claimed)
            for target in chain.links[-1].targets
        )

    def _declare_trace(self, end: VersionField, chain: FieldTrace) -> None:
        """Declare a trace at its field, or at the other end if no option describes it at the field."""
        targets = chain.links[-1].targets
        self._used_declarations.update(place for link in chain.links for place in link.origins)
        if not _is_read_only(self._chains.compose_trace(chain)):
            self._tried.update((chain.versions[-1], path) for path in targets)
        self._reached_fields.update((chain.versions[-1], path) for path in targets if path not in paths.NAME_PATHS)
        kept = self._find_kept_fields(chain.versions[-1])
        self._overrides.update({(chain.versions[-1], path): kept[path] for path in targets if path in kept})
        if self._override_field(end, chain):
            return
        back = self._chains.trace_field(chain.versions[-1], targets[0], end[0]) if len(targets) == 1 else None
        if (
            back is None
            or back.links[-1].targets != (end[1],)
            or not self._override_field((chain.versions[-1], targets[0]), back)
        ):
            self._report_uncomposable(end, chain)

    def _override_field(self, end: VersionField, chain: FieldTrace) -> bool:
        """Declare a trace at a field; return True if an option describes it."""
        declaration = build_declaration(self._chains, self.pair, end, chain)
        if declaration is not None:
            self._overrides[end] = (declaration,)
        return declaration is not None

    def _report_uncomposable(self, end: VersionField, chain: FieldTrace) -> None:
        """Report a conversion in several steps that no single option describes."""
        (version, path), other = end, chain.versions[-1]
        origin = find_origin(self._chains, end, chain)
        links = ", ".join(
            f"{' and '.join(link.members) or 'a move'} in {name}"
            for name, link in zip(chain.versions[1:], chain.links, strict=False)
        )
        problem = f'cannot compose the conversion of "{paths.format_path(path)}" between {version} and {other}: {links}'
        targets = ", ".join(f'"{paths.format_path(target)}"' for target in chain.links[-1].targets)
        counterpart = f"declare its counterpart {targets}" if targets else "declare that it has no counterpart"
        rules = f"add rules between {' and '.join(self._ends)}, in both directions, for all differences"
        hint = choose_hint(origin, f'{counterpart}: conversion {{versions: "{other}" ...}}', rules)
        self._problems.report("conversion-chain", problem, origin, path=origin.find_owner(), hint=hint)
        self._drop_wrong_declarations(end, self._chains.find_schema(*end))
        self._reported_fields += [end, *((other, target) for target in chain.links[-1].targets)]

    def _find_unwritten_fields(self) -> Sequence[tuple[VersionField, FieldTrace]]:
        """Return fields that intermediate versions compute from others, and no step of this pair writes."""
        unwritten = []
        for end in sorted(self._reached_fields.difference(self._reported_fields)):
            direction = next(direction for direction, _ in self.pair.get_directions() if direction.target == end[0])
            written = [
                paths.strip_object_scopes(path)
                for step in direction.steps
                if not isinstance(step, ObjectStep)
                for path in step.get_writes()
            ]
            is_written = any(paths.has_overlap(path, end[1]) for path in written)
            chain = None if is_written else self._trace_field(end)
            if chain is not None and chain.links[-1].targets and all(map(_is_computed, chain.links)):
                unwritten.append((end, chain))
        return unwritten

    def _trace_field(self, end: VersionField) -> FieldTrace | None:
        """Trace a field to the other version."""
        return self._chains.trace_field(*end, self._get_other_version(end[0]))

    def _drop_superseded_declarations(self, lost: Sequence[VersionField]) -> None:
        """Ignore declarations that only apply to other versions if something else converts the field."""
        wrong = self._find_wrong_places()
        for version in self._ends if wrong else ():
            for path, declaration in self._chains.get_declarations(version):
                end = version, path
                about = declaration.origin in wrong and not declaration.named_versions and end not in self._overrides
                if (
                    about
                    and not any(_is_around(lost_path, end) for lost_path in lost)
                    and self._chains.find_applicable_versions(version, declaration)
                ):
                    self._drop_wrong_declarations(end, self._chains.find_schema(*end))

    def _find_wrong_places(self) -> set[Place | None]:
        """Return the places of declarations that lead to missing fields."""
        return {finding.at for finding in self.findings if finding.rule == "conversion-path"}

    def _drop_wrong_declarations(self, end: VersionField, schema: Schema | None) -> None:
        """Ignore declarations of a field that lead to missing fields."""
        declarations, wrong = get_declarations(schema) if schema is not None else (), self._find_wrong_places()
        left = [declaration for declaration in declarations if declaration.origin in wrong]
        if left:
            self._overrides[end] = tuple([declaration for declaration in declarations if declaration not in left])
            self._used_declarations.update(
                declaration.origin for declaration in left if self._chains.find_applicable_versions(end[0], declaration)
            )


def _is_computed(link: FieldLink) -> bool:
    """Return True if a field is computed from its counterpart, not only read by it."""
    return all("from" in link.members[kind] for kind in ("cel", "function") if kind in link.members)


def _is_read_only(words: OptionMembers | None) -> bool:
    """Return True if a field is computed in one direction only."""
    return words is not None and any({*words.get(kind, ())} == {"from"} for kind in ("cel", "function"))


def _is_absent(declaration: ConversionDeclaration) -> bool:
    """Return True if a declaration without versions declares that its field has no counterpart."""
    return not declaration.named_versions and declaration.values.keys() <= {*ABSENCE_MEMBERS}


def _is_around(end: VersionField, other: VersionField) -> bool:
    """Return True if a field is or contains another."""
    return end[0] == other[0] and other[1][: len(end[1])] == end[1]


def _iterate_children(schema: Schema) -> Iterator[tuple[str, Schema | None]]:
    yield from schema.properties.items()
    yield ITEM, schema.items
    yield VALUE, schema.additional if isinstance(schema.additional, Schema) else None


def complete_pair(chains: VersionGraph, spoke: str, hub: str, problems: Problems) -> VersionPair:
    """The steps between a spoke and the hub."""
    completion = PairCompletion(chains, (spoke, hub))
    if chains.has_intermediates:
        completion.complete()
    problems.findings += completion.findings
    return completion.pair
