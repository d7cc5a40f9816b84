"""Reader of handwritten samples: files in the folder of samples that are not marked as generated.

Each file contains an object of a kind of the API, and optionally other objects. It is validated as by kubectl, without
unknown fields. Objects of other kinds are ignored.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.documents.crd_definitions import CrdDefinitions
from protoc_gen_crd.documents.document_files import find_files, read_content
from protoc_gen_crd.documents.document_reader import DocumentCase, read_cases
from protoc_gen_crd.documents.expectation_keys import Expectation
from protoc_gen_crd.documents.unknown_kinds import UnknownKinds
from protoc_gen_crd.emit.sample_yaml import is_generated
from protoc_gen_crd.findings.finding import Location, Place, Problems
from protoc_gen_crd.findings.source_lines import SourceFiles
from protoc_gen_crd.testing.case_runner import CaseRunner


class HandwrittenSample(Record):
    """A file: its content, and its first object of a kind of the API, if there is one."""

    text: str
    case: DocumentCase | None


def read_handwritten(
    definitions: CrdDefinitions, folder: Path, problems: Problems, sources: SourceFiles
) -> Mapping[str, HandwrittenSample]:
    """Read the handwritten samples in a folder, by relative path, and report their errors."""
    if not folder.is_dir():
        return {}
    samples = {}
    reader = _HandwrittenReader(definitions, problems, sources)
    for file in find_files([str(folder)], Problems()).documents:
        data = read_content(file, problems)
        if not is_generated(data.decode("utf-8", "replace")):
            samples[Path(file).relative_to(folder).as_posix()] = reader.read(file, data)
    return samples


def find_generated_files(folder: Path) -> Mapping[str, bytes]:
    """Return the content of the generated files in a folder, by relative path."""
    if not folder.is_dir():
        return {}
    files = {}
    for file in find_files([str(folder)], Problems()).documents:
        data = read_content(file, Problems())
        if is_generated(data.decode("utf-8", "replace")):
            files[Path(file).relative_to(folder).as_posix()] = data
    return files


class _HandwrittenReader:
    def __init__(self, definitions: CrdDefinitions, problems: Problems, sources: SourceFiles) -> None:
        def format_place(place: Place) -> str:
            at = sources.locate(place.resolve(), None)
            return str(at.replace(file=sources.get_path(at.file)))

        self._problems = problems
        kinds = UnknownKinds(definitions, strict=True, allowed=())
        self._runner = CaseRunner(definitions, kinds, format_place, field_validation="strict")
        self._definitions = definitions
        self._groups = {definition.crd.group for definition in definitions if definition.crd is not None}

    def read(self, file: str, data: bytes) -> HandwrittenSample:
        """Read and validate a file."""
        reading_problems = Problems()
        cases = read_cases(data, file, reading_problems)
        self._problems.findings += reading_problems.findings
        api_cases = [case for case in cases if case.group in self._groups]
        for case in api_cases or cases:
            self._validate(case)
        if not cases and not reading_problems.findings:
            self._problems.report("sample-file", "sample contains no object", Location(file))
        found_cases = (case for case in api_cases if self._definitions.find(case))
        return HandwrittenSample(data.decode("utf-8", "replace"), next(found_cases, None))

    def _validate(self, case: DocumentCase) -> None:
        for key in case.expectation.keys:
            message = f'sample contains "{key}", a key for test documents'
            self._problems.report("sample-file", message, case.get_place((key,), key=True), path=case.name)
        if not case.expectation.keys:
            valid_case = case.replace(expectation=Expectation())  # regardless of the file name
            self._problems.findings += self._runner.validate(valid_case).findings
