"""What the messages of one kind say together: members that belong to the kind must not differ."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from protoc_gen_crd.base.diagnostics import Problems
from protoc_gen_crd.build.sources import Source
from protoc_gen_crd.crd.types import Crd, Names

_MEMBERS = ("plural", "singular", "list_kind", "scope")


def check_agreement(sources: Sequence[Source], problems: Problems) -> None:
    """Report each member of which two messages have different values, with both places."""
    for member in _MEMBERS:
        values = [(source, value) for source in sources if (value := source.declared.get(member))]
        for source, value in values[1:]:
            if value != values[0][1]:
                _conflict(member, (values[0][0], values[0][1]), (source, value), problems)


def merged(sources: Sequence[Source], member: str, problems: Problems) -> Mapping[str, str]:
    """Labels or annotations of all sources; two values for one key are a conflict."""
    found: dict[str, str] = {}
    owners: dict[str, Source] = {}
    for source in sources:
        for key, value in (source.declared.get(member) or {}).items():
            first = owners.setdefault(key, source)
            if found.setdefault(key, value) != value:
                _conflict(member, (first, f"{key}={found[key]}"), (source, f"{key}={value}"), problems)
    return found


def check_names(crds: Sequence[Crd], problems: Problems) -> None:
    """Each name of a group must belong to one kind: a server serves no second CRD that claims it.

    Source: k8s.io/apiextensions-apiserver pkg/controller/status naming_controller.go.
    """
    owners: dict[tuple[str, str, str], Crd] = {}
    for crd in crds:
        for member, name in _claims(crd.names):
            space = "kind" if member in ("kind", "listKind") else ""
            other = owners.setdefault((crd.group, space, name), crd)
            if other is not crd and other.origin:
                what = f"each {_SHOWN[member]} of a group must belong to one kind"
                problem = f'{what}, found "{name}" for {other.names.kind} as well'
                hint = f"{other.names.kind} is at {other.origin.resolve()}"
                problems.report("resource-repeated", problem, crd.place(f"names.{member}"), path=crd.name, hint=hint)
                if member == "plural":  # the CRD itself is there twice
                    break


_SHOWN = {
    "plural": "plural", "singular": "singular", "shortNames": "short name", "kind": "kind", "listKind": "list kind",
}  # fmt: skip


def _claims(names: Names) -> Iterator[tuple[str, str]]:
    """The names that a CRD claims, by member."""
    yield from (("plural", names.plural), ("singular", names.singular))
    yield from (("shortNames", name) for name in names.short_names)
    yield from (("kind", names.kind), ("listKind", names.list_kind))


def check_repeated(name: str, first: Source, second: Source, problems: Problems) -> None:
    """Report that two messages describe one version."""
    problems.report(
        "version-repeated",
        f'each version must be described once, found {name} of {first.kind} in "{second.message.full_name}" as well',
        second.place("versions"),
        path=second.message.full_name,
        hint=f'"{first.message.full_name}" is at {first.place("versions").resolve()}',
    )


Said = tuple[Source, Any]


def _conflict(member: str, first: Said, second: Said, problems: Problems) -> None:
    source = second[0]
    problems.report(
        "resource-conflict",
        f'the messages of kind {source.kind} must agree on "{member}", found "{first[1]}" and "{second[1]}"',
        source.place(member),
        path=source.message.full_name,
        hint=f"the first is at {first[0].place(member).resolve()}",
    )
