"""Data that CRDs lose between versions, and constraints that differ: after an import, `generate` reports the same."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.comparison.version_differences import (
    DIFFERENCE_RULES,
    VersionDifference,
    find_differences,
    find_element_path,
    get_rule,
)
from protoc_gen_crd.crd.crd import Crd
from protoc_gen_crd.findings.finding import Finding
from protoc_gen_crd.findings.severity_policy import PolicyEntry, is_accepted


class KnownLoss(Record):
    """A rule and the path of an element."""

    rule: str
    path: str


def find_known_losses(
    findings: Iterable[Finding], generated: Iterable[Crd], existing: Iterable[Crd], entries: Sequence[PolicyEntry]
) -> tuple[KnownLoss, ...]:
    """Return the findings of `generate` about losses that existing CRDs have, too, unless entries accept them.

    An element with another loss, which is new, is left out.
    """
    crds = {crd.name: crd for crd in existing}
    known: set[KnownLoss] = set()
    new: set[KnownLoss] = set()
    for crd in generated:
        old = {_make_key(*loss) for loss in _list_differences(crds[crd.name])} if crd.name in crds else set()
        for version, difference in _list_differences(crd):
            loss = KnownLoss(get_rule(difference), find_element_path(crd, difference))
            (known if _make_key(version, difference) in old else new).add(loss)
    reported = (
        KnownLoss(finding.rule, finding.path)
        for finding in findings
        if finding.rule in DIFFERENCE_RULES and not is_accepted(finding, entries)
    )
    return tuple(sorted((known - new).intersection(reported), key=lambda loss: (loss.path, loss.rule)))


def _list_differences(crd: Crd) -> Iterator[tuple[str, VersionDifference]]:
    """Yield the differences of served versions from the storage version, with the names of the former."""
    storage = next((version for version in crd.versions if version.storage), None)
    if storage is None or storage.schema is None:
        return
    for version in crd.versions:
        if version.served and version.schema is not None and version is not storage:
            for difference in find_differences(version, storage.schema):
                yield version.name, difference


def _make_key(version: str, difference: VersionDifference) -> tuple[str, str, str, tuple[str, str]]:
    return version, difference.kind, difference.path, difference.values
