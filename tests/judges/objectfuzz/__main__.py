"""Random schemas and objects put to a judge and to us: what differs is printed and may be kept as probes.

python -m tests.judges.objectfuzz JUDGE MINOR [--count N] [--seed N] [--keep PROBES.jsonl]
"""

from __future__ import annotations

import argparse
import sys
import time
import traceback
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

from tests.conformance import test_objects
from tests.conformance.crd_verdicts import normal
from tests.conformance.tables import Row
from tests.judges.asking import Judge
from tests.judges.finds import AGAIN, Finds
from tests.judges.objectfuzz.schemas import Schemas

BATCH = 200


def probe(seed: int) -> dict[str, Any]:
    """One probe, the same for the same seed."""
    schemas = Schemas(Random(seed))  # noqa: S311 - no secret
    versions = [_version(schemas, "v1")]
    if schemas.chance(0.15):
        versions.append(_version(schemas, "v1beta1" if schemas.chance(0.5) else "v2"))
    schemas.random.choice(versions)["storage"] = True
    crd = {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": "things.example.com"},
        "spec": {
            "group": "example.com",
            "names": {"kind": "Thing", "plural": "things"},
            "scope": "Namespaced" if schemas.chance(0.8) else "Cluster",
            "versions": versions,
        },
    }
    properties = versions[0]["schema"]["openAPIV3Schema"]["properties"]
    obj = _object(schemas, properties)
    if schemas.chance(0.5):
        return {"id": f"create/fuzz/{seed}", "op": "create", "input": {"crd": crd, "obj": obj}}
    obj["metadata"].pop("deletionTimestamp", None)  # judges differ on old objects that no creation results in
    obj["metadata"]["name"] = "a"
    parts = {key: schemas.changed(node, obj[key]) for key, node in properties.items() if key in obj}
    new = obj | parts | ({"metadata": schemas.metadata()} if schemas.chance(0.2) else {})
    made: dict[str, Any] = {"crd": crd, "obj": new, "old": obj}
    if "subresources" in versions[0] and schemas.chance(0.5):
        made["subresource"] = "status"
    return {"id": f"update/fuzz/{seed}", "op": "update", "input": made}


def _version(schemas: Schemas, name: str) -> dict[str, Any]:
    root: dict[str, Any] = {"type": "object", "properties": {"spec": schemas.node(3, "object")}}
    made = {"name": name, "served": True, "storage": False, "schema": {"openAPIV3Schema": root}}
    if schemas.chance(0.2):
        root["properties"]["status"] = schemas.node(2, "object")
        made["subresources"] = {"status": {}}
    if schemas.chance(0.1):
        root["x-kubernetes-preserve-unknown-fields"] = True
    if schemas.chance(0.1):
        made["deprecated"] = True
    return made


def _object(schemas: Schemas, properties: dict[str, Any]) -> dict[str, Any]:
    made = {"apiVersion": "example.com/v1", "kind": "Thing", "metadata": schemas.metadata()}
    return made | {key: schemas.value(node) for key, node in properties.items() if schemas.chance(0.95)}


def ours(each: dict[str, Any], answer: dict[str, Any], minor: int) -> dict[str, Any]:
    """What we say, or how we failed."""
    try:
        return test_objects.answer(Row(each["id"], each["op"], each["input"], [answer]), minor)
    except Exception:  # noqa: BLE001 - whatever it is, it is a find
        return {"raised": traceback.format_exc(limit=-4)}


def told(answer: dict[str, Any] | None) -> dict[str, Any]:
    """A judge's answer in our form."""
    return test_objects.REFUSED if answer is None or "failed" in answer else normal(answer)


class Campaign:
    """Probes put to a judge, what came of them and what differs."""

    def __init__(self, judge: Judge, minor: int) -> None:
        self.judge, self.minor, self.seen, self.finds = judge, minor, Counter[str](), Finds()

    def run(self, probes: list[dict[str, Any]]) -> None:
        """One batch, ours answered while the judge is asked."""
        coming = self.judge.ask([{"op": each["op"], **each["input"]} for each in probes])
        mine = [ours(each, {}, self.minor) for each in probes]
        for each, found, answer in zip(probes, mine, coming.result(), strict=True):
            theirs = told(answer)
            fate = "refused CRDs" if theirs == test_objects.REFUSED else "refused" if "errors" in theirs else "taken"
            self.seen[fate] += 1
            self.finds.compare(each, found, theirs, lambda each=each: self._again(each))  # type: ignore[misc]
        test_objects.served.cache_clear()

    def _again(self, each: dict[str, Any]) -> list[dict[str, Any]]:
        return [told(answer) for answer in self.judge.answers([{"op": each["op"], **each["input"]}] * AGAIN)]


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
