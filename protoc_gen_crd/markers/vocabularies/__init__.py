"""Options of other annotation vocabularies as markers, so that all later checks, places and docs hold for them too.

They are read by the declarations in the request, of which no copy is here. Each vocabulary is a module with a table of
rows, a row for every field of its messages. It is imported when a file uses one of its options.
"""

from __future__ import annotations

from collections.abc import Mapping

from protoc_gen_crd.base.diagnostics import Place
from protoc_gen_crd.base.record import Record
from protoc_gen_crd.proto.model import Element

# Options by full name -> the module that reads them, of higher precedence first. Our own come before all.
READERS: Mapping[str, str] = {
    "google.api.field_behavior": "google_api",
    "google.api.field_info": "google_api",
    "google.api.resource": "google_api",
    "google.api.resource_reference": "google_api",
    "buf.validate.field": "buf_validate",
    "buf.validate.message": "buf_validate",
    "buf.validate.oneof": "buf_validate",
    "validate.rules": "pgv",
    "validate.disabled": "pgv",
    "validate.ignored": "pgv",
    "validate.required": "pgv",
    "grpc.gateway.protoc_gen_openapiv2.options.openapiv2_schema": "openapiv2",
    "grpc.gateway.protoc_gen_openapiv2.options.openapiv2_field": "openapiv2",
    "grpc.gateway.protoc_gen_openapiv2.options.openapiv2_enum": "openapiv2",
    "protoc_gen_crd.k8s_crd": "yandex",
    "protoc_gen_crd.k8s_patch": "yandex",
    "protoc_gen_crd.schema": "yandex",
}


class Behavior(Record):
    """What a field does as `text` at `at` says: only a server writes it, or it stays as it was."""

    field: Element
    text: str
    at: Place
