"""Documents and CRDs of the files of a run."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from protoc_gen_crd.documents.crd_definitions import CrdDefinitions
from protoc_gen_crd.documents.document_files import (
    InputFiles,
    find_api_files,
    find_files,
    is_generated,
    is_stream,
    read_content,
)
from protoc_gen_crd.documents.document_reader import CRD_KIND, DocumentCase, read_cases
from protoc_gen_crd.documents.foreign_files import lacks_json_objects, lacks_objects, make_skip_note, make_stream_error
from protoc_gen_crd.documents.misspelled_crds import find_misspelled_crds
from protoc_gen_crd.documents.unknown_kinds import UnknownKinds
from protoc_gen_crd.findings.finding import Finding, Location, Place, Problems
from protoc_gen_crd.findings.source_lines import SourceFiles
from protoc_gen_crd.kubernetes.built_in_groups import is_built_in
from protoc_gen_crd.kubernetes.supported_versions import parse_minors
from protoc_gen_crd.settings.settings import Settings

if TYPE_CHECKING:
    from protoc_gen_crd.documents.api_side import ApiSide
    from protoc_gen_crd.yaml.go_yaml.similar_documents import SimilarDocuments

_CRD_MARK = CRD_KIND.encode()


class InputDocuments:
    """The files in the paths of a run, and the CRDs that are loaded from them by `crd_loader.load_documents`.

    `generator_inputs` are .proto files and descriptors, `paths` receives the paths of the .proto files by name,
    `contents` has the content of streams, and `old` is the state that the documents update. `similar` receives the
    documents, to read similar ones faster. `passed_files` are paths of the run. `are_default` is whether the paths are
    the documents of the settings.
    """

    def __init__(
        self,
        settings: Settings,
        paths: Sequence[str],
        problems: Problems,
        output_folders: Sequence[str] = (),
        old: ApiSide | None = None,
    ) -> None:
        self.settings = settings
        self.problems = problems
        self.old = old
        self.minors = parse_minors(settings.kubernetes)
        self.similar: SimilarDocuments | None = None
        self.definitions = CrdDefinitions(self.minors)
        self.paths: dict[str, str] = {}
        self.contents: dict[str, bytes] = {}
        self._cases: dict[str, tuple[list[DocumentCase], list[Finding]]] = {}
        self._crd_findings: dict[int, tuple[Finding, ...]] = {}  # by id of a case, which is kept alive
        self.are_default = tuple(paths) == settings.documents
        files = find_files(paths, problems, output_folders)
        own = os.path.abspath(settings.settings)  # noqa: PTH100 - links stay links
        self.files = tuple(file for file in files.documents if not settings.settings or os.path.abspath(file) != own)  # noqa: PTH100
        self.passed_files = frozenset(map(os.path.normpath, paths)).intersection(self.files)
        self.generator_inputs = files.generator_inputs

    def load_crds(self) -> None:
        """Load the CRDs of the documents."""
        for file in self.files:
            data = read_content(file, self.problems)
            if is_stream(file):
                self.contents[file] = data
            if file not in self._cases and (_CRD_MARK in data or is_stream(file)):
                is_output = self.are_default and is_generated(file)
                # A generated file can be older than the CRD of the .proto files.
                self._add_crds(file, data, self.definitions.is_generated if is_output else None)

    def load_input_crds(self, inputs: Sequence[InputFiles]) -> None:
        """Load the CRDs in the inputs of the settings, and report inputs without an API.

        Args:
            inputs: The files of each input, as `find_inputs` returns them.
        """
        for index, files in enumerate(inputs):
            has_crds = [self._load_input_file(file) for file in files.documents]
            if files.documents and not files.generator_inputs and not any(has_crds):
                path = self.settings.inputs[index]
                message = f'no CRDs or .proto files in "{path}"'
                hint = 'list manifests in "documents", and the CRDs or .proto files of their kinds in "inputs"'
                at = self.settings.places.get(f"inputs[{index}]", Location(path))
                self.problems.report("input-empty", message, at, hint=hint)

    def _load_input_file(self, file: str) -> bool:
        """Load the CRDs of a file. Return whether it contains any, or has a finding that explains why not."""
        before = len(self.problems.findings)
        data = read_content(file, self.problems)
        if file not in self._cases and _CRD_MARK in data:
            self._add_crds(file, data, self.definitions.is_generated if self.are_default else self.definitions.has_kind)
            self.problems.findings += [] if file in self.files else self._cases[file][1]
        cases, findings = self._cases.get(file, ([], []))
        return bool(findings) or len(self.problems.findings) > before or any(case.is_crd for case in cases)

    def find_inputs(self) -> tuple[InputFiles, ...]:
        """Return the files of each path in the inputs of the settings. Raises OSError for one that does not exist."""
        return tuple(find_api_files(path, self.problems, self.settings.output_folders) for path in self.settings.inputs)

    def _add_crds(self, file: str, data: bytes, is_ignored: Callable[[DocumentCase], bool] | None) -> None:
        """Add the CRDs of a file that are not ignored, and cache its documents for their validation."""
        problems = Problems()
        cases = read_cases(data, file, problems, self.minors[-1])
        self._cases[file] = cases, problems.findings
        for case in cases:
            if case.is_crd_definition and not (is_ignored and is_ignored(case)):
                crd_problems = Problems()
                self.definitions.add(case, crd_problems)
                if len(data) > self.settings.byte_limit:
                    _check_size(case, self.settings.byte_limit, crd_problems)
                self._crd_findings[id(case)] = tuple(crd_problems.findings)
                self.problems.findings += crd_problems.findings

    def lack_crds(self) -> bool:
        """Return whether a document has a kind that is neither built in nor defined by a CRD."""
        files = (file for file in self.files if file in self._cases or not lacks_json_objects(file))
        cases = (case for file in files for case in self.get_cases(file)[0] if case.kind)
        others = (case for case in cases if not case.is_crd_definition and not is_built_in(case.group, case.version))
        return any(self.definitions.find(case) is None for case in others)

    def report_unreadable(self) -> None:
        """Report the errors of reading the files with CRDs, and misspelled CRDs, for runs that validate no files."""
        self.problems.findings += [finding for file in self._cases for finding in self.get_objects(file)[1]]
        cases = (case for file in self.files for case in self.get_objects(file)[0])
        self.problems.findings += find_misspelled_crds(cases, self.settings.skip_kinds)

    def get_cases(self, file: str) -> tuple[list[DocumentCase], list[Finding]]:
        """Return the documents of a file, and the findings of reading it."""
        if file in self._cases:
            return self._cases[file]
        problems = Problems()
        data = read_content(file, problems)
        return read_cases(data, file, problems, self.minors[-1], self.similar), problems.findings

    @cached_property
    def unknown_kinds(self) -> UnknownKinds:
        """The kinds without a CRD. It is created after the CRDs are loaded."""
        return UnknownKinds(self.definitions, self.settings.skip_kinds, strict=self.settings.strict_kinds)

    def get_objects(self, file: str) -> tuple[list[DocumentCase], list[Finding]]:
        """Return the same as `get_cases`, but no cases and a note for a file without objects."""
        if file not in self._cases and lacks_json_objects(file):
            return [], [make_skip_note(file)]
        cases, findings = self.get_cases(file)
        if not lacks_objects(file, cases, findings, self.unknown_kinds):
            return cases, findings
        if is_stream(file):
            return [], [] if self._is_unreadable(file) else [make_stream_error(file)]
        return [], [make_skip_note(file)]

    def _is_unreadable(self, file: str) -> bool:
        unread = (finding.at for finding in self.problems.findings if finding.rule == "document-file")
        return any(at is not None and at.resolve().file == file for at in unread)

    def make_place_formatter(self) -> Callable[[Place], str]:
        """Return a function that formats a place in a CRD so that the user can open it."""
        sources = self.make_sources()

        def format_place(place: Place) -> str:
            at = sources.locate(place.resolve(), None)
            return str(at.replace(file=sources.get_path(at.file)))

        return format_place

    def make_sources(self) -> SourceFiles:
        """Return the content of the files with findings."""
        if self.old is None:
            return SourceFiles(self.paths, self.contents)
        return SourceFiles(self.paths, {**self.old.contents, **self.contents}, self.old.copies)


def _check_size(case: DocumentCase, limit: int, problems: Problems) -> None:
    """Report a CRD that is larger than the objects that API servers can store."""
    size = len(json.dumps(case.object, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace"))
    if size > limit:
        message = f"CRD has {size:,} bytes as JSON, which exceeds the limit of {limit:,} bytes"
        problems.report(
            "schema-size",
            message,
            case.at,
            path=case.name,
            hint="etcd rejects larger objects: shorten descriptions or split the CRD",
        )
