"""Deprecated fields, recognized by the facts or the description of their schemas."""

from __future__ import annotations

import re

from protoc_gen_crd.schema.schema import DEPRECATED, Schema

_PARAGRAPH = re.compile(r"\n[ \t]*\n[ \t]*(?=Deprecated[:.])")


def is_deprecated(schema: Schema) -> bool:
    """Report whether a field of this schema is deprecated."""
    return bool((schema.facts or {}).get(DEPRECATED)) or has_deprecated_description(schema)


def has_deprecated_description(schema: Schema) -> bool:
    """Report whether a description notes the deprecation at its start or in a later paragraph.

    A later paragraph starts with "Deprecated:", as in Go, or with "Deprecated.", as `generate` writes it.
    """
    description = schema.get("description") or ""
    return has_deprecated_start(schema) or ("Deprecated" in description and bool(_PARAGRAPH.search(description)))


def format_deprecation(schema: Schema) -> str:
    """Return the note of a deprecated field: the part of its description, or a sentence if there is none."""
    description: str = schema.get("description") or ""
    _, *notes = _PARAGRAPH.split(description, maxsplit=1)
    note = description if has_deprecated_start(schema) else "".join(notes)
    return "This field is deprecated." if note.strip() in ("", "Deprecated.") else note


def has_deprecated_start(schema: Schema) -> bool:
    """Report whether the description starts with "deprecated", ignoring markup and case."""
    description: str = schema.get("description") or ""
    start = description.lstrip("*_` $([").lower()
    return start.startswith("deprecated") and not start.startswith("deprecated values")
