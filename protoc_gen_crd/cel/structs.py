"""Message literals: what the name before the braces stands for, and the types of the fields that may be set.

A literal of a name such as `duration` compiles where the name stands for a type that is a message of protobuf's, and
fails at run time. Source: cel-go v0.29 `checker/checker.go` (checkCreateStruct); k8s.io/apiserver pkg/cel/types.go.
"""

from __future__ import annotations

from protoc_gen_crd.base.record import Record

from .environment import ALL_TYPED
from .era import Era
from .library.messages import MESSAGES
from .types import ANY, ANY_TYPE, ERROR, MAP, NULL, TYPE, Type, shown
from .typetexts import text_of

_NAMES: dict[Type, str] = {NULL: "google.protobuf.NullValue", **{row.type: name for name, row in MESSAGES.items()}}
_FIELDLESS = frozenset(  # what Kubernetes knows by name, besides messages
    ("bool", "bytes", "double", "duration", "int", "list", "null_type", "string", "timestamp", "uint")
)


class Literal(Record):
    """The type of a message literal, with what is wrong with its name; `message` is what fields are looked up in."""

    type: Type
    message: str
    issue: str = ""
    old: bool = False

    def field(self, name: str) -> Type | str:
        """The type of a field, or what is wrong with its name."""
        if self.message in MESSAGES:
            return MESSAGES[self.message].fields.get(name) or f"undefined field '{name}'"
        if self.message == MAP:
            return ANY
        if self.message in _FIELDLESS:
            return f"undefined field '{name}'"
        return f"{'[internal] ' if self.old else ''}unexpected failed resolution of '{self.message}'"


def literal(kind: Type, name: str, era: Era) -> Literal:
    """A literal whose name stands for something of this type."""
    if not era.since(ALL_TYPED):
        return _before(kind, name)
    if kind.kind != TYPE:
        return Literal(ERROR, name, f"'{kind.name}' is not a type")
    (made,) = kind.params or (kind,)
    if made in _NAMES:
        return Literal(made, name if name in MESSAGES else _NAMES[made])
    return Literal(ERROR, name, f"'{made.name}' is not a message type")


def _before(kind: Type, name: str) -> Literal:
    """The same for servers to which all messages are objects, whose types go by no other name."""
    if kind.kind != TYPE:
        return Literal(ERROR, "", f"'{shown(kind)}({text_of(kind)})' is not a type", old=True)
    if name in MESSAGES:
        return Literal(MESSAGES[name].type, name, old=True)
    (made,) = kind.params or (kind,)
    told = f"{shown(made)}()" if made == ANY_TYPE else shown(made)
    return Literal(ERROR, "", f"'{told}' is not a message type", old=True)
