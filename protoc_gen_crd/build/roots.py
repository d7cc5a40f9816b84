"""The root schema of a version: apiVersion, kind and metadata around what the message describes."""

from __future__ import annotations

from typing import Any

from protoc_gen_crd.base.diagnostics import Problems
from protoc_gen_crd.build.messages import MessageBuilder
from protoc_gen_crd.build.preserve import preserving
from protoc_gen_crd.build.sources import STRATEGY
from protoc_gen_crd.markers.resource import Declared
from protoc_gen_crd.proto.load import ApiSet
from protoc_gen_crd.proto.model import Message
from protoc_gen_crd.schema.types import PRESERVE, Schema
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
        spec = self._messages.message(message.full_name, version)
        key = id(spec), id(resource)
        known = self._made.get(key)
        if known is None:
            make = self._object if self._shape(message, resource) == "OBJECT" else self._around
            known = self._made[key] = make(message, spec, resource, version)
        return known

    def _shape(self, message: Message, resource: Declared) -> str:
        """Its own word, else SPEC for +cue-gen tags, else OBJECT for a message that has a message field spec."""
        if shape := resource.get("shape"):
            return str(shape)
        if resource.kind:
            return "SPEC"
        if any(field.name == "spec" and field.kind == "message" for field in message.fields):
            return "OBJECT"
        return self._settings.resource_shape.upper()

    def _around(self, message: Message, spec: Schema, resource: Declared, version: str) -> Schema:
        spec = preserving(spec, resource, self._problems, message.full_name)
        properties = {**_type_meta(), "spec": spec, **self._declared_status(message, resource, version)}
        keywords: dict[str, Any] = {"type": "object", "properties": properties}
        if resource.get("spec_required"):
            keywords["required"] = ["spec"]
        return Schema(keywords, message.at)

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
                hint=f"import its file; {STRATEGY}",
            )
            return Schema({"type": "object", PRESERVE: True}, message.at)
        return self._messages.message(name, version)

    def _object(self, message: Message, schema: Schema, resource: Declared, version: str) -> Schema:
        spec = schema.properties.get("spec")
        if spec is None:
            self._problems.report(
                "resource-shape",
                f'a resource of shape OBJECT must have a field "spec", found {", ".join(schema.properties) or "none"}',
                resource.place("shape"),
                path=message.full_name,
                hint="if the message is itself the spec, set (protoc_gen_crd.v1.resource).shape = SPEC",
            )
            return schema
        if resource.get("status") and "status" in schema.properties:
            self._problems.report(
                "resource-shape",
                f'a resource must have one status, found a field of "{message.name}" and "{resource.get("status")}"',
                resource.place("status"),
                path=message.full_name,
            )
        spec = preserving(spec, resource, self._problems, message.full_name)
        status = {**self._declared_status(message, resource, version), **schema.properties}
        required = {*(schema.get("required") or ()), *(["spec"] if resource.get("spec_required") else ())}
        changes: dict[str, Any] = {"properties": {**status, "spec": spec, **_type_meta()}}
        if required or "required" in schema:
            changes["required"] = sorted(required - _type_meta().keys()) or None
        return schema.having(changes)


def _type_meta() -> dict[str, Schema]:
    return {"apiVersion": _TEXT, "kind": _TEXT, "metadata": _METADATA}


_TEXT = Schema({"type": "string"})
_METADATA = Schema({"type": "object"})
