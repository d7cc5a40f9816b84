"""Name resolution: variables of comprehensions, variables of the rule, types.

Source: cel-go v0.29 `checker/env.go`, `checker/scopes.go`; k8s.io/apiserver pkg/cel/types.go (findScalar).
"""

from __future__ import annotations

from collections.abc import Mapping

from protoc_gen_crd.cel.environment import Environment
from protoc_gen_crd.cel.library.declarations.messages import ENUMS, MESSAGES
from protoc_gen_crd.cel.parser.ast import Ast, Call, Expr, Ident, Literal, Select
from protoc_gen_crd.cel.version_differences import ROOT_NAMES, SCALAR_TYPES, TYPED_OPERATORS
from protoc_gen_crd.kubernetes.shared_results import Switches

from .literal_validators import list_children
from .types import DURATION, INT, TIMESTAMP, Type, is_reserved, make_type_type, make_undeclared_object

SCALARS = {"duration": DURATION, "timestamp": TIMESTAMP}  # Kubernetes' names of types that CEL names differently
ResolvedName = tuple[Type, str] | None  # the type, and the name for references


def get_qualified_name(node: Expr | None) -> str | None:
    """Return the dotted name that a node represents, or None."""
    names: list[str] = []
    while isinstance(node, Select) and not node.test_only:
        names.append(node.field)
        node = node.operand
    return ".".join([node.name, *reversed(names)]) if isinstance(node, Ident) else None


def list_called_functions(tree: Ast) -> list[str]:
    """Return the functions that a tree may call, with operators, and `.name` for each field with a reserved name."""
    stack, seen = [tree.root], set[int]()
    names: dict[str, None] = {}
    while stack:
        node = stack.pop()
        if isinstance(node, Call):
            prefix = get_qualified_name(node.target)
            names[node.function] = names[node.function.removeprefix(".")] = None
            if prefix is not None:
                names[f"{prefix}.{node.function}".removeprefix(".")] = None
            field = node.args[-1] if node.function == "_?._" else None
            if isinstance(field, Literal) and isinstance(field.value, str) and is_reserved(field.value):
                names[f".{field.value}"] = None
        elif isinstance(node, Select) and is_reserved(node.field):
            names[f".{node.field}"] = None
        if node.id not in seen:  # before 1.32, the same node can occur in two places
            seen.add(node.id)
            stack += list_children(node)
    return list(names)


class ScopeStack:
    """The names in scope. A scope is pushed when a comprehension is entered and popped when it is left."""

    def __init__(self, environment: Environment, variables: Mapping[str, Type], versions: Switches) -> None:
        self.environment, self.variables, self.versions = environment, variables, versions
        self.scopes: list[Mapping[str, Type]] = []

    def resolve_ident(self, written: str) -> ResolvedName:
        """Resolve an identifier. A leading dot skips variables of comprehensions."""
        name = written.removeprefix(".")
        local = self._find_local(name)
        rooted = name != written and ROOT_NAMES in self.versions
        if local is not None and not rooted:
            return local, name
        return self._find_global(name, hidden=local is not None)

    def resolve_qualified(self, node: Select) -> ResolvedName:
        """Resolve a chain of selections that names a type, such as `google.protobuf.Duration`."""
        written = get_qualified_name(node)
        if written is None:
            return None
        name = written.removeprefix(".")
        first, _, _ = name.partition(".")
        if first not in self.environment.roots:
            return None
        hidden = self._find_local(first) is not None
        if hidden and name == written and ROOT_NAMES in self.versions:
            return None
        return self._find_global(name, hidden=hidden)

    def resolve_message(self, written: str) -> ResolvedName:
        """Resolve the name of a message literal, which older servers also resolve to variables."""
        if ROOT_NAMES not in self.versions:
            return self.resolve_ident(written)
        name = written.removeprefix(".")
        kind = self._find_type(name)
        return None if kind is None else (kind, name)

    def _find_local(self, name: str) -> Type | None:
        for scope in reversed(self.scopes):
            if name in scope:
                return scope[name]
        return None

    def _find_global(self, name: str, *, hidden: bool) -> ResolvedName:
        kind = self.variables.get(name) or self._find_type(name) or (INT if name in ENUMS else None)
        return None if kind is None else (kind, f".{name}" if hidden else name)

    def _find_type(self, name: str) -> Type | None:
        if name in self.environment.types:
            plain = name in MESSAGES and TYPED_OPERATORS not in self.versions
            return make_type_type(make_undeclared_object(name) if plain else self.environment.types[name])
        if name in SCALARS:
            return make_type_type(SCALARS[name]) if SCALAR_TYPES in self.versions else SCALARS[name]
        return None
