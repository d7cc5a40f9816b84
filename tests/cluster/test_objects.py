"""Every recorded object, created and updated on a running API server of the newest version, against our verdicts."""

from __future__ import annotations

from protoc_gen_crd.admission.switches import NEWEST
from tests.cluster.comparing import objects
from tests.cluster.server import Cluster
from tests.conformance.object_verdicts import table

# Rows that a running server answers otherwise than its admission of objects does.
OTHERWISE = {
    "create/metadata/generate-name": "a server makes the end of a name by chance",
    "update/metadata/name-changed": "the handler of requests compares names with the URL first",
    "update/metadata/namespace-changed": "the handler of requests compares namespaces with the URL first",
    "update/metadata/resource-version": "a conflict is found in storage",
    "update/metadata/uid-changed": "a conflict is found in storage",
}


def test_objects(cluster: Cluster) -> None:
    rows = table(NEWEST)
    judged, wrong = objects(cluster, rows)
    shown = "\n".join(f"{name}: {wrong[name]}" for name in wrong if name not in OTHERWISE)
    assert judged > len(rows) / 2
    assert wrong.keys() == OTHERWISE.keys(), f"{len(wrong)} of {judged} objects are answered differently, as\n{shown}"
