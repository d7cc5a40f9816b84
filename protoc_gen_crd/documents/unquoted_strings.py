"""Report strings without quotes in the schemas of a CRD, which YAML reads as booleans or numbers.

API servers accept them, since they do not compare an enum with the type, and since JSON has only strings as keys.
"""

from __future__ import annotations

from protoc_gen_crd.base.bounded_json import format_json
from protoc_gen_crd.crd.crd import Crd
from protoc_gen_crd.documents.document_files import is_stream, read_content
from protoc_gen_crd.documents.document_reader import DocumentCase
from protoc_gen_crd.findings.finding import Location, Problems
from protoc_gen_crd.schema.go_type_decoder import DocumentPlace, steps
from protoc_gen_crd.schema.schema import Schema, iterate_nodes

BOOLEAN_KEYS = "true", "false"  # in JSON
BOOLEAN_KEY_HINT = "quote the key: in YAML, y, yes, on, n, no, and off are booleans"


def report_unquoted_strings(crd: Crd, case: DocumentCase, problems: Problems) -> None:
    """Report enum values of strings that are not strings, and properties whose names are booleans in YAML."""
    for node in iterate_nodes(version.schema for version in crd.versions):
        if node.type == "string" and "enum" in node:
            _report_enum(node, crd.name, problems)
        for name in BOOLEAN_KEYS:
            child = node.properties.get(name)
            if child is not None and isinstance(child.origin, DocumentPlace):
                _report_property(name, case.get_place(steps(child.origin.path), key=True), crd.name, problems)


def _report_enum(node: Schema, crd_name: str, problems: Problems) -> None:
    place = node.get_place("enum")
    for index, value in enumerate(node.get("enum") or ()):
        if isinstance(value, bool | int | float):
            message = f"enum value {format_json(value)} in {crd_name} is not a string: no string matches it"
            at = place.append(index) if isinstance(place, DocumentPlace) else place
            problems.report("crd-unquoted", message, at, path=crd_name, hint="quote the value")


def _report_property(name: str, at: Location, crd_name: str, problems: Problems) -> None:
    if not is_stream(at.file) and _read_character(at) not in ('"', "'", ""):
        message = f'property in {crd_name} has the name "{name}": YAML reads its key as a boolean'
        problems.report("crd-unquoted", message, at, path=crd_name, hint=BOOLEAN_KEY_HINT)


def _read_character(at: Location) -> str:
    """Return the character at a location, empty if it cannot be read."""
    lines = read_content(at.file, Problems()).decode("utf-8", "replace").split("\n")
    return lines[at.line - 1][at.column - 1 : at.column] if at.line <= len(lines) else ""
