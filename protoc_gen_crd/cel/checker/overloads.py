"""How a function is declared: one overload a row, in libraries. Knows no function in particular.

Ids, names and signatures are cel-go's and Kubernetes'; a Kubernetes version's environment is made of libraries
(`environment`), `since` and `until` limit an overload to servers whose code has it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.cel.parser.macro_expansion import Macro
from protoc_gen_crd.cel.versions import ALWAYS, NEVER
from protoc_gen_crd.kubernetes.versions import Switch

from .types import Type, format_for_author

OverloadBinding = Callable[..., Any]


class Overload(Record):
    """One signature of a function or method (its first argument is what it is called on).

    `open` tells that type parameters are in it; `mixed` that it compares numbers of different types. Servers of
    Kubernetes 1.`since` to before 1.`until` have it. `binding` makes the result of values of the types of `args`, or
    raises `cel.values.values.CelError`: a function, or `module.name` of one in `cel.library` that is imported when a
    program needs it. None is for what the evaluator knows better (operators that do not need all their operands).
    """

    id: str
    name: str
    args: tuple[Type, ...]
    result: Type
    method: bool = False
    open: bool = False
    mixed: bool = False
    since: int = ALWAYS.since
    until: int = NEVER.since
    binding: OverloadBinding | str | None = None

    def __str__(self) -> str:
        """The signature as cel-go writes it: `string.contains(string) -> bool`."""
        texts = [format_for_author(kind) for kind in self.args]
        target = f"{texts.pop(0)}." if self.method else ""
        return f"{target}{self.name}({', '.join(texts)}) -> {format_for_author(self.result)}"

    def is_on(self, minor: int) -> bool:
        """Check whether servers of Kubernetes 1.<minor> have it."""
        return self.since <= minor < self.until

    def load_binding(self) -> OverloadBinding | None:
        """`binding` as a function."""
        if not isinstance(self.binding, str):
            return self.binding
        module, _, name = self.binding.rpartition(".")
        found: OverloadBinding = getattr(import_module(f"protoc_gen_crd.cel.library.{module}"), name)
        return found


def declare_function(
    ident: str,
    name: str,
    *args: Type,
    result: Type,
    run: OverloadBinding | str | None = None,
    mixed: bool = False,
    since: Switch = ALWAYS,
    before: Switch = NEVER,
) -> Overload:
    """A function's overload."""
    is_open = _has_type_parameters(*args, result)
    return Overload(
        ident, name, args, result, open=is_open, mixed=mixed, since=since.since, until=before.since, binding=run
    )


def declare_method(
    ident: str,
    name: str,
    *args: Type,
    result: Type,
    run: OverloadBinding | str | None = None,
    since: Switch = ALWAYS,
    before: Switch = NEVER,
) -> Overload:
    """A method's overload."""
    is_open = _has_type_parameters(*args, result)
    return Overload(
        ident, name, args, result, method=True, open=is_open, since=since.since, until=before.since, binding=run
    )


def split_by_version(overload: Overload, *older: tuple[Switch, OverloadBinding | str]) -> list[Overload]:
    """Split an overload that older servers run differently: before which switch, and how; the oldest first."""
    one, rows, since = overload, [], overload.since
    for until, run in (*((before.since, run) for before, run in older), (one.until, one.binding)):
        rows.append(
            Overload(one.id, one.name, one.args, one.result, one.method, one.open, one.mixed, since, until, run)
        )
        since = until
    return rows


def _has_type_parameters(*types: Type) -> bool:
    return any(kind.open for kind in types)


class Library(Record):
    """What comes together: overloads, macros, and the types that have names in expressions."""

    name: str
    overloads: tuple[Overload, ...] = ()
    macros: tuple[Macro, ...] = ()
    types: Mapping[str, Type] = {}
