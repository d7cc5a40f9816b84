"""Random workloads for descriptions in comments."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from random import Random

from protoc_gen_crd.generation.istio.istio_descriptions import extract_first_sentence
from tests.property.workloads.draws import Outcome

_PARTS = (
    "a",
    "é",
    "b.",
    ".",
    "\n ",
    "\n ",
    " ",
    " ",
    "\n",
    "\t",
    "\r",
    "\x1c",
    "\x1f",
    "\x85",
    "\xa0",
    "\u2003",
    "\u3000",
)


def extract_sentences(seeds: Iterable[int]) -> Iterator[Outcome]:
    """The first sentences of random comments with white space of all kinds."""
    for seed in seeds:
        random = Random(seed)
        comments = ["".join(random.choices(_PARTS, k=random.randint(1, 9))) for _ in range(200)]
        yield [extract_first_sentence(f"{comment}.") for comment in comments]
