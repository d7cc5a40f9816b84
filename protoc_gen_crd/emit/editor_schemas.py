"""JSON Schemas of kinds, for completion and errors in editors and for validators of manifests.

The layout is that of kubeconform and of schema catalogs: `{group}/{kind}_{version}.json`, with the kind in lower case.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from protoc_gen_crd.crd.crd import Crd, CrdVersion
from protoc_gen_crd.emit.editor_schema_keywords import STRING, JsonSchema, JsonSchemaEncoder, make_deprecation
from protoc_gen_crd.emit.json_formatter import JsonFormatter
from protoc_gen_crd.emit.output_file import OutputFile
from protoc_gen_crd.schema.schema import PRESERVE, Schema

_DRAFT = "http://json-schema.org/draft-07/schema#"
_TYPE_META = ("apiVersion", "kind", "metadata")
_OPTIONAL_STRING = {"type": ["string", "null"]}
_STRINGS_BY_KEY = {"type": ["object", "null"], "additionalProperties": _OPTIONAL_STRING}
# The fields of metadata that manifests set; others are accepted.
_METADATA: Mapping[str, JsonSchema] = {
    "name": {**_OPTIONAL_STRING, "description": "The name of the object, unique for its kind and namespace."},
    "generateName": {**_OPTIONAL_STRING, "description": "The prefix of a name that the server generates."},
    "namespace": {**_OPTIONAL_STRING, "description": "The namespace of the object."},
    "labels": {**_STRINGS_BY_KEY, "description": "The labels of the object, which selectors match."},
    "annotations": {**_STRINGS_BY_KEY, "description": "The annotations of the object."},
    "finalizers": {"type": ["array", "null"], "items": STRING},
    "ownerReferences": {"type": ["array", "null"], "items": {"type": "object"}},
}


def make_editor_schemas(crds: Sequence[Crd]) -> list[OutputFile]:
    """Return the JSON Schema of each served version of each kind, sorted by path."""
    files = [file for crd in crds for file in _make_schemas_of_kind(crd)]
    return sorted(files, key=lambda file: file.name)


def _make_schemas_of_kind(crd: Crd) -> Iterator[OutputFile]:
    """Yield the JSON Schemas of the served versions, which share most nodes."""
    encoder, formatter = JsonSchemaEncoder(), JsonFormatter()
    served = [version for version in crd.versions if version.served and version.schema is not None]
    schemas = [make_kind_schema(crd, version, encoder) for version in served]
    for version, schema in zip(served, schemas, strict=True):
        path = get_schema_path(crd.group, crd.names.kind, version.name)
        yield OutputFile(path, (formatter.format(schema) + "\n",))


def get_schema_path(group: str, kind: str, version: str) -> str:
    """Return the path of the schema of a kind below the folder of schemas."""
    return f"{group}/{kind.lower()}_{version}.json"


def make_kind_schema(crd: Crd, version: CrdVersion, encoder: JsonSchemaEncoder | None = None) -> JsonSchema:
    """Return the JSON Schema of the objects of a version. An encoder shares the nodes of several versions."""
    schema = version.schema or Schema({})
    root = (encoder or JsonSchemaEncoder()).encode(schema)
    own = root.get("properties") or {}
    head = {
        "apiVersion": _add_description({**STRING, "enum": [f"{crd.group}/{version.name}"]}, own.get("apiVersion")),
        "kind": _add_description({**STRING, "enum": [crd.names.kind]}, own.get("kind")),
        "metadata": _make_metadata(own.get("metadata") or {}),
    }
    required = [name for name in root.get("required", ()) if name not in _TYPE_META]
    whole = {
        "$schema": _DRAFT,
        "title": f"{crd.names.kind} {crd.group}/{version.name}",
        **root,
        "properties": head | {name: child for name, child in own.items() if name not in _TYPE_META},
        "required": ["apiVersion", "kind", *required],
    }
    if not schema.get(PRESERVE):
        whole["additionalProperties"] = False
    if version.deprecated:
        whole |= make_deprecation(version.deprecation_warning or f"{crd.group}/{version.name} is deprecated.")
    return whole


def _make_metadata(own: JsonSchema) -> JsonSchema:
    """Return the schema of metadata, with the constraints on the name that the CRD adds."""
    members = own.get("properties") or {}
    properties = {name: _merge_constraints(common, members.get(name) or {}) for name, common in _METADATA.items()}
    return _add_description({"type": "object", "properties": properties}, own)


def _merge_constraints(common: JsonSchema, own: JsonSchema) -> JsonSchema:
    return {**common, **{keyword: value for keyword, value in own.items() if keyword != "type"}}


def _add_description(schema: JsonSchema, own: JsonSchema | None) -> JsonSchema:
    """Add the description that the CRD has for a field of all objects."""
    description = (own or {}).get("description")
    return {**schema, "description": description} if description else schema
