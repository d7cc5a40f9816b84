"""Every recorded CRD, created and updated on a running API server of the newest version, against our verdicts."""

from __future__ import annotations

from typing import Any

from protoc_gen_crd.admission.crd.compiling import Compiler
from protoc_gen_crd.admission.server import Server
from protoc_gen_crd.admission.switches import NEWEST
from tests.cluster.probes import bare, put_crd, said
from tests.cluster.server import Cluster
from tests.conformance.crd_verdicts import differing, normal, table
from tests.conformance.tables import Row

# Rows that a running server answers otherwise than its admission of CRDs does.
OTHERWISE = {
    "made/create/821": "before admission, the handler of requests drops an owner that is named twice, with a warning",
    "more/deleting": "controllers bring the deletion to its end",
    "wire/items-text": "what is stored is read again, which drops the null",
}


def ours(row: Row) -> dict[str, Any]:
    """Our verdict as far as a server tells it."""
    (verdict,) = Server([NEWEST], Compiler()).admit_data(row.input["crd"], row.input.get("old_crd"))
    if verdict.decode:
        return {"refused": verdict.decode}
    made = {
        "errors": [verdict.text(error) for error in verdict.errors],
        "warnings": sorted({notice.text for notice in verdict.warnings}),
        "object": None if verdict.errors else verdict.stored(NEWEST),
    }
    return normal(made)


def compared(told: dict[str, Any], row: Row) -> dict[str, Any]:
    """An answer without what controllers do to an old CRD meanwhile."""
    if "old_crd" in row.input and "object" in told:
        told = {**told, "object": {key: value for key, value in bare(told["object"]).items() if key != "status"}}
    return normal(told)


def test_crds(cluster: Cluster) -> None:
    rows = [row for row in table(NEWEST) if row.input.get("established", True) and "managedFields" not in str(row)]
    judged, wrong = 0, dict[str, Any]()
    for row in rows:
        reply = put_crd(cluster, row.input)
        if reply is None:
            continue
        judged += 1
        theirs, mine = compared(said(reply), row), compared(ours(row), row)
        if theirs != mine:
            wrong[row.id] = differing(mine, theirs)
    assert judged > len(rows) / 2
    shown = "\n".join(f"{name}: {wrong[name]}" for name in wrong if name not in OTHERWISE)
    assert wrong.keys() == OTHERWISE.keys(), f"{len(wrong)} of {judged} CRDs are answered differently, as\n{shown}"
