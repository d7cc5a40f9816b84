"""Declarations of functions: one overload per row, grouped into libraries.

Ids, names, and signatures are those of cel-go and Kubernetes. `environment` selects the libraries of a Kubernetes
version; `since` and `until` limit an overload to the servers whose code has it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.cel.parser.macro_expansion import Macro
from protoc_gen_crd.cel.version_differences import ALWAYS, NEVER
from protoc_gen_crd.kubernetes.supported_versions import Switch

from .types import Type, format_for_author, has_type_parameters

OverloadBinding = Callable[..., Any]


class Overload(Record):
    """One signature of a function or method (a method's first argument is its target).

    `open` means that it has type parameters; `mixed` that it compares numbers of different types. Servers of Kubernetes
    1.`since` to before 1.`until` have it. `binding` computes the result from values of the types of `args`, or raises
    `cel.values.runtime_values.CelError`: a function, or `module.name` of one in `cel.library`, imported when a program
    needs it. It is None for calls that the interpreter implements itself (operators that do not need all their
    operands). `uniform` means that the overloads of this id in all versions have the same results, and differ in errors
    alone.
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
    uniform: bool = False

    def __str__(self) -> str:
        """Return the signature in cel-go's format: `string.contains(string) -> bool`."""
        args = [format_for_author(kind) for kind in self.args]
        target = f"{args.pop(0)}." if self.method else ""
        return f"{target}{self.name}({', '.join(args)}) -> {format_for_author(self.result)}"

    def is_on(self, minor: int) -> bool:
        """Check whether servers of Kubernetes 1.<minor> have it."""
        return self.since <= minor < self.until

    def load_binding(self) -> OverloadBinding | None:
        """Return the function that `binding` names."""
        if not isinstance(self.binding, str):
            return self.binding
        module, _, name = self.binding.rpartition(".")
        binding: OverloadBinding = getattr(import_module(f"protoc_gen_crd.cel.library.{module}"), name)
        return binding


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
    """Declare an overload of a function."""
    is_open = has_type_parameters((*args, result))
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
    """Declare an overload of a method."""
    is_open = has_type_parameters((*args, result))
    return Overload(
        ident, name, args, result, method=True, open=is_open, since=since.since, until=before.since, binding=run
    )


def split_by_version(
    overload: Overload, *older: tuple[Switch, OverloadBinding | str], uniform: bool = False
) -> list[Overload]:
    """Split an overload that older servers evaluate differently.

    Args:
        overload: The overload of the newest servers.
        *older: Other bindings, each with the switch before which servers have it.
        uniform: Whether all bindings have the same results, and differ in errors alone.

    Returns:
        The overloads, the oldest first.
    """
    newest, rows, since = overload, [], overload.since
    for until, run in (*((before.since, run) for before, run in older), (newest.until, newest.binding)):
        rows.append(
            Overload(
                newest.id,
                newest.name,
                newest.args,
                newest.result,
                newest.method,
                newest.open,
                newest.mixed,
                since,
                until,
                run,
                uniform,
            )
        )
        since = until
    return rows


class Library(Record):
    """Overloads, macros, and named types that an environment has together."""

    name: str
    overloads: tuple[Overload, ...] = ()
    macros: tuple[Macro, ...] = ()
    types: Mapping[str, Type] = {}
