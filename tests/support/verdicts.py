"""The CRDs of the goldens one by one, and the recorded messages of API servers for them."""

from __future__ import annotations

import hashlib
import json
import re
from typing import Any, TypedDict

from tests.cases.test_generate import CASES
from tests.support.yaml_data import load_yaml

RECORD = CASES / "verdicts.json"
OBJECTS = CASES / "objects.jsonl"
VERSIONS = ("1.29", "1.37")
COMPAT = "kubernetes/customresourcedefinitions.gen.yaml"


class Verdict(TypedDict):
    """The digest of a CRD, and the messages of servers by version, if any."""

    digest: str
    said: dict[str, list[str]]


Verdicts = dict[str, Verdict]


def documents() -> dict[str, str]:
    """Return every CRD by the name of its file, with a number after it if the file has several."""
    verdict_documents: dict[str, str] = {}
    for path in sorted(CASES.glob("*/expected/**/*")):
        if path.suffix in (".yaml", ".json"):
            split = r"^---\n" if path.suffix == ".yaml" else r"^(?=\{)"
            parts = [
                part for part in re.split(split, path.read_text(), flags=re.MULTILINE) if "kind:" in part or "{" in part
            ]
            name = path.relative_to(CASES).as_posix()
            verdict_documents |= {
                f"{name}#{index}" if len(parts) > 1 else name: part for index, part in enumerate(parts)
            }
    return verdict_documents


def digest(text: str) -> str:
    """Return a digest that identifies the recorded CRD."""
    return hashlib.sha256(text.encode()).hexdigest()[:16]


class Example(TypedDict, total=False):
    """The spec of an object, whether its CRD accepts it, and the messages of a server for this digest of the CRD."""

    crd: str
    valid: bool
    spec: dict[str, Any]
    digest: str
    said: list[str]


def examples() -> list[Example]:
    """Return the objects that are validated against goldens."""
    return [json.loads(line) for line in OBJECTS.read_text().splitlines()]


def source(example: Example) -> dict[str, Any]:
    """The CRD of an example."""
    crd: dict[str, Any] = load_yaml((CASES / example["crd"]).read_text())
    return crd


def example_object(example: Example) -> dict[str, Any]:
    """The whole object of an example."""
    spec = source(example)["spec"]
    meta = {"name": "a", "namespace": "default"} if spec["scope"] == "Namespaced" else {"name": "a"}
    version = f"{spec['group']}/{spec['versions'][0]['name']}"
    return {"apiVersion": version, "kind": spec["names"]["kind"], "metadata": meta, "spec": example["spec"]}


def recorded() -> Verdicts:
    """The record."""
    verdicts: Verdicts = json.loads(RECORD.read_text())
    return verdicts
