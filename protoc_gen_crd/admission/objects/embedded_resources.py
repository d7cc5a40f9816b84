"""Embedded resources in values: validation and normalization of apiVersion, kind, and metadata.

Source: k8s.io/apiextensions-apiserver pkg/apiserver/schema/objectmeta coerce.go, validation.go.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from protoc_gen_crd.admission import metadata_validation
from protoc_gen_crd.admission.field_errors import INVALID, REQUIRED, Cause
from protoc_gen_crd.admission.name_checks import validate_dns1035_label, validate_path_segment
from protoc_gen_crd.admission.objects import metadata_codec
from protoc_gen_crd.admission.version_differences import BARE_DETAILS
from protoc_gen_crd.kubernetes.shared_results import Switches
from protoc_gen_crd.schema.schema import EMBEDDED, Schema


def find_resources(
    value: Any, schema: Schema | None, path: str | None, *, resource: bool
) -> Iterator[tuple[dict[str, Any], str | None]]:
    """Find the resources in a value with their paths; the value itself comes first if it is a resource."""
    if schema is None:
        return
    if isinstance(value, dict):
        if resource or schema.get(EMBEDDED):
            yield value, path
        for key, member in value.items():
            child = schema.properties.get(key)
            if child is not None:
                yield from find_resources(member, child, join_path(path, key), resource=False)
            elif isinstance(schema.additional, Schema):
                yield from find_resources(member, schema.additional, f"{path or ''}[{key}]", resource=False)
    elif isinstance(value, list):
        items = schema.items if isinstance(schema.items, Schema) else None
        for index, item in enumerate(value):
            yield from find_resources(item, items, f"{path or ''}[{index}]", resource=False)


def join_path(path: str | None, step: str) -> str:
    """Append a property to a path."""
    return step if path is None else f"{path}.{step}"


def coerce_value(
    value: Any, schema: Schema | None, path: str | None, switches: Switches, *, resource: bool
) -> tuple[Any, Cause | None]:
    """Return the value with the metadata of its resources decoded and encoded, and the decoding error if any.

    Unknown fields of metadata are dropped. The argument is not modified.
    """
    coercion = MetadataCoercer(switches)
    return coercion.coerce(value, schema, path, resource=resource), coercion.error


class MetadataCoercer:
    """Decodes and encodes the metadata of the resources in one value.

    `error` is the first decoding error, `unknown` the paths of dropped fields. Values from storage (`stored`) are never
    rejected: malformed fields are dropped, and metadata that is not an object is kept.
    """

    def __init__(self, switches: Switches, *, stored: bool = False) -> None:
        self.switches, self.stored = switches, stored
        self.error: Cause | None = None
        self.unknown: list[str] = []

    def coerce(self, value: Any, schema: Schema | None, path: str | None, *, resource: bool = False) -> Any:
        """Return the value with encoded metadata."""
        if schema is None or not isinstance(value, dict | list):
            return value
        if isinstance(value, list):
            items = schema.items if isinstance(schema.items, Schema) else None
            return [self.coerce(item, items, f"{path or ''}[{index}]") for index, item in enumerate(value)]
        members: dict[str, Any] = {}
        for key, member in value.items():
            if resource or schema.get(EMBEDDED):
                if self.stored and key in ("apiVersion", "kind") and not isinstance(member, str):
                    continue
                member = self._coerce_member(key, member, join_path(path, key))
            child = schema.properties.get(key)
            if child is None and isinstance(schema.additional, Schema):
                members[key] = self.coerce(member, schema.additional, f"{path or ''}[{key}]")
            else:
                members[key] = self.coerce(member, child, join_path(path, key))
        return members

    def _coerce_member(self, key: str, value: Any, path: str) -> Any:
        if key in ("apiVersion", "kind") and not isinstance(value, str):
            self.error = self.error or Cause(INVALID, path, "must be a string", value)
        if key != "metadata":
            return value
        metadata = metadata_codec.decode_metadata(value, self.switches, stored=self.stored)
        if metadata.error:
            if not self.stored:
                self.error = self.error or Cause(INVALID, path, metadata.error, value)
            return value
        self.unknown += [f"{path}.{field}" for field in metadata.unknown]
        return metadata_codec.encode_metadata(metadata.members)


def validate_resources(
    value: Any, schema: Schema, path: str | None, switches: Switches, *, resource: bool
) -> Iterator[Cause]:
    """Validate the resources in a value."""
    for resource_value, resource_path in find_resources(value, schema, path, resource=resource):
        detail = "" if BARE_DETAILS in switches else "must not be empty"
        for key in ("apiVersion", "kind"):
            if key not in resource_value:
                yield Cause(REQUIRED, join_path(resource_path, key), detail)
            elif not isinstance(resource_value[key], str):
                yield Cause(INVALID, join_path(resource_path, key), "must be a string", resource_value[key])
            else:
                yield from _validate_type_meta(key, resource_value[key], join_path(resource_path, key))
        if "metadata" in resource_value:
            yield from _validate_metadata(resource_value["metadata"], join_path(resource_path, "metadata"), switches)


def _validate_type_meta(key: str, value: str, path: str) -> Iterator[Cause]:
    if not value:
        yield Cause(INVALID, path, "must not be empty", value)
    elif key == "apiVersion":
        if value.count("/") > 1:
            yield Cause(INVALID, path, f"unexpected GroupVersion string: {value}", value)
    elif faults := validate_dns1035_label(value.lower()):
        detail = "may have mixed case, but should otherwise match: " + ",".join(faults)
        yield Cause(INVALID, path, detail, value)


def _validate_metadata(value: Any, path: str, switches: Switches) -> Iterator[Cause]:
    metadata = metadata_codec.decode_metadata(value, switches)
    if metadata.error:
        yield Cause(INVALID, path, metadata.error, value)
        return
    members = {**metadata.members, "name": metadata.members.get("name") or "fakename"}
    errors = metadata_validation.validate_object_meta(
        members, path, switches, validate_path_segment, namespaced=bool(members.get("namespace"))
    )
    yield from metadata_validation.deduplicate_errors(errors, switches)
