"""Cutting descriptions, against what controller-gen was recorded to do."""

from __future__ import annotations

import json

import pytest

from protoc_gen_crd.generation.descriptions import truncate
from tests.judges.descriptions.record import RECORDED, questions

ANSWERS = [json.loads(line) for line in RECORDED.read_text().rstrip("\n").split("\n")]
HALF = "\ufffd"  # what is left of a character that controller-gen cuts apart


def test_all_is_recorded() -> None:
    assert [{"text": one["text"], "limit": one["limit"]} for one in ANSWERS] == list(questions())


@pytest.mark.parametrize("answer", ANSWERS, ids=lambda one: f"{one['text'][:12]!a} {one['limit']}")
def test_is_cut_as_controller_gen_does(answer: dict[str, str]) -> None:
    found = truncate(answer["text"], int(answer["limit"]))
    if HALF not in answer["cut"]:
        assert found == answer["cut"]
        return
    before, after = answer["cut"].split(HALF)[0], answer["cut"].rpartition(HALF)[2]
    assert found.startswith(before)
    assert found.endswith(after)
    assert answer["text"].startswith(found.removesuffix(after))
    assert len(found.removesuffix(after)) <= len(before) + 1
