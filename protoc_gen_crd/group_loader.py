"""Loader of the gRPC API groups of a run from its .proto files."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.comparison.groups.group_api import GroupApi
from protoc_gen_crd.findings.finding import Problems
from protoc_gen_crd.findings.severity_policy import has_error
from protoc_gen_crd.settings.settings import Settings

if TYPE_CHECKING:
    from protoc_gen_crd.groups.codegen.package_files import GroupFile
    from protoc_gen_crd.groups.group_plan import GroupPlan
    from protoc_gen_crd.proto.request import Request


class LoadedGroups(Record):
    """The plans of groups, their summary, and the .proto files of the versions of annotated services."""

    plans: tuple[GroupPlan, ...] = ()
    api: GroupApi = GroupApi()
    protos: tuple[GroupFile, ...] = ()


def load_groups(requests: Sequence[Request], settings: Settings, problems: Problems) -> LoadedGroups:
    """Load the groups of the .proto files that CRDs were loaded from; none unless the setting `groups` is set.

    Only errors about groups are reported: `generate` reports warnings, and loading the CRDs reports errors of the
    compiler and of markers.

    Args:
        requests: The requests that the functions of `crd_loader` read: none, or one for all files.
    """
    if not settings.groups or not requests:
        return LoadedGroups()
    from protoc_gen_crd import pipeline  # noqa: PLC0415 - CRDs from documents need no generator
    from protoc_gen_crd.groups.codegen.version_protos import generate_protos  # noqa: PLC0415
    from protoc_gen_crd.groups.group_summary import summarize_groups  # noqa: PLC0415

    own, (request,) = Problems(), requests
    plans, versioned = pipeline.build_groups(request, settings, own)
    known = {(finding.rule, finding.message) for finding in problems.findings}
    problems.findings += [
        finding
        for finding in own.findings
        if (finding.rule, finding.message) not in known and has_error([finding], settings.findings, complete=False)
    ]
    protos = generate_protos(versioned, plans, settings.groups)
    api = summarize_groups(plans)
    places = {key: versioned.find_original(place) for key, place in api.places.items()} if versioned.originals else {}
    return LoadedGroups(tuple(plans), api.replace(places=places or api.places), tuple(protos))
