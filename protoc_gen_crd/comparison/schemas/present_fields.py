"""The number of fields that objects have: by bounds on it, required fields, logical keywords, and rules together.

A claim holds for the objects of a schema as servers with the other schema see them. So it requires that servers set and
drop each field alike.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any

from protoc_gen_crd.comparison.schemas.narrowed_constraints import list_counts
from protoc_gen_crd.comparison.schemas.node_pair import ROOT, NodePair
from protoc_gen_crd.schema.cel_names import escape_cel_name
from protoc_gen_crd.schema.field_count_rules import FieldCount, count_denied_fields
from protoc_gen_crd.schema.reduced_constraints import list_logical_keywords
from protoc_gen_crd.schema.schema import EMBEDDED, Schema

_SET_BY_SERVERS = ("default", "nullable")


def list_field_counts(pair: NodePair) -> list[FieldCount]:
    """Return the counts of fields of the objects of the old schema."""
    constraints = pair.get_constraints()[0]
    counts = [*list_counts(constraints)]
    if not _are_fields_alike(pair):
        return counts
    counts += filter(None, [count_denied_fields(*keyword) for keyword in list_logical_keywords(constraints)])
    required = {*(pair.old.get("required") or ())} & pair.old.properties.keys()
    counts += [FieldCount({escape_cel_name(name): ""}, 1, 1) for name in sorted(required)]
    counts += _count_known_fields(pair)
    return [variant for count in counts for variant in (count, *_find_variants(count, pair.old))]


def is_field_count_implied(pair: NodePair, keyword: str, value: int) -> bool:
    """Report whether the old schema implies a bound on the number of fields, `minProperties` or `maxProperties`."""
    if not _are_fields_alike(pair):
        return False
    names = {escape_cel_name(name): name for name in pair.old.properties}
    counts = list_field_counts(pair)
    if keyword == "maxProperties":
        return _is_closed(pair) and any(count.most <= value and _counts_all(count, names) for count in counts)
    constraints = {**pair.get_constraints()[0], "required": pair.old.get("required") or ()}
    return _count_required(constraints, pair.old.properties) >= value or any(
        count.least >= value and count.terms.keys() <= names.keys() for count in counts
    )


def _are_fields_alike(pair: NodePair) -> bool:
    """Report whether objects of the old schema have the same of its fields with the new one."""
    old, new = pair.old, pair.new
    if pair.position == ROOT or any(schema.type != "object" or schema.get(EMBEDDED) for schema in (old, new)):
        return False
    added = (child for name, child in new.properties.items() if name not in old.properties)
    return not any("default" in child for child in added) and all(
        name in new.properties and _is_alike(child, new.properties[name]) for name, child in old.properties.items()
    )


def _is_alike(old: Schema, new: Schema) -> bool:
    """Report whether servers set and drop a field alike: null is dropped, replaced by the default, or a value."""
    return all((keyword in old) == (keyword in new) for keyword in _SET_BY_SERVERS) and bool(
        old.get("nullable")
    ) == bool(new.get("nullable"))


def _is_closed(pair: NodePair) -> bool:
    """Report whether objects of the old schema have no other fields."""
    return not pair.old.additional and not pair.keeps_unknown_fields()[0]


def _count_known_fields(pair: NodePair) -> Iterator[FieldCount]:
    """Yield the count of all fields of an object without unknown ones."""
    bounds = [pair.old.get(keyword) for keyword in ("minProperties", "maxProperties")]
    if _is_closed(pair) and bounds != [None, None]:
        terms = {escape_cel_name(name): "" for name in pair.old.properties}
        least, most = bounds
        yield FieldCount(terms, least or 0, len(terms) if most is None else most)


def _find_variants(count: FieldCount, schema: Schema) -> Iterator[FieldCount]:
    """Yield a count of keywords as one of rules, or the reverse: for a rule, a field that is null does not exist."""
    names = {escape_cel_name(name): child for name, child in schema.properties.items()}
    if not all(name in names and not names[name].get("nullable") for name in count.terms):
        return
    conditions = {name: f"has(self.{name})" for name in count.terms}
    if not any(count.terms.values()):
        yield count.replace(terms=conditions)
    elif count.terms == conditions:
        yield count.replace(terms=dict.fromkeys(conditions, ""))


def _counts_all(count: FieldCount, names: Collection[str]) -> bool:
    return all(count.terms.get(name) == "" for name in names)


def _count_required(constraints: Mapping[str, Any], names: Collection[str]) -> int:
    """Return the least number of the fields that a value has which satisfies constraints."""
    counts = [len({*(constraints.get("required") or ())} & {*names})]
    for keyword, choose in (("allOf", max), ("anyOf", min), ("oneOf", min)):
        if branches := constraints.get(keyword):
            counts.append(choose(_count_required(branch, names) for branch in branches))
    return max(counts)
