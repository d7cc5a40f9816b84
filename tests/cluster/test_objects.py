"""Every recorded object, and some for request handlers, on a running API server compared with our verdicts."""

from __future__ import annotations

from typing import Any

from protoc_gen_crd.kubernetes.supported_versions import NEWEST
from tests.cluster.comparing import objects
from tests.cluster.server import Cluster
from tests.conformance.object_verdicts import table
from tests.conformance.tables import Row

# Rows for which a running server answers differently from its admission of objects.
OTHERWISE = {
    "create/metadata/generate-name": "a server generates the end of a name",
    "update/metadata/name-changed": "the handler of requests compares names with the URL first",
    "update/metadata/namespace-changed": "the handler of requests compares namespaces with the URL first",
    "update/metadata/resource-version": "a conflict is found in storage",
    "update/metadata/uid-changed": "a conflict is found in storage",
    "uid-changed-odd": "a conflict is found in storage",
}


def test_objects(cluster: Cluster) -> None:
    rows = table(NEWEST)
    judged, wrong = objects(cluster, rows)
    result = "\n".join(f"{name}: {wrong[name]}" for name in wrong if name not in OTHERWISE)
    assert judged > len(rows) / 2
    assert wrong.keys() == OTHERWISE.keys(), f"{len(wrong)} of {judged} objects are answered differently, as\n{result}"


def test_owners_named_twice_and_objects_being_deleted(cluster: Cluster) -> None:
    crd = next(row.input["crd"] for row in table(NEWEST) if row.id == "create/metadata/namespace")
    owner = {"apiVersion": "v1", "kind": "A", "name": "b", "uid": "c"}
    twice = _of(crd, ownerReferences=[owner, owner, {**owner, "controller": True}])
    deleted = _of(crd, deletionTimestamp="2020-01-01T00:00:00Z", deletionGracePeriodSeconds=0, finalizers=["a.b/c"])
    inputs = (
        (twice, None), (twice, _of(crd)), (_of(crd, finalizers=["a.b/c"]), deleted),
        (_of(crd, finalizers=["a.b/d"]), deleted), (_of(crd, deletionTimestamp="2021-01-01T00:00:00Z"), deleted),
    )  # fmt: skip
    rows = [
        Row(str(at), "update" if old else "create", {"crd": crd, "obj": obj} | ({"old": old} if old else {}), [])
        for at, (obj, old) in enumerate(inputs)
    ]
    judged, wrong = objects(cluster, rows)
    assert judged == len(inputs)
    assert not wrong


def _of(crd: dict[str, Any], **metadata: Any) -> dict[str, Any]:
    spec = crd["spec"]
    version = f"{spec['group']}/{spec['versions'][0]['name']}"
    return {"apiVersion": version, "kind": spec["names"]["kind"], "metadata": {"name": "a", **metadata}}
