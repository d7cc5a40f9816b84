"""The Go types of the metadata of Kubernetes objects, for decoding.

Source: k8s.io/apimachinery pkg/apis/meta/v1 types.go.
"""

from __future__ import annotations

from typing import Any

from protoc_gen_crd.golang.rfc3339 import normalize_to_utc, parse_error
from protoc_gen_crd.schema.go_type_decoder import Decoder, Link, Union, stop_decoding

OBJECT_META = "v1.ObjectMeta"
OWNER_REFERENCE = "v1.OwnerReference"

STRUCTS: dict[str, dict[str, str]] = {
    OBJECT_META: {
        "name": "string", "generateName": "string", "namespace": "string", "selfLink": "string", "uid": "types.UID",
        "resourceVersion": "string", "generation": "int64", "creationTimestamp": "v1.Time",
        "deletionTimestamp": "*v1.Time", "deletionGracePeriodSeconds": "*int64", "labels": "map[string]string",
        "annotations": "map[string]string", "ownerReferences": "[]v1.OwnerReference", "finalizers": "[]string",
        "managedFields": "[]v1.ManagedFieldsEntry",
    },
    OWNER_REFERENCE: {
        "apiVersion": "string", "kind": "string", "name": "string", "uid": "types.UID", "controller": "*bool",
        "blockOwnerDeletion": "*bool",
    },
    "v1.ManagedFieldsEntry": {
        "manager": "string", "operation": "v1.ManagedFieldsOperationType", "apiVersion": "string", "time": "*v1.Time",
        "fieldsType": "string", "fieldsV1": "*v1.JSON", "subresource": "string",
    },
}  # fmt: skip


def _decode_time(value: Any, decoder: Decoder, path: Link) -> Any:
    timestamp = decoder.decode_value(value, "string", path)
    if timestamp is None:
        return None
    error = parse_error(timestamp)
    return normalize_to_utc(timestamp) if error is None else stop_decoding(error)


UNIONS: dict[str, Union] = {"v1.Time": _decode_time}
