"""Import of CRDs with its proof: the CRDs that are generated from the files equal the imported ones."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from protoc_gen_crd import pipeline
from protoc_gen_crd.base.output_files import write_file
from protoc_gen_crd.base.temporary_files import temporary_folder
from protoc_gen_crd.crd.crd import Crd
from protoc_gen_crd.findings.finding import Problems, Severity
from protoc_gen_crd.importer.crd_differences import find_differences
from protoc_gen_crd.importer.crd_manifest import make_manifest
from protoc_gen_crd.importer.proto_files import ProtoFile, make_proto_files
from protoc_gen_crd.proto.protoc_compiler import compile_files
from protoc_gen_crd.proto.request import Request
from protoc_gen_crd.settings.settings import Settings

Json = dict[str, Any]
_HINT = "the .proto file cannot express it: change the CRD, or set import-difference to warning in the settings"
_MAX_SHOWN = 20  # differences of one CRD that are findings


def import_crds(crds: Sequence[Crd], problems: Problems) -> tuple[ProtoFile, ...]:
    """Return the .proto files of CRDs, and report what the CRDs generated from them lack.

    Args:
        crds: The CRDs, with different names.
        problems: Receives the differences, and the errors of protoc and of the generator.
    """
    manifests = {crd.name: make_manifest(crd) for crd in crds}
    files = tuple([file for manifest in manifests.values() for file in make_proto_files(manifest)])
    generated = {crd.name: make_manifest(crd) for crd in _generate(files, problems)}
    for crd in crds:
        _report_differences(crd, manifests[crd.name], generated.get(crd.name), problems)
    return files


def _generate(files: Sequence[ProtoFile], problems: Problems) -> Iterator[Crd]:
    """Generate the CRDs of files that are not written yet."""
    own = Problems()
    with temporary_folder() as folder:
        names = {file.name: str(Path(folder, str(index))) for index, file in enumerate(files)}
        for file in files:
            write_file(names[file.name], file.text.encode())
        request = Request.from_message(compile_files(names, (), own), own) if files else None
    if request is not None:
        yield from pipeline.build_unvalidated_crds(request, Settings(), own)
    problems.findings += [finding for finding in own.findings if finding.severity is Severity.ERROR]


def _report_differences(crd: Crd, expected: Json, actual: Json | None, problems: Problems) -> None:
    if actual is None:
        message = f"no CRD {crd.name} is generated from the imported files"
        problems.report("import-difference", message, crd.origin, path=crd.name)
        return
    differences = list(find_differences(expected, actual))
    for path, description in differences[:_MAX_SHOWN]:
        problems.report("import-difference", f"{path} {description} in the generated CRD", crd.origin, path=crd.name)
    if len(differences) > _MAX_SHOWN:
        message = f"{len(differences) - _MAX_SHOWN} more differences"
        problems.report("import-difference", message, crd.origin, path=crd.name)
