"""Strings that match patterns, validated by the matcher, which is independent of the automata."""

from __future__ import annotations

import sys
from types import FrameType
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from protoc_gen_crd.regex.matcher import compile as compiled
from protoc_gen_crd.samples import pattern_strings
from protoc_gen_crd.samples.pattern_strings import find_differences, find_shortest_match

ATOMS = st.sampled_from(["a", "b", "[a-c]", "[^a]", ".", r"\d", r"\w", "(?i:x)", "é", r"\.", "(?:ab|c)", r"\pL"])
PATTERNS = st.recursive(
    ATOMS,
    lambda inner: st.one_of(
        st.tuples(inner, st.sampled_from(["*", "+", "?", "{2}", "{1,3}"])).map(lambda both: f"(?:{both[0]}){both[1]}"),
        st.lists(inner, min_size=2, max_size=3).map("".join),
        st.lists(inner, min_size=2, max_size=3).map(lambda all_: f"(?:{'|'.join(all_)})"),
    ),
    max_leaves=6,
)


@pytest.mark.parametrize(
    ("patterns", "least", "most", "expected"),
    [
        (["^[a-z0-9]([-a-z0-9]*[a-z0-9])?$"], 0, None, "a"),
        (["^[a-z0-9]([-a-z0-9]*[a-z0-9])?$"], 4, 10, "aaaa"),
        (["^a", "b$", "c"], 0, None, "acb"),
        (["x{3,5}", "^.{0,253}$"], 10, 20, "aaaaaaaxxx"),
        ([r"\bfoo\b"], 6, None, "aa-foo"),
        (["^$"], 0, None, ""),
        (["^$"], 1, None, None),
        (["^a$", "^b$"], 0, None, None),
        (["(?i)^abc$", "[A-Z]{3}"], 0, None, "ABC"),
        (["(?:a{1000}){1000}"], 0, None, None),
        (["["], 0, None, None),
    ],
)
def test_shortest_string_is_found(patterns: list[str], least: int, most: int | None, expected: str | None) -> None:
    string = find_shortest_match(patterns, least, most)
    assert string is None or all(compiled(pattern).search(string) for pattern in patterns)
    assert (string is None) == (expected is None)
    assert string is None or expected is None or len(string) == len(expected)


@settings(max_examples=60)
@given(PATTERNS, st.integers(0, 4))
def test_generated_string_matches(pattern: str, least: int) -> None:
    anchored = f"^(?:{pattern})$"
    string = find_shortest_match([anchored], least)
    assert string is None or (compiled(anchored).search(string) and len(string) >= least)
    assert least or string is not None


def count_lines(patterns: tuple[str, ...], excluded: str) -> int:
    """Count the lines that a search for differences runs: a measure of its time that load does not disturb."""
    count, previous = 0, sys.gettrace()

    def trace(frame: FrameType, event: str, _: object) -> Any:
        nonlocal count
        if frame.f_code.co_filename == pattern_strings.__file__:
            count += event == "line"
            return trace
        return None

    sys.settrace(trace)
    try:
        assert find_differences(patterns, excluded).is_complete
    finally:
        sys.settrace(previous)
    return count


def test_classes_of_hundreds_of_ranges_take_as_many_steps_as_others() -> None:
    r"""A class such as \pL has about 650 ranges, which are searched only once for each combination of classes."""
    ascii_lines = count_lines(("^[a-z]([a-z0-9-]{0,40}[a-z0-9])?$",), "^[a-z0-9-]{1,63}$")
    lines = count_lines((r"^\pL([\pL\pN-]{0,40}[\pL\pN])?$",), r"^[\pL\pN-]{1,63}$")
    assert lines < ascii_lines + 100_000
