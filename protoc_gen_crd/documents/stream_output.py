"""Writer of files of documents as one stream of documents."""

from __future__ import annotations

import re
from codecs import BOM_UTF8
from collections.abc import Sequence
from typing import Any

from protoc_gen_crd.documents.document_rewriter import has_content, is_equal
from protoc_gen_crd.kubernetes.supported_versions import NEWEST
from protoc_gen_crd.yaml.document_stream import can_be_json
from protoc_gen_crd.yaml.reader import read
from protoc_gen_crd.yaml.writer import dump_document

_SEPARATOR = b"---\n"
_STARTS_WITH_SEPARATOR = re.compile(rb"---[ \t\r]*(?:#.*)?(?:\n|\Z)")


def join_files(contents: Sequence[bytes], minor: int = NEWEST) -> bytes:
    """Join files to one YAML stream. A single file is returned as it is."""
    if len(contents) == 1:
        return contents[0]
    stream = b"".join(_format_part(data, minor) for data in contents)
    first = stream.removeprefix(_SEPARATOR)  # JSON at the start would make readers expect only JSON
    return stream if can_be_json(first) or contents[0].startswith(_SEPARATOR) else first


def _format_part(data: bytes, minor: int) -> bytes:
    """Format a file as a part of a YAML stream that begins with a separator.

    Text that reads differently in a YAML stream is printed in the format of Kubernetes' YAML writer. For example, JSON
    may contain surrogate pairs, which YAML rejects.
    """
    values = _read_values(data, minor)
    document = data.removeprefix(BOM_UTF8)
    document = document if _STARTS_WITH_SEPARATOR.match(document) else _SEPARATOR + document
    document = document if document.endswith(b"\n") else document + b"\n"
    if is_equal(_read_values(document, minor), values):
        return document
    return b"".join(_SEPARATOR + dump_document(value).encode() for value in values)


def _read_values(data: bytes, minor: int) -> list[Any]:
    return [document.value for document in read(data, past_errors=True, minor=minor) if has_content(document)]
