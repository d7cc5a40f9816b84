"""CRDs in which places were changed, put to a judge and to us: what differs is printed and may be kept as probes.

python -m tests.judges.crdfuzz JUDGE MINOR [--count N] [--seed N] [--keep PROBES.jsonl]
"""

from __future__ import annotations

import argparse
import json
import sys
import time
import traceback
from collections import Counter
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

from protoc_gen_crd.admission.switches import NEWEST
from tests.conformance import test_crd
from tests.conformance.crd_verdicts import normal, table
from tests.conformance.tables import Row
from tests.judges.asking import Judge
from tests.judges.crdfuzz.mutations import mutated
from tests.judges.finds import AGAIN, Finds
from tests.judges.objectfuzz.__main__ import probe as object_probe

BATCH = 200
LARGEST = 20_000  # characters of a recorded CRD that is changed


@cache
def _recorded() -> list[dict[str, Any]]:
    """The CRDs of the recorded probes that servers take."""
    rows = [row for row in table(NEWEST) if not row.answers[0].get("errors") and "decode" not in row.answers[0]]
    crds = [row.input["crd"] for row in rows if len(str(row.input.get("crd"))) < LARGEST]
    return [crd for crd in crds if crd and "namespace" not in crd["metadata"]]  # judges keep that of an old one


def probe(seed: int) -> dict[str, Any]:
    """One probe, the same for the same seed: a creation, or an update of what was not changed."""
    random = Random(seed)  # noqa: S311 - no secret
    crd = random.choice(_recorded()) if random.random() < 0.5 else object_probe(seed)["input"]["crd"]
    made: dict[str, Any] = {"crd": json.loads(json.dumps(mutated(crd, random), sort_keys=True))}  # as clients send it
    if random.random() < 0.6:
        return {"id": f"crd/fuzz/{seed}", "op": "crd", "input": made}
    made["old_crd"] = crd
    if random.random() < 0.2:
        made["established"] = False
    return {"id": f"crd-update/fuzz/{seed}", "op": "crd-update", "input": made}


def ours(each: dict[str, Any], minor: int) -> dict[str, Any]:
    """What we say, or how we failed."""
    try:
        (verdict,) = test_crd.judged(Row(each["id"], each["op"], each["input"], []), [minor])
        return test_crd.answer(verdict, minor)
    except Exception:  # noqa: BLE001 - whatever it is, it is a find
        return {"raised": traceback.format_exc(limit=-4)}


class Campaign:
    """Probes put to a judge, what came of them and what differs."""

    def __init__(self, judge: Judge, minor: int) -> None:
        self.judge, self.minor, self.seen, self.finds = judge, minor, Counter[str](), Finds()

    def run(self, probes: list[dict[str, Any]]) -> None:
        """One batch, ours answered while the judge is asked."""
        coming = self.judge.ask([{"op": each["op"], **each["input"]} for each in probes])
        mine = [ours(each, self.minor) for each in probes]
        for each, found, answer in zip(probes, mine, coming.result(), strict=True):
            if answer is None or "failed" in answer:
                self.seen["unanswered"] += 1
                continue
            theirs = normal(answer)
            self.seen["refused" if "errors" in theirs or "decode" in theirs else "taken"] += 1
            self.finds.compare(each, found, theirs, lambda each=each: self._again(each))  # type: ignore[misc]

    def _again(self, each: dict[str, Any]) -> list[dict[str, Any]]:
        answers = self.judge.answers([{"op": each["op"], **each["input"]}] * AGAIN)
        return [normal(answer) for answer in answers if answer is not None]


def main() -> int:
    """Run; 1 if anything differs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("judge")
    parser.add_argument("minor", type=int)
    parser.add_argument("--count", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--keep", type=Path)
    parser.add_argument("--show", type=int, default=2)
    given = parser.parse_args()
    judge = Judge(given.judge)
    campaign, started = Campaign(judge, given.minor), time.monotonic()
    for start in range(given.seed, given.seed + given.count, BATCH):
        campaign.run([probe(seed) for seed in range(start, min(start + BATCH, given.seed + given.count))])
    judge.close()
    campaign.finds.tell(given.show)
    wrong = len(campaign.finds.rows)
    sys.stdout.write(f"1.{given.minor}: {dict(campaign.seen)} in {time.monotonic() - started:.0f} s, {wrong} differ\n")
    if given.keep:
        campaign.finds.keep(given.keep)
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
