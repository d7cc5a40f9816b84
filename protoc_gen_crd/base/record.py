"""Record: a value class with slots, for all values of a plugin run.

The import of dataclasses takes 13 ms, and the construction of a frozen dataclass four times as long. Records with the
same number of fields share the code of `__init__`, see `record_initializers`. Records are immutable by convention: use
`replace` for changes.
"""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType
from typing import Any, Self, dataclass_transform

from protoc_gen_crd.base.record_initializers import INITIALIZERS


@dataclass_transform(frozen_default=True, eq_default=True)
class RecordType(type):
    """A metaclass that generates slots and `__init__` from the annotations of a class."""

    _fields: tuple[str, ...]
    _defaults: dict[str, Any]

    def __new__(cls, name: str, bases: tuple[type, ...], body: dict[str, Any]) -> RecordType:
        """Create the class; inherited fields are first."""
        own = [field for field, kind in body.get("__annotations__", {}).items() if not kind.startswith("ClassVar")]
        inherited: list[str] = []
        defaults: dict[str, Any] = {}
        for base in bases:
            inherited += getattr(base, "_fields", ())
            defaults |= getattr(base, "_defaults", {})
        defaults |= {field: body.pop(field) for field in own if field in body}
        added = [field for field in own if field not in inherited]
        fields = (*inherited, *added)
        body |= {"__slots__": added, "_fields": fields, "_defaults": defaults}
        if fields and "__init__" not in body:
            body["__init__"] = _make_init(fields, defaults)
        return super().__new__(cls, name, bases, body)


def _make_init(fields: tuple[str, ...], defaults: dict[str, Any]) -> Callable[..., None]:
    if len(fields) >= len(INITIALIZERS):
        return _set_fields
    template = INITIALIZERS[len(fields)].__code__
    code = template.replace(co_varnames=("self", *fields), co_names=fields, co_qualname="__init__")
    optional = fields[len(fields) - len(defaults) :]
    if defaults.keys() != {*optional}:
        raise TypeError(f"fields with a default must come last: {', '.join(fields)}")
    return FunctionType(code, {}, "__init__", tuple([defaults[field] for field in optional]))


def _set_fields(self: Record, *args: object, **kwargs: object) -> None:
    """Initialize a record with more fields than any initializer."""
    fields = type(self)._fields
    defaults = type(self)._defaults  # noqa: SLF001 - of a record
    values = {**defaults, **dict(zip(fields, args, strict=False)), **kwargs}
    if len(args) > len(fields) or values.keys() != {*fields}:
        missing, unknown = ({*fields} - values.keys(), values.keys() - {*fields})
        raise TypeError(f"{type(self).__name__}: missing {sorted(missing)}, unknown {sorted(unknown)}")
    for field, value in values.items():
        setattr(self, field, value)


class Record(metaclass=RecordType):
    """Base of value classes: equality and hash by value, a readable repr, `replace`."""

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and self._get_values() == other._get_values()

    def __hash__(self) -> int:
        return hash((type(self), self._get_values()))

    def __repr__(self) -> str:
        fields = ", ".join(
            f"{field}={value!r}" for field, value in zip(type(self)._fields, self._get_values(), strict=True)
        )
        return f"{type(self).__name__}({fields})"

    def _get_values(self) -> tuple[object, ...]:
        return tuple([getattr(self, field) for field in type(self)._fields])

    def replace(self, **changes: Any) -> Self:
        """Return a copy with some fields changed. Raises TypeError for a name that is not a field."""
        values = {field: getattr(self, field) for field in type(self)._fields}
        values.update(changes)
        return type(self)(**values)
