"""Rewriting of objects in files preserves everything that does not change."""

from __future__ import annotations

from typing import Any

import pytest

from protoc_gen_crd.documents.document_reader import read_cases
from protoc_gen_crd.documents.document_rewriter import rewrite_objects
from protoc_gen_crd.findings.finding import Problems
from tests.support.yaml_data import load_yaml_stream


def rewrite(text: str, *new: dict[str, Any]) -> str:
    cases = read_cases(text.encode(), "a.yaml", Problems())
    data = rewrite_objects(text.encode(), list(zip(cases, new, strict=False)))
    assert data is not None
    content = data.decode()
    assert [document for document in load_yaml_stream(content) if document][: len(new)] == list(new)
    return content


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
        ("a: 1\nb: 2", {"a": 1, "c": [2]}, "a: 1\nc:\n- 2\n"),
    ],
)  # fmt: skip
def test_only_changes_are_written(old: str, new: dict[str, Any], expected: str) -> None:
    assert rewrite(old, new) == expected


def test_json_stays_json() -> None:
    assert rewrite('{"a": 1, "b": 2}\n', {"a": 2, "b": 2}) == '{"a": 2, "b": 2}\n'


LIST = "apiVersion: v1\nkind: List\nitems:\n- a: 1 # one\n  b: 2\n# of c\n- c: {d: 3}\n"


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ('{"a":1}\n{"a":2}\n', [{"b": 1}, {"b": 2}], '{"b":1}\n{"b":2}\n'),
        ('{"a":1}{"a":2}', [{"a": 1}, {"b": 2}], '{"a":1}{"b":2}'),
        ('{"a": 1,\n    "b": 2}\n---\nc: 3\n', [{"c": 1, "b": 2}, {"d": 3}],
         '{\n    "c": 1,\n    "b": 2\n}\n---\nd: 3\n'),
        ("{a: it's, b: '}'} # c\n", [{"a": "x", "b": "}"}], '{"a": "x", "b": "}"} # c\n'),
        (LIST, [{"e": 1, "b": 2}, {"c": {"f": 3}}], LIST.replace("a: 1", "e: 1").replace("d: 3", "f: 3")),
        ('{"kind":"List","items":[{"a":1},{"a":2}]}', [{"a": 1}, {"b": 2}],
         '{"kind":"List","items":[{"a":1},{"b":2}]}'),
        ("a: 1 # one\r\nb: 2\r\n", [{"c": 1, "b": [1]}], "c: 1 # one\r\nb:\r\n- 1\r\n"),
        ("\ufeffa: 1\n", [{"b": 1}], "\ufeffb: 1\n"),
        ("a: 1 # x\na: 1\n---\na: 1 # y\n", [{"b": 1}, {"b": 1}], "b: 1\n---\nb: 1 # y\n"),
        ('{"a": "\\u0085"}', [{"b": "\x85"}], '{"b": "\\u0085"}'),
        ("a: 1\nb: 2.5\n", [{"a": 1, "b": 2.0}], "a: 1\nb: 2\n"),
    ],
)  # fmt: skip
def test_documents_and_items_are_independent(old: str, new: list[dict[str, Any]], expected: str) -> None:
    cases = read_cases(old.encode(), "a.yaml", Problems())
    assert len(cases) == len(new)
    content = rewrite_objects(old.encode(), list(zip(cases, new, strict=True)))
    assert content is not None
    assert content.decode() == expected


@pytest.mark.parametrize(
    "old",
    ["!!map\na: 1\n", "a: &x\n  b: 1\n---\nc: 1\n", '{"a": "\u2028"} {"a": 2}', "? a\n: 1\n", "a: '\u2028'\nb: 1"],
)
def test_content_is_parsed_to_the_new_objects(old: str) -> None:
    """Otherwise nothing is rewrite."""
    case, *others = read_cases(old.encode(), "a.yaml", Problems())
    content = rewrite_objects(old.encode(), [(case, {"a": "\x85", "b": {"c": 1}})])
    if content is not None:
        objects = [case.source_object for case in read_cases(content, "a.yaml", Problems())]
        assert objects == [{"a": "\x85", "b": {"c": 1}}, *(case.source_object for case in others)]
