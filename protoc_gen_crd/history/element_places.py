"""Places of API elements: in the sources of the current API, and in the file of the last release."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from functools import cached_property

from protoc_gen_crd.base.input_files import read_text
from protoc_gen_crd.crd.crd import Crd
from protoc_gen_crd.findings.finding import Location, Place
from protoc_gen_crd.schema.schema import Schema

_PARTS = r"\[\]|\{\}|[^.\[\]{}]+"  # of a path such as spec.ports[].name


class ElementPlaces:
    """Finds elements by kind, version and path, as `comparison.api_summary` names them."""

    def __init__(self, crds: Iterable[Crd], recorded_file: str) -> None:
        self._crds = {f"{crd.group}/{crd.names.kind}": crd for crd in crds}
        self._file = recorded_file

    def find(self, kind: str, version: str = "", path: str = "") -> Place:
        """Return the place of an element in its source, or of what is left around it; else the recorded place."""
        crd = self._crds.get(kind)
        crd_version = (
            next((candidate for candidate in crd.versions if candidate.name == version), None) if crd else None
        )
        place = crd.origin if crd else None
        if crd_version and crd_version.schema:
            place = _find_in_schema(crd_version.schema, path) or place
        return place or self.find_recorded(kind, version, path)

    def find_recorded(self, kind: str, version: str = "", path: str = "") -> Location:
        """Return the line of an element in the file of the last release; of what is around it if it is not there."""
        line = 0
        for indent, name in zip((2, 4, 6), (kind, version, path), strict=True):
            start = f"{' ' * indent}{json.dumps(name, ensure_ascii=False)}: "
            index = next((at for at in range(line, len(self._lines)) if self._lines[at].startswith(start)), None)
            if not name or index is None:
                break
            line = index + 1
        return Location(self._file, line)

    def describe_recorded(self, kind: str, version: str = "", path: str = "") -> str:
        """Return the recorded place as the end of a message; empty where it is the place of the finding."""
        recorded = self.find_recorded(kind, version, path)
        return "" if self.find(kind, version, path) == recorded else f" (recorded at {recorded})"

    @cached_property
    def _lines(self) -> list[str]:
        try:
            return read_text(self._file).splitlines()
        except OSError:
            return []


def _find_in_schema(schema: Schema, path: str) -> Place | None:
    """Return the place of the innermost node on the way to a path."""
    place, node = schema.origin, schema
    for part in re.findall(_PARTS, path):
        child = _get_child(node, part)
        if child is None:
            break
        node, place = child, child.origin or place
    return place


def _get_child(node: Schema, part: str) -> Schema | None:
    if part in ("[]", "{}"):
        child = node.items if part == "[]" else node.additional
        return child if isinstance(child, Schema) else None
    return node.properties.get(part)
