"""Objects of the old API that are likely to show a change: values of the changed node within valid parents."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain, islice
from typing import Any

from protoc_gen_crd.admission.field_errors import Cause
from protoc_gen_crd.admission.objects.crd_handler import find_version
from protoc_gen_crd.admission.server import AdmissionServer
from protoc_gen_crd.base.record import Record
from protoc_gen_crd.comparison.evidence.candidate_values import CandidateValues, get_step, put_child
from protoc_gen_crd.comparison.evidence.example_object import FIXED, Object
from protoc_gen_crd.comparison.schemas.node_pair import ITEM, PROPERTY, NodePair, is_unique_list
from protoc_gen_crd.comparison.schemas.scale_restrictions import is_value_rejected
from protoc_gen_crd.crd.crd import Crd, CrdVersion
from protoc_gen_crd.samples.path_changes import NOTHING, Nothing, ValuePath
from protoc_gen_crd.samples.sample_validator import count_parts
from protoc_gen_crd.samples.sampler import Sampler
from protoc_gen_crd.schema.schema import EMBEDDED, Json, Schema

_MAX_VALUES = 300  # values of a node that are validated
_BUDGET = 60_000  # parts of values that are validated for a change
_MAX_NULLS = 2  # values of a parent with a null, for each of its likely values
_MAX_FULL_PARTS = 6_000  # parts of a full value of a parent


class LocatedObject(Record):
    """An object with the path of the changed node in it."""

    object: Object
    path: ValuePath


class CandidateObjects:
    """Generates objects of one version.

    With `avoids_errors`, the new CRD accepts the parents of the changed node without the node: other errors prevent
    servers from evaluating rules, and from storing the object that an update changes.
    """

    def __init__(self, old: Crd, new: Crd, version: CrdVersion, server: AdmissionServer) -> None:
        self._old, self._new, self._version = old, new, version
        self._sampler = Sampler(server)
        self._values = CandidateValues(self._sampler.validator)
        self._roots: dict[bool, Json] = {}
        self.avoids_errors = False

    def renew_budget(self) -> None:
        """Allow as many validations as a change may take."""
        self._values.validator.remaining_budget = _BUDGET

    def list_rejected(self, pair: NodePair) -> Iterator[tuple[NodePair, Json]]:
        """Yield values of a node or of its parents that only the old schema accepts."""
        child = pair if pair.is_added else None
        for level in (*(() if pair.is_added else (pair,)), *pair.iterate_ancestors()):
            bases = self._iterate_bases(level)
            values = (
                self._values.generate(level, bases) if child is None else self._values.generate_parents(child, bases)
            )
            for value in _drop_repeated_scalars(islice(values, _MAX_VALUES)):
                if self._values.validator.remaining_budget <= 0:
                    return
                if self._is_rejected(level, value) and self._is_valid(level, value):
                    yield level, value
            child = level

    def list_opposites(self, pair: NodePair, keyword: str, new: Any) -> Iterator[tuple[NodePair, Json]]:
        """Yield values of a node that only the old schema accepts, because of a keyword with a new value."""
        values = islice(self._values.generate_opposites(pair, keyword, new), _MAX_VALUES)
        yield from ((pair, value) for value in values if self._is_rejected(pair, value) and self._is_valid(pair, value))

    def list_nulls(self, pair: NodePair) -> Iterator[tuple[NodePair, Json]]:
        """Yield values of the parent of a node that the old schema accepts, and in which the node is null."""
        if (parent := pair.parent) is not None:
            for base in self._iterate_bases(parent):
                values = (value for value in self._values.generate_nulls(pair, base) if self._is_valid(parent, value))
                yield from ((parent, value) for value in islice(values, _MAX_NULLS))

    def list_repeated(self, pair: NodePair) -> Iterator[tuple[NodePair, Json]]:
        """Yield lists with two items that are equal once servers set defaults and drop nulls as the new schema does."""
        item, validator = pair.get_parent(), self._values.validator
        if item.parent is None or item.position != ITEM or not is_unique_list(item.parent.new):
            return
        for base in self._iterate_bases(item):
            for value in (put_child(base, pair, missing) for missing in (NOTHING, None)):
                stored = validator.apply_defaults(item.new, validator.prune(item.new, value))
                if self._is_valid(item.parent, [value, stored]):
                    yield item.parent, [value, stored]

    def list_valid(self, pair: NodePair) -> Iterator[Json]:
        """Yield values of a node that the old schema accepts."""
        values = self._values.generate(pair, self._iterate_bases(pair))
        return (value for value in values if self._is_valid(pair, value))

    def list_valid_parents(self, child: NodePair, parent: NodePair) -> Iterator[Json]:
        """Yield values of a parent that the old schema accepts, and that differ in one child."""
        values = self._values.generate_parents(child, self._iterate_bases(parent))
        return (value for value in values if self._is_valid(parent, value))

    def _is_valid(self, pair: NodePair, value: Json) -> bool:
        if pair.parent is None:
            return isinstance(value, dict) and value.keys() >= FIXED and self._is_served(value)
        return not self._find_errors(pair.old, value)

    def _find_errors(self, schema: Schema, value: Json) -> list[Cause]:
        """Return the errors of a value as servers see it: without unknown fields, and nulls that they drop."""
        validator = self._values.validator
        return validator.find_errors(schema, validator.prune(schema, value))

    def _is_served(self, value: Object) -> bool:
        """Return whether an object has an apiVersion and kind of both CRDs, which their schemas can restrict."""
        return all(find_version(crd, value) is not None for crd in (self._old, self._new))

    def _is_rejected(self, pair: NodePair, value: Json) -> bool:
        if pair.parent is None or (pair.new.get(EMBEDDED) and not pair.old.get(EMBEDDED)):
            return True  # servers decide
        return bool(self._find_errors(pair.new, value)) or is_value_rejected(pair, value)

    def embed(self, pair: NodePair, value: Json | Nothing) -> LocatedObject | None:
        """Return a valid object with a value at a node, None if no parent accepts it."""
        path: ValuePath = ()
        while pair.parent is not None:
            parent = pair.parent
            bases = chain(self._iterate_bases(parent), [self._get_fixed(parent)] if pair.position == PROPERTY else ())
            accepted = (base for base in bases if not self.avoids_errors or self._is_accepted_without(pair, base))
            combined = ((base, put_child(base, pair, value)) for base in accepted)
            chosen = next((candidate for candidate in combined if self._is_valid(parent, candidate[1])), None)
            chosen = chosen or self._repair_parent(pair, parent, value)
            if chosen is None:
                return None
            path = (get_step(chosen[0], pair), *path)
            value, pair = chosen[1], parent
        return LocatedObject(value, path) if isinstance(value, dict) else None

    def _is_accepted_without(self, pair: NodePair, base: Json) -> bool:
        """Return whether the new schema of a parent accepts a value of it without a node."""
        parent = pair.get_parent()
        return not self._find_errors(parent.new, put_child(base, pair, NOTHING))

    def _repair_parent(self, pair: NodePair, parent: NodePair, value: Json | Nothing) -> tuple[Json, Json] | None:
        """Return a base of a parent, and a valid value with this property, such as that of another branch of a union.

        None if the rules of the parent exclude the value.
        """
        if value is NOTHING or pair.position != PROPERTY or parent.parent is None:
            return None
        base, name = self._generate_base(parent, full=False), pair.old_name
        repaired = self._values.repair(parent.old, put_child(base, pair, value), kept=name)
        is_kept = isinstance(repaired, dict) and name in repaired and repaired[name] == value
        return (base, repaired) if is_kept and self._is_valid(parent, repaired) else None

    def _iterate_bases(self, pair: NodePair) -> Iterator[Json]:
        """Yield the minimal and the full value of a node, and one for each branch of its logical keywords.

        The full value of a large node would use up the budget.
        """
        for full in (False, True):
            budget = self._values.validator.remaining_budget
            base = self._generate_base(pair, full=full)
            self._values.validator.remaining_budget = budget  # bases are generated once for all changes
            if not full or count_parts(base) <= _MAX_FULL_PARTS:
                yield base
        yield from self._values.generate_variants(pair.old, pair.name, self._get_fixed(pair))

    def _get_fixed(self, pair: NodePair) -> dict[str, Json]:
        """Return the fields that all values of a node have: those of all objects, and none of others."""
        if pair.parent is not None:
            return {}
        root: Any = self._generate_base(pair, full=False)
        return {name: value for name, value in root.items() if name in FIXED}

    def _generate_base(self, pair: NodePair, *, full: bool) -> Json:
        if pair.parent is not None:
            return self._values.generate_base(pair.old, pair.name, full=full)
        if full not in self._roots:
            self._roots[full] = self._sampler.generate_object(self._old, self._version, full=full)
        return self._roots[full]


def _drop_repeated_scalars(values: Iterable[Json]) -> Iterator[Json]:
    """Yield values without the scalars that were yielded before."""
    seen: set[tuple[type, Json]] = set()
    for value in values:
        if not isinstance(value, dict | list):
            key = type(value), value
            if key in seen:
                continue
            seen.add(key)
        yield value
