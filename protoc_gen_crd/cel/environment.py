"""What an expression may use: functions, macros, syntax and checks of a Kubernetes version.

A server compiles what is new with the libraries of the version before, so that a downgrade finds nothing it does not
know, and what is stored with all it has. Source: k8s.io/apiserver pkg/cel/environment base.go (1.28 to 1.37),
k8s.io/apiextensions-apiserver pkg/apiserver/schema/cel compilation.go (1.25 to 1.27).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from functools import cache

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.cel.checker.overloads import Library, Overload
from protoc_gen_crd.cel.checker.types import Type, make_opaque_type
from protoc_gen_crd.cel.checker.value_sizes import SizeRules
from protoc_gen_crd.cel.library.messages import MESSAGES
from protoc_gen_crd.cel.parser.macro_expansion import Macro, build_table
from protoc_gen_crd.cel.parser.parser_base import ParserOptions

from .library import (
    authorization,
    formats,
    lists,
    maps,
    net,
    optionals,
    quantity,
    regex,
    semver,
    sets,
    standard,
    strings,
    time,
    urls,
)

_ALWAYS, _NEVER = 0, 1000


class VersionedLibrary(Record):
    """A library and the minor versions of Kubernetes from which and until before which expressions have it."""

    library: Library
    introduced: int = _ALWAYS
    removed: int = _NEVER


LIBRARIES = (
    VersionedLibrary(standard.LIBRARY),
    VersionedLibrary(time.LIBRARY),
    VersionedLibrary(urls.LIBRARY),
    VersionedLibrary(regex.LIBRARY),
    VersionedLibrary(lists.KUBERNETES_0, removed=37),
    VersionedLibrary(authorization.LIBRARY, 27),
    VersionedLibrary(optionals.LIBRARY, 28),
    VersionedLibrary(quantity.LIBRARY, 28),
    VersionedLibrary(strings.VERSION_0, removed=29),
    VersionedLibrary(strings.LIBRARY, 29),
    VersionedLibrary(sets.LIBRARY, 29),
    VersionedLibrary(net.IP, 30),
    VersionedLibrary(net.CIDR, 30),
    VersionedLibrary(formats.LIBRARY, 31),
    VersionedLibrary(authorization.SELECTORS, 31),
    VersionedLibrary(maps.LIBRARY, 32),
    VersionedLibrary(semver.LIBRARY, 33),
    VersionedLibrary(lists.LIBRARY, 34),
    VersionedLibrary(lists.KUBERNETES, 37),
)
MIXED_NUMBERS, LITERALS, KEYWORDS = 28, 29, 31  # introduced: 1 < 2.0; checks of literals; self.namespace
_OPT_FLAT_MAP = 29  # servers: cel-go 0.17
ROOTED = 37  # servers: a leading dot passes over variables of comprehensions, these hide types (cel-go 0.27)
CHECKED_FORMAT = 31  # servers: format's text is checked, and literals anywhere within its list are exempt (cel-go 0.20)
MIXED_LITERALS = 29  # servers: literals of lists and maps are checked after all types are known (cel-go 0.17)
ALL_TYPED = (
    29  # servers: what is not declared has a type, && wants bools, macros are refused at arguments, null and what takes
    # it stand for each other, overloads come in another order (cel-go 0.17)
)
SETTLED = 28  # servers: texts show what type variables stand for, what has no fields gives dyn (cel-go 0.16)
FORGETS = 32  # the server that gives the second variable over what is dynamic no type (cel-go 0.22)
RIGHT_LINES = 32  # servers: the start of a line is no longer taken for the end of the one before (cel-go 0.22)
OPTIONAL_TYPE = 31  # servers: the type optional_type, which before that no name stands for, and is shown as optional
SCALAR_TYPES = 32  # servers: Kubernetes' own names of scalars stand for types, before that for values
_UNSHARED = 32  # servers: macros of optionals make nodes of their own for each use of what they are called on
_MODERN = 33  # servers: texts are split and mistakes told as today (cel-go 0.23)
_CURRENT = 28  # servers: the grammar has optional syntax, and counts fewer levels (cel-go 0.16)
_BACKTICKS = 37  # servers: self.`a-b` (cel-go 0.27 and later)
_ENUMS, _INT_OR_STRINGS, _NAMES = 29, 34, 37  # servers: what estimates of sizes look at
_VERSIONED = 28
RESERVED = "."  # among names of functions: there are fields named as reserved words
PASSING = frozenset(  # types that not every environment has
    [name for row in LIBRARIES if (row.introduced, row.removed) != (_ALWAYS, _NEVER) for name in row.library.types]
    + ["optional_type", *standard.OLD_TYPES]
)
_ORDERED = frozenset(("_+_", "_-_", "_*_", "_/_", "-_"))  # whose result hangs on the overload that is the first to fit
_RANKS = (
    "int", "uint", "double", "string", "bytes", "list", "google.protobuf.Timestamp", "google.protobuf.Duration"
)  # fmt: skip
_VALIDATED_FUNCTIONS = frozenset(
    ("duration", "format", "matches", "timestamp", "_[_]", "_[?_]")
)  # what `literals` is about


class FunctionDecl(Record):
    """The overloads of one name, called plainly and called on something."""

    plain: tuple[Overload, ...]
    methods: tuple[Overload, ...]
    ids: tuple[int, ...]
    has_mixed: bool

    @classmethod
    def make(cls, plain: Iterable[Overload], methods: Iterable[Overload]) -> FunctionDecl:
        """These overloads."""
        rows = *plain, *methods
        ids = tuple([id(row) for row in rows])
        return cls(tuple(plain), tuple(methods), ids, any(row.mixed for row in rows))

    def get_key(self, *, mixed: bool) -> object:
        """A value that is equal where there are the same overloads; `mixed` tells whether mixed ones count."""
        return self.ids, mixed or not self.has_mixed


class Environment(Record):
    """What an expression may use. `minor` is the server's, `level` the version whose libraries it has.

    `roots` are the first words of the dotted names of types; `mixed` tells that numbers of different types compare,
    `literals` that literals of some functions are checked, `keywords` that fields named as reserved words need no
    escaping.
    """

    minor: int
    level: int
    libraries: tuple[Library, ...]
    functions: Mapping[str, FunctionDecl]
    dialect: ParserOptions
    types: Mapping[str, Type]
    roots: frozenset[str]
    mixed: bool
    literals: bool
    keywords: bool

    @property
    def features(self) -> object:
        """A value that is equal for environments in which everything compiles alike."""
        switched = self.mixed, self.literals, self.keywords, *self.dialect.get_flags
        switches = ROOTED, FORGETS + 1, RIGHT_LINES, CHECKED_FORMAT, OPTIONAL_TYPE, MIXED_LITERALS, ALL_TYPED, SETTLED
        servers = [self.minor >= since for since in switches]
        return tuple(self.libraries), len(self.list_overloads()), switched, tuple(servers)

    def get_key(self, marks: str, functions: Collection[str]) -> object:
        """A value that is equal for environments of one era in which a text with such marks and calls checks alike."""
        called = [self.functions.get(name) for name in functions]
        rows = [each.get_key(mixed=self.mixed) if each else () for each in called]
        types = [
            (name, id(self.types[name])) for end, name in _list_type_suffixes(self.minor, self.level) if end in marks
        ]
        literals = self.literals or _VALIDATED_FUNCTIONS.isdisjoint(functions)
        keywords = self.keywords or RESERVED not in functions
        return literals, keywords, tuple(rows), tuple(types)

    def list_overloads(self) -> list[Overload]:
        """All of them."""
        return [one for each in self.functions.values() for one in (*each.plain, *each.methods)]


def get_stored_environment(minor: int) -> Environment:
    """What stored expressions are compiled with by a server of Kubernetes 1.`minor`."""
    return _build_environment(minor, minor)


def get_new_environment(minor: int, compatible: int | None = None) -> Environment:
    """What new expressions are compiled with; `compatible` is the server's minimal compatibility version."""
    if compatible is None:
        compatible = minor - 1 if minor >= _VERSIONED else minor
    return _build_environment(minor, min(compatible, minor))


def get_sizes(minor: int) -> SizeRules:
    """How a server estimates sizes."""
    return SizeRules(minor >= _ENUMS, minor >= _INT_OR_STRINGS, minor >= _NAMES)


@cache
def _list_type_suffixes(minor: int, level: int) -> tuple[tuple[str, str], ...]:
    """The last word of the name of each type that not every environment has, and the name."""
    return tuple(
        [(name.rpartition(".")[2], name) for name in _build_environment(minor, level).types if name in PASSING]
    )


# Shortcut pure-functions: a function of hashable arguments that never change may remember its results, which are never
# written to.
@cache
def _build_environment(minor: int, level: int) -> Environment:
    libraries = tuple([row.library for row in LIBRARIES if row.introduced <= level < row.removed])
    types = {name: kind for library in libraries for name, kind in library.types.items()}
    types.update(standard.OLD_TYPES if minor < ROOTED else {})
    if minor < OPTIONAL_TYPE:
        types.pop("optional_type", None)
    elif minor < ROOTED and "optional_type" in types:
        types["optional_type"] = make_opaque_type("optional_type")
    types.update({name: message.type for name, message in MESSAGES.items() if name not in types})
    return Environment(
        minor=minor,
        level=level,
        libraries=libraries,
        functions=_group_functions([overload for library in libraries for overload in library.overloads], minor),
        dialect=_build_dialect(libraries, minor, level),
        types=types,
        roots=frozenset([name.partition(".")[0] for name in types if "." in name]),
        mixed=level >= MIXED_NUMBERS,
        literals=level >= LITERALS,
        keywords=level >= KEYWORDS,
    )


def _build_dialect(libraries: Iterable[Library], minor: int, level: int) -> ParserOptions:
    macros = build_table(*_list_macros(libraries, minor))
    return ParserOptions(
        optionals=level >= MIXED_NUMBERS,
        backticks=minor >= _BACKTICKS,
        modern=minor >= _MODERN,
        shared=minor < _UNSHARED,
        placed=minor >= ALL_TYPED,
        current=minor >= _CURRENT,
        macros=macros,
    )


def _group_functions(overloads: Iterable[Overload], minor: int) -> dict[str, FunctionDecl]:
    named: dict[str, tuple[list[Overload], list[Overload]]] = {}
    for overload in overloads:
        if overload.since <= minor <= overload.until:
            named.setdefault(overload.name, ([], []))[overload.method].append(overload)
    if minor < ALL_TYPED:
        for name in _ORDERED & named.keys():
            named[name][0].sort(key=_rank_overload)
    return {name: FunctionDecl.make(plain, methods) for name, (plain, methods) in named.items()}


def _rank_overload(overload: Overload) -> list[int]:
    """Where older servers have an overload among those of an operator."""
    return [_RANKS.index(each.name) for each in overload.args]


def _list_macros(libraries: Iterable[Library], minor: int) -> list[Macro]:
    macros = [macro for library in libraries for macro in library.macros]
    return [macro for macro in macros if minor >= _OPT_FLAT_MAP or macro.name != "optFlatMap"]
