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

from protoc_gen_crd.base.diagnostics import Location, Place
from protoc_gen_crd.base.record import Record

Path = tuple[str | int, ...]
Places = Callable[[Path], Location | None]

# Named types and what they are underneath; a slice or map type may have a name of its own.
NAMED = {
    "v1.ResourceScope": "string", "v1.ConversionStrategyType": "string", "v1.JSONSchemaURL": "string",
    "v1.FieldValueErrorReason": "string", "v1.ConditionStatus": "string", "types.UID": "string",
    "v1.CustomResourceDefinitionConditionType": "string", "v1.ManagedFieldsOperationType": "string",
    "v1.ValidationRules": "[]v1.ValidationRule", "v1.JSONSchemaDefinitions": "map[string]v1.JSONSchemaProps",
    "v1.JSONSchemaDependencies": "map[string]v1.JSONSchemaPropsOrStringArray",
}  # fmt: skip

_NOTHING: Mapping[str, Place] = MappingProxyType({})
_INTEGERS = {"int32": (-(1 << 31), 1 << 31), "int64": (-(1 << 63), 1 << 63), "uint8": (0, 1 << 8)}
_ZEROS: dict[str, object] = {"string": "", "bool": False, "float64": 0.0, "int32": 0, "int64": 0, "uint8": 0}


class Misfit(Record):
    """A value that does not fit: what it is, the Go type that was wanted, in which struct and on which path of fields.

    `inner` is the path inside a value that decoded itself, which newer servers name as well. `text` is for what is
    worded otherwise.
    """

    found: str
    wanted: str
    struct: str = ""
    fields: tuple[str, ...] = ()
    inner: tuple[str, ...] = ()
    text: str = ""
    path: Path = ()

    def words(self, *, inner: bool) -> str:
        """The server's text; `inner` for servers that name the inner path."""
        if self.text:
            return self.text
        where = ".".join((*self.fields, *self.inner) if inner else self.fields)
        into = f"struct field {self.struct}.{where} of" if self.struct else "value of"
        return f"json: cannot unmarshal {self.found} into Go {into} type {self.wanted}"


class At:
    """Where a value stands in its document; worked out when asked."""

    __slots__ = ("path", "places")

    def __init__(self, places: Places, path: Path) -> None:
        self.places, self.path = places, path

    def resolve(self) -> Location:
        """The place of the value or of the nearest one around it."""
        path = self.path
        while (found := self.places(path)) is None and path:
            path = path[:-1]
        return found or Location("")

    def owner(self) -> str:
        """No element of a .proto stands in a document."""
        return ""


class Marks(Mapping[str, Place]):
    """Where the members of a value stand, by their dotted paths in it."""

    def __init__(self, places: Places, path: Path, members: Iterable[str]) -> None:
        self._places, self._path, self._members = places, path, members

    def __getitem__(self, member: str) -> Place:
        return At(self._places, (*self._path, *member.split(".")))

    def __iter__(self) -> Iterator[str]:
        return iter(self._members)

    def __len__(self) -> int:
        return sum(1 for _ in self._members)


class _EndedError(Exception):
    """Decoding cannot go on."""

    def __init__(self, misfit: Misfit) -> None:
        super().__init__(misfit)
        self.misfit = misfit


Builder = Callable[[dict[str, Any], Path], Any]


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
        self.misfit: Misfit | None = None
        self.unknown: list[Path] = []
        self.met: set[str] = set()
        self._struct = ""
        self._fields: list[str] = []
        self._known: dict[tuple[int, str], tuple[Any, object]] = {}  # with the objects, whose identity is the key

    def decode(self, value: object, kind: str, path: Path = ()) -> Any:
        """The value as this type; None where it does not fit, with `misfit` set."""
        try:
            return self.value(value, kind, path)
        except _EndedError as ended:
            self.misfit = ended.misfit
            return None

    def place(self, path: Path) -> Place | None:
        """Where a value stands."""
        return At(self.places, path) if self.places else None

    def marks(self, path: Path, members: Iterable[str]) -> Mapping[str, Place]:
        """Where the members of a value stand."""
        return Marks(self.places, path, members) if self.places else _NOTHING

    def value(self, value: object, kind: str, path: Path) -> Any:
        """The value as this type, None for null. Raises inside `decode` only."""
        if value is None:
            return None
        kind = kind.removeprefix("*")
        under = NAMED.get(kind, kind)
        if under in self.unions:
            return self._union(value, under, path)
        if under in self.structs:
            return self._known_struct(value, under, path)
        if under.startswith("map[string]"):
            return self._map(value, kind, under[11:], path)
        if under.startswith("[]") and under != "[]uint8":
            return self._list(value, kind, under[2:], path)
        return value if under == "v1.JSON" else self._scalar(value, kind, under, path)

    def _scalar(self, value: object, kind: str, under: str, path: Path) -> Any:
        if under == "[]uint8" and isinstance(value, str | list):
            return self._bytes(value, path)
        if type(value) is _SCALARS.get(under) or (under == "float64" and type(value) is int):
            return value
        if under in _INTEGERS and type(value) in (int, float):
            least, end = _INTEGERS[under]
            if type(value) is int and least <= value < end:
                return value
            return self._misfit(value, kind, path, f"number {value!r}")
        return self._misfit(value, kind, path)

    def _bytes(self, value: str | list[Any], path: Path) -> str:
        """Bytes as base64, in which they come, or as an array of numbers."""
        from protoc_gen_crd.schema import gobase64  # noqa: PLC0415 - bundles alone

        if isinstance(value, list):
            made = [self._element(each, "uint8", (*path, index)) or 0 for index, each in enumerate(value)]
            return gobase64.encode(bytes(made))
        try:
            return gobase64.encode(gobase64.decode(value))
        except gobase64.CorruptError as fault:
            self.misfit = self.misfit or Misfit("", "", text=str(fault), path=path)
            return ""

    def _misfit(self, value: object, kind: str, path: Path, found: str = "") -> None:
        if self.misfit is None:
            found = found or _JSON_NAMES[type(value)]
            self.misfit = Misfit(found, kind, self._struct.rpartition(".")[2], tuple(self._fields), path=path)

    def _list(self, value: object, kind: str, item: str, path: Path) -> Any:
        if not isinstance(value, list):
            return self._misfit(value, kind, path)
        return [self._element(each, item, (*path, index)) for index, each in enumerate(value)]

    def _map(self, value: object, kind: str, item: str, path: Path) -> Any:
        if not isinstance(value, dict):
            return self._misfit(value, kind, path)
        return {key: self._element(each, item, (*path, key)) for key, each in value.items()}

    def _element(self, value: object, kind: str, path: Path) -> Any:
        """A null among values is the type's zero."""
        if value is None and not kind.startswith("*"):
            under = NAMED.get(kind, kind)
            return self.value({}, kind, path) if under in self.structs else _ZEROS.get(under)
        return self.value(value, kind, path)

    def _known_struct(self, value: object, kind: str, path: Path) -> Any:
        """A struct, decoded once where the same object stands in several places."""
        key = id(value), kind
        if key not in self._known:
            unknown = len(self.unknown)
            made = self._struct_value(value, kind, path)
            if len(self.unknown) > unknown or self.misfit is not None or not isinstance(value, dict):
                return made  # of which there is something to say in each place
            self._known[key] = made, value
        return self._known[key][0]

    def _struct_value(self, value: object, kind: str, path: Path) -> Any:
        if not isinstance(value, dict):
            return self._misfit(value, kind, path)
        types, made, struct = self.structs[kind], {}, self._struct
        if kind in self.watched:
            self.met.update(f"{kind}.{key}" for key in value.keys() & types.keys())
        for key, each in value.items():
            wanted = types.get(key)
            if wanted is None:
                self.unknown.append((*path, key))
            elif each is not None:
                self._struct = kind
                self._fields.append(key)
                made[key] = self.value(each, wanted, (*path, key))
                self._fields.pop()
        self._struct = struct
        builder = self.builders.get(kind)
        return builder(made, path) if builder and self.misfit is None else made  # of what is lost, nothing is built

    def _union(self, value: object, kind: str, path: Path) -> Any:
        inner = Decoder(self.structs, self.builders, self.unions, self.places, self.watched)
        inner.met = self.met
        try:
            made = self.unions[kind](value, inner, path)
            fault = inner.misfit
        except _EndedError as ended:
            made, fault = None, ended.misfit
        if fault is None:
            return made
        raise _EndedError(
            fault.replace(
                struct=self._struct.rpartition(".")[2] or fault.struct,
                fields=tuple(self._fields),
                inner=(*fault.fields, *fault.inner),
                path=fault.path or path,
            )
        )


Union = Callable[[Any, Decoder, Path], Any]

_SCALARS: dict[str, type] = {"string": str, "bool": bool, "float64": float}
_JSON_NAMES = {dict: "object", list: "array", str: "string", int: "number", float: "number", bool: "bool"}


def refuse(text: str) -> Any:
    """End the decoding with this text; for functions of unions."""
    raise _EndedError(Misfit("", "", text=text))


def joined(path: Path) -> str:
    """A path as strict decoding names it: `spec.versions[0].schema`."""
    text = ""
    for step in path:
        text += f"[{step}]" if isinstance(step, int) else f".{step}" if text else step
    return text
