"""CRDs of a run and their verdicts on objects, for a range of Kubernetes versions."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

from protoc_gen_crd.admission.crd.rules.rule_compiler import RuleCompiler
from protoc_gen_crd.admission.server import AdmissionServer
from protoc_gen_crd.admission.verdicts import Verdict
from protoc_gen_crd.crd.crd import Crd
from protoc_gen_crd.crd.crd_decoder import decode
from protoc_gen_crd.documents.document_reader import DocumentCase, get_string
from protoc_gen_crd.documents.expectation_keys import Json
from protoc_gen_crd.documents.old_state import OldState
from protoc_gen_crd.findings.finding import Location, Place, Problems
from protoc_gen_crd.kubernetes.supported_versions import NEWEST, OLDEST, format_minors
from protoc_gen_crd.schema.schema import Schema

CrdSource = Crd | DocumentCase  # a generated CRD or a document


class ServerCache:
    """Admission servers by minor versions."""

    def __init__(self) -> None:
        self._servers: dict[tuple[int, ...], AdmissionServer] = {}
        self._cel = RuleCompiler()

    def get_server(self, minors: Iterable[int]) -> AdmissionServer:
        """Return the server for these versions."""
        key = tuple(minors)
        if key not in self._servers:
            self._servers[key] = AdmissionServer(key, self._cel)
        return self._servers[key]


class CrdDefinition:
    """A CRD and the Kubernetes versions that accept it. Old versions ignore fields that they do not support.

    `old` is the CRD before the update.
    """

    def __init__(self, source: CrdSource, minors: Sequence[int], servers: ServerCache, old: Json | None = None) -> None:
        self.source, self.old = source, old
        self.verdicts = _admit(source, servers.get_server(minors), old)
        groups: dict[int, tuple[Crd, list[int]]] = {}
        for verdict in self.verdicts:
            if verdict.accepted:
                groups.setdefault(id(verdict.object), (verdict.object, []))[1].extend(verdict.minors)
        self._serving = [(tuple(sorted(accepting_minors)), crd) for crd, accepting_minors in groups.values()]
        self._servers = servers

    @property
    def minors(self) -> frozenset[int]:
        """The versions that accept the CRD."""
        return frozenset(minor for minors, _ in self._serving for minor in minors)

    @property
    def crd(self) -> Crd | None:
        """The CRD as the newest version decodes it, None if all versions reject it."""
        return max(self._serving)[1] if self._serving else None

    @property
    def at(self) -> Place | None:
        """The place of the CRD."""
        return self.source.at if isinstance(self.source, DocumentCase) else self.source.origin

    def list_served_versions(self) -> list[str]:
        """Return the names of the served versions."""
        return [version.name for version in self.crd.versions if version.served] if self.crd else []

    def serves(self, version: str) -> bool:
        """Return whether the CRD serves a version."""
        return version in self.list_served_versions()

    def get_schema(self, version: str) -> Schema | None:
        """Return the schema of a version."""
        versions = self.crd.versions if self.crd else ()
        return next((candidate.schema for candidate in versions if candidate.name == version), None)

    def validate(
        self, obj: Json, old: Json | None, requested_minors: Sequence[int], *, status: bool
    ) -> Iterator[Verdict]:
        """Validate an object as these Kubernetes versions do."""
        for minors, crd in self._serving:
            if set(minors) & set(requested_minors):
                for verdict in self._servers.get_server(minors).validate(crd, obj, old, status=status):
                    common = tuple([minor for minor in verdict.minors if minor in requested_minors])
                    if common:
                        yield verdict.replace(minors=common)


def _admit(source: CrdSource, server: AdmissionServer, old: Json | None) -> tuple[Verdict, ...]:
    if isinstance(source, Crd):
        return server.admit(source, decode(old).crd if old is not None else None)
    return server.admit_data(source.object, old, places=source.get_place)


class CrdDefinitions:
    """The CRDs of a run by group and kind, and the old state."""

    def __init__(self, minors: Sequence[int]) -> None:
        self.minors = tuple(minors)
        self.old_state = OldState()
        self._servers = ServerCache()
        self._definitions: dict[tuple[str, str], CrdDefinition] = {}
        self._without_kind: list[CrdDefinition] = []
        self._all_version_definitions: dict[tuple[str, str], CrdDefinition] = {}

    def __len__(self) -> int:
        return len(self._definitions) + len(self._without_kind)

    def __iter__(self) -> Iterator[CrdDefinition]:
        return chain(self._definitions.values(), self._without_kind)

    def add(self, source: CrdSource, problems: Problems) -> None:
        """Add a CRD and report its errors, unless it is new and generated, as the generator has reported them."""
        key = _get_key(source)
        existing = self._definitions.get(key)
        if existing is not None:
            _report_duplicate(source, existing, problems)
            return
        definition = self._make_definition(source, self.minors)
        if key[1]:
            self._definitions[key] = definition
        else:
            self._without_kind.append(definition)
        if isinstance(source, DocumentCase) or definition.old is not None:
            _report_verdicts(definition, problems)

    def has_kind(self, source: CrdSource) -> bool:
        """Return whether there is a CRD for the same kind."""
        return _get_key(source) in self._definitions

    def is_generated(self, source: CrdSource) -> bool:
        """Return whether the CRD for the same kind is generated from .proto files."""
        return isinstance(self._definitions[_get_key(source)].source, Crd) if self.has_kind(source) else False

    def find(self, case: DocumentCase) -> CrdDefinition | None:
        """Return the CRD of an object's kind."""
        return self._definitions.get((case.group, case.kind))

    def list_kinds(self, group: str | None = None) -> list[str]:
        """Return all kinds, or those of a group, sorted."""
        return sorted({kind for kind_group, kind in self._definitions if group in (None, kind_group)})

    def list_groups(self) -> list[str]:
        """Return all groups, sorted."""
        return sorted({_get_key(definition.source)[0] for definition in self})

    def list_served_versions(self, group: str) -> list[str]:
        """Return the served versions of all kinds of a group."""
        definitions = (definition for (kind_group, _), definition in self._definitions.items() if kind_group == group)
        return [version for definition in definitions for version in definition.list_served_versions()]

    def get_for_all_versions(self, case: DocumentCase) -> CrdDefinition:
        """Return the CRD of an object's kind for all supported Kubernetes versions."""
        key = case.group, case.kind
        if len(self.minors) == NEWEST + 1 - OLDEST:
            return self._definitions[key]
        if key not in self._all_version_definitions:
            self._all_version_definitions[key] = self._make_definition(
                self._definitions[key].source, range(OLDEST, NEWEST + 1)
            )
        return self._all_version_definitions[key]

    def _make_definition(self, source: CrdSource, minors: Sequence[int]) -> CrdDefinition:
        return CrdDefinition(source, minors, self._servers, self.old_state.find_crd(_get_name(source)))

    def validate_crd(self, case: DocumentCase, requested_minors: Sequence[int]) -> tuple[Verdict, ...]:
        """Validate a CRD that is a test document as these Kubernetes versions do."""
        server = self._servers.get_server(requested_minors)
        return server.admit_data(case.object, self.old_state.find_object(case), places=case.get_place)


def _get_name(source: CrdSource) -> str:
    """Return the name of a CRD, or of the document if it has none."""
    return source.name if isinstance(source, Crd) else source.name.partition("/")[2] or source.name


def _get_key(source: CrdSource) -> tuple[str, str]:
    """Return the group and the kind of a CRD; the kind is empty if an invalid CRD has none."""
    if isinstance(source, Crd):
        return source.group, source.names.kind
    spec = source.object.get("spec")
    known: Json = spec if isinstance(spec, dict) else {}
    names = known.get("names")
    return get_string(known, "group"), get_string(names if isinstance(names, dict) else {}, "kind")


# Part of an error message of API servers about the manifest of a CRD -> what to do about it.
CRD_HINTS = {"rule cost": "run `protoc-gen-crd cost` for bounds that bring the cost under the limit"}
_STRINGS = r"(?:string|v1\.ResourceScope|v1\.ConversionStrategyType|v1\.JSONSchemaURL)"
# Pattern in the reason why a manifest is not a CRD -> what to do about it.
_DECODING_HINTS = {
    r"/v1beta1\) does not match": "Kubernetes 1.22 removed v1beta1: set apiVersion to apiextensions.k8s.io/v1, and "
    "move validation, subresources, and additionalPrinterColumns to each version",
    rf"unmarshal (?:number|bool)\b.* of type {_STRINGS}$": "quote the value",
    rf" of type {_STRINGS}$": "write a string",
    "unmarshal string .* of type bool$": "write true or false without quotes",
    " of type bool$": "write true or false",
    r"unmarshal string .* of type (?:float|int)\d+$": "write a number without quotes",
    r"unmarshal number .* of type int\d+$": "write a whole number within the range of the type",
    r" of type (?:float|int)\d+$": "write a number",
    r" of type (?:\[\]|v1\.ValidationRules$)": "write a list",
    r" of type (?:map\[|v1\.)": "write an object, or check the indentation",
    "boolean or JSON schema expected": "write true, false, or a schema",
}


def find_decoding_hint(message: str) -> str:
    """Return what to do about the reason why a manifest is not a CRD; empty if it is unknown."""
    return next((hint for pattern, hint in _DECODING_HINTS.items() if re.search(pattern, message)), "")


def report_unknown_fields(crd: Crd, problems: Problems) -> None:
    """Report the fields of a CRD in a manifest that API servers do not know, except those of the status."""
    fields = [field for field in crd.unknown_fields if field.path[0] != "status"]
    if not fields:
        return
    from protoc_gen_crd.generation.admission_findings import DROPPED  # noqa: PLC0415 - few CRDs have unknown fields

    name = f" in {crd.name}" if crd.name else ""
    for field in fields:
        message = f"{field.message}{name}{'' if field.is_reported else DROPPED}"
        problems.report("crd-unknown-field", message, field.origin, path=crd.name, hint=field.make_hint())


def _report_verdicts(definition: CrdDefinition, problems: Problems) -> None:
    name, minor_count = _get_name(definition.source), sum(len(verdict.minors) for verdict in definition.verdicts)
    for verdict in definition.verdicts:
        if verdict.object is None:
            range_suffix = (
                "" if len(verdict.minors) == minor_count else f" (Kubernetes {format_minors(verdict.minors)})"
            )
            message = f"CRD {name} is rejected: {verdict.message}{range_suffix}"
            at, hint = verdict.causes[0].place or definition.at, find_decoding_hint(verdict.message)
            problems.report("crd-rejected", message, at, path=name, hint=hint)
    crds = [verdict.object for verdict in definition.verdicts if verdict.object is not None]
    if crds:
        from protoc_gen_crd.documents.unquoted_strings import report_unquoted_strings  # noqa: PLC0415 - `changes` compares CRDs
        from protoc_gen_crd.generation.admission_findings import report_verdicts  # noqa: PLC0415

        report_verdicts(crds[0], definition.verdicts, minor_count, problems, CRD_HINTS)
        if isinstance(definition.source, DocumentCase):
            report_unquoted_strings(crds[0], definition.source, problems)


def _report_duplicate(source: CrdSource, existing: CrdDefinition, problems: Problems) -> None:
    """Report a second CRD for a kind, unless both are equal."""
    path = _find_difference(existing.source, source)
    if not path:
        return
    first = existing.at.resolve() if existing.at else Location("")
    at = source.at if isinstance(source, DocumentCase) else source.origin
    kind = "/".join(filter(None, _get_key(source)))
    message = f"another CRD defines the kind {kind} with a different {path}"
    hint = f"this one is ignored: the CRD at {first} is used"
    if isinstance(existing.source, Crd) and isinstance(source, DocumentCase):
        hint = f"delete this file, or generate it again: the CRD that {first} defines is used"
    problems.report("crd-repeated", message, at, hint=hint)


def _find_difference(first: CrdSource, second: CrdSource) -> str:
    """Return the path of the first difference between two CRDs; empty if servers treat them alike."""
    crds = [source if isinstance(source, Crd) else decode(source.object).crd for source in (first, second)]
    if crds[0] is not None and crds[1] is not None:
        from protoc_gen_crd.crd.crd_differences import find_spec_difference  # noqa: PLC0415 - few CRDs are defined twice

        return find_spec_difference(crds[0], crds[1])
    specs = [source.object.get("spec") for source in (first, second) if isinstance(source, DocumentCase)]
    return "" if len(specs) == 2 and specs[0] == specs[1] else "spec"
