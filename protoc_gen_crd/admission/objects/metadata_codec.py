"""Decoding and encoding of object metadata, as the Go type ObjectMeta represents it.

Source: k8s.io/apiextensions-apiserver pkg/apiserver/schema/objectmeta algorithm.go.
"""

from __future__ import annotations

from typing import Any

from protoc_gen_crd.admission.version_differences import NESTED_DECODING_PATHS
from protoc_gen_crd.base.record import Record
from protoc_gen_crd.crd import metadata_go_types
from protoc_gen_crd.golang.fmt import format_number
from protoc_gen_crd.golang.rfc3339 import ZERO
from protoc_gen_crd.kubernetes.api_server_limits import MAX_STRICT_ERRORS
from protoc_gen_crd.kubernetes.shared_results import Switches
from protoc_gen_crd.schema import schema_decoder as schema_decode
from protoc_gen_crd.schema.go_type_decoder import Decoder, Path, TypeMismatch, format_path

_STRUCTS = {**metadata_go_types.STRUCTS, **schema_decode.STRUCTS}
_UNIONS = {**schema_decode.UNIONS, **metadata_go_types.UNIONS}
_STRINGS = frozenset(("name", "generateName", "namespace", "resourceVersion", "uid"))
_MAPS = frozenset(("labels", "annotations"))
_EXPONENTIAL = 21  # from this power of ten on Go writes numbers with an exponent
_EMPTY: tuple[object, ...] = (None, "", 0, {}, [])
_POINTERS = ("deletionGracePeriodSeconds", "fieldsV1")
_CREATION, _TIMES = "creationTimestamp", ("deletionTimestamp", "time")  # a zero time is omitted, or null
_OWNER = {"apiVersion": "", "kind": "", "name": "", "uid": ""}


class DecodedMetadata(Record):
    """Decoded metadata: its members, the paths of unknown fields, and the decoding error."""

    members: dict[str, Any]
    unknown: tuple[str, ...] = ()
    error: str = ""


def decode_metadata(value: Any, switches: Switches, *, stored: bool = False) -> DecodedMetadata:
    """Decode metadata; malformed fields are errors, but are dropped from `stored` metadata."""
    if _is_plain(value):
        return DecodedMetadata({key: member for key, member in value.items() if member})
    decoded, unknown, misfit = _decode(_normalize(value))
    if misfit is None:
        return DecodedMetadata(encode_metadata(decoded), tuple(unknown[:MAX_STRICT_ERRORS]))
    if not stored or not isinstance(value, dict):
        return DecodedMetadata({}, (), misfit.format_message(inner=NESTED_DECODING_PATHS in switches))
    members: dict[str, Any] = {}
    for key, member in value.items():
        decoded, _, misfit = _decode({key: member})
        members.update(decoded if misfit is None else {})
    return DecodedMetadata(encode_metadata(members))


def find_mismatch(value: Any) -> Path | None:
    """Return the path of the value of the wrong type in metadata that cannot be decoded; None if there is none."""
    misfit = _decode(_normalize(value))[2]
    return misfit.path if misfit else None


def _is_plain(value: Any) -> bool:
    """Return true if decoding certainly keeps metadata as it is; nearly all metadata is of this kind.

    Shortcut plain-metadata: decoding keeps strings and maps of strings as they are, and encoding only drops what is
    empty.
    """
    if type(value) is not dict:
        return False
    for key, member in value.items():
        if key in _STRINGS:
            if type(member) is not str:
                return False
        elif key not in _MAPS or type(member) is not dict or not all(type(item) is str for item in member.values()):
            return False
    return True


def _normalize(value: Any) -> Any:
    """Return a value as Go encodes it before it is decoded as metadata: sorted keys, integers without a point."""
    if type(value) is dict:
        return {key: _normalize(value[key]) for key in sorted(value)}
    if type(value) is float and value.is_integer() and abs(value) < 10**_EXPONENTIAL:
        return int(format_number(value, large=_EXPONENTIAL))  # the shortest digits, padded with zeros
    return [_normalize(item) for item in value] if type(value) is list else value


def _decode(value: Any) -> tuple[dict[str, Any], list[str], TypeMismatch | None]:
    decoder = Decoder(_STRUCTS, {}, _UNIONS)
    decoded = decoder.decode(value, metadata_go_types.OBJECT_META)
    return decoded or {}, [format_path(path) for path in decoder.unknown], decoder.misfit


def encode_metadata(members: dict[str, Any]) -> dict[str, Any]:
    """Encode metadata: empty fields are omitted, except the required fields of owner references."""
    encoded = _drop_empty(members)
    if "managedFields" in encoded:
        encoded["managedFields"] = [_drop_empty(entry) for entry in encoded["managedFields"]]
    if "ownerReferences" in encoded:
        encoded["ownerReferences"] = [_OWNER | owner for owner in encoded["ownerReferences"]]
    return encoded


def _drop_empty(members: dict[str, Any]) -> dict[str, Any]:
    return {
        key: None if value == ZERO and key in _TIMES else value
        for key, value in members.items()
        if (value not in _EMPTY or (key in _POINTERS and value is not None))
        and not (key == _CREATION and value == ZERO)
    }
