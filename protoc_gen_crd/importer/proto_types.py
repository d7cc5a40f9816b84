"""Proto types for schemas without properties: scalars and messages with a special JSON form."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.generation.scalar_types import SCALARS
from protoc_gen_crd.generation.well_known_types import MESSAGES
from protoc_gen_crd.schema.schema import INT_OR_STRING, Schema
from protoc_gen_crd.schema.schema_encoder import EncodedSchemas, encode

Json = dict[str, Any]

VALUE, STRUCT, LIST = "google.protobuf.Value", "google.protobuf.Struct", "google.protobuf.ListValue"
_QUANTITY = "k8s.io.apimachinery.pkg.api.resource.Quantity"
_INT_OR_STRING = "k8s.io.apimachinery.pkg.util.intstr.IntOrString"
_OBJECT_META = "k8s.io.apimachinery.pkg.apis.meta.v1.ObjectMeta"
_FILES = {
    VALUE: "google/protobuf/struct.proto",
    STRUCT: "google/protobuf/struct.proto",
    LIST: "google/protobuf/struct.proto",
    "google.protobuf.Timestamp": "google/protobuf/timestamp.proto",
    "google.protobuf.Duration": "google/protobuf/duration.proto",
    _OBJECT_META: "k8s.io/apimachinery/pkg/apis/meta/v1/generated.proto",
    _QUANTITY: "k8s.io/apimachinery/pkg/api/resource/generated.proto",
    _INT_OR_STRING: "k8s.io/apimachinery/pkg/util/intstr/generated.proto",
}


class ProtoType(Record):
    """A proto type with the keywords that the generator derives from it. `file` is empty for scalars."""

    name: str
    keywords: Mapping[str, Any]
    file: str = ""


def _make_type(name: str) -> ProtoType:
    keywords = MESSAGES.get(name) or SCALARS[name]
    return ProtoType(name, encode(Schema(keywords), EncodedSchemas()), _FILES.get(name, ""))


_BY_FORM = {  # type and format -> proto type
    ("boolean", None): "bool",
    ("integer", "int32"): "int32",
    ("integer", "int64"): "int64",
    ("number", "double"): "double",
    ("number", "float"): "float",
    ("string", "byte"): "bytes",
    ("string", "date-time"): "google.protobuf.Timestamp",
    ("string", "duration"): "google.protobuf.Duration",
}
_BY_TYPE = {
    "boolean": "bool",
    "integer": "int64",
    "number": "double",
    "string": "string",
    "object": STRUCT,
    "array": LIST,
}
_NAMES = {  # properties -> name of Kubernetes' type, whose own message lacks the descriptions
    frozenset(properties.split()): name
    for properties, name in (
        ("apiVersion blockOwnerDeletion controller kind name uid", "OwnerReference"),
        ("apiVersion fieldPath kind name namespace resourceVersion uid", "ObjectReference"),
        ("claims limits requests", "ResourceRequirements"),
        ("effect key operator tolerationSeconds value", "Toleration"),
        ("lastTransitionTime message observedGeneration reason status type", "Condition"),
        ("limits requests", "ResourceRequirements"),
        ("matchExpressions matchLabels", "LabelSelector"),
        ("name value valueFrom", "EnvVar"),
    )
}
_EXACT = {frozenset(SCALARS[name].items()): name for name in ("uint32", "uint64")}
_TYPES = {name: _make_type(name) for name in (*SCALARS, *_FILES)}


def choose_type(schema: Json) -> ProtoType:
    """Return the proto type whose keywords are closest to a schema."""
    if schema.get(INT_OR_STRING):
        either = _TYPES[_QUANTITY].keywords["anyOf"]
        if schema.get("anyOf") == either and "type" not in schema:
            pattern = schema.get("pattern") == _TYPES[_QUANTITY].keywords["pattern"]
            return _TYPES[_QUANTITY if pattern else _INT_OR_STRING]
        return _TYPES[VALUE]
    kind = schema.get("type")
    if kind == "integer" and "format" not in schema:
        bounds = frozenset((key, schema[key]) for key in ("type", "minimum", "maximum") if key in schema)
        return _TYPES[_EXACT.get(bounds, "int64")]
    name = _BY_FORM.get((str(kind), schema.get("format"))) or _BY_TYPE.get(str(kind), VALUE)
    return _TYPES[name]


def find_metadata_type(json_name: str, keywords: Collection[str]) -> ProtoType | None:
    """Return the type of the metadata of an embedded object, which has no properties; None for other schemas."""
    return _TYPES[_OBJECT_META] if json_name == "metadata" and keywords == {"type"} else None


def find_type_name(properties: Collection[str]) -> str:
    """Return the name of Kubernetes' type with these properties; empty if there is none."""
    return _NAMES.get(frozenset(properties), "")


def get_file(name: str) -> str:
    """Return the file of a type to import; empty for scalars and for messages of CRDs."""
    return _FILES.get(name.removeprefix("."), "")


def get_type(name: str) -> ProtoType:
    """Return a proto type by name."""
    return _TYPES[name]
