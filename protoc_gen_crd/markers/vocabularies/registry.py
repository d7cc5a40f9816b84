"""Registry of the readers of other vocabularies, which convert options to markers.

Options are parsed with the declarations in the request; the project contains no copy. Each vocabulary is a module with
a table that has a row for every field of its messages. It is imported when a file uses one of its options.
"""

from __future__ import annotations

from collections.abc import Mapping

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.findings.finding import Place
from protoc_gen_crd.proto.element_model import Element

# Full name of an option -> the module that reads it. The first have precedence; native options precede all.
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

RESOURCE = "google.api.resource"  # an option of a message whose patterns apply to the field with the name
RESOURCE_NUMBER = 1053


class FieldBehavior(Record):
    """A field that an option makes output-only or immutable. `option` is its name, `at` its place."""

    field: Element
    option: str
    at: Place
