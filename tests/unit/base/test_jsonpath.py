"""JSONPath against recorded answers of client-go; see tests/judges/jsonpath."""

from __future__ import annotations

import json

import pytest

from protoc_gen_crd.base.jsonpath import JsonPathError, read
from tests.support.jsonpaths import ROWS, shown

RECORDED = [json.loads(line) for line in ROWS.read_text("utf-8").splitlines()]


def test_what_client_go_makes_of_paths() -> None:
    assert len(RECORDED) > 300
    assert [row for row in RECORDED if shown(row["path"]) != row.get("nodes")] == []


@pytest.mark.parametrize(
    ("path", "problem"),
    [
        (".a[", "brackets that are closed"),
        (".a[b]", 'an index, a slice or a name in single quotes between brackets, found "b"'),
        (".a[?(@.b==1]", "filters that are closed"),
        (".a[?(@.b==1) ]", 'a "]" behind the parenthesis of a filter'),
        (".a,b", 'fields, brackets and words, found ","'),
        (".a {", 'fields, brackets and words, found "{"'),
        ("....a", 'two dots once in a row, found ".." again'),
        (".a 'b", "quotes that are closed"),
        ('.a "\\q"', 'escapes of Go in quotes, found "\\q"'),
        (".a 1.2.3", 'numbers, found "1.2.3"'),
        (".a\n", "one line with all its brackets closed"),
    ],
)
def test_what_is_said_of_no_path(path: str, problem: str) -> None:
    with pytest.raises(JsonPathError) as refused:
        read(path)
    assert str(refused.value) == problem
