"""Listed values that violate other markers."""

from __future__ import annotations

import pytest

from protoc_gen_crd.findings.finding import Location
from protoc_gen_crd.markers.contradictions import check_schema
from protoc_gen_crd.markers.marker import Marker
from protoc_gen_crd.markers.option_declarations import SCHEMA
from protoc_gen_crd.schema.schema import Schema


@pytest.mark.parametrize(
    ("values", "step", "rejected"),
    [
        ([5, 6], 5, "6"),
        ([5, 10, 0, -5], 5, ""),
        ([0.3, 0.7, 1e6], 0.1, ""),  # 0.3 is no exact multiple of 0.1, and servers accept it
        ([0.35], 0.1, "0.35"),
        ([1.5, 2], 0.5, ""),
        ([2.5], 2, "2.5"),
        ([9007199254740993, 10**300], 2, ""),  # too large to decide
        ([1], 5e-324, ""),
        ([1], 0, ""),  # reported elsewhere
    ],
)
def test_multiples(values: list[float], step: float, rejected: str) -> None:
    messages: list[str] = []
    schema = Schema({"type": "number", "enum": values, "multipleOf": step})
    marker = Marker(SCHEMA["multiple_of"], (), step, "+protoc-gen-crd:multiple_of", Location("a.proto"), "a")
    check_schema(schema, [marker], lambda rule, message, *_: messages.append(f"{rule}: {message}"))
    expected = f'marker-contradiction: listed value {rejected} violates "multiple_of" {step}'
    assert messages == ([expected] if rejected else [])
