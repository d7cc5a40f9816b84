"""What functions cost: one row for each formula, with the overloads or names of functions that it is for.

A function without a row costs 1. Operators of logic have none: what they cost is what their operands cost.
Source: cel-go v0.12 to v0.29 `checker/cost.go`, `interpreter/runtimecost.go`, `ext/lists.go`, `ext/sets.go`;
k8s.io/apiserver pkg/cel/library/cost.go of 1.25 to 1.37.
"""

from __future__ import annotations

from functools import cache

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.base.versions import NEWEST, OLDEST
from protoc_gen_crd.cel.era import Era

from .arrays import Flatten, Join, MakesList, Sets, Sort, Traversal, ranged, sliced
from .formulas import (
    Concatenation,
    Fixed,
    Formula,
    Items,
    Joined,
    Match,
    Scan,
    Search,
    Shorter,
    ShorterWithin,
    Unsized,
    quoted,
    same,
    to_bytes,
    to_text,
)
from .parsing import Contains, Equality, EqualityWithin, Replace, Select, Split, Validate

_NEVER = 1000
_SIZED = 26  # servers: results of functions have sizes, before that only sums (cel-go 0.12.7)
_WITHIN = 33  # servers: an optional is measured by what it holds (cel-go 0.23)
_OVERFLOW = 1 << 63  # what 2^64 becomes in 64 bits on amd64, where it is not stopped (before cel-go 0.17)


class Row(Record):
    """A formula for overloads or, with `named`, functions, on servers of Kubernetes 1.`since` to 1.`until`."""

    keys: tuple[str, ...]
    formula: Formula
    since: int = 0
    until: int = _NEVER
    named: bool = False
    sized: int = _SIZED


def _overloads(keys: str, formula: Formula, since: int = 0, until: int = _NEVER, sized: int = _SIZED) -> Row:
    return Row(tuple(keys.split()), formula, since, until, sized=sized)


def _functions(keys: str, formula: Formula, since: int = 0, until: int = _NEVER) -> Row:
    return Row(tuple(keys.split()), formula, since, until, named=True)


_ORDERS = " ".join(
    f"{order}_{kind}" for order in ("less", "less_equals", "greater", "greater_equals") for kind in ("string", "bytes")
)
_SORTED = ("int", "uint", "double", "bool", "google.protobuf.Duration", "google.protobuf.Timestamp")

_STANDARD = (
    _overloads("equals", Shorter(), until=31),
    _overloads("equals", Equality(), since=32, until=_WITHIN - 1),
    _overloads("equals", EqualityWithin(), since=_WITHIN),
    _overloads("not_equals", Shorter(), until=_WITHIN - 1),
    _overloads("not_equals", ShorterWithin(), since=_WITHIN),
    _overloads(_ORDERS, Shorter()),
    _overloads("add_string add_bytes", Concatenation(), sized=0),
    _overloads("add_list", Joined(), sized=0),
    _overloads("in_list", Items(_OVERFLOW), until=28),
    _overloads("in_list", Items(), since=29),
    _overloads("string_to_bytes", Scan(result=to_bytes)),
    _overloads("bytes_to_string", Scan(result=to_text)),
    _overloads("contains_string", Search()),
    _overloads("starts_with_string ends_with_string", Scan(1, charged=0), until=36),
    _overloads("starts_with_string ends_with_string", Scan(1), since=37),
    _overloads("matches_string", Match()),
    _overloads("matches", Match(), since=37),
)

_TEXTS = (
    _overloads("string_format", Scan()),
    _overloads("strings_quote", Scan(result=quoted)),
    _functions("lowerAscii upperAscii substring trim", Scan(result=same)),
    _functions("replace", Replace()),
    _functions("split", Split()),
    _functions("join", Join()),
    _functions("find findAll", Match(found=True)),
    _functions("url", Scan(), until=31),
    _functions("url", Scan(result=same), since=32),
    _functions("quantity isQuantity", Scan(), since=30),
    _functions("semver isSemver", Scan(), since=33),
    _functions("ip isIP cidr isCIDR", Scan(), since=30),
    _overloads("cidr_ip", Fixed(1), since=30),
    _functions("ip.isCanonical", Scan(times=2), since=30),
    _overloads("cidr_contains_ip_ip", Contains(), since=30),
    _overloads("cidr_contains_ip_string", Contains(parsed=True), since=30),
    _overloads("cidr_contains_cidr", Contains(masked=True), since=30),
    _overloads("cidr_contains_cidr_string", Contains(parsed=True, masked=True), since=30),
    _functions("containsIP", Contains(), since=30),  # of an unknown type
    _functions("containsCIDR", Contains(masked=True), since=30),
    _functions("validate", Validate(), since=31),
    _functions("check", Fixed(350_000), since=27),
    _functions("fieldSelector labelSelector", Select(), since=31),
)

_LISTS = (
    _functions("isSorted sum max min indexOf lastIndexOf", Traversal(0.1, wrapped=False), until=28),
    _functions("isSorted sum max min indexOf lastIndexOf", Traversal(0.1), since=29),
    _functions("includes", Traversal(1), since=37),
    _overloads("list_sets_contains_list list_sets_intersects_list", Sets(1)),
    _overloads("list_sets_equivalent_list", Sets(2)),
    _overloads("list_slice", MakesList(sliced)),
    _overloads("lists_range", MakesList(ranged)),
    _overloads("list_reverse", MakesList(lambda operands: operands.size(0))),
    _overloads("list_flatten list_flatten_int", Flatten(wraps=True), until=36),
    _overloads("list_flatten list_flatten_int", Flatten(), since=37),
    _overloads("list_distinct", Sort()),
    _overloads(" ".join(f"list_{kind}_sort" for kind in _SORTED), Sort()),
    _overloads("list_string_sort list_bytes_sort", Sort(texts=True)),
    _overloads(" ".join(f"list_{kind}_sortByAssociatedKeys" for kind in _SORTED), Sort(1)),
    _overloads("list_string_sortByAssociatedKeys list_bytes_sortByAssociatedKeys", Sort(1, texts=True)),
)
ROWS = (*_STANDARD, *_TEXTS, *_LISTS)
_UNIT = Fixed(1)


def formula(overload: str, function: str, minor: int) -> Formula:
    """What calls of an overload ("" where several are possible) cost in Kubernetes 1.`minor`."""
    overloads, functions = _tables(minor)
    return overloads.get(overload) or functions.get(function) or _UNIT


def formula_of(overload: str, function: str, era: Era) -> Formula:
    """The same for the server of an era, and all versions for which it is that formula."""
    found, first, until = _spanned(overload, function, era.minor)
    era.narrow(first, until)
    return found


@cache
def _spanned(overload: str, function: str, minor: int) -> tuple[Formula, int, int]:
    """A formula, and from which to before which version it is the same."""
    found = formula(overload, function, minor)
    first, last = minor, minor
    while first > OLDEST and formula(overload, function, first - 1) is found:
        first -= 1
    while last < NEWEST and formula(overload, function, last + 1) is found:
        last += 1
    return found, first, last + 1


@cache
def _unsized(row: Row) -> Formula:
    return Unsized(row.formula)


@cache
def _tables(minor: int) -> tuple[dict[str, Formula], dict[str, Formula]]:
    tables: tuple[dict[str, Formula], dict[str, Formula]] = {}, {}
    for row in ROWS:
        if row.since <= minor <= row.until:
            its = row.formula if minor >= row.sized else _unsized(row)
            tables[row.named].update(dict.fromkeys(row.keys, its))
    return tables


def features(minor: int) -> object:
    """A value that is equal for versions in which every expression that compiles alike is estimated alike."""
    rows = [index for index, row in enumerate(ROWS) if row.since <= minor <= row.until]
    return tuple(rows), minor >= _SIZED, minor >= _WITHIN, min(max(minor, 27), 30)
