"""Verdicts for a range of versions are equal to the verdicts for each of its versions.

Other tests compare the verdicts for the range of all versions with recorded ones.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

from protoc_gen_crd.kubernetes.supported_versions import NEWEST, OLDEST
from protoc_gen_crd.library import Validator
from tests.conformance.object_verdicts import given, table
from tests.conformance.tables import Row

STRIDE = 32
EVERY = range(OLDEST, NEWEST + 1)


@cache
def validator(crd: str, kubernetes: str) -> Validator | str:
    """Return the validator of the objects of a CRD, or the reason why the CRD is rejected."""
    return _make_validator(_CRDS[crd], kubernetes)


_CRDS: dict[str, Any] = {}


def _make_validator(crd: Any, kubernetes: str) -> Validator | str:
    try:
        return Validator([crd], kubernetes)
    except ValueError as error:
        return str(error)


def verdicts_of(row: Row, kubernetes: str) -> dict[str, Any]:
    """Return the verdicts by version; empty if the range has none."""
    crd = given(row, "crd")
    _CRDS[repr(crd)] = crd
    judge = validator(repr(crd), kubernetes)
    if isinstance(judge, str):
        return {}
    status = row.input.get("subresource") == "status"
    try:
        verdicts = judge.validate(given(row, "obj"), given(row, "old"), status=status)
    except ValueError:
        return {}
    return {version: verdict.replace(minors=()) for verdict in verdicts for version in verdict.kubernetes}


@pytest.mark.parametrize("part", range(4))
def test_a_range_has_the_verdicts_of_its_versions(part: int) -> None:
    for row in table(NEWEST)[part * STRIDE // 4 :: STRIDE]:
        together = verdicts_of(row, f"1.{OLDEST}..1.{NEWEST}")
        for version, verdict in together.items():
            assert verdicts_of(row, version) == {version: verdict}, row
