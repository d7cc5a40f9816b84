"""Message literals: the type that the name before the braces refers to, and the types of the fields.

A literal with a name such as `duration` compiles if the name refers to a type that is a protobuf message, and fails at
run time. Source: cel-go v0.29 `checker/checker.go` (checkCreateStruct); k8s.io/apiserver pkg/cel/types.go.
"""

from __future__ import annotations

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.cel.library.declarations.messages import MESSAGES
from protoc_gen_crd.cel.version_differences import TYPED_OPERATORS
from protoc_gen_crd.kubernetes.shared_results import Switches

from .proto_type_format import format_proto_type
from .types import ANY, ANY_TYPE, ERROR, MAP, NULL, TYPE, Type, format_type

_NAMES: dict[Type, str] = {NULL: "google.protobuf.NullValue", **{row.type: name for name, row in MESSAGES.items()}}
_FIELDLESS = frozenset(  # type names that Kubernetes resolves, besides messages
    ("bool", "bytes", "double", "duration", "int", "list", "null_type", "string", "timestamp", "uint")
)


class MessageLiteral(Record):
    """The type of a message literal, and the error about its name, if any; fields are looked up in `message`."""

    type: Type
    message: str
    issue: str = ""
    old: bool = False

    def get_field(self, name: str) -> Type | str:
        """Return the type of a field, or the error about its name."""
        if self.message in MESSAGES:
            return MESSAGES[self.message].fields.get(name) or f"undefined field '{name}'"
        if self.message == MAP:
            return ANY
        if self.message in _FIELDLESS:
            return f"undefined field '{name}'"
        return f"{'[internal] ' if self.old else ''}unexpected failed resolution of '{self.message}'"


def resolve_literal(kind: Type, name: str, versions: Switches) -> MessageLiteral:
    """Return the literal for a name that refers to this type."""
    if TYPED_OPERATORS not in versions:
        return _resolve_legacy_literal(kind, name)
    if kind.kind != TYPE:
        return MessageLiteral(ERROR, name, f"'{kind.name}' is not a type")
    (referred,) = kind.params or (kind,)
    if referred in _NAMES:
        return MessageLiteral(referred, name if name in MESSAGES else _NAMES[referred])
    return MessageLiteral(ERROR, name, f"'{referred.name}' is not a message type")


def _resolve_legacy_literal(kind: Type, name: str) -> MessageLiteral:
    """Return the same for older servers, which treat all messages as objects without aliases."""
    if kind.kind != TYPE:
        return MessageLiteral(ERROR, "", f"'{format_type(kind)}({format_proto_type(kind)})' is not a type", old=True)
    if name in MESSAGES:
        return MessageLiteral(MESSAGES[name].type, name, old=True)
    (referred,) = kind.params or (kind,)
    type_name = f"{format_type(referred)}()" if referred == ANY_TYPE else format_type(referred)
    return MessageLiteral(ERROR, "", f"'{type_name}' is not a message type", old=True)
