from __future__ import annotations

import pytest

from protoc_gen_crd.base.suggestions import find_misspelled, find_nearest, find_nearest_path, suggest
from protoc_gen_crd.findings.finding import MAX_SUGGESTION_SEARCHES, Problems

MANY = [f"field{number}" for number in range(10_000)]


@pytest.mark.parametrize(
    ("name", "known", "expected"),
    [
        ("maxItmes", ["maxItems", "minItems"], "maxItems"),
        ("MAXITEMS", ["maxItems", "minItems"], "maxItems"),
        ("ab", ["ac", "aa"], None),
        ("abcd", ["abcx", "abcy"], "abcy"),
        ("zzz", ["maxItems"], None),
        ("", ["a"], None),
        ("filed9876", MANY, "field9876"),
        ("Field98766", MANY, "field8766"),
        ("fild9876", MANY, "field9876"),
        ("fielb9876", MANY, "field9876"),
        ("fuelt9876", MANY, None),
        ("x" * 1_000_000, MANY, None),
    ],
)
def test_the_nearest_name(name: str, known: list[str], expected: str | None) -> None:
    assert find_nearest(name, known) == expected
    assert find_nearest(name, reversed(known)) == expected


def test_a_suggestion_is_a_sentence_or_nothing() -> None:
    assert (suggest("maxItmes", ["maxItems"]), suggest("zzz", ["maxItems"])) == ('did you mean "maxItems"?', "")


def test_a_run_does_not_search_for_ever() -> None:
    problems = Problems()
    hints = [problems.suggest("ab1", ["abc"]) for _ in range(MAX_SUGGESTION_SEARCHES + 1)]
    assert (hints[-2], hints[-1]) == ('did you mean "abc"?', "")


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("a.v1.Gadgt", "a.v1.Gadget"),
        ("a.v2.Gadget", "a.v1.Gadget"),
        ("a.v1.Gadget.More", "a.v1.Gadget"),
        ("b.v1.Gadget", "a.v1.Gadget"),
        ("a.v1.M", None),
        ("a.v1.Nothing", None),
    ],
)
def test_a_shared_namespace_makes_no_name_near(name: str, found: str | None) -> None:
    assert find_nearest_path(name, ["a.v1.Gadget", "a.v1.Inner"], ".") == found


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("db.acme.io", "db.acme.io"),
        ("db.amce.io", "db.acme.io"),  # two characters in the wrong order are one typo
        ("bd.amce.io", "db.acme.io"),
        ("d.acme.oi", "db.acme.io"),
        ("db.acme.i", "db.acme.io"),
        ("dbb.acme.ioo", "db.acme.io"),
        ("xb.acme.ix", "db.acme.io"),
        ("bd.amce.oi", None),
        ("db.acme", None),
        ("dbb.acme.iooo", None),
        ("net.acme.oi", "net.acme.io"),
        ("x" * 1_000_000, None),
        ("", None),
    ],
)
def test_a_name_within_two_typos(name: str, expected: str | None) -> None:
    assert find_misspelled(name, ["net.acme.io", "db.acme.io"], 2) == expected
