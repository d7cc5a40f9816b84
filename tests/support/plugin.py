"""Runs the plugin in this process: protos or a request to the response's files and texts."""

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

INCLUDE = ROOT / "testdata" / "include"  # protos of others, as far as cases import them


def compiled(folder: Path, targets: Mapping[str, str] | None = None) -> CodeGeneratorRequest:
    """The request that protoc would make of a folder's protos; all of them are targets unless some are given."""
    names = {path.relative_to(folder).as_posix(): str(path) for path in sorted(folder.rglob("*.proto"))}
    problems = Problems()
    request = compile_files(dict(targets or names), [str(folder), str(INCLUDE)], problems)
    if not request.proto_file:
        raise ValueError("\n".join(finding.message for finding in problems.findings))
    return request


def run(request: CodeGeneratorRequest, parameter: str = "", *, folder: Path | None = None) -> dict[str, str]:
    """The files of a run; `errors.txt` holds the response's error, `warnings.txt` what went to standard error."""
    request.parameter = parameter
    with _inside(folder), contextlib.redirect_stderr(io.StringIO()) as stderr:
        response = CodeGeneratorResponse.FromString(b"".join(respond(request.SerializeToString(deterministic=True))))
    found = {file.name: file.content for file in response.file}
    if response.error:
        found["errors.txt"] = f"{response.error}\n"
    if stderr.getvalue():
        found["warnings.txt"] = stderr.getvalue()
    return found


@contextlib.contextmanager
def _inside(folder: Path | None) -> Iterator[None]:
    """Sources are shown where they can be read, so the folder of the protos is the working directory."""
    before = Path.cwd()
    if folder:
        os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)
