"""Objects written anew into their text: what stays is not touched."""

from __future__ import annotations

from typing import Any

import pytest
import yaml

from protoc_gen_crd.base.diagnostics import Problems
from protoc_gen_crd.testing.cases import read_cases
from protoc_gen_crd.testing.rewrite import rewritten


def written(text: str, *new: dict[str, Any]) -> str:
    cases = read_cases(text.encode(), "a.yaml", Problems())
    made = rewritten(text.encode(), list(zip(cases, new, strict=False))).decode()
    assert [each for each in yaml.safe_load_all(made) if each][: len(new)] == list(new)
    return made


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("a: 1 # one\nb: x\n", {"c": 1, "b": "x"}, "c: 1 # one\nb: x\n"),
        ("# top\na:\n  # in\n  b: 1\n  c: 2\n", {"a": {"d": 1, "c": 3}}, "# top\na:\n  # in\n  d: 1\n  c: 3\n"),
        ("a: 1\n# of b\nb: 2\n# of c\nc: 3\n", {"a": 1, "c": 3}, "a: 1\n# of c\nc: 3\n"),
        ("a:\n- b: 1\n  c: 2 # x\n- c: 3\n  b: 4\n", {"a": [{"d": 1, "c": 2}, {"c": 3, "d": 4}]},
         "a:\n- d: 1\n  c: 2 # x\n- c: 3\n  d: 4\n"),
        ("a: {b: 1, c: 2}\nd: 3\n", {"a": {"b": 2, "c": 2}, "d": 3}, "a:\n  b: 2\n  c: 2\nd: 3\n"),
        ("a: |\n  text\n  # no comment\nb: 1\n", {"a": "text\n# no comment\n", "b": 2},
         "a: |\n  text\n  # no comment\nb: 2\n"),
        ("a: 'it''s'\nb: 1\n", {"a": "it is", "b": 1}, "a: it is\nb: 1\n"),
        ("a: 1\n\n# end\n", {"a": 1, "b": [1]}, "a: 1\nb:\n- 1\n\n# end\n"),
        ('"a b": 1\n', {"c": 1}, "c: 1\n"),
        ("a: 1\n---\nb: 1\n", {"a": 2}, "a: 2\n---\nb: 1\n"),
        ("a: &x 1\nb: *x\n", {"a": 1, "b": 2}, "a: &x 1\nb: 2\n"),
        ("a: 1", {"a": 1, "b": 2}, "a: 1\nb: 2\n"),
    ],
)  # fmt: skip
def test_only_what_changes_is_written(old: str, new: dict[str, Any], expected: str) -> None:
    assert written(old, new) == expected


def test_json_stays_json() -> None:
    assert written('{"a": 1, "b": 2}\n', {"a": 2, "b": 2}) == '{\n  "a": 2,\n  "b": 2\n}\n'
