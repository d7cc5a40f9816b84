"""Requests to a judge from seeds: a schema, values of it, an expression over them."""

from __future__ import annotations

import random
from collections import Counter
from functools import lru_cache
from typing import Any

from tests.judges.celtypes.ours import Request, surroundings

from .forms import damaged, spelled_otherwise
from .schemas import Schemas, bound
from .steered import Steered

FAULTS = (0, 0, 0, 0.01, 0.05, 0.2)
LONGEST = 4000
SHARING = 4  # seeds that share a schema and values


def request(minor: int, seed: int, counts: Counter[str], deepest: int = 5) -> Request:
    """What a seed asks, given how often each overload was compiled so far."""
    chance = random.Random(seed)  # noqa: S311 - not for secrets
    made = {**_surrounding(seed // SHARING, min(deepest, 3))}
    if seed % 5 == 0:
        made["env"] = "new"
    maker = Steered(seed, *surroundings(made, minor), counts, faults=FAULTS[seed % len(FAULTS)])
    for depth in range(1 + seed % deepest, -1, -1):
        made["expr"] = maker.any(depth)
        if len(made["expr"]) < LONGEST:
            break
    if chance.random() < 0.1:
        made["expr"] = spelled_otherwise(made["expr"], chance)
    if chance.random() < 0.04:
        made["expr"] = damaged(made["expr"], chance)
    return made


@lru_cache(maxsize=1)
def _surrounding(seed: int, depth: int) -> Request:
    """The schema, values and flags."""
    schemas, chance = Schemas(seed), random.Random(~seed)  # noqa: S311 - not for secrets
    schema = schemas.object(depth)
    made: dict[str, Any] = {"expr": "", "schema": schema, "self": schemas.data(schema), "oldSelf": schemas.data(schema)}
    if chance.random() < 0.1:
        made["root"] = True
        for name in ("self", "oldSelf"):
            if isinstance(made[name], dict):
                made[name] |= schemas.head()
    if seed % 7 == 0:
        made["optionalOldSelf"] = True
        if seed % 14 == 0:
            del made["oldSelf"]
    if chance.random() < 0.7:
        bound(schema, chance)
    return made
