"""Values of schema nodes, minimal or full, made from the leaves up: what a node's value is made of is sound by itself.

Nodes are shared, so a value is made once for a node and a property's name. A value that breaks rules is put right where
the rule stands, by `repair`; a full one that cannot be is built again, a property at a time.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.samples.judge import Judge, copied, parts
from protoc_gen_crd.samples.leaves import leaves
from protoc_gen_crd.samples.repair import repaired
from protoc_gen_crd.samples.shapes import Shape, shapes
from protoc_gen_crd.samples.words import KEYS, entry_for, inside, singular
from protoc_gen_crd.schema.deprecation import is_deprecated
from protoc_gen_crd.schema.types import EMBEDDED, INT_OR_STRING, LIST_MAP_KEYS, LIST_TYPE, Json, Schema

_EMBEDDED: Mapping[str, Json] = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "example"}}
_MOST_ITEMS = 1000
_MOST_PARTS = 20_000  # of the items of a list, together
_TRIES = 100  # to make a property fit beside others
_OTHERS = 20  # properties that are taken away to see whether another stands in their place
_LEAVES = 60  # values of a leaf that are put to its rules
_NOTHING: Mapping[str, Json] = {}


_PLAIN = frozenset(("type", "properties", "additionalProperties", "required", "description", "title", "nullable"))


class Made(Record):
    """A value, and how many things are wrong with it."""

    value: Json
    errors: int = 0


class Dropped(Record):
    """A node that values can go without and do, since none was found for it: its property's name, and the nearest."""

    schema: Schema
    name: str
    nearest: Json


class Maker:
    """Makes values of nodes. Not to be used for objects as a whole, whose metadata servers judge."""

    def __init__(self, judge: Judge, *, full: bool, deprecated: bool = True) -> None:
        self.judge, self.full, self._deprecated = judge, full, deprecated
        self.dropped: dict[int, Dropped] = {}
        self._known: dict[tuple[tuple[int, ...], str], Made] = {}
        self._unsound = 0  # of parts that values were made of
        self._minimal = Maker(judge, full=False, deprecated=deprecated) if full else self

    def of(self, shape: Shape, name: str) -> Made:
        """The best value of a node; `name` is that of its property."""
        known = self._of(shape, name)
        return Made(copied(known.value), known.errors)

    def _of(self, shape: Shape, name: str) -> Made:
        """The same for what is put into another value, which may share it: nothing made is changed in place."""
        key = tuple([id(schema) for schema in shape.schemas]), name
        known = self._known.get(key)
        if known is None:
            known = self._known[key] = self.best(shape, name)
        self._unsound += known.errors
        return known

    def best(self, shape: Shape, name: str, fixed: Mapping[str, Json] = _NOTHING, *, root: bool = False) -> Made:
        """The best value with some members given: the first way to hold to the junctors that has nothing wrong."""
        fewest: Made | None = None
        for variant in sorted(shapes(shape), key=self._order):
            unsound = self._unsound
            value = self._value(variant, name, fixed)
            if not root and unsound == self._unsound and len(variant.schemas) == 1 and _is_plain(shape, value):
                return Made(value)  # judged part by part: what is nested deep would be judged once a level
            made = self._judged(shape, value, root=root)
            if not made.errors:
                return made
            if fewest is None or made.errors < fewest.errors:
                fewest = made
            if self.judge.patience <= 0:
                break
        fewest = fewest or Made(self._value(shape, name, fixed), 1)
        value = repaired(shape.schema, fewest.value, self, root=root)
        made = fewest if value is None else self._judged(shape, value, root=root)
        if self.full:
            found = self._minimal.best(shape, name, fixed, root=root) if made.errors else made
            made = self._grown(shape, name, found, root=root)
        return made

    def _order(self, shape: Shape) -> tuple[int, int]:
        """Full values take branches that forbid least, of examples first; minimal ones those that ask for least."""
        if not self.full:
            return len(shape.required), 0
        given = {key for one in shape.all("example") if isinstance(one, dict) for key in one}
        return len(given & shape.forbidden), len(shape.forbidden)

    def _judged(self, shape: Shape, value: Json, *, root: bool) -> Made:
        errors = len(self.judge.errors(shape.schema, value, root=root))
        return Made(value, errors + sum(not self.judge.fits(schema, value) for schema in shape.schemas[1:]))

    def _grown(self, shape: Shape, name: str, found: Made, *, root: bool) -> Made:
        """A value with one optional property more after the other, as far as that is right."""
        if found.errors or not isinstance(found.value, dict):
            return found
        for key in shape.schema.properties:
            child = shape.member(key)
            if key in found.value or child is None or not self._wants(child) or self.judge.patience <= 0:
                continue
            found = self._with(shape, found, key, child, inside(name, key), root=root)
        return found.replace(value=_ordered(shape, found.value))

    def _with(self, shape: Shape, found: Made, key: str, child: Shape, name: str, *, root: bool) -> Made:
        """An object with a property more, or as it is where no value of that is accepted beside the others."""
        members: Any = found.value
        for value in self._alternatives(child, name):
            more = self._judged(shape, {**members, key: value}, root=root)
            if not more.errors:
                return more
        nearest = {**members, key: self._of(child, name).value}
        others = [each for each in members if each in shape.schema.properties][:_OTHERS]
        apart = ({name: value for name, value in nearest.items() if name != other} for other in others)
        if any(not self._judged(shape, one, root=root).errors for one in apart):
            return found
        made: Any = repaired(shape.schema, nearest, self, root=root, tries=_TRIES, kept=key)
        if isinstance(made, dict) and not (more := self._judged(shape, made, root=root)).errors:
            return more if made.keys() >= members.keys() else found  # what stands only without others is left out
        self.dropped.setdefault(id(shape.schema.properties[key]), Dropped(shape.schema, name, nearest))
        return found

    def _alternatives(self, child: Shape, name: str) -> Iterator[Json]:
        """Values of a property that rules around it may like."""
        yield self._of(child, name).value
        yield self._minimal.of(child, name).value
        if child.schema.type not in ("object", "array"):
            yield from islice(leaves(child, name, self.judge), _LEAVES)

    def _value(self, shape: Shape, name: str, fixed: Mapping[str, Json]) -> Json:
        schema = shape.schema
        if schema.get("enum") or schema.get(INT_OR_STRING):
            return self.leaf(shape, name)
        if self.full and not fixed and (given := self._given(shape, name)):
            return given
        if schema.type == "array":
            return self._list(shape, name)
        if schema.get(EMBEDDED):
            fixed = {**_EMBEDDED, **fixed}
        if schema.type == "object" and (schema.properties or isinstance(schema.additional, Schema) or fixed):
            return self._object(shape, name, fixed)
        if schema.type == "object" and not self.full:
            return {}
        return self.leaf(shape, name)

    def _given(self, shape: Shape, name: str) -> Json:
        """The example or default of a list, map or object, with members that it lacks; None where that is wrong."""
        for given in (*shape.all("example"), *shape.all("default")):
            value = self._completed(shape, name, given) if given else None
            if value and isinstance(value, list | dict) and not self._judged(shape, value, root=False).errors:
                return value
        return None

    def _completed(self, shape: Shape, name: str, given: Json) -> Json:
        """A value with what it lacks of a full one, less what servers drop; empty where nothing is left."""
        items, schema = shape.items, shape.schema
        if isinstance(given, list) and items is not None:
            return [self._completed(items, singular(name), one) for one in given]
        if not isinstance(given, dict) or not (schema.properties or isinstance(schema.additional, Schema)):
            return given
        children = {key: shape.member(key) or shape.additional for key in given}
        known = {key: self._completed(child, inside(name, key), given[key]) for key, child in children.items() if child}
        value = self.best(shape, name, known).value if known else {}
        return _ordered(shape, value) if isinstance(value, dict) else value

    def leaf(self, shape: Shape, name: str) -> Json:
        """The likeliest value of a leaf; one that is wrong where none is right."""
        wrong: dict[str, Json] = {"string": "", "integer": 0, "number": 0, "boolean": False, "object": {}, "array": []}
        found = list(islice(leaves(shape, name, self.judge), _LEAVES if shape.schema.rules else 1))
        first = found[0] if found else wrong.get(shape.schema.type)
        if not shape.schema.rules:
            return first
        return next((value for value in found if not self.judge.errors(shape.schema, value)), first)

    def _list(self, shape: Shape, name: str) -> Json:
        least, most = int(shape.bound("minItems") or 0), shape.bound("maxItems")
        count = max(least, 1 if self.full else 0)
        count = min(count, _MOST_ITEMS if most is None else int(most))
        items = shape.items
        if not count or items is None:
            return []
        first = self._of(items, singular(name)) if least else self._optional(items, singular(name))
        if first is None:
            return []
        count = min(count, max(_MOST_PARTS // parts(first.value), 1))
        return self._several(shape, items, singular(name), first.value, count)

    def _several(self, shape: Shape, items: Shape, name: str, first: Json, count: int) -> Json:
        """As many items, no two alike where a list must not hold one twice."""
        made: list[Json] = [first]
        kind = shape.schema.get(LIST_TYPE)
        if count > 1 and kind == "map" and isinstance(first, dict):
            made = [copied(first) | keys for keys in self._keys(shape, items, count)] or made
        elif count > 1 and kind == "set":
            made = list(islice(leaves(items, name, self.judge), count)) or made
        return [made[index] if index < len(made) else copied(made[-1]) for index in range(count)]

    def _keys(self, shape: Shape, items: Shape, count: int) -> Iterator[dict[str, Json]]:
        """Keys of list items that differ."""
        names = [str(key) for key in shape.schema.get(LIST_MAP_KEYS) or ()]
        children = {key: items.member(key) for key in names}
        columns = {key: list(islice(leaves(each, key, self.judge), count)) for key, each in children.items() if each}
        varied = max(columns, key=lambda key: len(columns[key]), default="")
        for index in range(count if varied else 0):
            yield {
                key: values[min(index, len(values) - 1)] if key == varied else values[0]
                for key, values in columns.items()
                if values
            }

    def _object(self, shape: Shape, name: str, fixed: Mapping[str, Json]) -> Json:
        made: dict[str, Any] = dict(fixed)
        least, most = shape.bound("minProperties") or 0, shape.bound("maxProperties")
        optional: list[str] = []
        for key in dict.fromkeys((*shape.schema.properties, *sorted(shape.required))):
            if key in shape.required and key not in made:
                child = shape.member(key) or shape.additional
                made[key] = self._of(child, inside(name, key)).value if child else "value"
            elif key not in made and key not in shape.forbidden:
                optional.append(key)
        for key in optional:
            wanted = len(made) < least or (self.full and (most is None or len(made) < most))
            child = shape.member(key)
            if wanted and child is not None and self._wants(child):
                member = self._optional(child, inside(name, key))
                made |= {} if member is None else {key: member.value}
        ordered = [key for key in (*fixed, *shape.schema.properties, *sorted(shape.required)) if key in made]
        value: dict[str, Json] = {key: made[key] for key in ordered}
        self._add_entries(shape, value, name, least)
        return value

    def _optional(self, shape: Shape, name: str) -> Made | None:
        """The value of a node that need not be there, None where none is right."""
        made = self._of(shape, name)
        if not made.errors:
            return made
        if self.judge.patience > 0:
            self.dropped.setdefault(id(shape.schema), Dropped(shape.schema, name, made.value))
        return None

    def _wants(self, child: Shape) -> bool:
        """Whether a property may stand where it need not."""
        return self._deprecated or not is_deprecated(child.schema)

    def _add_entries(self, shape: Shape, value: dict[str, Json], name: str, least: int | float) -> None:
        """Entries of a map."""
        entries = shape.additional
        if entries is None:
            return
        wanted = max(int(least), 1 if self.full and not shape.schema.properties else 0)
        most = shape.bound("maxProperties")
        key, called = entry_for(name)
        child = self._of(entries, called) if least or not wanted else self._optional(entries, called)
        if child is None:
            return
        wanted = min(wanted, max(_MOST_PARTS // parts(child.value), 1))
        key = self._key(shape, value, (key, *KEYS), child.value) if wanted else key
        number = 0
        while len(value) < min(wanted, _MOST_ITEMS if most is None else most):
            number += 1
            value.setdefault(key if number == 1 else f"{key}-{number}", copied(child.value))

    def _key(self, shape: Shape, value: dict[str, Json], keys: Sequence[str], entry: Json) -> str:
        """The first of the keys that rules of a map take, else the first."""
        if not shape.schema.rules or value:
            return keys[0]
        return next((key for key in keys if not self.judge.errors(shape.schema, {key: entry})), keys[0])


def _ordered(shape: Shape, members: Any) -> Json:
    """An object whose members stand as its properties do."""
    order = {key: index for index, key in enumerate(shape.schema.properties)}
    return dict(sorted(members.items(), key=lambda item: order.get(item[0], -1)))


def _is_plain(shape: Shape, value: Json) -> bool:
    """Whether nothing can be wrong with an object but with its parts."""
    schema = shape.schema
    return (
        isinstance(value, dict)
        and len(shape.schemas) == 1
        and schema.type == "object"
        and schema.keywords.keys() <= _PLAIN
        and not schema.rules
        and value.keys() >= set(schema.get("required") or ())
    )
