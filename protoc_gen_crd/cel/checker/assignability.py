"""Assignability of types, and the inference of type parameters. It depends on no syntax.

Source: cel-go v0.29 `checker/types.go`. The order of the comparisons is the same, because results depend on it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import is_

from .types import (
    ANY,
    BOOL,
    BYTES,
    DOUBLE,
    DURATION,
    DYN,
    ERROR,
    INT,
    LIST,
    MAP,
    NULL,
    OBJECT,
    OPAQUE,
    PARAMETER,
    STRING,
    TIMESTAMP,
    TYPE,
    UINT,
    UNSET,
    WRAPPER,
    Type,
    is_same_unwrapped,
)

_DYNAMIC = frozenset((DYN.kind, ANY.kind))
_ANYTHING = frozenset((DYN.kind, ANY.kind, ERROR.kind))
_NULLABLE = frozenset((OPAQUE, OBJECT, ANY.kind, DURATION.kind, TIMESTAMP.kind, WRAPPER, NULL.kind))
_NAMED = frozenset(
    (*[kind.kind for kind in (BOOL, BYTES, DOUBLE, INT, STRING, UINT, DURATION, TIMESTAMP)], OBJECT, WRAPPER)
)
_COMPOUND = frozenset((OPAQUE, LIST, MAP))


def is_dyn(kind: Type) -> bool:
    """Check whether a type is known only at run time."""
    return kind.kind in _DYNAMIC


def unwrap_optional(kind: Type) -> tuple[Type, bool]:
    """Return the type of an optional's value and True, or the type itself and False."""
    if kind.kind == OPAQUE and kind.name == "optional_type":
        return kind.params[0], True
    return kind, False


def get_most_general(first: Type, second: Type) -> Type:
    """Return the less specific of two compatible types."""
    return first if _is_equal_or_less_specific(first, second) else second


def _is_equal_or_less_specific(first: Type, second: Type) -> bool:
    if is_dyn(first) or first.kind == PARAMETER:
        return True
    if is_dyn(second) or second.kind == PARAMETER or first.kind != second.kind:
        return is_same_unwrapped(first, second)
    if first.kind == TYPE:
        return True
    if first.kind not in _COMPOUND:
        return first == second
    if first.name != second.name or len(first.params) != len(second.params):
        return False
    return all(
        _is_equal_or_less_specific(param, other_param)
        for param, other_param in zip(first.params, second.params, strict=True)
    )


class Unifier:
    """The types bound to type variables so far. `null_takes` decides whether null accepts what accepts null."""

    __slots__ = ("_count", "_null_takes", "_trail", "bound")

    def __init__(self, null_takes: Callable[[], bool]) -> None:
        self._null_takes = null_takes
        self.bound: dict[str, Type] = {}
        self._trail: list[tuple[str, Type | None]] = []
        self._count = 0

    def new_variable(self) -> Type:
        """Create a type variable."""
        self._count += 1
        return Type(PARAMETER, f"_var{self._count - 1}")

    def is_assignable(self, first: Type, second: Type) -> bool:
        """Check whether the types are assignable; if so, bind variables accordingly."""
        return self.is_all_assignable((first,), (second,))

    def is_all_assignable(self, first_types: Sequence[Type], second_types: Sequence[Type]) -> bool:
        """Check whether the types are pairwise assignable; if so, bind variables accordingly."""
        if self._is_each_assignable(first_types, second_types):
            self._trail.clear()
            return True
        for name, before in reversed(self._trail):
            if before is None:
                del self.bound[name]
            else:
                self.bound[name] = before
        self._trail.clear()
        return False

    def substitute(self, kind: Type, *, dynamic: bool = False) -> Type:
        """Return the type with bound variables replaced; with `dynamic`, unbound variables become dyn.

        Shortcut closed-types: a type without variables is replaced by itself.
        """
        return self._substitute(kind, {}, dynamic=dynamic) if kind.open else kind

    def _substitute(self, kind: Type, replacements: dict[int, Type], *, dynamic: bool) -> Type:
        """Return the replacement of a type; `replacements` are those so far, by the ids of the types.

        Shortcut shared-types: bindings do not change during a substitution. Types with many equal parts stay small
        because these parts remain one object.
        """
        if not kind.open:
            return kind
        replaced = replacements.get(id(kind))
        if replaced is None:
            replaced = replacements[id(kind)] = self._replace(kind, replacements, dynamic=dynamic)
        return replaced

    def _replace(self, kind: Type, replacements: dict[int, Type], *, dynamic: bool) -> Type:
        if kind.kind == PARAMETER:
            bound = self.bound.get(kind.name)
            if bound is not None:
                return self._substitute(bound, replacements, dynamic=dynamic)
            return DYN if dynamic else kind
        params = tuple([self._substitute(param, replacements, dynamic=dynamic) for param in kind.params])
        return kind if all(map(is_, params, kind.params)) else Type(kind.kind, kind.name, params)

    def _is_each_assignable(self, first_types: Sequence[Type], second_types: Sequence[Type]) -> bool:
        if len(first_types) != len(second_types):
            return False
        for first, second in zip(first_types, second_types, strict=True):
            if not self._is_internally_assignable(first, second):
                return False
        return True

    def _is_internally_assignable(self, first: Type, second: Type) -> bool:
        if first is second:
            return first is not UNSET
        if second.kind == PARAMETER:
            valid, bound = self._is_valid_substitution(first, second)
            if valid or bound:
                return valid
        if first.kind == PARAMETER:
            return self._is_valid_substitution(second, first)[0]
        return self._is_closed_assignable(first, second)

    def _is_closed_assignable(self, first: Type, second: Type) -> bool:
        """Check assignability of types that are not variables themselves."""
        if first.kind in _ANYTHING or second.kind in _ANYTHING:
            return True
        if first.kind == NULL.kind:
            return second.kind in _NULLABLE
        if second.kind == NULL.kind:
            return first.kind in _NULLABLE and self._null_takes()
        if first.kind == TYPE:
            return second.kind == TYPE
        if first.kind in _COMPOUND:
            return (
                first.kind == second.kind
                and first.name == second.name
                and self._is_each_assignable(first.params, second.params)
            )
        return first.kind in _NAMED and second.kind in _NAMED and first.name == second.name

    def _is_valid_substitution(self, kind: Type, variable: Type) -> tuple[bool, bool]:
        """Return whether the variable may be bound to the type, and whether it was bound before."""
        if kind == variable:
            return True, True
        bound = self.bound.get(variable.name)
        if bound is None:
            if not self._is_not_referenced(variable, kind):
                return False, False
            self._bind(variable, kind)
            return True, False
        if is_same_unwrapped(kind, bound) and kind is not UNSET:
            return True, True
        if not self._is_internally_assignable(kind, bound):
            return False, True
        general = get_most_general(kind, bound)
        if self._is_not_referenced(variable, general):
            self._bind(variable, general)
        return True, True

    def _bind(self, variable: Type, kind: Type) -> None:
        self._trail.append((variable.name, self.bound.get(variable.name)))
        self.bound[variable.name] = kind

    def _is_not_referenced(self, variable: Type, kind: Type) -> bool:
        """Check that a type does not contain the variable. A part that occurs several times is visited once."""
        visited = set[int]()
        parts = [kind]
        while parts:
            part = parts.pop()
            if part == variable:
                return False
            if not part.open or id(part) in visited:
                continue
            visited.add(id(part))
            bound = self.bound.get(part.name) if part.kind == PARAMETER else None
            parts += part.params if bound is None else (bound,)
        return True


class TypeInstance:
    """Fresh type variables for the type parameters of one overload."""

    def __init__(self, unifier: Unifier) -> None:
        self.unifier, self.variables = unifier, dict[str, Type]()

    def instantiate(self, kind: Type) -> Type:
        """Return a type with these variables."""
        if not kind.open:
            return kind
        if kind.kind == PARAMETER:
            if kind.name not in self.variables:
                self.variables[kind.name] = self.unifier.new_variable()
            return self.variables[kind.name]
        return Type(kind.kind, kind.name, tuple([self.instantiate(param) for param in kind.params]))
