"""The internal version of a CRD: names defaulted, and the parts that all versions share moved to the top.

A schema that all versions share is `spec.validation` in the server's internal version. The same applies to
subresources, printer columns, and selectable fields. Errors have the paths of this form.
Source: k8s.io/apiextensions-apiserver pkg/apis/apiextensions/v1 defaults.go, conversion.go.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.crd.crd import Crd, CrdVersion, Names, PrinterColumn
from protoc_gen_crd.schema.schema import Schema


class CrdPart(Record):
    """The top or one version: fields are None if they were moved to the top or are not set.

    `schema` and `subresources` are the version that has them, since either may be set but empty.
    """

    path: str
    version: CrdVersion
    schema: CrdVersion | None = None
    subresources: CrdVersion | None = None
    columns: tuple[PrinterColumn, ...] | None = None
    selectable_fields: tuple[str, ...] | None = None

    @property
    def openapi(self) -> Schema | None:
        """The schema."""
        return self.schema.schema if self.schema else None


class InternalCrd(Record):
    """A CRD with its defaulted names, the top, and the versions."""

    crd: Crd
    names: Names
    top: CrdPart | None
    versions: tuple[CrdPart, ...]

    @property
    def storage(self) -> str | None:
        """The name of the first version that is marked as the storage version."""
        return next((version.name for version in self.crd.versions if version.storage), None)


def convert_to_internal(crd: Crd) -> InternalCrd:
    """Convert a CRD to the internal version."""
    parts = [_make_part(f"spec.versions[{index}]", version) for index, version in enumerate(crd.versions)]
    if not parts:
        return InternalCrd(crd, _default_names(crd.names), None, ())
    shared = {member for member in _MEMBERS if all(_is_same(parts[0], part, member) for part in parts[1:])}
    top = CrdPart("spec", parts[0].version, **{member: getattr(parts[0], member) for member in shared})
    moved = dict.fromkeys(shared)
    return InternalCrd(crd, _default_names(crd.names), top, tuple(part.replace(**moved) for part in parts))


_MEMBERS = ("schema", "subresources", "columns", "selectable_fields")


def _default_names(names: Names) -> Names:
    singular = names.singular or names.kind.lower()
    list_kind = names.list_kind or (f"{names.kind}List" if names.kind else "")
    return names.replace(singular=singular, list_kind=list_kind)


def _make_part(path: str, version: CrdVersion) -> CrdPart:
    return CrdPart(
        path,
        version,
        schema=version if version.schema is not None or "schema" in version.explicit_empty else None,
        subresources=version if version.status or version.scale or "subresources" in version.explicit_empty else None,
        columns=version.columns if version.columns or "additionalPrinterColumns" in version.explicit_empty else None,
        selectable_fields=version.selectable_fields
        if version.selectable_fields or "selectableFields" in version.explicit_empty
        else None,
    )


def _is_same(first: CrdPart, second: CrdPart, member: str) -> bool:
    """Return true if Kubernetes regards a member of two versions as equal; a missing and an empty list are equal."""
    left, right = getattr(first, member), getattr(second, member)
    if member in ("columns", "selectable_fields"):
        return left == right or _strip_origins(left) == _strip_origins(right)
    if left is None or right is None:
        return left is right
    if member == "subresources":
        return bool(left.status == right.status and _strip_origin(left.scale) == _strip_origin(right.scale))
    return is_equal(left.schema, right.schema)


def _strip_origins(value: tuple[Any, ...] | None) -> list[Any]:
    return [_strip_origin(item) for item in value or ()]


def _strip_origin(value: Any) -> Any:
    return value.replace(origin=None) if isinstance(value, Record) else value


_LISTS = (list, tuple)  # their union takes longer to create than to compare the values


def is_equal(first: Any, second: Any) -> bool:
    """Return true if Kubernetes regards two schemas, or values in them, as equal; source locations are ignored.

    A keyword with an empty list or map is equal to a missing one; 1 and 1.0 differ in a default, but not in a bound.

    Shortcut same-object: an object is equal to itself, since JSON has no NaN.
    """
    if first is second:
        return True
    if isinstance(first, Schema) and isinstance(second, Schema):
        return _is_equal_schema(first, second)
    if isinstance(first, dict) and isinstance(second, dict):
        return first.keys() == second.keys() and all(is_equal(value, second[key]) for key, value in first.items())
    if isinstance(first, _LISTS) and isinstance(second, _LISTS):
        return len(first) == len(second) and all(
            is_equal(left, right) for left, right in zip(first, second, strict=True)
        )
    if isinstance(first, Record) and isinstance(second, Record):
        return bool(_strip_origin(first) == _strip_origin(second))
    return type(first) is type(second) and bool(first == second)


def _is_equal_schema(first: Schema, second: Schema) -> bool:
    left, right = first.keywords, second.keywords
    if left is right:
        return True
    if left.keys() != right.keys():
        left, right = _drop_empty(left), _drop_empty(right)
        if left.keys() != right.keys():
            return False
    for key, value in left.items():
        other = right[key]
        if key in _BOUNDS:
            value, other = float(value), float(other)
        is_same = value is other or (type(value) is str and value == other)
        if not is_same and not is_equal(value, other) and not _are_both_empty(key, value, other):
            return False
    return True


_EMPTY: tuple[object, ...] = ([], (), {})
_KEPT_WHEN_EMPTY = ("default", "example", "externalDocs", "items")  # pointers, which distinguish empty from missing
_BOUNDS = ("maximum", "minimum", "multipleOf")


def _drop_empty(keywords: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in keywords.items() if key in _KEPT_WHEN_EMPTY or value not in _EMPTY}


def _are_both_empty(key: str, first: Any, second: Any) -> bool:
    return key not in _KEPT_WHEN_EMPTY and first in _EMPTY and second in _EMPTY
