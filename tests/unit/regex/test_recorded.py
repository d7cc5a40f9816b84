"""What Go answered when it was asked (tests/judges/regex/README.md), and API servers with it, is what we answer."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import re2  # type: ignore[import-untyped]

from protoc_gen_crd.regex import matcher
from protoc_gen_crd.regex.matcher import compile  # noqa: A004 - as in `re.compile`
from protoc_gen_crd.regex.syntax_check import check
from tests.conftest import shared
from tests.judges.regex.judge import ask_here, digest

RECORDED = Path(__file__).parents[3] / "testdata" / "regex"


def rows(name: str) -> list[dict[str, Any]]:
    lines = (RECORDED / f"{name}.jsonl").read_text(encoding="utf-8").split("\n")[:-1]
    return [json.loads(line) for line in lines]


def differs(row: dict[str, Any]) -> object:
    """Our answer where it is not the recorded one."""
    said = ask_here({"pattern": row["pattern"], "texts": row.get("texts", [])}, 26)
    if "error" in row or "error" in said:
        return None if said.get("error") == row.get("error") else (row, said)
    agrees = said["all"] == row["all"] and said["matches"] == [found != [] for found in row["all"]]
    return None if agrees else (row, said)


def test_texts_and_matches() -> None:
    assert [found for row in rows("verdicts") if (found := differs(row))] == []


def test_texts_and_matches_in_small_alphabets(monkeypatch: pytest.MonkeyPatch) -> None:
    def never(_: object) -> str:
        raise re2.error

    monkeypatch.setattr(matcher, "translate", never)
    compile.cache_clear()
    assert [found for row in rows("verdicts") if (found := differs(row))] == []
    compile.cache_clear()


@pytest.mark.parametrize(
    "wrong",
    [
        {"pattern": "(a", "error": "error parsing regexp: missing closing ): `(b`"},
        {"pattern": "(a)", "error": "error parsing regexp: missing closing ): `(a)`"},
        {"pattern": "(a", "texts": ["a"], "all": [["a"]]},
        {"pattern": "a", "texts": ["aa"], "all": [["a"]]},
        {"pattern": "a", "texts": ["b"], "all": [["a"]]},
        {"pattern": "a", "texts": ["a"], "all": [[]]},
    ],
)
def test_a_wrong_row_is_seen(wrong: dict[str, Any]) -> None:
    assert differs(wrong)


def test_limits() -> None:
    for row in rows("limits"):
        pattern = "".join(text * count for text, count in row["parts"])
        expected = row["reason"] and f"error parsing regexp: {row['reason']}: `{pattern}`"
        assert check(pattern) == expected, row


def test_sets() -> None:
    for row in rows("sets"):
        said = ask_here({"pattern": row["pattern"], "characters": True}, row["go"])
        assert digest(said.get("characters", [])) == row["digest"], row


def test_versions() -> None:
    for row in rows("versions"):
        expected = None
        for go in range(19, 27):
            expected = row["errors"].get(str(go), expected)
            assert check(row["pattern"], go=go) == expected, (go, row)


def causes(version: str, group: str) -> Iterator[dict[str, Any]]:
    """What API servers found wrong."""
    for line in shared("kubernetes", "verdicts", version, f"{group}.jsonl").read_text(encoding="utf-8").splitlines():
        yield from json.loads(line)["answer"].get("causes") or []


@pytest.mark.parametrize(("version", "go"), [("1.35", 25), ("1.37", 26)])
def test_patterns_that_api_servers_refuse(version: str, go: int) -> None:
    words = "must be a valid regular expression, but isn't: "
    refused = [cause for cause in causes(version, "crd") if cause.get("detail", "").startswith(words)]
    assert refused
    assert [check(cause["value"], go=go) for cause in refused] == [
        cause["detail"].removeprefix(words) for cause in refused
    ]


@pytest.mark.parametrize(("version", "go"), [("1.35", 25), ("1.37", 26)])
def test_values_that_api_servers_refuse(version: str, go: int) -> None:
    words = " in body should match '"
    refused = [cause for cause in causes(version, "create") if words in cause.get("detail", "")]
    assert refused
    for cause in refused:
        pattern = cause["detail"].partition(words)[2].removesuffix("'")
        assert not compile(pattern, go=go).search(cause["value"])
