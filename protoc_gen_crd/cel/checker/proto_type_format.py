"""Types in protobuf's text format, in which cel-go before 0.17 prints types without fields.

Source: `google/api/expr/v1alpha1/checked.proto`. Protobuf separates fields randomly by one or two spaces.
"""

from __future__ import annotations

from .types import LIST, MAP, OBJECT, OPAQUE, PARAMETER, TYPE, WRAPPER, Type

_SIMPLE = {
    "bool": "primitive:BOOL", "int": "primitive:INT64", "uint": "primitive:UINT64", "double": "primitive:DOUBLE",
    "string": "primitive:STRING", "bytes": "primitive:BYTES", "null_type": "null:NULL_VALUE", "dyn": "dyn:{}",
    "google.protobuf.Any": "well_known:ANY", "google.protobuf.Timestamp": "well_known:TIMESTAMP",
    "google.protobuf.Duration": "well_known:DURATION", "!error!": "error:{}", "<nil>": "<nil>", "type": "type:{}",
}  # fmt: skip
_COMPOUND = {
    LIST: "list_type:{{elem_type:{{{0}}}}}",
    MAP: "map_type:{{key_type:{{{0}}} value_type:{{{1}}}}}",
    OPAQUE: 'abstract_type:{{name:"optional" parameter_types:{{{0}}}}}',
    TYPE: "type:{{{0}}}",
}


def format_proto_type(kind: Type) -> str:
    """Return a type in protobuf's text format."""
    if kind.params:
        return _COMPOUND[kind.kind].format(*map(format_proto_type, kind.params))
    if kind.kind == PARAMETER:
        return f'type_param:"{kind.name}"'
    if kind.kind == WRAPPER:
        return _SIMPLE[kind.name].replace("primitive", "wrapper")
    simple = None if kind.kind == OBJECT else _SIMPLE.get(kind.name)
    return simple or f'message_type:"{kind.name}"'
