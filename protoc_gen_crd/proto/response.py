"""Reader of a CodeGeneratorResponse."""

from __future__ import annotations

from google.protobuf.compiler.plugin_pb2 import CodeGeneratorResponse


def read_response(data: bytes) -> tuple[str, tuple[tuple[str, str], ...]]:
    """Return the error, empty if there is none, and the files as (name, content)."""
    response = CodeGeneratorResponse.FromString(data)
    return response.error, tuple((file.name, file.content) for file in response.file)
