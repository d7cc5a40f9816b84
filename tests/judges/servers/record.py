"""Puts the CRDs of all goldens to API servers and records what they say."""

from __future__ import annotations

import json
import re
import subprocess
import sys

import yaml

from tests.cases.test_generate import CASES
from tests.support.verdicts import (
    OBJECTS,
    RECORD,
    VERSIONS,
    Example,
    Verdicts,
    digest,
    documents,
    example_object,
    examples,
)


def answers(judge: str, manifests: dict[str, str]) -> dict[str, list[str]]:
    """Return the messages of one judge for each manifest; empty if it accepts the manifest without warnings."""
    lines = "".join(json.dumps({"op": "crd", "crd": yaml.safe_load(text)}) + "\n" for text in manifests.values())
    output = subprocess.run([judge], input=lines, capture_output=True, text=True, check=True).stdout
    return {name: _words(json.loads(line)) for name, line in zip(manifests, output.splitlines(), strict=True)}


def tried(judge: str) -> list[Example]:
    """Return the examples with the messages of one judge for each object and its CRD."""
    documents = examples()
    questions = [
        {"op": "create", "crd": yaml.safe_load((CASES / example["crd"]).read_text()), "obj": example_object(example)}
        for example in documents
    ]
    lines = "".join(f"{json.dumps(question)}\n" for question in questions)
    output = subprocess.run([judge], input=lines, capture_output=True, text=True, check=True).stdout
    for example, line in zip(documents, output.splitlines(), strict=True):
        example["digest"] = digest((CASES / example["crd"]).read_text())
        example["said"] = _words(json.loads(line))
    return documents


def _words(answer: dict[str, object]) -> list[str]:
    parts = [answer.get(member) for member in ("failed", "decode", "status", "errors", "strict", "warnings")]
    words = [word for part in parts if part for word in (part if isinstance(part, list) else [str(part)])]
    return [re.sub(r"\(0x[0-9a-f]+\)", "(0x0)", word) for word in words]  # older servers print where values lie


def main() -> None:
    """Record."""
    manifests = documents()
    judges = dict(argument.split("=", 1) for argument in sys.argv[1:])
    output = {version: answers(judge, manifests) for version, judge in judges.items()}
    record: Verdicts = {
        name: {
            "digest": digest(text),
            "said": {version: output[version][name] for version in judges if output[version][name]},
        }
        for name, text in manifests.items()
    }
    OBJECTS.write_text("".join(f"{json.dumps(example)}\n" for example in tried(judges[VERSIONS[-1]])))
    RECORD.write_text(json.dumps(record, indent=1, sort_keys=True) + "\n")


if __name__ == "__main__":
    main()
