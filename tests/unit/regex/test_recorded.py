"""Comparison with recorded results of Go (tests/judges/regex/README.md) and of API servers."""

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
    """Return the recorded and our result if they differ."""
    result = ask_here({"pattern": row["pattern"], "texts": row.get("texts", [])}, 26)
    if "error" in row or "error" in result:
        return None if result.get("error") == row.get("error") else (row, result)
    agrees = result["all"] == row["all"] and result["matches"] == [matches != [] for matches in row["all"]]
    return None if agrees else (row, result)


def test_strings_and_matches() -> None:
    assert [difference for row in rows("verdicts") if (difference := differs(row))] == []


def test_strings_and_matches_in_small_alphabets(monkeypatch: pytest.MonkeyPatch) -> None:
    def never(_: object) -> str:
        raise re2.error

    monkeypatch.setattr(matcher, "translate", never)
    compile.cache_clear()
    assert [difference for row in rows("verdicts") if (difference := differs(row))] == []
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
        pattern = "".join(part * count for part, count in row["parts"])
        expected = row["reason"] and f"error parsing regexp: {row['reason']}: `{pattern}`"
        assert check(pattern) == expected, row


def test_sets() -> None:
    for row in rows("sets"):
        result = ask_here({"pattern": row["pattern"], "characters": True}, row["go"])
        assert digest(result.get("characters", [])) == row["digest"], row


def test_versions() -> None:
    for row in rows("versions"):
        expected = None
        for go in range(19, 27):
            expected = row["errors"].get(str(go), expected)
            assert check(row["pattern"], go=go) == expected, (go, row)


def causes(version: str, group: str) -> Iterator[dict[str, Any]]:
    """Yield the causes of rejections by API servers."""
    for line in shared("kubernetes", "verdicts", version, f"{group}.jsonl").read_text(encoding="utf-8").splitlines():
        yield from json.loads(line)["answer"].get("causes") or []


@pytest.mark.parametrize(("version", "go"), [("1.35", 25), ("1.37", 26)])
def test_patterns_that_api_servers_reject(version: str, go: int) -> None:
    message = "must be a valid regular expression, but isn't: "
    rejected = [cause for cause in causes(version, "crd") if cause.get("detail", "").startswith(message)]
    assert rejected
    assert [check(cause["value"], go=go) for cause in rejected] == [
        cause["detail"].removeprefix(message) for cause in rejected
    ]


@pytest.mark.parametrize(("version", "go"), [("1.35", 25), ("1.37", 26)])
def test_values_that_api_servers_reject(version: str, go: int) -> None:
    message = " in body should match '"
    rejected = [cause for cause in causes(version, "create") if message in cause.get("detail", "")]
    assert rejected
    for cause in rejected:
        pattern = cause["detail"].partition(message)[2].removesuffix("'")
        assert not compile(pattern, go=go).search(cause["value"])
