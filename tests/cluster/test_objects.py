"""Every recorded object, created and updated on a running API server of the newest version, against our verdicts."""

from __future__ import annotations

from typing import Any

from protoc_gen_crd.admission.crd.compiling import Compiler
from protoc_gen_crd.admission.server import Server
from protoc_gen_crd.admission.switches import NEWEST
from protoc_gen_crd.crd.types import Crd
from tests.cluster.probes import bare, batches, in_own_groups, put_object, said
from tests.cluster.server import Cluster, Reply
from tests.conformance.crd_verdicts import differing, normal
from tests.conformance.object_verdicts import given, table
from tests.conformance.tables import Row

# Rows that a running server answers otherwise than its admission of objects does.
OTHERWISE = {
    "create/metadata/generate-name": "a server makes the end of a name by chance",
    "create/metadata/namespace": "the namespace of an object must be that of the request",
    "update/metadata/name-changed": "the handler of requests compares names with the URL first",
    "update/metadata/namespace-changed": "the handler of requests compares namespaces with the URL first",
    "update/metadata/resource-version": "a conflict is found in storage",
    "update/metadata/uid-changed": "a conflict is found in storage",
    "update/fuzz/10053": "an old object that is being deleted is one, which recorded answers do not know",
    "update/fuzz/10199": "the handler of requests compares namespaces with the URL first",
    "update/fuzz/10473": "an old object that is being deleted is one, which recorded answers do not know",
    "update/fuzz/40236": "the handler of requests compares namespaces with the URL first",
}


def ours(server: Server, crd: Crd, row: Row) -> dict[str, Any]:
    """Our verdict as far as a server tells it."""
    status = row.input.get("subresource") == "status"
    (verdict,) = server.validate(crd, given(row, "obj"), given(row, "old"), status=status)
    if verdict.decode or verdict.status:
        return {"refused": verdict.decode or verdict.status}
    errors = [verdict.text(error) for error in verdict.errors]
    told = {"errors": errors, "warnings": sorted(set(verdict.warnings))}
    return normal(told if errors else {**told, "object": bare(verdict.object)})


def difference(cluster: Cluster, row: Row, reply: Reply) -> dict[str, Any] | None:
    """What we say of a row otherwise than the server; None where both refuse its CRD or no server holds the old."""
    crd = given(row, "crd")
    server = Server([NEWEST], Compiler())
    (verdict,) = server.admit_data(crd)
    if verdict.refused or verdict.held is None or reply.errors:
        return None if verdict.refused and reply.errors else {"crd": (verdict.errors, reply.body.get("message"))}
    status = row.input.get("subresource") == "status"
    theirs = put_object(cluster, crd, given(row, "obj"), given(row, "old"), status=status)
    return differing(ours(server, verdict.held.crd, row), normal(said(theirs))) if theirs else None


def test_objects(cluster: Cluster) -> None:
    judged, wrong = 0, dict[str, Any]()
    for batch in batches(in_own_groups(table(NEWEST))):
        crds = [given(row, "crd") for row in batch]
        replies = cluster.serve(crds)
        for row, crd in zip(batch, crds, strict=True):
            differs = difference(cluster, row, replies[crd["metadata"]["name"]])
            judged += differs is not None
            if differs:
                wrong[row.id] = differs
        cluster.remove(crd["metadata"]["name"] for crd in crds)
    shown = "\n".join(f"{name}: {wrong[name]}" for name in wrong if name not in OTHERWISE)
    assert judged > len(table(NEWEST)) / 2
    assert wrong.keys() == OTHERWISE.keys(), f"{len(wrong)} of {judged} objects are answered differently, as\n{shown}"
