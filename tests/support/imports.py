"""CRDs from files or parts, and their import."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from protoc_gen_crd.crd.crd import Crd
from protoc_gen_crd.crd.crd_decoder import decode
from protoc_gen_crd.findings.finding import Problems
from protoc_gen_crd.importer.crd_import import import_crds
from protoc_gen_crd.importer.crd_selection import select_crds
from protoc_gen_crd.yaml.reader import read

Json = dict[str, Any]
_MARK = "CustomResourceDefinition"


def read_crds(folder: Path) -> Iterator[tuple[Path, Crd]]:
    """Yield the CRDs in YAML and JSON files below a folder; files that are templates are skipped."""
    for path in sorted(folder.rglob("*")):
        if path.suffix not in (".yaml", ".yml", ".json") or not path.is_file():
            continue
        text = path.read_text("utf-8", "replace")
        if _MARK in text:
            yield from ((path, crd) for crd in _decode_all(text))


def _decode_all(text: str) -> Iterator[Crd]:
    for document in read(text, past_errors=True):
        plain = document.value
        if isinstance(plain, dict) and plain.get("kind") == _MARK and (crd := decode(plain).crd) is not None:
            yield crd


def find_findings(crds: Sequence[Crd]) -> list[str]:
    """Import CRDs and return the findings: path, rule and message.

    Conversion webhooks belong to the settings, and CRDs that API servers reject can be imported if the settings accept
    that.
    """
    problems = Problems()
    import_crds(select_crds(crds, "", problems), problems)
    findings = [finding for finding in problems.findings if finding.rule not in ("import-conversion", "crd-rejected")]
    return [f"{finding.path}: {finding.rule}: {finding.message}" for finding in findings]


def make_crd(kind: str, spec: Json, version: str = "v1") -> Crd:
    """Return a CRD of acme.example whose spec has these properties."""
    root = {"type": "object", "properties": {"spec": {"type": "object", "properties": spec}}}
    entry = {"name": version, "served": True, "storage": True, "schema": {"openAPIV3Schema": root}}
    names = {"kind": kind, "plural": f"{kind.lower()}s"}
    manifest = {"group": "acme.example", "names": names, "scope": "Namespaced", "versions": [entry]}
    crd = decode({"metadata": {"name": f"{kind.lower()}s.acme.example"}, "spec": manifest}).crd
    assert crd is not None
    return crd


def import_equal(*crds: Crd) -> dict[str, str]:
    """Return the files of CRDs that come back equal, by name."""
    problems = Problems()
    files = import_crds(crds, problems)
    assert problems.findings == []
    return {file.name: file.text for file in files}
