"""JSON data into Go's types, as the server's decoder does it: what fits, what is said else, what is unknown.

Types are spelled as Go prints them (`[]string`, `*int64`, `map[string]v1.JSONSchemaProps`); structs stand in tables of
JSON name to type. A null is as good as nothing; the first misfit is reported and the rest read on, but one inside a
value that decodes itself (`items`, `additionalProperties`, `dependencies`) ends everything, and unknown fields there
go unnoticed.
Source: sigs.k8s.io/json internal/golang/encoding/json decode.go; Go encoding/json.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import Any

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.findings.finding import Location, Place

Path = tuple[str | int, ...]
# A path while a value is decoded: the path around a value and its last step, or nothing. What is nested shares it.
Link = tuple[Any, str | int] | tuple[()]
Places = Callable[[Path], Location | None]

MAX_STRICT_ERRORS = 100  # unknown and duplicate fields that a strict decoder reports, in the order of the body

# Named types and what they are underneath; a slice or map type may have a name of its own.
NAMED = {
    "v1.ResourceScope": "string", "v1.ConversionStrategyType": "string", "v1.JSONSchemaURL": "string",
    "v1.FieldValueErrorReason": "string", "v1.ConditionStatus": "string", "types.UID": "string",
    "v1.CustomResourceDefinitionConditionType": "string", "v1.ManagedFieldsOperationType": "string",
    "v1.ValidationRules": "[]v1.ValidationRule", "v1.JSONSchemaDefinitions": "map[string]v1.JSONSchemaProps",
    "v1.JSONSchemaDependencies": "map[string]v1.JSONSchemaPropsOrStringArray",
}  # fmt: skip

_NO_PLACES: Mapping[str, Place] = MappingProxyType({})
_INTEGERS = {"int32": (-(1 << 31), 1 << 31), "int64": (-(1 << 63), 1 << 63), "uint8": (0, 1 << 8)}
_ZEROS: dict[str, object] = {"string": "", "bool": False, "float64": 0.0, "int32": 0, "int64": 0, "uint8": 0}


class TypeMismatch(Record):
    """A value that does not fit: what it is, the Go type that was wanted, in which struct and on which path of fields.

    `inner` is the path inside a value that decoded itself, which newer servers name as well. `error` is for what is
    worded otherwise.
    """

    found: str
    expected: str
    struct: str = ""
    fields: tuple[str, ...] = ()
    inner: tuple[str, ...] = ()
    error: str = ""
    path: Path = ()

    def format_message(self, *, inner: bool) -> str:
        """The server's text; `inner` for servers that name the inner path."""
        if self.error:
            return self.error
        where = ".".join((*self.fields, *self.inner) if inner else self.fields)
        into = f"struct field {self.struct}.{where} of" if self.struct else "value of"
        return f"json: cannot unmarshal {self.found} into Go {into} type {self.expected}"


class DocumentPlace:
    """The location of a value in its document, computed on demand."""

    __slots__ = ("_location", "path", "places")

    def __init__(self, places: Places, path: Link) -> None:
        self.places, self.path = places, path
        self._location: Location | None = None

    def resolve(self) -> Location:
        """The place of the value or of the nearest one around it."""
        if self._location is None:
            path = steps(self.path)
            while (found := self.places(path)) is None and path:
                path = path[:-1]
            self._location = found or Location("")
        return self._location

    def find_owner(self) -> str:
        """No element of a .proto stands in a document."""
        return ""


class MemberPlaces(Mapping[str, Place]):
    """The locations of the members of a value, by dotted path."""

    def __init__(self, places: Places, path: Link, members: Iterable[str]) -> None:
        self._places, self._path, self._members = places, path, members

    def __getitem__(self, member: str) -> Place:
        return DocumentPlace(self._places, linked(member.split("."), self._path))

    def __iter__(self) -> Iterator[str]:
        return iter(self._members)

    def __len__(self) -> int:
        return sum(1 for _ in self._members)


class _DecodingStoppedError(Exception):
    """Decoding cannot go on."""

    def __init__(self, misfit: TypeMismatch) -> None:
        super().__init__(misfit)
        self.misfit = misfit


Builder = Callable[[dict[str, Any], Link], Any]


class Decoder:
    """Decodes values of one document by tables of structs.

    `builders` make something of a decoded struct; `unions` are the types that decode themselves: a name to a function
    from the data and a decoder for what is inside. Of `watched` structs, `met` holds the known members that occurred.
    """

    def __init__(
        self,
        structs: Mapping[str, Mapping[str, str]],
        builders: Mapping[str, Builder],
        unions: Mapping[str, Union],
        places: Places | None = None,
        watched: frozenset[str] = frozenset(),
    ) -> None:
        self.structs, self.builders, self.unions, self.places = structs, builders, unions, places
        self.watched = watched
        self.misfit: TypeMismatch | None = None
        self.unknown: list[Path] = []
        self.met: set[str] = set()
        self._struct = ""
        self._fields: list[str] = []
        self._known: dict[tuple[int, str], tuple[Any, object]] = {}  # with the objects, whose identity is the key

    def decode(self, value: object, kind: str, path: Link = ()) -> Any:
        """The value as this type; None where it does not fit, with `misfit` set."""
        try:
            return self.decode_value(value, kind, path)
        except _DecodingStoppedError as ended:
            self.misfit = ended.misfit
            return None

    def get_place(self, path: Link) -> Place | None:
        """Return the location of a value."""
        return DocumentPlace(self.places, path) if self.places else None

    def get_member_places(self, path: Link, members: Iterable[str]) -> Mapping[str, Place]:
        """Return the locations of the members of a value."""
        return MemberPlaces(self.places, path, members) if self.places else _NO_PLACES

    def decode_value(self, value: object, kind: str, path: Link) -> Any:
        """The value as this type, None for null. Raises inside `decode` only."""
        if value is None:
            return None
        kind = kind.removeprefix("*")
        under = NAMED.get(kind, kind)
        if under in self.unions:
            return self._decode_union(value, under, path)
        if under in self.structs:
            return self._decode_struct_once(value, under, path)
        if under.startswith("map[string]"):
            return self._decode_map(value, kind, under[11:], path)
        if under.startswith("[]") and under != "[]uint8":
            return self._decode_list(value, kind, under[2:], path)
        return value if under == "v1.JSON" else self._decode_scalar(value, kind, under, path)

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
        """Bytes as base64, in which they come, or as an array of numbers."""
        from protoc_gen_crd.golang import base64  # noqa: PLC0415 - bundles alone

        if isinstance(value, list):
            made = [self._decode_element(each, "uint8", (path, index)) or 0 for index, each in enumerate(value)]
            return base64.encode(bytes(made))
        try:
            return base64.encode(base64.decode(value))
        except base64.CorruptInputError as fault:
            self.misfit = self.misfit or TypeMismatch("", "", error=str(fault), path=steps(path))
            return ""

    def _report_mismatch(self, value: object, kind: str, path: Link, found: str = "") -> None:
        if self.misfit is None:
            found = found or _JSON_NAMES[type(value)]
            self.misfit = TypeMismatch(
                found, kind, self._struct.rpartition(".")[2], tuple(self._fields), path=steps(path)
            )

    def _decode_list(self, value: object, kind: str, item: str, path: Link) -> Any:
        if not isinstance(value, list):
            return self._report_mismatch(value, kind, path)
        return [self._decode_element(each, item, (path, index)) for index, each in enumerate(value)]

    def _decode_map(self, value: object, kind: str, item: str, path: Link) -> Any:
        if not isinstance(value, dict):
            return self._report_mismatch(value, kind, path)
        return {key: self._decode_element(each, item, (path, key)) for key, each in value.items()}

    def _decode_element(self, value: object, kind: str, path: Link) -> Any:
        """A null among values is the type's zero."""
        if value is None and not kind.startswith("*"):
            under = NAMED.get(kind, kind)
            return self.decode_value({}, kind, path) if under in self.structs else _ZEROS.get(under)
        return self.decode_value(value, kind, path)

    def _decode_struct_once(self, value: object, kind: str, path: Link) -> Any:
        """A struct, decoded once where the same object stands in several places."""
        key = id(value), kind
        if key not in self._known:
            unknown = len(self.unknown)
            made = self._decode_struct(value, kind, path)
            if len(self.unknown) > unknown or self.misfit is not None or not isinstance(value, dict):
                return made  # of which there is something to say in each place
            self._known[key] = made, value
        return self._known[key][0]

    def _decode_struct(self, value: object, kind: str, path: Link) -> Any:
        if not isinstance(value, dict):
            return self._report_mismatch(value, kind, path)
        types, made, struct = self.structs[kind], {}, self._struct
        if kind in self.watched:
            self.met.update(f"{kind}.{key}" for key in value.keys() & types.keys())
        for key, each in value.items():
            wanted = types.get(key)
            if wanted is None:
                self.unknown.append(steps((path, key)))
            elif each is not None:
                self._struct = kind
                self._fields.append(key)
                made[key] = self.decode_value(each, wanted, (path, key))
                self._fields.pop()
        self._struct = struct
        builder = self.builders.get(kind)
        return builder(made, path) if builder and self.misfit is None else made  # of what is lost, nothing is built

    def _decode_union(self, value: object, kind: str, path: Link) -> Any:
        inner = Decoder(self.structs, self.builders, self.unions, self.places, self.watched)
        inner.met = self.met
        try:
            made = self.unions[kind](value, inner, path)
            fault = inner.misfit
        except _DecodingStoppedError as ended:
            made, fault = None, ended.misfit
        if fault is None:
            return made
        raise _DecodingStoppedError(
            fault.replace(
                struct=self._struct.rpartition(".")[2] or fault.struct,
                fields=tuple(self._fields),
                inner=(*fault.fields, *fault.inner),
                path=fault.path or steps(path),
            )
        )


Union = Callable[[Any, Decoder, Link], Any]

_SCALARS: dict[str, type] = {"string": str, "bool": bool, "float64": float}
_JSON_NAMES = {dict: "object", list: "array", str: "string", int: "number", float: "number", bool: "bool"}


def stop_decoding(text: str) -> Any:
    """End the decoding with this text; for functions of unions."""
    raise _DecodingStoppedError(TypeMismatch("", "", error=text))


def steps(link: Link) -> Path:
    """The steps of a path from the root."""
    found: list[str | int] = []
    while link:
        link, step = link
        found.append(step)
    return tuple(reversed(found))


def linked(path: Iterable[str | int], around: Link = ()) -> Link:
    """The path that steps lead to from another."""
    for step in path:
        around = around, step
    return around


def format_path(path: Path) -> str:
    """A path as strict decoding names it: `spec.versions[0].schema`."""
    text = ""
    for step in path:
        text += f"[{step}]" if isinstance(step, int) else f".{step}" if text else step
    return text
