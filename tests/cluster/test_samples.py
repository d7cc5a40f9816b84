"""Samples on a running API server: it accepts each like a request of kubectl, without unknown fields."""

from __future__ import annotations

from http import HTTPStatus
from pathlib import Path

from protoc_gen_crd.crd.crd_decoder import decode
from protoc_gen_crd.findings.finding import Problems
from protoc_gen_crd.kubernetes.supported_versions import NEWEST, OLDEST
from protoc_gen_crd.settings.settings import Settings
from protoc_gen_crd.testing.kind_samples import make_samples
from protoc_gen_crd.yaml.reader import read
from tests.cluster.server import Cluster
from tests.conftest import ROOT, shared


def test_samples_of_the_corpus(cluster: Cluster, tmp_path: Path) -> None:
    assert list_rejected(cluster, shared("corpora", "istio-networking", "expected.yaml"), tmp_path) == (46, {})


def test_samples_of_the_examples(cluster: Cluster, tmp_path: Path) -> None:
    path = ROOT / "examples" / "widget" / "crds" / "acme.example_widgets.yaml"
    assert list_rejected(cluster, path, tmp_path) == (4, {})


def list_rejected(cluster: Cluster, path: Path, folder: Path) -> tuple[int, dict[str, str]]:
    """Return the number of samples of the CRDs of a file, and the errors of those that the server rejects."""
    manifests = [item.value for item in read(path.read_bytes(), str(path)) if isinstance(item.value, dict)]
    matching = [crd for manifest in manifests if (crd := decode(manifest).crd) is not None]
    plurals = {crd.names.kind: crd.names.plural for crd in matching}
    settings = Settings(kubernetes=f"1.{OLDEST}..1.{NEWEST}", samples=str(folder))
    cluster.serve(manifests)
    wrong = {}
    samples = make_samples(matching, settings, Problems())
    for sample in samples:
        (document,) = read(sample.text.encode(), sample.file)
        collection = f"/apis/{sample.group}/{sample.version}/namespaces/default/{plurals[sample.kind]}"
        reply = cluster.call("POST", f"{collection}?dryRun=All&fieldValidation=Strict", document.value)
        if reply.code != HTTPStatus.CREATED:
            wrong[sample.file] = str(reply.body)
    cluster.remove([manifest["metadata"]["name"] for manifest in manifests])
    return len(samples), wrong
