"""Requests for .proto files. One run of protoc compiles 300 files in 0.1 s, so pass all that belong together."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from pathlib import Path

from google.protobuf.compiler.plugin_pb2 import CodeGeneratorRequest

from protoc_gen_crd.findings.finding import Problems
from protoc_gen_crd.proto.protoc_compiler import compile_files
from protoc_gen_crd.proto.request import Request


def proto_text(text: str, name: str = "api.proto") -> Request:
    """Return a request for one .proto file. Raises ValueError with protoc's messages if it does not compile."""
    with tempfile.TemporaryDirectory() as folder:
        return request_for(compile_texts({name: text}, Path(folder)), name)


def compile_texts(texts: Mapping[str, str], folder: Path) -> CodeGeneratorRequest:
    """Return a request for files by name, all targets; they stay in the folder. Raises ValueError like `proto_text`."""
    for name, text in texts.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, "utf-8")
    problems = Problems()
    request = compile_files({name: str(folder / name) for name in texts}, [str(folder)], problems)
    if not request.proto_file:
        raise ValueError("\n".join(f"{finding.at}: {finding.message}" for finding in problems.findings))
    return request


def request_for(request: CodeGeneratorRequest, target: str) -> Request:
    """Return the part of a request with one target and its imports. Raises ValueError if imports are missing."""
    files = {file.name: file for file in request.proto_file}
    required, queue = {target}, [target]
    while queue:
        queue += (more := [name for name in files[queue.pop()].dependency if name not in required])
        required.update(more)
    problems = Problems()
    part = CodeGeneratorRequest(
        file_to_generate=[target], proto_file=[f for f in request.proto_file if f.name in required]
    )
    parsed = Request.from_message(part, problems)
    if parsed is None:
        raise ValueError("\n".join(finding.message for finding in problems.findings))
    return parsed
