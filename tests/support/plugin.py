"""Runs of the plugin in this process: protos or a request to the files and messages of the response."""

from __future__ import annotations

import contextlib
import io
import os
from collections.abc import Iterator, Mapping
from pathlib import Path

from google.protobuf.compiler.plugin_pb2 import CodeGeneratorRequest, CodeGeneratorResponse

from protoc_gen_crd.findings.finding import Problems
from protoc_gen_crd.plugin import respond
from protoc_gen_crd.proto.protoc_compiler import compile_files
from tests.conftest import ROOT

INCLUDE = ROOT / "testdata" / "include"  # protos of other projects that cases import


def compiled(folder: Path, targets: Mapping[str, str] | None = None) -> CodeGeneratorRequest:
    """Return the request of protoc for the protos of a folder; all of them are targets unless some are listed."""
    names = {path.relative_to(folder).as_posix(): str(path) for path in sorted(folder.rglob("*.proto"))}
    problems = Problems()
    request = compile_files(dict(targets or names), [str(folder), str(INCLUDE)], problems)
    if not request.proto_file:
        raise ValueError("\n".join(finding.message for finding in problems.findings))
    return request


def run(request: CodeGeneratorRequest, parameter: str = "", *, folder: Path | None = None) -> dict[str, str]:
    """Return the files of a run; `errors.txt` has the error of the response, `warnings.txt` standard error."""
    request.parameter = parameter
    with _inside(folder), contextlib.redirect_stderr(io.StringIO()) as stderr:
        response = CodeGeneratorResponse.FromString(b"".join(respond(request.SerializeToString(deterministic=True))))
    files = {file.name: file.content for file in response.file}
    if response.error:
        files["errors.txt"] = f"{response.error}\n"
    if stderr.getvalue():
        files["warnings.txt"] = stderr.getvalue()
    return files


@contextlib.contextmanager
def _inside(folder: Path | None) -> Iterator[None]:
    """Findings show source lines of readable files, so the folder of the protos is the working directory."""
    before = Path.cwd()
    if folder:
        os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)
