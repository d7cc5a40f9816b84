"""Writer of test documents as a seed corpus of fuzzers: a file for each document, without its expectation keys.

File names depend only on the document. libFuzzer and AFL read files as they are; Go's fuzzer reads encoded values.
Source: Go internal/fuzz encoding.go.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from hashlib import sha256
from typing import Any

from protoc_gen_crd.documents.document_reader import DocumentCase
from protoc_gen_crd.yaml import writer


def _format_yaml(document: Mapping[str, Any]) -> bytes:
    return writer.dump_document(dict(document)).encode("utf-8", "replace")


def _format_json(document: Mapping[str, Any]) -> bytes:
    return json.dumps(document, sort_keys=True, separators=(",", ":")).encode() + b"\n"


def _format_go(document: Mapping[str, Any]) -> bytes:
    """Format the YAML as a Go literal with the necessary escapes."""
    escapes = {ord("\\"): "\\\\", ord('"'): '\\"', ord("\n"): "\\n"}
    chars = (
        escapes.get(byte) or (chr(byte) if 32 <= byte < 127 else f"\\x{byte:02x}") for byte in _format_yaml(document)
    )
    return f'go test fuzz v1\n[]byte("{"".join(chars)}")\n'.encode()


_FORMATTERS: Mapping[str, tuple[Callable[[Mapping[str, Any]], bytes], str]] = {
    "yaml": (_format_yaml, ".yaml"),
    "json": (_format_json, ".json"),
    "go": (_format_go, ""),
}


def build_seeds(cases: Iterable[DocumentCase], form: str) -> dict[str, bytes]:
    """Return the files by name: kind, version, and a digest of the content, so that equal documents share a file."""
    write, suffix = _FORMATTERS[form]
    files: dict[str, bytes] = {}
    for case in cases:
        data = write(case.object)
        name = "-".join(
            filter(None, (_sanitize_name(case.kind), _sanitize_name(case.version), sha256(data).hexdigest()[:16]))
        )
        files[name + suffix] = data
    return dict(sorted(files.items()))


def _sanitize_name(name: str) -> str:
    """Return the characters of a word that are allowed in file names."""
    return "".join(char for char in name.lower() if char.isascii() and char.isalnum())[:63]
