"""Evidence for changes: an object that the old API accepts and the new API rejects or stores differently."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from typing import Any

from protoc_gen_crd.base.record import Record

Object = Mapping[str, Any]
FIXED = frozenset(("apiVersion", "kind", "metadata"))  # what all objects have
_MAX_SHOWN_LENGTH = 240  # characters of an object in a hint
_MAX_WHOLE_LENGTH = 120  # characters of an object that is shown with the parts that do not differ


class Evidence(Record):
    """An object that shows a change, the object that it updates, and what servers do with it.

    With `is_status`, the update is one of the status subresource.
    """

    example: Object
    before: Object | None
    outcome: str
    is_rejected: bool = True
    is_status: bool = False

    def format_hint(self) -> str:
        """Return the evidence as the hint of a finding."""
        hidden = FIXED - {"metadata"} if "metadata" in self.outcome else FIXED
        shown = format_object(self.example, hidden)
        if self.before is not None:
            update = "status update" if self.is_status else "update"
            shown = f"the {update} of {format_object(self.before, hidden)} to {shown}"
        return f"for example, {shown} {self.outcome}"


def format_object(obj: Object, hidden: Collection[str] = FIXED) -> str:
    """Format an object without some members: by default, without what all objects have."""
    return _cut(_format_json({key: value for key, value in obj.items() if key not in hidden}))


def describe_stored(stored: Object, other: Object) -> str:
    """Describe what is stored instead of another object; of large objects, only the parts that differ."""
    new, old = ({key: value for key, value in obj.items() if key not in FIXED} for obj in (stored, other))
    if max(len(_format_json(new)), len(_format_json(old))) <= _MAX_WHOLE_LENGTH:
        return f"is stored as {_format_json(new)} instead of {_format_json(old)}"
    new, old = _select_differing(new, old), _select_differing(old, new)
    return f"is stored with {_cut(_format_json(new))} instead of {_cut(_format_json(old))}"


def _format_json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _cut(text: str) -> str:
    return text if len(text) <= _MAX_SHOWN_LENGTH else f"{text[:_MAX_SHOWN_LENGTH]}…"


def _select_differing(value: Any, other: Any) -> Any:
    """Return the parts of a value that another one does not have, or has with another value."""
    if isinstance(value, dict) and isinstance(other, dict):
        missing = object()
        return {
            key: _select_differing(part, other.get(key))
            for key, part in value.items()
            if other.get(key, missing) != part
        }
    if isinstance(value, list) and isinstance(other, list) and len(value) == len(other):
        pairs = zip(value, other, strict=True)
        return [_select_differing(part, own) for part, own in pairs if part != own]
    return value
