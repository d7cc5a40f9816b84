"""Samples as YAML: comments, and round trips."""

from __future__ import annotations

from typing import Any

import pytest

from protoc_gen_crd.crd.crd import Crd, CrdVersion, Names
from protoc_gen_crd.emit.sample_yaml import GENERATED_COMMENT, extract_sentence, format_sample, is_generated
from protoc_gen_crd.schema.schema import Schema
from protoc_gen_crd.yaml.reader import read

HEAD: dict[str, Any] = {"apiVersion": "example.com/v1", "kind": "Thing", "metadata": {"name": "example"}}


def text(spec: Any, schema: Schema, *, full: bool = True, **version: Any) -> str:
    crd_version = CrdVersion("v1", Schema({"type": "object", "properties": {"spec": schema}}), **version)
    crd = Crd("example.com", Names("Thing", "things"), "Namespaced", (crd_version,))
    result = format_sample({**HEAD, "spec": spec}, crd, crd_version, full=full)
    (document,) = read(result.encode(), "")
    assert document.value == {**HEAD, "spec": spec}
    return result.partition("  name: example\n")[2]


def of(**properties: dict[str, Any]) -> Schema:
    return Schema({"type": "object", "properties": {name: Schema(node) for name, node in properties.items()}})


@pytest.mark.parametrize(
    ("node", "words"),
    [
        ({"description": "Size.\nMore.", "minimum": 1, "maximum": 9, "default": 2}, "Size. 1 to 9. Default: 2."),
        ({"minimum": 0, "maximum": 2**32 - 1}, ""),
        ({"minimum": -(2**31), "maximum": 2**31 - 1}, ""),
        ({"minimum": 1}, "At least 1."),
        ({"maximum": 0.5}, "At most 0.5."),
        ({"enum": ["a", "", 3]}, 'One of a, "", 3.'),
        ({"enum": [str(item) for item in range(20)]}, "One of 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11 and 8 more."),
        ({"maxLength": 63}, "At most 63 characters."),
        ({"maxLength": 253}, ""),
        ({"pattern": "^[a-z]+$", "default": ""}, 'Matches ^[a-z]+$. Default: "".'),
        ({"default": {"a": 1}}, ""),
    ],
)  # fmt: skip
def test_comments_of_keywords(node: dict[str, Any], words: str) -> None:
    comment = f"  # {words}\n" if words else ""
    assert text({"field": 1}, of(field=node)) == f"spec:\n{comment}  field: 1\n"


def test_a_minimal_sample_has_no_comments() -> None:
    assert text({"field": 1}, of(field={"description": "A field."}, other={}), full=False) == "spec:\n  field: 1\n"


def test_comments_of_items_stand_above_their_dash() -> None:
    item = Schema({"type": "object", "properties": {"a": Schema({"description": "A."}), "b": Schema({"minimum": 2})}})
    result = text({"list": [{"a": 1, "b": 2}, {"a": 3}]}, of(list={"type": "array", "items": item}))
    assert result == "spec:\n  list:\n  # A.\n  - a: 1\n    # At least 2.\n    b: 2\n  - a: 3\n"


def test_fields_that_are_not_shown_are_named() -> None:
    schema = of(a={}, b={}, c={"description": "Deprecated: use a."})
    assert text({"a": 1}, schema) == "spec:\n  a: 1\n  # Not shown: b, c (deprecated).\n"


@pytest.mark.parametrize(
    "value",
    ["- a\n# b\n", "x: y", "", "#", [], {}, [[1, [2]], {}], {"? key": {"a": "b" * 200}}, {"k" * 200: {"a": 1}}, None],
)
def test_any_value_is_read_back(value: Any) -> None:
    text({"field": value, "list": [value, {"a": value}]}, of(field={"description": "# A: field"}))


@pytest.mark.parametrize(
    ("description", "first"),
    [
        ("One. Two.", "One."),
        ("A list, e.g. of names. More.", "A list, e.g. of names."),
        ("A map, e.g.\n\n  a: b", "A map."),
        ("Optional. What it is.", "What it is."),
        ("+optional", "+optional."),
        ("Modes:\n- one\n- two", "Modes:"),
        ("Wide\n  and\tlong", "Wide and long."),
        ("", ""),
        ("word " * 100, "word " * 59 + "..."),
    ],
)
def test_the_first_sentence(description: str, first: str) -> None:
    assert extract_sentence(description) == first


def test_generated_files_are_recognized() -> None:
    assert is_generated(f"# Copyright of nobody.\n{GENERATED_COMMENT}\nkind: Thing\n")
    assert not is_generated(f"kind: Thing\n{GENERATED_COMMENT}\n")


def test_a_deprecated_version_is_marked() -> None:
    crd_version = CrdVersion("v1", Schema({}), deprecated=True)
    crd = Crd("example.com", Names("Thing", "things"), "Namespaced", (crd_version,))
    result = format_sample(HEAD, crd, crd_version, full=False)
    assert result.splitlines()[1] == "# example.com/v1 is deprecated."
