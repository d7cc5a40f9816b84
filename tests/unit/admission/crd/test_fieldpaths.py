from __future__ import annotations

import pytest

from protoc_gen_crd.admission.crd.fieldpaths import PathError, follow, resolves
from protoc_gen_crd.schema.types import Schema
from tests.unit.admission.making import schema

X = {"type": "object", "properties": {"x": {"type": "string"}}}
ROOT = schema(
    {
        "type": "object",
        "properties": {
            "a": {"type": "object", "properties": {"b.c": {"type": "string"}, "it's": {"type": "string"}}},
            "m": {"type": "object", "additionalProperties": X},
            "any": {"type": "object", "additionalProperties": True},
        },
    }
)  # fmt: skip


@pytest.mark.parametrize(
    ("path", "normal"),
    [
        (".a", "a"),
        (".a['b.c']", "a.b.c"),
        (r".a['it\'s']", "a.it's"),
        ("['a']", "a"),
        (".m.k.x", "m[k].x"),
        (".m['k'].x", "m[k].x"),
        (".any.k", "any[k]"),
        ("", ""),
    ],
)
def test_paths_that_lead_somewhere(path: str, normal: str) -> None:
    assert follow(ROOT, path)[0] == normal
    assert resolves(ROOT, path)


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        ("a", "expected [ or . but got: a"),
        (".x", "does not refer to a valid field"),
        (".a.b.c", "does not refer to a valid field"),
        (".any.k.l", "does not refer to a valid field"),
        (".m.k.x.y", "does not refer to a valid field"),
        (".a[0]", "expected single quoted string but got 0"),
        (".a['b.c'", "unexpected end of JSON path"),
        (".a['b.c'.", "expected ] but got ."),
        (".a[", "unexpected end of JSON path"),
        (r".a['b\.c']", r"invalid string literal: invalid escape char \."),
    ],
)
def test_paths_that_do_not(path: str, reason: str) -> None:
    with pytest.raises(PathError) as caught:
        follow(ROOT, path)
    assert str(caught.value) == reason
    assert not resolves(ROOT, path)


def test_what_is_found() -> None:
    _, found = follow(ROOT, ".m.k.x")
    assert found is not None
    assert found.type == "string"
    assert follow(ROOT, ".any.k")[1] is None


def test_brackets_may_be_forbidden() -> None:
    with pytest.raises(PathError, match="array notation is not allowed"):
        follow(ROOT, "['a']", brackets=False)


def test_a_refused_schema_is_not_asked() -> None:
    assert resolves(Schema({"$ref": "x"}), ".nowhere")
    assert resolves(Schema({"x-kubernetes-preserve-unknown-fields": False}), ".nowhere")
