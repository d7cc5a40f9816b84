"""Samples of the schemas in testdata/samples and of every CRD of testdata/generate: servers accept them.

`expected.yaml` shows the former for review.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import pytest

from protoc_gen_crd.admission.crd.rules.rule_compiler import RuleCompiler
from protoc_gen_crd.admission.server import AdmissionServer
from protoc_gen_crd.crd.crd import Crd
from protoc_gen_crd.crd.crd_decoder import decode
from protoc_gen_crd.findings.finding import Problems
from protoc_gen_crd.kubernetes.supported_versions import NEWEST, OLDEST
from protoc_gen_crd.samples.sampler import Sample, Sampler
from protoc_gen_crd.settings.settings import Settings
from protoc_gen_crd.testing.kind_samples import make_samples
from protoc_gen_crd.yaml.reader import read
from protoc_gen_crd.yaml.writer import dump
from tests.conftest import ROOT, shared

FOLDER = ROOT / "testdata" / "samples"
CASES: dict[str, Any] = {
    document.value["name"]: document.value
    for document in read((FOLDER / "schemas.yaml").read_bytes(), "")
    if document.value
}
GENERATED = sorted((ROOT / "testdata" / "generate").glob("*/expected/*.yaml"))
MINORS = (31, NEWEST)  # versions with all functions that the schemas use


@cache
def sampler(minors: tuple[int, ...] = MINORS) -> Sampler:
    return Sampler(AdmissionServer(minors))


def of_spec(schema: dict[str, Any]) -> Crd:
    """Return the CRD of a kind with this spec, which a server accepts."""
    root = {"type": "object", "properties": {"spec": schema}, "required": ["spec"]}
    version = {"name": "v1", "served": True, "storage": True, "schema": {"openAPIV3Schema": root}}
    names = {"kind": "Thing", "plural": "things"}
    crd = decode(
        {
            "apiVersion": "apiextensions.k8s.io/v1",
            "kind": "CustomResourceDefinition",
            "metadata": {"name": "things.example.com"},
            "spec": {"group": "example.com", "scope": "Namespaced", "names": names, "versions": [version]},
        }
    ).crd
    assert crd is not None
    (verdict,) = AdmissionServer((NEWEST,), RuleCompiler()).admit(crd)
    assert [error.message for error in verdict.causes if "estimated rule cost" not in error.detail] == []
    return crd


@cache
def both_of(name: str) -> tuple[Sample, Sample]:
    crd = of_spec(CASES[name]["schema"])
    known = sampler((NEWEST,) if CASES[name].get("newest") else MINORS)
    minimal, full = (known.make_sample(crd, crd.versions[0], full=full) for full in (False, True))
    return minimal, full


@pytest.mark.parametrize("name", CASES)
def test_samples_are_accepted(name: str) -> None:
    for sample in both_of(name):
        assert bool(sample.errors) == CASES[name].get("unsolved", False), sample


def test_samples_are_as_expected(update: bool) -> None:
    texts = []
    for name in CASES:
        minimal, full = both_of(name)
        results = {"name": name, "minimal": minimal.object.get("spec"), "full": full.object.get("spec")}
        texts.append(dump(results | ({"errors": list(minimal.errors)} if minimal.errors else {})))
    expected = FOLDER / "expected.yaml"
    if update:
        expected.write_text("---\n".join(texts), "utf-8")
    assert expected.read_text("utf-8") == "---\n".join(texts)


def crds(path: Path) -> list[Crd]:
    """Return the CRDs of a file that a server accepts."""
    result = [decode(item.value).crd for item in read(path.read_bytes(), str(path)) if isinstance(item.value, dict)]
    server = AdmissionServer((NEWEST,), RuleCompiler())
    return [crd for crd in result if crd is not None and server.admit(crd)[0].accepted]


def rejected_samples(path: Path, sampler: Sampler) -> list[Sample]:
    """Return the samples of the kinds and versions of a file that a server rejects."""
    documents = (
        sampler.make_sample(crd, version, full=full)
        for crd in crds(path)
        for version in crd.versions
        for full in (False, True)
    )
    return [sample for sample in documents if sample.errors]


@pytest.mark.parametrize("path", GENERATED, ids=lambda path: f"{path.parent.parent.name}/{path.name}")
def test_samples_of_generated_kinds_are_accepted(path: Path) -> None:
    assert rejected_samples(path, sampler()) == []


def test_samples_of_the_corpus_are_accepted(tmp_path: Path) -> None:
    path = shared("corpora", "istio-networking", "expected.yaml")
    result = crds(path)
    problems = Problems()
    settings = Settings(kubernetes=f"1.{OLDEST}..1.{NEWEST}", samples=str(tmp_path))
    samples = make_samples(result, settings, problems)
    assert problems.findings == []
    assert len(samples) == 2 * sum(len(crd.versions) for crd in result) == 2 * 23
