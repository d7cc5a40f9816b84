"""Changes of the CRDs and protos of a request since the descriptor sets of the option `old`, for users of buf.

A plugin may see only a part of the API: with buf's strategy `directory`, each run has the files of one folder. So a
kind that the request does not define is removed only if the request has other files of its folder.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator, Sequence
from typing import TYPE_CHECKING

from protoc_gen_crd.comparison.api_comparison import judge_changes
from protoc_gen_crd.comparison.change import Change
from protoc_gen_crd.comparison.change_findings import make_findings, merge_kinds
from protoc_gen_crd.comparison.groups.group_comparison import compare_groups
from protoc_gen_crd.comparison.protos.proto_change_selection import ApiProtos, compare_api_protos
from protoc_gen_crd.comparison.protos.proto_summary import ProtoSummary
from protoc_gen_crd.comparison.severity_profiles import ProfileChoice
from protoc_gen_crd.crd.crd import Crd
from protoc_gen_crd.crd_loader import summarize_protos
from protoc_gen_crd.documents.api_side import ApiSide, merge_sides
from protoc_gen_crd.documents.side_reference import PATH, parse_reference
from protoc_gen_crd.findings.finding import Problems
from protoc_gen_crd.findings.severity_policy import has_error
from protoc_gen_crd.group_loader import load_groups
from protoc_gen_crd.kubernetes.supported_versions import parse_minors
from protoc_gen_crd.settings.settings import Settings
from protoc_gen_crd.side_loader import SideReader

if TYPE_CHECKING:
    from protoc_gen_crd.proto.request import Request


def report_changes(crds: Sequence[Crd], request: Request, settings: Settings, problems: Problems) -> None:
    """Report the changes, unless there are errors."""
    if has_error(problems.findings, settings.findings, complete=False):
        return
    before = len(problems.findings)
    sides = _read_old_sides(settings, problems)
    if len(problems.findings) > before:
        return
    profiles = ProfileChoice({"": settings.profile, **settings.profiles})
    changes = _compare(merge_sides(sides, problems), crds, request, settings, profiles)
    problems.findings += merge_kinds(make_findings(changes, settings.findings, profiles), settings.findings)


def _compare(
    old: ApiSide, crds: Sequence[Crd], request: Request, settings: Settings, profiles: ProfileChoice
) -> Iterator[Change]:
    """Yield the changes of what the run sees: of CRDs, protos, and API groups."""
    folders = {_get_folder(name) for name in request.targets}
    kinds = {(crd.group, crd.names.kind) for crd in crds}
    visible = [crd for crd in old.crds if (crd.group, crd.names.kind) in kinds or _find_folder(crd) in folders]
    changes = judge_changes(visible, crds, parse_minors(settings.kubernetes), channels=settings.channels)
    yield from changes
    groups = load_groups([request], settings, Problems()).api if settings.groups else None
    if old.groups is not None and groups is not None:
        known = {name: group for name, group in old.groups.summary.items() if name in groups.summary}
        yield from compare_groups(old.groups.replace(summary=known), groups)
    protos = summarize_protos([request])
    if old.protos is not None and protos is not None:
        own, others = (api.summary if api else {} for api in (groups, old.groups))
        before = ApiProtos(_limit_protos(old.protos, folders), tuple(visible), others)
        yield from compare_api_protos(before, ApiProtos(protos, tuple(crds), own), changes, profiles)


def _limit_protos(protos: ProtoSummary, folders: Collection[str]) -> ProtoSummary:
    """Return the files of some folders and their types."""
    files = {name: facts for name, facts in protos.files.items() if _get_folder(name) in folders}
    types = {name: proto_type for name, proto_type in protos.types.items() if proto_type.facts["file"] in files}
    return protos.replace(files=files, types=types)


def _read_old_sides(settings: Settings, problems: Problems) -> Sequence[ApiSide]:
    """Return the contents of the descriptor sets, and report other values of the option."""
    sides: list[ApiSide] = []
    for value in settings.old:
        if parse_reference(value).form != PATH or os.path.isdir(value):  # noqa: PTH112 - as above
            hint = "the command `changes` compares with folders, commits, releases and clusters"
            problems.report("option-value", f'plugin option "old" is not a file: "{value}"', hint=hint)
            continue
        try:
            sides.append(SideReader(value, settings, problems).read([value]))
        except OSError as error:
            problems.report("option-value", f'cannot read the older API "{value}": {error.strerror}')
    return sides


def _find_folder(crd: Crd) -> str:
    """Return the folder of the file that defines a CRD, as in its name in the descriptor set."""
    return _get_folder(crd.origin.resolve().file.rpartition(":")[2]) if crd.origin else ""


def _get_folder(name: str) -> str:
    return os.path.dirname(name)  # noqa: PTH120 - plugin runs do not import pathlib
