"""Samples that people wrote: YAML in the folder of samples that does not say that it was made.

Each file holds an object of a kind of the API, perhaps with others that it needs, and is judged as kubectl would have
it: without unknown fields. Objects of kinds that are not the API's are not looked at.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from protoc_gen_crd.base.diagnostics import Location, Place, Problems
from protoc_gen_crd.base.record import Record
from protoc_gen_crd.base.render.sources import Sources
from protoc_gen_crd.emit.samples import is_made
from protoc_gen_crd.testing.cases import Case, read_cases
from protoc_gen_crd.testing.definitions import Definitions
from protoc_gen_crd.testing.files import content, find_files
from protoc_gen_crd.testing.keys import Expected
from protoc_gen_crd.testing.runner import Runner


class Written(Record):
    """A file: its text, and the first object in it that is of the API, if there is one."""

    text: str
    case: Case | None


def read_written(definitions: Definitions, folder: Path, problems: Problems, sources: Sources) -> Mapping[str, Written]:
    """The files by name below the folder. What is wrong with them is reported at their lines."""
    if not folder.is_dir():
        return {}
    found = {}
    reader = _Reader(definitions, problems, sources)
    for file in find_files([str(folder)], Problems()).documents:
        data = content(file, problems)
        if not is_made(data.decode("utf-8", "replace")):
            found[Path(file).relative_to(folder).as_posix()] = reader.read(file, data)
    return found


def made_files(folder: Path) -> Mapping[str, bytes]:
    """The files below the folder that say that they were made, by name."""
    if not folder.is_dir():
        return {}
    found = {}
    for file in find_files([str(folder)], Problems()).documents:
        data = content(file, Problems())
        if is_made(data.decode("utf-8", "replace")):
            found[Path(file).relative_to(folder).as_posix()] = data
    return found


class _Reader:
    def __init__(self, definitions: Definitions, problems: Problems, sources: Sources) -> None:
        def shown(place: Place) -> str:
            at = sources.exact(place.resolve(), None)
            return str(at.replace(file=sources.path(at.file)))

        self._problems = problems
        self._runner = Runner(definitions, shown, field_validation="strict", strict_kinds=True)
        self._definitions = definitions
        self._groups = {definition.crd.group for definition in definitions if definition.crd is not None}

    def read(self, file: str, data: bytes) -> Written:
        """A file, judged."""
        reading = Problems()
        cases = read_cases(data, file, reading)
        self._problems.findings += reading.findings
        ours = [case for case in cases if case.group in self._groups]
        for case in ours or cases:
            self._judge(case)
        if not cases and not reading.findings:
            self._problems.report("sample-file", "a sample must hold an object, found none", Location(file))
        known = (case for case in ours if self._definitions.find(case))
        return Written(data.decode("utf-8", "replace"), next(known, None))

    def _judge(self, case: Case) -> None:
        for key in case.expected.keys:
            message = f"a sample must be what people apply, found {key}, which is a key of test documents"
            self._problems.report("sample-file", message, case.place((key,), key=True), path=case.name)
        if not case.expected.keys:
            wanted = case.replace(expected=Expected())  # whatever the file is called
            self._problems.findings += self._runner.judge(wanted).findings
