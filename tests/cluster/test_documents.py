"""The CRDs and test documents of the repository, and upstream's, on a running API server compared with our verdicts."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from typing import Any

from protoc_gen_crd.admission.objects.crd_handler import find_version
from protoc_gen_crd.crd.crd_decoder import decode
from protoc_gen_crd.kubernetes.supported_versions import NEWEST
from protoc_gen_crd.yaml.reader import read
from tests.cluster.comparing import crds, objects
from tests.cluster.server import Cluster
from tests.conformance.tables import Row
from tests.conftest import ROOT, shared
from tests.support.documents import Judged, judged, judged_in
from tests.support.verdicts import documents, example_object, examples, source

ISTIO = ("corpora", "istio-networking")


def _crds() -> Iterator[Row]:
    """Return those of goldens and examples."""
    texts = documents() | {path.relative_to(ROOT).as_posix(): path.read_text() for path in _example_files()}
    for name, text in texts.items():
        for index, document in enumerate(read(text)):
            if document.value:
                yield Row(f"{name} {index}", "crd", {"crd": document.value}, [])


def _example_files() -> list[Any]:
    return sorted(path for path in ROOT.glob("examples/*/*/*.yaml") if path.parent.name in ("crds", "kubernetes"))


def _objects(found: Iterable[Judged]) -> Iterator[Row]:
    """Return documents with a served version, by their original kind and name; other ones have no URL."""
    for item in found:
        crd, expected = decode(item.crd).crd, item.case.expectation
        if crd is None or find_version(crd, item.case.object) is None or _is_another(item.case.object, expected.old):
            continue
        inputs = {"crd": item.crd, "obj": item.case.object}
        old = {} if expected.old is None else {"old": expected.old}
        status = {"subresource": "status"} if expected.status else {}
        yield Row(item.place, "update" if old else "create", inputs | old | status, [])


def _is_another(obj: Any, old: Any) -> bool:
    return old is not None and _named(obj) != _named(old)


def _named(obj: Any) -> tuple[Any, ...]:
    return obj["kind"], obj["apiVersion"].partition("/")[0], obj["metadata"].get("name")


def test_crds_of_goldens_and_examples(cluster: Cluster) -> None:
    rows = list(_crds())
    judged_, wrong = crds(cluster, rows)
    assert judged_ == len(rows) > 50
    assert not wrong, f"{len(wrong)} of {judged_} are answered differently, as\n{wrong}"


def test_documents(cluster: Cluster) -> None:
    rows = list(_objects(judged(NEWEST)))
    judged_, wrong = objects(cluster, rows)
    assert judged_ == len(rows) > 50
    assert not wrong, f"{len(wrong)} of {judged_} are answered differently, as\n{wrong}"


def test_objects_of_goldens(cluster: Cluster) -> None:
    inputs = [{"crd": source(example), "obj": example_object(example)} for example in examples()]
    rows = [Row(str(index), "create", item, []) for index, item in enumerate(inputs)]
    judged_, wrong = objects(cluster, rows)
    assert judged_ == len(rows) > 10
    assert not wrong, f"{len(wrong)} of {judged_} are answered differently, as\n{wrong}"


def test_documents_of_istio(cluster: Cluster) -> None:
    folder = os.path.relpath(shared(*ISTIO))
    paths = [f"{folder}/testdata", f"{folder}/expected.yaml"]
    rows = list(_objects(judged_in("istio", paths, NEWEST)))
    judged_, wrong = objects(cluster, rows)
    assert judged_ == len(rows) > 50
    assert not wrong, f"{len(wrong)} of {judged_} are answered differently, as\n{wrong}"
