"""Loader of what the linter reads: the protos of inputs, and the CRDs that are generated from them or in documents."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from protoc_gen_crd.crd.crd import Crd
from protoc_gen_crd.crd_loader import LoadOptions, load_crds, report_repeated_kind
from protoc_gen_crd.documents.unknown_kinds import SKIP_RULE
from protoc_gen_crd.findings.finding import Finding, Problems
from protoc_gen_crd.findings.severity_policy import has_error
from protoc_gen_crd.lint.linter import LintApi
from protoc_gen_crd.settings.settings import Settings

if TYPE_CHECKING:
    from protoc_gen_crd.proto.api_set import ApiSet
    from protoc_gen_crd.proto.request import Request


class LintBuilder:
    """Builds CRDs without the verdicts of API servers, and keeps the protos that they are built from."""

    def __init__(self) -> None:
        self.protos: list[tuple[ApiSet, frozenset[str]]] = []
        self.names: set[str] = set()  # of the CRDs

    def build(self, request: Request, settings: Settings, problems: Problems) -> tuple[Crd, ...]:
        """Return the CRDs of a request. Only errors are reported: `generate` reports the rest."""
        from protoc_gen_crd import pipeline  # noqa: PLC0415 - CRDs from documents need no generator

        own = Problems()
        api, sources, crds = pipeline.build_sources_and_crds(request, settings, own)
        resources = frozenset(source.message.full_name for source in sources if len(source.versions) == 1)
        self.protos.append((api, resources))
        self.names.update(crd.name for crd in crds)
        problems.findings += [finding for finding in own.findings if _is_error(finding, settings)]
        return crds


def _is_error(finding: Finding, settings: Settings) -> bool:
    return has_error([finding], settings.findings, complete=False)


def load_lint_api(inputs: Sequence[str], settings: Settings, paths: dict[str, str], problems: Problems) -> LintApi:
    """Return the API of paths. Of CRDs with the same name, the generated one is kept, since it has the protos.

    `paths` receives the paths of the .proto files by name. Raises OSError if a path cannot be read.
    """
    builder = LintBuilder()
    crds: dict[str, Crd] = {}
    for crd in load_crds(inputs, settings, paths, problems, problems, LoadOptions(build=builder.build)):
        first = crds.setdefault(crd.name, crd)
        if first is not crd and crd.name not in builder.names:
            report_repeated_kind(first, crd, problems)
    if not crds and not builder.protos and all(finding.rule == SKIP_RULE for finding in problems.findings):
        problems.report("crd-none", f"no CRDs found in {', '.join(inputs)}")
    _report_missing_schemas(crds.values(), problems)
    return LintApi(tuple(builder.protos), tuple(crds.values()))


def _report_missing_schemas(crds: Iterable[Crd], problems: Problems) -> None:
    """Report CRDs without versions and versions without a schema, which API servers reject: nothing can be linted."""
    for crd in crds:
        if not crd.versions:
            problems.report("crd-rejected", f"{crd.name} is rejected: it has no versions", crd.origin, path=crd.name)
        for index, version in enumerate(crd.versions):
            if version.schema is None:
                path = f"spec.versions[{index}].schema.openAPIV3Schema"
                message = f"{crd.name} is rejected: {path}: Required value"
                problems.report("crd-rejected", message, version.origin or crd.origin, path=crd.name)
