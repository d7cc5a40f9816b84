"""The days and releases that a deprecation policy gives. The terms of alpha and beta are those of Kubernetes."""

from __future__ import annotations

import pytest

from protoc_gen_crd.kubernetes.deprecation_policy import DeprecationPolicy, Removal, Term

RELEASES = [("1.0", "2026-01-31"), ("1.1", "2026-03-31"), ("1.5", "2026-06-01"), ("2.0", "2026-07-01")]
TERMS = DeprecationPolicy(RELEASES, {"preview": Term(1, 1)}, ("stable", "preview", "extended"))


@pytest.mark.parametrize(
    ("announced", "version", "channel", "release", "date"),
    [
        ("1.0", "v1", "", "2.0", "2027-01-31"),
        ("1.1", "v1", "stable", "2.1", "2027-03-31"),
        ("2.0", "v2", "", "2.3", "2027-07-01"),
        ("1.0", "v1beta1", "", "2.0", "2026-10-31"),
        ("1.5", "v2beta3", "unknown", "", ""),
        ("1.0", "v1alpha1", "", "", ""),
        ("1.0", "stable", "", "2.0", "2027-01-31"),
        ("1.0", "v1", "extended", "", ""),
        ("1.0", "v1", "preview", "1.1", "2026-02-28"),
        ("1.1", "v1beta1", "preview", "1.5", "2026-04-30"),
        ("1.1", "v1alpha1", "preview", "", ""),
    ],
)
def test_the_earliest_removal(announced: str, version: str, channel: str, release: str, date: str) -> None:
    assert TERMS.find_earliest_removal(announced, version, channel) == Removal(release, date)


def test_a_leap_day_has_no_anniversary() -> None:
    assert DeprecationPolicy([("1.0", "2028-02-29")], {"stable": Term(12, 0)}, ()).find_earliest_removal(
        "1.0", "v1"
    ) == Removal("", "2029-02-28")


@pytest.mark.parametrize(
    ("day", "term", "removal"),
    [
        ("9999-12-31", Term(12, 3), Removal("1.3", "9999-12-31")),
        ("2026-01-31", Term(2**32 - 1, 0), Removal("", "9999-12-31")),
        ("2026-01-31", Term(0, 2**32 - 1), Removal("1.999999999", "")),
    ],
)
def test_no_period_ends_after_the_last_release_and_day(day: str, term: Term, removal: Removal) -> None:
    terms = DeprecationPolicy([("1.0", day)], {"stable": term}, ())
    assert terms.find_earliest_removal("1.0", "v1") == removal


@pytest.mark.parametrize(
    ("removal", "words"),
    [
        (Removal("1.4", "2027-01-01"), "in 1.4 or later, but not before 2027-01-01"),
        (Removal("1.4"), "in 1.4 or later"),
        (Removal("", "2027-01-01"), "on or after 2027-01-01"),
        (Removal(), "at any time"),
    ],
)
def test_a_removal_in_words(removal: Removal, words: str) -> None:
    assert str(removal) == words


def test_a_term_in_words() -> None:
    assert [str(Term(12, 3)), str(Term(1, 0)), str(Term(0, 1))] == ["12 months and 3 releases", "1 month", "1 release"]


def test_an_element_has_the_period_of_the_nearest_element_around_it() -> None:
    kind = "acme.example/Widget"
    terms = DeprecationPolicy(RELEASES, {kind: Term(1, 0), f"{kind}.v1.spec.color": Term(0, 1)}, ("stable",))
    elements = {
        f"{kind}.v1.spec.color": Term(0, 1),
        f"{kind}.v1.spec.color.red": Term(0, 1),
        f"{kind}.v1.spec.colors": Term(1, 0),
        kind: Term(1, 0),
        "acme.example/WidgetSet.v1": Term(12, 3),
        "": Term(12, 3),
    }
    assert {element: terms.find_term("v1", "", element) for element in elements} == elements
    assert terms.find_term("v1alpha1", "extended", f"{kind}.v1alpha1") == Term(1, 0)
