"""Test documents and samples of a version: copies for another version, and their removal."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.documents.document_files import find_files, is_generated
from protoc_gen_crd.documents.document_reader import DocumentCase, read_cases
from protoc_gen_crd.documents.document_rewriter import rewrite_objects
from protoc_gen_crd.emit.sample_yaml import is_generated as is_generated_sample
from protoc_gen_crd.findings.finding import Location, Problems
from protoc_gen_crd.kubernetes.api_version_names import replace_version
from protoc_gen_crd.settings.settings import Settings
from protoc_gen_crd.versioning.source_change import SourceChange
from protoc_gen_crd.yaml.document_stream import split_documents

_OLD = "_old"
_TEST_SUFFIX = re.compile(r"(.*?)(-(?:valid|invalid))?")


class VersionDocuments(Record):
    """A file with objects of a version: its content, the cases of the version, and all cases."""

    path: str
    data: bytes
    cases: tuple[DocumentCase, ...]
    is_whole: bool


def find_document_files(settings: Settings, paths: Sequence[str]) -> Sequence[str]:
    """Return the files that can have handwritten documents. Raises OSError for a path that does not exist."""
    folders = [*paths, *settings.documents, *([settings.samples] if Path(settings.samples).is_dir() else [])]
    files = find_files(list(dict.fromkeys(folders)), Problems(), settings.output_folders).documents if folders else ()
    return tuple(dict.fromkeys(files))


def find_documents(
    settings: Settings, paths: Sequence[str], kinds: frozenset[tuple[str, str]], version: str
) -> list[VersionDocuments]:
    """Return the handwritten documents of a version of kinds, which are pairs of group and kind."""
    documents = []
    for file in find_document_files(settings, paths):
        data = Path(file).read_bytes() if Path(file).is_file() else b""
        if version.encode() not in data or is_generated(file) or is_generated_sample(data.decode("utf-8", "replace")):
            continue
        cases = read_cases(data, file, Problems())
        own = tuple(case for case in cases if (case.group, case.kind) in kinds and case.version == version)
        if own:
            documents.append(VersionDocuments(file, data, own, len(own) == len(cases)))
    return documents


def copy_documents(
    documents: VersionDocuments, source: str, version: str, change: SourceChange, problems: Problems
) -> None:
    """Write the objects of a version to a new file, with another version."""
    path = _make_path(documents.path, source, version)
    at = Location(documents.path, 1, 1)
    if Path(path).exists():
        problems.report("edit-source", f'"{path}" already exists', at, hint="remove it or rename it")
        return
    content = rewrite_objects(documents.data, [(case, _set_version(case, source, version)) for case in documents.cases])
    if content is None:
        problems.report("edit-source", "objects of the file cannot be edited", at)
        return
    change.write(path, content if documents.is_whole else _select(content, documents, keep=True))


def remove_documents(documents: VersionDocuments, change: SourceChange) -> None:
    """Remove the objects of a version: the file, or their documents in it."""
    if documents.is_whole:
        change.remove(documents.path)
    else:
        change.write(documents.path, _select(documents.data, documents, keep=False))


def _set_version(case: DocumentCase, source: str, version: str) -> dict[str, Any]:
    """Return an object with another version, also in the old object of a test."""

    def rename(value: dict[str, Any]) -> dict[str, Any]:
        is_source = value.get("apiVersion") == f"{case.group}/{source}"
        return {**value, "apiVersion": f"{case.group}/{version}"} if is_source else value

    renamed = rename(case.source_object)
    old = renamed.get(_OLD)
    return {**renamed, _OLD: rename(old)} if isinstance(old, dict) else renamed


def _make_path(path: str, source: str, version: str) -> str:
    """Return the path of a copy: with the other version in it, or else before the suffix of its name."""
    parts = list(Path(path).parts)
    for index in range(len(parts) - 1, -1, -1):
        renamed = replace_version(parts[index], source, version)
        if renamed != parts[index] and re.search(rf"(?<![A-Za-z0-9]){re.escape(source)}(?![A-Za-z0-9])", parts[index]):
            return str(Path(*parts[:index], renamed, *parts[index + 1 :]))
    stem, suffix = Path(path).stem, Path(path).suffix
    match = _TEST_SUFFIX.fullmatch(stem)
    base, test = (match[1], match[2] or "") if match else (stem, "")
    return str(Path(path).with_name(f"{base}-{version}{test}{suffix}"))


def _select(data: bytes, documents: VersionDocuments, *, keep: bool) -> bytes:
    """Return the documents of a stream with objects of the version, or the other ones."""
    own = {case.document.line - 1 for case in documents.cases}
    starts = [line for line, _ in split_documents(data)]
    lines = data.splitlines(keepends=True)
    chunks = []
    for start, end in pairwise([*starts, len(lines) + 1]):
        chunk = b"".join(lines[start : end - 1])
        if (start in own) is keep and chunk.strip():
            chunks.append(chunk if chunk.endswith(b"\n") else chunk + b"\n")
    return (b"---\r\n" if b"\r\n" in data else b"---\n").join(chunks)
