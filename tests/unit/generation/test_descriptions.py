"""Truncated descriptions are compared with recorded results of controller-gen."""

from __future__ import annotations

import json

import pytest

from protoc_gen_crd.generation.descriptions import truncate
from tests.judges.descriptions.record import RECORDED, questions

ANSWERS = [json.loads(line) for line in RECORDED.read_text().rstrip("\n").split("\n")]
HALF = "\ufffd"  # the rest of a character that controller-gen divides


def test_all_cases_are_recorded() -> None:
    assert [{"text": answer["text"], "limit": answer["limit"]} for answer in ANSWERS] == list(questions())


@pytest.mark.parametrize("answer", ANSWERS, ids=lambda answer: f"{answer['text'][:12]!a} {answer['limit']}")
def test_descriptions_are_truncated_as_by_controller_gen(answer: dict[str, str]) -> None:
    description = truncate(answer["text"], int(answer["limit"]))
    if HALF not in answer["cut"]:
        assert description == answer["cut"]
        return
    before, after = answer["cut"].split(HALF)[0], answer["cut"].rpartition(HALF)[2]
    assert description.startswith(before)
    assert description.endswith(after)
    assert answer["text"].startswith(description.removesuffix(after))
    assert len(description.removesuffix(after)) <= len(before) + 1
