"""Values of a node that are likely to show a difference: valid in the old schema, and at the limits of the new one."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import islice
from typing import Any

from protoc_gen_crd.admission.objects.number_checks import normalize_numbers
from protoc_gen_crd.comparison.schemas.enforced_keywords import get_types
from protoc_gen_crd.comparison.schemas.node_pair import ITEM, METADATA, PROPERTY, NodePair
from protoc_gen_crd.comparison.schemas.scale_restrictions import find_entry_name
from protoc_gen_crd.samples.logical_branches import NodeShape
from protoc_gen_crd.samples.mutations import BEYOND, WITHIN, MutationTarget, add_part, resize
from protoc_gen_crd.samples.path_changes import NOTHING
from protoc_gen_crd.samples.property_examples import singularize
from protoc_gen_crd.samples.sample_validator import SampleValidator, count_parts
from protoc_gen_crd.samples.scalar_values import generate_scalars
from protoc_gen_crd.samples.value_generator import ValueGenerator
from protoc_gen_crd.samples.value_repair import repair_value
from protoc_gen_crd.schema.schema import (
    EMBEDDED,
    INT_OR_STRING,
    LIST_MAP_KEYS,
    LOGICAL_KEYWORDS,
    PRESERVE,
    VALIDATIONS,
    Json,
    Schema,
    ValidationRule,
)

_MAX_SCALARS = 12  # scalars of a node
_MAX_MUTATIONS = 8  # results of one mutation
_MAX_CHILDREN = 16  # values of a child that are tried in its parent
_MAX_PARTS = 8  # parts that are added to a null
_MAX_REPAIRS = 100  # changes that are tried to make a value valid
_MAX_VARIANTS = 8  # branches of logical keywords
_MAX_SIZES = {"maxLength": 1_200_000, "maxItems": 25_000, "maxProperties": 25_000}  # that objects exceed
_MAX_SIZED_PARTS = 60_000  # of lists and objects that exceed a bound
_LARGE_QUOTIENT = 3 * 2.0**51  # by a smaller factor, it is likely larger than servers accept
_KEY = "key"  # of a map entry
_LITERAL = re.compile(r"""['"]([^'"\\]+)['"]""")  # a string in a rule
_TIME = "2025-01-31T12:00:00Z"
_METADATA_FIELDS: Mapping[str, Json] = {
    "name": "example", "labels": {"app": "example"}, "annotations": {"example.com/note": "text"},
    "namespace": "default", "finalizers": ["example.com/cleanup"], "generateName": "example-", "uid": "1",
    "resourceVersion": "1", "generation": 1, "creationTimestamp": _TIME, "deletionTimestamp": _TIME,
    "deletionGracePeriodSeconds": 1, "selfLink": "/example",
    "ownerReferences": [{"apiVersion": "v1", "kind": "ConfigMap", "name": "example", "uid": "1"}],
}  # fmt: skip


class CandidateValues:
    """Generates values of nodes of the old schema."""

    def __init__(self, validator: SampleValidator) -> None:
        self.validator = validator
        self.generators = {full: ValueGenerator(validator, full=full) for full in (False, True)}
        self._bases: dict[tuple[int, str, bool], tuple[Schema, Json]] = {}  # the key is the identity of the schema

    def generate_base(self, schema: Schema, name: str, *, full: bool) -> Json:
        """Return the minimal or the full value of a node."""
        key = id(schema), name, full
        if key not in self._bases:
            self._bases[key] = schema, self.generators[full].generate(NodeShape((schema,)), name).value
        return self._bases[key][1]

    def repair(self, schema: Schema, value: Json, *, kept: str = "") -> Json | None:
        """Return a value with fewer errors of its rules, and with the property `kept`; None if there is none."""
        return repair_value(schema, value, self.generators[False], root=False, tries=_MAX_REPAIRS, kept=kept)

    def generate_variants(self, schema: Schema, name: str, fixed: Mapping[str, Json]) -> Iterator[Json]:
        """Yield a minimal value for each branch of the logical keywords of a node; they may be invalid."""
        if any(keyword in schema for keyword in LOGICAL_KEYWORDS):
            variants = self.generators[False].generate_variants(NodeShape((schema,)), name, fixed)
            yield from islice(variants, _MAX_VARIANTS)

    def generate(self, pair: NodePair, bases: Iterable[Json]) -> Iterator[Json]:
        """Yield values of a node, the likeliest first; they may be invalid. `bases` are its likely values."""
        yield from pair.old.get("enum") or ()
        yield from self._add_unknown_fields(pair)
        if not get_types(pair.old) & {"array", "object"}:
            yield from islice(generate_scalars(NodeShape((pair.old,)), pair.name, self.validator), _MAX_SCALARS)
        for base in self._add_items(pair, bases):
            yield base
            yield from _add_metadata_fields(pair, base)
            for schema in (pair.new, pair.old):
                yield from self._mutate(schema, base, pair.name)
            yield from _reduce_members(base)
            yield from self._repeat_keys(pair, base)
            yield from self._add_rule_keys(pair, base)
        yield None
        if not pair.old.type and not pair.new.type:
            for kind in ("string", "number"):
                yield from self._generate_typed(pair, kind)

    def generate_opposites(self, pair: NodePair, keyword: str, new: Any) -> Iterator[Json]:
        """Yield values of a node that a keyword with a new value, or a new rule, rejects; they may be invalid."""
        from protoc_gen_crd.comparison.evidence.opposite_schemas import list_opposites  # noqa: PLC0415 - few changes need them
        from protoc_gen_crd.comparison.evidence.pattern_differences import generate_different_strings  # noqa: PLC0415

        for opposite in list_opposites(pair.new, keyword):
            shape = NodeShape((pair.old, opposite))
            if not get_types(pair.old) & {"array", "object"}:
                yield from islice(generate_scalars(shape, pair.name, self.validator), _MAX_SCALARS)
                yield from generate_different_strings((pair.old, opposite))
            yield self.generators[False].generate_best(shape, pair.name).value
        if keyword == VALIDATIONS and new:
            yield from self._violate_rule(pair, new["rule"])
        limit = pair.new.get(keyword)
        if keyword in _MAX_SIZES and isinstance(limit, int) and limit < _MAX_SIZES[keyword]:
            bases = [self.generate_base(pair.old, pair.name, full=full) for full in (False, True)]
            for base in self._add_items(pair, bases):
                if isinstance(base, str) or limit * count_parts(base) <= _MAX_SIZED_PARTS:
                    yield from resize(base, limit + 1, pair.new.items)
                    # Resized lists have different items, which an enum can exclude.
                    yield from [base[:1] * (limit + 1)] if isinstance(base, list) else ()
        if keyword == "format":
            yield from generate_different_strings((pair.old,))
        if pair.old.type == "number":
            yield from _generate_truncated_numbers(pair.old)
        if keyword == "multipleOf" and (factor := pair.old.get(keyword)):
            yield from (float(factor) * quotient for quotient in (_LARGE_QUOTIENT, -_LARGE_QUOTIENT))

    def _violate_rule(self, pair: NodePair, rule: str) -> Iterator[Json]:
        """Yield values of a node that are likely to follow its old rules, and to violate a new one."""
        yield from self._repeat_branches(pair, _LITERAL.findall(rule))
        opposite = ValidationRule(f"!({rule}\n)")
        schema = pair.old.with_keywords({VALIDATIONS: (*pair.old.rules, opposite)})
        bases = [self.generate_base(pair.old, pair.name, full=full) for full in (False, True)]
        repaired = (self.repair(schema, base) for base in self._add_items(pair, bases))
        yield from (value for value in repaired if value is not None)

    def _repeat_branches(self, pair: NodePair, names: Collection[str]) -> Iterator[Json]:
        """Yield lists of one and two equal items with a value that a rule names, such as a branch of a union."""
        items = pair.old.items
        for field, schema in items.properties.items() if items else ():
            for choice in schema.get("enum") or ():
                if items and choice in names:
                    fixed, name = {field: choice}, singularize(pair.name)
                    item = self.generators[False].generate_best(NodeShape((items,)), name, fixed).value
                    yield from ([item] * count for count in (1, 2))

    def _add_unknown_fields(self, pair: NodePair) -> Iterator[Json]:
        """Yield a list with an unknown field in an item, which only one of the APIs keeps."""
        depth, schema = 0, pair.old
        while schema.type == "array" and schema.items is not None:
            depth, schema = depth + 1, schema.items
        if depth and pair.old.get(PRESERVE) != pair.new.get(PRESERVE) and "object" in get_types(schema):
            base = self.generate_base(schema, singularize(pair.name), full=False)
            value: Json = {**(base if isinstance(base, dict) else {}), "unknownField": 1}
            for _ in range(depth):
                value = [value]
            yield value

    def _add_items(self, pair: NodePair, bases: Iterable[Json]) -> Iterator[Json]:
        """Yield values, and after an empty list one with the smallest item, which bounds can repeat."""
        for base in bases:
            yield base
            if base == [] and pair.old.items is not None:
                yield [self.generate_base(pair.old.items, singularize(pair.name), full=False)]

    def _repeat_keys(self, pair: NodePair, base: Json) -> Iterator[Json]:
        """Yield lists with items that differ in one key of the old list, and not in the keys of the new one."""
        old, new = (schema.get(LIST_MAP_KEYS) or () for schema in (pair.old, pair.new))
        if new and isinstance(base, list) and base and isinstance(base[0], dict) and pair.old.items is not None:
            for key in (key for key in old if key not in new):
                field = pair.old.items.properties.get(key)
                scalars = generate_scalars(NodeShape((field,)), key, self.validator) if field else ()
                yield from ([base[0], {**base[0], key: value}] for value in islice(scalars, _MAX_SCALARS))

    def _add_rule_keys(self, pair: NodePair, base: Json) -> Iterator[Json]:
        """Yield maps with a key that a new rule names."""
        values = pair.old.additional
        if isinstance(values, Schema) and isinstance(base, dict):
            keys = [key for rule in pair.new.rules if rule not in pair.old.rules for key in _LITERAL.findall(rule.rule)]
            value = self.generate_base(values, _KEY, full=False) if keys else None
            yield from ({**base, key: value} for key in keys[:_MAX_SCALARS])

    def _generate_typed(self, pair: NodePair, kind: str) -> Iterator[Json]:
        """Yield values of one type for a node without a type, whose keywords apply to values of their type."""
        old, new = (schema.with_keywords({"type": kind, INT_OR_STRING: None}) for schema in (pair.old, pair.new))
        base = self.generate_base(old, pair.name, full=False)
        yield base
        for schema in (new, old):
            yield from self._mutate(schema, base, pair.name)

    def _mutate(self, schema: Schema, base: Json, name: str) -> Iterator[Json]:
        target = MutationTarget((name,), schema, base, self.generators)
        for mutation in (*WITHIN, *BEYOND):
            values = (value for value in mutation(target) if value is not NOTHING)
            yield from islice(values, _MAX_MUTATIONS)

    def generate_parents(self, pair: NodePair, bases: Iterable[Json]) -> Iterator[Json]:
        """Yield the given values of a parent, with one child that has different values, none, or its own value."""
        for base in bases:
            yield put_child(base, pair, NOTHING)
            if pair.is_added:
                continue  # the old API does not know the child
            own = (self.generate_base(pair.old, pair.name, full=full) for full in (False, True))
            for value in islice(self.generate(pair, own), _MAX_CHILDREN):
                yield put_child(base, pair, value)
            yield from self.generate_nulls(pair, base)
            yield base

    def generate_nulls(self, pair: NodePair, base: Json) -> Iterator[Json]:
        """Yield values of a parent in which a child is null, with more and more other parts, which bounds count."""
        value, schema = put_child(base, pair, None), pair.get_parent().old
        for _ in range(_MAX_PARTS):
            yield value
            larger = next(add_part(MutationTarget((pair.name,), schema, value, self.generators)), None)
            if larger is None:
                return
            value = larger


def _generate_truncated_numbers(schema: Schema) -> Iterator[Json]:
    """Yield numbers that servers truncate to integers of an enum, and accept."""
    choices = [normalize_numbers(choice) for choice in schema.get("enum") or ()]
    yield from (choice + (0.5 if choice >= 0 else -0.5) for choice in choices if type(choice) is int)


def _add_metadata_fields(pair: NodePair, base: Json) -> Iterator[Json]:
    """Yield metadata of embedded resources with one, and with more and more fields, which its schema need not have."""
    if isinstance(base, dict) and pair.name == METADATA and pair.get_parent().old.get(EMBEDDED):
        fields = [field for field in _METADATA_FIELDS.items() if field[0] not in base]
        yield from ({**base, **dict([field])} for field in fields)
        yield from ({**base, **dict(fields[:count])} for count in range(2, len(fields) + 1))


def _reduce_members(base: Any) -> Iterator[Json]:
    """Yield objects with one property, and without one."""
    if isinstance(base, dict):
        yield {}
        yield from ({name: value} for name, value in base.items())
        yield from ({other: base[other] for other in base if other != name} for name in base)


def put_child(base: Any, pair: NodePair, value: Any) -> Json:
    """Return the value of a parent with a value of its child; NOTHING removes the child."""
    if pair.position == ITEM:
        items = base if isinstance(base, list) else []
        return list(items[1:]) if value is NOTHING else [value, *items[1:]]
    members = dict(base) if isinstance(base, dict) else {}
    name = get_step(base, pair)
    if value is NOTHING:
        members.pop(name, None)
        return members
    return {**members, name: value}


def get_step(base: Any, pair: NodePair) -> Any:
    """Return the step from a value of the parent to the child."""
    if pair.position == ITEM:
        return 0
    if pair.position == PROPERTY:
        return pair.old_name
    required = pair.get_parent().old.get("required") or ()
    names = [find_entry_name(pair), *required, *(base if isinstance(base, dict) else ()), _KEY]
    return next(filter(None, names))
