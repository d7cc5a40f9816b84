from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from itertools import permutations
from pathlib import Path

import pytest

from protoc_gen_crd.yaml import writer
from protoc_gen_crd.yaml.writer import Memo, dump, dump_document
from tests.conftest import shared
from tests.judges.yaml.values import TESTDATA, values
from tests.support.yaml_data import load_yaml_stream

ROOT = Path(__file__).parents[3]
RECORDED = TESTDATA / "recorded.jsonl"


def differing(rows: Iterable[str]) -> list[tuple[object, str, str]]:
    """Return the value, the recorded output and our output of each row that differs."""
    read = [(row["value"], row["text"], dump(row["value"])) for row in map(json.loads, rows)]
    return [row for row in read if row[1] != row[2]]


def strings_in(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, item in value.items():
            yield key
            yield from strings_in(item)
    elif isinstance(value, list):
        for item in value:
            yield from strings_in(item)


def test_recorded_values_are_printed_as_kubernetes_prints_them() -> None:
    rows = RECORDED.read_text().splitlines()
    assert len(rows) > 1000
    assert differing(rows) == []


@pytest.mark.parametrize("text", ["a: no\n", 'a: "no"', 'a: "no" \n', "a: 'no'\n"])
def test_a_wrong_row_is_found(text: str) -> None:
    assert differing([json.dumps({"value": {"a": "no"}, "text": text})]) == [({"a": "no"}, text, 'a: "no"\n')]


def test_the_corpus_is_printed_as_it_was() -> None:
    header, expected = shared("corpora", "istio-networking", "expected.yaml").read_text().split("\n", 1)
    documents = [dump(document) for document in load_yaml_stream(expected)]
    # The corpus was edited after it was printed, in this one place.
    printed = "---\n".join(documents).replace("helm.sh/resource-policy: keep", '"helm.sh/resource-policy": keep')
    assert header.startswith("#")
    assert printed == expected


def test_everyday_strings_are_plain_by_all_the_rules() -> None:
    drawn = {text for value in values(seed=2, count=4000) for text in strings_in(value)}
    everyday = sorted(filter(writer._is_simple, drawn))
    assert len(everyday) > 1000
    assert [text for text in everyday if writer._choose_style(text) != ("", text)] == []


@pytest.mark.parametrize("length", range(70, 90))
def test_short_strings_stay_on_their_line_as_long_as_long_ones(length: int) -> None:
    text = "x" * (length - 2) + " y"
    assert dump({"k": text}) == "k: " + writer._format_styled("", text, 2, 3)


def test_an_indented_document_is_the_one_inside_another() -> None:
    for value in values(seed=3, count=500):
        if isinstance(value, dict) and value:
            assert dump({"a": {"b": value}}) == "a:\n  b:\n" + dump(value, indent=4)
        elif isinstance(value, list) and value:
            assert dump({"a": {"b": value}}) == "a:\n  b:\n" + dump(value, indent=2)
        elif not isinstance(value, str):
            assert dump(value, indent=2) == "  " + dump(value)


def test_an_indented_string_folds_at_the_same_column() -> None:
    assert dump("x" * 76 + " y z", indent=2) == "  " + "x" * 76 + " y z\n"
    assert dump("x" * 78 + " y z", indent=3) == "   " + "x" * 78 + "\n     y z\n"


def mappings(value: object) -> Iterator[object]:
    if isinstance(value, dict):
        yield value
    if isinstance(value, dict | list):
        for child in value.values() if isinstance(value, dict) else value:
            yield from mappings(child)


def test_output_with_a_memo_is_the_same() -> None:
    kept = list(values(seed=4, count=1500))
    memo = Memo({id(mapping) for mapping in mappings(kept)})
    for value in [kept, *kept, kept]:
        assert dump(value, memo=memo) == dump(value)
        assert dump([value], indent=2, memo=memo) == dump([value], indent=2)
    assert len(memo) > 100


def test_a_mapping_in_the_memo_is_not_formatted_again() -> None:
    shared = dict.fromkeys("abcdef", "text")
    memo = Memo({id(shared)})
    once = dump({"one": shared, "two": [shared]}, memo=memo)
    assert memo[id(shared), 2] == dump(shared, indent=2)[2:]
    memo[id(shared), 2] = "known\n"
    assert dump({"one": shared, "two": [shared]}, memo=memo) == "one:\n  known\ntwo:\n- known\n" != once


def test_surrogates_are_joined_where_they_pair_and_replaced_where_not() -> None:
    apart, joined = chr(0xD83D) + chr(0xDE00), "\U0001f600"
    assert dump({apart: apart, "\uffee": 1}) == dump({joined: joined, "\uffee": 1})
    assert dump({"\udc00": "a\ud800"}) == "\ufffd: a\ufffd\n"


def test_a_tuple_is_a_list() -> None:
    assert dump({"a": (1, ("b", ()))}) == dump({"a": [1, ["b", []]]})


def test_keys_without_an_order_in_go_yaml_have_one() -> None:
    outputs = {dump(dict.fromkeys(keys)) for keys in permutations(["v2", "v10", "v1a", "v1b", "w"])}
    assert len(outputs) == 1


@pytest.mark.parametrize("value", [{1: "a"}, {"a": 1, None: 2}, {True: 1}])
def test_keys_that_are_no_strings_are_rejected(value: dict[object, object]) -> None:
    with pytest.raises(TypeError, match=r"str keys expected, found (int|NoneType|bool)"):
        dump(value)


@pytest.mark.parametrize("value", [b"a", {"a", "b"}, object(), [1j], {"a": type("Text", (str,), {})("a")}])
def test_values_that_are_no_plain_data_are_rejected(value: object) -> None:
    with pytest.raises(TypeError, match=r"plain data expected, found (bytes|set|object|complex|Text)"):
        dump(value)


@pytest.mark.parametrize("value", [float("nan"), float("inf"), [float("-inf")]])
def test_floats_that_json_does_not_have_are_rejected(value: object) -> None:
    with pytest.raises(ValueError, match=r"JSON has no number (nan|inf|-inf)"):
        dump(value)


def test_the_merge_key_has_quotes_in_documents() -> None:
    document = {"<<": {"<<": "<<"}, "list": [{"<<": 1}]}
    assert dump_document(document) == '"<<":\n  "<<": <<\nlist:\n- "<<": 1\n'
    assert dump_document(document, indent=2).startswith('  "<<":')
    assert dump(document).startswith("<<:")
