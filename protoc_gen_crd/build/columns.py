"""Columns of `kubectl get` that show a field which other versions of the kind have, and theirs does not."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from protoc_gen_crd.base.diagnostics import Problems
from protoc_gen_crd.crd.types import Crd, PrinterColumn, Version

_SIMPLE = re.compile(r"(\.[A-Za-z_][A-Za-z0-9_-]*)+")


def check_columns(crds: Iterable[Crd], problems: Problems) -> None:
    """Report the columns that stay empty in a version. A path with lists or filters is not followed."""
    for crd in crds:
        for version in crd.versions if len(crd.versions) > 1 else ():
            for column in version.columns:
                if not _SIMPLE.fullmatch(column.json_path) or _has(version, column.json_path):
                    continue
                others = [other.name for other in crd.versions if _has(other, column.json_path)]
                if others:
                    _report(crd, version, column, others, problems)


def _has(version: Version, path: str) -> bool:
    """Whether a version has a field of this path, or may have it where no schema tells."""
    schema = version.schema
    for name in path.split(".")[1:]:
        if schema is None or not schema.properties:
            return True
        if name not in schema.properties:
            return False
        schema = schema.properties[name]
    return True


def _report(crd: Crd, version: Version, column: PrinterColumn, others: Sequence[str], problems: Problems) -> None:
    at = column.origin or version.place("additionalPrinterColumns") or crd.origin
    problem = (
        f'a column should show a field of its version, found "{column.json_path}" in {version.name}, which is there in '
        f"{', '.join(others)} only"
    )
    owner = (at.owner() if at else "") or crd.name
    problems.report("version-column", problem, at, path=owner, hint="give the column the range of the field")
