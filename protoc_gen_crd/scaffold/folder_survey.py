"""Survey of a folder: its .proto files, CRDs and manifests, and its CI. Tests, docs and dependencies are skipped."""

from __future__ import annotations

import os
import posixpath
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path, PurePosixPath

from protoc_gen_crd.base.input_files import read_file, read_text
from protoc_gen_crd.base.record import Record
from protoc_gen_crd.base.suggestions import find_nearest
from protoc_gen_crd.crd.crd import Crd
from protoc_gen_crd.crd.crd_decoder import decode
from protoc_gen_crd.documents.document_reader import CRD_GROUP, CRD_KIND, DocumentCase, read_cases
from protoc_gen_crd.documents.misspelled_crds import find_misspelled_crds
from protoc_gen_crd.documents.unknown_kinds import CRD_LIKENESS
from protoc_gen_crd.findings.finding import Location, Problems, Severity
from protoc_gen_crd.scaffold.path_cover import cover_files, drop_nested, find_proto_root, is_below
from protoc_gen_crd.yaml.reader import read

# Folders of dependencies, and of files that are not the API or its manifests.
_SKIPPED = re.compile("[._].*|conformance|docs|e2e|hack|node_modules|site-packages|tests?|testdata|third_party|vendor")
_CONFIG = "config/"  # where kubebuilder and controller-gen write CRDs
_CHARTS = "charts"  # of Helm, with copies of CRDs
_MAX_PATHS = 5  # folders of manifests
_DOCUMENTS = (".yaml", ".yml", ".json")
_TEMPLATE = b"{{"
_CRD = re.compile(rb"""^\{?[ \t]*"?kind"?:[ \t]*["']?CustomResourceDefinition\b""", re.MULTILINE)
_KIND = re.compile(rb"""^\{?[ \t]*"?kind"?:[ \t]*["']?([A-Za-z]+)""", re.MULTILINE)
# The group and kind of an object in block style, as in nearly all manifests.
_OBJECT = re.compile(rb"""^apiVersion:[ \t]*["']?([a-z0-9.-]+)/[^\n]*\nkind:[ \t]*["']?([A-Za-z]+)""", re.MULTILINE)
_METADATA = re.compile(rb"^metadata:", re.MULTILINE)  # API servers require it, files of other programs can lack it
_KUSTOMIZATION = ("kustomization.yaml", "kustomization.yml")
_PACKAGE = re.compile(rb"^\s*package\s+([A-Za-z_][A-Za-z_0-9.]*)\s*;", re.MULTILINE)
_GO_MODULE = re.compile(r"^module\s+([^\s\"/][^\s\"]*)", re.MULTILINE)
_REMOTE = re.compile(r"^\s*url\s*=\s*\S*?(github|gitlab)\.", re.MULTILINE)


class SurveyedDocument(Record):
    """A YAML or JSON file. `kinds` are the groups and kinds of its objects; `has_others` is whether some are not CRDs.

    `is_readable` is False for templates, patches of CRDs, and CRDs of v1beta1: their folders are not used as a whole.
    `listed` are the paths of the files that a kustomization lists.
    """

    path: str
    crds: tuple[Crd, ...] = ()
    kinds: frozenset[tuple[str, str]] = frozenset()
    is_readable: bool = True
    has_others: bool = False
    listed: frozenset[str] = frozenset()


class FolderSurvey(Record):
    """The content of a folder.

    `proto_roots` are the folders that .proto files are imported from, `ignored_roots` those with errors.
    """

    proto_roots: tuple[str, ...]
    documents: tuple[SurveyedDocument, ...]
    ignored_roots: tuple[str, ...] = ()
    go_module: str = ""
    has_github: bool = False
    has_gitlab: bool = False

    @property
    def crds(self) -> Sequence[Crd]:
        """The CRDs in the documents, one for each name."""
        crds = {crd.name: crd for document in reversed(self.documents) for crd in document.crds}
        return [crds[name] for name in sorted(crds)]

    def find_crd_documents(self) -> Sequence[SurveyedDocument]:
        """Return documents with all CRDs, each once.

        Preferred are files without other objects, then folders below config/, not in charts, and with many CRDs.
        """
        by_folder: dict[str, list[SurveyedDocument]] = {}
        for document in self.documents:
            if document.crds:
                by_folder.setdefault(_get_folder(document.path), []).append(document)
        known: set[str] = set()
        selected: list[SurveyedDocument] = []

        def get_rank(folder: str) -> tuple[bool, bool, bool, int, str]:
            documents, is_copy = by_folder[folder], _CHARTS in PurePosixPath(folder).parts
            has_others = any(document.has_others for document in documents)
            return has_others, not folder.startswith(_CONFIG), is_copy, -len(documents), folder

        for folder in sorted(by_folder, key=get_rank):
            for document in by_folder[folder]:
                names = {crd.name for crd in document.crds}
                selected += () if names & known else (document,)
                known |= names
        return selected

    def find_repeated_crds(self) -> Counter[tuple[str, str]]:
        """Return pairs of folders with the same CRDs, with their number: that of `find_crd_documents`, and another."""
        used = {crd.name: document.path for document in self.find_crd_documents() for crd in document.crds}
        return Counter(
            (_get_folder(used[crd.name]), _get_folder(document.path))
            for document in self.documents
            for crd in document.crds
            if _get_folder(used[crd.name]) != _get_folder(document.path)
        )

    def find_crds_in(self, path: str) -> Sequence[Crd]:
        """Return the CRDs in a file or folder."""
        return [crd for document in self.documents if is_below(document.path, path) for crd in document.crds]

    def find_crd_paths(self) -> tuple[str, ...]:
        """Return the folders and files of `find_crd_documents`."""
        selected = {document.path for document in self.find_crd_documents()}
        return self._cover(
            selected, [document.path for document in self.documents if document.crds and document.path not in selected]
        )

    def find_manifest_paths(self, crds: Sequence[Crd]) -> tuple[str, ...]:
        """Return the folders with objects of CRDs, and such files at the top; of many, those with the most objects.

        Folders with CRDs, or with objects of the same groups that have no CRD, are left out.
        """
        groups, kinds = {crd.group for crd in crds}, {(crd.group, crd.names.kind) for crd in crds}
        files: list[str] = []
        excluded: list[str] = []
        for document in self.documents:
            own = {kind for kind in document.kinds if kind[0] in groups}
            (excluded if document.crds or own - kinds else files if own else []).append(document.path)
        paths = [path for path in self._cover(files, excluded) if "/" not in path or path not in files]
        counts = {path: sum(is_below(file, path) for file in files) for path in paths}
        return tuple(sorted(sorted(counts, key=lambda path: (-counts[path], path))[:_MAX_PATHS]))

    def _cover(self, files: Iterable[str], excluded: Iterable[str]) -> tuple[str, ...]:
        unreadable = [document.path for document in self.documents if not document.is_readable]
        return cover_files(files, {*excluded, *unreadable})


def survey_folder(folder: Path, problems: Problems) -> FolderSurvey:
    """Survey a folder. Raises OSError.

    CRDs that cannot be parsed are reported, unless they are templates: as errors if the folder contains nothing else.
    """
    files = list(_walk(folder))
    roots = [_find_root(folder, file) for file in files if file.endswith(".proto")]
    documents = [_read_document(folder, file, problems) for file in files if file.endswith(_DOCUMENTS)]
    if not roots and not any(document.crds for document in documents):
        problems.findings = [finding.replace(severity=Severity.ERROR) for finding in problems.findings]
    remote = _search(_REMOTE, folder / ".git" / "config")
    return FolderSurvey(
        drop_nested(filter(None, roots)),
        tuple(documents),
        go_module=_search(_GO_MODULE, folder / "go.mod"),
        has_github=(folder / ".github").is_dir() or remote == "github",
        has_gitlab=(folder / ".gitlab-ci.yml").is_file() or remote == "gitlab",
    )


def is_surveyed(folder: str) -> bool:
    """Return whether a survey of the working folder reads a folder, which may not exist."""
    path = PurePosixPath(folder)
    return not path.is_absolute() and not any(map(_SKIPPED.fullmatch, path.parts))


def _get_folder(file: str) -> str:
    return str(PurePosixPath(file).parent)


def _walk(folder: Path) -> Iterator[str]:
    """Yield the files by relative path with slashes, sorted."""
    for parent, folders, files in os.walk(folder, onerror=_raise):
        folders[:] = sorted(name for name in folders if not _SKIPPED.fullmatch(name))
        for name in sorted(files):
            path = Path(parent, name)
            relative = path.relative_to(folder).as_posix()
            if path.is_file() and not name.startswith(".") and relative.isprintable():
                yield relative


def _raise(error: OSError) -> None:
    raise error


def _find_root(folder: Path, file: str) -> str:
    package = _PACKAGE.search(read_file(folder / file))
    return find_proto_root(file, package[1].decode() if package else "")


def _read_document(folder: Path, file: str, problems: Problems) -> SurveyedDocument:
    data = read_file(folder / file)
    pairs = _OBJECT.findall(data) if _METADATA.search(data) else ()
    kinds = frozenset((group.decode(), kind.decode()) for group, kind in pairs)
    is_template, has_crd = _TEMPLATE in data, _CRD.search(data) and not data.startswith(b"[")
    if not has_crd:
        if not is_template and _may_misspell_crd(data):
            _report_misspelled(read_cases(data, file, Problems()), problems)
        return SurveyedDocument(file, kinds=kinds, is_readable=not is_template, listed=_list_files(file, data))
    own = Problems()
    cases = read_cases(data, file, own)
    if errors := [finding for finding in own.findings if finding.rule == "document-syntax"]:
        if is_template:
            return SurveyedDocument(file, is_readable=False)
        message = f"CRDs in this file are ignored: {errors[0].message}"
        problems.report("init-unreadable", message, errors[0].at or Location(file), hint=errors[0].hint)
        return SurveyedDocument(file, is_readable=False)
    _report_misspelled(cases, problems)
    definitions = [case for case in cases if case.is_crd_definition]
    crds = [crd for case in definitions if (crd := decode(case.object).crd) is not None]
    if not crds or not all(crd.group and crd.names.kind and crd.names.plural and crd.versions for crd in crds):
        return SurveyedDocument(file, is_readable=False)  # CRDs of v1beta1, or a patch of a CRD
    return SurveyedDocument(file, tuple(crds), kinds, has_others=len(definitions) < len(cases))


def _may_misspell_crd(data: bytes) -> bool:
    """Return whether a file may contain a CRD with a misspelled kind, or names the group of CRDs."""
    kinds = {kind.decode() for kind in _KIND.findall(data)}
    return CRD_GROUP.encode() in data or any(find_nearest(kind, [CRD_KIND], CRD_LIKENESS) for kind in kinds)


def _report_misspelled(cases: Sequence[DocumentCase], problems: Problems) -> None:
    for error in find_misspelled_crds(cases):
        problems.report("init-unreadable", f"this CRD is ignored: {error.message}", error.at, hint=error.hint)


def _list_files(file: str, data: bytes) -> frozenset[str]:
    """Return the paths in the lists of a kustomization, such as its resources."""
    folder, name = posixpath.split(file)
    documents = read(data, file) if name in _KUSTOMIZATION else ()
    options = [document.value for document in documents if isinstance(document.value, dict)]
    lists = [value for option in options for value in option.values() if isinstance(value, list)]
    names = [entry for entries in lists for entry in entries if isinstance(entry, str)]
    return frozenset(posixpath.normpath(posixpath.join(folder, name)) for name in names)


def _search(pattern: re.Pattern[str], file: Path) -> str:
    """Return the first group of the first match in a file; empty if there is none."""
    try:
        match = pattern.search(read_text(file))
    except OSError:
        return ""
    return match[1] if match else ""
