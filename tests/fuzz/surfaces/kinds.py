"""Random kinds with declared conversions, whose objects must survive trips and updates by clients."""

from __future__ import annotations

from random import Random

from tests.fuzz.harness import Fuzzer, PropertyError
from tests.property.conversion_laws import LAWS, find_violation, make_converters
from tests.property.declared_kinds import DeclaredKind

_OBJECTS = 6  # of each law


class Kinds(Fuzzer):
    """The number of a kind; an input is the number."""

    name, slice, seconds = "kinds", 10, 20.0  # tests/property checks more kinds

    def generate(self, random: Random) -> bytes:
        return str(random.getrandbits(32)).encode()

    def run(self, data: bytes) -> str:
        if not (data.isdigit() and len(data) < 20):
            return "no input"
        kind = DeclaredKind(int(data))
        converters = make_converters(kind)
        for law in LAWS if converters else ():
            for _ in range(_OBJECTS):
                if violation := find_violation(kind, converters, law):
                    raise PropertyError(f"{law}: {violation}")
        return f"{len(converters)} converters"
