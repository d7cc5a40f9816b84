"""The tables of a kind: its versions and printer columns, and the lists of its names and selectable fields."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from protoc_gen_crd.base.markdown_escapes import cell, code, plain
from protoc_gen_crd.crd.crd import Crd, CrdVersion, PrinterColumn
from protoc_gen_crd.reference.field_list import format_deprecation
from protoc_gen_crd.reference.lifecycle import LifecycleIndex
from protoc_gen_crd.reference.markdown_descriptions import format_sentence


def format_names(crd: Crd, samples: Sequence[str]) -> Iterator[str]:
    """Format the names, scope and categories of a kind, and links to its samples, as a list."""
    entries = {
        "name": [code(crd.name)],
        "scope": [plain(crd.scope.lower())],
        "short names": map(code, crd.names.short_names),
        "categories": map(code, crd.names.categories),
        "samples": samples,
    }
    yield from (f"- {label}: {value}" for label, values in entries.items() if (value := ", ".join(values)))


def format_version_table(crd: Crd, lifecycles: LifecycleIndex) -> Iterator[str]:
    """Format the versions of a CRD as a table."""
    yield format_row("version", "served", "stored", *(["since"] if lifecycles.has_releases else []), "")
    yield format_row(*["---"] * (5 if lifecycles.has_releases else 4))
    for version in crd.versions:
        place = (f"{crd.group}/{crd.names.kind}", version.name, "")
        lifecycle = lifecycles.find_lifecycle([place], deprecated=version.deprecated)
        flags = ("yes" if version.served else "", "yes" if version.storage else "")
        notes = "; ".join(_list_notes(version, format_deprecation(lifecycle)))
        yield format_row(plain(version.name), *flags, *([lifecycle.since] if lifecycles.has_releases else []), notes)


def _list_notes(version: CrdVersion, since: str) -> Iterator[str]:
    if version.channel:
        yield f"channel **{version.channel}**"
    if version.deprecated:
        yield f"**deprecated**{since}"
    if version.deprecation_warning:
        yield format_sentence(version.deprecation_warning)
    if version.status:
        yield "status subresource"
    if version.scale:
        yield f"scale subresource of {code(version.scale.spec_replicas_path)}"


def format_columns(crd: Crd) -> Iterator[str]:
    """Format the printer columns and selectable fields of the preferred version."""
    version = next((candidate for candidate in crd.versions if candidate.served), None)
    if version is None:
        return
    if version.columns:
        yield from ("", f"Columns of `kubectl get` ({plain(version.name)}):", "")
        yield from (format_row("column", "type", "value", ""), format_row("---", "---", "---", "---"))
        yield from map(_format_column, version.columns)
    if version.selectable_fields:
        yield from ("", f"Selectable fields: {', '.join(map(code, version.selectable_fields))}.")


def _format_column(column: PrinterColumn) -> str:
    name = f"{plain(column.name)}{' (with `-o wide`)' if column.priority else ''}"
    return format_row(name, plain(column.type), code(column.json_path), format_sentence(column.description))


def format_version(version: CrdVersion) -> str:
    """Format the name of a version with notes, such as `v1 (stored, not served)`."""
    states = {"stored": version.storage, "deprecated": version.deprecated, "not served": not version.served}
    notes = ", ".join(state for state, applies in states.items() if applies)
    return f"{plain(version.name)} ({notes})" if notes else plain(version.name)


def format_row(*cells: str) -> str:
    """Format a row of a table."""
    return f"| {' | '.join(map(cell, cells))} |"
