from __future__ import annotations

import re

import pytest

from protoc_gen_crd.base.versions import VersionRange, age_key, minors_of, parse_version, priority_key, worded


@pytest.mark.parametrize(
    ("name", "parsed"),
    [
        ("v1", (1, 2, 0)),
        ("v2alpha10", (2, 0, 10)),
        ("v1beta1", (1, 1, 1)),
        ("v0", (0, 2, 0)),
        ("v010", (10, 2, 0)),
        ("v0alpha1", (0, 0, 1)),
        ("v1beta00", (1, 1, 0)),
        (f"v{'0' * 5000}1", (1, 2, 0)),
        ("v", None),
        ("valpha1", None),
        ("v\u0661", None),
        ("v1gamma1", None),
        ("v1beta", None),
        ("V1", None),
        ("v9223372036854775807", (2**63 - 1, 2, 0)),
        ("v9223372036854775808", None),
        ("v1beta9223372036854775808", None),
        (f"v{'9' * 5000}", None),
    ],
)
def test_names_that_kubernetes_reads_as_versions(name: str, parsed: tuple[int, int, int] | None) -> None:
    assert parse_version(name) == parsed


def test_the_two_orders() -> None:
    names = ["foo1", "v10", "v2", "v11beta2", "v10beta3", "v3beta1", "v12alpha1", "v11alpha2", "v1", "foo10"]
    assert sorted(names, key=priority_key) == [
        "v10", "v2", "v1", "v11beta2", "v10beta3", "v3beta1", "v12alpha1", "v11alpha2", "foo1", "foo10",
    ]  # fmt: skip
    assert sorted(["v1", "v2alpha1", "v1beta1", "v1alpha1"], key=age_key) == ["v1alpha1", "v1beta1", "v1", "v2alpha1"]


def test_numbers_of_zeros() -> None:
    """As CompareKubeAwareVersionStrings of apimachinery v0.37.2 sorts them; v01 is v1 to it."""
    names = ["v1", "v01", "v0", "v1beta1", "v1beta01", "v1beta0", "v2alpha1", "v1alpha0", "v0alpha1", "bar1", "foo"]
    assert sorted(sorted(names), key=priority_key) == names
    assert sorted(names, key=age_key)[:5] == ["v0alpha1", "v0", "v1alpha0", "v1beta0", "v1beta1"]


def test_versions_of_kubernetes() -> None:
    assert minors_of("1.28..1.30") == range(28, 31)
    assert (minors_of("1.28"), minors_of("")) == (range(28, 29), range(37, 38))
    assert worded((25, 26, 27, 29, 31, 32)) == "1.25 to 1.27 and 1.29 and 1.31 to 1.32"
    assert (minors_of("1.35.."), minors_of("..1.26")) == (range(35, 38), range(25, 27))


@pytest.mark.parametrize(
    ("text", "inside", "outside"),
    [
        ("v1beta1..v1", "v1beta1 v1beta2 v1", "v1alpha1 v2alpha1 v2"),
        ("v1..", "v1 v2alpha1 v10 preview", "v1beta1"),
        ("..v2alpha1", "v1alpha1 v1 v2alpha1", "v2alpha2 v2beta1 v2 preview"),
        ("v1", "v1", "v1beta1 v2alpha1"),
        ("1.4..1.10", "1.4 1.9 1.10", "1.3 1.11 2.0"),
        ("1.4", "1.4", "1.5"),
    ],
)
def test_ranges(text: str, inside: str, outside: str) -> None:
    found = VersionRange.parse(text)
    assert str(found) == text
    assert [name for name in f"{inside} {outside}".split() if found.contains(name)] == inside.split()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "name a version"),
        ("v1..v1beta1", 'none in "v1..v1beta1"'),
        ("1.10..1.9", "must hold a version"),
        ("v1..1.4", "both"),
        ("V1", 'found "V1"'),
        ("v1...v2", 'found ".v2"'),
        ("1.04", 'found "1.04"'),
    ],
)
def test_what_is_no_range(text: str, said: str) -> None:
    with pytest.raises(ValueError, match=re.escape(said)):
        VersionRange.parse(text)


def test_the_two_orders_are_never_mixed() -> None:
    with pytest.raises(ValueError, match="no order"):
        VersionRange.parse("v1..").contains("1.4")
    assert all(name in VersionRange() for name in ("v1", "1.4"))
