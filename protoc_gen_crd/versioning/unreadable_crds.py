"""CRDs of a side that cannot be decoded: they do not hide the changes of the others."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from protoc_gen_crd.comparison.change import Change, ChangeClass
from protoc_gen_crd.comparison.evidence.server_rejections import REJECTED_RULE
from protoc_gen_crd.documents.api_side import ApiSide
from protoc_gen_crd.documents.document_reader import CRD_KIND
from protoc_gen_crd.findings.finding import Finding
from protoc_gen_crd.findings.severity_policy import PolicyEntry, is_accepted

_REJECTED, _REPEATED = "crd-rejected", "crd-repeated"


def find_unreadable(findings: Sequence[Finding]) -> dict[str, Finding]:
    """Return the findings about CRDs that cannot be decoded, by the name of the CRD."""
    return {name: finding for finding in findings if (name := _get_unreadable_name(finding))}


def drop_partial(findings: Sequence[Finding]) -> list[Finding]:
    """Return the findings that are not about one CRD, and without which the others can be compared."""
    return [finding for finding in findings if finding.rule != _REPEATED and not _get_unreadable_name(finding)]


def _get_unreadable_name(finding: Finding) -> str:
    """Return the name of the CRD of a document that cannot be decoded; empty for other findings and without a name."""
    kind, _, name = finding.path.partition("/")
    return name.rpartition("/")[2] if (finding.rule, kind) == (_REJECTED, CRD_KIND) else ""


def drop_crds(side: ApiSide, names: Collection[str]) -> ApiSide:
    """Return a side without the CRDs with these names."""
    parts = {
        part: tuple(crd for crd in getattr(side, part) if crd.name not in names)
        for part in ("generated", "decoded", "repeated")
    }
    released = drop_crds(side.released, names) if side.released else None
    return side.replace(**parts, released=released) if names else side


def list_rejected(new: Mapping[str, Finding], entries: Sequence[PolicyEntry]) -> list[Change]:
    """Return changes for the CRDs of the new side that cannot be decoded, for the verdict."""
    return [
        Change(REJECTED_RULE, ChangeClass.BREAK, name, "", finding.message, at=finding.at, is_rejected=True)
        for name, finding in new.items()
        if not is_accepted(finding, entries)
    ]
