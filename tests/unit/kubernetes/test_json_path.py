"""JSONPath against recorded answers of client-go; see tests/judges/jsonpath."""

from __future__ import annotations

import json

import pytest

from protoc_gen_crd.kubernetes.json_path import JsonPathError, read
from tests.support.jsonpaths import ROWS, shown

RECORDED = [json.loads(line) for line in ROWS.read_text("utf-8").splitlines()]


def test_paths_are_parsed_like_client_go() -> None:
    assert len(RECORDED) > 300
    assert [row for row in RECORDED if shown(row["path"]) != row.get("nodes")] == []


@pytest.mark.parametrize(
    ("path", "problem"),
    [
        (".a[", "unclosed bracket"),
        (".a[b]", '"[b]" is not an index, a slice or a name in single quotes'),
        (".a[?(@.b==1]", "unclosed filter"),
        (".a[?(@.b==1) ]", 'missing "]" after a filter'),
        (".a,b", 'unexpected ","'),
        (".a {", 'unexpected "{"'),
        ("....a", '".." after ".."'),
        (".a 'b", "unclosed quote"),
        ('.a "\\q"', 'invalid escape in "\\q"'),
        (".a 1.2.3", 'invalid number "1.2.3"'),
        (".a\n", "unclosed bracket or line break"),
    ],
)
def test_error_of_an_invalid_path(path: str, problem: str) -> None:
    with pytest.raises(JsonPathError) as error:
        read(path)
    assert str(error.value) == problem
