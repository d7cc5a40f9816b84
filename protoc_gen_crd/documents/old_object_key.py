"""The old object of a test document, its key `_old`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from protoc_gen_crd.admission.objects.error_paths import DocumentPath
from protoc_gen_crd.base.bounded_json import format_json
from protoc_gen_crd.findings.finding import Location, Problems
from protoc_gen_crd.kubernetes.api_version_names import get_api_group

Json = dict[str, Any]

OLD = "_old"

# Fields that the old object shares with the document: the key, its name in messages, and the part that is compared.
_SHARED_FIELDS: Sequence[tuple[str, str, Callable[[str], str]]] = (
    ("kind", "kind", str),
    ("apiVersion", "API group", get_api_group),
)


def check_old_object(old: Json, obj: Json, place: Callable[[DocumentPath], Location], problems: Problems) -> None:
    """Report an old object of another kind or group, which an update cannot change."""
    for key, noun, convert in _SHARED_FIELDS:
        current, previous = obj.get(key), old.get(key, obj.get(key))
        if not isinstance(current, str):
            continue
        if not isinstance(previous, str):
            message = f'{key} of "_old" is {describe_value(previous)}, expected a string'
            problems.report("case-value", message, place(("_old", key)))
        elif convert(previous) != convert(current):
            message = f'{noun} of "_old" is {format_json(previous)}, but the document has {format_json(current)}'
            problems.report("case-value", message, place(("_old", key)))
    if not isinstance(old.get("metadata", {}), dict):
        message = f'metadata of "_old" is {describe_value(old["metadata"])}, expected an object'
        problems.report("case-value", message, place(("_old", "metadata")))


def complete_old_object(old: Json, obj: Json) -> Json:
    """Complete the old object with the type and metadata of the document."""
    complete: Json = {**{key: obj[key] for key in ("apiVersion", "kind", "metadata") if key in obj}, **old}
    current, previous = obj.get("metadata"), old.get("metadata")
    if isinstance(current, dict) and isinstance(previous, dict):
        complete["metadata"] = {**current, **previous}
    return complete


def omit_shared_fields(old: Json, written: Json, obj: Json) -> Json:
    """Return an old object as a document states it: the inverse of `complete_old_object`.

    The type and metadata of the document are omitted unless the old object states or changes them.

    Args:
        old: The whole old object.
        written: The old object in the document before.
        obj: The document without its keys.
    """
    omitted = {key for key in ("apiVersion", "kind", "metadata") if key not in written and old.get(key) == obj.get(key)}
    complete = {key: value for key, value in old.items() if key not in omitted}
    metadata, current, previous = complete.get("metadata"), obj.get("metadata"), written.get("metadata", {})
    if isinstance(metadata, dict) and isinstance(current, dict) and isinstance(previous, dict):
        fields = {key: value for key, value in metadata.items() if key in previous or value != current.get(key)}
        complete["metadata"] = fields
    return complete


def describe_value(value: Any) -> str:
    """Describe the type of a value of a key, or the scalar, for messages."""
    kinds = {dict: "an object", list: "a list", type(None): "nothing"}
    return kinds.get(type(value)) or (f'"{value}"' if isinstance(value, str) else str(value).lower())
