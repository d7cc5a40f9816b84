"""CodeGeneratorResponse bytes to plain values."""

from __future__ import annotations

from google.protobuf.compiler.plugin_pb2 import CodeGeneratorResponse


def read_response(data: bytes) -> tuple[str, tuple[tuple[str, str], ...]]:
    """The error, empty for none, and the files as (name, text)."""
    response = CodeGeneratorResponse.FromString(data)
    return response.error, tuple((file.name, file.content) for file in response.file)
