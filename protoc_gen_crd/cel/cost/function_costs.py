"""The costs of functions: one row per formula, with its overloads or function names.

A function without a row costs 1. Logical operators have no rows: they cost what their operands cost.
Source: cel-go v0.12 to v0.29 `checker/cost.go`, `interpreter/runtimecost.go`, `ext/lists.go`, `ext/sets.go`;
k8s.io/apiserver pkg/cel/library/cost.go of 1.25 to 1.37.
"""

from __future__ import annotations

from functools import cache
from operator import attrgetter

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.cel.version_differences import (
    ALWAYS,
    AUTHORIZER,
    AUTHORIZER_SELECTORS,
    COMPREHENSION_SIZES,
    EQUALITY_COST,
    FLATTEN_COST,
    GLOBAL_MATCHES_COST,
    INCLUDES_COST,
    IP_ADDRESSES,
    NAMED_FORMATS,
    NEVER,
    OPTIONAL_SIZES,
    PREFIX_COST,
    PRESENCE_TEST_COST,
    PRESENCE_TEST_OPERAND,
    QUANTITY_COST,
    RESULT_SIZES,
    SEMVER,
    STOPPED_SIZES,
    URL_SIZE,
    WRAPPED_LIST_COST,
)
from protoc_gen_crd.kubernetes.shared_results import Switches
from protoc_gen_crd.kubernetes.supported_versions import NEWEST, OLDEST, Switch, make_minor_set

from .cost_formulas import (
    ConcatenationCost,
    CostFormula,
    FixedCost,
    ItemsCost,
    ListConcatenationCost,
    RegexMatchCost,
    ScanCost,
    SearchCost,
    ShorterOperandCost,
    ShorterOptionalCost,
    UnsizedCost,
    estimate_bytes,
    estimate_quoted,
    estimate_string,
    keep_size,
)
from .list_cost_formulas import (
    FlattenCost,
    JoinCost,
    ListCreationCost,
    SetsCost,
    SortCost,
    TraversalCost,
    estimate_range_size,
    estimate_slice_size,
)
from .special_cost_formulas import (
    ContainsCost,
    EqualityCost,
    OptionalEqualityCost,
    ReplaceCost,
    SelectorCost,
    SplitCost,
    ValidateCost,
)

_OVERFLOW = 1 << 63  # 2^64 as a 64-bit number on amd64, where servers do not saturate (before cel-go 0.17)


class CostRow(Record):
    """A formula for overloads or, with `named`, functions, on servers from one switch to before another.

    `sized` is the switch from which its result has a size.
    """

    keys: tuple[str, ...]
    formula: CostFormula
    since: Switch = ALWAYS
    before: Switch = NEVER
    named: bool = False
    sized: Switch = RESULT_SIZES

    def is_on(self, minor: int) -> bool:
        """Check whether servers of Kubernetes 1.<minor> have this formula."""
        return self.since.since <= minor < self.before.since


def _make_overload_row(
    keys: str, formula: CostFormula, since: Switch = ALWAYS, before: Switch = NEVER, sized: Switch = RESULT_SIZES
) -> CostRow:
    return CostRow(tuple(keys.split()), formula, since, before, sized=sized)


def _make_function_row(keys: str, formula: CostFormula, since: Switch = ALWAYS, before: Switch = NEVER) -> CostRow:
    return CostRow(tuple(keys.split()), formula, since, before, named=True)


_ORDERS = " ".join(
    f"{order}_{kind}" for order in ("less", "less_equals", "greater", "greater_equals") for kind in ("string", "bytes")
)
_SORTED = ("int", "uint", "double", "bool", "google.protobuf.Duration", "google.protobuf.Timestamp")

_STANDARD = (
    _make_overload_row("equals", ShorterOperandCost(), before=EQUALITY_COST),
    _make_overload_row("equals", EqualityCost(), since=EQUALITY_COST, before=OPTIONAL_SIZES),
    _make_overload_row("equals", OptionalEqualityCost(), since=OPTIONAL_SIZES),
    _make_overload_row("not_equals", ShorterOperandCost(), before=OPTIONAL_SIZES),
    _make_overload_row("not_equals", ShorterOptionalCost(), since=OPTIONAL_SIZES),
    _make_overload_row(_ORDERS, ShorterOperandCost()),
    _make_overload_row("add_string add_bytes", ConcatenationCost(), sized=ALWAYS),
    _make_overload_row("add_list", ListConcatenationCost(), sized=ALWAYS),
    _make_overload_row("in_list", ItemsCost(_OVERFLOW), before=STOPPED_SIZES),
    _make_overload_row("in_list", ItemsCost(), since=STOPPED_SIZES),
    _make_overload_row("string_to_bytes", ScanCost(result=estimate_bytes)),
    _make_overload_row("bytes_to_string", ScanCost(result=estimate_string)),
    _make_overload_row("contains_string", SearchCost()),
    _make_overload_row("starts_with_string ends_with_string", ScanCost(1, charged=0), before=PREFIX_COST),
    _make_overload_row("starts_with_string ends_with_string", ScanCost(1), since=PREFIX_COST),
    _make_overload_row("matches_string", RegexMatchCost()),
    _make_overload_row("matches", RegexMatchCost(), since=GLOBAL_MATCHES_COST),
)

_STRINGS = (
    _make_overload_row("string_format", ScanCost()),
    _make_overload_row("strings_quote", ScanCost(result=estimate_quoted)),
    _make_function_row("lowerAscii upperAscii substring trim", ScanCost(result=keep_size)),
    _make_function_row("replace", ReplaceCost()),
    _make_function_row("split", SplitCost()),
    _make_function_row("join", JoinCost()),
    _make_function_row("find findAll", RegexMatchCost(returns_match=True)),
    _make_function_row("url", ScanCost(), before=URL_SIZE),
    _make_function_row("url", ScanCost(result=keep_size), since=URL_SIZE),
    _make_function_row("quantity isQuantity", ScanCost(), since=QUANTITY_COST),
    _make_function_row("semver isSemver", ScanCost(), since=SEMVER),
    _make_function_row("ip isIP cidr isCIDR", ScanCost(), since=IP_ADDRESSES),
    _make_overload_row("cidr_ip", FixedCost(1), since=IP_ADDRESSES),
    _make_function_row("ip.isCanonical", ScanCost(times=2), since=IP_ADDRESSES),
    _make_overload_row("cidr_contains_ip_ip", ContainsCost(), since=IP_ADDRESSES),
    _make_overload_row("cidr_contains_ip_string", ContainsCost(parsed=True), since=IP_ADDRESSES),
    _make_overload_row("cidr_contains_cidr", ContainsCost(masked=True), since=IP_ADDRESSES),
    _make_overload_row("cidr_contains_cidr_string", ContainsCost(parsed=True, masked=True), since=IP_ADDRESSES),
    _make_function_row("containsIP", ContainsCost(), since=IP_ADDRESSES),  # for operands of unknown type
    _make_function_row("containsCIDR", ContainsCost(masked=True), since=IP_ADDRESSES),
    _make_function_row("validate", ValidateCost(), since=NAMED_FORMATS),
    _make_function_row("check", FixedCost(350_000), since=AUTHORIZER),
    _make_function_row("fieldSelector labelSelector", SelectorCost(), since=AUTHORIZER_SELECTORS),
)

_TRAVERSALS = "isSorted sum max min indexOf lastIndexOf"
_LISTS = (
    _make_function_row(
        "isSorted sum max min indexOf lastIndexOf", TraversalCost(0.1, wrapped=False), before=WRAPPED_LIST_COST
    ),
    _make_function_row("isSorted sum max min indexOf lastIndexOf", TraversalCost(0.1), since=WRAPPED_LIST_COST),
    _make_function_row("includes", TraversalCost(1), since=INCLUDES_COST),
    _make_overload_row("list_sets_contains_list list_sets_intersects_list", SetsCost(1)),
    _make_overload_row("list_sets_equivalent_list", SetsCost(2)),
    _make_overload_row("list_slice", ListCreationCost(estimate_slice_size)),
    _make_overload_row("lists_range", ListCreationCost(estimate_range_size)),
    _make_overload_row("list_reverse", ListCreationCost(lambda operands: operands.estimate_size(0))),
    _make_overload_row("list_flatten list_flatten_int", FlattenCost(wraps=True), before=FLATTEN_COST),
    _make_overload_row("list_flatten list_flatten_int", FlattenCost(), since=FLATTEN_COST),
    _make_overload_row("list_distinct", SortCost()),
    _make_overload_row(" ".join(f"list_{kind}_sort" for kind in _SORTED), SortCost()),
    _make_overload_row("list_string_sort list_bytes_sort", SortCost(texts=True)),
    _make_overload_row(" ".join(f"list_{kind}_sortByAssociatedKeys" for kind in _SORTED), SortCost(1)),
    _make_overload_row("list_string_sortByAssociatedKeys list_bytes_sortByAssociatedKeys", SortCost(1, texts=True)),
)
ROWS = (*_STANDARD, *_STRINGS, *_LISTS)


def _index_rows(*, named: bool) -> dict[str, list[CostRow]]:
    """Return the rows of each overload or function; of several for a version, the first applies."""
    index: dict[str, list[CostRow]] = {}
    for row in reversed(ROWS):
        for key in row.keys if row.named == named else ():
            index.setdefault(key, []).append(row)
    return index


_OVERLOAD_ROWS, _FUNCTION_ROWS = _index_rows(named=False), _index_rows(named=True)
_UNIT = FixedCost(1)
# switches that affect estimates, besides rows
_ESTIMATED = (RESULT_SIZES, PRESENCE_TEST_COST, PRESENCE_TEST_OPERAND, COMPREHENSION_SIZES, OPTIONAL_SIZES)


def find_formula(overload: str, function: str, minor: int) -> CostFormula:
    """Return the formula of an overload ("" if several are possible) in Kubernetes 1.`minor`."""
    for row in (*_OVERLOAD_ROWS.get(overload, ()), *_FUNCTION_ROWS.get(function, ())):
        if row.is_on(minor):
            return row.formula if row.sized.is_on(minor) else _make_unsized(row)
    return _UNIT


def list_other_formulas(overload: str, function: str, minor: int, *, plain: bool) -> list[tuple[CostFormula, int]]:
    """Return the formulas of other versions that may charge differently, each with the set of its versions.

    With `plain`, there are no optionals and no values of types of libraries.
    """
    get_key = attrgetter("plain_charge_key" if plain else "charge_key")
    own = get_key(find_formula(overload, function, minor))
    return [(formula, minors) for formula, minors in _group_formulas(overload, function) if get_key(formula) != own]


@cache
def _group_formulas(overload: str, function: str) -> list[tuple[CostFormula, int]]:
    """Return the formulas of all versions, each with the set of its versions."""
    groups: dict[int, tuple[CostFormula, int]] = {}
    for minor in range(OLDEST, NEWEST + 1):
        formula = find_formula(overload, function, minor)
        minors = groups.get(id(formula), (formula, 0))[1]
        groups[id(formula)] = formula, minors | make_minor_set(minor, minor + 1)
    return list(groups.values())


def find_formula_for_range(overload: str, function: str, versions: Switches) -> CostFormula:
    """Return the formula, and narrow `versions` to the versions with the same one."""
    formula, first, until = _find_formula_with_range(overload, function, versions.minor)
    versions.narrow(first, until)
    return formula


@cache
def _find_formula_with_range(overload: str, function: str, minor: int) -> tuple[CostFormula, int, int]:
    """Return a formula, and the versions from which and before which it is the same."""
    formula = find_formula(overload, function, minor)
    first, last = minor, minor
    while first > OLDEST and find_formula(overload, function, first - 1) is formula:
        first -= 1
    while last < NEWEST and find_formula(overload, function, last + 1) is formula:
        last += 1
    return formula, first, last + 1


@cache
def _make_unsized(row: CostRow) -> CostFormula:
    return UnsizedCost(row.formula)


def get_cost_key(minor: int) -> object:
    """Return a key that is equal for versions that estimate every expression that compiles alike with the same cost."""
    rows = [index for index, row in enumerate(ROWS) if row.is_on(minor)]
    return tuple(rows), tuple([switch.is_on(minor) for switch in _ESTIMATED])
