"""Loader of the gRPC API groups of a run from .proto files and descriptors."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.comparison.group_api import GroupApi
from protoc_gen_crd.documents.document_files import find_files
from protoc_gen_crd.findings.finding import Problems
from protoc_gen_crd.findings.severity_policy import has_error
from protoc_gen_crd.settings.settings import Settings

if TYPE_CHECKING:
    from protoc_gen_crd.groups.codegen.package_files import GroupFile
    from protoc_gen_crd.groups.group_plan import GroupPlan


class LoadedGroups(Record):
    """The plans of groups, their summary, and the .proto files of the versions of annotated services."""

    plans: tuple[GroupPlan, ...] = ()
    api: GroupApi = GroupApi()
    protos: tuple[GroupFile, ...] = ()


def load_groups(
    inputs: Sequence[str],
    settings: Settings,
    paths: dict[str, str],
    problems: Problems,
    format_name: Callable[[str, str], str] | None = None,
) -> LoadedGroups:
    """Load the groups of paths; none unless the setting `groups` is set.

    Only errors about groups are reported: `generate` reports warnings, and loading the CRDs of the same paths reports
    errors of the compiler and of markers. `paths` and `format_name` are as in `crd_loader.generate_crds`.

    Raises OSError if an input cannot be read.
    """
    sources = find_files(inputs, Problems(), settings.output_folders).generator_inputs if settings.groups else ()
    if not sources:
        return LoadedGroups()
    from protoc_gen_crd import pipeline  # noqa: PLC0415 - CRDs from documents need no generator
    from protoc_gen_crd.groups.codegen.version_protos import generate_protos  # noqa: PLC0415
    from protoc_gen_crd.groups.group_summary import summarize_groups  # noqa: PLC0415
    from protoc_gen_crd.proto.inputs import read_inputs  # noqa: PLC0415
    from protoc_gen_crd.proto.request import Request  # noqa: PLC0415

    reported = Problems()
    read = read_inputs(sources, settings.import_paths, settings.targets, reported)
    paths.update(read.paths)
    failed = has_error(reported.findings, settings.findings, complete=False)
    request = None if failed else Request.from_message(read.request, reported, read.paths)
    if request is None:
        return LoadedGroups()
    if format_name:
        names = {name: format_name(name, read.paths.get(name, "")) for name in request.files}
        request = request.replace(shown_names=names)
    own = Problems()
    plans, versioned = pipeline.build_groups(request, settings, own)
    known = {(finding.rule, finding.message) for finding in problems.findings}
    problems.findings += [
        finding
        for finding in own.findings
        if (finding.rule, finding.message) not in known and has_error([finding], settings.findings, complete=False)
    ]
    protos = generate_protos(versioned.request, versioned.originals, settings.groups)
    api = summarize_groups(plans)
    places = {key: versioned.find_original(place) for key, place in api.places.items()} if versioned.originals else {}
    return LoadedGroups(tuple(plans), api.replace(places=places or api.places), tuple(protos))
