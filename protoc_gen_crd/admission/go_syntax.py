"""Go's %#v and encoding/json formats of values, for the error messages of API servers.

`golang.fmt` formats plain JSON values. A `GoTypedValue` has a Go type: a pointer, a slice that may be nil, or one of
the structs of `STRUCTS`, whose fields are read from this package's own types. %#v prints the addresses of pointers
inside structs, which vary between runs of a server; here they are all `0xc000000000`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from typing import Any

from protoc_gen_crd.admission.typed_values import GoTypedValue
from protoc_gen_crd.admission.version_differences import (
    JSON_VALUES,
    MESSAGE_EXPRESSION,
    OPTIONAL_OLD_SELF,
    RATCHETING,
    REASON_AND_FIELD_PATH,
    SELECTABLE_FIELDS,
)
from protoc_gen_crd.golang.fmt import format_number, format_value, marshal_json, quote
from protoc_gen_crd.kubernetes.shared_results import Switches
from protoc_gen_crd.schema.keywords import KEYWORDS
from protoc_gen_crd.schema.schema import Schema

ADDRESS = "0xc000000000"

StructFields = Iterable[tuple[str, str, Any]]


def to_json(value: Any, switches: Switches) -> str:
    """Return a value in the format of encoding/json: keys sorted, no spaces, <, > and & escaped."""
    return marshal_json(value, lambda typed: _format_typed_json(typed, switches))


def _format_typed_json(typed: GoTypedValue, switches: Switches) -> str:
    go_type, value = NAMED_TYPES.get(typed.type, typed.type), typed.value
    if go_type in STRUCTS:
        return _format_struct_json(go_type, value, switches)
    if value is None or go_type == "[]uint8":  # bytes are already base64 strings, as in JSON
        return to_json(value, switches)
    if go_type.startswith("*"):
        return to_json(GoTypedValue(go_type[1:], value), switches)
    if go_type.startswith("[]"):
        return to_json([GoTypedValue(go_type[2:], item) for item in value], switches)
    if go_type.startswith("map[string]"):
        return to_json({key: GoTypedValue(go_type[11:], item) for key, item in value.items()}, switches)
    return to_json(float(value) if go_type == "float64" else value, switches)


def _format_struct_json(kind: str, value: Any, switches: Switches) -> str:
    fields = STRUCTS[kind](value, switches)
    if kind.startswith("v1."):
        fields = [(_TAGS[name], go_type, member) for name, go_type, member in fields if member is not None]
    members = [f'"{name}":{to_json(GoTypedValue(go_type, member), switches)}' for name, go_type, member in fields]
    return "{" + ",".join(members) + "}"


def format_go_syntax(value: Any, switches: Switches) -> str:
    """Return a value in the format of %#v."""
    if isinstance(value, dict):
        members = [f"{quote(key)}:{format_go_syntax(value[key], switches)}" for key in sorted(value)]
        return "map[string]interface {}{" + ", ".join(members) + "}"
    if isinstance(value, list | tuple):
        return "[]interface {}{" + ", ".join(format_go_syntax(item, switches) for item in value) + "}"
    return _format_typed_syntax(value, switches) if isinstance(value, GoTypedValue) else _GO_SCALARS[type(value)](value)


_GO_SCALARS: dict[type, Callable[[Any], str]] = {
    type(None): lambda _: "interface {}(nil)", bool: json.dumps, str: quote, int: str, float: format_number,
}  # fmt: skip


def _format_typed_syntax(typed: GoTypedValue, switches: Switches) -> str:
    kind, value = typed.type, typed.value
    if kind.startswith("*"):
        return f"({kind})({'nil' if value is None else ADDRESS})"
    if kind == "apiextensions.JSON" and value is None:
        return f"{kind}(nil)"
    if kind == "[]uint8":
        from protoc_gen_crd.golang.base64 import decode  # noqa: PLC0415 - only CA bundles are bytes

        return "[]byte{" + ", ".join(f"0x{byte:x}" for byte in decode(value)) + "}"
    underlying = NAMED_TYPES.get(kind, kind)
    if underlying.startswith(("[]", "map[string]")):
        return _format_collection_syntax(kind, underlying, value, switches)
    if kind in STRUCTS:
        fields = [
            f"{name}:{format_go_syntax(GoTypedValue(go_type, member), switches)}"
            for name, go_type, member in STRUCTS[kind](value, switches)
        ]
        return kind + "{" + ", ".join(fields) + "}"
    return format_go_syntax(float(value) if kind == "float64" else value, switches)


def _format_collection_syntax(kind: str, underlying: str, value: Any, switches: Switches) -> str:
    if value is None:
        return f"{kind}(nil)"
    if underlying.startswith("[]"):
        members = [format_go_syntax(GoTypedValue(underlying[2:], item), switches) for item in value]
    else:
        members = [
            f"{quote(key)}:{format_go_syntax(GoTypedValue(underlying[11:], value[key]), switches)}"
            for key in sorted(value)
        ]
    return kind + "{" + ", ".join(members) + "}"


def format_error_value(value: object, switches: Switches) -> str:
    """Return the rejected value of an error message.

    It is JSON since Kubernetes 1.34, and Go syntax before, where nil is \"null\" in quotes.
    """
    if isinstance(value, str):
        return quote(value)
    if isinstance(value, bool | float):
        return format_value(value)
    if JSON_VALUES in switches:
        return to_json(value, switches)
    if isinstance(value, GoTypedValue) and value.type.startswith("*"):
        if value.type == "*v1.Time" and value.value is not None:
            return f"{value.value.replace('T', ' ').removesuffix('Z')} +0000 UTC"
        value = None if value.value is None else _dereference(value)
    return '"null"' if value is None else quote(value) if isinstance(value, str) else format_go_syntax(value, switches)


def _dereference(typed: GoTypedValue) -> object:
    kind = typed.type[1:]
    return typed.value if kind in ("string", "bool") else GoTypedValue(kind, typed.value)


# The fields of the server's structs, read from this package's types.

NAMED_TYPES = {  # Go's named slices and maps
    "apiextensions.ValidationRules": "[]apiextensions.ValidationRule",
    "apiextensions.JSONSchemaDefinitions": "map[string]apiextensions.JSONSchemaProps",
    "apiextensions.JSONSchemaDependencies": "map[string]apiextensions.JSONSchemaPropsOrStringArray",
}


def _list_schema_fields(schema: Schema, _: Switches) -> StructFields:
    for row in KEYWORDS.values():
        yield row.field, row.go_type, schema.keywords.get(row.name, row.zero)


def _list_rule_fields(rule: Any, switches: Switches) -> StructFields:
    yield "Rule", "string", rule.rule
    yield "Message", "string", rule.message
    if MESSAGE_EXPRESSION in switches:
        yield "MessageExpression", "string", rule.message_expression
    if REASON_AND_FIELD_PATH in switches:
        yield "Reason", "*apiextensions.FieldValueErrorReason", rule.reason
        yield "FieldPath", "string", rule.field_path
    if OPTIONAL_OLD_SELF in switches:
        yield "OptionalOldSelf", "*bool", rule.optional_old_self if RATCHETING in switches else None


def _list_schema_or_bool_fields(value: Any, _: Switches) -> StructFields:
    yield "Allows", "bool", value is not False
    yield "Schema", "*apiextensions.JSONSchemaProps", value if isinstance(value, Schema) else None


def _list_schema_or_array_fields(value: Any, _: Switches) -> StructFields:
    yield "Schema", "*apiextensions.JSONSchemaProps", value if isinstance(value, Schema) else None
    yield "JSONSchemas", "[]apiextensions.JSONSchemaProps", value if isinstance(value, list) else None


def _list_schema_or_strings_fields(value: Any, _: Switches) -> StructFields:
    yield "Schema", "*apiextensions.JSONSchemaProps", value if isinstance(value, Schema) else None
    yield "Property", "[]string", None if isinstance(value, Schema) else value


def _list_docs_fields(value: Any, _: Switches) -> StructFields:
    yield "Description", "string", value.get("description", "")
    yield "URL", "string", value.get("url", "")


def _list_version_fields(value: Any, switches: Switches) -> StructFields:
    """List the fields of a version in the server's internal form; `value` has the parts not moved to the top."""
    version = value.version
    yield "Name", "string", version.name
    yield "Served", "bool", version.served
    yield "Storage", "bool", version.storage
    yield "Deprecated", "bool", version.deprecated
    yield "DeprecationWarning", "*string", version.deprecation_warning
    yield "Schema", "*apiextensions.CustomResourceValidation", value.schema
    yield "Subresources", "*apiextensions.CustomResourceSubresources", value.subresources
    yield "AdditionalPrinterColumns", "[]apiextensions.CustomResourceColumnDefinition", value.columns
    if SELECTABLE_FIELDS in switches:
        yield "SelectableFields", "[]apiextensions.SelectableField", value.selectable_fields


def _list_column_fields(column: Any, _: Switches) -> StructFields:
    yield "Name", "string", column.name
    yield "Type", "string", column.type
    yield "Format", "string", column.format
    yield "Description", "string", column.description
    yield "Priority", "int32", column.priority
    yield "JSONPath", "string", column.json_path


def _list_subresource_fields(value: Any, _: Switches) -> StructFields:
    yield "Status", "*apiextensions.CustomResourceSubresourceStatus", () if value.status else None
    yield "Scale", "*apiextensions.CustomResourceSubresourceScale", value.scale


def _list_scale_fields(scale: Any, _: Switches) -> StructFields:
    yield "SpecReplicasPath", "string", scale.spec_replicas_path
    yield "StatusReplicasPath", "string", scale.status_replicas_path
    yield "LabelSelectorPath", "*string", scale.label_selector_path


_OWNER = (
    ("APIVersion", "string", "apiVersion"), ("Kind", "string", "kind"), ("Name", "string", "name"),
    ("UID", "types.UID", "uid"), ("Controller", "*bool", "controller"),
    ("BlockOwnerDeletion", "*bool", "blockOwnerDeletion"),
)  # fmt: skip
_TAGS = {field: tag for field, _, tag in _OWNER}  # JSON names of the fields of a versioned struct


def _list_owner_fields(owner: Any, _: Switches) -> StructFields:
    for field, kind, tag in _OWNER:
        yield field, kind, owner.get(tag, None if kind.startswith("*") else "")


STRUCTS: dict[str, Callable[[Any, Switches], StructFields]] = {
    "apiextensions.JSONSchemaProps": _list_schema_fields,
    "apiextensions.ValidationRule": _list_rule_fields,
    "apiextensions.JSONSchemaPropsOrBool": _list_schema_or_bool_fields,
    "apiextensions.JSONSchemaPropsOrArray": _list_schema_or_array_fields,
    "apiextensions.JSONSchemaPropsOrStringArray": _list_schema_or_strings_fields,
    "apiextensions.ExternalDocumentation": _list_docs_fields,
    "apiextensions.CustomResourceValidation": lambda value, _: [
        ("OpenAPIV3Schema", "*apiextensions.JSONSchemaProps", value.schema)
    ],
    "apiextensions.CustomResourceDefinitionVersion": _list_version_fields,
    "apiextensions.CustomResourceColumnDefinition": _list_column_fields,
    "apiextensions.CustomResourceSubresources": _list_subresource_fields,
    "apiextensions.CustomResourceSubresourceStatus": lambda _value, _: [],
    "apiextensions.CustomResourceSubresourceScale": _list_scale_fields,
    "v1.OwnerReference": _list_owner_fields,
    "apiextensions.SelectableField": lambda path, _: [("JSONPath", "string", path)],
}
