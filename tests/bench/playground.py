"""The time of verdicts of `explore`: a manifest of 13 fields for all Kubernetes versions, on a running server."""

from __future__ import annotations

import http.client
import json
import re
import statistics
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

_FIELDS = 12
_ROUNDS = 60
MOST, GOAL = 100, 30  # milliseconds


def playground(plugin: str, work: Path) -> Iterator[str]:
    """Yield a line for an accepted and for a rejected manifest, with the median time."""
    (work / "crd.json").write_text(json.dumps(_make_crd()))
    command = [plugin, "explore", "crd.json", "--port", "0"]
    with subprocess.Popen(command, cwd=work, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        match = re.search(r"http://([^/]+)/([^/]+)/", process.stdout.readline())
        assert match
        for what, value in (("accepted", 7), ("rejected", 700)):
            times = [_ask(match[1], match[2], f"w{number}", value) for number in range(_ROUNDS)]
            found = statistics.median(times)
            yield f"{f'playground, {what} manifest':34}{found:9.4g} ms   at most {MOST}, goal {GOAL}"
        process.kill()


def _make_crd() -> dict[str, Any]:
    numbers = {f"f{number}": {"type": "integer", "maximum": 100} for number in range(_FIELDS)}
    hosts = {"type": "array", "maxItems": 9, "items": {"type": "string", "maxLength": 63}}
    rules = [{"rule": "self.f1 <= self.f2"}, {"rule": "self.hosts.all(h, h.startsWith('a'))"}]
    spec = {"type": "object", "properties": {**numbers, "hosts": hosts}, "x-kubernetes-validations": rules}
    schema = {"openAPIV3Schema": {"type": "object", "properties": {"spec": spec}}}
    names = {"kind": "Widget", "plural": "widgets", "singular": "widget", "listKind": "WidgetList"}
    version = {"name": "v1", "served": True, "storage": True, "schema": schema}
    return {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": "widgets.acme.example"},
        "spec": {"group": "acme.example", "scope": "Cluster", "names": names, "versions": [version]},
    }


def _ask(host: str, token: str, name: str, value: int) -> float:
    """Return the milliseconds of a verdict."""
    spec = {**{f"f{number}": value for number in range(_FIELDS)}, "hosts": ["a.example", "ab.example"]}
    manifest = {"apiVersion": "acme.example/v1", "kind": "Widget", "metadata": {"name": name}, "spec": spec}
    headers = {"Origin": f"http://{host}", "Content-Type": "application/json"}
    started = time.perf_counter()
    connection = http.client.HTTPConnection(host)
    connection.request(
        "POST", f"/{token}/api/manifest", json.dumps({"manifest": json.dumps(manifest, indent=1)}), headers
    )
    answer = json.loads(connection.getresponse().read())
    connection.close()
    assert bool(answer["findings"]) == (value > 100)
    return (time.perf_counter() - started) * 1000
