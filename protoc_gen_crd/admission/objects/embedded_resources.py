"""Resources within values: their apiVersion, kind and metadata.

Source: k8s.io/apiextensions-apiserver pkg/apiserver/schema/objectmeta coerce.go, validation.go.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from protoc_gen_crd.admission import metadata_rules
from protoc_gen_crd.admission.field_errors import INVALID, REQUIRED, FieldError
from protoc_gen_crd.admission.name_checks import validate_dns1035_label, validate_path_segment
from protoc_gen_crd.admission.objects import metadata_codec
from protoc_gen_crd.admission.switches import BARE_DETAILS, Switches
from protoc_gen_crd.schema.schema import EMBEDDED, Schema


def find_resources(
    value: Any, schema: Schema | None, path: str | None, *, resource: bool
) -> Iterator[tuple[dict[str, Any], str | None]]:
    """The resources in a value with their paths, the value itself first if it is one."""
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
    """A path one member on."""
    return step if path is None else f"{path}.{step}"


def coerce_value(
    value: Any, schema: Schema | None, path: str | None, switches: Switches, *, resource: bool
) -> tuple[Any, FieldError | None]:
    """The value with metadata as the server writes it again, without unknown fields; and what keeps it from being read.

    The given value is left as it is.
    """
    coercion = MetadataCoercer(switches)
    return coercion.coerce(value, schema, path, resource=resource), coercion.error


class MetadataCoercer:
    """Reads and writes the metadata of resources within one value.

    `error` is the first that cannot be read, `unknown` the paths of fields that get lost. What comes out of storage
    (`stored`) is never refused: there, members that are malformed get lost, and metadata that is no object stays.
    """

    def __init__(self, switches: Switches, *, stored: bool = False) -> None:
        self.switches, self.stored = switches, stored
        self.error: FieldError | None = None
        self.unknown: list[str] = []

    def coerce(self, value: Any, schema: Schema | None, path: str | None, *, resource: bool = False) -> Any:
        """The value as it is written again."""
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
            self.error = self.error or FieldError(INVALID, path, "must be a string", value)
        if key != "metadata":
            return value
        made = metadata_codec.decode_metadata(value, self.switches, stored=self.stored)
        if made.error:
            if not self.stored:
                self.error = self.error or FieldError(INVALID, path, made.error, value)
            return value
        self.unknown += [f"{path}.{field}" for field in made.unknown]
        return metadata_codec.encode_metadata(made.members)


def validate_resources(
    value: Any, schema: Schema, path: str | None, switches: Switches, *, resource: bool
) -> Iterator[FieldError]:
    """What is wrong with the resources in a value."""
    for found, where in find_resources(value, schema, path, resource=resource):
        detail = "" if BARE_DETAILS in switches else "must not be empty"
        for key in ("apiVersion", "kind"):
            if key not in found:
                yield FieldError(REQUIRED, join_path(where, key), detail)
            elif not isinstance(found[key], str):
                yield FieldError(INVALID, join_path(where, key), "must be a string", found[key])
            else:
                yield from _validate_type_meta(key, found[key], join_path(where, key))
        if "metadata" in found:
            yield from _validate_metadata(found["metadata"], join_path(where, "metadata"), switches)


def _validate_type_meta(key: str, value: str, path: str) -> Iterator[FieldError]:
    if not value:
        yield FieldError(INVALID, path, "must not be empty", value)
    elif key == "apiVersion":
        if value.count("/") > 1:
            yield FieldError(INVALID, path, f"unexpected GroupVersion string: {value}", value)
    elif faults := validate_dns1035_label(value.lower()):
        words = "may have mixed case, but should otherwise match: " + ",".join(faults)
        yield FieldError(INVALID, path, words, value)


def _validate_metadata(value: Any, path: str, switches: Switches) -> Iterator[FieldError]:
    made = metadata_codec.decode_metadata(value, switches)
    if made.error:
        yield FieldError(INVALID, path, made.error, value)
        return
    members = {**made.members, "name": made.members.get("name") or "fakename"}
    errors = metadata_rules.validate_object_meta(
        members, path, switches, validate_path_segment, namespaced=bool(members.get("namespace"))
    )
    yield from metadata_rules.deduplicate_errors(errors, switches)
