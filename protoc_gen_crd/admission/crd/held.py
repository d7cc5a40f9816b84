"""A CRD as the server holds it: names defaulted, and what all versions share moved to the top.

Where all versions have the same schema, the server knows it as `spec.validation`; so for subresources, printer columns
and selectable fields. Paths of errors are those of this form.
Source: k8s.io/apiextensions-apiserver pkg/apis/apiextensions/v1 defaults.go, conversion.go.
"""

from __future__ import annotations

from typing import Any

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.crd.types import Crd, Names, PrinterColumn, Version
from protoc_gen_crd.schema.types import Schema


class Part(Record):
    """What stands at one place, the top or a version: None where it was moved away or was never given.

    `schema` and `subresources` are the version that has them, since either may be given and empty.
    """

    path: str
    version: Version
    schema: Version | None = None
    subresources: Version | None = None
    columns: tuple[PrinterColumn, ...] | None = None
    selectable_fields: tuple[str, ...] | None = None

    @property
    def openapi(self) -> Schema | None:
        """The schema itself."""
        return self.schema.schema if self.schema else None


class Held(Record):
    """The CRD, its names with what the server fills in, the top and the versions."""

    crd: Crd
    names: Names
    top: Part | None
    versions: tuple[Part, ...]

    @property
    def storage(self) -> str | None:
        """The first version that is marked as storage version."""
        return next((version.name for version in self.crd.versions if version.storage), None)


def hold(crd: Crd) -> Held:
    """The CRD in the server's form."""
    parts = [_part(f"spec.versions[{index}]", version) for index, version in enumerate(crd.versions)]
    if not parts:
        return Held(crd, _defaulted(crd.names), None, ())
    shared = {member for member in _MEMBERS if all(_same(parts[0], part, member) for part in parts[1:])}
    top = Part("spec", parts[0].version, **{member: getattr(parts[0], member) for member in shared})
    gone = dict.fromkeys(shared)
    return Held(crd, _defaulted(crd.names), top, tuple(part.replace(**gone) for part in parts))


_MEMBERS = ("schema", "subresources", "columns", "selectable_fields")


def _defaulted(names: Names) -> Names:
    singular = names.singular or names.kind.lower()
    list_kind = names.list_kind or (f"{names.kind}List" if names.kind else "")
    return names.replace(singular=singular, list_kind=list_kind)


def _part(path: str, version: Version) -> Part:
    return Part(
        path,
        version,
        schema=version if version.schema is not None or "schema" in version.given else None,
        subresources=version if version.status or version.scale or "subresources" in version.given else None,
        columns=version.columns if version.columns or "additionalPrinterColumns" in version.given else None,
        selectable_fields=version.selectable_fields
        if version.selectable_fields or "selectableFields" in version.given
        else None,
    )


def _same(one: Part, other: Part, member: str) -> bool:
    """Whether two versions have the same there, as Kubernetes compares: nothing and empty lists are the same."""
    mine, yours = getattr(one, member), getattr(other, member)
    if member in ("columns", "selectable_fields"):
        return mine == yours or _bare(mine) == _bare(yours)
    if mine is None or yours is None:
        return mine is yours
    if member == "subresources":
        return bool(mine.status == yours.status and _plain(mine.scale) == _plain(yours.scale))
    return equal(mine.schema, yours.schema)


def _bare(value: tuple[Any, ...] | None) -> list[Any]:
    return [_plain(item) for item in value or ()]


def _plain(value: Any) -> Any:
    return value.replace(origin=None) if isinstance(value, Record) else value


def equal(one: Any, other: Any) -> bool:
    """Whether two schemas or values in them are equal to Kubernetes, origins aside.

    A keyword with an empty list or map is as good as none; 1 and 1.0 differ in a default, not in a bound.
    """
    if one is other:
        return True
    if isinstance(one, Schema) and isinstance(other, Schema):
        mine, yours = _filled(one), _filled(other)
        return mine.keys() == yours.keys() and all(equal(value, yours[key]) for key, value in mine.items())
    if isinstance(one, list | tuple) and isinstance(other, list | tuple):
        return len(one) == len(other) and all(equal(mine, yours) for mine, yours in zip(one, other, strict=True))
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(equal(value, other[key]) for key, value in one.items())
    if isinstance(one, Record) and isinstance(other, Record):
        return bool(_plain(one) == _plain(other))
    return type(one) is type(other) and bool(one == other)


_EMPTY: tuple[object, ...] = ([], (), {})
_NEVER_NOTHING = ("default", "example", "externalDocs", "items")  # behind a pointer, so that empty is something
_BOUNDS = ("maximum", "minimum", "multipleOf")


def _filled(schema: Schema) -> dict[str, Any]:
    held = {key: value for key, value in schema.keywords.items() if key in _NEVER_NOTHING or value not in _EMPTY}
    for key in _BOUNDS:
        if key in held:
            held[key] = float(held[key])
    return held
