"""Values with their Go type, for error messages that show more than plain JSON data."""

from __future__ import annotations

from typing import Any

from protoc_gen_crd.base.record import Record


class GoTypedValue(Record):
    """A value with its Go type, such as `*string`, `[]string` or `apiextensions.ValidationRule`."""

    type: str
    value: Any
