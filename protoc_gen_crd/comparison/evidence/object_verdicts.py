"""The verdicts of a server on objects of the old and of the new CRD."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from typing import Any

from protoc_gen_crd.admission.field_errors import RULES_NOT_CHECKED, Cause
from protoc_gen_crd.admission.objects.error_paths import get_error_path, resolve_path
from protoc_gen_crd.admission.server import AdmissionServer
from protoc_gen_crd.admission.verdicts import Verdict
from protoc_gen_crd.comparison.change import Change
from protoc_gen_crd.comparison.evidence.example_object import Object, describe_stored
from protoc_gen_crd.comparison.schemas.enforced_keywords import STATUS
from protoc_gen_crd.crd.crd import Crd
from protoc_gen_crd.samples.path_changes import NOTHING, ValuePath

_Key = tuple[str, str, str]
_MAX_CACHED = 128  # verdicts


class ObjectVerdicts:
    """Compares the verdicts of both CRDs on objects.

    With `is_status`, objects are updates of the status subresource: without another stored object, of the same object
    without a status.
    """

    def __init__(self, old: Crd, new: Crd, server: AdmissionServer, *, is_status: bool) -> None:
        self._old, self._new, self._server, self._is_status = old, new, server, is_status
        self._make_reverted: Callable[[], Crd] | None = None
        self._reverted: Crd | None = None
        self._allows_unknown = False
        self._cached: dict[tuple[int, str, str | None, bool], Verdict] = {}

    def attribute_to(self, change: Change, make_reverted: Callable[[], Crd] | None) -> None:
        """Ignore errors that the new CRD without a change has, too. Without `make_reverted`, there are no others."""
        self._make_reverted, self._reverted = make_reverted, None
        self._allows_unknown = change.rule == "change-unknown-fields-preserved"

    def get_stored(self, obj: Object) -> Object | None:
        """Return the stored object that a request without another one updates; None if it creates the object."""
        return {key: value for key, value in obj.items() if key != STATUS} if self._is_status else None

    def _validate(self, crd: Crd, obj: Object, before: Object | None) -> Verdict:
        stored = self.get_stored(obj) if before is None else before
        return self._get_verdict(crd, obj, stored, status=self._is_status)

    def _get_verdict(self, crd: Crd, obj: Object, stored: Object | None, *, status: bool) -> Verdict:
        """Return the verdict on an object.

        Shortcut repeated-objects: a verdict is a function of the CRD and the request, and the JSON of a request is the
        key. The objects of one search are often the same.
        """
        key = id(crd), json.dumps(obj), json.dumps(stored) if stored else None, status
        verdict = self._cached.get(key)
        if verdict is None:
            if len(self._cached) >= _MAX_CACHED:
                self._cached.clear()
            verdict = self._cached[key] = self._server.validate(crd, obj, stored, status=status)[-1]
        return verdict

    def is_accepted_before(self, obj: Object, before: Object | None) -> bool:
        """Report whether the old CRD accepts an object, or an update, and knows the fields that no change is about."""
        stored = self.get_stored(obj) if before is None else None
        if stored is not None and not self._get_verdict(self._old, stored, None, status=False).accepted:
            return False
        verdict = self._validate(self._old, obj, before)
        return verdict.accepted and (self._allows_unknown or not verdict.unknown_fields)

    def is_accepted_by_both(self, obj: Object) -> bool:
        """Report whether both CRDs accept an object."""
        return self.is_accepted_before(obj, None) and self._validate(self._new, obj, None).accepted

    def explain(self, obj: Object, before: Object | None, path: ValuePath) -> str:
        """Return the message with which only the new CRD rejects an object because of a path, empty if it does not."""
        verdict = self._validate(self._new, obj, before)
        causes = [cause for cause in verdict.causes if _is_cause_at(cause, obj, path)]
        if not causes or not self.is_accepted_before(obj, before):
            return ""
        own = Counter(map(_get_key, causes)) - self._count_other_errors(obj, before)
        return next((cause.message for cause in causes if _get_key(cause) in own), "")

    def _count_other_errors(self, obj: Object, before: Object | None) -> Counter[_Key]:
        """Count the errors on an object that do not show the change.

        A change that other changes depend on cannot be reverted alone; any error shows it.
        """
        if self._make_reverted is None:
            return Counter()
        if self._reverted is None:
            verdict = self._server.admit(self._make_reverted())[-1]
            self._reverted = verdict.object if verdict.accepted else self._old
        return Counter(map(_get_key, self._validate(self._reverted, obj, before).causes))

    def describe_stored(self, obj: Object, path: ValuePath, *, ignores_nulls: bool = False) -> str:
        """Describe what the new CRD stores, if it is not what the old one stores at a path; empty if it is."""
        if not self.is_accepted_before(obj, None):
            return ""
        old, new = (self._validate(crd, obj, None) for crd in (self._old, self._new))
        if not new.accepted:
            return ""
        values = [_get_value(verdict.stored, path) for verdict in (old, new)]
        before, after = map(drop_nulls, values) if ignores_nulls else values
        if before == after:
            return ""
        return describe_stored(new.stored, old.stored)


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


def drop_nulls(value: Any) -> Any:
    """Return a value without the fields that are null, NOTHING for null."""
    if isinstance(value, dict):
        return {name: drop_nulls(member) for name, member in value.items() if member is not None}
    if isinstance(value, list):
        return [drop_nulls(item) for item in value]
    return NOTHING if value is None else value


def _get_key(cause: Cause) -> _Key:
    """Return an error without its value, which depends on what other changes drop or set."""
    return cause.type, cause.path, cause.detail


def _is_cause_at(cause: Cause, obj: Object, path: ValuePath) -> bool:
    """Report whether the path of a cause contains a path, or is below it; causes without a path are about all paths.

    That rules were not checked is a consequence of other errors.
    """
    steps = resolve_path(obj, get_error_path(cause))[0]
    return RULES_NOT_CHECKED not in cause.detail and all(
        first == second for first, second in zip(steps, path, strict=False)
    )
