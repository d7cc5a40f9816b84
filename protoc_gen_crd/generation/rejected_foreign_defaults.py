"""Removal of defaults of other vocabularies that API servers reject, so that the CRD stays installable."""

from __future__ import annotations

from collections.abc import Sequence

from protoc_gen_crd.findings.finding import Problems
from protoc_gen_crd.markers.marker import Marker
from protoc_gen_crd.schema.schema import Schema


def drop_rejected_default(schema: Schema, foreign: Sequence[Marker], problems: Problems) -> Schema:
    """Return the schema of a field without defaults that an option of another vocabulary sets and its keywords reject.

    Defaults of items and of values of maps are removed too. Each removal is reported. `foreign` are the markers of
    other vocabularies.
    """
    for keyword in ("items", "additionalProperties"):
        child = schema.get(keyword)
        if isinstance(child, Schema) and (reduced := drop_rejected_default(child, foreign, problems)) is not child:
            schema = schema.with_keywords({keyword: reduced})
    place = (schema.marks or {}).get("default")
    marker = next((marker for marker in foreign if marker.at is place), None)
    if marker is None or "default" not in schema:
        return schema
    from protoc_gen_crd.admission.objects.value_rejection import find_rejection  # noqa: PLC0415 - few fields have one

    error = find_rejection(schema, schema.get("default"))
    if not error:
        return schema
    problem = f"API servers cannot apply {marker.text}: the default is invalid: {error}"
    problems.report("vocabulary-unsupported", problem, marker.at, path=marker.owner, excerpt=marker.excerpt)
    return schema.with_keywords({"default": None})
