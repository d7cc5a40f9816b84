"""Values of schema nodes, minimal or full, made from the leaves up: what a node's value is made of is sound by itself.

Nodes are shared, so a value is made once for a node and a property's name. A value that breaks rules is put right where
the rule stands, by `value_repair`; a full one that cannot be is built again, a property at a time.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.samples.example_values import MAP_KEYS, get_entry, qualify_name, singularize
from protoc_gen_crd.samples.junctor_branches import NodeShape, resolve_junctors
from protoc_gen_crd.samples.sample_validator import SampleValidator, copy_value, count_parts
from protoc_gen_crd.samples.scalar_values import generate_scalars
from protoc_gen_crd.samples.value_repair import repair_value
from protoc_gen_crd.schema.deprecated_fields import is_deprecated
from protoc_gen_crd.schema.schema import EMBEDDED, INT_OR_STRING, LIST_MAP_KEYS, LIST_TYPE, Json, Schema

_EMBEDDED: Mapping[str, Json] = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "example"}}
_MAX_ITEMS = 1000
_MAX_PARTS = 20_000  # of the items of a list, together
_MAX_TRIES = 100  # to make a property fit beside others
_MAX_REMOVED = 20  # properties that are taken away to see whether another stands in their place
_MAX_SCALARS = 60  # values of a leaf that are put to its rules
_NO_MEMBERS: Mapping[str, Json] = {}


_PLAIN = frozenset(("type", "properties", "additionalProperties", "required", "description", "title", "nullable"))


class GeneratedValue(Record):
    """A value, and how many things are wrong with it."""

    value: Json
    errors: int = 0


class OmittedNode(Record):
    """A node that values can go without and do, since none was found for it: its property's name, and the nearest."""

    schema: Schema
    name: str
    nearest: Json


class ValueGenerator:
    """Makes values of nodes. Not to be used for objects as a whole, whose metadata servers judge."""

    def __init__(self, validator: SampleValidator, *, full: bool, deprecated: bool = True) -> None:
        self.validator, self.full, self._deprecated = validator, full, deprecated
        self.omitted: dict[int, OmittedNode] = {}
        self._known: dict[tuple[tuple[int, ...], str], GeneratedValue] = {}
        self._unsound = 0  # of parts that values were made of
        self._minimal = ValueGenerator(validator, full=False, deprecated=deprecated) if full else self

    def generate(self, shape: NodeShape, name: str) -> GeneratedValue:
        """The best value of a node; `name` is that of its property."""
        known = self._generate_shared(shape, name)
        return GeneratedValue(copy_value(known.value), known.errors)

    def _generate_shared(self, shape: NodeShape, name: str) -> GeneratedValue:
        """The same for what is put into another value, which may share it: nothing made is changed in place."""
        key = tuple([id(schema) for schema in shape.schemas]), name
        known = self._known.get(key)
        if known is None:
            known = self._known[key] = self.generate_best(shape, name)
        self._unsound += known.errors
        return known

    def generate_best(
        self, shape: NodeShape, name: str, fixed: Mapping[str, Json] = _NO_MEMBERS, *, root: bool = False
    ) -> GeneratedValue:
        """The best value with some members given: the first way to hold to the junctors that has nothing wrong."""
        fewest: GeneratedValue | None = None
        for variant in sorted(resolve_junctors(shape), key=self._rank_shape):
            unsound = self._unsound
            value = self._generate_value(variant, name, fixed)
            if not root and unsound == self._unsound and len(variant.schemas) == 1 and _is_plain(shape, value):
                return GeneratedValue(value)  # judged part by part: what is nested deep would be judged once a level
            made = self._validate(shape, value, root=root)
            if not made.errors:
                return made
            if fewest is None or made.errors < fewest.errors:
                fewest = made
            if self.validator.remaining_budget <= 0:
                break
        fewest = fewest or GeneratedValue(self._generate_value(shape, name, fixed), 1)
        value = repair_value(shape.schema, fewest.value, self, root=root)
        made = fewest if value is None else self._validate(shape, value, root=root)
        if self.full:
            found = self._minimal.generate_best(shape, name, fixed, root=root) if made.errors else made
            made = self._add_optional_properties(shape, name, found, root=root)
        return made

    def _rank_shape(self, shape: NodeShape) -> tuple[int, int]:
        """Full values take branches that forbid least, of examples first; minimal ones those that ask for least."""
        if not self.full:
            return len(shape.required), 0
        given = {key for one in shape.get_values("example") if isinstance(one, dict) for key in one}
        return len(given & shape.forbidden), len(shape.forbidden)

    def _validate(self, shape: NodeShape, value: Json, *, root: bool) -> GeneratedValue:
        errors = len(self.validator.find_errors(shape.schema, value, root=root))
        return GeneratedValue(
            value, errors + sum(not self.validator.is_valid(schema, value) for schema in shape.schemas[1:])
        )

    def _add_optional_properties(
        self, shape: NodeShape, name: str, found: GeneratedValue, *, root: bool
    ) -> GeneratedValue:
        """A value with one optional property more after the other, as far as that is right."""
        if found.errors or not isinstance(found.value, dict):
            return found
        for key in shape.schema.properties:
            child = shape.get_member(key)
            if (
                key in found.value
                or child is None
                or not self._is_wanted(child)
                or self.validator.remaining_budget <= 0
            ):
                continue
            found = self._add_property(shape, found, key, child, qualify_name(name, key), root=root)
        return found.replace(value=_order_members(shape, found.value))

    def _add_property(
        self, shape: NodeShape, found: GeneratedValue, key: str, child: NodeShape, name: str, *, root: bool
    ) -> GeneratedValue:
        """An object with a property more, or as it is where no value of that is accepted beside the others."""
        members: Any = found.value
        for value in self._list_alternatives(child, name):
            more = self._validate(shape, {**members, key: value}, root=root)
            if not more.errors:
                return more
        nearest = {**members, key: self._generate_shared(child, name).value}
        others = [each for each in members if each in shape.schema.properties][:_MAX_REMOVED]
        apart = ({name: value for name, value in nearest.items() if name != other} for other in others)
        if any(not self._validate(shape, one, root=root).errors for one in apart):
            return found
        made: Any = repair_value(shape.schema, nearest, self, root=root, tries=_MAX_TRIES, kept=key)
        if isinstance(made, dict) and not (more := self._validate(shape, made, root=root)).errors:
            return more if made.keys() >= members.keys() else found  # what stands only without others is left out
        self.omitted.setdefault(id(shape.schema.properties[key]), OmittedNode(shape.schema, name, nearest))
        return found

    def _list_alternatives(self, child: NodeShape, name: str) -> Iterator[Json]:
        """Values of a property that rules around it may like."""
        yield self._generate_shared(child, name).value
        yield self._minimal.generate(child, name).value
        if child.schema.type not in ("object", "array"):
            yield from islice(generate_scalars(child, name, self.validator), _MAX_SCALARS)

    def _generate_value(self, shape: NodeShape, name: str, fixed: Mapping[str, Json]) -> Json:
        schema = shape.schema
        if schema.get("enum") or schema.get(INT_OR_STRING):
            return self.generate_scalar(shape, name)
        if self.full and not fixed and (given := self._find_example(shape, name)):
            return given
        if schema.type == "array":
            return self._generate_list(shape, name)
        if schema.get(EMBEDDED):
            fixed = {**_EMBEDDED, **fixed}
        if schema.type == "object" and (schema.properties or isinstance(schema.additional, Schema) or fixed):
            return self._generate_object(shape, name, fixed)
        if schema.type == "object" and not self.full:
            return {}
        return self.generate_scalar(shape, name)

    def _find_example(self, shape: NodeShape, name: str) -> Json:
        """The example or default of a list, map or object, with members that it lacks; None where that is wrong."""
        for given in (*shape.get_values("example"), *shape.get_values("default")):
            value = self._complete_value(shape, name, given) if given else None
            if value and isinstance(value, list | dict) and not self._validate(shape, value, root=False).errors:
                return value
        return None

    def _complete_value(self, shape: NodeShape, name: str, given: Json) -> Json:
        """A value with what it lacks of a full one, less what servers drop; empty where nothing is left."""
        items, schema = shape.items, shape.schema
        if isinstance(given, list) and items is not None:
            return [self._complete_value(items, singularize(name), one) for one in given]
        if not isinstance(given, dict) or not (schema.properties or isinstance(schema.additional, Schema)):
            return given
        children = {key: shape.get_member(key) or shape.additional for key in given}
        known = {
            key: self._complete_value(child, qualify_name(name, key), given[key])
            for key, child in children.items()
            if child
        }
        value = self.generate_best(shape, name, known).value if known else {}
        return _order_members(shape, value) if isinstance(value, dict) else value

    def generate_scalar(self, shape: NodeShape, name: str) -> Json:
        """The likeliest value of a leaf; one that is wrong where none is right."""
        wrong: dict[str, Json] = {"string": "", "integer": 0, "number": 0, "boolean": False, "object": {}, "array": []}
        found = list(islice(generate_scalars(shape, name, self.validator), _MAX_SCALARS if shape.schema.rules else 1))
        first = found[0] if found else wrong.get(shape.schema.type)
        if not shape.schema.rules:
            return first
        return next((value for value in found if not self.validator.find_errors(shape.schema, value)), first)

    def _generate_list(self, shape: NodeShape, name: str) -> Json:
        least, most = int(shape.get_bound("minItems") or 0), shape.get_bound("maxItems")
        count = max(least, 1 if self.full else 0)
        count = min(count, _MAX_ITEMS if most is None else int(most))
        items = shape.items
        if not count or items is None:
            return []
        first = (
            self._generate_shared(items, singularize(name))
            if least
            else self._generate_optional(items, singularize(name))
        )
        if first is None:
            return []
        count = min(count, max(_MAX_PARTS // count_parts(first.value), 1))
        return self._generate_items(shape, items, singularize(name), first.value, count)

    def _generate_items(self, shape: NodeShape, items: NodeShape, name: str, first: Json, count: int) -> Json:
        """As many items, no two alike where a list must not hold one twice."""
        made: list[Json] = [first]
        kind = shape.schema.get(LIST_TYPE)
        if count > 1 and kind == "map" and isinstance(first, dict):
            made = [copy_value(first) | keys for keys in self._generate_keys(shape, items, count)] or made
        elif count > 1 and kind == "set":
            made = list(islice(generate_scalars(items, name, self.validator), count)) or made
        return [made[index] if index < len(made) else copy_value(made[-1]) for index in range(count)]

    def _generate_keys(self, shape: NodeShape, items: NodeShape, count: int) -> Iterator[dict[str, Json]]:
        """Keys of list items that differ."""
        names = [str(key) for key in shape.schema.get(LIST_MAP_KEYS) or ()]
        children = {key: items.get_member(key) for key in names}
        columns = {
            key: list(islice(generate_scalars(each, key, self.validator), count))
            for key, each in children.items()
            if each
        }
        varied = max(columns, key=lambda key: len(columns[key]), default="")
        for index in range(count if varied else 0):
            yield {
                key: values[min(index, len(values) - 1)] if key == varied else values[0]
                for key, values in columns.items()
                if values
            }

    def _generate_object(self, shape: NodeShape, name: str, fixed: Mapping[str, Json]) -> Json:
        made: dict[str, Any] = dict(fixed)
        least, most = shape.get_bound("minProperties") or 0, shape.get_bound("maxProperties")
        optional: list[str] = []
        for key in dict.fromkeys((*shape.schema.properties, *sorted(shape.required))):
            if key in shape.required and key not in made:
                child = shape.get_member(key) or shape.additional
                made[key] = self._generate_shared(child, qualify_name(name, key)).value if child else "value"
            elif key not in made and key not in shape.forbidden:
                optional.append(key)
        for key in optional:
            wanted = len(made) < least or (self.full and (most is None or len(made) < most))
            child = shape.get_member(key)
            if wanted and child is not None and self._is_wanted(child):
                member = self._generate_optional(child, qualify_name(name, key))
                made |= {} if member is None else {key: member.value}
        ordered = [key for key in (*fixed, *shape.schema.properties, *sorted(shape.required)) if key in made]
        value: dict[str, Json] = {key: made[key] for key in ordered}
        self._add_entries(shape, value, name, least)
        return value

    def _generate_optional(self, shape: NodeShape, name: str) -> GeneratedValue | None:
        """The value of a node that need not be there, None where none is right."""
        made = self._generate_shared(shape, name)
        if not made.errors:
            return made
        if self.validator.remaining_budget > 0:
            self.omitted.setdefault(id(shape.schema), OmittedNode(shape.schema, name, made.value))
        return None

    def _is_wanted(self, child: NodeShape) -> bool:
        """Check whether a property may stand where it need not."""
        return self._deprecated or not is_deprecated(child.schema)

    def _add_entries(self, shape: NodeShape, value: dict[str, Json], name: str, least: int | float) -> None:
        """Entries of a map."""
        entries = shape.additional
        if entries is None:
            return
        wanted = max(int(least), 1 if self.full and not shape.schema.properties else 0)
        most = shape.get_bound("maxProperties")
        key, called = get_entry(name)
        child = (
            self._generate_shared(entries, called) if least or not wanted else self._generate_optional(entries, called)
        )
        if child is None:
            return
        wanted = min(wanted, max(_MAX_PARTS // count_parts(child.value), 1))
        key = self._choose_key(shape, value, (key, *MAP_KEYS), child.value) if wanted else key
        number = 0
        while len(value) < min(wanted, _MAX_ITEMS if most is None else most):
            number += 1
            value.setdefault(key if number == 1 else f"{key}-{number}", copy_value(child.value))

    def _choose_key(self, shape: NodeShape, value: dict[str, Json], keys: Sequence[str], entry: Json) -> str:
        """The first of the keys that rules of a map take, else the first."""
        if not shape.schema.rules or value:
            return keys[0]
        return next((key for key in keys if not self.validator.find_errors(shape.schema, {key: entry})), keys[0])


def _order_members(shape: NodeShape, members: Any) -> Json:
    """An object whose members stand as its properties do."""
    order = {key: index for index, key in enumerate(shape.schema.properties)}
    return dict(sorted(members.items(), key=lambda item: order.get(item[0], -1)))


def _is_plain(shape: NodeShape, value: Json) -> bool:
    """Check whether nothing can be wrong with an object but with its parts."""
    schema = shape.schema
    return (
        isinstance(value, dict)
        and len(shape.schemas) == 1
        and schema.type == "object"
        and schema.keywords.keys() <= _PLAIN
        and not schema.rules
        and value.keys() >= set(schema.get("required") or ())
    )
