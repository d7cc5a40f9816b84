"""Texts for patterns: the matcher of patterns has the last word, whatever the automata say."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from protoc_gen_crd.regex.matcher import compile as compiled
from protoc_gen_crd.samples.pattern_strings import find_shortest_match

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
def test_the_shortest_text_is_found(patterns: list[str], least: int, most: int | None, expected: str | None) -> None:
    found = find_shortest_match(patterns, least, most)
    assert found is None or all(compiled(pattern).search(found) for pattern in patterns)
    assert (found is None) == (expected is None)
    assert found is None or expected is None or len(found) == len(expected)


@settings(max_examples=60)
@given(PATTERNS, st.integers(0, 4))
def test_what_is_found_matches(pattern: str, least: int) -> None:
    anchored = f"^(?:{pattern})$"
    found = find_shortest_match([anchored], least)
    assert found is None or (compiled(anchored).search(found) and len(found) >= least)
    assert least or found is not None
