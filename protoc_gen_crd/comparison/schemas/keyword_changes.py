"""The rules of single nodes: each claims keywords and compares their meaning.

A keyword that no rule claims is reported as unclassified, so that a new keyword is never ignored.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Sequence

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.comparison.change import EXPLAINED, ChangeClass, Difference
from protoc_gen_crd.comparison.schemas.cel_rule_comparison import compare_rules
from protoc_gen_crd.comparison.schemas.default_changes import (
    compare_defaults_and_nulls,
    is_treatment_rejecting,
    is_unrestricted,
)
from protoc_gen_crd.comparison.schemas.defaults_and_nulls import Outcome, get_null_outcomes, is_always_present
from protoc_gen_crd.comparison.schemas.enforced_keywords import (
    get_lower_bound,
    get_string_format,
    get_type_name,
    get_types,
    get_upper_bound,
)
from protoc_gen_crd.comparison.schemas.implicit_fields import list_present_fields
from protoc_gen_crd.comparison.schemas.keyword_order import (
    ORDERS,
    Order,
    at_least,
    at_most,
    combine_orders,
    make_order,
)
from protoc_gen_crd.comparison.schemas.logical_keyword_order import (
    find_changed_part,
    find_logical_order,
    find_order_in_context,
    is_requirement_unchanged,
)
from protoc_gen_crd.comparison.schemas.node_pair import (
    NodePair,
    may_compare,
    may_read_type,
)
from protoc_gen_crd.comparison.schemas.present_fields import is_field_count_implied
from protoc_gen_crd.comparison.schemas.unknown_field_effects import is_embedded_pruned, may_reject_unknown_fields
from protoc_gen_crd.kubernetes.shared_results import Switches
from protoc_gen_crd.schema.schema import (
    EMBEDDED,
    INT_OR_STRING,
    LIST_MAP_KEYS,
    LIST_TYPE,
    LOGICAL_KEYWORDS,
    MAP_TYPE,
    PRESERVE,
    VALIDATIONS,
    Schema,
)

DOCUMENTATION = ("description", "title", "example", "externalDocs", "id", "$schema")


class NodeRule(Record):
    """A comparison of the keywords that it claims."""

    keywords: tuple[str, ...]
    compare: Callable[[NodePair, Switches, list[str]], Iterator[Difference]]


class RuleNames(Record):
    """The ids for each order of the values of a keyword."""

    added: str
    removed: str
    tightened: str = ""
    loosened: str = ""
    changed: str = ""

    def choose(self, order: Order, *, was_absent: bool, is_absent: bool) -> str:
        """Return the rule of an order; empty if nothing changes."""
        if order is Order.EQUAL:
            return ""
        if order is Order.NARROWER:
            return self.added if was_absent else self.tightened or self.changed
        if order is Order.WIDER:
            return self.removed if is_absent else self.loosened or self.changed
        return self.changed


def _make_names(name: str, *suffixes: str) -> RuleNames:
    """Return ids with suffixes: for a keyword that is added, removed, narrower, wider, or incomparable."""
    return RuleNames(*(f"change-{name}{f'-{suffix}' if suffix else ''}" for suffix in suffixes))


_BOUND = _make_names("bound", "added", "removed", "tightened", "loosened", "")
_FORMAT = _make_names("format", "added", "removed", "tightened", "loosened", "")
_LOGIC = _make_names("logic", "added", "removed", "tightened", "loosened", "")
_NAMES = {
    **dict.fromkeys(
        ("multipleOf", "minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties"), _BOUND
    ),
    "pattern": RuleNames("change-pattern-added", "change-pattern-removed", changed="change-pattern"),
    "enum": RuleNames(
        "change-enum-added", "change-enum-removed", "change-enum-value-removed", "change-enum-value-added",
        "change-enum",
    ),
    "uniqueItems": _BOUND,
}  # fmt: skip


def _compare_simple(pair: NodePair, switches: Switches, changed: list[str]) -> Iterator[Difference]:
    for keyword in changed:
        old, new = pair.get_effective_values(keyword)
        order = find_order_in_context(pair, switches, ORDERS[keyword](old, new), keyword)
        if keyword in _COUNTS:
            order = _find_order_of_counts(pair, order, keyword)
        if rule := _NAMES[keyword].choose(order, was_absent=old is None, is_absent=new is None):
            change_class = ChangeClass.LOOSEN if order is Order.WIDER and rule == "change-pattern" else None
            yield Difference(rule, keyword, *pair.get_values(keyword), change_class)


_COUNTS = ("minProperties", "maxProperties")


def _find_order_of_counts(pair: NodePair, order: Order, keyword: str) -> Order:
    """Return the order of numbers of fields, given the order without what else bounds the number."""
    old, new = pair.get_values(keyword)
    accepts_old = not order.is_narrowing or is_field_count_implied(pair, keyword, new)
    accepts_more = order in (Order.WIDER, Order.INCOMPARABLE) and not is_field_count_implied(
        pair.mirror(), keyword, old
    )
    return make_order(accepts_old=accepts_old, accepts_more=accepts_more)


_BOUNDS = ("minimum", "exclusiveMinimum", "maximum", "exclusiveMaximum")


def _compare_bounds(pair: NodePair, switches: Switches, changed: list[str]) -> Iterator[Difference]:
    if _is_range_replaced(pair):
        yield from _compare_ranges(pair, switches, changed)
        return
    form = pair.old.get("format")
    for keyword, get_bound, order in (("minimum", get_lower_bound, at_least), ("maximum", get_upper_bound, at_most)):
        if keyword in changed or f"exclusive{keyword.capitalize()}" in changed:
            shown = keyword if keyword in changed else f"exclusive{keyword.capitalize()}"
            old, new = pair.get_values(keyword)
            result = order(get_bound(pair.old, form, switches), get_bound(pair.new, form, switches))
            result = find_order_in_context(pair, switches, result, keyword, f"exclusive{keyword.capitalize()}")
            if rule := _BOUND.choose(result, was_absent=old is None, is_absent=new is None):
                yield Difference(rule, shown, *pair.get_values(shown))


def _is_range_replaced(pair: NodePair) -> bool:
    """Report whether bounds and the format of a number change together: one of them can imply the other."""
    changed = [keyword for keyword in ("format", *_BOUNDS) if operator.ne(*pair.get_values(keyword))]
    are_numbers = get_types(pair.old) | get_types(pair.new) <= {"integer", "number"}
    return are_numbers and len(changed) > 1 and changed[0] == "format"


def _compare_ranges(pair: NodePair, switches: Switches, changed: list[str]) -> Iterator[Difference]:
    """Compare the numbers that bounds and formats accept together; the values are all keywords that differ."""
    keywords = ("format", *changed)
    old, new = (
        {keyword: schema.get(keyword) for keyword in keywords if schema.get(keyword) is not None}
        for schema in (pair.old, pair.new)
    )
    forms = pair.get_values("format")
    order = combine_orders(
        compare(*(get_bound(schema, form, switches) for schema, form in zip((pair.old, pair.new), forms, strict=True)))
        for get_bound, compare in ((get_lower_bound, at_least), (get_upper_bound, at_most))
    )
    if rule := _BOUND.choose(order, was_absent=not old, is_absent=not new):
        shown = next(iter(new or old))
        yield Difference(rule, shown, old or None, new or None)


def _compare_format(pair: NodePair, switches: Switches, _: list[str]) -> Iterator[Difference]:
    """Compare formats of strings, and the ranges of formats of numbers."""
    if _is_range_replaced(pair):
        yield EXPLAINED
        return
    old, new = pair.get_values("format")
    order = combine_orders(
        (
            _compare_string_formats(pair, switches),
            at_least(get_lower_bound(pair.new, old, switches), get_lower_bound(pair.new, new, switches)),
            at_most(get_upper_bound(pair.new, old, switches), get_upper_bound(pair.new, new, switches)),
        )
    )
    change_class = ChangeClass.TIGHTEN if may_read_type(pair) else None
    if rule := _FORMAT.choose(order, was_absent=old is None, is_absent=new is None):
        yield Difference(rule, "format", old, new, change_class)


def _compare_string_formats(pair: NodePair, switches: Switches) -> Order:
    order = ORDERS["format"](*(get_string_format(side, switches) for side in (pair.old, pair.new)))
    return find_order_in_context(pair, switches, order, "format")


def _compare_required(pair: NodePair, _: Switches, __: list[str]) -> Iterator[Difference]:
    """Compare required fields; the changes of a new and of a removed property include that it is required."""
    if "object" not in get_types(pair.new) or "object" not in get_types(pair.old):
        return
    old, new = (set(value or ()) for value in pair.get_values("required"))
    old_names, new_names = pair.old.properties.keys(), pair.new.properties.keys()
    explained = ((new - old) & (new_names - old_names)) | ((old - new) & (old_names - new_names))
    if explained:
        yield EXPLAINED
    for name in sorted((old ^ new) - explained - list_present_fields(pair)):
        is_added = name in new
        if _has_default(pair, name, is_added=is_added) or is_requirement_unchanged(pair, name, is_added=is_added):
            continue
        rule = f"change-required-{'added' if is_added else 'removed'}"
        yield Difference(rule, "required", None if is_added else name, name if is_added else None)


def _has_default(pair: NodePair, name: str, *, is_added: bool) -> bool:
    schema = (pair.new if is_added else pair.old).properties.get(name)
    return schema is not None and is_always_present(pair, name, schema)


def _compare_flags(pair: NodePair, _: Switches, changed: list[str]) -> Iterator[Difference]:
    for keyword in changed:
        old, new = pair.get_values(keyword)
        if keyword == PRESERVE and (explanation := _explain_preserved_fields(pair)) is not None:
            yield from explanation
            continue
        yield Difference(_FLAGS[keyword][bool(new)], keyword, bool(old), bool(new), _find_flag_class(pair, keyword))


def _find_flag_class(pair: NodePair, keyword: str) -> ChangeClass | None:
    """Return the class of a changed flag that does more than accept other values."""
    is_set = bool(pair.new.get(keyword))
    if keyword == PRESERVE and is_set:
        drops_nulls = is_unrestricted(pair) and get_null_outcomes(pair)[1] is Outcome.ABSENT
        if may_reject_unknown_fields(pair) or (drops_nulls and is_treatment_rejecting(pair, "nullable")):
            return ChangeClass.TIGHTEN
        return ChangeClass.SEMANTIC if drops_nulls else None
    return ChangeClass.BREAK if keyword == EMBEDDED and not is_set and is_embedded_pruned(pair) else None


def _explain_preserved_fields(pair: NodePair) -> Sequence[Difference] | None:
    """Return what reports that unknown fields are now preserved or pruned; None if nothing else does.

    Scalars and maps have no unknown fields. The keyword of a list has the same effect as that of its items.
    """
    sides = zip((pair.old, pair.new), pair.keeps_unknown_fields(), strict=True)
    (old, was_kept), (new, is_kept) = (_get_innermost_items(schema, is_kept=is_kept) for schema, is_kept in sides)
    are_maps = old.additional is not None and new.additional is not None
    have_fields = ["object" in get_types(schema) for schema in (old, new)]
    if are_maps or was_kept == is_kept or not any(have_fields):
        return ()
    if not all(have_fields):
        return (EXPLAINED,)  # the types that are added or removed
    is_map = any(schema.additional not in (None, False) for schema in (old, new))
    return (EXPLAINED,) if is_map else None  # the values that are added or removed


def _get_innermost_items(schema: Schema, *, is_kept: bool) -> tuple[Schema, bool]:
    """Return the items of a list, or of the lists in it, and whether servers keep the unknown fields of them."""
    is_kept = is_kept or bool(schema.get(PRESERVE))
    items = schema.items if schema.type == "array" else None
    return (schema, is_kept) if items is None else _get_innermost_items(items, is_kept=is_kept)


_FLAGS = {
    PRESERVE: ("change-unknown-fields-pruned", "change-unknown-fields-preserved"),
    EMBEDDED: ("change-embedded-removed", "change-embedded-added"),
}


# The values of lists and maps without the keyword.
# Source: k8s.io/kube-openapi pkg/schemaconv smd.go (getListElementRelationship, getMapElementRelationship).
_DEFAULTS = {LIST_TYPE: "atomic", MAP_TYPE: "granular"}


def _is_default_written(pair: NodePair, keyword: str) -> bool:
    """Report whether a keyword is added or removed with the value that servers use without it."""
    return keyword in _DEFAULTS and {*pair.get_values(keyword)} == {None, _DEFAULTS[keyword]}


def _has_one_item(pair: NodePair) -> bool:
    """Report whether the lists of the old API have at most one item, so that no items are equal."""
    maximum = pair.old.get("maxItems")
    return maximum is not None and maximum <= 1


def _compare_lists(pair: NodePair, _: Switches, changed: list[str]) -> Iterator[Difference]:
    """Compare the uniqueness of items and the ownership of lists and maps."""
    changed = [keyword for keyword in changed if not _is_default_written(pair, keyword)]
    old_type, new_type = pair.get_values(LIST_TYPE)
    if LIST_TYPE in changed:
        rule = f"change-list-type{'-added' if not old_type else '-removed' if not new_type else ''}"
        is_unique = new_type in ("set", "map") and not _has_one_item(pair)
        is_compared = old_type in ("set", "map") and may_compare(pair)
        change_class = ChangeClass.TIGHTEN if is_unique or is_compared else ChangeClass.SEMANTIC
        yield Difference(rule, LIST_TYPE, old_type, new_type, change_class)
    elif LIST_MAP_KEYS in changed:
        old_keys, new_keys = pair.get_values(LIST_MAP_KEYS)
        order = ORDERS[LIST_MAP_KEYS](old_keys, new_keys)
        if order is not Order.EQUAL:
            accepts_old = (order is Order.WIDER and not may_compare(pair)) or _has_one_item(pair)
            change_class = ChangeClass.SEMANTIC if accepts_old else ChangeClass.TIGHTEN
            yield Difference("change-list-keys", LIST_MAP_KEYS, old_keys, new_keys, change_class)
    if MAP_TYPE in changed:
        yield Difference("change-map-type", MAP_TYPE, *pair.get_values(MAP_TYPE))


def _compare_all_logical_keywords(pair: NodePair, switches: Switches, changed: list[str]) -> Iterator[Difference]:
    order = find_logical_order(pair, switches)
    old, new = ({name: side[name] for name in LOGICAL_KEYWORDS if name in side} for side in pair.get_constraints())
    rule = _LOGIC.choose(order, was_absent=not old, is_absent=not new)
    if not rule and bool(pair.old.get(INT_OR_STRING)) != bool(pair.new.get(INT_OR_STRING)):
        yield EXPLAINED  # the types of an int-or-string
    else:
        yield Difference(rule or "change-no-effect", *find_changed_part(old, new, changed))


def _compare_documentation(pair: NodePair, _: Switches, changed: list[str]) -> Iterator[Difference]:
    yield from (Difference("change-documentation", keyword, *pair.get_values(keyword)) for keyword in changed[:1])


def _compare_types(pair: NodePair, _: Switches, __: list[str]) -> Iterator[Difference]:
    """Compare the types of values; disjoint types are an incompatible change."""
    old, new = get_types(pair.old), get_types(pair.new)
    if old == new:
        return
    rule = "change-type-widened" if old < new else "change-type-narrowed" if new < old else "change-type"
    is_rejected = (is_unrestricted(pair) and is_treatment_rejecting(pair, "nullable")) or may_read_type(pair)
    change_class = ChangeClass.TIGHTEN if is_rejected and rule != "change-type" else None
    yield Difference(rule, "type", get_type_name(pair.old), get_type_name(pair.new), change_class)


NODE_RULES = (
    NodeRule(("type", INT_OR_STRING), _compare_types),
    NodeRule(tuple(_NAMES), _compare_simple),
    NodeRule(_BOUNDS, _compare_bounds),
    NodeRule(("format",), _compare_format),
    NodeRule(("default", "nullable"), compare_defaults_and_nulls),
    NodeRule(("required",), _compare_required),
    NodeRule((PRESERVE, EMBEDDED), _compare_flags),
    NodeRule((LIST_TYPE, LIST_MAP_KEYS, MAP_TYPE), _compare_lists),
    NodeRule(LOGICAL_KEYWORDS, _compare_all_logical_keywords),
    NodeRule((VALIDATIONS,), compare_rules),
    NodeRule(DOCUMENTATION, _compare_documentation),
)
