"""Copies of generated CRDs in the output folder: files that `generate` neither wrote nor updates."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from protoc_gen_crd.base.input_files import read_file
from protoc_gen_crd.base.resolved_paths import resolve_links
from protoc_gen_crd.cli.output_manifest import read_manifest
from protoc_gen_crd.emit.output_file import OutputFile
from protoc_gen_crd.findings.finding import Problems

_CRD = re.compile(r"^kind: CustomResourceDefinition\nmetadata:\n(?:  .*\n)*?  name: (.*)\n", re.MULTILINE)
_KIND = b"CustomResourceDefinition"
_SUFFIXES = (".yaml", ".yml", ".json")
_HINT = "delete it from this file, which `generate` does not update"


def report_copies(folder: str, files: Sequence[OutputFile], problems: Problems) -> None:
    """Report CRDs in other files of the output folder that have the name of a generated CRD."""
    names = {name: file.name for file in files for name in _CRD.findall(file.text)}
    generated = {*(file.name for file in files), *read_manifest(Path(folder), Problems())}
    if names:
        for path in _find_documents(folder, generated):
            _report_copies_in(path, folder, names, problems)


def _find_documents(folder: str, generated: Collection[str]) -> Iterator[str]:
    """Yield other YAML and JSON files. If the project is in the output folder, its subfolders are skipped."""
    has_project = Path.cwd().is_relative_to(resolve_links(folder))
    for current, folders, files in os.walk(folder):
        folders[:] = [] if has_project else sorted(name for name in folders if not name.startswith("."))
        for name in sorted(files):
            path = Path(current, name)
            is_other = path.relative_to(folder).as_posix() not in generated
            if name.endswith(_SUFFIXES) and is_other and path.is_file():
                yield str(path)


def _report_copies_in(path: str, folder: str, names: Mapping[str, str], problems: Problems) -> None:
    """Report the CRDs of a file. Patches and templates are no CRDs, and unreadable files are ignored."""
    data = b""
    with suppress(OSError):
        data = read_file(path)
    if _KIND not in data:
        return
    from protoc_gen_crd.crd.crd_decoder import decode
    from protoc_gen_crd.documents.document_reader import read_cases

    for case in read_cases(data, path, Problems()):
        crd = decode(case.object).crd if case.is_crd_definition else None
        if crd is not None and crd.versions and crd.name in names:
            message = f'CRD {crd.name} is also in "{Path(folder, names[crd.name])}"'
            problems.report("output-copy", message, case.at, path=crd.name, hint=_HINT)
