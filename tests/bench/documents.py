"""Documents to judge: Istio's own where they are at hand, and as many as wanted of one kind in a folder."""

from __future__ import annotations

import json
import time
from pathlib import Path
from statistics import median

from protoc_gen_crd.library import Validator
from protoc_gen_crd.yaml import reader
from tests.conftest import ROOT

MANY = ROOT / ".bench" / "documents"
NESTED = ROOT / ".bench" / "nested.json"
CRD = ROOT / "testdata" / "validate" / "accepted" / "widgets.crd.yaml"
_PER_FILE = 50
_ROUNDS = 5
_REPETITIONS = 20
_DOCUMENT = """---
apiVersion: acme.example/v1
kind: Widget
metadata:
  name: widget-{0}
spec:
  size: S
  ports:
  - name: http
    number: 80
  labels:
    number: "{0}"
"""


def istio(shared: Path) -> bytes | None:
    """Nothing, where Istio's documents are there: they are read from their folder."""
    return b"" if (shared / "corpora" / "istio-networking" / "testdata").is_dir() else None


def many(count: int, shared: Path) -> bytes | None:
    """Nothing, once a folder holds so many documents, fifty to a file."""
    MANY.mkdir(parents=True, exist_ok=True)
    for old in MANY.glob("*.yaml"):
        old.unlink()
    (MANY / CRD.name).write_bytes(CRD.read_bytes())
    for first in range(0, count, _PER_FILE):
        text = "".join(_DOCUMENT.format(number) for number in range(first, first + _PER_FILE))
        (MANY / f"widgets-{first:06}.yaml").write_text(text)
    return b""


def nested(schema: str, depth: int, shared: Path) -> bytes | None:
    """Nothing, once a file holds a CRD with errors at every level of a deep schema; `schema` is a key of LEVELS."""
    NESTED.parent.mkdir(parents=True, exist_ok=True)
    NESTED.write_text(nested_crd(schema, depth))
    return b""


LEVELS = {
    "nested allOf": ('{"type": "object", "allOf": [', '{"type": "object"}', "]}"),
    "nested bad types": ('{"type": "foo", "properties": {"a": ', '{"type": "foo"}', "}}"),
}


def nested_crd(schema: str, depth: int) -> str:
    """The JSON of a CRD whose schema is wrong at every one of its levels."""
    opening, inner, closing = LEVELS[schema]
    root = {"type": "object", "properties": {"spec": "SPEC"}}
    crd = {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": "things.acme.example"},
        "spec": {
            "group": "acme.example",
            "names": {"kind": "Thing", "listKind": "ThingList", "plural": "things", "singular": "thing"},
            "scope": "Namespaced",
            "versions": [{"name": "v1", "served": True, "storage": True, "schema": {"openAPIV3Schema": root}}],
        },
    }
    return json.dumps(crd).replace('"SPEC"', opening * depth + inner + closing * depth)


def objects_per_second(shared: Path) -> float | None:
    """How many of Istio's valid documents the library judges in a second, once it has seen them; None without them."""
    folder = shared / "corpora" / "istio-networking"
    if not folder.is_dir():
        return None
    validator = Validator([each.value for each in reader.read((folder / "expected.yaml").read_bytes())])
    files = sorted((folder / "testdata").glob("*-valid.yaml"))
    objects = [each.value for file in files for each in reader.read(file.read_bytes()) if each.value]
    for each in objects:
        validator.validate(each)
    return median(measure_rate(validator, objects) for _ in range(_ROUNDS))


def measure_rate(validator: Validator, objects: list[dict[str, object]]) -> float:
    """How many objects a validator judges in a second of CPU time."""
    start = time.process_time()
    for _ in range(_REPETITIONS):
        for each in objects:
            validator.validate(each)
    return _REPETITIONS * len(objects) / (time.process_time() - start)
