"""Evidence for changes: the smallest object that the old API accepts and the new API rejects or stores differently.

Values of the changed node are generated from the schemas, put into objects, and judged by the admission of servers.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain, islice, permutations
from typing import Any

from protoc_gen_crd.admission.causes import Cause
from protoc_gen_crd.admission.crd.rules.rule_compiler import RuleCompiler
from protoc_gen_crd.admission.objects.crd_handler import find_version
from protoc_gen_crd.admission.objects.error_paths import get_error_path, resolve_path
from protoc_gen_crd.admission.server import AdmissionServer
from protoc_gen_crd.admission.verdicts import Verdict
from protoc_gen_crd.base.record import Record
from protoc_gen_crd.comparison.candidate_values import CandidateValues, get_step, put_child
from protoc_gen_crd.comparison.cause_attribution import CauseAttribution
from protoc_gen_crd.comparison.change import Change, ChangeClass
from protoc_gen_crd.comparison.change_rules import CHANGE_RULES
from protoc_gen_crd.comparison.node_pair import NodePair
from protoc_gen_crd.comparison.scale_restrictions import is_value_rejected
from protoc_gen_crd.comparison.server_rejections import list_rejections, report_rejections
from protoc_gen_crd.crd.crd import Crd, CrdVersion
from protoc_gen_crd.kubernetes.versions import format_minors
from protoc_gen_crd.samples.minimization import minimize_value
from protoc_gen_crd.samples.path_changes import NOTHING, Nothing, ValuePath
from protoc_gen_crd.samples.sample_validator import count_parts
from protoc_gen_crd.samples.sampler import Sampler
from protoc_gen_crd.schema.schema import Json, Schema

Object = Mapping[str, Any]
_MAX_VALUES = 300  # values of a node that are validated
_MAX_OBJECTS = 12  # objects of a change that servers validate
_MAX_STATES = 8  # objects that are combined to updates
_MAX_PARTS = 6_000  # parts of objects that are validated to find a smaller one
_MAX_DOCUMENTS = 50  # documents of a version that are replayed
_BUDGET = 60_000  # parts of values that are validated for a change
_FIXED = frozenset(("apiVersion", "kind", "metadata"))
_TRANSITION = "oldSelf"


_MAX_SHOWN_LENGTH = 240  # characters of an object in a hint


class Evidence(Record):
    """An object that shows a change, the object that it updates, and what servers do with it."""

    example: Object
    before: Object | None
    outcome: str
    is_rejected: bool = True


class Located(Record):
    """An object with the path of the changed node in it."""

    object: Object
    path: ValuePath


class EvidenceSearch:
    """Searches evidence for the changes of one version of a kind.

    An error that shows another one of these changes is evidence only if nothing else is found, and only for changes
    that always reject objects.
    """

    def __init__(
        self, old: Crd, new: Crd, version: CrdVersion, server: AdmissionServer, changes: Sequence[Change],
        objects: Sequence[Object] = (),
    ) -> None:  # fmt: skip
        self._old, self._new, self._version, self._server = old, new, version, server
        schema = next(each.schema for each in new.versions if each.name == version.name)
        self._attribution = CauseAttribution((each for each in changes if version.name in each.versions), schema)
        self._foreign_to: Change | None = None  # the change whose evidence must show no other one
        self._has_foreign = False
        self._objects = [each for each in objects if each.get("apiVersion") == f"{new.group}/{version.name}"]
        self._sampler = Sampler(server)
        self._values = CandidateValues(self._sampler.validator)
        self._roots: dict[bool, Json] = {}

    def find(self, change: Change, pair: NodePair) -> Evidence | None:
        """Return the evidence for a change of a node, None if the search finds none."""
        self._values.validator.remaining_budget = _BUDGET
        if change.change_class >= ChangeClass.TIGHTEN:
            self._foreign_to, self._has_foreign = change, False
            found = self._find_any_rejected(pair)
            if found is None and self._has_foreign and CHANGE_RULES[change.rule].change_class >= ChangeClass.TIGHTEN:
                self._foreign_to, self._values.validator.remaining_budget = None, _BUDGET
                found = self._find_any_rejected(pair)
            if found is not None or change.change_class is ChangeClass.TIGHTEN:
                return found
            self._values.validator.remaining_budget = _BUDGET
        return self._find_stored(pair)

    def _find_any_rejected(self, pair: NodePair) -> Evidence | None:
        """Return an object, an update or a document that only the old CRD accepts."""
        found = self._find_rejected(pair) or (self._find_transition(pair) if _has_transitions(pair) else None)
        return found or self._find_rejected_document(pair)

    def _find_rejected(self, pair: NodePair) -> Evidence | None:
        """Return an object that only the old CRD accepts."""
        values = self._list_rejected_values(pair)
        objects = (self._embed(level, value) for level, value in chain([(pair, NOTHING), (pair, None)], values))
        for located in islice(objects, _MAX_OBJECTS):
            if located is not None and self._explain(located.object, None, located.path):
                example = self._minimize(located, None)
                return Evidence(example, None, f"is rejected: {self._explain(example, None, located.path)}")
        return None

    def _find_rejected_document(self, pair: NodePair) -> Evidence | None:
        """Return a test document or sample of the old side that only the old CRD accepts."""
        for document in self._objects[:_MAX_DOCUMENTS]:
            path = _find_path(document, pair)
            if path is not None and self._explain(document, None, path):
                example = self._minimize(Located(document, path), None)
                return Evidence(example, None, f"is rejected: {self._explain(example, None, path)}")
        return None

    def _list_rejected_values(self, pair: NodePair) -> Iterator[tuple[NodePair, Json]]:
        """Yield values of a node or of its parents that only the old schema accepts."""
        child = pair if pair.is_added else None
        for level in (*(() if pair.is_added else (pair,)), *pair.iterate_ancestors()):
            bases = self._iterate_bases(level)
            values = (
                self._values.generate(level, bases) if child is None else self._values.generate_parents(child, bases)
            )
            for value in islice(values, _MAX_VALUES):
                if self._values.validator.remaining_budget <= 0:
                    return
                if self._is_valid(level, value) and self._is_rejected(level, value):
                    yield level, value
            child = level

    def _is_valid(self, pair: NodePair, value: Json) -> bool:
        if pair.parent is None:
            return isinstance(value, dict) and value.keys() >= _FIXED and self._is_served(value)
        return not self._values.validator.find_errors(pair.old, value)

    def _is_served(self, value: Object) -> bool:
        """Return whether an object has an apiVersion and kind of both CRDs, which their schemas can restrict."""
        return all(find_version(crd, value) is not None for crd in (self._old, self._new))

    def _is_rejected(self, pair: NodePair, value: Json) -> bool:
        errors = () if pair.parent is None else self._values.validator.find_errors(pair.new, value)
        return pair.parent is None or bool(errors) or is_value_rejected(pair, value)

    def _embed(self, pair: NodePair, value: Json | Nothing) -> Located | None:
        """Return a valid object with a value at a node, None if no parent accepts it."""
        path: ValuePath = ()
        while pair.parent is not None:
            parent = pair.parent
            combined = ((base, put_child(base, pair, value)) for base in self._iterate_bases(parent))
            valid = (each for each in combined if value is None or self._is_valid(parent, each[1]))
            chosen = next(valid, None)  # servers drop a null that is not valid
            if chosen is None:
                return None
            path = (get_step(chosen[0], pair), *path)
            value, pair = chosen[1], parent
        return Located(value, path) if isinstance(value, dict) else None

    def _iterate_bases(self, pair: NodePair) -> Iterator[Json]:
        """Yield the minimal and the full value of a node."""
        for full in (False, True):
            if pair.parent is not None:
                yield self._values.generate_base(pair.old, pair.name, full=full)
                continue
            if full not in self._roots:
                self._roots[full] = self._sampler.generate_object(self._old, self._version, full=full)
            yield self._roots[full]

    def _validate(self, crd: Crd, obj: Object, before: Object | None) -> Verdict:
        return self._server.validate(crd, obj, before)[-1]

    def _is_accepted_before(self, obj: Object, before: Object | None) -> bool:
        verdict = self._validate(self._old, obj, before)
        return verdict.accepted and not verdict.unknown_fields

    def _explain(self, obj: Object, before: Object | None, path: ValuePath) -> str:
        """Return the message with which only the new CRD rejects an object because of a path, empty if it does not."""
        verdict = self._validate(self._new, obj, before)
        causes = [cause for cause in verdict.causes if _is_cause_at(cause, obj, path)]
        if not causes or not self._is_accepted_before(obj, before):
            return ""
        if self._foreign_to is not None and causes:
            own = [cause for cause in causes if not self._attribution.is_foreign(cause, obj, self._foreign_to)]
            self._has_foreign = self._has_foreign or not own
            causes = own
        return causes[0].message if causes else ""

    def _minimize(self, located: Located, before: Object | None) -> Object:
        remaining = _MAX_PARTS

        def is_evidence(value: Json) -> bool:
            nonlocal remaining
            remaining -= count_parts(value)
            return remaining > 0 and isinstance(value, dict) and bool(self._explain(value, before, located.path))

        minimized = minimize_value(dict(located.object), is_evidence, _FIXED)
        return minimized if isinstance(minimized, dict) else located.object

    def _find_transition(self, pair: NodePair) -> Evidence | None:
        """Return an update that only the old CRD accepts, of an object that both accept."""
        values = (
            value for value in self._values.generate(pair, self._iterate_bases(pair)) if self._is_valid(pair, value)
        )
        objects = [self._embed(pair, value) for value in islice(_drop_repeated([*islice(values, 40)]), _MAX_STATES)]
        objects.append(self._embed(pair, NOTHING))
        states = [each for each in objects if each is not None and self._is_accepted_by_both(each.object)]
        for before, after in permutations(states, 2):
            if message := self._explain(after.object, before.object, after.path):
                return Evidence(after.object, before.object, f"is rejected: {message}")
        return None

    def _is_accepted_by_both(self, obj: Object) -> bool:
        return self._is_accepted_before(obj, None) and self._validate(self._new, obj, None).accepted

    def _find_stored(self, pair: NodePair) -> Evidence | None:
        """Return an object that both accept, but that the new CRD stores differently."""
        values = (
            value for value in self._values.generate(pair, self._iterate_bases(pair)) if self._is_valid(pair, value)
        )
        for value in (NOTHING, None, *islice(values, _MAX_STATES)):
            located = self._embed(pair, value)
            if located is not None and self._describe_stored(located.object, located.path):
                is_different = partial(self._is_stored_differently, path=located.path)
                minimized = minimize_value(dict(located.object), is_different, _FIXED)
                example = minimized if isinstance(minimized, dict) else located.object
                return Evidence(example, None, self._describe_stored(example, located.path), is_rejected=False)
        return None

    def _is_stored_differently(self, obj: Json, *, path: ValuePath) -> bool:
        return isinstance(obj, dict) and bool(self._describe_stored(obj, path))

    def _describe_stored(self, obj: Object, path: ValuePath) -> str:
        """Describe what the new CRD stores, if it is not what the old one stores at a path."""
        if not self._is_accepted_before(obj, None):
            return ""
        old, new = (self._validate(crd, obj, None) for crd in (self._old, self._new))
        if not new.accepted or _get_value(new.stored, path) == _get_value(old.stored, path):
            return ""
        return f"is stored as {_format_object(new.stored)} instead of {_format_object(old.stored)}"


def _get_value(stored: Any, path: ValuePath) -> Any:
    """Return the value at a path of a stored object, NOTHING if there is none; without the version of the whole."""
    if not path and isinstance(stored, dict):
        return {key: value for key, value in stored.items() if key != "apiVersion"}
    for step in path:
        is_present = step in stored if isinstance(stored, dict) else isinstance(stored, list) and len(stored) > 0
        if not is_present:
            return NOTHING
        stored = stored[step]
    return stored


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


def _drop_repeated(values: Iterable[Json]) -> Iterator[Json]:
    seen: list[Json] = []
    for value in values:
        if value not in seen:
            seen.append(value)
            yield value


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


def _is_cause_at(cause: Cause, obj: Object, path: ValuePath) -> bool:
    """Report whether the path of a cause contains a path, or is below it; causes without a path are about all paths."""
    steps = resolve_path(obj, get_error_path(cause))[0]
    return all(first == second for first, second in zip(steps, path, strict=False))


class KindJudge:
    """Judges the changes of one kind by the verdicts of a server: on the CRDs, and on objects of them.

    `objects` are test documents and samples of the old side, which are replayed where the search finds nothing.
    """

    def __init__(self, old: Crd, new: Crd, minors: Sequence[int], objects: Sequence[Object] = ()) -> None:
        self._old, self._new, self._objects = old, new, objects
        # Shortcut one-server: verdicts are a function of the versions and the input, so servers of the same versions
        # share what they have compiled.
        self._server = AdmissionServer(minors[-1:], RuleCompiler())
        self._servers = AdmissionServer(minors, RuleCompiler()) if len(minors) > 1 else self._server
        self._searches: dict[str, EvidenceSearch] = {}
        self._changes: Sequence[Change] = ()

    def judge(self, changes: Sequence[Change], kind: str) -> list[Change]:
        """Return the changes with their evidence, after those that make the server reject the CRD."""
        old = self._server.admit(self._old)[-1]
        if not old.accepted:
            hint = f"no example, since API servers reject the old CRD: {old.causes[0].message}"
            return [_add_hint(change, hint) for change in changes]
        # Shortcut accepted-updates: servers that accept a CRD, and then its update, accept the new CRD by itself.
        updated = self._server.admit(self._new, self._old)[-1]
        new = updated if updated.accepted else self._server.admit(self._new)[-1]
        rejections = list_rejections([new, updated], self._new)
        if not new.accepted:
            return report_rejections(changes, rejections, kind)
        self._old, self._new, self._changes = old.object, new.object, changes
        return report_rejections([self._add_evidence(change) for change in changes], rejections, kind)

    def _add_evidence(self, change: Change) -> Change:
        """Return a change with its evidence, or with the note that there is none."""
        search = self._get_search(change)
        if change.nodes is None or search is None or change.change_class < ChangeClass.SEMANTIC:
            return change
        found = search.find(change, change.nodes)
        if found is not None:
            hint = _format_hint(found) + self._describe_exemption(found)
            return change.replace(example=found.example, before=found.before, hint=hint)
        if change.change_class is not ChangeClass.TIGHTEN:
            return change
        return change.replace(is_proven=False, hint="no object was found that only the old API accepts")

    def _describe_exemption(self, evidence: Evidence) -> str:
        """Describe in which versions of Kubernetes a stored object stays valid as long as the value does not change."""
        if not evidence.is_rejected or evidence.before is not None:
            return ""
        metadata = evidence.example["metadata"]
        edited = {**evidence.example, "metadata": {**metadata, "labels": {**metadata.get("labels", {}), "edited": ""}}}
        verdicts = self._servers.validate(self._new, edited, evidence.example)
        minors = sorted(minor for verdict in verdicts if verdict.accepted for minor in verdict.minors)
        return (
            f"; a stored object stays valid until this value changes (Kubernetes {format_minors(minors)})"
            if minors
            else ""
        )

    def _get_search(self, change: Change) -> EvidenceSearch | None:
        """Return the search in the first version of a change that both sides serve."""
        served = [
            {version.name: version for version in crd.versions if version.served} for crd in (self._old, self._new)
        ]
        name = next((name for name in change.versions if all(name in versions for versions in served)), "")
        path = change.nodes.path if change.nodes else ""
        if not name or (served[0][name].status and path.partition(".")[0] == "status"):
            return None  # servers drop the status of new objects
        if name not in self._searches:
            self._searches[name] = EvidenceSearch(
                self._old, self._new, served[0][name], self._server, self._changes, self._objects
            )
        return self._searches[name]


def _add_hint(change: Change, hint: str) -> Change:
    """Return a change with a hint, unless it needs no evidence."""
    return change if change.change_class < ChangeClass.SEMANTIC else change.replace(hint=hint)


def _format_hint(evidence: Evidence) -> str:
    shown = _format_object(evidence.example)
    if evidence.before is not None:
        shown = f"the update of {_format_object(evidence.before)} to {shown}"
    return f"for example, {shown} {evidence.outcome}"


def _format_object(obj: Object) -> str:
    """Format an object without what all objects have."""
    text = json.dumps({key: value for key, value in obj.items() if key not in _FIXED}, ensure_ascii=False)
    return text if len(text) <= _MAX_SHOWN_LENGTH else f"{text[:_MAX_SHOWN_LENGTH]}…"
