"""Selection of the CRDs that can be imported, with findings about the others."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from protoc_gen_crd.crd.crd import Crd
from protoc_gen_crd.crd.normalized_manifest import make_manifest
from protoc_gen_crd.documents.crd_definitions import CRD_HINTS, ServerCache
from protoc_gen_crd.findings.finding import Problems, Severity
from protoc_gen_crd.generation.admission_findings import report_verdicts
from protoc_gen_crd.generation.schema_size import SchemaMeasurer
from protoc_gen_crd.importer.crd_places import locate_key
from protoc_gen_crd.kubernetes.supported_versions import parse_minors
from protoc_gen_crd.schema.go_type_decoder import Path, format_path
from protoc_gen_crd.settings.settings import Settings

_PATCH_HINT = "add what is missing, or pass the whole CRD instead of a patch of it"
_KUSTOMIZE_HINT = "apply them to the generated CRDs, for example with kustomize"
_SIZE_HINT = "etcd rejects larger objects: shorten descriptions or remove old versions"
_REPEATED_HINT = "pass only one of them"


def select_crds(crds: Sequence[Crd], kubernetes: str, problems: Problems) -> list[Crd]:
    """Return the CRDs that can be imported, each name and kind once.

    Args:
        crds: The CRDs of the input.
        kubernetes: The versions of Kubernetes whose API servers validate the CRDs.
        problems: Receives the reasons why CRDs cannot be imported. CRDs that API servers reject are returned, since the
            settings may accept the finding.
    """
    selected = _select_complete(crds, problems)
    _report_rejected(selected, kubernetes, problems)
    return selected


def _report_rejected(crds: Sequence[Crd], kubernetes: str, problems: Problems) -> None:
    """Report the CRDs that API servers reject, with their error messages."""
    minors = parse_minors(kubernetes)
    server = ServerCache().get_server(minors)
    for crd in crds:
        admitted = server.admit(crd.replace(unknown_fields=()))  # reported by `load_crds`
        verdicts = [verdict.replace(warnings=(), unknown_fields=()) for verdict in admitted]
        report_verdicts(crd, verdicts, len(minors), problems, CRD_HINTS)


def _select_complete(crds: Sequence[Crd], problems: Problems) -> list[Crd]:
    """Return the CRDs with a kind and versions that can be generated, each name and kind once."""
    selected: dict[str, Crd] = {}
    kinds: dict[tuple[str, str], str] = {}  # group and kind -> name of the CRD
    sizes = SchemaMeasurer(Settings().node_limit, Settings().byte_limit)
    for crd in _drop_patches(crds, problems):
        if missing := list(_find_missing(crd)):
            _report_incomplete(crd, missing, problems)
        elif (first := kinds.setdefault((crd.group, crd.names.kind.lower()), crd.name)) != crd.name:
            message = f"CRD {crd.name} defines the kind {crd.names.kind} of {first} again"
            at = locate_key(crd, ("spec", "names", "kind"))
            problems.report("import-repeated", message, at, path=crd.name, hint=_REPEATED_HINT)
        elif (other := selected.get(crd.name)) is not None:
            if make_manifest(crd) != make_manifest(other):
                _report_repeated(crd, other, problems)
        elif excess := _find_excess(crd, sizes):
            message = f"schemas of the CRD are too large: {excess}"
            problems.report("schema-size", message, crd.origin, path=crd.name, hint=_SIZE_HINT)
        else:
            selected[crd.name] = crd
    return list(selected.values())


def _report_incomplete(crd: Crd, missing: Sequence[Path], problems: Problems) -> None:
    names = [format_path(path) for path in missing]
    listed = f"{', '.join(names[:-1])}{',' * (len(names) > 2)} or {names[-1]}" if len(names) > 1 else names[0]
    at = locate_key(crd, missing[0])
    problems.report("import-incomplete", f"{crd.name or 'CRD'} has no {listed}", at, path=crd.name, hint=_PATCH_HINT)


def _report_repeated(crd: Crd, other: Crd, problems: Problems) -> None:
    at = other.origin.resolve() if other.origin else other.name
    message, hint = f"another CRD has the name {crd.name}", f"{_REPEATED_HINT}: the other one is at {at}"
    problems.report("import-repeated", message, locate_key(crd, ("metadata", "name")), path=crd.name, hint=hint)


def _find_missing(crd: Crd) -> Iterator[Path]:
    """Yield the paths of the members without which a CRD cannot be generated."""
    members = {
        ("metadata", "name"): crd.name,
        ("spec", "group"): crd.group,
        ("spec", "names", "kind"): crd.names.kind,
        ("spec", "names", "plural"): crd.names.plural,
        ("spec", "versions"): crd.versions,
    }
    return (path for path, value in members.items() if not value)


def _is_complete(crd: Crd) -> bool:
    return not any(_find_missing(crd))


def _drop_patches(crds: Sequence[Crd], problems: Problems) -> list[Crd]:
    """Return the CRDs without patches of others, as kubebuilder writes them. One note reports the patches."""
    names = {crd.name for crd in crds if _is_complete(crd)}
    patches = [crd for crd in crds if crd.name in names and not _is_complete(crd)]
    if patches:
        more = len(patches) - 1
        others = f"and {more} more patch{'es' * (more > 1)} are" if more else "is"
        message = f"patch of {patches[0].name} {others} not imported"
        note = Severity.NOTE
        problems.report("import-incomplete", message, patches[0].origin, hint=_KUSTOMIZE_HINT, severity=note)
    return [crd for crd in crds if crd.name not in names or _is_complete(crd)]


def _find_excess(crd: Crd, sizes: SchemaMeasurer) -> str:
    """Describe the limit of the generator that the schemas of a CRD exceed; empty if they are within all limits."""
    schemas = [version.schema for version in crd.versions if version.schema is not None]
    return next(filter(None, map(sizes.find_excess, schemas)), "") or sizes.find_total_excess(schemas)
