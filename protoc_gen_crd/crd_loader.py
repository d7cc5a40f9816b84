"""Loader of CRDs that are generated from .proto files and descriptors, or read from documents."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.crd.crd import Crd
from protoc_gen_crd.crd.crd_decoder import decode
from protoc_gen_crd.documents.crd_definitions import find_decoding_hint, report_unknown_fields
from protoc_gen_crd.documents.document_files import is_stream, read_content
from protoc_gen_crd.documents.document_reader import DocumentCase
from protoc_gen_crd.documents.foreign_files import limit_skip_notes
from protoc_gen_crd.documents.input_documents import InputDocuments
from protoc_gen_crd.documents.misspelled_crds import find_misspelled_crds
from protoc_gen_crd.documents.unknown_kinds import SKIP_RULE
from protoc_gen_crd.findings.finding import Finding, Problems
from protoc_gen_crd.findings.severity_policy import has_error
from protoc_gen_crd.settings.settings import Settings

if TYPE_CHECKING:
    from protoc_gen_crd.comparison.protos.proto_summary import ProtoSummary
    from protoc_gen_crd.documents.crd_text_cache import KnownCrds
    from protoc_gen_crd.documents.document_files import InputFiles
    from protoc_gen_crd.proto.element_facts import ElementFacts
    from protoc_gen_crd.proto.request import Request
    from protoc_gen_crd.schema.known_structs import KnownStructs

    CrdBuilder = Callable[[Request, Settings, Problems], Sequence[Crd]]


_RESOURCE_HINT = (
    'add `option (protoc_gen_crd.v1.resource).group = "acme.example";` to a message without the markers "skip" and '
    '"skipversion"'
)


class LoadOptions(Record):
    """Options of `load_crds`: `known` receives the CRDs of documents; `requests` and `build` are as in `generate_crds`.

    After `kept_places` bytes of files, places of CRDs are not kept, but read on demand; 0 for no limit. With
    `only_documents`, .proto files and descriptors are ignored. Without `reports_unknown_fields`, unknown fields of CRDs
    in manifests are not reported.
    """

    known: KnownCrds | None = None
    requests: list[Request] | None = None
    build: CrdBuilder | None = None
    kept_places: int = 0
    only_documents: bool = False
    reports_unknown_fields: bool = True


def generate_crds(
    sources: Sequence[str],
    settings: Settings,
    paths: dict[str, str],
    problems: Problems,
    format_name: Callable[[str, str], str] | None = None,
    requests: list[Request] | None = None,
    build: CrdBuilder | None = None,
) -> Sequence[Crd]:
    """Generate the CRDs of .proto files and descriptors. `paths` receives the paths of the .proto files by name.

    `format_name` returns the name of a file in locations from its name and its path, which is empty for a file of a
    descriptor set. `requests` receives the request. `build` makes the CRDs of a request, by default like `generate`.
    Raises OSError if an input cannot be read.
    """
    from protoc_gen_crd.proto.generate_inputs import read_inputs  # noqa: PLC0415 - CRDs from documents need no generator
    from protoc_gen_crd.proto.request import Request  # noqa: PLC0415

    generator_problems = Problems()
    inputs = read_inputs(sources, settings.import_paths, settings.targets, generator_problems)
    paths.update(inputs.paths)
    failed = has_error(generator_problems.findings, settings.findings, complete=False)
    request = None if failed else Request.from_message(inputs.request, generator_problems, inputs.paths)
    if request and format_name:
        shown_names = {name: format_name(name, inputs.paths.get(name, "")) for name in request.files}
        request = request.replace(shown_names=shown_names)
    if request and requests is not None:
        requests.append(request)
    crds = (build or build_request_crds)(request, settings, generator_problems) if request else ()
    problems.findings += generator_problems.findings
    return crds


def build_request_crds(request: Request, settings: Settings, problems: Problems) -> Sequence[Crd]:
    """Return the CRDs of a request, as `generate` writes them."""
    from protoc_gen_crd import pipeline  # noqa: PLC0415 - CRDs from documents need no generator

    build = pipeline.build_istio_crds if settings.compat else pipeline.build_crds
    return build(request, settings, problems)


def summarize_protos(requests: Sequence[Request]) -> ProtoSummary | None:
    """Return the summary of the .proto files of a run, None if there are none."""
    if not requests:
        return None
    from protoc_gen_crd.comparison.protos.proto_summary import merge_protos  # noqa: PLC0415 - only comparisons need it
    from protoc_gen_crd.proto.element_facts import ElementFacts  # noqa: PLC0415

    return merge_protos([_summarize(ElementFacts(request)) for request in requests])


def _summarize(facts: ElementFacts) -> ProtoSummary:
    from protoc_gen_crd.comparison.protos.proto_summary import ProtoSummary, ProtoType  # noqa: PLC0415

    _mark_deprecated(facts)
    types = {named.name: ProtoType(named.kind, named.facts, named.members) for named in facts.types}
    return ProtoSummary(facts.files, types, facts.places)


def _mark_deprecated(facts: ElementFacts) -> None:
    """Mark the elements that a comment deprecates, like those with the option."""
    from protoc_gen_crd.markers.comment_parser import has_deprecated_paragraph  # noqa: PLC0415

    elements = {**facts.files}
    for named in facts.types:
        elements[named.name] = named.facts
        elements |= {f"{named.name}.{member}": of_member for member, of_member in named.members.items()}
    for name, of_element in elements.items():
        at = facts.places[name]
        if has_deprecated_paragraph(at.source.leading.get(at.path, ""), at):
            of_element["deprecated"] = True


def load_crds(
    inputs: Sequence[str],
    settings: Settings,
    paths: dict[str, str],
    problems: Problems,
    generator_problems: Problems,
    options: LoadOptions | None = None,
) -> Iterator[Crd]:
    """Yield the CRDs of .proto files and descriptors, then those of documents.

    `generator_problems` receives the findings of the generator, `paths` the locations of the .proto files. Raises
    OSError if a path cannot be read.
    """
    options = options or LoadOptions()
    known, kept_places = options.known, options.kept_places
    documents = InputDocuments(settings, inputs, problems, settings.output_folders)
    documents.similar = known.similar if known else None
    sources = documents.generator_inputs
    if sources and not options.only_documents:
        yield from generate_crds(
            sources, settings, paths, generator_problems, requests=options.requests, build=options.build
        )
    findings: list[Finding] = []
    minor, size = documents.minors[-1], 0
    for file in documents.files:
        cases, file_findings = documents.get_objects(file)
        findings += file_findings
        data = b"" if known is None or is_stream(file) else read_content(file, Problems())
        size += len(data)
        is_kept = not 0 < kept_places < size
        dropped = data if len(cases) == 1 and not is_kept else b""
        structs = known.structs if known is not None and is_kept else None
        problems.findings += find_misspelled_crds(cases, settings.skip_kinds)
        definitions = (case for case in cases if case.is_crd_definition)
        decoded = [(case, crd) for case in definitions for crd in _decode_crd(case, problems, dropped, minor, structs)]
        if known is not None and data and not file_findings:  # the other side has the findings, too
            known.add(data, decoded)
        for _, crd in decoded:
            if options.reports_unknown_fields:
                report_unknown_fields(crd, problems)
            yield crd
    problems.findings += limit_skip_notes(findings)


def load_valid_crds(
    inputs: Sequence[str],
    settings: Settings,
    paths: dict[str, str],
    problems: Problems,
    requests: list[Request] | None = None,
) -> tuple[Crd, ...]:
    """Return the CRDs of paths, and report those that API servers reject and those with the same name.

    `requests` receives the request of .proto files. Raises OSError if a path cannot be read.
    """
    from protoc_gen_crd.documents.api_side import ApiSide, merge_sides  # noqa: PLC0415 - `validate` does not need it

    documents = InputDocuments(settings, inputs, problems, settings.output_folders)
    generated = (
        generate_crds(documents.generator_inputs, settings, paths, problems, requests=requests)
        if documents.generator_inputs
        else ()
    )
    documents.load_crds()
    documents.report_unreadable()
    cases = [definition.source for definition in documents.definitions if isinstance(definition.source, DocumentCase)]
    decoded = (decode(case.object, case.get_place).crd for case in cases)
    side = ApiSide(", ".join(inputs), tuple(generated), tuple(crd for crd in decoded if crd is not None))
    return merge_sides([side], problems).crds


def require_crds(
    inputs: Sequence[str],
    settings: Settings,
    paths: dict[str, str],
    problems: Problems,
    options: LoadOptions | None = None,
) -> tuple[Crd, ...]:
    """Return the CRDs of paths, and report if there are none. Raises OSError if a path cannot be read."""
    crds = tuple(load_crds(inputs, settings, paths, problems, problems, options))
    report_no_crds(crds, inputs, problems)
    return crds


def drop_repeated_kinds(crds: Iterable[Crd], problems: Problems) -> list[Crd]:
    """Return the first CRD of each kind. Another one is reported unless it is equal."""
    selected: dict[tuple[str, str], Crd] = {}
    for crd in crds:
        first = selected.setdefault((crd.group, crd.names.kind), crd)
        if first is not crd:
            report_repeated_kind(first, crd, problems)
    return list(selected.values())


def report_repeated_kind(first: Crd, second: Crd, problems: Problems) -> None:
    """Report the second CRD of a kind unless both are equal."""
    from protoc_gen_crd.crd.crd_differences import find_spec_difference  # noqa: PLC0415 - few runs have such CRDs

    if path := find_spec_difference(first, second):
        at = first.origin.resolve() if first.origin else first.name
        message = f"another CRD defines the kind {first.group}/{first.names.kind} with a different {path}"
        hint = f"this one is ignored: the CRD at {at} is used"
        problems.report("crd-repeated", message, second.origin, path=second.name, hint=hint)


def report_no_crds(crds: Sequence[Crd], inputs: Sequence[str], problems: Problems) -> None:
    """Report that there are no CRDs, unless a finding explains it."""
    if not crds and all(finding.rule == SKIP_RULE for finding in problems.findings):
        problems.report("crd-none", f"no CRDs found in {', '.join(inputs)}")


def load_documents(
    documents: InputDocuments, requests: list[Request] | None = None, generated: Sequence[Crd] | None = None
) -> None:
    """Load the old state, then the CRDs of .proto files and descriptors, then those of documents.

    The .proto files are those in the paths. Without any, they are the inputs of the settings if the paths are the
    documents of the settings, or if a document has a kind that no CRD in the paths defines. The CRDs in the inputs of
    the settings are then loaded, too. Raises OSError if a path cannot be read.

    Args:
        documents: The files, which receive the CRDs.
        requests: Receives the request of the .proto files.
        generated: The CRDs of the .proto files, if they were generated before.
    """
    settings, definitions, problems = documents.settings, documents.definitions, documents.problems
    if documents.old is not None:
        definitions.old_state.load(documents.old, problems)

    def generate(inputs: Sequence[str]) -> Sequence[Crd]:
        return generate_crds(inputs, settings, documents.paths, problems, requests=requests) if inputs else ()

    inputs = documents.find_inputs() if documents.are_default else ()
    for crd in generate(documents.generator_inputs or _list_sources(inputs)) if generated is None else generated:
        definitions.add(crd, problems)
    documents.load_input_crds(inputs)
    documents.load_crds()
    is_read = bool(inputs or documents.generator_inputs)
    if settings.inputs and not is_read and (not len(definitions) or documents.lack_crds()):
        inputs = documents.find_inputs()
        for crd in [crd for crd in generate(_list_sources(inputs)) if not definitions.has_kind(crd)]:
            definitions.add(crd, problems)
        documents.load_input_crds(inputs)


def _list_sources(inputs: Sequence[InputFiles]) -> Sequence[str]:
    """Return what the generator reads of the inputs of the settings."""
    return tuple(dict.fromkeys(source for files in inputs for source in files.generator_inputs))


def report_no_resources(where: str, settings: Settings, problems: Problems) -> None:
    """Report that there are no resources, and why."""
    if settings.channel and settings.channel_fields == "omit":
        suffix, hint = f' of channel "{settings.channel}"', "resources of later channels are left out"
    else:
        suffix, hint = "", _RESOURCE_HINT
    problems.report("output-none", f"no resources{suffix} found in {where}", hint=hint)


def _decode_crd(
    case: DocumentCase, problems: Problems, dropped: bytes, minor: int, structs: KnownStructs | None
) -> Iterator[Crd]:
    """Yield the CRD of a case; `dropped` is the content of its file if its places are not kept."""
    from protoc_gen_crd.documents.document_places import PlaceReader, drop_values  # noqa: PLC0415 - `validate` does not need it

    places = PlaceReader(case, dropped, minor) if dropped else drop_values(case)
    decoded = decode(case.object, places.get_place, known=structs)
    if decoded.crd is not None:
        yield decoded.crd
    else:
        message = f"{case.name} is rejected: {decoded.format_rejection(nested=True)}"
        at, hint = decoded.find_rejected_value(case.get_place), find_decoding_hint(message)
        problems.report("crd-rejected", message, at, path=case.name, hint=hint)
