"""Changes of a value between adjacent versions, in both directions, as Python of generated conversions.

A change is derived from equal types, or built from a declaration. `up` converts the value of the older version, `down`
the value of the newer version. Names in the code are those of `runtime/values.py`, `hub`, and `functions`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.conversion.plan.python_source import format_literal, format_string
from protoc_gen_crd.groups.group_model import FieldType, HubType
from protoc_gen_crd.groups.python_names import format_member
from protoc_gen_crd.groups.value_expressions import ItemFunction, Value, format_zero, keep, map_values

# Integer types: size in bits, and whether they have a sign.
INTEGERS = {
    **dict.fromkeys(("int32", "sint32", "sfixed32"), (32, True)),
    **dict.fromkeys(("int64", "sint64", "sfixed64"), (64, True)),
    **dict.fromkeys(("uint32", "fixed32"), (32, False)),
    **dict.fromkeys(("uint64", "fixed64"), (64, False)),
}
FLOATS = ("float", "double")
PATH = "\0path\0"  # replaced by the path of the field that an error is about; no literal contains it


class Change(Record):
    """A change of one value: the types of both sides, and the functions for values and for keys of maps."""

    older: FieldType
    newer: FieldType
    item: tuple[ItemFunction, ItemFunction] = (keep, keep)
    key: tuple[ItemFunction, ItemFunction] = (keep, keep)

    def is_lossy_down(self) -> bool:
        """Return whether values of the newer fields may not fit into the older fields."""
        return any(function not in (keep, str_function) for function in (self.item[1], self.key[1]))

    def up(self, values: Sequence[Value]) -> list[Value]:
        """Return the values of the newer fields."""
        return [map_values(values[0], self.older.label, self.item[0], self.key[0])]

    def down(self, values: Sequence[Value]) -> list[Value]:
        """Return the values of the older fields."""
        return [map_values(values[0], self.newer.label, self.item[1], self.key[1])]


class FirstItem(Change):
    """A list in one version, its first item in the other. With `is_up`, the newer version has the list."""

    is_up: bool = True

    def is_lossy_down(self) -> bool:
        """See Change."""
        return self.is_up

    def up(self, values: Sequence[Value]) -> list[Value]:
        """See Change."""
        return [self._wrap(values[0], self.newer) if self.is_up else self._take(values[0], self.newer)]

    def down(self, values: Sequence[Value]) -> list[Value]:
        """See Change."""
        return [self._take(values[0], self.older) if self.is_up else self._wrap(values[0], self.older)]

    def _wrap(self, value: Value, target: FieldType) -> Value:
        source = self.older if target is self.newer else self.newer
        condition = value.condition or ("" if source.has_presence else f"{value.code} != {format_zero(source)}")
        return Value(Value(f"[{value.code}]", condition).or_else("[]"))

    @staticmethod
    def _take(value: Value, target: FieldType) -> Value:
        if format_zero(target) == "None":
            return Value(f"get_only_item({value.code}, {PATH})", value.code)
        return Value(f"get_only_item({value.code} or [{format_zero(target)}], {PATH})")


class Join(Change):
    """One string in the newer version that is joined from several strings of the older version, or the reverse."""

    separator: str = ""
    count: int = 0
    is_up: bool = True  # the newer version has the joined string

    def up(self, values: Sequence[Value]) -> list[Value]:
        """See Change."""
        return self._join(values) if self.is_up else self._split(values[0])

    def down(self, values: Sequence[Value]) -> list[Value]:
        """See Change."""
        return self._split(values[0]) if self.is_up else self._join(values)

    def _join(self, values: Sequence[Value]) -> list[Value]:
        parts = ", ".join(value.or_else('""') for value in values)
        return [Value(f"join_parts({format_string(self.separator)}, {parts})")]

    def _split(self, value: Value) -> list[Value]:
        whole = value.or_else('""')
        arguments = f"{whole}, {format_string(self.separator)}"
        return [Value(f"get_part({arguments}, {index}, {self.count})") for index in range(self.count)]


class MapEntries(Change):
    """Fields of the newer version that are entries of one map in the older version."""

    keys: tuple[object, ...] = ()
    newers: tuple[FieldType, ...] = ()

    def up(self, values: Sequence[Value]) -> list[Value]:
        """See Change."""
        source = f"check_keys({values[0].code}, {format_literal(self.keys)}, {PATH})"
        return [
            Value(f"{source}[{format_literal(key)}]", f"{format_literal(key)} in {source}")
            if format_zero(newer) == "None" else Value(f"{source}.get({format_literal(key)}, {format_zero(newer)})")
            for key, newer in zip(self.keys, self.newers, strict=True)
        ]  # fmt: skip

    def down(self, values: Sequence[Value]) -> list[Value]:
        """See Change."""
        entries = ", ".join(
            f"({format_literal(key)}, {value.or_else('None')})" for key, value in zip(self.keys, values, strict=True)
        )
        return [Value(f"make_entries({entries})")]


class KeyedItems(Change):
    """A map of messages in one version, and a list of these messages with the key in a field in the other."""

    attribute: str = ""
    is_up: bool = True  # the newer version has the list

    def is_lossy_down(self) -> bool:
        """See Change."""
        return self.is_up

    def up(self, values: Sequence[Value]) -> list[Value]:
        """See Change."""
        return [self._list(values[0]) if self.is_up else self._index(values[0])]

    def down(self, values: Sequence[Value]) -> list[Value]:
        """See Change."""
        return [self._index(values[0]) if self.is_up else self._list(values[0])]

    def _list(self, value: Value) -> Value:
        return value.apply(lambda code: f"[replace(item, {self.attribute}=key) for key, item in {code}.items()]")

    def _index(self, value: Value) -> Value:
        return value.apply(lambda code: f"index_items({code}, lambda item: item.{self.attribute}, {PATH})")


def make_number_check(source: str, target: str) -> ItemFunction | None:
    """Return the conversion between number types, None if there is none."""
    if source in INTEGERS and target in INTEGERS:
        bits, signed = INTEGERS[source]
        target_bits, target_signed = INTEGERS[target]
        fits = (signed == target_signed and bits <= target_bits) or (
            not signed and target_signed and bits < target_bits
        )
        name = f"check_{'' if target_signed else 'u'}int{target_bits}"
        return keep if fits else lambda code: f"{name}({code}, {PATH})"
    if source in FLOATS and target in FLOATS:
        return (lambda code: f"check_float({code}, {PATH})") if (source, target) == ("double", "float") else keep
    return None


def derive_item(older: HubType, newer: HubType) -> tuple[ItemFunction, ItemFunction] | None:
    """Return the conversions of a single value that need no declaration, None if one is needed."""
    if older == newer:
        return keep, keep
    up, down = make_number_check(older.kind, newer.kind), make_number_check(newer.kind, older.kind)
    return (up, down) if up is not None and down is not None else None


def derive_decimal(
    older: HubType, newer: HubType, parser: str = "parse_decimal"
) -> tuple[ItemFunction, ItemFunction] | None:
    """Return the conversions between a string and a number in decimal, None for other types."""
    if older.kind == "string" and newer.kind in INTEGERS:
        return _make_parser(newer.kind, parser), str_function
    if newer.kind == "string" and older.kind in INTEGERS:
        return str_function, _make_parser(older.kind, parser)
    return None


def str_function(code: str) -> str:
    """Format a number in decimal."""
    return f"str({code})"


def _make_parser(kind: str, name: str) -> ItemFunction:
    check = _CHECKS[INTEGERS[kind]]
    return lambda code: check(f"{name}({code}, {PATH})")


def _make_check(name: str) -> ItemFunction:
    return lambda code: f"{name}({code}, {PATH})"


_CHECKS: Mapping[tuple[int, bool], ItemFunction] = {
    (bits, signed): _make_check(f"check_{'' if signed else 'u'}int{bits}")
    for bits in (32, 64)
    for signed in (True, False)
}


def make_factor(older: HubType, newer: HubType, factor: float) -> tuple[ItemFunction, ItemFunction] | None:
    """Return the conversions of numbers that differ by a factor, None for other types or an invalid factor."""
    if older.kind in INTEGERS and newer.kind in INTEGERS and factor.is_integer() and factor:
        up, down = _CHECKS[INTEGERS[newer.kind]], _CHECKS[INTEGERS[older.kind]]
        return (
            lambda code: up(f"{code} * {int(factor)}"),
            lambda code: down(f"divide({code}, {int(factor)}, {PATH})"),
        )
    if older.kind in FLOATS and newer.kind in FLOATS and factor:
        return lambda code: f"{code} * {factor!r}", lambda code: f"{code} / {factor!r}"
    return None


def make_function(name: str) -> ItemFunction:
    """Return the call of a hand-written function; without a name, an error at run time."""
    if not name:
        return lambda code: f"reject_direction({code}, {PATH})"
    return lambda code: f"call(functions.{name}, {code}, {PATH})"


def parse_default(field_type: FieldType, default: str) -> str | None:
    """Return a default as Python, None if it is not a value of the type."""
    kind = field_type.value.kind
    if field_type.label != "single":
        return None
    if kind == "string":
        return format_literal(default)
    if kind == "bool":
        return {"true": "True", "false": "False"}.get(default)
    if kind == "enum":
        return f"hub.{field_type.value.name}.{format_member(default)}"
    try:
        return repr(int(default)) if kind in INTEGERS else repr(float(default)) if kind in FLOATS else None
    except ValueError:
        return None
