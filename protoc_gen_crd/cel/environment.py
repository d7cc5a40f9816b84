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
from protoc_gen_crd.kubernetes.versions import Switch

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
from .versions import (
    ALWAYS,
    AUTHORIZER,
    AUTHORIZER_SELECTORS,
    BACKTICKS,
    ENUM_SIZES,
    ESCAPED_TOKENS,
    FORMAT_CHECKS,
    FRESH_OPTIONALS,
    INT_OR_STRING_SIZES,
    IP_ADDRESSES,
    LINE_STARTS,
    LISTS_1,
    LISTS_3,
    LITERAL_CHECKS,
    MIXED_LITERALS,
    MIXED_NUMBERS,
    NAME_SIZES,
    NAMED_FORMATS,
    NEVER,
    OPT_FLAT_MAP,
    OPTIONAL_GRAMMAR,
    OPTIONAL_TYPE,
    OPTIONALS,
    PREVIOUS_LIBRARIES,
    QUANTITIES,
    RESERVED_FIELDS,
    ROOT_NAMES,
    SEMVER,
    SETS,
    STRINGS_2,
    SUBSTITUTED_TYPES,
    TWO_VARIABLES,
    TYPED_OPERATORS,
    UNTYPED_SECOND_VARIABLE,
)


class VersionedLibrary(Record):
    """A library, since which switch and before which switch expressions have it."""

    library: Library
    since: Switch = ALWAYS
    before: Switch = NEVER

    def is_on(self, level: int) -> bool:
        """Check whether expressions of Kubernetes 1.<level> have it."""
        return self.since.since <= level < self.before.since


LIBRARIES = (
    VersionedLibrary(standard.LIBRARY),
    VersionedLibrary(time.LIBRARY),
    VersionedLibrary(urls.LIBRARY),
    VersionedLibrary(regex.LIBRARY),
    VersionedLibrary(lists.KUBERNETES_0, before=LISTS_1),
    VersionedLibrary(authorization.LIBRARY, AUTHORIZER),
    VersionedLibrary(optionals.LIBRARY, OPTIONALS),
    VersionedLibrary(quantity.LIBRARY, QUANTITIES),
    VersionedLibrary(strings.VERSION_0, before=STRINGS_2),
    VersionedLibrary(strings.LIBRARY, STRINGS_2),
    VersionedLibrary(sets.LIBRARY, SETS),
    VersionedLibrary(net.IP, IP_ADDRESSES),
    VersionedLibrary(net.CIDR, IP_ADDRESSES),
    VersionedLibrary(formats.LIBRARY, NAMED_FORMATS),
    VersionedLibrary(authorization.SELECTORS, AUTHORIZER_SELECTORS),
    VersionedLibrary(maps.LIBRARY, TWO_VARIABLES),
    VersionedLibrary(semver.LIBRARY, SEMVER),
    VersionedLibrary(lists.LIBRARY, LISTS_3),
    VersionedLibrary(lists.KUBERNETES, LISTS_1),
)
# what compiling depends on besides functions and syntax
_CHECKED = (
    ROOT_NAMES, UNTYPED_SECOND_VARIABLE, LINE_STARTS, FORMAT_CHECKS, OPTIONAL_TYPE, MIXED_LITERALS, TYPED_OPERATORS,
    SUBSTITUTED_TYPES,
)  # fmt: skip
RESERVED = "."  # among names of functions: there are fields named as reserved words
PASSING = frozenset(  # types that not every environment has
    [name for row in LIBRARIES if (row.since, row.before) != (ALWAYS, NEVER) for name in row.library.types]
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
        servers = [switch.is_on(self.minor) for switch in _CHECKED]
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
        compatible = minor - 1 if PREVIOUS_LIBRARIES.is_on(minor) else minor
    return _build_environment(minor, min(compatible, minor))


def get_sizes(minor: int) -> SizeRules:
    """How a server estimates sizes."""
    return SizeRules(ENUM_SIZES.is_on(minor), INT_OR_STRING_SIZES.is_on(minor), NAME_SIZES.is_on(minor))


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
    libraries = tuple([row.library for row in LIBRARIES if row.is_on(level)])
    types = {name: kind for library in libraries for name, kind in library.types.items()}
    types.update({} if ROOT_NAMES.is_on(minor) else standard.OLD_TYPES)
    if not OPTIONAL_TYPE.is_on(minor):
        types.pop("optional_type", None)
    elif not ROOT_NAMES.is_on(minor) and "optional_type" in types:
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
        mixed=MIXED_NUMBERS.is_on(level),
        literals=LITERAL_CHECKS.is_on(level),
        keywords=RESERVED_FIELDS.is_on(level),
    )


def _build_dialect(libraries: Iterable[Library], minor: int, level: int) -> ParserOptions:
    macros = build_table(*_list_macros(libraries, minor))
    return ParserOptions(
        optionals=OPTIONALS.is_on(level),
        backticks=BACKTICKS.is_on(minor),
        modern=ESCAPED_TOKENS.is_on(minor),
        shared=not FRESH_OPTIONALS.is_on(minor),
        placed=TYPED_OPERATORS.is_on(minor),
        current=OPTIONAL_GRAMMAR.is_on(minor),
        macros=macros,
    )


def _group_functions(overloads: Iterable[Overload], minor: int) -> dict[str, FunctionDecl]:
    named: dict[str, tuple[list[Overload], list[Overload]]] = {}
    for overload in overloads:
        if overload.is_on(minor):
            named.setdefault(overload.name, ([], []))[overload.method].append(overload)
    if not TYPED_OPERATORS.is_on(minor):
        for name in _ORDERED & named.keys():
            named[name][0].sort(key=_rank_overload)
    return {name: FunctionDecl.make(plain, methods) for name, (plain, methods) in named.items()}


def _rank_overload(overload: Overload) -> list[int]:
    """Where older servers have an overload among those of an operator."""
    return [_RANKS.index(each.name) for each in overload.args]


def _list_macros(libraries: Iterable[Library], minor: int) -> list[Macro]:
    macros = [macro for library in libraries for macro in library.macros]
    return [macro for macro in macros if OPT_FLAT_MAP.is_on(minor) or macro.name != "optFlatMap"]
