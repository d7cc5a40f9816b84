from __future__ import annotations

import re

import pytest

from protoc_gen_crd.kubernetes.api_version_order import get_age_key, get_priority_key, parse_version
from protoc_gen_crd.kubernetes.supported_versions import (
    find_nearest_kubernetes,
    format_minors,
    normalize_kubernetes,
    parse_minors,
)
from protoc_gen_crd.kubernetes.version_phrases import format_ranges, format_versions
from protoc_gen_crd.kubernetes.version_ranges import VersionRange


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
    assert sorted(names, key=get_priority_key) == [
        "v10", "v2", "v1", "v11beta2", "v10beta3", "v3beta1", "v12alpha1", "v11alpha2", "foo1", "foo10",
    ]  # fmt: skip
    assert sorted(["v1", "v2alpha1", "v1beta1", "v1alpha1"], key=get_age_key) == [
        "v1alpha1",
        "v1beta1",
        "v1",
        "v2alpha1",
    ]


def test_numbers_of_zeros() -> None:
    """The order of CompareKubeAwareVersionStrings in apimachinery v0.37.2, for which v01 equals v1."""
    names = ["v1", "v01", "v0", "v1beta1", "v1beta01", "v1beta0", "v2alpha1", "v1alpha0", "v0alpha1", "bar1", "foo"]
    assert sorted(sorted(names), key=get_priority_key) == names
    assert sorted(names, key=get_age_key)[:5] == ["v0alpha1", "v0", "v1alpha0", "v1beta0", "v1beta1"]


def test_versions_of_kubernetes() -> None:
    assert parse_minors("1.28..1.30") == range(28, 31)
    assert (parse_minors("1.28"), parse_minors("")) == (range(28, 29), range(37, 38))
    assert format_minors((25, 26, 27, 29, 31, 32)) == "1.25 to 1.27 and 1.29 and 1.31 to 1.32"
    assert (parse_minors("1.35.."), parse_minors("..1.26")) == (range(35, 38), range(25, 27))


@pytest.mark.parametrize(
    ("text", "normalized"),
    [
        ("latest", "1.37"),
        ("v1.30", "1.30"),
        ("1.30.2", "1.30"),
        ("v1.30.2-gke.1042000", "1.30"),
        ("v1.30.2+k3s1", "1.30"),
        ("v1.30.2..latest", "1.30..1.37"),
        ("..latest", "..1.37"),
        ("1.30-1.32", "1.30-1.32"),
        ("1.30.0-1.32.0", "1.30.0-1.32.0"),
        ("1.30.", "1.30."),
    ],
)
def test_spellings_of_kubernetes_versions(text: str, normalized: str) -> None:
    assert normalize_kubernetes(text) == normalized


@pytest.mark.parametrize(
    ("text", "nearest"),
    [
        ("1.20", "1.25"),
        ("v1.99.1", "1.37"),
        ("1.20..1.30", "1.25..1.30"),
        ("1.28..1.40", "1.28..1.37"),
        ("1.31..1.30", "1.30..1.31"),
        ("1.30-1.32", "1.30..1.32"),
        ("1.30...1.32", "1.30..1.32"),
        ("2.3", ""),
        ("newest", ""),
    ],
)
def test_nearest_kubernetes_version(text: str, nearest: str) -> None:
    assert find_nearest_kubernetes(text) == nearest


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
    parsed = VersionRange.parse(text)
    assert str(parsed) == text
    assert [name for name in f"{inside} {outside}".split() if parsed.contains(name)] == inside.split()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "empty version range"),
        ("v1..v1beta1", 'range "v1..v1beta1" is empty'),
        ("1.10..1.9", 'range "1.10..1.9" is empty'),
        ("v1..1.4", "mixes an API version and a release"),
        ("V1", '"V1" is neither'),
        ("v1...v2", '".v2" is neither'),
        ("1.04", '"1.04" is neither'),
    ],
)
def test_invalid_range(text: str, message: str) -> None:
    with pytest.raises(ValueError, match=re.escape(message)):
        VersionRange.parse(text)


def test_the_two_orders_are_never_mixed() -> None:
    with pytest.raises(ValueError, match="cannot compare"):
        VersionRange.parse("v1..").contains("1.4")
    assert all(name in VersionRange() for name in ("v1", "1.4"))


@pytest.mark.parametrize(
    ("names", "phrase"),
    [
        ("v9", "v9"),
        ("v9 v8", "v9 and v8"),
        ("v9 v8 v7 v6 v5", "v9, v8, v7, v6 and v5"),
        ("v9 v8 v7 v6 v5 v4", "v4 to v9"),
        ("v9 v7 v6 v5 v3 v2", "v2 to v3, v5 to v7 and v9"),
        ("v2 v9 v7 v6 v5 v3", "v2 to v3, v5 to v7 and v9"),
        ("v19 v17 v15 v13 v11 v9 v8", "v8 to v9, v11, v13, v15, v17 and 1 more"),
        ("v10 v2 v1 v1beta2 v1beta1 v1alpha1", "v1alpha1 to v2 and v10"),
    ],
)
def test_many_versions_are_listed_as_runs(names: str, phrase: str) -> None:
    all_names = [*(f"v{number}" for number in range(19, 0, -1)), "v1beta2", "v1beta1", "v1alpha1"]
    assert format_versions(names.split(), all_names) == phrase


@pytest.mark.parametrize(
    ("ranges", "phrase"),
    [
        ("v1..", "v1 and later"),
        ("..v1beta1", "v1beta1 and earlier"),
        ("v1beta1..v1", "v1beta1 to v1"),
        ("v1", "v1"),
        ("1.4..", "release 1.4 and later"),
        ("v1.. ..v2", "v1 and later, and only in v2 and earlier"),
    ],
)
def test_ranges_are_phrases(ranges: str, phrase: str) -> None:
    assert format_ranges(map(VersionRange.parse, ranges.split())) == phrase
