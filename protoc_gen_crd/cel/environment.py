"""The functions, macros, syntax, and checks that expressions of a Kubernetes version may use.

A server compiles new expressions with the libraries of the previous version, so that they still compile after a
downgrade, and stored expressions with all its libraries. Source: k8s.io/apiserver pkg/cel/environment base.go (1.28 to
1.37), k8s.io/apiextensions-apiserver pkg/apiserver/schema/cel compilation.go (1.25 to 1.27).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from functools import cache

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.cel.checker.overloads import Library, Overload
from protoc_gen_crd.cel.checker.types import Type, make_opaque_type
from protoc_gen_crd.cel.checker.value_sizes import SizeRules
from protoc_gen_crd.cel.library.declarations.messages import MESSAGES
from protoc_gen_crd.cel.parser.macro_expansion import Macro, build_table
from protoc_gen_crd.cel.parser.parser_options_and_limits import ParserOptions
from protoc_gen_crd.kubernetes.supported_versions import Switch

from .library.declarations import (
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
from .version_differences import (
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
    """A library with the switches from which (`since`) and up to which (`before`) expressions have it."""

    library: Library
    since: Switch = ALWAYS
    before: Switch = NEVER

    def is_on(self, level: int) -> bool:
        """Check whether expressions of Kubernetes 1.<level> have the library."""
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
# switches that affect compilation, besides functions and syntax
_CHECKED = (
    ROOT_NAMES, UNTYPED_SECOND_VARIABLE, LINE_STARTS, FORMAT_CHECKS, OPTIONAL_TYPE, MIXED_LITERALS, TYPED_OPERATORS,
    SUBSTITUTED_TYPES,
)  # fmt: skip
RESERVED = "."  # marks, among function names, that an expression selects fields named like reserved words
PASSING = frozenset(  # types that not every environment has
    [name for row in LIBRARIES if (row.since, row.before) != (ALWAYS, NEVER) for name in row.library.types]
    + ["optional_type", *standard.OLD_TYPES]
)
_ORDERED = frozenset(("_+_", "_-_", "_*_", "_/_", "-_"))  # operators whose result depends on the order of overloads
_RANKS = (
    "int", "uint", "double", "string", "bytes", "list", "google.protobuf.Timestamp", "google.protobuf.Duration"
)  # fmt: skip
_VALIDATED_FUNCTIONS = frozenset(
    ("duration", "format", "matches", "timestamp", "_[_]", "_[?_]")
)  # functions whose literal arguments `checker.literal_validators` checks


class FunctionDecl(Record):
    """The overloads of one function name: global functions (`plain`) and member functions (`methods`)."""

    plain: tuple[Overload, ...]
    methods: tuple[Overload, ...]
    ids: tuple[int, ...]
    has_mixed: bool

    @classmethod
    def make(cls, plain: Iterable[Overload], methods: Iterable[Overload]) -> FunctionDecl:
        """Create the declaration of these overloads."""
        rows = *plain, *methods
        ids = tuple([id(row) for row in rows])
        return cls(tuple(plain), tuple(methods), ids, any(row.mixed for row in rows))

    def get_key(self, *, mixed: bool) -> object:
        """Return a key that is equal for equal overloads; with `mixed`, overloads for mixed number types count."""
        return self.ids, mixed or not self.has_mixed


class Environment(Record):
    """The features that expressions have. `minor` is the server's version, `level` the version whose libraries it has.

    `roots` are the first segments of dotted type names. With `mixed`, numbers of different types compare; with
    `literals`, literal arguments of some functions are checked; with `keywords`, fields named like reserved words need
    no escaping.
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
        """A key that is equal for environments in which every expression compiles alike."""
        switched = self.mixed, self.literals, self.keywords, *self.dialect.get_flags
        servers = [switch.is_on(self.minor) for switch in _CHECKED]
        return tuple(map(id, self.libraries)), len(self.list_overloads()), switched, tuple(servers)

    def get_key(self, marks: str, functions: Collection[str]) -> object:
        """Return a key that is equal for environments of a version range that check these marks and functions alike."""
        declarations = [self.functions.get(name) for name in functions]
        rows = [declaration.get_key(mixed=self.mixed) if declaration else () for declaration in declarations]
        types = [
            (name, id(self.types[name])) for end, name in _list_type_suffixes(self.minor, self.level) if end in marks
        ]
        literals = self.literals or _VALIDATED_FUNCTIONS.isdisjoint(functions)
        keywords = self.keywords or RESERVED not in functions
        return literals, keywords, tuple(rows), tuple(types)

    def list_overloads(self) -> list[Overload]:
        """Return the overloads of all functions."""
        return [overload for function in self.functions.values() for overload in (*function.plain, *function.methods)]


def get_stored_environment(minor: int) -> Environment:
    """Return the environment in which a server of Kubernetes 1.`minor` compiles stored expressions."""
    return _build_environment(minor, minor)


def get_new_environment(minor: int, compatible: int | None = None) -> Environment:
    """Return the environment for new expressions; `compatible` is the server's minimum compatibility version."""
    return _build_environment(minor, _get_default_level(minor) if compatible is None else min(compatible, minor))


def _get_default_level(minor: int) -> int:
    return minor - 1 if PREVIOUS_LIBRARIES.is_on(minor) else minor


@cache
def list_function_names(minor: int) -> frozenset[str]:
    """Return the names of the functions for new expressions. To build their environment would take much longer."""
    level = _get_default_level(minor)
    overloads = [overload for row in LIBRARIES if row.is_on(level) for overload in row.library.overloads]
    return frozenset([overload.name for overload in overloads if overload.is_on(minor)])


def get_sizes(minor: int) -> SizeRules:
    """Return how a server of Kubernetes 1.`minor` estimates sizes."""
    return SizeRules(ENUM_SIZES.is_on(minor), INT_OR_STRING_SIZES.is_on(minor), NAME_SIZES.is_on(minor))


@cache
def _list_type_suffixes(minor: int, level: int) -> tuple[tuple[str, str], ...]:
    """Return the last segment and the full name of each type that not every environment has."""
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
    """Return the sort key of an operator's overload in the order of older servers."""
    return [_RANKS.index(kind.name) for kind in overload.args]


def _list_macros(libraries: Iterable[Library], minor: int) -> list[Macro]:
    macros = [macro for library in libraries for macro in library.macros]
    return [macro for macro in macros if OPT_FLAT_MAP.is_on(minor) or macro.name != "optFlatMap"]
