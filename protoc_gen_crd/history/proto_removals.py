"""Removals of services, RPCs, and the fields and values of their messages before the end of the deprecation period."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from protoc_gen_crd.comparison.proto_comparison import compare_protos
from protoc_gen_crd.comparison.proto_summary import ProtoSummary
from protoc_gen_crd.comparison.proto_usage import find_service_types, split_package
from protoc_gen_crd.history.removals import EarlyRemoval, RemovedElement, is_reached
from protoc_gen_crd.kubernetes.deprecation_policy import DeprecationPolicy, Term

REMOVALS = ("change-service-removed", "change-rpc-removed", "change-field-removed", "change-enum-value-removed")

ProtoHistory = Sequence[tuple[str, ProtoSummary | None]]


def find_early_proto_removals(
    history: ProtoHistory, current: ProtoSummary, release: str, date: str, terms: DeprecationPolicy
) -> Iterator[EarlyRemoval]:
    """Find elements of services that the current protos, released under that name and date, remove too early.

    `history` has the releases, oldest first, without a summary if they were recorded without protos. `terms` must
    include the release.
    """
    before = history[-1][1] if history else None
    if before is None:
        return
    used = find_service_types(before)
    for found in compare_protos(before, current):
        owner = found.old_owner
        if found.difference.rule not in REMOVALS or owner not in used:
            continue
        removed = _make_element(before, owner, found.member)
        if terms.find_term(removed.version, "", removed.element) == Term(0, 0):
            continue
        since = _find_deprecation(history, owner, found.member)
        earliest = terms.find_earliest_removal(since or release, removed.version, "", removed.element)
        if not since or not is_reached(earliest, release, date):
            yield EarlyRemoval(removed, since, earliest)


def _make_element(summary: ProtoSummary, owner: str, member: str) -> RemovedElement:
    package = summary.get_package(owner)
    name, version = split_package(package)
    relative = owner.removeprefix(f"{package}.") if package else owner
    return RemovedElement(name, version, f"{relative}.{member}" if member else relative, "", "")


def _find_deprecation(history: ProtoHistory, owner: str, member: str) -> str:
    """Return the first release since which all releases deprecate an element, empty if the last one does not."""
    since = ""
    for release, summary in reversed(history):
        if summary is None or not summary.is_deprecated(owner, member):
            break
        since = release
    return since
