"""Decoding of JSON data into Go types as in API servers, with their errors for type mismatches and unknown fields.

Types are written as Go prints them (`[]string`, `*int64`, `map[string]v1.JSONSchemaProps`); structs are tables from
JSON names to types. A null counts as absent. The first mismatch is reported and decoding continues. A mismatch inside a
type with its own unmarshaler (`items`, `additionalProperties`, `dependencies`) ends decoding, and servers do not report
unknown fields in it.
Source: sigs.k8s.io/json internal/golang/encoding/json decode.go; Go encoding/json.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from types import MappingProxyType, NoneType
from typing import TYPE_CHECKING, Any

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.findings.finding import Location, Place

if TYPE_CHECKING:
    from protoc_gen_crd.schema.known_structs import KnownStructs

Path = tuple[str | int, ...]
# The path of a value during decoding, as a linked list that nested values share: the parent and the last step.
Link = tuple[Any, str | int] | tuple[()]
Places = Callable[..., Location | None]  # of the value at a path; with `key=True`, of its key

# Named types and their underlying types; slice and map types may be named, too.
NAMED = {
    "v1.ResourceScope": "string", "v1.ConversionStrategyType": "string", "v1.JSONSchemaURL": "string",
    "v1.FieldValueErrorReason": "string", "v1.ConditionStatus": "string", "types.UID": "string",
    "v1.CustomResourceDefinitionConditionType": "string", "v1.ManagedFieldsOperationType": "string",
    "v1.ValidationRules": "[]v1.ValidationRule", "v1.JSONSchemaDefinitions": "map[string]v1.JSONSchemaProps",
    "v1.JSONSchemaDependencies": "map[string]v1.JSONSchemaPropsOrStringArray",
}  # fmt: skip

_ANY = "v1.JSON"  # a value of any type
_NO_PLACES: Mapping[str, Place] = MappingProxyType({})
_INTEGERS = {
    "int32": (-(1 << 31), 1 << 31), "int64": (-(1 << 63), 1 << 63), "uint8": (0, 1 << 8),
    "uint32": (0, 1 << 32),
}  # fmt: skip
_ZEROS: dict[str, object] = {
    "string": "",
    "bool": False,
    "float64": 0.0,
    "int32": 0,
    "int64": 0,
    "uint8": 0,
    "uint32": 0,
}


class TypeMismatch(Record):
    """A value of the wrong type: its JSON type, the expected Go type, the struct, and the path of fields.

    `inner` is the path inside a type with its own unmarshaler, which newer servers include in the message. `error` is
    a complete message that replaces the usual one.
    """

    found: str
    expected: str
    struct: str = ""
    fields: tuple[str, ...] = ()
    inner: tuple[str, ...] = ()
    error: str = ""
    path: Path = ()

    def format_message(self, *, inner: bool) -> str:
        """Format the error message of the server; `inner` for servers that include the inner path."""
        if self.error:
            return self.error
        where = ".".join((*self.fields, *self.inner) if inner else self.fields)
        into = f"struct field {self.struct}.{where} of" if self.struct else "value of"
        return f"json: cannot unmarshal {self.found} into Go {into} type {self.expected}"


class DocumentPlace:
    """The location of a value in its document, or with `is_key` of its key, computed on demand."""

    __slots__ = ("_is_key", "_location", "path", "places")

    def __init__(self, places: Places, path: Link, *, is_key: bool = False) -> None:
        self.places, self.path, self._is_key = places, path, is_key
        self._location: Location | None = None

    def __repr__(self) -> str:
        """Return the location, since verdicts show rules with their origins."""
        return repr(self.resolve())

    def resolve(self) -> Location:
        """Return the location of the value, or of its nearest parent that has one."""
        if self._location is None:
            path = steps(self.path)
            options = {"key": True} if self._is_key else {}
            while (location := self.places(path, **options)) is None and path:
                path = path[:-1]
            self._location = location or Location("")
        return self._location

    def append(self, step: str | int) -> DocumentPlace:
        """Return the place of a member of the value."""
        return DocumentPlace(self.places, (self.path, step))

    def get_key(self) -> DocumentPlace:
        """Return the place of the key of the value; its document must have the places of keys."""
        return DocumentPlace(self.places, self.path, is_key=True)

    def find_owner(self) -> str:
        """Return an empty string, since documents contain no elements of .proto files."""
        return ""


_STEP = r"[^.\[\]]+"


class MemberPlaces(Mapping[str, Place]):
    """The locations of the members of a value, by a path such as `names.kind` or `selectableFields[0]`."""

    def __init__(self, places: Places, path: Link, members: Iterable[str]) -> None:
        self._places, self._path, self._members = places, path, members

    def __repr__(self) -> str:
        """Return the locations, as of a dict."""
        return repr(dict(self))

    def __getitem__(self, member: str) -> Place:
        steps = [int(step) if step.isdigit() else step for step in re.findall(_STEP, member)]
        return DocumentPlace(self._places, append_steps(steps, self._path))

    def __iter__(self) -> Iterator[str]:
        return iter(self._members)

    def __len__(self) -> int:
        return sum(1 for _ in self._members)


class _DecodingStoppedError(Exception):
    """A mismatch that ends decoding."""

    def __init__(self, misfit: TypeMismatch) -> None:
        super().__init__(misfit)
        self.misfit = misfit


Builder = Callable[[dict[str, Any], Link], Any]


class Decoder:
    """A decoder of the values of one document by tables of structs.

    `builders` convert decoded structs by type name. `unions` are the types with their own unmarshaler: functions of the
    data, a decoder for nested values, and the path. `unknown` are the paths of unknown fields and the structs that lack
    them, `unreported` those that servers do not report. `present` contains the members of `tracked` structs that occur,
    except in `known` structs, which are not decoded again. If `requires_values`, a null is a mismatch, except in values
    of any JSON type.
    """

    def __init__(
        self,
        structs: Mapping[str, Mapping[str, str]],
        builders: Mapping[str, Builder],
        unions: Mapping[str, Union],
        places: Places | None = None,
        tracked: frozenset[str] = frozenset(),
        known: KnownStructs | None = None,
        *,
        requires_values: bool = False,
    ) -> None:
        self.structs, self.builders, self.unions, self.places = structs, builders, unions, places
        self.tracked, self.known, self.requires_values = tracked, known, requires_values
        self.misfit: TypeMismatch | None = None
        self.unknown: dict[Path, str] = {}
        self.unreported: dict[Path, str] = {}
        self.present: set[str] = set()
        self._struct = ""
        self._fields: list[str] = []
        self._structs: dict[tuple[int, str], tuple[Any, object]] = {}  # by identity; the tuple keeps the object alive

    def decode(self, value: object, kind: str, path: Link = ()) -> Any:
        """Return the value as this type; on a mismatch, set `misfit`, and return None if decoding ends there."""
        try:
            return self.decode_value(value, kind, path)
        except _DecodingStoppedError as error:
            self.misfit = error.misfit
            return None

    def get_place(self, path: Link) -> DocumentPlace | None:
        """Return the location of a value."""
        return DocumentPlace(self.places, path) if self.places else None

    def get_member_places(self, path: Link, members: Iterable[str]) -> Mapping[str, Place]:
        """Return the locations of the members of a value."""
        return MemberPlaces(self.places, path, members) if self.places else _NO_PLACES

    def decode_value(self, value: object, kind: str, path: Link) -> Any:
        """Return the value as this type, None for null; only for calls within `decode`, which handles exceptions."""
        kind = kind.removeprefix("*")
        if value is None:
            return self._report_mismatch(value, kind, path) if self.requires_values and kind != _ANY else None
        under = NAMED.get(kind, kind)
        if under in self.unions:
            return self._decode_union(value, under, path)
        if under in self.structs:
            return self._decode_struct_once(value, under, path)
        if under.startswith("map[string]"):
            return self._decode_map(value, kind, under[11:], path)
        if under.startswith("[]") and under != "[]uint8":
            return self._decode_list(value, kind, under[2:], path)
        return value if under == _ANY else self._decode_scalar(value, kind, under, path)

    def _decode_scalar(self, value: object, kind: str, under: str, path: Link) -> Any:
        if under == "[]uint8" and isinstance(value, str | list):
            return self._decode_bytes(value, path)
        if type(value) is _SCALARS.get(under) or (under == "float64" and type(value) is int):
            return value
        if under in _INTEGERS and type(value) in (int, float):
            least, end = _INTEGERS[under]
            if type(value) is int and least <= value < end:
                return value
            return self._report_mismatch(value, kind, path, f"number {value!r}")
        return self._report_mismatch(value, kind, path)

    def _decode_bytes(self, value: str | list[Any], path: Link) -> str:
        """Return bytes as base64; the input is base64 or an array of numbers."""
        from protoc_gen_crd.golang import base64  # noqa: PLC0415 - only CA bundles need it

        if isinstance(value, list):
            numbers = [self._decode_element(item, "uint8", (path, index)) or 0 for index, item in enumerate(value)]
            return base64.encode(bytes(numbers))
        try:
            return base64.encode(base64.decode(value))
        except base64.CorruptInputError as error:
            self.misfit = self.misfit or TypeMismatch("", "", error=str(error), path=steps(path))
            return ""

    def _report_mismatch(self, value: object, kind: str, path: Link, json_type: str = "") -> None:
        if self.misfit is None:
            json_type = json_type or _JSON_NAMES[type(value)]
            self.misfit = TypeMismatch(
                json_type, kind, self._struct.rpartition(".")[2], tuple(self._fields), path=steps(path)
            )

    def _decode_list(self, value: object, kind: str, item: str, path: Link) -> Any:
        if not isinstance(value, list):
            return self._report_mismatch(value, kind, path)
        return [self._decode_element(element, item, (path, index)) for index, element in enumerate(value)]

    def _decode_map(self, value: object, kind: str, item: str, path: Link) -> Any:
        if not isinstance(value, dict):
            return self._report_mismatch(value, kind, path)
        return {key: self._decode_element(element, item, (path, key)) for key, element in value.items()}

    def _decode_element(self, value: object, kind: str, path: Link) -> Any:
        """Return an element of a list or map; null is the zero value of its type."""
        if value is None and not self.requires_values and not kind.startswith("*"):
            under = NAMED.get(kind, kind)
            return self.decode_value({}, kind, path) if under in self.structs else _ZEROS.get(under)
        return self.decode_value(value, kind, path)

    def _decode_struct_once(self, value: object, kind: str, path: Link) -> Any:
        """Decode a struct; an object that occurs in several places, as with YAML aliases, is decoded once."""
        key = id(value), kind
        if key not in self._structs:
            unknown_count = len(self.unknown) + len(self.unreported)
            struct = self.known.find(value, kind, self, path) if self.known else None
            if struct is None:
                struct = self._decode_struct(value, kind, path)
            has_unknown = len(self.unknown) + len(self.unreported) > unknown_count
            if has_unknown or self.misfit is not None or not isinstance(value, dict):
                return struct  # its findings are reported in each place
            self._structs[key] = struct, value
            if self.known is not None:
                self.known.add(value, kind, struct)
        return self._structs[key][0]

    def _decode_struct(self, value: object, kind: str, path: Link) -> Any:
        if not isinstance(value, dict):
            return self._report_mismatch(value, kind, path)
        types, members, outer_struct = self.structs[kind], {}, self._struct
        if kind in self.tracked:
            self.present.update(f"{kind}.{key}" for key in value.keys() & types.keys())
        for key, member in value.items():
            member_type = types.get(key)
            if member_type is None:
                self.unknown[steps((path, key))] = kind
            elif type(member) is _SCALARS.get(member_type):  # most members
                members[key] = member
            elif member is not None or self.requires_values:
                self._struct = kind
                self._fields.append(key)
                members[key] = self.decode_value(member, member_type, (path, key))
                self._fields.pop()
        self._struct = outer_struct
        builder = self.builders.get(kind)
        # After a mismatch the result is discarded, so it is not built.
        return builder(members, path) if builder and self.misfit is None else members

    def _decode_union(self, value: object, kind: str, path: Link) -> Any:
        inner = Decoder(
            self.structs, self.builders, self.unions, self.places, self.tracked, self.known,
            requires_values=self.requires_values,
        )  # fmt: skip
        inner.present = self.present
        try:
            result = self.unions[kind](value, inner, path)
            misfit = inner.misfit
        except _DecodingStoppedError as error:
            result, misfit = None, error.misfit
        self.unreported |= inner.unknown | inner.unreported
        if misfit is None:
            return result
        raise _DecodingStoppedError(
            misfit.replace(
                struct=self._struct.rpartition(".")[2] or misfit.struct,
                fields=tuple(self._fields),
                inner=(*misfit.fields, *misfit.inner),
                path=misfit.path or steps(path),
            )
        )


Union = Callable[[Any, Decoder, Link], Any]

_SCALARS: dict[str, type] = {"string": str, "bool": bool, "float64": float}
_JSON_NAMES = {
    dict: "object", list: "array", str: "string", int: "number", float: "number", bool: "bool",
    NoneType: "null",
}  # fmt: skip


def stop_decoding(message: str) -> Any:
    """End decoding with this error message; for functions of unions."""
    raise _DecodingStoppedError(TypeMismatch("", "", error=message))


def steps(link: Link) -> Path:
    """Return the steps of a path from the root."""
    path: list[str | int] = []
    while link:
        link, step = link
        path.append(step)
    return tuple(reversed(path))


def append_steps(path: Iterable[str | int], parent: Link = ()) -> Link:
    """Return the path that results from appending steps to a path."""
    for step in path:
        parent = parent, step
    return parent


def format_path(path: Path) -> str:
    """Format a path as in strict decoding errors: `spec.versions[0].schema`."""
    formatted = ""
    for step in path:
        formatted += f"[{step}]" if isinstance(step, int) else f".{step}" if formatted else step
    return formatted
