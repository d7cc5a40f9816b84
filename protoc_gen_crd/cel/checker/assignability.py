"""Assignability of types, and the inference of type parameters. It depends on no syntax.

Source: cel-go v0.29 `checker/types.go`. The order of the comparisons is the same, because results depend on it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

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


def get_most_general(one: Type, other: Type) -> Type:
    """Return the less specific of two compatible types."""
    return one if _is_equal_or_less_specific(one, other) else other


def _is_equal_or_less_specific(one: Type, other: Type) -> bool:
    if is_dyn(one) or one.kind == PARAMETER:
        return True
    if is_dyn(other) or other.kind == PARAMETER or one.kind != other.kind:
        return is_same_unwrapped(one, other)
    if one.kind == TYPE:
        return True
    if one.kind not in _COMPOUND:
        return one == other
    if one.name != other.name or len(one.params) != len(other.params):
        return False
    return all(_is_equal_or_less_specific(mine, its) for mine, its in zip(one.params, other.params, strict=True))


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

    def is_assignable(self, one: Type, other: Type) -> bool:
        """Check whether the types are assignable; if so, bind variables accordingly."""
        return self.is_all_assignable((one,), (other,))

    def is_all_assignable(self, ones: Sequence[Type], others: Sequence[Type]) -> bool:
        """Check whether the types are pairwise assignable; if so, bind variables accordingly."""
        if self._is_each_assignable(ones, others):
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
        if not kind.open:
            return kind
        if kind.kind == PARAMETER:
            known = self.bound.get(kind.name)
            if known is not None:
                return self.substitute(known, dynamic=dynamic)
            return DYN if dynamic else kind
        return Type(kind.kind, kind.name, tuple([self.substitute(each, dynamic=dynamic) for each in kind.params]))

    def _is_each_assignable(self, ones: Sequence[Type], others: Sequence[Type]) -> bool:
        if len(ones) != len(others):
            return False
        for one, other in zip(ones, others, strict=True):  # noqa: SIM110 - a generator would use the C stack
            if not self._is_internally_assignable(one, other):
                return False
        return True

    def _is_internally_assignable(self, one: Type, other: Type) -> bool:
        if one is other:
            return one is not UNSET
        if other.kind == PARAMETER:
            valid, known = self._is_valid_substitution(one, other)
            if valid or known:
                return valid
        if one.kind == PARAMETER:
            return self._is_valid_substitution(other, one)[0]
        return self._is_closed_assignable(one, other)

    def _is_closed_assignable(self, one: Type, other: Type) -> bool:
        """Check assignability of types that are not variables themselves."""
        if one.kind in _ANYTHING or other.kind in _ANYTHING:
            return True
        if one.kind == NULL.kind:
            return other.kind in _NULLABLE
        if other.kind == NULL.kind:
            return one.kind in _NULLABLE and self._null_takes()
        if one.kind == TYPE:
            return other.kind == TYPE
        if one.kind in _COMPOUND:
            return (
                one.kind == other.kind and one.name == other.name and self._is_each_assignable(one.params, other.params)
            )
        return one.kind in _NAMED and other.kind in _NAMED and one.name == other.name

    def _is_valid_substitution(self, kind: Type, variable: Type) -> tuple[bool, bool]:
        """Return whether the variable may be bound to the type, and whether it was bound before."""
        if kind == variable:
            return True, True
        known = self.bound.get(variable.name)
        if known is None:
            if not self._is_not_referenced(variable, kind):
                return False, False
            self._bind(variable, kind)
            return True, False
        if is_same_unwrapped(kind, known) and kind is not UNSET:
            return True, True
        if not self._is_internally_assignable(kind, known):
            return False, True
        general = get_most_general(kind, known)
        if self._is_not_referenced(variable, general):
            self._bind(variable, general)
        return True, True

    def _bind(self, variable: Type, kind: Type) -> None:
        self._trail.append((variable.name, self.bound.get(variable.name)))
        self.bound[variable.name] = kind

    def _is_not_referenced(self, variable: Type, within: Type) -> bool:
        """Check that a type does not contain the variable."""
        if variable == within:
            return False
        if within.kind == PARAMETER:
            known = self.bound.get(within.name)
            return known is None or self._is_not_referenced(variable, known)
        return all(self._is_not_referenced(variable, param) for param in within.params)


class TypeInstance:
    """Fresh type variables for the type parameters of one overload."""

    def __init__(self, unifier: Unifier) -> None:
        self.unifier, self.known = unifier, dict[str, Type]()

    def instantiate(self, kind: Type) -> Type:
        """Return a type with these variables."""
        if not kind.open:
            return kind
        if kind.kind == PARAMETER:
            if kind.name not in self.known:
                self.known[kind.name] = self.unifier.new_variable()
            return self.known[kind.name]
        return Type(kind.kind, kind.name, tuple([self.instantiate(param) for param in kind.params]))
