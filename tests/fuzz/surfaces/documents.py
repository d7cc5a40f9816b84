"""Test documents and manifests through `validate`, and JSON bodies through the library."""

from __future__ import annotations

import json
from functools import cache
from random import Random
from typing import Any

from protoc_gen_crd.base.recursion_limit import raise_recursion_limit
from protoc_gen_crd.library import Validator
from tests.fuzz import corpus
from tests.fuzz.harness import Fuzzer
from tests.fuzz.mutations import CHARACTERS, encoded, is_small, mutated_bytes, mutated_data, yaml_text
from tests.fuzz.program import command

_EXPECTED = (
    "# error: spec.a: Invalid value",
    "# warning: x",
    "# kubernetes: 1.30",
    "# stored:",
    "#",
    "# rejected",
    "# error:",
)


@cache
def _cases() -> tuple[tuple[dict[str, bytes], tuple[str, ...]], ...]:
    """The files of each folder of testdata/validate with CRDs, and the names of those to mutate."""
    document_cases = []
    for folder in sorted((corpus.TESTDATA / "validate").iterdir()):
        paths = sorted(folder.glob("*.yaml"))
        if any(path.name.endswith(".crd.yaml") for path in paths):
            files = {path.name: path.read_bytes() for path in paths if path.stat().st_size < 20_000}
            documents = tuple(name for name in files if not name.endswith(".crd.yaml"))
            document_cases += [(files, documents)] if documents else []
    return tuple(document_cases)


class Documents(Fuzzer):
    """Mutated documents next to the CRDs of their cases; an input is JSON with the case, the file and its content."""

    name, slice, seconds = "documents", 20, 4.0

    def generate(self, random: Random) -> bytes:
        number = random.randrange(len(_cases()))
        files, names = _cases()[number]
        name = random.choice(names)
        data = files[name]
        if random.random() < 0.5:
            data = mutated_bytes(data, random)
        else:
            text = data.decode("utf-8", "replace")
            for _ in range(random.choice((1, 2, 3))):
                at = random.randrange(len(text) + 1)
                text = text[:at] + random.choice((*CHARACTERS, "\n" + random.choice(_EXPECTED) + "\n")) + text[at:]
            data = encoded(text)
        if random.random() < 0.5:
            documents = [document for document in corpus.documents(f"validate/*/{name}") if is_small(document)]
            data = yaml_text(mutated_data(random.choice(documents), random), random) if documents else data
        return f"{number} {name}\n".encode() + data

    def run(self, data: bytes) -> str:
        head, _, text = data.partition(b"\n")
        number, _, name = head.decode("utf-8", "replace").partition(" ")
        if not number.isdecimal() or int(number) >= len(_cases()) or name not in _cases()[int(number)][1]:
            return "no input"
        files = {**_cases()[int(number)][0], name: text}
        return str(command(["validate", ".", "--kubernetes", "1.25..1.37"], files))


@cache
def _validator() -> tuple[Validator, tuple[Any, ...]]:
    """A validator of the accepted CRDs, and objects of their kinds."""
    crds = []
    kinds = set()
    for crd in corpus.documents("validate/*/*.crd.yaml"):
        kind = (crd["spec"]["group"], crd["spec"]["names"]["kind"])
        if kind in kinds:
            continue
        try:
            Validator([crd])
        except (ValueError, TypeError):
            continue
        kinds.add(kind)
        crds.append(crd)
    documents = corpus.documents("validate/*/*.yaml")
    objects = tuple(
        document
        for document in documents
        if isinstance(document, dict)
        and (str(document.get("apiVersion")).partition("/")[0], document.get("kind")) in kinds
    )
    return Validator(crds, "1.33..1.37"), objects


class Bodies(Fuzzer):
    """Mutated JSON bodies."""

    name, slice = "bodies", 100

    def generate(self, random: Random) -> bytes:
        _, objects = _validator()
        text = json.dumps(mutated_data(random.choice(objects), random), default=str)
        return mutated_bytes(text.encode(), random) if random.random() < 0.3 else text.encode()

    def run(self, data: bytes) -> str:
        validator, objects = _validator()
        raise_recursion_limit()  # as validators do when they are created; the harness resets it after each input
        status = len(data) % 3 == 0
        try:
            verdicts = validator.validate(data, objects[len(data) % len(objects)] if status else None, status=status)
        except ValueError as error:
            return str(error)
        return str(verdicts)
