"""Options of resources for the members of a CRD other than its schemas."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

Json = dict[str, Any]
_COLUMN = {
    "name": "name", "type": "type", "jsonPath": "json_path", "description": "description", "format": "format",
    "priority": "priority",
}  # fmt: skip
_SCALE = {
    "specReplicasPath": "spec_replicas_path",
    "statusReplicasPath": "status_replicas_path",
    "labelSelectorPath": "label_selector_path",
}


def make_resource_options(manifest: Json, versions: Sequence[str], message: str) -> Json:
    """Return the members of message Resource for versions with equal schemas.

    Args:
        manifest: The manifest of the CRD.
        versions: The names of the versions that the message defines.
        message: The name of the message.
    """
    spec = manifest["spec"]
    entries = [spec["versions"][name] for name in versions]
    names, first = spec["names"], entries[0]
    subresources = first.get("subresources") or {}
    options = {
        "group": spec["group"],
        "kind": names["kind"] if names["kind"] != message else "",
        "versions": list(versions),
        "storage_version": next((entry["name"] for entry in entries if entry["storage"]), ""),
        **_make_name_options(names),
        "scope": spec["scope"] if spec["scope"] != "Namespaced" else "",
        "shape": "OBJECT",
        "status_subresource": "status" in subresources,
        "scale": _rename(subresources["scale"], _SCALE) if "scale" in subresources else {},
        "columns": [_rename(column, _COLUMN) for column in first.get("additionalPrinterColumns") or ()],
        "selectable_fields": [entry["jsonPath"] for entry in first.get("selectableFields") or ()],
        "unserved_versions": [entry["name"] for entry in entries if not entry["served"]],
        "deprecated_versions": [_make_deprecation(entry) for entry in entries if entry.get("deprecated")],
        "labels": _make_entries(manifest["metadata"].get("labels") or {}),
        "annotations": _make_entries(manifest["metadata"].get("annotations") or {}),
    }
    return {key: value for key, value in options.items() if value not in ("", [], {}, False)}


def _make_name_options(names: Json) -> Json:
    lowercase = names["kind"].lower()
    return {
        "plural": names["plural"],
        "singular": names["singular"] if names["singular"] != lowercase else "",
        "list_kind": names["listKind"] if names["listKind"] != f"{names['kind']}List" else "",
        "short_names": names.get("shortNames") or [],
        "categories": names.get("categories") or [],
    }


def _make_deprecation(entry: Json) -> Json:
    warning = entry.get("deprecationWarning")
    return {"version": entry["name"], **({"warning": warning} if warning else {})}


def _make_entries(values: Json) -> list[Json]:
    """Return the entries of a map field."""
    return [{"key": key, "value": value} for key, value in sorted(values.items())]


def _rename(members: Json, names: dict[str, str]) -> Json:
    return {names[key]: value for key, value in members.items()}
