"""The recorded answers of API servers to objects of CRDs, created and updated."""

from __future__ import annotations

from typing import Any

from protoc_gen_crd.yaml.reader import read
from tests.conformance import tables
from tests.conformance.tables import Row


def recorded() -> list[int]:
    """Return the minor versions with recorded answers, oldest first."""
    return tables.recorded("create")


def table(minor: int) -> list[Row]:
    """Return all rows of a version."""
    return [*tables.table("create", minor), *tables.table("update", minor)]


def given(row: Row, member: str) -> Any:
    """Return the body of a probe, which may be data, the bytes of JSON, or YAML."""
    if f"{member}_json" in row.input:
        return row.input[f"{member}_json"].encode()
    if f"{member}_yaml" in row.input:
        return next(document.value for document in read(row.input[f"{member}_yaml"]) if document.value is not None)
    return row.input.get(member)
