"""Writer of the request dump, to a new file or over the request of an earlier run."""

from __future__ import annotations

import os

from google.protobuf.compiler.plugin_pb2 import CodeGeneratorRequest
from google.protobuf.message import DecodeError

from protoc_gen_crd.base.input_files import check_file, read_file
from protoc_gen_crd.base.output_files import write_file
from protoc_gen_crd.findings.finding import Problems


def save_request(data: bytes, path: str, problems: Problems) -> None:
    """Write a request, or report an existing file of another type. Raises OSError, or ValueError for an empty path."""
    if _is_other_file(path):
        problem = f'"dump_request" names "{path}", which exists and does not contain a request'
        problems.report("option-value", problem)
        return
    write_file(path, data)


def _is_other_file(path: str) -> bool:
    if os.path.exists(path):  # noqa: PTH110
        check_file(path)  # opening a named pipe waits for a reader
    if not os.path.isfile(path) or not os.path.getsize(path):  # noqa: PTH113, PTH202
        return False
    data = read_file(path)
    try:
        return not CodeGeneratorRequest.FromString(data).proto_file
    except DecodeError:
        return True
