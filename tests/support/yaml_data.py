"""YAML of test data as plain data, read by libyaml, which is ten times as fast as PyYAML's own parser."""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from functools import cache
from pathlib import Path
from typing import Any

import yaml


def load_yaml(text: str | bytes) -> Any:
    """Return the value of a document."""
    return yaml.load(text, yaml.CSafeLoader)


def load_yaml_stream(text: str | bytes) -> Iterator[Any]:
    """Yield the values of the documents of a stream."""
    yield from yaml.load_all(text, yaml.CSafeLoader)


def load_file(path: Path) -> Any:
    """Return the value of a file of testdata, which is read once; the caller may change it."""
    return deepcopy(_read(path))


@cache
def _read(path: Path) -> Any:
    return load_yaml(path.read_text("utf-8"))
