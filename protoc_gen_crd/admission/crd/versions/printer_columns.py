"""Validation of the printer columns of a version or the top: their names, types, formats, and paths.

Source: k8s.io/apiextensions-apiserver pkg/apis/apiextensions/validation validation.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from protoc_gen_crd.admission.crd.versions.internal_version import CrdPart
from protoc_gen_crd.admission.field_errors import (
    INVALID,
    REQUIRED,
    Cause,
)
from protoc_gen_crd.crd.crd import PrinterColumn

COLUMN_TYPES = ("boolean", "date", "integer", "number", "string")
COLUMN_FORMATS = ("byte", "date", "date-time", "double", "float", "int32", "int64", "password")


def validate_columns(part: CrdPart) -> Iterator[Cause]:
    """Validate the printer columns."""
    for index, column in enumerate(part.columns or ()):
        path = f"{part.path}.additionalPrinterColumns[{index}]"
        origin = column.origin or part.version.get_place("additionalPrinterColumns")
        for error in _validate_column(column, path):
            yield error.replace(place=origin)


def _validate_column(column: PrinterColumn, path: str) -> Iterator[Cause]:
    if not column.name:
        yield Cause(REQUIRED, f"{path}.name")
    detail = f"must be one of {','.join(COLUMN_TYPES)}"
    if not column.type:
        yield Cause(REQUIRED, f"{path}.type", detail)
    elif column.type not in COLUMN_TYPES:
        yield Cause(INVALID, f"{path}.type", detail, column.type)
    if column.format and column.format not in COLUMN_FORMATS:
        yield Cause(INVALID, f"{path}.format", f"must be one of {','.join(COLUMN_FORMATS)}", column.format)
    if not column.json_path:
        yield Cause(REQUIRED, f"{path}.JSONPath")
    elif not column.json_path.startswith("."):
        reason = "must be a simple json path starting with ."
        yield Cause(INVALID, f"{path}.JSONPath", reason, column.json_path)
