"""Options of a resource for several versions: members that differ get ranges."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from protoc_gen_crd.importer.version_runs import RangeError, find_range, list_runs, merge_sequences

Json = dict[str, Any]
_JOINED = ("versions", "unserved_versions", "deprecated_versions")
_OF_RANGES = ("scale", "selectable_fields", "status_subresource")  # members that `during` can have


def merge_resources(resources: Mapping[str, Mapping[str, Any]]) -> Json:
    """Return the options of a resource for versions, by age. Raises RangeError if other members differ."""
    newest_first = list(resources.values())[::-1]
    merged: Json = {}
    for name in dict.fromkeys(name for resource in newest_first for name in resource):
        values = [resource.get(name) for resource in newest_first]
        if name in _JOINED:
            merged[name] = [item for value in values for item in value or ()]
        elif name == "columns":
            merged[name] = _merge_columns(resources)
        elif name == "storage_version":
            merged[name] = next(value for value in values if value)
        elif all(value == values[0] for value in values):
            merged[name] = values[0]
        elif name not in _OF_RANGES:
            raise RangeError
    others = {
        version: {name: resource[name] for name in _OF_RANGES if name in resource and name not in merged}
        for version, resource in resources.items()
    }
    during = [{**ends, **members} for ends, members in list_runs(others) if members]
    return {**merged, **({"during": during} if during else {})}


def _merge_columns(resources: Mapping[str, Mapping[str, Any]]) -> list[Json]:
    versions = tuple(resources)
    texts = {
        version: [json.dumps(column) for column in resource.get("columns", ())]
        for version, resource in resources.items()
    }
    return [{**json.loads(text), **find_range(present, versions)} for text, present in merge_sequences(texts)]
