"""Integers beyond all floats, in place of each number in the objects of testdata/conversion: an error or a copy."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import pytest

from protoc_gen_crd.conversion.runtime.runtime import ConversionError
from tests.support.conversion import Case, cases

HUGE = 10**400


def replace_numbers(value: Any) -> Iterator[Any]:
    """Yield copies of a value in which one number is huge."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        yield from (HUGE, -HUGE)
    for key in value if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ():
        for replaced in replace_numbers(value[key]):
            changed = copy.copy(value)
            changed[key] = replaced
            yield changed


@pytest.mark.parametrize("case", [case for case in cases() if case.is_sound], ids=lambda case: case.name)
def test_numbers_out_of_range(case: Case) -> None:
    for source, target, _ in case.conversions():
        version = target["apiVersion"].rpartition("/")[2]
        for changed in replace_numbers(source):
            with suppress(ConversionError):  # any other exception fails
                assert case.convert(changed, version)["apiVersion"] == target["apiVersion"]
