"""Inputs of testdata that fuzzers mutate, each loaded once, in the order of their names."""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from protoc_gen_crd.findings.finding import Problems
from protoc_gen_crd.proto.protoc_compiler import compile_files
from tests.conftest import ROOT
from tests.support.plugin import INCLUDE

TESTDATA = ROOT / "testdata"
_LARGEST = 20_000  # maximum size of a file to mutate
_REQUEST = 150_000


def files(*patterns: str, largest: int = _LARGEST) -> list[Path]:
    """Return the files of testdata that match one of the patterns and are small."""
    paths = {path for pattern in patterns for path in TESTDATA.glob(pattern) if path.is_file()}
    return sorted(path for path in paths if path.stat().st_size <= largest)


@cache
def protos() -> tuple[str, ...]:
    """Return .proto files that compile alone or with the options."""
    texts = [path.read_text("utf-8", "replace") for path in files("generate/*/*.proto", "conversion/*/*.proto")]
    imports = re.compile(r'^import (?:public )?"(?!google/protobuf|protoc_gen_crd)', re.MULTILINE)
    return tuple(text for text in texts if not imports.search(text))


@cache
def requests() -> tuple[bytes, ...]:
    """Return CodeGeneratorRequests of some folders, with the plugin parameters of their cases."""
    folders = sorted(
        {path.parent for path in files("generate/*/*.proto", "conversion/*/*.proto")},
        key=lambda path: (sum(map(ord, path.name)) % 7, path),  # a mix of all kinds
    )
    corpus_requests = []
    for folder in folders[:60]:
        names = {path.relative_to(folder).as_posix(): str(path) for path in sorted(folder.rglob("*.proto"))}
        request = compile_files(names, [str(folder), str(INCLUDE)], Problems())
        parameter = folder / "parameter"
        request.parameter = parameter.read_text("utf-8").strip() if parameter.exists() else ""
        if request.proto_file and request.ByteSize() <= _REQUEST:
            corpus_requests.append(request.SerializeToString(deterministic=True))
    return tuple(corpus_requests)


@cache
def documents(*patterns: str) -> tuple[Any, ...]:
    """Return the documents of YAML files as plain data."""
    corpus_documents: list[Any] = []
    for path in files(*patterns):
        try:
            corpus_documents += [
                document
                for document in yaml.load_all(path.read_text("utf-8"), yaml.CSafeLoader)
                if document is not None
            ]
        except (yaml.YAMLError, UnicodeDecodeError, ValueError):
            continue
    return tuple(corpus_documents)


@cache
def crds() -> tuple[Any, ...]:
    """Return CRDs."""
    manifests = documents("validate/*/*.yaml", "cost/*.yaml", "generate/*/expected/*.yaml", "patch/*/*.yaml")
    return tuple(
        manifest
        for manifest in manifests
        if isinstance(manifest, dict) and manifest.get("kind") == "CustomResourceDefinition"
    )


def lines(name: str) -> tuple[Any, ...]:
    """Return the values of a file of JSON lines."""
    return tuple(json.loads(line) for line in (TESTDATA / name).read_text("utf-8").splitlines() if line)
