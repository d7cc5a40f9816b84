"""A side of a comparison: the CRDs and documents of files, with their places."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.comparison.groups.group_api import GroupApi, merge_groups
from protoc_gen_crd.comparison.protos.proto_summary import ProtoSummary, merge_protos
from protoc_gen_crd.crd.crd import Crd
from protoc_gen_crd.documents.document_reader import DocumentCase
from protoc_gen_crd.findings.finding import Finding, Location, Problems


class ApiSide(Record):
    """The CRDs that are generated and those that are read; all documents, including the latter CRDs; the API groups.

    `groups` is None if the side has no source of API groups, such as a cluster; `protos` if it has no .proto files.

    `label` describes the side in messages. For `SourceFiles`: `copies` are the paths of files by their names in
    locations, if they differ, and `contents` those of files that are not on disk.

    `other_folders` are references to the folders with CRDs of a commit whose inputs have none.

    `released` is the last release that the side records, if its users have that release instead of the side itself.

    `repeated` are other CRDs with the name of one of the side: users have one of them.

    `findings` are the warnings and notes of the side, which are not reported: nobody can fix the files of the past.
    """

    label: str
    generated: tuple[Crd, ...] = ()
    decoded: tuple[Crd, ...] = ()
    cases: tuple[DocumentCase, ...] = ()
    copies: Mapping[str, str] = {}
    contents: Mapping[str, bytes] = {}
    groups: GroupApi | None = None
    protos: ProtoSummary | None = None
    other_folders: tuple[str, ...] = ()
    released: ApiSide | None = None
    findings: tuple[Finding, ...] = ()
    repeated: tuple[Crd, ...] = ()

    @property
    def crds(self) -> tuple[Crd, ...]:
        """All CRDs."""
        return (*self.generated, *self.decoded)

    def list_objects(self) -> list[Mapping[str, Any]]:
        """Return the documents that are no CRDs."""
        return [case.object for case in self.cases if not case.is_crd]

    @property
    def is_empty(self) -> bool:
        """True without CRDs and API groups."""
        return not self.crds and not (self.groups and self.groups.summary)


def merge_sides(sides: Sequence[ApiSide], problems: Problems) -> ApiSide:
    """Return one side with the content of several. Of CRDs with the same name, all but the first are reported."""
    seen: dict[str, Crd] = {}
    merged = [
        (
            drop_repeated(side.generated, seen, side.label, problems),
            drop_repeated(side.decoded, seen, side.label, problems),
        )
        for side in sides
    ]
    return ApiSide(
        ", ".join(side.label for side in sides),
        tuple(crd for generated, _ in merged for crd in generated),
        tuple(crd for _, decoded in merged for crd in decoded),
        tuple(case for side in sides for case in side.cases),
        {name: path for side in sides for name, path in side.copies.items()},
        {name: data for side in sides for name, data in side.contents.items()},
        merge_groups([side.groups for side in sides if side.groups is not None]),
        merge_protos([side.protos for side in sides if side.protos]),
        tuple(folder for side in sides for folder in side.other_folders),
        next((side.released for side in sides if side.released), None),
        tuple(finding for side in sides for finding in side.findings),
    )


def drop_repeated(crds: Sequence[Crd], seen: dict[str, Crd], label: str, problems: Problems) -> list[Crd]:
    """Return the CRDs with new names. Another CRD with the same name is reported unless it is equal."""
    kept, _ = separate_repeated(crds, seen, label, problems, "this one is ignored: the CRD at {} is used")
    return kept


def separate_repeated(
    crds: Sequence[Crd], seen: dict[str, Crd], label: str, problems: Problems, hint: str
) -> tuple[list[Crd], list[Crd]]:
    """Return the CRDs with new names, and other CRDs with the same names, which are reported; equal ones are dropped.

    `hint` is a template with the place of the first CRD.
    """
    kept, repeated = list[Crd](), list[Crd]()
    for crd in crds:
        first = seen.setdefault(crd.name, crd)
        if first is crd:
            kept.append(crd)
            continue
        from protoc_gen_crd.crd.crd_differences import find_spec_difference  # noqa: PLC0415 - few CRDs are repeated

        if path := find_spec_difference(first, crd):
            repeated.append(crd)
            at = first.origin.resolve() if first.origin else Location("")
            message = f"another CRD of {label} has the name {crd.name} and a different {path}"
            problems.report("crd-repeated", message, crd.origin, path=crd.name, hint=hint.format(at))
    return kept, repeated


def select_new_findings(findings: Sequence[Finding], old: ApiSide) -> Iterator[Finding]:
    """Yield the findings of a side that the old side does not have; equal ones are as many as are new."""
    known = Counter(map(_get_finding_key, old.findings))
    for finding in findings:
        key = _get_finding_key(finding)
        known[key] -= 1
        if known[key] < 0:
            yield finding


def _get_finding_key(finding: Finding) -> tuple[str, ...]:
    return finding.rule, finding.path, finding.message
