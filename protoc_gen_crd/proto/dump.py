"""Where a request is saved: a new file, or one that holds nothing but a request of an earlier run."""

from __future__ import annotations

import os

from google.protobuf.compiler.plugin_pb2 import CodeGeneratorRequest
from google.protobuf.message import DecodeError

from protoc_gen_crd.base.diagnostics import Problems


def save(data: bytes, path: str, problems: Problems) -> None:
    """Write a request; a finding where another file would be lost by it. Raises OSError, and ValueError for no path."""
    if _holds_something_else(path):
        wanted = '"dump_request" must be a file to write, new or with a request of an earlier run'
        problems.report("option-value", f'{wanted}, found "{path}", which holds something else')
        return
    with open(path, "wb") as file:  # noqa: PTH123 - a plugin run has no other use for pathlib
        file.write(data)


def _holds_something_else(path: str) -> bool:
    if not os.path.isfile(path) or not os.path.getsize(path):  # noqa: PTH113, PTH202
        return False
    with open(path, "rb") as file:  # noqa: PTH123
        data = file.read()
    try:
        return not CodeGeneratorRequest.FromString(data).proto_file
    except DecodeError:
        return True
