"""Checks for conflicts between the messages of a kind, and between the names of kinds of a group."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from protoc_gen_crd.crd.crd import Crd, Names
from protoc_gen_crd.findings.finding import Problems
from protoc_gen_crd.generation.resource_messages import ResourceSource

_MEMBERS = ("plural", "singular", "list_kind", "scope")


def check_agreement(sources: Sequence[ResourceSource], problems: Problems) -> None:
    """Report each member that has different values in two messages, with both places."""
    for member in _MEMBERS:
        values = [(source, value) for source in sources if (value := source.declared.get(member))]
        for source, value in values[1:]:
            if value != values[0][1]:
                _report_conflict(member, (values[0][0], values[0][1]), (source, value), problems)


def merge_metadata(sources: Sequence[ResourceSource], member: str, problems: Problems) -> Mapping[str, str]:
    """Merge the labels or annotations of all sources, and report keys with different values."""
    merged: dict[str, str] = {}
    owners: dict[str, ResourceSource] = {}
    for source in sources:
        for key, value in (source.declared.get(member) or {}).items():
            first = owners.setdefault(key, source)
            if merged.setdefault(key, value) != value:
                _report_conflict(member, (first, f"{key}={merged[key]}"), (source, f"{key}={value}"), problems)
    return merged


def check_names(crds: Sequence[Crd], problems: Problems) -> None:
    """Report names that two kinds of a group claim. API servers do not serve the second CRD.

    Source: k8s.io/apiextensions-apiserver pkg/controller/status naming_controller.go.
    """
    owners: dict[tuple[str, str, str], Crd] = {}
    for crd in crds:
        for member, name in _list_claimed_names(crd.names):
            namespace = "kind" if member in ("kind", "listKind") else ""
            owner = owners.setdefault((crd.group, namespace, name), crd)
            if owner is not crd and owner.origin:
                problem = f'{_SHOWN[member]} "{name}" is already used by {owner.names.kind} of the same group'
                hint = f"{owner.names.kind} is declared at {owner.origin.resolve()}"
                problems.report(
                    "resource-repeated", problem, crd.get_place(f"names.{member}"), path=crd.name, hint=hint
                )
                if member == "plural":  # the CRD is declared twice
                    break


_SHOWN = {
    "plural": "plural", "singular": "singular", "shortNames": "short name", "kind": "kind", "listKind": "list kind",
}  # fmt: skip


def _list_claimed_names(names: Names) -> Iterator[tuple[str, str]]:
    """Yield the names that a CRD claims, with their members."""
    yield from (("plural", names.plural), ("singular", names.singular))
    yield from (("shortNames", name) for name in names.short_names)
    yield from (("kind", names.kind), ("listKind", names.list_kind))


def report_repeated_version(name: str, first: ResourceSource, second: ResourceSource, problems: Problems) -> None:
    """Report that two messages declare the same version."""
    problems.report(
        "version-repeated",
        f'duplicate version {name} of {first.kind} in "{second.message.full_name}"',
        second.get_place("versions"),
        path=second.message.full_name,
        hint=f'"{first.message.full_name}" declares it at {first.get_place("versions").resolve()}',
    )


MemberValue = tuple[ResourceSource, Any]


def _report_conflict(member: str, first: MemberValue, second: MemberValue, problems: Problems) -> None:
    source = second[0]
    problems.report(
        "resource-conflict",
        f'conflicting "{member}" in the messages of kind {source.kind}: "{first[1]}" and "{second[1]}"',
        source.get_place(member),
        path=source.message.full_name,
        hint=f"the first is at {first[0].get_place(member).resolve()}",
    )
