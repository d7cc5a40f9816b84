"""The root schema of a version: apiVersion, kind and metadata around what the message describes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from protoc_gen_crd.base.diagnostics import Problems
from protoc_gen_crd.build.messages import MessageBuilder
from protoc_gen_crd.build.metadata import ANY, metadata
from protoc_gen_crd.build.preserve import preserving
from protoc_gen_crd.build.sources import STRATEGY
from protoc_gen_crd.markers.resource import Declared
from protoc_gen_crd.proto.load import ApiSet
from protoc_gen_crd.proto.model import Field, Message
from protoc_gen_crd.schema.types import CONVERSION, PRESERVE, Schema
from protoc_gen_crd.settings import Settings


class RootBuilder:
    """Makes root schemas; equal ones are one value, so that equal versions are worked out and printed once."""

    def __init__(self, api: ApiSet, messages: MessageBuilder, settings: Settings, problems: Problems) -> None:
        self._api = api
        self._messages = messages
        self._settings = settings
        self._problems = problems
        self._made: dict[tuple[object, ...], Schema] = {}

    def root(self, message: Message, resource: Declared, version: str) -> Schema:
        """The root schema of one version of a resource."""
        is_object = self._shape(message, resource) == "OBJECT"
        if is_object:
            self._messages.is_object(message.full_name)
        spec = self._messages.message(message.full_name, version)
        status = resource.get("status")
        beside = self._messages.message(status, version) if status and self._api.message(status) else None
        key = id(spec), id(beside), id(resource)
        known = self._made.get(key)
        if known is None:
            make = self._object if is_object else self._around
            known = self._made[key] = make(message, spec, resource, version)
        return known

    def _shape(self, message: Message, resource: Declared) -> str:
        """Its own word, else SPEC for +cue-gen tags, else OBJECT for what looks like one, else the setting's."""
        if shape := resource.get("shape"):
            return str(shape)
        if resource.kind:
            return "SPEC"
        if any(_of_objects(field) for field in message.fields):
            return "OBJECT"
        return self._settings.resource_shape.upper()

    def _around(self, message: Message, spec: Schema, resource: Declared, version: str) -> Schema:
        spec = self._converted(preserving(spec, resource, self._problems, message.full_name), message, resource)
        properties = {**_type_meta(), "spec": spec, **self._declared_status(message, resource, version)}
        keywords: dict[str, Any] = {"type": "object", "properties": properties}
        if resource.get("spec_required"):
            keywords["required"] = ["spec"]
        return Schema(keywords, message.at)

    def _converted(self, spec: Schema, message: Message, resource: Declared) -> Schema:
        said = resource.get("conversion")
        if not said:
            return spec
        self._messages.converts()
        at = resource.place("conversion")
        return spec.knowing({CONVERSION: tuple([(values, at, message.full_name) for values in said])})

    def _declared_status(self, message: Message, resource: Declared, version: str) -> dict[str, Schema]:
        if resource.get("status_subresource") or resource.get("status"):
            return {"status": self._status(message, resource, version)}
        return {}

    def _status(self, message: Message, resource: Declared, version: str) -> Schema:
        name = resource.get("status")
        if not name:
            return Schema({"type": "object", PRESERVE: True}, message.at)
        if self._api.message(name) is None:
            self._problems.report(
                "type-missing",
                f'the status message must be in the request, "{name}" is not',
                resource.place("status"),
                path=message.full_name,
                hint=self._full_name(name, message) or f"import its file; {STRATEGY}",
            )
            return Schema({"type": "object", PRESERVE: True}, message.at)
        return self._messages.message(name, version)

    def _full_name(self, name: str, message: Message) -> str:
        """A hint for a name that is one only in the package of the message, or in the message."""
        scopes = [message.full_name, self._api.file(message.file).package]
        full = next((f"{scope}.{name}" for scope in scopes if self._api.message(f"{scope}.{name}")), "")
        return f'did you mean "{full}"?' if full else ""

    def _object(self, message: Message, schema: Schema, resource: Declared, version: str) -> Schema:
        if "spec" not in schema.properties and self._must_have_spec(message, resource):
            self._problems.report(
                "resource-shape",
                f'a resource of shape OBJECT must have a field "spec", found {", ".join(schema.properties) or "none"}',
                resource.place("spec_required" if resource.get("spec_required") else "shape"),
                path=message.full_name,
                hint="set (protoc_gen_crd.v1.resource).shape: SPEC if the message is itself the spec, "
                "OBJECT if there is none",
            )
            return schema
        if resource.get("status") and "status" in schema.properties:
            self._problems.report(
                "resource-shape",
                f'a resource must have one status, found a field of "{message.name}" and "{resource.get("status")}"',
                resource.place("status"),
                path=message.full_name,
            )
        self._check_members(message, schema)
        status = self._declared_status(message, resource, version) if resource.get("status") else {}
        properties = {**status, **schema.properties}
        if "spec" in properties:
            properties["spec"] = preserving(properties["spec"], resource, self._problems, message.full_name)
        required = {*(schema.get("required") or ()), *(["spec"] if resource.get("spec_required") else ())}
        changes: dict[str, Any] = {
            "properties": {**properties, **_own_type_meta(properties), "metadata": self._metadata(message, properties)}
        }
        if required or "required" in schema:
            changes["required"] = sorted(required - {"apiVersion", "kind"}) or None
        return schema.having(changes)

    def _metadata(self, message: Message, properties: Mapping[str, Schema]) -> Schema:
        types = [field.type_name for field in message.fields if field.json_name == "metadata"]
        found = self._api.message(types[0]) if types else None
        fields = {field.json_name: field for field in found.fields} if found else {}
        return metadata(properties.get("metadata"), fields, self._problems)

    def _check_members(self, message: Message, schema: Schema) -> None:
        """Report fields that every object has, with another type or name than there: nothing of them would be left."""
        for field in message.fields:
            name, made = field.json_name, schema.properties.get(field.json_name)
            known = next((member for member in _MEMBERS if member.lower() == name.lower()), name)
            if known != name:
                wanted = f'a member that every object has must be called as there, "{known}"'
                found = f'"{name}"'
            elif made is not None and name in ("apiVersion", "kind") and made.type != "string":
                wanted = f'"{name}" must be of type string'
                found = made.type or "no type"
            else:
                continue
            self._problems.report("resource-shape", f"{wanted}, found {found}", field.at, path=field.full_name)

    def _must_have_spec(self, message: Message, resource: Declared) -> bool:
        """Whether nothing says that the object goes without a spec, or a marker speaks of one."""
        if resource.get("spec_required") or resource.get("preserve_unknown_fields"):
            return True
        return not resource.get("shape") and not any(_of_objects(field) for field in message.fields)


def _of_objects(field: Field) -> bool:
    """Whether a field is one that whole objects have: a message `spec`, or Kubernetes' metadata."""
    return (
        field.kind == "message"
        and not field.repeated
        and (field.json_name == "spec" or (field.json_name, field.type_name) == _METADATA_FIELD)
    )


def _own_type_meta(properties: Mapping[str, Schema]) -> dict[str, Schema]:
    """The schemas of apiVersion and kind, with what the markers of their fields say."""
    made = dict.fromkeys(("apiVersion", "kind"), _TEXT)
    for name in made:
        own = properties.get(name)
        if own is not None and own.type == "string" and own.keywords.keys() - {"type", "description"}:
            made[name] = own.having({"description": None})
    return made


def _type_meta() -> dict[str, Schema]:
    return {"apiVersion": _TEXT, "kind": _TEXT, "metadata": ANY}


_MEMBERS = ("apiVersion", "kind", "metadata", "spec", "status")
_METADATA_FIELD = ("metadata", "k8s.io.apimachinery.pkg.apis.meta.v1.ObjectMeta")
_TEXT = Schema({"type": "string"})
