"""Comparison of our verdicts with those of a running API server."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from protoc_gen_crd.admission.crd.rules.rule_compiler import RuleCompiler
from protoc_gen_crd.admission.server import AdmissionServer
from protoc_gen_crd.crd.crd import Crd
from protoc_gen_crd.kubernetes.supported_versions import NEWEST
from tests.cluster.probes import bare, batches, in_own_groups, put_crd, put_object, read_verdict
from tests.cluster.server import Cluster, Reply
from tests.conformance.crd_verdicts import differing, normal
from tests.conformance.object_verdicts import given
from tests.conformance.tables import Row

Differences = dict[str, Any]  # by the ids of rows


def crds(cluster: Cluster, rows: Iterable[Row]) -> tuple[int, Differences]:
    """Counts of CRDs that were created or updated, and of those with different verdicts."""
    judged, wrong = 0, Differences()
    for row in rows:
        reply = put_crd(cluster, row.input)
        if reply is None:
            continue
        judged += 1
        theirs, mine = _settled(read_verdict(reply), row), _settled(_of_crd(row), row)
        if theirs != mine:
            wrong[row.id] = differing(mine, theirs)
    return judged, wrong


def objects(cluster: Cluster, rows: Iterable[Row]) -> tuple[int, Differences]:
    """Counts of objects that were created or updated, and of those with different verdicts."""
    judged, wrong = 0, Differences()
    for batch in batches(in_own_groups(rows)):
        served = {crd["metadata"]["name"]: crd for crd in [given(row, "crd") for row in batch]}
        replies = cluster.serve(served.values())
        for row in batch:
            differs = _difference(cluster, row, replies[given(row, "crd")["metadata"]["name"]])
            judged += differs is not None
            if differs:
                wrong[row.id] = differs
        cluster.remove(served)
    return judged, wrong


def _of_crd(row: Row) -> dict[str, Any]:
    """Our verdict on a CRD as far as a server reports it."""
    (verdict,) = AdmissionServer([NEWEST], RuleCompiler()).admit_data(row.input["crd"], row.input.get("old_crd"))
    if verdict.object is None:
        return {"rejection": verdict.message}
    reply = {
        "errors": [cause.message for cause in verdict.causes],
        "warnings": sorted({notice.message for notice in verdict.warnings}),
        "object": verdict.stored,
    }
    return normal(reply)


def _settled(verdict: dict[str, Any], row: Row) -> dict[str, Any]:
    """Return an answer without the changes that controllers make to an old CRD meanwhile."""
    if "old_crd" in row.input and "object" in verdict:
        verdict = {
            **verdict,
            "object": {key: value for key, value in bare(verdict["object"]).items() if key != "status"},
        }
    return normal(verdict)


def _of_object(server: AdmissionServer, crd: Crd, row: Row) -> dict[str, Any]:
    """Our verdict on an object as far as a server reports it."""
    status = row.input.get("subresource") == "status"
    (verdict,) = server.validate(crd, given(row, "obj"), given(row, "old"), status=status)
    if any(not cause.path for cause in verdict.causes):
        return {"rejection": verdict.message}
    errors = [cause.message for cause in verdict.causes]
    answer = {"errors": errors, "warnings": sorted({notice.message for notice in verdict.warnings})}
    return normal(answer if errors else {**answer, "object": bare(verdict.object)})


def _difference(cluster: Cluster, row: Row, reply: Reply) -> dict[str, Any] | None:
    """Return the difference between our verdict and the server's; None if it has none or they are not comparable."""
    crd = given(row, "crd")
    server = AdmissionServer([NEWEST], RuleCompiler())
    (verdict,) = server.admit_data(crd)
    if verdict.causes or reply.errors:
        return None if verdict.causes and reply.errors else {"crd": (verdict.causes, reply.body.get("message"))}
    status = row.input.get("subresource") == "status"
    theirs = put_object(cluster, crd, given(row, "obj"), given(row, "old"), status=status)
    return differing(_of_object(server, verdict.object, row), normal(read_verdict(theirs))) if theirs else None
