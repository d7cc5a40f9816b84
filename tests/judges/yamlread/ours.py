"""Comparison of our YAML reader with Kubernetes' reader."""

from __future__ import annotations

import hashlib
import json
import re
from typing import Any

from protoc_gen_crd.golang.fmt import format_number
from protoc_gen_crd.kubernetes.supported_versions import NEWEST
from protoc_gen_crd.yaml.go_yaml.decoder import build_value
from protoc_gen_crd.yaml.json_stream import JsonStream, parse_literal
from protoc_gen_crd.yaml.reader import Document, read, read_document

CONVERTING = "error converting YAML to JSON: "
_TOKEN = re.compile(r'("(?:[^"\\]|\\.)*")|(?<![\d.])-?\d{19,}(?![\d.e])|-0(?![\d.])')
_ESCAPES = {"<": "\\u003c", ">": "\\u003e", "&": "\\u0026", "\u2028": "\\u2028", "\u2029": "\\u2029"}


def differences(data: bytes, answer: dict[str, Any], minor: int = NEWEST) -> list[str]:
    """The members of a version's answer that we would have answered differently."""
    documents, theirs = read(data, minor=minor), answer["documents"]
    if len(documents) != len(theirs):
        return [f"documents: {len(documents)} of {len(theirs)}"]
    pairs = enumerate(zip(documents, theirs, strict=True))
    source = data.decode(errors="replace")
    differing = [f"documents[{at}].{name}" for at, (ours, other) in pairs for name in _document(ours, other, source)]
    single = read_document(data, minor=minor)
    error = (single.error or "").removeprefix(CONVERTING)
    if error != _single_error(answer):
        differing.append("error")
    elif not error and not _same_json(
        single, answer.get("single") or (theirs[0].get("json") if theirs else None) or "null"
    ):
        differing.append("single")
    strict = "yaml: unmarshal errors:\n  " + "\n  ".join(single.duplicates) if single.duplicates else ""
    if not error and strict != answer.get("strict", ""):
        differing.append("strict")
    return differing


def _single_error(answer: dict[str, Any]) -> str:
    """The error of the whole text as one document, which is left out where the only document has it."""
    error: str = answer.get("error", "")
    if error or "single" in answer or len(answer["documents"]) != 1:
        return error
    return str(answer["documents"][0].get("error", "")).removeprefix(CONVERTING)


def _document(ours: Document, theirs: dict[str, Any], source: str) -> list[str]:
    if (ours.error or "") != theirs.get("error", ""):
        return ["error"]
    if ours.error:
        return []
    differing = [] if typed(ours.value) == with_floats(theirs.get("value")) else ["value"]
    return differing if _same_json(ours, theirs.get("json", "null"), source) else [*differing, "json"]


def _same_json(ours: Document, text: str, source: str = "") -> bool:
    """Return true if a JSON string has the value that we read, in Go's format or in that of the source."""
    events = JsonStream(text.encode()).read_value()
    value = build_value(iter(events or ()), parse_literal).value
    return typed(value) == typed(ours.value) and (_compact(value) == _as_read(text) or text in source)


def typed(value: Any) -> Any:
    """Return a value that distinguishes int64 from float64, in the format of the judge."""
    if isinstance(value, dict):
        return {key: typed(item) for key, item in value.items()}
    if isinstance(value, list):
        return [typed(item) for item in value]
    if isinstance(value, float):
        return {"double": value}
    return {"int": value} if type(value) is int else value


def with_floats(value: Any) -> Any:
    """A judge's value whose floats are floats even where Go wrote them without a fraction."""
    if isinstance(value, dict):
        whole = len(value) == 1 and type(value.get("double")) is int
        return {"double": float(value["double"])} if whole else {key: with_floats(item) for key, item in value.items()}
    return [with_floats(item) for item in value] if isinstance(value, list) else value


def digest(value: Any) -> str:
    """The start of the SHA-256 of a value as the judge writes it."""
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()[:16]


def _compact(value: Any) -> str:
    """A value as Go's encoding/json writes it."""
    if isinstance(value, dict):
        return "{" + ",".join(f"{_compact(key)}:{_compact(value[key])}" for key in sorted(value)) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(_compact, value)) + "]"
    if isinstance(value, float):
        return format_number(value, large=21, small=-6).replace("e-0", "e-")
    return "".join(_ESCAPES.get(char, char) for char in json.dumps(value, ensure_ascii=False))


def _as_read(text: str) -> str:
    """A JSON text of Go's, its strings and whole numbers spelled as they are once they have been read."""
    return _TOKEN.sub(lambda token: _compact(json.loads(token[0]) if token[1] else parse_literal(token[0])), text)
