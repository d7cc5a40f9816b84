"""Validation of declared values against the schema of a field, without CEL rules."""

from __future__ import annotations

from typing import Any

from protoc_gen_crd.admission.objects.value_validator import ValueValidator
from protoc_gen_crd.kubernetes.shared_results import Switches
from protoc_gen_crd.kubernetes.supported_versions import NEWEST
from protoc_gen_crd.schema.schema import Schema


def find_rejection(schema: Schema, value: Any) -> str:
    """Return the error message of API servers for a value of a field; empty if it is valid."""
    errors = ValueValidator(Switches.from_minor(NEWEST)).validate_value(schema, value, "")
    return next((" ".join(error.detail.split()).removeprefix("in body ") or error.type for error in errors), "")
