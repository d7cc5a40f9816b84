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
    question = {**_surrounding(seed // SHARING, min(deepest, 3))}
    if seed % 5 == 0:
        question["env"] = "new"
    maker = Steered(seed, *surroundings(question, minor), counts, faults=FAULTS[seed % len(FAULTS)])
    for depth in range(1 + seed % deepest, -1, -1):
        question["expr"] = maker.any(depth)
        if len(question["expr"]) < LONGEST:
            break
    if chance.random() < 0.1:
        question["expr"] = spelled_otherwise(question["expr"], chance)
    if chance.random() < 0.04:
        question["expr"] = damaged(question["expr"], chance)
    return question


@lru_cache(maxsize=1)
def _surrounding(seed: int, depth: int) -> Request:
    """The schema, values and flags."""
    schemas, chance = Schemas(seed), random.Random(~seed)  # noqa: S311 - not for secrets
    schema = schemas.object(depth)
    question: dict[str, Any] = {
        "expr": "",
        "schema": schema,
        "self": schemas.data(schema),
        "oldSelf": schemas.data(schema),
    }
    if chance.random() < 0.1:
        question["root"] = True
        for name in ("self", "oldSelf"):
            if isinstance(question[name], dict):
                question[name] |= schemas.head()
    if seed % 7 == 0:
        question["optionalOldSelf"] = True
        if seed % 14 == 0:
            del question["oldSelf"]
    if chance.random() < 0.7:
        bound(schema, chance)
    return question
