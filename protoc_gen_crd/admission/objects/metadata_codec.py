"""The metadata of an object out of its JSON and back: what Go's types hold of it.

Source: k8s.io/apiextensions-apiserver pkg/apiserver/schema/objectmeta algorithm.go.
"""

from __future__ import annotations

from typing import Any

from protoc_gen_crd.admission.switches import NESTED_DECODING_PATHS, Switches
from protoc_gen_crd.base.record import Record
from protoc_gen_crd.crd import object_meta
from protoc_gen_crd.golang.fmt import format_number
from protoc_gen_crd.golang.rfc3339 import ZERO
from protoc_gen_crd.schema import schema_decoder as schema_decode
from protoc_gen_crd.schema.json_decoder import MAX_STRICT_ERRORS, Decoder, TypeMismatch, format_path

_STRUCTS = {**object_meta.STRUCTS, **schema_decode.STRUCTS}
_UNIONS = {**schema_decode.UNIONS, **object_meta.UNIONS}
_TEXTS = frozenset(("name", "generateName", "namespace", "resourceVersion", "uid"))
_MAPS = frozenset(("labels", "annotations"))
_EXPONENTIAL = 21  # from this power of ten on Go writes numbers with an exponent
_EMPTY: tuple[object, ...] = (None, "", 0, {}, [])
_POINTERS = ("deletionGracePeriodSeconds", "fieldsV1")
_CREATION, _TIMES = "creationTimestamp", ("deletionTimestamp", "time")  # of which zero is left out, and null
_OWNER = {"apiVersion": "", "kind": "", "name": "", "uid": ""}


class DecodedMetadata(Record):
    """Metadata by its members, paths of fields that nobody knows, and why it cannot be read."""

    members: dict[str, Any]
    unknown: tuple[str, ...] = ()
    error: str = ""


def decode_metadata(value: Any, switches: Switches, *, stored: bool = False) -> DecodedMetadata:
    """Metadata as the server reads it; out of storage, what is malformed is dropped."""
    if _is_plain(value):
        return DecodedMetadata({key: member for key, member in value.items() if member})
    made, unknown, misfit = _decode(_normalize(value))
    if misfit is None:
        return DecodedMetadata(encode_metadata(made), tuple(unknown[:MAX_STRICT_ERRORS]))
    if not stored or not isinstance(value, dict):
        return DecodedMetadata({}, (), misfit.format_message(inner=NESTED_DECODING_PATHS in switches))
    members: dict[str, Any] = {}
    for key, member in value.items():
        made, _, misfit = _decode({key: member})
        members.update(made if misfit is None else {})
    return DecodedMetadata(encode_metadata(members))


def _is_plain(value: Any) -> bool:
    """Whether metadata is certain to be read as it is; nearly all is.

    Shortcut plain-metadata: decoding keeps strings and maps of strings as they are, and encoding only drops what is
    empty.
    """
    if type(value) is not dict:
        return False
    for key, member in value.items():
        if key in _TEXTS:
            if type(member) is not str:
                return False
        elif key not in _MAPS or type(member) is not dict or not all(type(each) is str for each in member.values()):
            return False
    return True


def _normalize(value: Any) -> Any:
    """A value as Go writes it before it is read as metadata: keys in order, whole numbers without a point."""
    if type(value) is dict:
        return {key: _normalize(value[key]) for key in sorted(value)}
    if type(value) is float and value.is_integer() and abs(value) < 10**_EXPONENTIAL:
        return int(format_number(value, large=_EXPONENTIAL))  # digits of which the last may be noughts
    return [_normalize(each) for each in value] if type(value) is list else value


def _decode(value: Any) -> tuple[dict[str, Any], list[str], TypeMismatch | None]:
    decoder = Decoder(_STRUCTS, {}, _UNIONS)
    made = decoder.decode(value, object_meta.OBJECT_META)
    return made or {}, [format_path(path) for path in decoder.unknown], decoder.misfit


def encode_metadata(members: dict[str, Any]) -> dict[str, Any]:
    """Metadata as Go writes it: nothing that is empty, but all of a reference that must be there."""
    kept = _drop_empty(members)
    if "managedFields" in kept:
        kept["managedFields"] = [_drop_empty(entry) for entry in kept["managedFields"]]
    if "ownerReferences" in kept:
        kept["ownerReferences"] = [_OWNER | owner for owner in kept["ownerReferences"]]
    return kept


def _drop_empty(members: dict[str, Any]) -> dict[str, Any]:
    return {
        key: None if value == ZERO and key in _TIMES else value
        for key, value in members.items()
        if (value not in _EMPTY or (key in _POINTERS and value is not None))
        and not (key == _CREATION and value == ZERO)
    }
