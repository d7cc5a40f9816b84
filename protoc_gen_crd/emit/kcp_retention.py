"""A check that an output folder keeps the last APIConversion that converts a version.

kcp converts stored objects by the APIConversion of their APIResourceSchema. If a new schema no longer has a version,
the older schema and its APIConversion are the last ones that convert objects of that version.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from protoc_gen_crd.base.input_files import read_text
from protoc_gen_crd.conversion.rule_files.api_conversion import KIND
from protoc_gen_crd.crd.crd import Crd
from protoc_gen_crd.findings.finding import Location, Problems
from protoc_gen_crd.kubernetes.api_version_order import get_priority_key
from protoc_gen_crd.yaml.reader import read

_PREFIX = "apiconversion-"


def check_retained_conversions(folder: Path, crds: Sequence[Crd], problems: Problems) -> None:
    """Report the APIConversions in a folder that convert a version that its CRD no longer has."""
    versions = {crd.name: {version.name for version in crd.versions} for crd in crds}
    for path in sorted(folder.glob(f"{_PREFIX}*")) if folder.is_dir() else ():
        name = path.stem.removeprefix(_PREFIX)
        for schema, converted in _read_conversions(path):
            if lost := converted - versions.get(name, set()):
                listed = " and ".join(sorted(lost, key=get_priority_key))
                message = f"{KIND} {schema} is the last one that converts {listed} of {name}, and would be removed"
                hint = f"migrate the stored objects, or move it and the APIResourceSchema {schema} out of this folder, "
                problems.report(
                    "kcp-retention", message, Location(str(path)), path=name, hint=f"{hint}and keep them applied"
                )


def _read_conversions(path: Path) -> Iterator[tuple[str, set[str]]]:
    """Yield the name and the versions of each APIConversion of a file; a file that is none has none."""
    try:
        documents = list(read(read_text(path), str(path)))
    except (OSError, ValueError):
        return
    for document in documents:
        value: Any = document.value
        if isinstance(value, dict) and value.get("kind") == KIND:
            try:
                versions = {entry[end] for entry in value["spec"]["conversions"] for end in ("from", "to")}
                yield str(value["metadata"]["name"]), versions
            except (KeyError, TypeError):
                continue
