"""CRDs that are imported and generated again: those of the test data, random ones, and those of other projects."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from protoc_gen_crd.crd.crd import Crd
from protoc_gen_crd.crd.crd_decoder import decode
from protoc_gen_crd.crd.crd_encoder import encode
from protoc_gen_crd.findings.finding import Problems
from protoc_gen_crd.importer.crd_import import import_crds
from protoc_gen_crd.schema.schema import Schema
from tests.conftest import ROOT
from tests.fuzz.random_crds import make_crd
from tests.support.imports import find_findings, read_crds

_GOLDENS = ROOT / "testdata" / "generate"
# Folders of CRDs, one for each project, separated like PATH.
_FOLDERS = os.environ.get("PROTOC_GEN_CRD_PROJECTS", "")
_RANDOM = 1000

# Goldens whose import differs, and the reason. They are CRDs of compat=istio that API servers reject.
_DIFFERENT = {
    "compat-differences": "a column without a type",
    "compat-old-version": "no storage version",
    "compat-tags": "no plural, group or storage version",
}


def _get_case(path: Path) -> str:
    return path.relative_to(_GOLDENS).parts[0]


def _import_separately(crds: list[tuple[Path, Crd]]) -> dict[Path, list[str]]:
    """Return the findings of each file; CRDs with the same name are not imported together."""
    findings: dict[Path, list[str]] = {}
    for path, crd in crds:
        findings.setdefault(path, []).extend(find_findings([crd]))
    return {path: lines for path, lines in findings.items() if lines}


def test_goldens_come_back() -> None:
    crds = [(path, crd) for path, crd in read_crds(_GOLDENS) if _get_case(path) not in _DIFFERENT]
    assert len(crds) > 100
    assert _import_separately(crds) == {}


def _make_random_crds(count: int) -> list[Crd]:
    crds = []
    for seed in range(count):
        plain = make_crd(Random(seed))  # noqa: S311 - not for cryptography
        plain["spec"]["group"] = f"g{seed}.example.com"
        plain["metadata"]["name"] = f"things.g{seed}.example.com"
        crd = decode(plain).crd
        assert crd is not None
        crds.append(crd)
    return crds


def test_random_crds_come_back() -> None:
    """Contradictions in random CRDs are errors of the generator, but the CRDs are equal."""
    lines = find_findings(_make_random_crds(_RANDOM))
    assert [line for line in lines if ": marker-contradiction: " not in line] == []


def test_random_crds_that_share_messages_come_back() -> None:
    """Pairs of CRDs of one group have the same schemas, and all of them are imported together."""
    crds = []
    for index, crd in enumerate(_make_random_crds(_RANDOM // 10)):
        for name in ("first", "second"):
            plain = encode(crd)
            plain["metadata"]["name"] = f"{name}{index}s.acme.example"
            plain["spec"]["group"] = "acme.example"
            plain["spec"]["names"] = {"kind": f"{name.title()}{index}", "plural": f"{name}{index}s"}
            copy = decode(plain).crd
            assert copy is not None
            crds.append(copy)
    problems = Problems()
    files = import_crds(crds, problems)
    assert [finding for finding in problems.findings if finding.rule != "marker-contradiction"] == []
    shared = [file for file in files if file.name.endswith("/shared_types.proto")]
    assert len(shared) > 1
    assert sum(file.text.count("\nmessage ") for file in shared) > 100


@pytest.mark.parametrize("folder", _FOLDERS.split(os.pathsep) if _FOLDERS else [""])
def test_crds_of_a_project_come_back(folder: str, record_property: Callable[[str, object], None]) -> None:
    """Patches of CRDs are incomplete."""
    if not folder:
        pytest.skip("PROTOC_GEN_CRD_PROJECTS is not set: see Optional corpora in CONTRIBUTING.md")
    crds = list(read_crds(Path(folder)))
    different = {
        path: unexpected
        for path, lines in _import_separately(crds).items()
        if (unexpected := [line for line in lines if ": import-incomplete: " not in line])
    }
    record_property("crds", len({json.dumps(encode(crd), sort_keys=True) for _, crd in crds}))
    assert crds
    assert different == {}


def test_a_crd_that_is_too_large_is_reported_once() -> None:
    crd = _make_random_crds(1)[0]
    field = Schema({"type": "string", "description": "x" * 1000})
    root = Schema({"type": "object", "properties": {f"f{index}": field for index in range(1600)}})
    lines = find_findings([crd.replace(versions=(crd.versions[0].replace(schema=root),))])
    assert len(lines) == 1
    assert "schema-size: schemas of the CRD are too large" in lines[0]


def test_a_difference_is_found() -> None:
    crd = _make_random_crds(1)[0]
    root = Schema({"type": "object", "properties": {"": Schema({"type": "string"})}})
    lines = find_findings([crd.replace(versions=(crd.versions[0].replace(schema=root),))])
    assert any("import-difference: " in line and "openAPIV3Schema.properties. is missing" in line for line in lines)


def test_a_conversion_webhook_is_reported_and_changes_no_file() -> None:
    crd = _make_random_crds(1)[0]
    webhook = {"strategy": "Webhook", "webhook": {"conversionReviewVersions": ["v1"]}}
    problems = Problems()
    files = import_crds([crd.replace(conversion=webhook)], problems)
    assert [finding.rule for finding in problems.findings] == ["import-conversion"]
    assert files == import_crds([crd], Problems())
