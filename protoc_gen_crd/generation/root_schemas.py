"""Builder of the root schema of a version: apiVersion, kind, metadata, and the schema of the message."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from protoc_gen_crd.findings.finding import Problems
from protoc_gen_crd.generation.message_schemas import MessageBuilder
from protoc_gen_crd.generation.resource_messages import STRATEGY
from protoc_gen_crd.markers.declared_resources import DeclaredResource
from protoc_gen_crd.proto.api_set import ApiSet
from protoc_gen_crd.proto.element_model import Field, Message
from protoc_gen_crd.schema.schema import CONVERSION, PRESERVE, Schema
from protoc_gen_crd.settings.settings import Settings


class RootBuilder:
    """Builds root schemas. Equal roots are the same object, so that equal versions are processed once.

    Shortcut equal-roots: a root depends on the version only by the schemas and the resource of the key, which the root
    keeps alive.
    """

    def __init__(self, api: ApiSet, messages: MessageBuilder, settings: Settings, problems: Problems) -> None:
        self._api = api
        self._messages = messages
        self._settings = settings
        self._problems = problems
        self._roots: dict[tuple[object, ...], Schema] = {}

    def build_root(self, message: Message, resource: DeclaredResource, version: str) -> Schema:
        """Return the root schema of a version of a resource."""
        is_object = self._choose_shape(message, resource) == "OBJECT"
        if is_object:
            self._messages.add_object_message(message.full_name)
        spec = self._messages.get_schema(message.full_name, version)
        status = resource.get("status")
        status_schema = (
            self._messages.get_schema(status, version) if status and self._api.find_message(status) else None
        )
        key = id(spec), id(status_schema), id(resource)
        root = self._roots.get(key)
        if root is None:
            build = self._build_object if is_object else self._wrap_spec
            root = self._roots[key] = build(message, spec, resource, version)
        return root

    def _choose_shape(self, message: Message, resource: DeclaredResource) -> str:
        """Return the declared shape, or SPEC for +cue-gen tags, OBJECT with fields of objects, or else the setting."""
        if shape := resource.get("shape"):
            return str(shape)
        if resource.kind:
            return "SPEC"
        if any(_is_object_field(field) for field in self._messages.list_fields(message)):
            return "OBJECT"
        return self._settings.resource_shape.upper()

    def _wrap_spec(self, message: Message, spec: Schema, resource: DeclaredResource, version: str) -> Schema:
        spec = self._add_conversion(self._preserve_paths(spec, message, resource), message, resource)
        properties = {**_make_type_meta(), "spec": spec, **self._build_declared_status(message, resource, version)}
        keywords: dict[str, Any] = {"type": "object", "properties": properties}
        if resource.get("spec_required"):
            keywords["required"] = ["spec"]
        return Schema(keywords, message.at)

    def _preserve_paths(self, spec: Schema, message: Message, resource: DeclaredResource) -> Schema:
        """Return the schema of the spec with unknown fields preserved at the paths of the resource."""
        if not resource.get("preserve_unknown_fields"):
            return spec
        from protoc_gen_crd.generation.preserved_paths import apply_preserved_paths  # noqa: PLC0415 - few declare paths

        return apply_preserved_paths(spec, resource, self._problems, message.full_name)

    def _add_conversion(self, spec: Schema, message: Message, resource: DeclaredResource) -> Schema:
        conversions = resource.get("conversion")
        if not conversions:
            return spec
        self._messages.note_conversion()
        at = resource.get_place("conversion")
        return spec.with_facts({CONVERSION: tuple([(values, at, message.full_name) for values in conversions])})

    def _build_declared_status(self, message: Message, resource: DeclaredResource, version: str) -> dict[str, Schema]:
        if resource.get("status_subresource") or resource.get("status"):
            return {"status": self._build_status(message, resource, version)}
        return {}

    def _build_status(self, message: Message, resource: DeclaredResource, version: str) -> Schema:
        name = resource.get("status")
        if not name:
            return Schema({"type": "object", PRESERVE: True}, message.at)
        if self._api.find_message(name) is None:
            self._problems.report(
                "type-missing",
                f'status message "{name}" is not in the request',
                resource.get_place("status"),
                path=message.full_name,
                hint=self._suggest_full_name(name, message) or f"import its file; {STRATEGY}",
            )
            return Schema({"type": "object", PRESERVE: True}, message.at)
        return self._messages.get_schema(name, version)

    def _suggest_full_name(self, name: str, message: Message) -> str:
        """Return a hint for a name without its package or message, or for a misspelled name; else empty."""
        from protoc_gen_crd.base.suggestions import did_you_mean, find_nearest  # noqa: PLC0415 - only an error pays for it

        scopes = [message.full_name, self._api.get_file(message.file).package]
        full = next((f"{scope}.{name}" for scope in scopes if self._api.find_message(f"{scope}.{name}")), None)
        scope, _, last = name.rpartition(".")
        messages = [
            other for other in self._api.target_messages if other.full_name.startswith(f"{scope}." if scope else "")
        ]
        names = {other.name: other.full_name for other in messages}
        return did_you_mean(full or names.get(find_nearest(last, names, 0.7) or ""))

    def _build_object(self, message: Message, schema: Schema, resource: DeclaredResource, version: str) -> Schema:
        if "spec" not in schema.properties and self._is_spec_required(message, resource):
            self._problems.report(
                "resource-shape",
                f'resource of shape OBJECT has no field "spec" (fields: {", ".join(schema.properties) or "none"})',
                resource.get_place("spec_required" if resource.get("spec_required") else "shape"),
                path=message.full_name,
                hint="set (protoc_gen_crd.v1.resource).shape: SPEC if the message is itself the spec, "
                "OBJECT if the object has no spec",
            )
            return schema
        self._check_spec_name(message, schema)
        if resource.get("status") and "status" in schema.properties:
            self._problems.report(
                "resource-shape",
                f'duplicate status: "{message.name}" has a field "status", and "{resource.get("status")}" is set',
                resource.get_place("status"),
                path=message.full_name,
            )
        self._check_members(message, schema)
        if resource.get("status_subresource") or resource.get("status"):
            self._check_root_oneofs(message, schema)
        status = self._build_declared_status(message, resource, version) if resource.get("status") else {}
        properties = {**status, **schema.properties}
        if "spec" in properties:
            properties["spec"] = self._preserve_paths(properties["spec"], message, resource)
        required = {*(schema.get("required") or ()), *(["spec"] if resource.get("spec_required") else ())}
        changes: dict[str, Any] = {
            "properties": {
                **properties,
                **_get_type_meta(properties),
                "metadata": self._build_metadata(message, properties),
            }
        }
        if required or "required" in schema:
            changes["required"] = sorted(required - {"apiVersion", "kind"}) or None
        return schema.with_keywords(changes)

    def _build_metadata(self, message: Message, properties: Mapping[str, Schema]) -> Schema:
        declared = properties.get("metadata")
        if declared is None:
            return _ANY
        from protoc_gen_crd.generation.metadata_schema import build_metadata_schema  # noqa: PLC0415 - few declare it

        types = [field.type_name for field in self._messages.list_fields(message) if field.json_name == "metadata"]
        metadata = self._api.find_message(types[0]) if types else None
        fields = {field.json_name: field for field in metadata.fields} if metadata else {}
        return build_metadata_schema(declared, fields, self._problems)

    def _check_root_oneofs(self, message: Message, schema: Schema) -> None:
        """Report oneofs that become `oneOf` at the root with the status subresource.

        The finding has the place of the API server's error, which it replaces.
        """
        if self._settings.oneof == "cel" or not schema.keywords.keys() & {"oneOf", "allOf"}:
            return
        for oneof in message.oneofs:
            problem = (
                f'oneof "{oneof.name}" becomes oneOf at the root of {message.name}, which API servers reject with the '
            )
            problem += "status subresource"
            hint = "set oneof=cel for a CEL rule instead, or move the fields of the oneof into the message of spec"
            self._problems.report("resource-shape", problem, message.at, path=message.full_name, hint=hint)

    def _check_spec_name(self, message: Message, schema: Schema) -> None:
        """Report a field whose message is named like a spec and whose own name is a misspelled `spec`."""
        fields = () if "spec" in schema.properties else self._messages.list_fields(message)
        if any(field.json_name == "spec" for field in fields):
            return
        for field in filter(_is_misspelled_spec, fields):
            problem = f'resource of shape OBJECT has a field "{field.name}" and no field "spec"'
            self._problems.report(
                "resource-shape", problem, field.at, path=field.full_name, hint='did you mean "spec"?'
            )

    def _check_members(self, message: Message, schema: Schema) -> None:
        """Report fields with the name of a field of every object, but with another type or case."""
        for field in self._messages.list_fields(message):
            name, child = field.json_name, schema.properties.get(field.json_name)
            member = next((member for member in _MEMBERS if member.lower() == name.lower()), name)
            if member != name:
                problem = f'field "{name}" differs only in case from "{member}", which every object has'
            elif child is not None and name in ("apiVersion", "kind") and child.type != "string":
                problem = f'"{name}" has {f"type {child.type}" if child.type else "no type"}, expected string'
            else:
                continue
            self._problems.report("resource-shape", problem, field.at, path=field.full_name)

    def _is_spec_required(self, message: Message, resource: DeclaredResource) -> bool:
        """Return whether the object needs a spec: it is not declared as OBJECT, or a marker refers to the spec."""
        if resource.get("spec_required") or resource.get("preserve_unknown_fields"):
            return True
        return not resource.get("shape") and not any(
            _is_object_field(field) for field in self._messages.list_fields(message)
        )


def _is_object_field(field: Field) -> bool:
    """Return whether a field belongs to whole objects: a message `spec`, or Kubernetes' metadata."""
    return (
        field.kind == "message"
        and not field.repeated
        and (field.json_name == "spec" or (field.json_name, field.type_name) == _METADATA_FIELD)
    )


def _is_misspelled_spec(field: Field) -> bool:
    from protoc_gen_crd.base.suggestions import find_misspelled  # noqa: PLC0415 - few objects have no spec

    is_spec = field.kind == "message" and not field.repeated and field.type_name.endswith("Spec")
    return is_spec and find_misspelled(field.name, ["spec"], 1) is not None


def _get_type_meta(properties: Mapping[str, Schema]) -> dict[str, Schema]:
    """Return the schemas of apiVersion and kind, with the keywords of their fields."""
    schemas = dict.fromkeys(("apiVersion", "kind"), _STRING)
    for name in schemas:
        declared = properties.get(name)
        if declared is None or declared.type != "string":
            continue
        if "description" in (declared.marks or ()):
            schemas[name] = declared
        elif declared.keywords.keys() - {"type", "description"}:
            schemas[name] = declared.with_keywords({"description": None})
    return schemas


def _make_type_meta() -> dict[str, Schema]:
    return {"apiVersion": _STRING, "kind": _STRING, "metadata": _ANY}


_MEMBERS = ("apiVersion", "kind", "metadata", "spec", "status")
_METADATA_FIELD = ("metadata", "k8s.io.apimachinery.pkg.apis.meta.v1.ObjectMeta")
_ANY = Schema({"type": "object"})
_STRING = Schema({"type": "string"})
