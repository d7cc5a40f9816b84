"""Reader of the options of Yandex' protoc-gen-crd, package `protoc_gen_crd`, for migration.

Only kustomize uses patch keys; API servers ignore them. Their equivalent in server-side apply is the list type.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from protoc_gen_crd.markers.vocabularies.field_shapes import UNCOMPARABLE, has_message_items
from protoc_gen_crd.markers.vocabularies.option_reader import ElementOptions, OptionNode
from protoc_gen_crd.markers.vocabularies.vocabulary_rows import (
    Row,
    make_external_row,
    make_ignored_row,
    make_unsupported_row,
)
from protoc_gen_crd.proto.custom_options import OptionValue
from protoc_gen_crd.proto.element_model import Field, Message

CRD: Mapping[str, Row] = {
    "api_group": make_external_row("`resource.group`"),
    "kind": make_external_row("`resource.kind`"),
    "singular": make_external_row("`resource.singular`"),
    "plural": make_external_row("`resource.plural`"),
    "short_names": make_external_row("`resource.short_names`"),
    "categories": make_external_row("`resource.categories`"),
    "additional_columns": make_external_row("`resource.columns`"),
    "scope": make_external_row("`resource.scope`"),
    "field_patch_strategies": make_unsupported_row(
        "it applies to other fields: mark those with list_type and list_map_keys"
    ),
}
COLUMN: Mapping[str, Row] = {
    name: make_external_row(f"`resource.columns.{name}`")
    for name in ("name", "type", "format", "description", "json_path", "priority")
}
PATCH: Mapping[str, Row] = {
    "merge_key": make_external_row("`list_map_keys`; the key must be required or have a default"),
    "merge_strategy": make_external_row(
        "`list_type`: `merge` is `map` with a key and `set` without, `replace` `atomic`"
    ),
}
SELECTOR: Mapping[str, Row] = {
    name: make_ignored_row("part of `field_patch_strategies`, which is not supported")
    for name in ("protobuf_type", "field_path", "k8s_patch")
}
SIDES: Mapping[str, Row] = {
    "SS_COMMON": make_ignored_row("no effect"),
    "SS_CLIENT": make_unsupported_row("a CRD contains only fields that API servers know: remove it from the message"),
}
TABLE: Mapping[str, Mapping[str, Row]] = {
    "K8sCRD": CRD,
    "PrinterColumn": COLUMN,
    "K8sPatch": PATCH,
    "K8sPatchSelector": SELECTOR,
    "SchemaSide": SIDES,
}
_SAME = {"api_group": "group", **{name: name for name in ("kind", "singular", "plural", "short_names", "categories")}}
_SCOPES = {"ST_NAMESPACED": "Namespaced", "ST_CLUSTER": "Cluster"}
_INT64 = {"int64", "uint64", "google.protobuf.Int64Value", "google.protobuf.UInt64Value"}
_COLUMN_FORMATS = {
    "BYTE": "byte", "DATE": "date", "DATETIME": "date-time", "DOUBLE": "double", "FLOAT": "float", "INT32": "int32",
    "INT64": "int64", "PASSWORD": "password",
}  # fmt: skip


def read(option: OptionValue, reading: ElementOptions) -> None:
    """Read one of the options."""
    name = option.name.rpartition(".")[2]
    if name == "k8s_crd" and isinstance(reading.element, Message):
        _read_crd(reading.make_node(option, "MessageOptions"), reading)
    elif name == "k8s_patch" and isinstance(reading.element, Field):
        _read_patch(reading.make_node(option, "FieldOptions"), reading, reading.element)
    elif name == "schema":
        node = OptionNode({}, "", f"({option.name}) = {option.value}", option.path)
        row = SIDES.get(str(option.value))
        if row is None:
            reading.report_unknown(node, SIDES)
        elif row.unsupported:
            reading.report_untranslated(node, row.description)


def _read_crd(node: OptionNode, reading: ElementOptions) -> None:
    """Read a resource as Yandex' tool generates it: version v1 with the status subresource."""
    members: dict[str, Any] = {"shape": "OBJECT", "status_subresource": True}
    for name, value in node.values.items():
        below = reading.get_member_node(node, name)
        if name in _SAME:
            members[_SAME[name]] = value
        elif name == "scope":
            members["scope"] = _SCOPES[value]
        elif name == "additional_columns":
            members["columns"] = [_make_column(column) for column in value]
        elif name in CRD:
            reading.report_untranslated(below, CRD[name].description)
        else:
            reading.report_unknown(below, CRD)
    if reading.is_resource:
        reading.add_missing_members(members, node)
    else:
        reading.add_members("Resource", {"versions": ["v1"], **members}, node)
    _report_differences(node, reading)


def _make_column(option: Mapping[str, Any]) -> dict[str, Any]:
    column = {name: option[name] for name in ("name", "description", "json_path", "priority") if name in option}
    column["type"] = option.get("type", "").removeprefix("CT_").lower()
    form = _COLUMN_FORMATS.get(option.get("format", "").removeprefix("CF_"))
    return {**column, "format": form} if form else column


def _report_differences(node: OptionNode, reading: ElementOptions) -> None:
    """Report objects that only Yandex' tool accepts: with other field names, 64-bit strings, or reserved fields."""
    messages = list(_iterate_messages(reading))
    fields = [field for message in messages for field in message.fields]
    renamed = next((field for field in fields if field.json_name != field.name), None)
    if renamed:
        reason = f'field "{renamed.full_name}" was "{renamed.name}" in objects, and is now "{renamed.json_name}"'
        hint = f'to keep the names, set json_name = "{renamed.name}" on such fields'
        reading.report_untranslated(node, reason, hint)
    number = next((field for field in fields if _INT64 & {field.kind, field.type_name}), None)
    if number and reading.tools.settings.int64_as == "integer":
        problem = f'{node.path}: 64-bit integers such as "{number.full_name}" are not accepted as strings'
        reading.report("vocabulary-unread", problem, node, 'to accept strings as well, set "int64_as" to int-or-string')
    reserved = next((message for message in messages if message.reserved), None)
    if reserved:
        names = ", ".join(f'"{name}"' for name in reserved.reserved)
        problem = f'{node.path}: reserved names are not in the schema, such as {names} of "{reserved.full_name}"'
        reading.report("vocabulary-unread", problem, node, "to accept such a field, declare it")


def _iterate_messages(reading: ElementOptions) -> Iterator[Message]:
    """Yield the message of the resource and all messages that it contains, without the well-known types."""
    seen: set[str] = set()
    queue = [reading.element.full_name]
    while queue:
        message = reading.tools.api.find_message(queue.pop())
        if message is None or message.full_name in seen or message.full_name.startswith("google.protobuf."):
            continue
        seen.add(message.full_name)
        yield message
        queue += [field.type_name for field in message.fields if field.kind == "message"]


def _read_patch(node: OptionNode, reading: ElementOptions, field: Field) -> None:
    key, strategy = node.values.get("merge_key"), node.values.get("merge_strategy", "")
    for name in [name for name in node.values if name not in PATCH]:
        reading.report_unknown(reading.get_member_node(node, name), PATCH)
    if strategy == "merge" and not key and has_message_items(field, reading.tools.api):
        reading.report_untranslated(node, UNCOMPARABLE, "set merge_key")
    elif strategy in ("", "merge") and field.repeated:
        reading.add_marker("list_type", "map" if key else "set", node)
        if key:
            reading.add_marker(
                "list_map_keys", [_set_json_name(field, key, reading)], reading.get_member_node(node, "merge_key")
            )
    elif strategy == "replace":
        reading.add_marker(
            "list_type" if field.repeated else "map_type", "atomic", reading.get_member_node(node, "merge_strategy")
        )
    elif strategy != "merge" or key:
        reason = f'server-side apply has no counterpart of strategy "{strategy}"'
        reading.report_untranslated(node, reason)


def _set_json_name(field: Field, name: str, reading: ElementOptions) -> str:
    message = reading.tools.api.find_message(field.type_name)
    return (
        next((candidate.json_name for candidate in message.fields if candidate.name == name), name) if message else name
    )
