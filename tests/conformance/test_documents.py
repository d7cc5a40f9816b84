"""Every document of testdata/validate has the verdict of Kubernetes' own code, including its messages.

The reports next to them are generated from these answers.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache
from typing import Any

import pytest

from tests.support.documents import ANSWERS, Judged, judged

ROWS = [json.loads(line) for line in ANSWERS.read_text("utf-8").splitlines()]


@cache
def documents(minor: int) -> dict[str, Judged]:
    return {document.place: document for document in judged(minor)}


def ours(document: Judged, minor: int) -> dict[str, Sequence[str]]:
    definition = document.session.definitions.find(document.case)
    expected = document.case.expectation
    assert definition
    (answer,) = definition.validate(document.case.object, expected.old, [minor], status=expected.status)
    return {
        "errors": sorted(cause.message for cause in answer.causes),
        "warnings": sorted(cause.message for cause in answer.warnings),
        "strict": sorted(cause.message for cause in answer.unknown_fields),
    }


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row['place']}-1.{row['minor']}")
def test_an_answer_is_that_of_kubernetes(row: dict[str, Any]) -> None:
    document = documents(row["minor"])[row["place"]]
    if "failed" in row:
        outcome = document.session.validate_case(document.case)
        assert [finding.rule for finding in outcome.findings] == ["document-version"]
        return
    others = [row[key] for key in ("decode", "status") if row.get(key)]
    theirs = {"errors": sorted([*row.get("errors", ()), *others])}
    theirs |= {key: sorted(row.get(key, ())) for key in ("warnings", "strict")}
    assert ours(document, row["minor"]) == theirs


@pytest.mark.parametrize("minor", sorted({row["minor"] for row in ROWS}))
def test_every_document_has_an_answer(minor: int) -> None:
    assert sorted(documents(minor)) == sorted(row["place"] for row in ROWS if row["minor"] == minor)
