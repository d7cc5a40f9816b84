"""Versions in CRD manifests: the files with CRDs that are not generated, and edits of their versions."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.crd.crd import Crd
from protoc_gen_crd.crd.crd_decoder import decode
from protoc_gen_crd.documents.document_reader import DocumentCase, read_cases
from protoc_gen_crd.findings.finding import Location, Problems
from protoc_gen_crd.versioning.source_change import SourceChange
from protoc_gen_crd.versioning.yaml_edits import copy_items, get_value, remove_items, rewrite, set_value
from protoc_gen_crd.yaml.reader import read

_VERSIONS = ("spec", "versions")
_STYLE_HINT = "write the list of versions in block style"


class CrdManifest(Record):
    """A CRD in a YAML file, with the index of its document."""

    crd: Crd
    file: str
    index: int
    case: DocumentCase

    @property
    def name(self) -> str:
        """The kind and its group, as in `Widget.example.com`."""
        return f"{self.crd.names.kind}.{self.crd.group}"

    @property
    def group(self) -> str:
        """The API group."""
        return self.crd.group

    @property
    def kind(self) -> str:
        """The kind."""
        return self.crd.names.kind

    @property
    def versions(self) -> tuple[str, ...]:
        """All versions of the kind."""
        return tuple(version.name for version in self.crd.versions)


def read_manifests(files: Sequence[str], problems: Problems) -> Iterator[CrdManifest]:
    """Yield the CRDs in files. Those that cannot be decoded are reported."""
    for file in files:
        data = Path(file).read_bytes()
        lines = [document.line for document in read(data, past_errors=True)]
        for case in read_cases(data, file, problems):
            if not case.is_crd:
                continue
            decoded = decode(case.object, case.get_place)
            if decoded.crd is None:
                message = f"{case.name} is rejected: {decoded.format_rejection(nested=True)}"
                problems.report("crd-rejected", message, case.at, path=case.name)
            elif case.prefix:
                message, hint = f"{case.name} is an item of a list", "write the CRD as a document of its own"
                problems.report("edit-source", message, case.at, path=case.name, hint=hint)
            else:
                yield CrdManifest(decoded.crd, file, lines.index(case.document.line), case)


def add_version(manifest: CrdManifest, version: str, source: str, change: SourceChange, problems: Problems) -> None:
    """Add a copy of a version to a CRD, which is served and not stored."""

    def make_copy(entry: Mapping[str, Any]) -> dict[str, Any]:
        kept = {key: value for key, value in entry.items() if key not in ("deprecated", "deprecationWarning")}
        return {**kept, "name": version, "served": True, "storage": False}

    _edit(
        manifest,
        change,
        problems,
        lambda data: copy_items(data, manifest.index, _VERSIONS, [_find(manifest, source)], make_copy),
    )


def deprecate_version(
    manifest: CrdManifest, version: str, warning: str, change: SourceChange, problems: Problems
) -> None:
    """Deprecate a version of a CRD, with a warning unless it is empty."""
    path = (*_VERSIONS, _find(manifest, version))
    entry = {**get_value(manifest.case.document.value, path), "deprecated": True}
    if warning:
        entry["deprecationWarning"] = warning
    new = set_value(manifest.case.document.value, path, entry)
    _edit(manifest, change, problems, lambda data: rewrite(data, manifest.index, new))


def remove_version(manifest: CrdManifest, version: str, change: SourceChange, problems: Problems) -> None:
    """Remove a version from a CRD."""
    items = [_find(manifest, version)]
    _edit(manifest, change, problems, lambda data: remove_items(data, manifest.index, _VERSIONS, items))


def _find(manifest: CrdManifest, version: str) -> int:
    entries = get_value(manifest.case.document.value, _VERSIONS)
    return next(index for index, entry in enumerate(entries) if entry.get("name") == version)


def _edit(
    manifest: CrdManifest, change: SourceChange, problems: Problems, edit: Callable[[bytes], bytes | None]
) -> None:
    content = edit(change.get_content(manifest.file, Path(manifest.file).read_bytes()))
    if content is None:
        at = Location(manifest.file, manifest.case.at.line, manifest.case.at.column)
        message = f"versions of {manifest.case.name} cannot be edited"
        problems.report("edit-source", message, at, path=manifest.case.name, hint=_STYLE_HINT)
        return
    change.write(manifest.file, content)
