"""Resources within values: their apiVersion, kind and metadata.

Source: k8s.io/apiextensions-apiserver pkg/apiserver/schema/objectmeta coerce.go, validation.go.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from protoc_gen_crd.admission import metadata
from protoc_gen_crd.admission.errors import INVALID, REQUIRED, FieldError
from protoc_gen_crd.admission.names import dns1035_label, path_segment
from protoc_gen_crd.admission.switches import BARE_DETAILS, NESTED_MISFITS, Switches
from protoc_gen_crd.crd import objectmeta
from protoc_gen_crd.schema import decode as schema_decode
from protoc_gen_crd.schema.types import EMBEDDED, Schema
from protoc_gen_crd.schema.wire import Decoder

_STRUCTS = {**objectmeta.STRUCTS, **schema_decode.STRUCTS}


def below(
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
                yield from below(member, child, join(path, key), resource=False)
            elif isinstance(schema.additional, Schema):
                yield from below(member, schema.additional, f"{path or ''}[{key}]", resource=False)
    elif isinstance(value, list):
        items = schema.items if isinstance(schema.items, Schema) else None
        for index, item in enumerate(value):
            yield from below(item, items, f"{path or ''}[{index}]", resource=False)


def join(path: str | None, step: str) -> str:
    """A path one member on."""
    return step if path is None else f"{path}.{step}"


def coerced(
    value: Any, schema: Schema | None, path: str | None, switches: Switches, *, resource: bool
) -> tuple[Any, FieldError | None]:
    """The value with metadata as the server writes it again, without unknown fields; and what keeps it from being read.

    The given value is left as it is.
    """
    if schema is None or not isinstance(value, dict | list):
        return value, None
    if isinstance(value, list):
        items = schema.items if isinstance(schema.items, Schema) else None
        made = [
            coerced(item, items, f"{path or ''}[{index}]", switches, resource=False) for index, item in enumerate(value)
        ]
        return [item for item, _ in made], next((error for _, error in made if error), None)
    members: dict[str, Any] = {}
    refused: FieldError | None = None
    for key, member in value.items():
        error = None
        if resource or schema.get(EMBEDDED):
            member, error = _of_resource(key, member, join(path, key), switches)
        child = schema.properties.get(key)
        if child is None and isinstance(schema.additional, Schema):
            members[key], below_error = coerced(
                member, schema.additional, f"{path or ''}[{key}]", switches, resource=False
            )
        else:
            members[key], below_error = coerced(member, child, join(path, key), switches, resource=False)
        refused = refused or error or below_error
    return members, refused


def _of_resource(key: str, value: Any, path: str, switches: Switches) -> tuple[Any, FieldError | None]:
    if key in ("apiVersion", "kind") and not isinstance(value, str):
        return value, FieldError(INVALID, path, "must be a string", value)
    if key != "metadata":
        return value, None
    made, reason = _undecodable(value, switches)
    return (value, FieldError(INVALID, path, reason, value)) if reason else (_written(made), None)


def _written(meta: dict[str, Any]) -> dict[str, Any]:
    """Metadata as Go writes it: nothing that is empty, but all of a reference that must be there."""
    kept = {key: value for key, value in meta.items() if value not in (None, "", 0, {}, [])}
    if "ownerReferences" in kept:
        blank = {"apiVersion": "", "kind": "", "name": "", "uid": ""}
        kept["ownerReferences"] = [blank | owner for owner in kept["ownerReferences"]]
    return kept


def _undecodable(value: Any, switches: Switches) -> tuple[dict[str, Any], str]:
    """Metadata as the server reads it, and why not."""
    decoder = Decoder(_STRUCTS, {}, {**schema_decode.UNIONS, **objectmeta.UNIONS})
    made = decoder.decode(value, objectmeta.OBJECT_META)
    if decoder.misfit is not None:
        return {}, decoder.misfit.words(inner=NESTED_MISFITS in switches)
    return made or {}, ""


def validated(
    value: Any, schema: Schema, path: str | None, switches: Switches, *, resource: bool
) -> Iterator[FieldError]:
    """What is wrong with the resources in a value."""
    for found, where in below(value, schema, path, resource=resource):
        detail = "" if BARE_DETAILS in switches else "must not be empty"
        for key in ("apiVersion", "kind"):
            if key not in found:
                yield FieldError(REQUIRED, join(where, key), detail)
            elif not isinstance(found[key], str):
                yield FieldError(INVALID, join(where, key), "must be a string", found[key])
            else:
                yield from _type_meta(key, found[key], join(where, key))
        if "metadata" in found:
            yield from _metadata(found["metadata"], join(where, "metadata"), switches)


def _type_meta(key: str, value: str, path: str) -> Iterator[FieldError]:
    if not value:
        yield FieldError(INVALID, path, "must not be empty", value)
    elif key == "apiVersion":
        if value.count("/") > 1:
            yield FieldError(INVALID, path, f"unexpected GroupVersion string: {value}", value)
    elif faults := dns1035_label(value.lower()):
        words = "may have mixed case, but should otherwise match: " + ",".join(faults)
        yield FieldError(INVALID, path, words, value)


def _metadata(value: Any, path: str, switches: Switches) -> Iterator[FieldError]:
    made, reason = _undecodable(value, switches)
    if reason:
        yield FieldError(INVALID, path, reason, value)
        return
    meta = {**made, "name": made.get("name") or "fakename"}
    yield from metadata.created(meta, path, switches, path_segment, namespaced=bool(meta.get("namespace")))
