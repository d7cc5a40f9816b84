"""Irregular plurals: the table agrees with an English-plural library, which the tool itself does without."""

from __future__ import annotations

import pytest

from protoc_gen_crd.kubernetes.irregular_plurals import find_english_plural, is_irregular
from protoc_gen_crd.kubernetes.plurals import make_plural
from tests.conftest import ROOT

NOUNS = (ROOT / "testdata" / "plurals" / "nouns.txt").read_text().split()
MISTAKEN = {  # words of which the library is not followed, by what it gets wrong
    "germen and romen": "german roman",
    "thiefs": "thief",
    "-es after a -ch that is spoken as k": "biotech epoch hierarch loch mach matriarch monarch oligarch tech triptych",
    "-s after what cannot be counted": """
        advice cattle data evidence feedback hardware homework knowledge media metadata multimedia police software
        traffic userdata weather
    """,
    "-s after what is a plural": "criteria people",
    "childs": "grandchild",
    "nothing, but a word in -z is always asked for": "topaz",
}
MISTAKES = sorted(word for words in MISTAKEN.values() for word in words.split())
LOOK_LIKE_PLURALS = ("Analytics", "DNS", "Endpoints", "People", "Schemas", "Settings", "TLS")  # the library adds an s


@pytest.fixture(scope="module")
def library() -> dict[str, str]:
    """The plurals by noun."""
    engine = pytest.importorskip("inflect", reason="inflect is missing: pip install --editable .[dev]").engine()
    return {noun: engine.plural_noun(noun) for noun in NOUNS}


def test_the_library_disagrees_exactly_where_the_table_has_a_difference(library: dict[str, str]) -> None:
    differ = [noun for noun in NOUNS if (library[noun] != make_plural(noun)) != is_irregular(noun)]
    assert differ == MISTAKES


def test_the_plurals_of_the_table_are_those_of_the_library(library: dict[str, str]) -> None:
    differ = [noun for noun in NOUNS if (known := find_english_plural(noun)) and known != library[noun]]
    assert sorted(set(differ) - set(MISTAKES)) == []


def test_every_word_of_the_table_is_tried() -> None:
    from protoc_gen_crd.kubernetes import irregular_plurals as module

    words = module._IRREGULAR.keys() | module._SINGULARS | set(module._OS)
    assert sorted(words - set(NOUNS)) == []
    assert sorted(module._NO_FAMILY & set(NOUNS)) != []


@pytest.mark.parametrize("kind", LOOK_LIKE_PLURALS)
def test_a_kind_that_looks_like_a_plural_needs_one(kind: str) -> None:
    assert is_irregular(kind)
    assert find_english_plural(kind) is None


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        ("TrafficChild", "trafficchildren"),
        ("SalesPerson", "salespeople"),
        ("PolicyAnalysis", "policyanalyses"),
        ("HttpEpoch", "httpepochs"),
        ("ClusterMetadata", "clustermetadata"),
        ("MetadataCluster", None),
        ("HTTPRoute", None),
        ("ServiceStatus", None),
        ("Route53", None),
        ("S", None),
        ("", None),
    ],
)
def test_the_last_word_of_a_kind_counts(kind: str, expected: str | None) -> None:
    assert find_english_plural(kind) == expected
