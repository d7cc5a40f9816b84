"""Facts about the objects of an old schema that new CEL rules read: fields that are always set, or never, and enums."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.comparison.schemas.cel_rule_formula import ALL, IN, NOT_IN, Fact, Formula, Path, make_presence
from protoc_gen_crd.comparison.schemas.cel_rule_inclusion import SchemaFacts, list_facts
from protoc_gen_crd.comparison.schemas.keyword_order import to_key
from protoc_gen_crd.comparison.schemas.node_pair import ROOT, NodePair
from protoc_gen_crd.schema.cel_names import unescape_cel_name
from protoc_gen_crd.schema.schema import EMBEDDED, PRESERVE, Schema

_SELF = ("self", "oldSelf")
_ITEM = "#0"  # the variable of a macro that is in no other one
_MAX_ITEMS = 256  # of lists whose items new rules may read: the time grows with the length
_FIELD = 2  # the length of the path of a field of a variable


class _Node(Record):
    """A value in both APIs: its schemas, and whether its path and its fields are like those of other values."""

    old: Schema
    new: Schema
    is_open: bool
    is_root: bool = False


def find_schema_facts(pair: NodePair, formulas: Iterable[Formula]) -> SchemaFacts:
    """Return the facts about the fields that formulas read."""
    node = _Node(pair.old, pair.new, pair.keeps_unknown_fields()[0], pair.position == ROOT)
    return _find_object_facts(node, formulas, _SELF)


def _find_object_facts(node: _Node, formulas: Iterable[Formula], variables: tuple[str, ...]) -> SchemaFacts:
    all_facts = dict.fromkeys(chain.from_iterable(map(list_facts, formulas)))
    read = [fact for fact in all_facts if fact.path and fact.path[0] in variables]
    facts: list[Fact] = []
    dependent: list[tuple[Fact, Fact]] = []
    for path in dict.fromkeys(fact.path for fact in read if len(fact.path) >= _FIELD):
        for presence in _find_presence(node, path):
            if len(path) == _FIELD:
                facts.append(presence)
            else:
                dependent.append((make_presence(path[:-1]), presence))
    dependent += [(make_presence(fact.path), choice) for fact in read for choice in _find_choice(node, fact)]
    items = {fact: known for fact in read for known in _find_item_facts(node, fact)}
    is_object = _are_objects(node.old, node.new)
    return SchemaFacts(tuple(facts), tuple(dependent), variables if is_object else (), items)


def _find_presence(node: _Node, path: Path) -> Iterator[Fact]:
    """Yield what is known about the presence of a field in objects of the old schema that have its parents."""
    owner, name = _find_owner(node, path), unescape_cel_name(path[-1]) or ""
    if owner is None:
        return
    if _is_never_set(name, owner) and not owner.is_open:
        yield make_presence(path).negate()
    elif not owner.is_root and name in (owner.old.get("required") or ()) and _is_required(name, owner):
        yield make_presence(path)


def _find_choice(node: _Node, fact: Fact) -> Iterator[Fact]:
    """Yield the fact that a string is one of an enum, about a string that is compared with constants."""
    owner = _find_owner(node, fact.path) if len(fact.path) >= _FIELD and fact.relation in (IN, NOT_IN) else None
    schema = owner.old.properties.get(unescape_cel_name(fact.path[-1]) or "") if owner else None
    if schema is None or schema.type != "string" or schema.get("nullable") or fact.is_size:
        return
    choices = schema.get("enum") or ()
    if choices and all(isinstance(choice, str) for choice in choices):
        yield fact.replace(relation=IN, value=frozenset(("str", choice) for choice in choices))


def _find_item_facts(node: _Node, fact: Fact) -> Iterator[SchemaFacts]:
    """Yield the facts about the items of a short list all of which a macro reads."""
    if fact.relation != ALL or fact.path[0] != _SELF[0]:
        return
    found = _find_value(node, fact.path)
    if found is None or found.is_root or any(schema.type != "array" for schema in (found.old, found.new)):
        return
    old, new, limit = found.old.items, found.new.items, found.old.get("maxItems")
    if old is not None and new is not None and limit is not None and limit <= _MAX_ITEMS and _are_objects(old, new):
        item = _Node(old, new, found.is_open or bool(old.get(PRESERVE)))
        yield _find_object_facts(item, [fact.value], (_ITEM,))


def _find_owner(node: _Node, path: Path) -> _Node | None:
    """Return the object with the last field of a path; None if its other fields are unknown."""
    return _find_value(node, path[:-1])


def _find_value(node: _Node, path: Path) -> _Node | None:
    for part in path[1:]:
        name = unescape_cel_name(part) or ""
        old, new = node.old.properties.get(name), node.new.properties.get(name)
        if node.is_root or old is None or new is None or not _is_set_alike(old, new):
            return None
        node = _Node(old, new, bool(old.get(PRESERVE)))
    return node


def _are_objects(old: Schema, new: Schema) -> bool:
    return all(schema.type == "object" and not schema.get("nullable") for schema in (old, new))


def _is_set_alike(old: Schema, new: Schema) -> bool:
    """Report whether servers set a field of both schemas alike."""
    is_type_equal = old.type == new.type and not old.get("nullable") and not new.get("nullable")
    return is_type_equal and to_key(old.get("default")) == to_key(new.get("default"))


def _is_never_set(name: str, owner: _Node) -> bool:
    """Report whether no object of the old schema has a field of the new one, unless it preserves unknown fields."""
    field = owner.new.properties.get(name)
    is_closed = not owner.old.get(EMBEDDED) and not owner.old.additional and name not in owner.old.properties
    return is_closed and field is not None and "default" not in field


def _is_required(name: str, owner: _Node) -> bool:
    fields = [schema.properties.get(name) for schema in (owner.old, owner.new)]
    return all(field is not None and field.type and not field.get("nullable") for field in fields)
