"""Options of the protoc-gen-crd of Yandex, package `protoc_gen_crd`, so that its users can move.

Patch keys serve kustomize alone, and no server takes them. What they mean to server-side apply is the type of a list.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from protoc_gen_crd.markers.vocabularies.reading import Node, Reading
from protoc_gen_crd.markers.vocabularies.rows import Row, read_elsewhere, refused, without_effect
from protoc_gen_crd.proto.model import Field, Message
from protoc_gen_crd.proto.options import OptionValue

CRD: Mapping[str, Row] = {
    "api_group": read_elsewhere("`resource.group`"),
    "kind": read_elsewhere("`resource.kind`"),
    "singular": read_elsewhere("`resource.singular`"),
    "plural": read_elsewhere("`resource.plural`"),
    "short_names": read_elsewhere("`resource.short_names`"),
    "categories": read_elsewhere("`resource.categories`"),
    "additional_columns": read_elsewhere("`resource.columns`"),
    "scope": read_elsewhere("`resource.scope`"),
    "field_patch_strategies": refused("it speaks of fields elsewhere: mark those with list_type and list_map_keys"),
}
COLUMN: Mapping[str, Row] = {
    name: read_elsewhere(f"`resource.columns.{name}`")
    for name in ("name", "type", "format", "description", "json_path", "priority")
}
PATCH: Mapping[str, Row] = {
    "merge_key": read_elsewhere("`list_map_keys`"),
    "merge_strategy": read_elsewhere("`list_type`: `merge` is `map` with a key and `set` without, `replace` `atomic`"),
}
SELECTOR: Mapping[str, Row] = {
    name: without_effect("of `field_patch_strategies`, which is refused")
    for name in ("protobuf_type", "field_path", "k8s_patch")
}
SIDES: Mapping[str, Row] = {
    "SS_COMMON": without_effect("says nothing"),
    "SS_CLIENT": refused("a field that servers do not know is none of a CRD: take it out of the message"),
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
_COLUMN_FORMATS = {
    "BYTE": "byte", "DATE": "date", "DATETIME": "date-time", "DOUBLE": "double", "FLOAT": "float", "INT32": "int32",
    "INT64": "int64", "PASSWORD": "password",
}  # fmt: skip


def read(option: OptionValue, reading: Reading) -> None:
    """Read one of the options."""
    name = option.name.rpartition(".")[2]
    if name == "k8s_crd" and isinstance(reading.element, Message):
        _crd(reading.node(option, "MessageOptions"), reading)
    elif name == "k8s_patch" and isinstance(reading.element, Field):
        _patch(reading.node(option, "FieldOptions"), reading, reading.element)
    elif name == "schema":
        node = Node({}, "", f"({option.name}) = {option.value}", option.path)
        row = SIDES.get(str(option.value))
        if row is None:
            reading.unknown(node, SIDES)
        elif row.refused:
            reading.untranslated(node, row.becomes)


def _crd(node: Node, reading: Reading) -> None:
    """A resource as that tool makes it: of version v1, with status as a subresource."""
    given: dict[str, Any] = {"shape": "OBJECT", "status_subresource": True}
    for name, value in node.values.items():
        below = reading.below(node, name)
        if name in _SAME:
            given[_SAME[name]] = value
        elif name == "scope":
            given["scope"] = _SCOPES[value]
        elif name == "additional_columns":
            given["columns"] = [_column(one) for one in value]
        elif name in CRD:
            reading.untranslated(below, CRD[name].becomes)
        else:
            reading.unknown(below, CRD)
    if reading.is_resource:
        reading.supplement(given, node)
    else:
        reading.member("Resource", {"versions": ["v1"], **given}, node)
    _names(node, reading)


def _column(given: Mapping[str, Any]) -> dict[str, Any]:
    made = {name: given[name] for name in ("name", "description", "json_path", "priority") if name in given}
    made["type"] = given.get("type", "").removeprefix("CT_").lower()
    form = _COLUMN_FORMATS.get(given.get("format", "").removeprefix("CF_"))
    return {**made, "format": form} if form else made


def _names(node: Node, reading: Reading) -> None:
    """That tool calls fields by their proto names, which objects in clusters have then."""
    seen: set[str] = set()
    queue = [reading.element.full_name]
    while queue:
        message = reading.tools.api.message(queue.pop())
        if message is None or message.full_name in seen or message.full_name.startswith("google.protobuf."):
            continue
        seen.add(message.full_name)
        for field in message.fields:
            if field.json_name != field.name:
                reason = f'field "{field.full_name}" was "{field.name}" in objects, and is "{field.json_name}" now'
                reading.untranslated(node, reason, f'keep the name with json_name = "{field.name}" on such fields')
                return
            if field.kind == "message":
                queue.append(field.type_name)


def _patch(node: Node, reading: Reading, field: Field) -> None:
    key, strategy = node.values.get("merge_key"), node.values.get("merge_strategy", "")
    for name in [name for name in node.values if name not in PATCH]:
        reading.unknown(reading.below(node, name), PATCH)
    if strategy in ("", "merge") and field.repeated:
        reading.mark("list_type", "map" if key else "set", node)
        if key:
            reading.mark("list_map_keys", [_json_name(field, key, reading)], reading.below(node, "merge_key"))
    elif strategy == "replace":
        reading.mark("list_type" if field.repeated else "map_type", "atomic", reading.below(node, "merge_strategy"))
    elif strategy != "merge" or key:
        reason = f'server-side apply has nothing like the strategy "{strategy}"'
        reading.untranslated(node, reason)


def _json_name(field: Field, name: str, reading: Reading) -> str:
    message = reading.tools.api.message(field.type_name)
    return next((one.json_name for one in message.fields if one.name == name), name) if message else name
