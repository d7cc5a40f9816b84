"""The verdicts of a server on objects of the old and of the new CRD."""

from __future__ import annotations

import json
from typing import Any

from protoc_gen_crd.admission.causes import Cause
from protoc_gen_crd.admission.objects.error_paths import get_error_path, resolve_path
from protoc_gen_crd.admission.server import AdmissionServer
from protoc_gen_crd.admission.verdicts import Verdict
from protoc_gen_crd.comparison.change import Change
from protoc_gen_crd.comparison.evidence.cause_attribution import CauseAttribution
from protoc_gen_crd.comparison.evidence.example_object import Object, format_object
from protoc_gen_crd.comparison.schemas.enforced_keywords import STATUS
from protoc_gen_crd.crd.crd import Crd
from protoc_gen_crd.samples.path_changes import NOTHING, ValuePath

_MAX_CACHED = 128  # verdicts


class ObjectVerdicts:
    """Compares the verdicts of both CRDs on objects.

    With `is_status`, objects are updates of the status subresource: without another stored object, of the same object
    without a status.
    """

    def __init__(
        self, old: Crd, new: Crd, server: AdmissionServer, attribution: CauseAttribution, *, is_status: bool
    ) -> None:
        self._old, self._new, self._server, self._is_status = old, new, server, is_status
        self._attribution = attribution
        self._change: Change | None = None
        self._cached: dict[tuple[bool, str, str | None, bool], Verdict] = {}

    def attribute_to(self, change: Change) -> None:
        """Ignore errors that do not show this change."""
        self._change = change

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
        key = crd is self._new, json.dumps(obj), json.dumps(stored) if stored else None, status
        verdict = self._cached.get(key)
        if verdict is None:
            if len(self._cached) >= _MAX_CACHED:
                self._cached.clear()
            verdict = self._cached[key] = self._server.validate(crd, obj, stored, status=status)[-1]
        return verdict

    def is_accepted_before(self, obj: Object, before: Object | None) -> bool:
        """Report whether the old CRD accepts an object, or an update, and knows all of its fields."""
        stored = self.get_stored(obj) if before is None else None
        if stored is not None and not self._get_verdict(self._old, stored, None, status=False).accepted:
            return False
        verdict = self._validate(self._old, obj, before)
        return verdict.accepted and not verdict.unknown_fields

    def is_accepted_by_both(self, obj: Object) -> bool:
        """Report whether both CRDs accept an object."""
        return self.is_accepted_before(obj, None) and self._validate(self._new, obj, None).accepted

    def explain(self, obj: Object, before: Object | None, path: ValuePath) -> str:
        """Return the message with which only the new CRD rejects an object because of a path, empty if it does not."""
        verdict = self._validate(self._new, obj, before)
        causes = [cause for cause in verdict.causes if _is_cause_at(cause, obj, path)]
        if not causes or not self.is_accepted_before(obj, before):
            return ""
        own = (
            cause for cause in causes if self._change is None or self._attribution.is_shown(self._change, cause, obj)
        )
        return next((cause.message for cause in own), "")

    def describe_stored(self, obj: Object, path: ValuePath) -> str:
        """Describe what the new CRD stores, if it is not what the old one stores at a path; empty if it is."""
        if not self.is_accepted_before(obj, None):
            return ""
        old, new = (self._validate(crd, obj, None) for crd in (self._old, self._new))
        if not new.accepted or _get_value(new.stored, path) == _get_value(old.stored, path):
            return ""
        return f"is stored as {format_object(new.stored)} instead of {format_object(old.stored)}"


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


def _is_cause_at(cause: Cause, obj: Object, path: ValuePath) -> bool:
    """Report whether the path of a cause contains a path, or is below it; causes without a path are about all paths."""
    steps = resolve_path(obj, get_error_path(cause))[0]
    return all(first == second for first, second in zip(steps, path, strict=False))
