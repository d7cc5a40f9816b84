"""What a chain says of a field, as a declaration that stands at the field and names the other version."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from protoc_gen_crd.base.diagnostics import Place
from protoc_gen_crd.conversion.chains.chains import Chains
from protoc_gen_crd.conversion.chains.links import COPIED, GIVEN, NEW, Chain, Words
from protoc_gen_crd.conversion.derive.declared import Declared, declared
from protoc_gen_crd.conversion.derive.fits import shape
from protoc_gen_crd.conversion.plan import paths
from protoc_gen_crd.conversion.plan.containers import Each
from protoc_gen_crd.conversion.plan.paths import Path
from protoc_gen_crd.conversion.plan.plan import Pair
from protoc_gen_crd.conversion.plan.steps import Copy, Fields

End = tuple[str, Path]  # a field of a version


def declaration(chains: Chains, pair: Pair, end: End, chain: Chain) -> Declared | None:
    """A chain as a declaration at the field that it starts at; None where no option says it."""
    other, there = chain.versions[-1], chain.links[-1].there
    words, schema = chains.words(chain), chains.at(*end)
    if words is None or schema is None:
        return None
    given = option(words, whole=shape(schema) == "integer", text=schema.type == "string")
    source = _source(pair, end, there, given) if given is not None else None
    if given is None or source is None:
        return None
    origin = origin_of(chains, end, chain)
    return Declared({**given, **source, "versions": [other]}, origin, origin.owner())


def _source(pair: Pair, end: End, there: Sequence[Path], given: dict[str, Any]) -> Mapping[str, Any] | None:
    """The members that name where the value is; None where none can."""
    if not there:
        return {}
    version, path = end
    around = _counterpart(pair, version, path[:-1])
    near = [each[len(around) :] for each in there if around is not None and each[: len(around)] == around]
    names = [paths.shown(each) for each in near if each and not paths.scope(each) and each[:1] != paths.METADATA]
    if "join" in given:
        return {"join": {**given["join"], "fields": names}} if len(names) == len(there) else None
    if "part" in given:
        return {"part": {**given["part"], "of": names[0]}} if names else None
    return {"renamed_from": names[0]} if names else {"moved_from": paths.shown(there[0])}


def _counterpart(pair: Pair, version: str, around: Path) -> Path | None:
    """The object of the other version that fields are looked for in."""
    if not around:
        return ()
    way = next(way for way, _ in pair.ways() if way.source == version)
    for step in way.steps:
        one, other = (step.inside, step.made) if isinstance(step, Each) else (step.source, step.target)
        if isinstance(step, Fields) and paths.bare(one) == around:
            return paths.bare(other)
        if type(step) is Copy and around[: len(one)] == one:
            return (*other, *around[len(one) :])
    return ()


def origin_of(chains: Chains, end: End, chain: Chain) -> Place:
    """Where what a chain says stands: at its field, else where it is said first."""
    schema = chains.at(*end)
    known = [one.origin for one in declared(schema)] if schema is not None else []
    said = [each.places[0] for each in chain.links if each.places]
    own = schema.origin if schema is not None else None
    return next(iter([*(one for one in said if one in known), *said, *([own] if own else [])]))


def option(words: Words, *, whole: bool, text: bool) -> dict[str, Any] | None:
    """Words as members of the option; None where it has none. `whole` and `text` tell the type of the field."""
    if GIVEN in words:
        return None
    made = dict(words)
    if "values" in made:
        made["values"] = [{"there": there, "here": here} for there, here in made["values"]]
    if COPIED in made:
        made[made.pop(COPIED)] = True
    if NEW in made:
        made["default"] = made.pop(NEW)
    if "default" in made and not (text and isinstance(made["default"], str)):
        made["default"] = json.dumps(made["default"], ensure_ascii=False)
    if "factor" in made:
        if whole and made["factor"].denominator != 1:
            return None
        made["factor"] = float(made["factor"])
    return made
