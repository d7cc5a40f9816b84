"""Readers of JSON reject deep nesting, also after the recursion limit was raised, where the parser would crash."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from protoc_gen_crd.base.recursion_limit import raise_recursion_limit
from protoc_gen_crd.cli.migration_state_file import MigrationStateFile
from protoc_gen_crd.cluster.cluster_client import _parse_object
from protoc_gen_crd.comparison.api_summary import parse_summary
from protoc_gen_crd.conversion.derivation.cel_rendering import ANY_STRING_FIELD, parse_step
from protoc_gen_crd.conversion.recorded_hubs import _read_summaries
from protoc_gen_crd.conversion.rule_files.api_conversion import _read_drop_annotation
from protoc_gen_crd.conversion.runtime.container_conversion import names_of
from protoc_gen_crd.conversion.runtime.object_annotations import layers
from protoc_gen_crd.findings.finding import Problems
from protoc_gen_crd.history import release_store
from protoc_gen_crd.proto.json_descriptor_sets import convert_to_binary
from tests.fuzz.limits import recursion_limit


def _write(path: str, text: str) -> Path:
    file = Path(path)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)
    return file


def _read_release(text: str) -> Any:
    _write("history/1.0/release.json", text)
    return release_store.load_releases(Path("history"), Problems())


READERS: dict[str, Callable[[str], Any]] = {
    "release": _read_release,
    "summary": parse_summary,
    "recorded hubs": lambda text: list(_read_summaries(_write("history/1.0/api.json", text).parent.parent)),
    "migration": lambda text: MigrationStateFile(str(_write("state.json", text))).get("a"),
    "API server": lambda text: _parse_object(text.encode()),
    "image": lambda text: convert_to_binary(text.encode()),
    "literal": lambda text: parse_step(text, ANY_STRING_FIELD, ("spec", "a"), None),
    "dropped fields": lambda text: _read_drop_annotation({"annotations": {"x.io/conversion-drop": text}}),
    "keys": lambda text: names_of([{}], text),
    "conversion data": layers,
}


@pytest.mark.parametrize("text", ["[" * 200_000 + "]" * 200_000, '{"a":' * 100_000 + "1" + "}" * 100_000])
@pytest.mark.parametrize("name", READERS)
def test_deep_nesting(name: str, text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with recursion_limit(1000):
        raise_recursion_limit()
        with suppress(ValueError):
            READERS[name](text)  # a crash and any other exception fail
