"""The order of allOf, anyOf, oneOf and not, and of the other keywords of a node beside them and beside enums."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Any

from protoc_gen_crd.admission.objects.number_checks import normalize_numbers
from protoc_gen_crd.admission.supported_formats import is_numeric_format
from protoc_gen_crd.comparison.schemas.enforced_keywords import accepts_no_number, get_types
from protoc_gen_crd.comparison.schemas.inherited_constraints import add_inherited_constraints
from protoc_gen_crd.comparison.schemas.keyword_order import Order, make_order
from protoc_gen_crd.comparison.schemas.narrowed_constraints import find_new_logical_keywords, get_constraints
from protoc_gen_crd.comparison.schemas.node_pair import NodePair
from protoc_gen_crd.comparison.schemas.present_fields import list_field_counts
from protoc_gen_crd.comparison.schemas.schema_inclusion import Constraints, InclusionCheck
from protoc_gen_crd.kubernetes.shared_results import Switches
from protoc_gen_crd.regex import syntax_check
from protoc_gen_crd.regex.quoting import quote_regex
from protoc_gen_crd.samples.sample_validator import SampleValidator
from protoc_gen_crd.schema.field_count_rules import FieldCount
from protoc_gen_crd.schema.reduced_constraints import list_logical_keywords
from protoc_gen_crd.schema.schema import BRANCH_KEYWORDS, INT_OR_STRING, LOGICAL_KEYWORDS, Schema
from protoc_gen_crd.schema.schema_encoder import EncodedSchemas, encode

_INT_OR_STRING_TYPES = [{"type": "integer"}, {"type": "string"}]
_IMPLYING = frozenset((*LOGICAL_KEYWORDS, "enum", "pattern"))  # keywords that can imply others
_COMPARED_EXACTLY = ("boolean", "integer", "string")  # types whose values are in an enum only if they are equal
_WIDENING = (Order.WIDER, Order.INCOMPARABLE)


def find_order_in_context(pair: NodePair, switches: Switches, order: Order, *keywords: str) -> Order:
    """Return the order of keywords of a node, given the order of their values alone."""
    if order is Order.EQUAL:
        return order
    old, new = add_inherited_constraints(pair)
    if not any(map(_can_imply, (old, new))):
        return order
    return make_order(
        accepts_old=not order.is_narrowing or _implies(old, pair.new, keywords, switches),
        accepts_more=order in _WIDENING and not _implies(new, pair.old, keywords, switches),
    )


def is_requirement_unchanged(pair: NodePair, name: str, *, is_added: bool) -> bool:
    """Report whether the logical keywords of the API without the requirement of a field require it, too."""
    old, new = add_inherited_constraints(pair)
    schema = old if is_added else new
    return _can_imply(schema) and InclusionCheck().is_included(get_constraints(schema), {"required": [name]})


def find_logical_order(pair: NodePair, switches: Switches) -> Order:
    """Return the order of the logical keywords of a node."""
    order = _compare_logical_keywords(pair)
    old, new = (_select(schema, LOGICAL_KEYWORDS) for schema in (pair.old, pair.new))
    return make_order(
        accepts_old=not order.is_narrowing or _accepts_all_values(pair.old, new, switches),
        accepts_more=order in _WIDENING and not _accepts_all_values(pair.new, old, switches),
    )


def _can_imply(schema: Schema) -> bool:
    return schema.type == "boolean" or not _IMPLYING.isdisjoint(schema.keywords)


def _select(schema: Schema, keywords: tuple[str, ...]) -> Schema:
    return Schema({name: schema.keywords[name] for name in ("type", INT_OR_STRING, *keywords) if name in schema})


def _implies(schema: Schema, other: Schema, keywords: tuple[str, ...], switches: Switches) -> bool:
    """Report whether the values that a schema accepts certainly satisfy keywords of another one.

    Servers validate null against the enum of a node, but not against the enums of its logical keywords.
    """
    if accepts_no_number(_select(other, ("format", *keywords)), switches):
        return False
    constraints = _select(other, keywords)
    if "enum" in constraints and schema.get("nullable") and not schema.get("enum"):
        return False
    if _accepts_all_values(schema, constraints, switches) or _accepts_all_matches(schema, constraints):
        return True
    return _make_check(schema).is_included(_get_implying_constraints(schema), get_constraints(constraints))


def _get_implying_constraints(schema: Schema) -> Constraints:
    """Return the constraints of a schema, without a format of strings beside another type.

    Such a format has no effect on numbers, but in logical keywords, which have no type, it rejects them.
    """
    constraints = get_constraints(schema)
    has_only_strings = schema.type in ("", "string") and not schema.get(INT_OR_STRING)
    if has_only_strings or is_numeric_format(schema.type, constraints.get("format", "")):
        return constraints
    return {name: value for name, value in constraints.items() if name != "format"}


def _make_check(schema: Schema) -> InclusionCheck:
    """Return a check of the constraints of a schema on its values and on values in them."""
    return InclusionCheck(has_floats=not get_types(schema) <= {"boolean", "integer", "string"})


def _accepts_all_values(schema: Schema, constraints: Schema, switches: Switches) -> bool:
    """Report whether a schema accepts only a few known values, and constraints accept all of them."""
    choices = [True, False] if schema.type == "boolean" else schema.get("enum") or ()
    values = [normalize_numbers(choice) for choice in choices]
    if not values or not _is_compared_exactly(schema.type, values):
        return False
    validator = SampleValidator(switches.minor)
    return all(validator.is_valid(constraints, value) or not validator.is_valid(schema, value) for value in values)


def _is_compared_exactly(type_name: str, choices: Sequence[Any]) -> bool:
    """Report whether only values of an enum are equal to one; servers accept 2.5 for a number with the enum [2]."""
    are_floats = type_name == "number" and all(isinstance(choice, float) for choice in choices)
    return type_name in _COMPARED_EXACTLY or are_floats


def _accepts_all_matches(schema: Schema, constraints: Schema) -> bool:
    """Report whether an enum has all strings that the pattern of a schema matches."""
    choices, pattern = constraints.get("enum"), schema.get("pattern")
    if schema.type != "string" or not choices or not pattern or syntax_check.check(pattern):
        return False
    listed = "|".join(quote_regex(choice) for choice in choices if isinstance(choice, str))
    from protoc_gen_crd.samples.pattern_strings import find_differences  # noqa: PLC0415 - few enums replace a pattern

    return find_differences((pattern,), f"^({listed})$").is_complete


def _compare_logical_keywords(pair: NodePair) -> Order:
    """Return the order of the logical keywords of a node. Objects have no fields that their side does not have."""
    sides = add_inherited_constraints(pair)
    old, new = map(_get_logical_keywords, (pair.old, pair.new))
    all_old, all_new = map(_get_logical_keywords, sides)
    before, after = pair.old.properties.keys(), pair.new.properties.keys()
    return make_order(
        accepts_old=_is_included(sides[0], all_old, new, after - before, list_field_counts(pair)),
        accepts_more=not _is_included(sides[1], all_new, old, before - after, list_field_counts(pair.mirror())),
    )


def find_changed_part(old: Constraints, new: Constraints, changed: Sequence[str]) -> tuple[str, Any, Any]:
    """Return a changed keyword of logical keywords, with its values; None if absent.

    If several keywords changed, equal parts have moved between a keyword and allOf, for example because another oneof
    is added. Then it is the keyword of the part that changed, or allOf with all parts that changed.
    """
    if len(changed) == 1:
        return changed[0], old.get(changed[0]), new.get(changed[0])
    before, after = list(list_logical_keywords(old)), list(list_logical_keywords(new))
    removed, added = [part for part in before if part not in after], [part for part in after if part not in before]
    names = {name for name, _ in (*removed, *added)}
    if len(names) == 1 and max(len(removed), len(added)) == 1:
        (name,) = names
        return name, dict(removed).get(name), dict(added).get(name)
    sides = (removed, added) if names else (before, after)
    values = [[{name: value} for name, value in parts] or None for parts in sides]
    return "allOf", values[0], values[1]


def _get_logical_keywords(schema: Schema) -> Constraints:
    """Return the logical keywords of a node, without those that servers demand of an int-or-string."""
    constraints = get_constraints(schema)
    logical_keywords = normalize_logical_keywords(
        {name: constraints[name] for name in LOGICAL_KEYWORDS if name in constraints}
    )
    if not schema.get(INT_OR_STRING):
        return logical_keywords
    branches = [_drop_types(branch) for branch in logical_keywords.get("allOf") or ()]
    return normalize_logical_keywords({**_drop_types(logical_keywords), "allOf": branches})


def _drop_types(schema: Constraints) -> Constraints:
    return {name: value for name, value in schema.items() if (name, value) != ("anyOf", _INT_OR_STRING_TYPES)}


def _is_included(
    schema: Schema, old: Constraints, new: Constraints, added: Collection[str], counts: Collection[FieldCount]
) -> bool:
    """Report whether objects of a schema without the fields `added` satisfy other logical keywords."""
    always = schema.get("required") or ()
    context = {**_get_implying_constraints(schema), **old, **_get_children(schema, new), "required": list(always)}
    check = _make_check(schema)
    return all(
        check.is_included(context, {name: value})
        for _, _, demands in find_new_logical_keywords(old, new, added, always, counts)
        for name, value in demands
    )


def _get_children(schema: Schema, logical_keywords: Constraints) -> Constraints:
    """Return the constraints of a schema on the children that logical keywords constrain, too."""
    branches = list(_list_branches(logical_keywords))
    names = {name for branch in branches for name in branch.get("properties") or ()}
    children: dict[str, Any] = {"properties": {name: schema.properties[name] for name in names & {*schema.properties}}}
    if schema.items is not None and any("items" in branch for branch in branches):
        children["items"] = schema.items
    return encode(Schema(children), EncodedSchemas())


def _list_branches(schema: Constraints) -> Iterator[Constraints]:
    """Yield a schema and the branches of its logical keywords."""
    yield schema
    branches = [branch for name in BRANCH_KEYWORDS for branch in schema.get(name) or ()]
    for branch in (*branches, *([schema["not"]] if "not" in schema else [])):
        yield from _list_branches(branch)


def normalize_logical_keywords(schema: Constraints) -> Constraints:
    """Return logical keywords with those of one branch as allOf, and without empty branches of allOf."""
    normal = {name: value for name, value in schema.items() if name not in BRANCH_KEYWORDS}
    branches = list(schema.get("allOf") or ())
    for name in ("anyOf", "oneOf"):
        if len(value := schema.get(name) or ()) == 1:
            branches += value
        elif value:
            normal[name] = value
    branches = [branch for branch in map(normalize_logical_keywords, branches) if branch]
    return {**normal, "allOf": branches} if branches else normal
