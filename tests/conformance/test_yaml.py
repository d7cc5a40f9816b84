"""The YAML reader against recorded answers of Kubernetes' own: every member of every answer, by both parsers.

The tables: probes of API servers 1.35 and 1.37, and ours (tests/judges/yamlread/README.md).
"""

from __future__ import annotations

import base64
import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml

from protoc_gen_crd.yaml import fast_decoder
from protoc_gen_crd.yaml.reader import read
from tests.conformance.tables import recorded, table
from tests.conftest import shared
from tests.judges.yamlread.ours import differences, digest, typed

ROOT = Path(__file__).parents[2]
TESTDATA = ROOT / "testdata"
RECORDED = "yamlread/recorded.jsonl"
EXPECTED_FAILURES = TESTDATA / "yamlread" / "expected_failures.txt"
CORPUS = "corpora/istio-networking"


@pytest.fixture(params=["libyaml", "by rule"], autouse=True)
def _parser(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fast_decoder, "_IMPORT_SIZE", 0)
    if request.param == "by rule":
        monkeypatch.setattr(yaml, "__with_libyaml__", False)
    elif not yaml.__with_libyaml__:
        pytest.skip("PyYAML was built without libyaml: install its wheel from PyPI")


def lines(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (TESTDATA / name).read_text("utf-8").splitlines()]


def text_of(row: dict[str, Any]) -> bytes:
    recorded_input = row["input"]
    return (
        base64.b64decode(recorded_input["base64"])
        if "base64" in recorded_input
        else recorded_input["text"].encode(errors="surrogatepass")
    )


@cache
def expected_failures() -> dict[str, str]:
    """Ids with the members that differ and why; a line is `id member,member # reason`."""
    expected = {}
    for line in EXPECTED_FAILURES.read_text("utf-8").splitlines():
        if line and not line.startswith("#"):
            name, members, mark, reason = line.split(" ", 3)
            assert mark == "#", line
            assert reason, line
            expected[name] = members
    return expected


def test_answers() -> None:
    differing = {row["id"]: ",".join(differences(text_of(row), row["answer"])) for row in lines(RECORDED)}
    assert {id_: members for id_, members in differing.items() if members} == expected_failures()


@pytest.mark.parametrize("minor", recorded("yaml"))
def test_answers_are_those_of_the_server(minor: int) -> None:
    rows = table("yaml", minor)
    assert not {row.id for row in rows if differences(text_of({"input": row.input}), row.answers[0], minor)}


def test_ids_are_distinct() -> None:
    ids = [row["id"] for row in lines(RECORDED)]
    assert len(ids) == len(set(ids))


def test_a_wrong_answer_is_found() -> None:
    """The comparison can fail, for each member."""
    answer = {"documents": [{"json": '{"a":1}', "value": {"a": {"int": 1}}}]}
    assert differences(b"a: 1\n", answer) == []
    assert differences(b"a: 2\n", answer) == ["documents[0].value", "documents[0].json", "single"]
    assert differences(b"a: 1\na: 1\n", answer) == ["strict"]
    assert differences(b"a: [\n", answer) == ["documents[0].error", "error"]
    assert differences(b"a: 1\n---\nb: 1\n", answer) == ["documents: 2 of 1"]


@pytest.mark.parametrize("row", lines("yamlread/corpus.jsonl"), ids=lambda row: row["file"])
def test_corpus(row: dict[str, Any]) -> None:
    documents = read(shared(CORPUS, row["file"]).read_bytes(), row["file"])
    assert [document.error for document in documents] == [None] * len(row["documents"])
    assert [digest(typed(document.value)) for document in documents] == row["documents"]
