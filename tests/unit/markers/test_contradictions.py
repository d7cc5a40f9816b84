"""Which values that are listed no server would take."""

from __future__ import annotations

import pytest

from protoc_gen_crd.base.diagnostics import Location
from protoc_gen_crd.markers.contradictions import check_schema
from protoc_gen_crd.markers.declared import SCHEMA
from protoc_gen_crd.markers.marker import Marker
from protoc_gen_crd.schema.types import Schema


@pytest.mark.parametrize(
    ("values", "step", "refused"),
    [
        ([5, 6], 5, "6"),
        ([5, 10, 0, -5], 5, ""),
        ([0.3, 0.7, 1e6], 0.1, ""),  # 0.3 is no exact multiple of 0.1, and servers take it
        ([0.35], 0.1, "0.35"),
        ([1.5, 2], 0.5, ""),
        ([2.5], 2, "2.5"),
        ([9007199254740993, 10**300], 2, ""),  # too large to tell
        ([1], 5e-324, ""),
        ([1], 0, ""),  # another finding's
    ],
)
def test_multiples(values: list[float], step: float, refused: str) -> None:
    found: list[str] = []
    schema = Schema({"type": "number", "enum": values, "multipleOf": step})
    marker = Marker(SCHEMA["multiple_of"], (), step, "+protoc-gen-crd:multiple_of", Location("a.proto"), "a")
    check_schema(schema, [marker], lambda rule, message, *_: found.append(f"{rule}: {message}"))
    expected = f'marker-contradiction: values listed must keep "multiple_of", found {refused} and {step}'
    assert found == ([expected] if refused else [])
