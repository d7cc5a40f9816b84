"""The comparison of the schemas of a version, node by node."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.comparison.change import ChangeClass, Difference
from protoc_gen_crd.comparison.change_rules import get_class
from protoc_gen_crd.comparison.channel_moves import compare_channels, get_channels
from protoc_gen_crd.comparison.schemas.default_changes import is_default_invalid
from protoc_gen_crd.comparison.schemas.defaults_and_nulls import (
    is_always_present,
    is_observed,
)
from protoc_gen_crd.comparison.schemas.enforced_keywords import get_type_name, get_types
from protoc_gen_crd.comparison.schemas.implicit_fields import add_implicit_fields
from protoc_gen_crd.comparison.schemas.keyword_changes import NODE_RULES
from protoc_gen_crd.comparison.schemas.keyword_order import to_key
from protoc_gen_crd.comparison.schemas.node_pair import (
    ANYTHING,
    CHILD_KEYWORDS,
    ITEM,
    PROPERTY,
    PRUNED,
    UNKNOWN,
    VALUE,
    NodePair,
    may_compare,
)
from protoc_gen_crd.comparison.schemas.scale_restrictions import has_path_below
from protoc_gen_crd.comparison.schemas.schema_numbers import SchemaNumbers
from protoc_gen_crd.kubernetes.shared_results import Switches
from protoc_gen_crd.schema.schema import FIELD, MAP_TYPE, PRESERVE, FieldOrigin, Schema

_CLAIMED = frozenset(keyword for rule in NODE_RULES for keyword in rule.keywords)
_NO_SCHEMA = Schema({})
_ELEMENTS = {"items": ("[]", ITEM), "additionalProperties": ("{}", VALUE)}


class SchemaDifference(Record):
    """A difference at a path, with the nodes that have the places of both sides."""

    path: str
    difference: Difference
    pair: NodePair


class SchemaComparer:
    """Compares schemas as a server with these switches sees them."""

    def __init__(self, switches: Switches) -> None:
        self.switches = switches
        self._equal = EqualSchemas()

    def compare(self, pair: NodePair) -> Iterator[SchemaDifference]:
        """Yield the differences of two schemas, parents first."""
        stack = [pair]
        while stack:
            pair = stack.pop()
            if self._is_unchanged(pair):
                continue
            written, pair = pair, add_implicit_fields(pair)
            differences = [*self._find_redundant(written, pair), *_compare_node(pair, self.switches)]
            differences += compare_channels(pair)
            yield from (SchemaDifference(pair.path, difference, pair) for difference in differences)
            if not any(difference.rule == "change-type" for difference in differences):
                child_differences: list[SchemaDifference] = []
                stack += reversed(list(self._pair_children(pair, child_differences)))
                yield from child_differences

    def _is_unchanged(self, pair: NodePair) -> bool:
        """Report whether a pair needs no comparison.

        Shortcut equal-schemas: equal schemas have no differences.
        """
        return self._equal.is_equal(pair.old, pair.new)

    def _find_redundant(self, written: NodePair, pair: NodePair) -> Iterator[Difference]:
        """Yield the differences of what only one of the schemas has, but servers add to the other one."""
        if written is pair:
            return
        old, new = ([*side.properties] for side in (written.old, written.new))
        sides = pair.old.properties, pair.new.properties
        names = [name for name in (*old, *new) if self._equal.is_equal(*(side.get(name) for side in sides))]
        removed, added = [name for name in names if name not in new], [name for name in names if name not in old]
        if removed or added:
            yield Difference("change-no-effect", "properties", removed or None, added or None)
        changed = pair.find_changed_keywords()
        keywords = [keyword for keyword in written.find_changed_keywords() if keyword not in changed]
        yield from (Difference("change-no-effect", keyword, *written.get_values(keyword)) for keyword in keywords)
        old_kind, new_kind = ("map" if _is_map(schema) else "object" for schema in (written.old, written.new))
        is_same = not keywords and self._equal.is_equal(pair.old.additional, pair.new.additional)
        if is_same and old_kind != new_kind:
            yield Difference("change-no-effect", "additionalProperties", old_kind, new_kind)

    def _find_class(self, pair: NodePair) -> ChangeClass:
        """Return the strongest class of the differences of values; TIGHTEN if the new API rejects some of them."""
        strongest = ChangeClass.NONE
        for schema_difference in self.compare(pair):
            difference = schema_difference.difference
            strongest = max(strongest, get_class(difference))
            if get_class(difference) is ChangeClass.TIGHTEN:
                return ChangeClass.TIGHTEN
        return strongest

    def _pair_children(self, pair: NodePair, differences: list[SchemaDifference]) -> Iterator[NodePair]:
        """Yield the children that both sides have; add the differences of those that one side has."""
        types = get_types(pair.old) & get_types(pair.new)
        if "object" in types and _is_map_switched(pair):
            kinds = ["map" if _is_map(schema) else "object" for schema in (pair.old, pair.new)]
            change_class = self._find_map_class(pair)
            difference = Difference("change-map-object", "additionalProperties", kinds[0], kinds[1], change_class)
            differences.append(SchemaDifference(pair.path, difference, pair))
        elif "object" in types:
            yield from self._pair_properties(pair, differences)
            yield from self._pair_elements(pair, "additionalProperties", differences)
        else:
            differences += _find_unused(pair, ("properties", "additionalProperties"))
        if "array" in types:
            yield from self._pair_elements(pair, "items", differences)
        else:
            differences += _find_unused(pair, ("items",))

    def _find_map_class(self, pair: NodePair) -> ChangeClass | None:
        """Return the class of an object with known fields that is now a map; None if it rejects some objects.

        A map does not set defaults of missing fields.
        """
        values = None if _is_map(pair.old) else _get_element(pair.new, "additionalProperties")
        if values is None or not pair.new.keywords.keys() <= _UNRESTRICTIVE or has_path_below(pair):
            return None
        children = [*pair.old.properties.items(), *([("", UNKNOWN)] if pair.keeps_unknown_fields()[0] else [])]
        has_default = any("default" in child for _, child in children)
        strongest = ChangeClass.SEMANTIC if has_default else ChangeClass.LOOSEN
        for name, child in children:
            strongest = max(strongest, self._find_class(NodePair(child, values, f"{pair.path}.{name}", VALUE, pair)))
        return None if strongest >= ChangeClass.TIGHTEN else strongest

    def _pair_elements(self, pair: NodePair, keyword: str, differences: list[SchemaDifference]) -> Iterator[NodePair]:
        """Yield the items of lists, or the values of maps."""
        step, position = _ELEMENTS[keyword]
        old, new = (_get_element(schema, keyword) for schema in (pair.old, pair.new))
        child = NodePair(old or _NO_SCHEMA, new or _NO_SCHEMA, f"{pair.path}{step}", position, pair)
        if old is not None and new is not None:
            yield child
        elif old is not new:
            differences.append(
                SchemaDifference(child.path, self._make_removal(child) if old else self._make_addition(child), child)
            )

    def _pair_properties(self, pair: NodePair, differences: list[SchemaDifference]) -> Iterator[NodePair]:
        old, new = pair.old.properties, pair.new.properties
        renamed = dict(_find_renamed(old, new))
        for name in dict.fromkeys((*new, *old)):
            path = f"{pair.path}.{name}" if pair.path else name
            if name in old and name in new:
                yield NodePair(old[name], new[name], path, PROPERTY, pair, name)
            elif name in old and name in renamed:
                target = renamed[name]
                child = NodePair(old[name], new[target], f"{path.removesuffix(name)}{target}", PROPERTY, pair, target)
                child.old_name = name
                differences.append(
                    SchemaDifference(path, Difference("change-field-renamed", "properties", name, target), child)
                )
                yield child
            elif name in old:
                child = NodePair(old[name], _NO_SCHEMA, path, PROPERTY, pair, name)
                differences.append(SchemaDifference(path, self._make_removal(child), child))
            elif name not in renamed.values():
                child = NodePair(_NO_SCHEMA, new[name], path, PROPERTY, pair, name)
                differences.append(SchemaDifference(path, self._make_addition(child), child))

    def _make_removal(self, child: NodePair) -> Difference:
        """Return the difference for a removed child, whose values may still be accepted under any name."""
        type_name = get_type_name(child.old)
        values = _get_element(child.get_parent().new, "additionalProperties")
        if values is not None and child.position == PROPERTY:
            pair = NodePair(child.old, values, child.path, VALUE, child.parent)
        elif child.get_parent().keeps_unknown_fields()[1]:
            pair = NodePair(child.old, UNKNOWN, child.path, child.position, child.parent, child.name)
        else:
            return Difference("change-field-removed", "properties", type_name)
        is_read = has_path_below(child) or may_compare(pair)
        strongest = ChangeClass.TIGHTEN if is_read else self._find_class(pair)
        change_class = min(strongest, ChangeClass.TIGHTEN) if strongest >= ChangeClass.SEMANTIC else None
        return Difference("change-field-opened", "properties", type_name, None, change_class)

    def _make_addition(self, child: NodePair) -> Difference:
        """Return the difference for a new child; it can reject objects if it is required or was accepted before."""
        parent, type_name = child.get_parent(), get_type_name(child.new)
        is_required = child.name in (parent.new.get("required") or ())
        if is_required and not is_always_present(parent, child.name, child.new):
            return Difference("change-field-added-required", "required", None, type_name)
        values = _get_element(parent.old, "additionalProperties") if child.position == PROPERTY else None
        if values is not None or parent.keeps_unknown_fields()[0] or child.position == ITEM:
            pair = NodePair(values or UNKNOWN, child.new, child.path, child.position, parent, child.name)
            strongest = ChangeClass.TIGHTEN if may_compare(pair) else self._find_class(pair)
            rule = "change-field-constrained" if strongest >= ChangeClass.SEMANTIC else "change-field-added"
            change_class = strongest if strongest >= ChangeClass.SEMANTIC else None
            return Difference(rule, "properties", None, type_name, change_class)
        has_default = child.new.get("default") is not None
        rejects = has_default and (is_observed(child, appears=True) or is_default_invalid(child, self.switches))
        appears = has_default and _appears_in_others(child)
        change_class = ChangeClass.TIGHTEN if rejects else ChangeClass.SEMANTIC if appears else None
        return Difference("change-field-added", "properties", None, type_name, change_class)


def _appears_in_others(child: NodePair) -> bool:
    """Return whether clients of other versions, which have an added field, too, read its default without writing it."""
    default = to_key(child.new.get("default"))
    return any(other is not PRUNED and to_key(other.get("default")) != default for other in child.find_others())


class EqualSchemas:
    """Decides whether two schemas are equal, each pair once."""

    def __init__(self) -> None:
        self._numbers = SchemaNumbers()
        self._known: dict[tuple[int, int], tuple[bool, Schema, Schema]] = {}  # by identity of schemas, kept alive

    def is_equal(self, old: Any, new: Any) -> bool:
        """Report whether two schemas are equal with everything below them."""
        if old is new:
            return True
        if not isinstance(old, Schema) or not isinstance(new, Schema):
            return type(old) is type(new) and bool(old == new)
        key = id(old), id(new)
        if key not in self._known:
            self._known[key] = self._compare(old, new), old, new
        return self._known[key][0]

    def _compare(self, old: Schema, new: Schema) -> bool:
        if (old.keywords is new.keywords and old.facts is new.facts) or self._numbers.are_equal(old, new):
            return True
        before, after = old.properties, new.properties
        return (
            before.keys() == after.keys()
            and get_channels(old) == get_channels(new)
            and (_has_equal_scalars(old, new) or not NodePair(old, new).find_changed_keywords())
            and self.is_equal(old.items, new.items)
            and self.is_equal(old.additional, new.additional)
            and all(self.is_equal(child, after[name]) for name, child in before.items())
        )


def _has_equal_scalars(old: Schema, new: Schema) -> bool:
    """Report whether two nodes have the same keywords, all with equal strings, booleans or identical values."""
    before, after = old.keywords, new.keywords
    return before.keys() == after.keys() and all(
        value is (other := after[keyword])
        or (type(value) in (str, bool) and type(other) is type(value) and value == other)
        for keyword, value in before.items()
        if keyword not in CHILD_KEYWORDS
    )


def _compare_node(pair: NodePair, switches: Switches) -> Iterator[Difference]:
    """Yield the differences of a node itself. Keywords that no rule claims are unclassified."""
    changed = pair.find_changed_keywords()
    if not changed:
        return
    for rule in NODE_RULES:
        claimed = [keyword for keyword in changed if keyword in rule.keywords]
        if not claimed:
            continue
        differences = list(rule.compare(pair, switches, claimed))
        yield from (difference for difference in differences if difference.rule)
        if any(difference.rule == "change-type" for difference in differences):
            return
        if not differences:
            yield Difference("change-no-effect", claimed[0], *pair.get_values(claimed[0]))
    for keyword in (keyword for keyword in changed if keyword not in _CLAIMED):
        yield Difference("change-unclassified", keyword, *pair.get_values(keyword))


def _find_unused(pair: NodePair, keywords: tuple[str, ...]) -> Iterator[SchemaDifference]:
    """Yield differences of children that no value has; with another type, they belong to the type."""
    equal = EqualSchemas()
    for keyword in keywords if get_types(pair.old) == get_types(pair.new) else ():
        old, new = (Schema({keyword: schema.get(keyword)}) for schema in (pair.old, pair.new))
        if not equal.is_equal(old, new):
            yield SchemaDifference(pair.path, Difference("change-no-effect", keyword), pair)


# Keywords of a map that reject no object.
_UNRESTRICTIVE = {"type", "additionalProperties", "title", "description", "nullable", MAP_TYPE, PRESERVE}


def _get_element(schema: Schema, keyword: str) -> Schema | None:
    value = schema.get(keyword)
    return value if isinstance(value, Schema) else ANYTHING if value is True else None


def _is_map(schema: Schema) -> bool:
    return schema.additional not in (None, False)


def _is_map_switched(pair: NodePair) -> bool:
    """Report whether a map with entries of any name is now an object with known fields, or the reverse."""
    was_map, is_map = _is_map(pair.old), _is_map(pair.new)
    return was_map != is_map and bool((pair.new if was_map else pair.old).properties)


def _find_renamed(old: dict[str, Schema] | Any, new: dict[str, Schema] | Any) -> Iterator[tuple[str, str]]:
    """Yield the old and new names of properties with the same field number."""
    by_number = {
        field.number: name for name, schema in new.items() if (field := _get_field(schema)) and name not in old
    }
    removed = ((name, _get_field(schema)) for name, schema in old.items() if name not in new)
    yield from ((name, by_number[field.number]) for name, field in removed if field and field.number in by_number)


def _get_field(schema: Schema) -> FieldOrigin | None:
    field: FieldOrigin | None = (schema.facts or {}).get(FIELD)
    return field
