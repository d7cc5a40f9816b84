"""Matching: cases that the recorded results do not cover."""

from __future__ import annotations

import pytest

from protoc_gen_crd.regex import matcher
from protoc_gen_crd.regex.syntax_check import ResourceLimitError


def test_search_is_not_anchored() -> None:
    assert matcher.compile("b").search("abc")
    assert not matcher.compile("^b").search("abc")


def test_find_gives_the_first_match_or_none() -> None:
    assert matcher.compile("[0-9]+").find("abc 123 def 456") == "123"
    assert matcher.compile("x*").find("abc") == ""
    assert matcher.compile("x").find("abc") is None


@pytest.mark.parametrize(("limit", "found"), [(-1, ["1", "2", "3"]), (0, []), (2, ["1", "2"]), (9, ["1", "2", "3"])])
def test_find_all_stops_at_the_limit(limit: int, found: list[str]) -> None:
    assert matcher.compile("[0-9]").find_all("1a2b3", limit) == found


def test_no_empty_match_behind_another() -> None:
    assert matcher.compile("a*").find_all("baac") == ["", "aa", ""]


def test_expensive_searches_are_reported() -> None:
    with pytest.raises(ResourceLimitError, match="too large to look for it in 1,000,000 bytes"):
        matcher.compile(".{1000}" * 100).search("a" * 1_000_000)


def test_no_match_within_a_character() -> None:
    assert not matcher.compile("\\B").search("a\u00e9a")
    assert matcher.compile("\\B").find_all("\u00e9\u00e9") == ["", "", ""]


def test_the_known_difference() -> None:
    """Go finds "x". Once RE2 does as well, this fails; then remove the difference from the module's docstring."""
    assert matcher.compile("x(?:|ba*)*").find("xba") == "xba"


def test_half_a_surrogate_pair_is_a_replacement_character() -> None:
    assert matcher.compile("^\ufffd.$").find("\ud800x") == "\ufffdx"


def test_patterns_that_go_rejects_have_no_matcher() -> None:
    with pytest.raises(ValueError, match="error parsing regexp: missing closing ]: `\\[`"):
        matcher.compile("[")


def test_a_pattern_of_an_older_go() -> None:
    assert matcher.compile("\\p{Old_Italic}", go=24).search("\U00010300")
    assert matcher.compile("\\PC", go=24).search("\u0378")
    assert not matcher.compile("\\PC").search("\u0378")


def test_large_counts_have_the_memory_they_need() -> None:
    pattern = matcher.compile("^(?:\\pL{500}|[^x]{700}){1}$")
    assert pattern.search("\u00e9" * 700)
    assert not pattern.search("\u00e9" * 699)


def test_patterns_too_large_for_re2_are_reported() -> None:
    with pytest.raises(ResourceLimitError, match="too large for RE2, though not for Go"):
        matcher.compile(".{1000}" * 3_000)


def test_many_large_classes_have_the_memory_they_need() -> None:
    pattern = matcher.compile("(?i)\\pL{1000}" * 9 + "\\b.$")
    assert pattern.search("\u00e9" * 8_999 + "e x\n!" + "\u00e9" * 8_999 + "a!")
    assert not pattern.search("\u00e9" * 8_999 + "!")
    assert not pattern.search("\u00e9" * 9_000 + "!")


def test_matches_in_a_small_alphabet_are_returned_in_original_letters() -> None:
    pattern = matcher.compile("\\pL{2}(?m:$)(?:[^\\pL]{1000}\\pL{1000})?")
    assert pattern.find("1\u00e9\u00c92\ud800\u00dfx\n!") == "\u00dfx"
