"""A CRD as the server holds it: names defaulted, and what all versions share moved to the top.

Where all versions have the same schema, the server knows it as `spec.validation`; so for subresources, printer columns
and selectable fields. Paths of errors are those of this form.
Source: k8s.io/apiextensions-apiserver pkg/apis/apiextensions/v1 defaults.go, conversion.go.
"""

from __future__ import annotations

from typing import Any

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.crd.crd import Crd, CrdVersion, Names, PrinterColumn
from protoc_gen_crd.schema.schema import Schema


class CrdPart(Record):
    """What stands at one place, the top or a version: None where it was moved away or was never given.

    `schema` and `subresources` are the version that has them, since either may be given and empty.
    """

    path: str
    version: CrdVersion
    schema: CrdVersion | None = None
    subresources: CrdVersion | None = None
    columns: tuple[PrinterColumn, ...] | None = None
    selectable_fields: tuple[str, ...] | None = None

    @property
    def openapi(self) -> Schema | None:
        """The schema itself."""
        return self.schema.schema if self.schema else None


class InternalCrd(Record):
    """The CRD, its names with what the server fills in, the top and the versions."""

    crd: Crd
    names: Names
    top: CrdPart | None
    versions: tuple[CrdPart, ...]

    @property
    def storage(self) -> str | None:
        """The first version that is marked as storage version."""
        return next((version.name for version in self.crd.versions if version.storage), None)


def convert_to_internal(crd: Crd) -> InternalCrd:
    """The CRD in the server's form."""
    parts = [_make_part(f"spec.versions[{index}]", version) for index, version in enumerate(crd.versions)]
    if not parts:
        return InternalCrd(crd, _default_names(crd.names), None, ())
    shared = {member for member in _MEMBERS if all(_is_same(parts[0], part, member) for part in parts[1:])}
    top = CrdPart("spec", parts[0].version, **{member: getattr(parts[0], member) for member in shared})
    gone = dict.fromkeys(shared)
    return InternalCrd(crd, _default_names(crd.names), top, tuple(part.replace(**gone) for part in parts))


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


def _is_same(one: CrdPart, other: CrdPart, member: str) -> bool:
    """Whether two versions have the same there, as Kubernetes compares: nothing and empty lists are the same."""
    mine, yours = getattr(one, member), getattr(other, member)
    if member in ("columns", "selectable_fields"):
        return mine == yours or _strip_origins(mine) == _strip_origins(yours)
    if mine is None or yours is None:
        return mine is yours
    if member == "subresources":
        return bool(mine.status == yours.status and _strip_origin(mine.scale) == _strip_origin(yours.scale))
    return is_equal(mine.schema, yours.schema)


def _strip_origins(value: tuple[Any, ...] | None) -> list[Any]:
    return [_strip_origin(item) for item in value or ()]


def _strip_origin(value: Any) -> Any:
    return value.replace(origin=None) if isinstance(value, Record) else value


def is_equal(one: Any, other: Any) -> bool:
    """Whether two schemas or values in them are equal to Kubernetes, origins aside.

    A keyword with an empty list or map is as good as none; 1 and 1.0 differ in a default, not in a bound.

    Shortcut same-object: an object is equal to itself, since JSON has no NaN.
    """
    if one is other:
        return True
    if isinstance(one, Schema) and isinstance(other, Schema):
        mine, yours = _drop_empty(one), _drop_empty(other)
        return mine.keys() == yours.keys() and all(is_equal(value, yours[key]) for key, value in mine.items())
    if isinstance(one, list | tuple) and isinstance(other, list | tuple):
        return len(one) == len(other) and all(is_equal(mine, yours) for mine, yours in zip(one, other, strict=True))
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(is_equal(value, other[key]) for key, value in one.items())
    if isinstance(one, Record) and isinstance(other, Record):
        return bool(_strip_origin(one) == _strip_origin(other))
    return type(one) is type(other) and bool(one == other)


_EMPTY: tuple[object, ...] = ([], (), {})
_KEPT_WHEN_EMPTY = ("default", "example", "externalDocs", "items")  # behind a pointer, so that empty is something
_BOUNDS = ("maximum", "minimum", "multipleOf")


def _drop_empty(schema: Schema) -> dict[str, Any]:
    held = {key: value for key, value in schema.keywords.items() if key in _KEPT_WHEN_EMPTY or value not in _EMPTY}
    for key in _BOUNDS:
        if key in held:
            held[key] = float(held[key])
    return held
