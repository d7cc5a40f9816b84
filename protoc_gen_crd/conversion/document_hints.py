"""Places in YAML and JSON documents, where hints use YAML instead of markers and conversion options."""

from __future__ import annotations

from protoc_gen_crd.findings.finding import Place


def is_document_place(at: Place | None) -> bool:
    """Return true for a location in a CRD or rule file, which has no markers and no conversion options."""
    return at is not None and at.resolve().file.endswith((".yaml", ".yml", ".json"))


def choose_hint(at: Place | None, options: str, rules: str) -> str:
    """Return the hint with conversion options, or the one with rules for a location in a CRD or rule file."""
    return rules if is_document_place(at) else options
