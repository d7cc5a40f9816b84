"""CRDs in YAML and JSON through the commands that read them and through the library."""

from __future__ import annotations

import zlib
from random import Random

from protoc_gen_crd.library import admit, estimate
from tests.fuzz import corpus
from tests.fuzz.harness import Fuzzer
from tests.fuzz.mutations import SCALARS, mutated_data, yaml_text
from tests.fuzz.program import command
from tests.judges.crdfuzz.mutations import KEYWORDS, SPEC, mutated

_POOL = tuple(value for values in (*KEYWORDS.values(), *SPEC.values()) for value in values)
_OBJECT = b"apiVersion: example.com/v1\nkind: Thing\nmetadata: {name: a}\nspec: {a: 1, b: [x], c: {d: null}}\n"
_COMMANDS = (
    ("validate", "crd.yaml", "object.yaml", "--kubernetes", "1.25..1.37"), ("validate", "crd.yaml", "object.yaml",
    "--coverage"),
    ("cost", "crd.yaml"), ("docs", "crd.yaml", "--out", "docs"), (),
)  # fmt: skip


class Crds(Fuzzer):
    """Mutated CRDs."""

    name, slice, seconds = "crds", 30, 4.0

    def generate(self, random: Random) -> bytes:
        crd = random.choice(corpus.crds())
        if random.random() < 0.7:
            crd = mutated(crd, random)
        if random.random() < 0.6:
            crd = mutated_data(crd, random, (*_POOL, *SCALARS[:40]))
        return yaml_text(crd, random)

    def run(self, data: bytes) -> str:
        arguments = _COMMANDS[zlib.crc32(data) % len(_COMMANDS)]
        if arguments:
            return str(command(arguments, {"crd.yaml": data, "object.yaml": _OBJECT}))
        try:
            text = data.decode()
            return f"{admit(text, kubernetes='1.25..1.37')}\n{estimate(text, kubernetes='1.30..1.31')}"
        except ValueError as error:
            return str(error)
