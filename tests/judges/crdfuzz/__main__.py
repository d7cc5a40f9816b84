"""CRDs in which places were changed, put to a judge and to us: what differs is printed and may be kept as probes.

python -m tests.judges.crdfuzz JUDGE MINOR [--count N] [--seed N] [--keep PROBES.jsonl]
"""

from __future__ import annotations

import json
import sys
from functools import cache
from random import Random
from typing import Any

from protoc_gen_crd.kubernetes.supported_versions import NEWEST
from tests.conformance import test_crd
from tests.conformance.crd_verdicts import table
from tests.conformance.tables import Row
from tests.judges.crdfuzz.mutations import mutated
from tests.judges.finds import Answer, Probe, Subject, main
from tests.judges.objectfuzz.__main__ import probe as object_probe

LARGEST = 20_000  # characters of a recorded CRD that is changed
UNGATED = 29  # servers up to there take no CRD with optionalOldSelf, so that there is no old one


@cache
def _recorded() -> list[dict[str, Any]]:
    """Return the CRDs of the recorded probes that servers accept."""
    rows = [row for row in table(NEWEST) if not row.answers[0].get("errors") and "decode" not in row.answers[0]]
    crds = [row.input["crd"] for row in rows if len(str(row.input.get("crd"))) < LARGEST]
    return [crd for crd in crds if crd and "namespace" not in crd["metadata"]]  # judges keep that of an old one


class Crds(Subject):
    """Creations of CRDs, and updates of what was not changed."""

    def probe(self, seed: int) -> Probe:
        """Return the probe of a seed."""
        random = Random(seed)  # noqa: S311 - no secret
        crd = random.choice(_recorded()) if random.random() < 0.5 else object_probe(seed)["input"]["crd"]
        sent = json.dumps(mutated(crd, random), sort_keys=True)  # as clients send it
        row: dict[str, Any] = {"crd": json.loads(sent)}
        creation = random.random() < 0.6
        if creation or (self.minor <= UNGATED and "optionalOldSelf" in json.dumps(crd)):
            return {"id": f"crd/fuzz/{seed}", "op": "crd", "input": row}
        row["old_crd"] = crd
        if random.random() < 0.2:
            row["established"] = False
        return {"id": f"crd-update/fuzz/{seed}", "op": "crd-update", "input": row}

    def ours(self, probe: Probe) -> Answer:
        """Return our answer."""
        (verdict,) = test_crd.judged(Row(probe["id"], probe["op"], probe["input"], []), [self.minor])
        return test_crd.answer(verdict, self.minor)

    def fate(self, theirs: Answer) -> str:
        """Return whether the CRD was accepted or rejected."""
        return "rejected" if "errors" in theirs or "decode" in theirs else "accepted"


if __name__ == "__main__":
    sys.exit(main(Crds, __doc__))
