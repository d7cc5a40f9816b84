from __future__ import annotations

import pytest

from protoc_gen_crd.admission.crd.rules.field_paths import FieldPathError, is_valid_field_path, resolve_field_path
from protoc_gen_crd.schema.schema import Schema
from tests.unit.admission.crd_factory import schema

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
    assert resolve_field_path(ROOT, path)[0] == normal
    assert is_valid_field_path(ROOT, path)


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
    with pytest.raises(FieldPathError) as caught:
        resolve_field_path(ROOT, path)
    assert str(caught.value) == reason
    assert not is_valid_field_path(ROOT, path)


def test_what_is_found() -> None:
    _, result = resolve_field_path(ROOT, ".m.k.x")
    assert result is not None
    assert result.type == "string"
    assert resolve_field_path(ROOT, ".any.k")[1] is None


def test_brackets_may_be_forbidden() -> None:
    with pytest.raises(FieldPathError, match="array notation is not allowed"):
        resolve_field_path(ROOT, "['a']", brackets=False)


def test_field_paths_of_a_rejected_schema_are_not_validated() -> None:
    assert is_valid_field_path(Schema({"$ref": "x"}), ".nowhere")
    assert is_valid_field_path(Schema({"x-kubernetes-preserve-unknown-fields": False}), ".nowhere")
