"""Objects of random kinds with declared conversions lose nothing, in trips and in updates by clients."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random
from typing import Any

from protoc_gen_crd.conversion.codegen import module_generator
from protoc_gen_crd.conversion.codegen.function_body import FunctionBodyWriter
from protoc_gen_crd.conversion.derivation.derivation import DeclarationDerivation
from protoc_gen_crd.conversion.runtime.spoke_to_spoke import Spokes
from tests.property.conversion_laws import LAWS, find_violation, make_converters
from tests.property.declared_kinds import DeclaredKind

SEEDS = range(40)
OBJECTS = 10  # of each kind and law
FEWEST_KINDS = 20  # of the seeds: the other ones have declarations that are rejected


def _find_violations(laws: Any, seeds: range = SEEDS) -> Iterator[tuple[int, str, str]]:
    """Yield the seeds that violate a law, after it checked that there are enough kinds."""
    kinds = 0
    for seed in seeds:
        kind = DeclaredKind(seed)
        converters = make_converters(kind)
        kinds += bool(converters)
        for law in laws if converters else ():
            kind.random = Random(f"{seed} {law}")
            found = (find_violation(kind, converters, law) for _ in range(OBJECTS))
            yield from ((seed, law, violation) for violation in found if violation)
    assert kinds >= FEWEST_KINDS or len(seeds) < len(SEEDS)


def test_no_conversion_loses_data() -> None:
    assert not list(_find_violations(LAWS))


def _convert_directly(self: Spokes, candidate: Any, annotation: Any, versions: tuple[str, str, str]) -> Any:
    """Convert back without the hub, as no request does."""
    own, name, version = versions
    return self._one(version, name, self._having(self._conversions[own, version](candidate), {name: annotation}))


DEFECTS: dict[str, tuple[object, str, Callable[..., Any]]] = {
    "direct": (Spokes, "_again", _convert_directly),
    "null": (module_generator, "find_null_fields", lambda *_: ()),
    "single item": (DeclarationDerivation, "_enter_single_item", lambda *arguments: arguments[-1]),
    "moved out of an item": (FunctionBodyWriter, "_find_outside_names", lambda *_: ()),
    "data": (module_generator, "find_conversion_data", lambda *_: ()),
}
