"""Changes of the CRDs of a request since the descriptor sets of the option `old`, for users of buf.

A plugin may see only a part of the API: with buf's strategy `directory`, each run has the files of one folder. So a
kind that the request does not define is removed only if the request has other files of its folder.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Sequence

from protoc_gen_crd.comparison.api_comparison import judge_changes
from protoc_gen_crd.comparison.change_findings import make_findings
from protoc_gen_crd.comparison.profiles import ProfileChoice
from protoc_gen_crd.crd.crd import Crd
from protoc_gen_crd.documents.side_reference import PATH, parse_reference
from protoc_gen_crd.findings.finding import Problems
from protoc_gen_crd.findings.severity_policy import has_error
from protoc_gen_crd.kubernetes.versions import parse_minors
from protoc_gen_crd.settings.settings import Settings
from protoc_gen_crd.side_loader import SideReader


def report_changes(crds: Sequence[Crd], targets: Collection[str], settings: Settings, problems: Problems) -> None:
    """Report the changes, unless there are errors. `targets` are the names of the files of the request."""
    if has_error(problems.findings, settings.findings, complete=False):
        return
    before = len(problems.findings)
    old = _read_old_crds(settings, problems)
    if len(problems.findings) > before:
        return
    folders = {os.path.dirname(name) for name in targets}  # noqa: PTH120 - plugin runs do not import pathlib
    kinds = {(crd.group, crd.names.kind) for crd in crds}
    visible = [crd for crd in old if (crd.group, crd.names.kind) in kinds or _get_folder(crd) in folders]
    profiles = ProfileChoice({"": settings.profile, **settings.profiles})
    changes = judge_changes(visible, crds, parse_minors(settings.kubernetes))
    problems.findings += (finding for _, finding in make_findings(changes, settings.findings, profiles))


def _read_old_crds(settings: Settings, problems: Problems) -> Sequence[Crd]:
    """Return the CRDs of the descriptor sets, and report other values of the option."""
    crds: list[Crd] = []
    for value in settings.old:
        if parse_reference(value).form != PATH or os.path.isdir(value):  # noqa: PTH112 - as above
            hint = "the command `changes` compares with folders, commits, releases and clusters"
            problems.report("option-value", f'plugin option "old" is not a file: "{value}"', hint=hint)
            continue
        try:
            crds += SideReader(value, settings, problems).read([value]).crds
        except OSError as error:
            problems.report("option-value", f'cannot read the old side "{value}": {error.strerror}')
    return crds


def _get_folder(crd: Crd) -> str:
    """Return the folder of the file that defines a CRD, as in its name in the descriptor set."""
    name = crd.origin.resolve().file.rpartition(":")[2] if crd.origin else ""
    return os.path.dirname(name)  # noqa: PTH120 - as above
