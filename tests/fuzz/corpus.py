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
    found = {path for pattern in patterns for path in TESTDATA.glob(pattern) if path.is_file()}
    return sorted(path for path in found if path.stat().st_size <= largest)


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
    made = []
    for folder in folders[:60]:
        names = {path.relative_to(folder).as_posix(): str(path) for path in sorted(folder.rglob("*.proto"))}
        request = compile_files(names, [str(folder), str(INCLUDE)], Problems())
        parameter = folder / "parameter"
        request.parameter = parameter.read_text("utf-8").strip() if parameter.exists() else ""
        if request.proto_file and request.ByteSize() <= _REQUEST:
            made.append(request.SerializeToString(deterministic=True))
    return tuple(made)


@cache
def documents(*patterns: str) -> tuple[Any, ...]:
    """Return the documents of YAML files as plain data."""
    made: list[Any] = []
    for path in files(*patterns):
        try:
            made += [each for each in yaml.load_all(path.read_text("utf-8"), yaml.CSafeLoader) if each is not None]
        except (yaml.YAMLError, UnicodeDecodeError, ValueError):
            continue
    return tuple(made)


@cache
def crds() -> tuple[Any, ...]:
    """Return CRDs."""
    found = documents("validate/*/*.yaml", "cost/*.yaml", "generate/*/expected/*.yaml", "patch/*/*.yaml")
    return tuple(each for each in found if isinstance(each, dict) and each.get("kind") == "CustomResourceDefinition")


def lines(name: str) -> tuple[Any, ...]:
    """Return the values of a file of JSON lines."""
    return tuple(json.loads(line) for line in (TESTDATA / name).read_text("utf-8").splitlines() if line)
