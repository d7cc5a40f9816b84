"""Facts about the objects of an old schema that new CEL rules read: fields that are always set, or never."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain

from protoc_gen_crd.comparison.schemas.cel_rule_formula import Fact, Formula, Path, make_presence
from protoc_gen_crd.comparison.schemas.cel_rule_inclusion import SchemaFacts, list_facts
from protoc_gen_crd.comparison.schemas.keyword_order import to_key
from protoc_gen_crd.comparison.schemas.node_pair import ROOT, NodePair
from protoc_gen_crd.schema.cel_names import unescape_cel_name
from protoc_gen_crd.schema.schema import EMBEDDED, PRESERVE, Schema

_SELF = ("self", "oldSelf")


def find_schema_facts(pair: NodePair, formulas: Iterable[Formula]) -> SchemaFacts:
    """Return the facts about the fields of formulas: that they are set, or that they are not."""
    facts, dependent = [], []
    for path in dict.fromkeys(fact.path for fact in chain.from_iterable(map(list_facts, formulas)) if fact.is_presence):
        for fact in _find_facts(pair, path) if path[0] in _SELF else ():
            if len(path) == len(("self", "field")):
                facts.append(fact)
            else:
                dependent.append((make_presence(path[:-1]), fact))
    is_object = all(schema.type == "object" and not schema.get("nullable") for schema in (pair.old, pair.new))
    return SchemaFacts(tuple(facts), tuple(dependent), is_object)


def _find_facts(pair: NodePair, path: Path) -> Iterator[Fact]:
    """Yield what is known about the presence of a field in objects of the old schema that have its parents."""
    names = [unescape_cel_name(name) for name in path[1:]]
    old, new, is_open = pair.old, pair.new, pair.keeps_unknown_fields()[0]
    for name in names[:-1]:
        before, after = old.properties.get(name or ""), new.properties.get(name or "")
        if before is None or after is None or not _is_same_object(before, after) or pair.position == ROOT:
            return
        old, new, is_open = before, after, bool(before.get(PRESERVE))
    name = names[-1] or ""
    if _is_never_set(name, old, new) and not is_open:
        yield make_presence(path).negate()
    elif pair.position != ROOT and name in (old.get("required") or ()) and _is_required(name, old, new):
        yield make_presence(path)


def _is_same_object(old: Schema, new: Schema) -> bool:
    """Report whether a field is an object in both schemas, if it is set, and is set alike."""
    are_objects = all(schema.type == "object" and not schema.get("nullable") for schema in (old, new))
    return are_objects and to_key(old.get("default")) == to_key(new.get("default"))


def _is_never_set(name: str, old: Schema, new: Schema) -> bool:
    """Report whether no object of the old schema has a field of the new one, unless it preserves unknown fields."""
    field = new.properties.get(name)
    is_closed = not old.get(EMBEDDED) and not old.additional and name not in old.properties
    return is_closed and field is not None and "default" not in field


def _is_required(name: str, old: Schema, new: Schema) -> bool:
    fields = [schema.properties.get(name) for schema in (old, new)]
    return all(field is not None and field.type and not field.get("nullable") for field in fields)
