"""What a name stands for: variables of comprehensions, variables of the rule, types.

Source: cel-go v0.29 `checker/env.go`, `checker/scopes.go`; k8s.io/apiserver pkg/cel/types.go (findScalar).
"""

from __future__ import annotations

from collections.abc import Mapping

from .ast import Ast, Call, Expr, Ident, Literal, Select
from .environment import ALL_TYPED, ROOTED, SCALAR_TYPES, Environment
from .era import Era
from .library.messages import ENUMS, MESSAGES
from .types import DURATION, INT, TIMESTAMP, Type, foreign, is_reserved, type_of
from .validators import children

SCALARS = {"duration": DURATION, "timestamp": TIMESTAMP}  # names by which CEL does not know their types
Found = tuple[Type, str] | None  # the type, and the name to refer to


def qualified(node: Expr | None) -> str | None:
    """The dotted name that a node spells, if it does."""
    names: list[str] = []
    while isinstance(node, Select) and not node.test_only:
        names.append(node.field)
        node = node.operand
    return ".".join([node.name, *reversed(names)]) if isinstance(node, Ident) else None


def called(tree: Ast) -> list[str]:
    """The names of functions that a tree may call, operators among them, and `.name` for fields with reserved names."""
    waiting, seen = [tree.root], set[int]()
    names: dict[str, None] = {}
    while waiting:
        node = waiting.pop()
        if isinstance(node, Call):
            prefix = qualified(node.target)
            names[node.function] = names[node.function.removeprefix(".")] = None
            if prefix is not None:
                names[f"{prefix}.{node.function}".removeprefix(".")] = None
            field = node.args[-1] if node.function == "_?._" else None
            if isinstance(field, Literal) and isinstance(field.value, str) and is_reserved(field.value):
                names[f".{field.value}"] = None
        elif isinstance(node, Select) and is_reserved(node.field):
            names[f".{node.field}"] = None
        if node.id not in seen:  # servers before 1.32 let nodes stand in two places
            seen.add(node.id)
            waiting += children(node)
    return list(names)


class Names:
    """The names in scope; a scope is pushed and popped as a comprehension is entered and left."""

    def __init__(self, environment: Environment, variables: Mapping[str, Type], era: Era) -> None:
        self.environment, self.variables, self.era = environment, variables, era
        self.scopes: list[Mapping[str, Type]] = []

    def plain(self, written: str) -> Found:
        """What an identifier stands for. With a leading dot it is not that of a comprehension's variable."""
        name = written.removeprefix(".")
        local = self._local(name)
        rooted = name != written and self.era.since(ROOTED)
        if local is not None and not rooted:
            return local, name
        return self._global(name, hidden=local is not None)

    def dotted(self, node: Select) -> Found:
        """The type that a chain of selections names, such as `google.protobuf.Duration`."""
        written = qualified(node)
        if written is None:
            return None
        name = written.removeprefix(".")
        first, _, _ = name.partition(".")
        if first not in self.environment.roots:
            return None
        hidden = self._local(first) is not None
        if hidden and name == written and self.era.since(ROOTED):
            return None
        return self._global(name, hidden=hidden)

    def message(self, written: str) -> Found:
        """What the name of a message literal stands for, which to older servers may be a variable."""
        if not self.era.since(ROOTED):
            return self.plain(written)
        name = written.removeprefix(".")
        kind = self._type(name)
        return None if kind is None else (kind, name)

    def _local(self, name: str) -> Type | None:
        for scope in reversed(self.scopes):
            if name in scope:
                return scope[name]
        return None

    def _global(self, name: str, *, hidden: bool) -> Found:
        kind = self.variables.get(name) or self._type(name) or (INT if name in ENUMS else None)
        return None if kind is None else (kind, f".{name}" if hidden else name)

    def _type(self, name: str) -> Type | None:
        if name in self.environment.types:
            plain = name in MESSAGES and not self.era.since(ALL_TYPED)
            return type_of(foreign(name) if plain else self.environment.types[name])
        if name in SCALARS:
            return type_of(SCALARS[name]) if self.era.since(SCALAR_TYPES) else SCALARS[name]
        return None
