"""The search for evidence: values of the changed node, put into objects that the server judges by both CRDs."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import chain, islice, permutations, product
from typing import Any

from protoc_gen_crd.admission.server import AdmissionServer
from protoc_gen_crd.comparison.change import Change, ChangeClass
from protoc_gen_crd.comparison.change_rules import CHANGE_RULES
from protoc_gen_crd.comparison.evidence.candidate_objects import CandidateObjects, LocatedObject
from protoc_gen_crd.comparison.evidence.candidate_values import get_step
from protoc_gen_crd.comparison.evidence.example_object import FIXED, Evidence, Object
from protoc_gen_crd.comparison.evidence.object_verdicts import ObjectVerdicts
from protoc_gen_crd.comparison.schemas.node_pair import PROPERTY, NodePair
from protoc_gen_crd.crd.crd import Crd, CrdVersion
from protoc_gen_crd.samples.minimization import minimize_value
from protoc_gen_crd.samples.path_changes import NOTHING, Nothing, ValuePath
from protoc_gen_crd.schema.cel_names import unescape_cel_name
from protoc_gen_crd.schema.schema import Json, Schema

_MAX_OBJECTS = 12  # objects of a change that servers validate
_MAX_STATES = 8  # objects that are combined to updates
_MAX_COMPARED = 3  # properties that transition rules compare, with as many values each:
_MAX_CHILD_STATES = 4
_MAX_PARTS = 3_000  # parts of objects that are validated to find a smaller one
_MAX_DOCUMENTS = 50  # documents of a version that are replayed
_TRANSITION = "oldSelf"
_COMPARED = re.compile(r"\boldSelf\.(\w+)")


class EvidenceSearch:
    """Searches evidence for the changes of one version of a kind, with `is_status` for those of its status.

    An error that shows another one of these changes is no evidence.
    """

    def __init__(
        self, old: Crd, new: Crd, version: CrdVersion, server: AdmissionServer, changes: Sequence[Change],
        objects: Sequence[Object] = (), *, is_status: bool = False,
    ) -> None:  # fmt: skip
        self._old, self._new, self._version = old, new, version.name
        narrowing = [change for change in changes if change.change_class >= ChangeClass.TIGHTEN]
        self._is_single = sum(version.name in change.versions for change in narrowing) <= 1
        self._verdicts = ObjectVerdicts(old, new, server, is_status=is_status)
        self._candidates = CandidateObjects(old, new, version, server)
        self._documents = [
            manifest for manifest in objects if manifest.get("apiVersion") == f"{new.group}/{version.name}"
        ]
        self._is_status = is_status

    def find(self, change: Change, pair: NodePair) -> Evidence | None:
        """Return the evidence for a change of a node, None if the search finds none."""
        evidence = self._find(change, pair)
        if evidence is None and not self._is_single:
            evidence = self._find(change, pair, avoids_errors=True)
        if evidence is None or not self._is_status:
            return evidence
        before = self._verdicts.get_stored(evidence.example) if evidence.before is None else evidence.before
        return evidence.replace(before=before, is_status=True)

    def _find(self, change: Change, pair: NodePair, *, avoids_errors: bool = False) -> Evidence | None:
        self._candidates.renew_budget()
        self._candidates.avoids_errors = avoids_errors
        revert = partial(_revert_change, self._old, self._new, self._version, change, pair)
        self._verdicts.attribute_to(change, None if self._is_single else revert)
        if change.change_class >= ChangeClass.TIGHTEN:
            evidence = self._find_any_rejected(pair, change)
            is_rejecting = CHANGE_RULES[change.rule].change_class >= ChangeClass.TIGHTEN
            # Only defaults and fields that were unknown are stored differently.
            is_stored_alike = (is_rejecting and change.keyword != "properties") or not change.path
            if evidence is not None or (is_stored_alike and change.change_class is ChangeClass.TIGHTEN):
                return evidence
            self._candidates.renew_budget()
        return self._find_stored(pair)

    def _find_any_rejected(self, pair: NodePair, change: Change) -> Evidence | None:
        """Return an object, an update or a document that only the old CRD accepts."""
        evidence = self._find_rejected(pair) or (self._find_transition(pair) if _has_transitions(pair) else None)
        evidence = evidence or self._find_rejected_document(pair)
        if evidence is not None or pair.is_added:
            return evidence
        self._candidates.renew_budget()
        return self._find_first_rejected(self._candidates.list_opposites(pair, change.keyword, change.new))

    def _find_rejected(self, pair: NodePair) -> Evidence | None:
        """Return an object that only the old CRD accepts."""
        values = self._candidates.list_rejected(pair)
        absent = [self._candidates.list_nulls(pair), self._candidates.list_repeated(pair)] if _can_be_null(pair) else []
        return self._find_first_rejected(chain([(pair, NOTHING)], *absent, values))

    def _find_first_rejected(self, values: Iterable[tuple[NodePair, Json | Nothing]]) -> Evidence | None:
        """Return the first object with one of the values of nodes that only the old CRD accepts."""
        embedded = (self._candidates.embed(level, value) for level, value in values)
        for located in islice(filter(None, embedded), _MAX_OBJECTS):
            if self._verdicts.explain(located.object, None, located.path):
                example = self._minimize(located, None)
                return Evidence(example, None, f"is rejected: {self._verdicts.explain(example, None, located.path)}")
        return None

    def _find_rejected_document(self, pair: NodePair) -> Evidence | None:
        """Return a test document or sample of the old side that only the old CRD accepts."""
        for document in self._documents[:_MAX_DOCUMENTS]:
            path = _find_path(document, pair)
            if path is not None and self._verdicts.explain(document, None, path):
                example = self._minimize(LocatedObject(document, path), None)
                return Evidence(example, None, f"is rejected: {self._verdicts.explain(example, None, path)}")
        return None

    def _minimize(self, located: LocatedObject, before: Object | None) -> Object:
        def is_evidence(value: Json) -> bool:
            return isinstance(value, dict) and bool(self._verdicts.explain(value, before, located.path))

        minimized = minimize_value(dict(located.object), is_evidence, FIXED, _MAX_PARTS)
        return minimized if isinstance(minimized, dict) else located.object

    def _find_transition(self, pair: NodePair) -> Evidence | None:
        """Return an update that only the old CRD accepts, of an object that both accept."""
        valid = islice(self._candidates.list_valid(pair), 40)
        values = chain(
            islice(_drop_repeated(valid), _MAX_STATES),
            *(
                islice(_drop_repeated(self._candidates.list_valid_parents(child, pair)), _MAX_CHILD_STATES)
                for child in islice(_list_compared_properties(pair), _MAX_COMPARED)
            ),
        )
        objects = [self._candidates.embed(pair, value) for value in values]
        special = (NOTHING, None) if _can_be_null(pair) else (NOTHING,)
        objects += [self._candidates.embed(pair, value) for value in special]
        states = [state for state in objects if state is not None and self._verdicts.is_accepted_by_both(state.object)]
        for before, after in permutations(states, 2):
            if message := self._verdicts.explain(after.object, before.object, after.path):
                smallest = self._minimize_update(before.object, after, message)
                return Evidence(smallest[1], smallest[0], f"is rejected: {message}")
        return None

    def _minimize_update(self, before: Object, after: LocatedObject, message: str) -> Any:
        """Return the smallest update, from the first to the second object, that is rejected with the same message."""

        def is_evidence(update: Any) -> bool:
            is_whole = len(update) == 2 and all(obj.keys() >= FIXED for obj in update)
            is_valid = is_whole and self._verdicts.is_accepted_by_both(update[0])
            return is_valid and self._verdicts.explain(update[1], update[0], after.path) == message

        return minimize_value([dict(before), dict(after.object)], is_evidence, frozenset(), _MAX_PARTS)

    def _find_stored(self, pair: NodePair) -> Evidence | None:
        """Return an object that both accept, but that the new CRD stores differently."""
        values = (NOTHING, None, *islice(self._candidates.list_valid(pair), _MAX_STATES))
        objects = [located for value in values if (located := self._candidates.embed(pair, value)) is not None]
        for ignores_nulls, located in product((True, False), objects):
            describe = partial(self._verdicts.describe_stored, path=located.path, ignores_nulls=ignores_nulls)
            if describe(located.object):
                example = _minimize_described(located.object, describe)
                return Evidence(example, None, describe(example), is_rejected=False)
        return None


def _revert_change(old: Crd, new: Crd, version: str, change: Change, pair: NodePair) -> Crd:
    from protoc_gen_crd.comparison.evidence.change_reversal import revert_change  # noqa: PLC0415 - not for the only change of a CRD

    return revert_change(old, new, version, change, pair)


def _minimize_described(obj: Object, describe: Callable[[Object], str]) -> Object:
    """Return the smallest object with a description."""
    minimized = minimize_value(dict(obj), lambda smaller: isinstance(smaller, dict) and bool(describe(smaller)), FIXED)
    return minimized if isinstance(minimized, dict) else obj


def _find_path(value: Any, pair: NodePair) -> ValuePath | None:
    """Return the path of a node in an object: of the first item of lists, and of the first entry of maps."""
    path: ValuePath = ()
    for level in reversed([pair, *pair.iterate_ancestors()]):
        if level.parent is None:
            continue
        step = get_step(value, level)
        is_present = step in value if isinstance(value, dict) else isinstance(value, list) and len(value) > 0
        if not is_present:
            return path if level is pair else None  # the parent shows what an absent field violates
        path, value = (*path, step), value[step]
    return path


def _list_compared_properties(pair: NodePair) -> Iterator[NodePair]:
    """Yield the properties of a node that its transition rules compare with their old values."""
    names = (name for rule in pair.new.rules for name in _COMPARED.findall(rule.rule))
    for name in dict.fromkeys(unescape_cel_name(name) for name in names):
        if name is not None and name in pair.old.properties and name in pair.new.properties:
            old, new = pair.old.properties[name], pair.new.properties[name]
            yield NodePair(old, new, f"{pair.path}.{name}".lstrip("."), PROPERTY, pair, name)


def _drop_repeated(values: Iterable[Json]) -> Iterator[Json]:
    seen: list[Json] = []
    for value in values:
        if value not in seen:
            seen.append(value)
            yield value


def _can_be_null(pair: NodePair) -> bool:
    """Return whether null differs from a missing value: other nulls are dropped, or invalid as an item or map value."""
    return not pair.is_added and any(
        schema.get("nullable") or "default" in schema or not schema.type for schema in (pair.old, pair.new)
    )


def _has_transitions(pair: NodePair) -> bool:
    """Report whether a rule on a node, below it, or above it compares with the old value."""
    schemas = [pair.new, *(ancestor.new for ancestor in pair.iterate_ancestors())]
    return any(_TRANSITION in rule.rule for schema in schemas for rule in schema.rules) or _has_transitions_below(
        pair.new
    )


def _has_transitions_below(schema: Schema) -> bool:
    children = [*schema.properties.values(), schema.items, schema.additional]
    return any(_TRANSITION in rule.rule for rule in schema.rules) or any(
        _has_transitions_below(child) for child in children if isinstance(child, Schema)
    )
