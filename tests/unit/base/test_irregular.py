"""Irregular plurals: the table agrees with an English-plural library, which the tool itself does without."""

from __future__ import annotations

import pytest

from protoc_gen_crd.base.irregular import english, irregular
from protoc_gen_crd.base.kubenames import plural
from tests.conftest import ROOT

NOUNS = (ROOT / "testdata" / "plurals" / "nouns.txt").read_text().split()
MISTAKEN = {  # word -> why the library is not followed
    "german": "the library says germen",
    "roman": "the library says romen",
    "thief": "the library says thiefs",
}
LOOK_LIKE_PLURALS = ("Analytics", "DNS", "Endpoints", "Settings", "TLS")  # the library adds another s


@pytest.fixture(scope="module")
def library() -> dict[str, str]:
    """The plurals by noun."""
    engine = pytest.importorskip("inflect", reason="the library is part of the development extras").engine()
    return {noun: engine.plural_noun(noun) for noun in NOUNS}


def test_the_library_disagrees_exactly_where_the_table_says_so(library: dict[str, str]) -> None:
    differ = [noun for noun in NOUNS if (library[noun] != plural(noun)) != irregular(noun)]
    assert differ == sorted(MISTAKEN)


def test_the_plurals_of_the_table_are_those_of_the_library(library: dict[str, str]) -> None:
    differ = [noun for noun in NOUNS if (known := english(noun)) and known != library[noun]]
    assert differ == ["thief"]


def test_every_word_of_the_table_is_tried() -> None:
    from protoc_gen_crd.base import irregular as module

    assert sorted(module._IRREGULAR.keys() - set(NOUNS)) == []
    assert sorted(module._NO_FAMILY & set(NOUNS)) != []


@pytest.mark.parametrize("kind", LOOK_LIKE_PLURALS)
def test_a_kind_that_looks_like_a_plural_needs_one(kind: str) -> None:
    assert irregular(kind)
    assert english(kind) is None


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        ("TrafficChild", "trafficchildren"),
        ("SalesPerson", "salespeople"),
        ("PolicyAnalysis", "policyanalyses"),
        ("HTTPRoute", None),
        ("ServiceStatus", None),
        ("Route53", None),
        ("S", None),
        ("", None),
    ],
)
def test_the_last_word_of_a_kind_counts(kind: str, expected: str | None) -> None:
    assert english(kind) == expected
