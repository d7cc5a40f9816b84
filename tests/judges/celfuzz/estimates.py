"""Puts random expressions on schemas with random bounds to a server and to ours, and tells where estimates differ."""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import sys
from collections import Counter
from typing import Any

from protoc_gen_crd.cel.check import Checked, compiled
from protoc_gen_crd.cel.cost.estimate import estimate
from tests.judges.celtypes.ours import Request, declared_in, surroundings

from .__main__ import BATCH, made_up

# A server runs what it estimates, and some of that makes lists as long as memory allows.
_LIMITED = ("sh", "-c", 'ulimit -v 4000000; exec "$0"')
_BOUNDS = (0, 1, 2, 3, 5, 10, 63, 100, 253, 1000, 100_000, 3_145_728)


def bound(schema: dict[str, Any], chance: random.Random) -> None:
    """Give half of all lists, maps and texts a bound."""
    for child in (*schema.get("properties", {}).values(), schema.get("items"), schema.get("additionalProperties")):
        if isinstance(child, dict):
            bound(child, chance)
    if chance.random() < 0.5:
        return
    bounds = {"string": "maxLength", "array": "maxItems"}
    keyword = bounds.get(schema.get("type", ""), "maxProperties" if "additionalProperties" in schema else "")
    if schema.get("x-kubernetes-int-or-string"):
        keyword = "maxLength"
    if keyword:
        schema[keyword] = chance.choice(_BOUNDS)


def asked(minor: int, seed: int, used: Counter[str]) -> Request:
    """A random request without values: only what is estimated beforehand counts."""
    request = made_up(minor, seed, used)
    bound(request["schema"], random.Random(seed))  # noqa: S311 - not for secrets
    return {key: value for key, value in request.items() if key not in ("self", "oldSelf")}


def ours(request: Request, minor: int) -> list[int] | None:
    """Our estimate, None for what does not compile."""
    within, variables = surroundings(request, minor)
    found = compiled(request["expr"], within, variables)
    return list(estimate(found, within, declared_in(request, minor))) if isinstance(found, Checked) else None


def main() -> None:
    """Runs it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("server", help="the oracle")
    parser.add_argument("minor", type=int)
    parser.add_argument("first", type=int)
    parser.add_argument("count", type=int)
    options = parser.parse_args()
    used, wrong, estimated = Counter[str](), 0, 0
    for first in range(options.first, options.first + options.count, BATCH):
        seeds = range(first, min(first + BATCH, options.first + options.count))
        requests = [asked(options.minor, seed, used) for seed in seeds]
        lines = "".join([json.dumps({"op": "cel", **request}) + "\n" for request in requests])
        command = [*_LIMITED, options.server]
        told = subprocess.run(command, input=lines, capture_output=True, text=True, check=False).stdout
        for request, line in zip(requests, told.splitlines(), strict=False):  # a server that ran out has ended
            theirs = json.loads(line).get("estimate")
            estimated += theirs is not None
            if theirs is not None and ours(request, options.minor) != theirs:
                wrong += 1
                row = {"request": request, "ours": ours(request, options.minor), "theirs": theirs}
                sys.stdout.write(json.dumps(row)[:3000] + "\n")
    sys.stdout.write(f"{estimated} expressions estimated, {wrong} differ, {len(used)} overloads used\n")


if __name__ == "__main__":
    main()
