"""The text of examples."""

from __future__ import annotations

from protoc_gen_crd.comparison.evidence.example_object import describe_stored


def test_small_objects_are_shown_whole() -> None:
    stored = {"kind": "Lamp", "spec": {"color": "red", "lumen": 1}}
    text = 'is stored as {"spec": {"color": "red", "lumen": 1}} instead of {"spec": {"lumen": 1}}'
    assert describe_stored(stored, {"kind": "Lamp", "spec": {"lumen": 1}}) == text


def test_of_large_objects_the_parts_that_differ_are_shown() -> None:
    spec = {"name": "x" * 200, "items": [{"a": 1, "b": "y" * 200}, {"a": 2}]}
    stored = {"spec": {**spec, "items": [{"a": 1, "b": "y" * 200, "c": None}, {"a": 2}], "mode": "A"}}
    expected = 'is stored with {"spec": {"items": [{"c": null}], "mode": "A"}} instead of {"spec": {"items": [{}]}}'
    assert describe_stored(stored, {"spec": spec}) == expected
