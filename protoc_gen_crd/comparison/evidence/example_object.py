"""Evidence for changes: an object that the old API accepts and the new API rejects or stores differently."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from typing import Any

from protoc_gen_crd.base.record import Record

Object = Mapping[str, Any]
FIXED = frozenset(("apiVersion", "kind", "metadata"))  # what all objects have
_MAX_SHOWN_LENGTH = 240  # characters of an object in a hint


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
    text = json.dumps({key: value for key, value in obj.items() if key not in hidden}, ensure_ascii=False)
    return text if len(text) <= _MAX_SHOWN_LENGTH else f"{text[:_MAX_SHOWN_LENGTH]}…"
