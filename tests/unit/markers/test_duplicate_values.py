"""Equivalent lines of an element."""

from __future__ import annotations

from typing import Any

from protoc_gen_crd.findings.finding import Location
from protoc_gen_crd.markers.duplicate_values import LineMeanings
from protoc_gen_crd.markers.marker import Marker, MessageMembers
from protoc_gen_crd.markers.option_declarations import SCHEMA

AT = Location("a.proto", 1, 1)


def find_equivalent(*lines: tuple[str, Marker | MessageMembers]) -> list[str]:
    """Return the lines that are equivalent to an earlier one."""
    meanings = LineMeanings()
    return [text for text, marker in lines if meanings.add(text, (marker,))]


def limit(text: str, value: Any, steps: tuple[str, ...] = ()) -> tuple[str, Marker]:
    return text, Marker(SCHEMA["maximum"], steps, value, text, AT, "a.B.c")


def tag(text: str, kind: str = "", **values: Any) -> tuple[str, MessageMembers]:
    return text, MessageMembers("Resource", values, text, AT, kind)


def test_lines_with_equal_values_are_equivalent() -> None:
    assert find_equivalent(limit("+a:x", 1), limit("+a:y", 1), limit("+a:z", 1.0)) == ["+a:y", "+a:z"]
    assert find_equivalent(limit("+a:x", 1), limit("+a:y", 2), limit("+a:z", 2)) == ["+a:z"]
    assert find_equivalent(tag("+a:x", labels={"b": "1", "c": "2"}), tag("+a:y", labels={"c": "2", "b": "1"})) == [
        "+a:y"
    ]


def test_lines_of_two_tools_or_with_other_options_and_values_are_not_equivalent() -> None:
    assert find_equivalent(limit("+a:x", 1), limit("+b:x", 1)) == []
    assert find_equivalent(limit("+a:x", 1), limit("+a:y", True), limit("+a:z", 1, ("items",))) == []
    assert find_equivalent(tag("+a:x", group="b"), tag("+a:y", "K", group="b"), tag("+a:z", plural="b")) == []
