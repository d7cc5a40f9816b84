"""The recorded answers of API servers to objects of CRDs, created and updated."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

from protoc_gen_crd.admission.switches import NEWEST
from protoc_gen_crd.base.yamlread import read
from tests.conformance.crd_verdicts import FOLDER, Row

FILES = ("create.jsonl", "update.jsonl")


def recorded() -> list[int]:
    """The minor versions of which there are answers, oldest first."""
    return sorted(int(path.parent.name.partition(".")[2]) for path in FOLDER.glob("*/create.jsonl"))


def _lines(minor: int) -> list[dict[str, Any]]:
    texts = [(FOLDER / f"1.{minor}" / name).read_text(encoding="utf-8") for name in FILES]
    return [json.loads(line) for text in texts for line in text.splitlines()]


@cache
def table(minor: int) -> list[Row]:
    """All rows of a version; the files of older versions hold what differs from the next newer one with answers."""
    if minor == NEWEST:
        return [Row(line["id"], line["op"], line["input"], line["answers"]) for line in _lines(minor)]
    changed = {line["id"]: line["answers"] for line in _lines(minor)}
    newer = min(each for each in recorded() if each > minor)
    return [row.replace(answers=changed.get(row.id, row.answers)) for row in table(newer)]


def given(row: Row, member: str) -> Any:
    """A body of a probe, which may be data, the bytes of JSON, or YAML."""
    if f"{member}_json" in row.input:
        return row.input[f"{member}_json"].encode()
    if f"{member}_yaml" in row.input:
        return next(document.value for document in read(row.input[f"{member}_yaml"]) if document.value is not None)
    return row.input.get(member)
