"""Synthesis of a declaration for the composed conversion of a field."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from protoc_gen_crd.conversion.composition.field_links import (
    ABSENT_DEFAULT,
    OBJECT_NAME_COPY,
    OTHER_DEFAULT,
    FieldTrace,
    OptionMembers,
)
from protoc_gen_crd.conversion.composition.version_chains import VersionGraph
from protoc_gen_crd.conversion.derivation.conversion_options import ConversionDeclaration, get_declarations
from protoc_gen_crd.conversion.derivation.schema_compatibility import get_shape
from protoc_gen_crd.conversion.plan import paths
from protoc_gen_crd.conversion.plan.container_steps import ContainerStep
from protoc_gen_crd.conversion.plan.paths import Path
from protoc_gen_crd.conversion.plan.plan import VersionPair
from protoc_gen_crd.conversion.plan.steps import Copy, ObjectStep
from protoc_gen_crd.findings.finding import Place

VersionField = tuple[str, Path]  # a field of a version


def build_declaration(
    chains: VersionGraph, pair: VersionPair, end: VersionField, chain: FieldTrace
) -> ConversionDeclaration | None:
    """Return a trace as a declaration at its field; None if no option describes it."""
    other, there = chain.versions[-1], chain.links[-1].targets
    words, schema = chains.compose_trace(chain), chains.find_schema(*end)
    if words is None or schema is None:
        return None
    given = build_option(words, integer=get_shape(schema) == "integer", string=schema.type == "string")
    source = _build_source_members(pair, end, there, given) if given is not None else None
    if given is None or source is None:
        return None
    origin = find_origin(chains, end, chain)
    return ConversionDeclaration({**given, **source, "versions": [other]}, origin, origin.find_owner())


def _build_source_members(
    pair: VersionPair, end: VersionField, there: Sequence[Path], given: dict[str, Any]
) -> Mapping[str, Any] | None:
    """The members that name where the value is; None where none can."""
    if not there:
        return {}
    version, path = end
    around = _find_counterpart(pair, version, path[:-1])
    near = [each[len(around) :] for each in there if around is not None and each[: len(around)] == around]
    names = [
        paths.format_path(each)
        for each in near
        if each and not paths.get_scope(each) and each[:1] != paths.METADATA_PATH
    ]
    if "join" in given:
        return {"join": {**given["join"], "fields": names}} if len(names) == len(there) else None
    if "part" in given:
        return {"part": {**given["part"], "of": names[0]}} if names else None
    return {"renamed_from": names[0]} if names else {"moved_from": paths.format_path(there[0])}


def _find_counterpart(pair: VersionPair, version: str, around: Path) -> Path | None:
    """The object of the other version that fields are looked for in."""
    if not around:
        return ()
    way = next(way for way, _ in pair.get_directions() if way.source == version)
    for step in way.steps:
        one, other = (
            (step.source_scope, step.target_scope) if isinstance(step, ContainerStep) else (step.source, step.target)
        )
        if isinstance(step, ObjectStep) and paths.strip_object_scopes(one) == around:
            return paths.strip_object_scopes(other)
        if type(step) is Copy and around[: len(one)] == one:
            return (*other, *around[len(one) :])
    return ()


def find_origin(chains: VersionGraph, end: VersionField, chain: FieldTrace) -> Place:
    """Return the place of a trace: a declaration of its field, else its first declaration."""
    schema = chains.find_schema(*end)
    known = [one.origin for one in get_declarations(schema)] if schema is not None else []
    said = [each.origins[0] for each in chain.links if each.origins]
    own = schema.origin if schema is not None else None
    return next(iter([*(one for one in said if one in known), *said, *([own] if own else [])]))


def build_option(words: OptionMembers, *, integer: bool, string: bool) -> dict[str, Any] | None:
    """Return option members; None if no option describes them. `integer` and `string` are the type of the field."""
    if OTHER_DEFAULT in words:
        return None
    made = dict(words)
    if "values" in made:
        made["values"] = [{"there": there, "here": here} for there, here in made["values"]]
    if OBJECT_NAME_COPY in made:
        made[made.pop(OBJECT_NAME_COPY)] = True
    if ABSENT_DEFAULT in made:
        made["default"] = made.pop(ABSENT_DEFAULT)
    if "default" in made and not (string and isinstance(made["default"], str)):
        made["default"] = json.dumps(made["default"], ensure_ascii=False)
    if "factor" in made:
        if integer and made["factor"].denominator != 1:
            return None
        made["factor"] = float(made["factor"])
    return made
