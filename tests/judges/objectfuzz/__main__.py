"""Random schemas and objects, validated by a judge and by this project; differences are printed and kept as probes.

python -m tests.judges.objectfuzz JUDGE MINOR [--count N] [--seed N] [--keep PROBES.jsonl]
"""

from __future__ import annotations

import sys
from random import Random
from typing import Any

from tests.conformance import test_objects
from tests.conformance.crd_verdicts import normal
from tests.conformance.tables import Row
from tests.judges.finds import Answer, Probe, Subject, main
from tests.judges.objectfuzz.rules import rules
from tests.judges.objectfuzz.schemas import Schemas


def probe(seed: int) -> Probe:
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
    question: dict[str, Any] = {"crd": crd, "obj": new, "old": obj}
    if "subresources" in versions[0] and schemas.chance(0.5):
        question["subresource"] = "status"
    return {"id": f"update/fuzz/{seed}", "op": "update", "input": question}


def _version(schemas: Schemas, name: str) -> dict[str, Any]:
    root: dict[str, Any] = {"type": "object", "properties": {"spec": schemas.node(3, "object")}}
    version = {"name": name, "served": True, "storage": False, "schema": {"openAPIV3Schema": root}}
    if schemas.chance(0.2):
        root["properties"]["status"] = schemas.node(2, "object")
        version["subresources"] = {"status": {}}
    if schemas.chance(0.1):
        root["x-kubernetes-preserve-unknown-fields"] = True
    if schemas.chance(0.15):
        root["x-kubernetes-validations"] = rules(schemas.random, "root", list(root["properties"]), lost=False)
    if schemas.chance(0.1):
        version["deprecated"] = True
    return version


def _object(schemas: Schemas, properties: dict[str, Any]) -> dict[str, Any]:
    header = {"apiVersion": "example.com/v1", "kind": "Thing", "metadata": schemas.metadata()}
    return header | {key: schemas.value(node) for key, node in properties.items() if schemas.chance(0.95)}


class Objects(Subject):
    """Creations and updates of objects."""

    def probe(self, seed: int) -> Probe:
        """Return the probe of a seed."""
        return probe(seed)

    def ours(self, probe: Probe) -> Answer:
        """Return our answer."""
        return test_objects.answer(Row(probe["id"], probe["op"], probe["input"], []), (self.minor,))[self.minor]

    def normalize(self, answer: Answer | None) -> Answer | None:
        """Return a judge's answer in our form; a rejected CRD is an answer, a panic of the server is not."""
        if answer is None or "panic" in answer.get("failed", ""):
            return None
        return test_objects.REJECTED if "failed" in answer else normal(answer)

    def fate(self, theirs: Answer) -> str:
        """Return whether the object or the CRD was accepted or rejected."""
        if theirs == test_objects.REJECTED:
            return "rejected CRDs"
        return "rejected" if theirs.keys() & {"errors", "decode", "status"} else "accepted"

    def after(self) -> None:
        """Forget the CRDs."""
        test_objects.forget()


if __name__ == "__main__":
    sys.exit(main(Objects, __doc__))
