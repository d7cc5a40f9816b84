"""Table of messages and enums with a special JSON form: google.protobuf.* and Kubernetes' types.

Sources: the proto JSON mapping (protobuf.dev/programming-guides/json), and the output of controller-gen v0.23.0 for
Kubernetes' Go types (pkg/crd/known_types.go).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from protoc_gen_crd.generation.scalar_types import INT_OR_STRING_KEYWORDS
from protoc_gen_crd.markers.marker_behavior import DURATION
from protoc_gen_crd.schema.schema import PRESERVE, Schema

_TIME: Mapping[str, Any] = {"type": "string", "format": "date-time"}
_QUANTITY = (
    r"^(\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))))?$"
)
_OBJECT: Mapping[str, Any] = {"type": "object"}
_ANY_OBJECT: Mapping[str, Any] = {"type": "object", PRESERVE: True}
_ANY_VALUE: Mapping[str, Any] = {PRESERVE: True}

_STRING_LIST: Mapping[str, Any] = {"type": "array", "items": Schema({"type": "string"})}
_NAMED_LISTS = (  # Go types of lists, for which protobuf needs a message
    ("authentication", "AttestationValue"),
    ("authentication", "ExtraValue"),
    ("authorization", "ExtraValue"),
    ("certificates", "ExtraValue"),
)

_META = "k8s.io.apimachinery.pkg.apis.meta.v1."
_EXTENSIONS = "k8s.io.apiextensions_apiserver.pkg.apis.apiextensions."

OBJECT_META = f"{_META}ObjectMeta"
_STRING_MAP = Schema({"type": "object", "additionalProperties": Schema({"type": "string"})})
EMBEDDED_OBJECT_META: Mapping[str, Any] = {  # what controller-gen writes with generateEmbeddedObjectMeta=true
    "type": "object",
    "properties": {
        "annotations": _STRING_MAP,
        "finalizers": Schema(_STRING_LIST),
        "labels": _STRING_MAP,
        "name": Schema({"type": "string"}),
        "namespace": Schema({"type": "string"}),
    },
}

WRAPPERS: Mapping[str, str] = {
    "google.protobuf.BoolValue": "bool",
    "google.protobuf.BytesValue": "bytes",
    "google.protobuf.DoubleValue": "double",
    "google.protobuf.FloatValue": "float",
    "google.protobuf.Int32Value": "int32",
    "google.protobuf.Int64Value": "int64",
    "google.protobuf.StringValue": "string",
    "google.protobuf.UInt32Value": "uint32",
    "google.protobuf.UInt64Value": "uint64",
}

MESSAGES: Mapping[str, Mapping[str, Any]] = {
    "google.protobuf.Any": _ANY_OBJECT,
    "google.protobuf.Duration": {"type": "string", "format": DURATION},
    "google.protobuf.Empty": {"type": "object", "maxProperties": 0},
    "google.protobuf.FieldMask": {"type": "string"},
    "google.protobuf.ListValue": {"type": "array", "items": Schema(_ANY_VALUE)},
    "google.protobuf.Struct": _ANY_OBJECT,
    "google.protobuf.Timestamp": _TIME,
    "google.protobuf.Value": _ANY_VALUE,
    "k8s.io.apimachinery.pkg.api.resource.Quantity": {**INT_OR_STRING_KEYWORDS, "pattern": _QUANTITY},
    "k8s.io.apimachinery.pkg.runtime.RawExtension": _ANY_OBJECT,
    "k8s.io.apimachinery.pkg.util.intstr.IntOrString": INT_OR_STRING_KEYWORDS,
    f"{_EXTENSIONS}v1.JSON": _ANY_VALUE,
    f"{_EXTENSIONS}v1beta1.JSON": _ANY_VALUE,
    f"{_META}Duration": {"type": "string"},
    f"{_META}FieldsV1": _OBJECT,
    f"{_META}MicroTime": _TIME,
    OBJECT_META: _OBJECT,
    f"{_META}Time": _TIME,
    f"{_META}Verbs": _STRING_LIST,
    **{
        f"k8s.io.api.{group}.{version}.{name}": _STRING_LIST
        for group, name in _NAMED_LISTS
        for version in ("v1", "v1beta1")
    },
}

# The only value of NullValue is null in JSON. Proto parsers also accept its name.
ENUMS: Mapping[str, Mapping[str, Any]] = {
    "google.protobuf.NullValue": {"type": "string", "nullable": True, "pattern": "^NULL_VALUE$"},
}
