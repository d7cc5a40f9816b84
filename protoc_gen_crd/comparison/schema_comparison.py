"""The comparison of the schemas of a version, node by node."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from protoc_gen_crd.admission.switches import Switches
from protoc_gen_crd.base.record import Record
from protoc_gen_crd.comparison.change import ChangeClass, Difference
from protoc_gen_crd.comparison.effective_keywords import get_type_name, get_types
from protoc_gen_crd.comparison.node_pair import ITEM, PROPERTY, VALUE, NodePair
from protoc_gen_crd.comparison.node_rules import NODE_RULES
from protoc_gen_crd.comparison.presence import is_observed
from protoc_gen_crd.schema.schema import FIELD, PRESERVE, FieldOrigin, Schema

_CLAIMED = frozenset(keyword for rule in NODE_RULES for keyword in rule.keywords)
_NO_SCHEMA = Schema({})
_ANYTHING = Schema({PRESERVE: True})


class SchemaDifference(Record):
    """A difference at a path, with the nodes that have the places of both sides."""

    path: str
    difference: Difference
    pair: NodePair


def compare_schemas(old: Schema, new: Schema, switches: Switches) -> Iterator[SchemaDifference]:
    """Yield the differences of two schemas, parents first."""
    stack = [NodePair(old, new)]
    equal = EqualSchemas()
    while stack:
        pair = stack.pop()
        if equal.is_equal(pair.old, pair.new):
            continue
        differences = list(_compare_node(pair, switches))
        yield from (SchemaDifference(pair.path, difference, pair) for difference in differences)
        if not any(difference.rule == "change-type" for difference in differences):
            found: list[SchemaDifference] = []
            stack += reversed(list(_pair_children(pair, found)))
            yield from found


class EqualSchemas:
    """Decides whether two schemas are equal, each pair once.

    Shortcut equal-schemas: equal schemas have no differences.
    """

    def __init__(self) -> None:
        self._known: dict[tuple[int, int], bool] = {}

    def is_equal(self, old: Any, new: Any) -> bool:
        """Report whether two schemas are equal with everything below them."""
        if old is new:
            return True
        if not isinstance(old, Schema) or not isinstance(new, Schema):
            return type(old) is type(new) and bool(old == new)
        key = id(old), id(new)
        if key not in self._known:
            self._known[key] = self._compare(old, new)
        return self._known[key]

    def _compare(self, old: Schema, new: Schema) -> bool:
        before, after = old.properties, new.properties
        return (
            before.keys() == after.keys()
            and not NodePair(old, new).find_changed_keywords()
            and self.is_equal(old.items, new.items)
            and self.is_equal(old.additional, new.additional)
            and all(self.is_equal(child, after[name]) for name, child in before.items())
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
        yield from differences
        if any(difference.rule == "change-type" for difference in differences):
            return
        if not differences:
            yield Difference("change-no-effect", claimed[0], *pair.get_values(claimed[0]))
    for keyword in (keyword for keyword in changed if keyword not in _CLAIMED):
        yield Difference("change-unclassified", keyword, *pair.get_values(keyword))


def _pair_children(pair: NodePair, found: list[SchemaDifference]) -> Iterator[NodePair]:
    """Yield the children that both sides have; add the differences of those that one side has."""
    if _is_map_switched(pair):
        kinds = ["map" if isinstance(schema.additional, Schema) else "object" for schema in (pair.old, pair.new)]
        found.append(
            SchemaDifference(
                pair.path, Difference("change-map-object", "additionalProperties", kinds[0], kinds[1]), pair
            )
        )
        return
    yield from _pair_properties(pair, found)
    for keyword, step, position in (("items", "[]", ITEM), ("additionalProperties", "{}", VALUE)):
        old, new = (_get_element(schema, keyword) for schema in (pair.old, pair.new))
        if old is not None and new is not None:
            yield NodePair(old, new, f"{pair.path}{step}", position, pair)
        elif old is not new:
            rule = f"change-field-{'removed' if new is None else 'added'}"
            types = [get_type_name(schema) if schema else None for schema in (old, new)]
            child = NodePair(old or _NO_SCHEMA, new or _NO_SCHEMA, f"{pair.path}{step}", position, pair)
            found.append(SchemaDifference(child.path, Difference(rule, keyword, types[0], types[1]), child))


def _get_element(schema: Schema, keyword: str) -> Schema | None:
    value = schema.get(keyword)
    return value if isinstance(value, Schema) else _ANYTHING if value is True else None


def _is_map_switched(pair: NodePair) -> bool:
    """Report whether a map with entries of any name is now an object with known fields, or the reverse."""
    if "object" not in get_types(pair.old) & get_types(pair.new):
        return False
    was_map, is_map = (schema.additional not in (None, False) for schema in (pair.old, pair.new))
    return was_map != is_map and bool((pair.new if was_map else pair.old).properties)


def _pair_properties(pair: NodePair, found: list[SchemaDifference]) -> Iterator[NodePair]:
    old, new = pair.old.properties, pair.new.properties
    renamed = dict(_find_renamed(old, new))
    for name in dict.fromkeys((*new, *old)):
        path = f"{pair.path}.{name}" if pair.path else name
        if name in old and name in new:
            yield NodePair(old[name], new[name], path, PROPERTY, pair, name)
        elif name in old and name in renamed:
            target = renamed[name]
            child = NodePair(old[name], new[target], f"{path.removesuffix(name)}{target}", PROPERTY, pair, target)
            found.append(SchemaDifference(path, Difference("change-field-renamed", "properties", name, target), child))
            yield child
        elif name in old:
            child = NodePair(old[name], _NO_SCHEMA, path, PROPERTY, pair, name)
            found.append(SchemaDifference(path, _make_removal(child), child))
        elif name not in renamed.values():
            child = NodePair(_NO_SCHEMA, new[name], path, PROPERTY, pair, name)
            found.append(SchemaDifference(path, _make_addition(child), child))


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


def _make_removal(child: NodePair) -> Difference:
    is_accepted = child.parent is not None and bool(child.parent.new.get(PRESERVE))
    rule = "change-field-opened" if is_accepted else "change-field-removed"
    return Difference(rule, "properties", get_type_name(child.old))


def _make_addition(child: NodePair) -> Difference:
    """Return the difference for a new property; it can reject objects if it is required or was accepted before."""
    parent = child.parent
    type_name = get_type_name(child.new)
    has_default = child.new.get("default") is not None
    if parent is not None and child.name in (parent.new.get("required") or ()) and not has_default:
        return Difference("change-field-added-required", "required", None, type_name)
    if parent is not None and parent.old.get(PRESERVE):
        is_open = not (child.new.keywords.keys() - {"description", PRESERVE})
        rule = "change-field-added" if is_open else "change-field-constrained"
        return Difference(rule, "properties", None, type_name)
    rejects = has_default and is_observed(child, appears=True)
    return Difference("change-field-added", "properties", None, type_name, ChangeClass.TIGHTEN if rejects else None)
