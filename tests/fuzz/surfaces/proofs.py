"""Proofs of the cases of testdata/conversion with other random objects than those of the tests."""

from __future__ import annotations

from functools import cache
from random import Random

from protoc_gen_crd.conversion.proof.prover import Prover
from tests.fuzz.harness import Fuzzer, PropertyError
from tests.support.conversion import Case, cases

_OBJECTS = 150  # of each direction


@cache
def _list_sound_cases() -> dict[str, Case]:
    return {case.name: case for case in cases() if case.is_sound}


class Proofs(Fuzzer):
    """The name of a case and the seed of its objects."""

    name, slice, seconds = "proofs", 4, 20.0

    def generate(self, random: Random) -> bytes:
        return f"{random.choice(sorted(_list_sound_cases()))} {random.getrandbits(32)}".encode()

    def run(self, data: bytes) -> str:
        name, _, seed = data.decode("ascii", "replace").partition(" ")
        case = _list_sound_cases().get(name)
        if case is None or not (seed.isdigit() and seed.isascii() and len(seed) < 20):
            return "no input"
        proofs = list(Prover(_OBJECTS, int(seed)).prove(case.plan, case.convert))
        if violations := [violation for proof in proofs for violation in proof.violations]:
            raise PropertyError(f"{name}: {violations[0].law}: {violations[0]}")
        return f"{[proof.count for proof in proofs]}"
