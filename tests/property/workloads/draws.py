"""Random CRDs and objects, and the outcomes of versions."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from typing import Any

from tests.judges.objectfuzz.__main__ import probe

Outcome = Any


Workload = Callable[[Iterable[int]], Iterator[Outcome]]


MINORS = (25, 28, 29, 30, 33, 35, 37)


def list_more(seeds: Iterable[int], times: int) -> Iterator[int]:
    """Return more seeds, for fast workloads."""
    return (times * seed + index for seed in seeds for index in range(times))


@cache
def draw_input(seed: int) -> dict[str, Any]:
    """A CRD and an object, optionally with the old object of an update."""
    result: dict[str, Any] = probe(seed)["input"]
    return result


def format_minors(verdicts: Iterable[Any], format_verdict: Callable[[Any, int], Outcome]) -> Outcome:
    by_name = {minor: format_verdict(verdict, minor) for verdict in verdicts for minor in verdict.minors}
    return [(minor, json.dumps(by_name[minor], sort_keys=True, default=repr)) for minor in sorted(by_name)]


def make_version(name: str, schema: dict[str, Any]) -> dict[str, Any]:
    root = {"type": "object", "properties": {"spec": schema}}
    return {"name": name, "served": True, "storage": False, "schema": {"openAPIV3Schema": root}}


def make_crd(*versions: dict[str, Any]) -> dict[str, Any]:
    names = {"kind": "Thing", "plural": "things"}
    spec = {"group": "example.com", "names": names, "scope": "Namespaced", "versions": list(versions)}
    head = {"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition"}
    return {**head, "metadata": {"name": "things.example.com"}, "spec": spec}
