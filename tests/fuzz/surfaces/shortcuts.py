"""Shortcuts of the code against the code that they skip, with other random inputs than those of the tests."""

from __future__ import annotations

from random import Random

import pytest

from tests.fuzz.harness import Fuzzer, PropertyError
from tests.property.shortcuts import SHORTCUTS

_BY_NAME = {shortcut.name: shortcut for shortcut in SHORTCUTS}


class Shortcuts(Fuzzer):
    """The name of a shortcut and the seed of its workload."""

    name, slice, seconds = "shortcuts", 20, 20.0

    def generate(self, random: Random) -> bytes:
        return f"{random.choice(sorted(_BY_NAME))} {random.randrange(10**6)}".encode()

    def run(self, data: bytes) -> str:
        name, _, seed = data.decode("ascii", "replace").partition(" ")
        shortcut = _BY_NAME.get(name)
        if shortcut is None or not (seed.isdigit() and seed.isascii() and len(seed) < 20):
            return "no input"
        expected = list(shortcut.work([int(seed)]))
        with pytest.MonkeyPatch.context() as patch:
            shortcut.around(patch)
            around = list(shortcut.work([int(seed)]))
        if expected != around:
            raise PropertyError(f"{name}: the outcome without the shortcut is {around}, not {expected}")
        return f"{len(expected)} outcomes"
