"""How a function is declared: one overload a row, in libraries. Knows no function in particular.

Ids, names and signatures are cel-go's and Kubernetes'; a Kubernetes version's environment is made of libraries
(`environment`), `since` and `until` tell which servers have an overload where that follows from the server's cel-go.
"""

from __future__ import annotations

from collections.abc import Mapping

from protoc_gen_crd.base.record import Record

from .expansion import Macro
from .types import Type, spelled

_NEVER = 1000


class Overload(Record):
    """One signature of a function or method (its first argument is what it is called on).

    `open` tells that type parameters are in it; `mixed` that it compares numbers of different types. Servers of
    Kubernetes 1.`since` to 1.`until` have it.
    """

    id: str
    name: str
    args: tuple[Type, ...]
    result: Type
    method: bool = False
    open: bool = False
    mixed: bool = False
    since: int = 0
    until: int = _NEVER

    def __str__(self) -> str:
        """The signature as cel-go writes it: `string.contains(string) -> bool`."""
        texts = [spelled(kind) for kind in self.args]
        target = f"{texts.pop(0)}." if self.method else ""
        return f"{target}{self.name}({', '.join(texts)}) -> {spelled(self.result)}"


def function(
    ident: str, name: str, *args: Type, result: Type, mixed: bool = False, since: int = 0, until: int = _NEVER
) -> Overload:
    """A function's overload."""
    return Overload(ident, name, args, result, open=_open(*args, result), mixed=mixed, since=since, until=until)


def method(ident: str, name: str, *args: Type, result: Type, since: int = 0) -> Overload:
    """A method's overload."""
    return Overload(ident, name, args, result, method=True, open=_open(*args, result), since=since)


def _open(*types: Type) -> bool:
    return any(kind.open for kind in types)


class Library(Record):
    """What comes together: overloads, macros, and the types that have names in expressions."""

    name: str
    overloads: tuple[Overload, ...] = ()
    macros: tuple[Macro, ...] = ()
    types: Mapping[str, Type] = {}
