"""The page of CEL functions by Kubernetes version, from the libraries that the checker uses."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import partial

from protoc_gen_crd.base.markdown_escapes import cell, code
from protoc_gen_crd.base.record import Record
from protoc_gen_crd.cel.checker.overloads import Overload
from protoc_gen_crd.cel.checker.types import Type, format_for_author
from protoc_gen_crd.cel.environment import LIBRARIES, Environment, get_new_environment, get_stored_environment
from protoc_gen_crd.kubernetes.supported_versions import NEWEST, OLDEST

_INTRODUCTION = f"""# CEL functions by Kubernetes version

This reference is for API authors who write CEL rules for a range of Kubernetes versions. It lists the functions and
macros that API servers of Kubernetes 1.{OLDEST} to 1.{NEWEST} have, without the operators.

**New rules** is the first version that accepts the function in a rule that is new or changed. **Stored rules** is the
first version that runs it. Since 1.28, a server accepts in new rules only functions that its previous version can run,
so that a downgrade is possible. The setting [`kubernetes`](settings.md) names the versions that an API supports. If one
of them does not have a function, [`crd-rejected`](findings.md) reports the rule.

`string.size()` is a function that is called on a string. `A`, `B`, `T`, and `V` are any type.
`|` separates alternatives.
"""
_TITLES = {
    "cel.lib.std": "Standard library",
    "kubernetes.urls": "URLs",
    "kubernetes.regex": "Regular expressions",
    "kubernetes.lists": "Lists",
    "kubernetes.authz": "Authorizer",
    "cel.lib.optional": "Optional values",
    "kubernetes.quantity": "Quantities",
    "cel.lib.ext.strings": "Strings",
    "cel.lib.ext.sets": "Sets",
    "kubernetes.net.ip": "IP addresses",
    "kubernetes.net.cidr": "IP ranges",
    "kubernetes.format": "Formats",
    "kubernetes.authzSelectors": "Authorizer selectors",
    "cel.lib.ext.comprev2": "Comprehensions with two variables",
    "kubernetes.Semver": "Semantic versions",
    "cel.lib.ext.lists": "List extensions",
}
# The arguments of macros, by library, name, and number.
_MACROS = {
    ("cel.lib.std", "has", 1): "has(object.field)",
    ("cel.lib.std", "all", 2): "list(A).all(item, condition)",
    ("cel.lib.std", "exists", 2): "list(A).exists(item, condition)",
    ("cel.lib.std", "exists_one", 2): "list(A).exists_one(item, condition)",
    ("cel.lib.std", "map", 2): "list(A).map(item, result)",
    ("cel.lib.std", "map", 3): "list(A).map(item, condition, result)",
    ("cel.lib.std", "filter", 2): "list(A).filter(item, condition)",
    ("cel.lib.optional", "optMap", 2): "optional(A).optMap(value, result)",
    ("cel.lib.optional", "optFlatMap", 2): "optional(A).optFlatMap(value, optional)",
    ("cel.lib.ext.comprev2", "all", 3): "list(A)|map(A, B).all(key, value, condition)",
    ("cel.lib.ext.comprev2", "exists", 3): "list(A)|map(A, B).exists(key, value, condition)",
    ("cel.lib.ext.comprev2", "existsOne", 3): "list(A)|map(A, B).existsOne(key, value, condition)",
    ("cel.lib.ext.comprev2", "exists_one", 3): "list(A)|map(A, B).exists_one(key, value, condition)",
    ("cel.lib.ext.comprev2", "transformList", 3): "list(A)|map(A, B).transformList(key, value, result)",
    ("cel.lib.ext.comprev2", "transformList", 4): "list(A)|map(A, B).transformList(key, value, condition, result)",
    ("cel.lib.ext.comprev2", "transformMap", 3): "list(A)|map(A, B).transformMap(key, value, result)",
    ("cel.lib.ext.comprev2", "transformMap", 4): "list(A)|map(A, B).transformMap(key, value, condition, result)",
    ("cel.lib.ext.comprev2", "transformMapEntry", 3): "list(A)|map(A, B).transformMapEntry(key, value, entry)",
    (
        "cel.lib.ext.comprev2",
        "transformMapEntry",
        4,
    ): "list(A)|map(A, B).transformMapEntry(key, value, condition, entry)",
    ("cel.lib.ext.lists", "sortBy", 2): "list(A).sortBy(item, key)",
}
_ENVIRONMENTS = (get_new_environment, get_stored_environment)
_NAME = re.compile("[A-Za-z][A-Za-z0-9_.]*")  # no operators
_VERSIONS = range(OLDEST, NEWEST + 1)
_Test = Callable[[Environment], bool]


class FunctionRow(Record):
    """A function with its overloads of one arity that the same versions have, or a macro."""

    library: str
    signature: str
    new: str
    stored: str


def page() -> str:
    """Return the page."""
    rows = list_rows()
    sections = [_INTRODUCTION]
    for library, title in _TITLES.items():
        sections.append(f"## {title}\n\n| function | new rules | stored rules |\n|---|---|---|")
        sections += [
            f"| {code(cell(row.signature))} | {row.new} | {row.stored} |" for row in rows if row.library == library
        ]
        sections.append("")
    return "\n".join(sections)


def list_rows() -> list[FunctionRow]:
    """Return the functions and macros of all versions; those of one library in the order of its declarations."""
    return [*_list_functions(), *(_make_macro_row(*key) for key in _MACROS)]


def _list_functions() -> Iterator[FunctionRow]:
    grouped: dict[tuple[str, str, bool, int, str, str], dict[str, Overload]] = {}
    for row in LIBRARIES:
        for overload in row.library.overloads:
            if _NAME.fullmatch(overload.name):
                spans = _find_spans(partial(_has_overload, overload))
                key = (row.library.name, overload.name, overload.method, len(overload.args), *spans)
                grouped.setdefault(key, {})[overload.id] = overload
    for (library, _, _, _, new, stored), overloads in grouped.items():
        yield FunctionRow(library, _format_signature(list(overloads.values())), new, stored)


def _has_overload(overload: Overload, environment: Environment) -> bool:
    function = environment.functions.get(overload.name)
    rows = (function.methods if overload.method else function.plain) if function else ()
    return any(row.id == overload.id for row in rows)


def _make_macro_row(library: str, name: str, arity: int) -> FunctionRow:
    spans = _find_spans(
        lambda environment: any(macro.arity == arity for macro in environment.dialect.macros.get(name, ()))
    )
    return FunctionRow(library, _MACROS[library, name, arity], *spans)


def _find_spans(has: _Test) -> tuple[str, str]:
    """Return the versions that have something in new and in stored rules."""
    new, stored = ([minor for minor in _VERSIONS if has(get(minor))] for get in _ENVIRONMENTS)
    return _format_span(new), _format_span(stored)


def _format_span(minors: list[int]) -> str:
    if not minors:
        return f"after 1.{NEWEST}"  # the previous version lacks it
    return f"1.{minors[0]}" if minors[-1] == NEWEST else f"1.{minors[0]} to 1.{minors[-1]}"


def _format_signature(overloads: list[Overload]) -> str:
    """Format overloads as one signature, with the alternatives of each argument."""
    first = overloads[0]
    arguments = [_join(overload.args[index] for overload in overloads) for index in range(len(first.args))]
    target = f"{arguments.pop(0)}." if first.method else ""
    return f"{target}{first.name}({', '.join(arguments)}) -> {_join(overload.result for overload in overloads)}"


def _join(types: Iterable[Type]) -> str:
    names = [re.sub(r"<(\w+)>|google\.protobuf\.", r"\1", format_for_author(kind)) for kind in types]
    return "|".join(dict.fromkeys(names))
