"""Every recorded CRD, created and updated on a running API server of the newest version, compared with our verdicts."""

from __future__ import annotations

from protoc_gen_crd.kubernetes.supported_versions import NEWEST
from tests.cluster.comparing import crds
from tests.cluster.server import Cluster
from tests.conformance.crd_verdicts import table

# Rows for which a running server answers differently from its admission of CRDs.
OTHERWISE = {
    "made/create/821": "before admission, the handler of requests drops an owner that is named twice, with a warning",
    "more/deleting": "controllers bring the deletion to its end",
    "wire/items-text": "what is stored is read again, which drops the null",
}


def test_crds(cluster: Cluster) -> None:
    rows = [row for row in table(NEWEST) if row.input.get("established", True) and "managedFields" not in str(row)]
    judged, wrong = crds(cluster, rows)
    result = "\n".join(f"{name}: {wrong[name]}" for name in wrong if name not in OTHERWISE)
    assert judged > len(rows) / 2
    assert wrong.keys() == OTHERWISE.keys(), f"{len(wrong)} of {judged} CRDs are answered differently, as\n{result}"
