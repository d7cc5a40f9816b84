"""What is told of a kind beside its fields: names, versions, what `kubectl get` shows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from protoc_gen_crd.crd.types import Crd, PrinterColumn, Version
from protoc_gen_crd.reference.fields import ending
from protoc_gen_crd.reference.lives import Lives
from protoc_gen_crd.reference.prose import cell, code, plain, sentence


def names(crd: Crd, samples: Sequence[str]) -> Iterator[str]:
    """A list of what the kind is called, and of links to its samples."""
    known = {
        "name": [code(crd.name)],
        "scope": [plain(crd.scope.lower())],
        "short names": map(code, crd.names.short_names),
        "categories": map(code, crd.names.categories),
        "samples": samples,
    }
    yield from (f"- {what}: {said}" for what, given in known.items() if (said := ", ".join(given)))


def versions(crd: Crd, lives: Lives) -> Iterator[str]:
    """A table of the versions."""
    yield row("version", "served", "stored", *(["since"] if lives.known else []), "")
    yield row(*["---"] * (5 if lives.known else 4))
    for version in crd.versions:
        place = (f"{crd.group}/{crd.names.kind}", version.name, "")
        life = lives.of([place], deprecated=version.deprecated)
        flags = ("yes" if version.served else "", "yes" if version.storage else "")
        said = "; ".join(_notes(version, ending(life)))
        yield row(plain(version.name), *flags, *([life.since] if lives.known else []), said)


def _notes(version: Version, since: str) -> Iterator[str]:
    if version.channel:
        yield f"channel **{version.channel}**"
    if version.deprecated:
        yield f"**deprecated**{since}"
    if version.deprecation_warning:
        yield sentence(version.deprecation_warning)
    if version.status:
        yield "status subresource"
    if version.scale:
        yield f"scale subresource of {code(version.scale.spec_replicas_path)}"


def columns(crd: Crd) -> Iterator[str]:
    """What `kubectl get` shows of the version that clients prefer, and by which fields it can be asked to choose."""
    version = next((each for each in crd.versions if each.served), None)
    if version is None:
        return
    if version.columns:
        yield from ("", f"Columns of `kubectl get`, in {plain(version.name)}:", "")
        yield from (row("column", "type", "value", ""), row("---", "---", "---", "---"))
        yield from map(_column, version.columns)
    if version.selectable_fields:
        yield from ("", f"Field selectors may name {', '.join(map(code, version.selectable_fields))}.")


def _column(column: PrinterColumn) -> str:
    name = f"{plain(column.name)}{' (with `-o wide`)' if column.priority else ''}"
    return row(name, plain(column.type), code(column.json_path), sentence(column.description))


def version_words(version: Version) -> str:
    """A version and what is special about it."""
    known = {"stored": version.storage, "deprecated": version.deprecated, "not served": not version.served}
    notes = ", ".join(word for word, given in known.items() if given)
    return f"{plain(version.name)} ({notes})" if notes else plain(version.name)


def row(*cells: str) -> str:
    """A row of a table."""
    return f"| {' | '.join(map(cell, cells))} |"
