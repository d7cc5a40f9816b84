"""Synthesis of a declaration for the composed conversion of a field."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from protoc_gen_crd.conversion.composition.field_counterparts import (
    ABSENT_DEFAULT,
    OBJECT_NAME_COPY,
    OTHER_DEFAULT,
    VALUE_COPIES,
    FieldTrace,
    OptionMembers,
    get_value_paths,
)
from protoc_gen_crd.conversion.composition.version_graph import VersionGraph
from protoc_gen_crd.conversion.derivation.conversion_options import ConversionDeclaration, get_declarations
from protoc_gen_crd.conversion.derivation.schema_compatibility import get_shape
from protoc_gen_crd.conversion.plan import paths
from protoc_gen_crd.conversion.plan.container_steps import ContainerStep
from protoc_gen_crd.conversion.plan.copy_steps import ObjectStep
from protoc_gen_crd.conversion.plan.paths import Path
from protoc_gen_crd.conversion.plan.plan import VersionPair
from protoc_gen_crd.findings.finding import Location, Place

VersionField = tuple[str, Path]  # a field of a version


def build_declaration(
    chains: VersionGraph, pair: VersionPair, end: VersionField, chain: FieldTrace
) -> ConversionDeclaration | None:
    """Return a trace as a declaration at its field; None if no option describes it."""
    other, targets = chain.versions[-1], chain.links[-1].targets
    members, schema = chains.compose_trace(chain), chains.find_schema(*end)
    if members is None or schema is None:
        return None
    option = build_option(members, integer=get_shape(schema) == "integer", string=schema.type == "string")
    source = _build_source_members(pair, end, targets, option) if option is not None else None
    if option is None or source is None:
        return None
    origin = find_origin(chains, end, chain)
    return ConversionDeclaration({**option, **source, "versions": [other]}, origin, origin.find_owner())


def _build_source_members(
    pair: VersionPair, end: VersionField, targets: Sequence[Path], option: dict[str, Any]
) -> Mapping[str, Any] | None:
    """Return the members that name the sources of the value; None if no members can."""
    if not targets:
        return {}
    version, path = end
    parent = _find_counterpart(pair, version, path[:-1])
    near = [target[len(parent) :] for target in targets if parent is not None and target[: len(parent)] == parent]
    names = [
        paths.format_path(target)
        for target in near
        if target and not paths.get_scope(target) and target[:1] != paths.METADATA_PATH
    ]
    if "join" in option:
        return {"join": {**option["join"], "fields": names}} if len(names) == len(targets) else None
    if "part" in option:
        return {"part": {**option["part"], "of": names[0]}} if names else None
    return {"renamed_from": names[0]} if names else {"moved_from": paths.format_path(targets[0])}


def _find_counterpart(pair: VersionPair, version: str, parent: Path) -> Path | None:
    """Return the object of the other version that field names are relative to."""
    if not parent:
        return ()
    direction = next(direction for direction, _ in pair.get_directions() if direction.source == version)
    for step in direction.steps:
        source, target = (
            (step.source_scope, step.target_scope) if isinstance(step, ContainerStep) else (step.source, step.target)
        )
        if isinstance(step, ObjectStep) and paths.strip_object_scopes(source) == parent:
            return paths.strip_object_scopes(target)
        if type(step) in VALUE_COPIES:
            source, target = get_value_paths(step)
            if parent[: len(source)] == source:
                return (*target, *parent[len(source) :])
    return ()


def find_origin(chains: VersionGraph, end: VersionField, chain: FieldTrace) -> Place:
    """Return the place of a trace: a declaration of its field, else its first declaration."""
    schema = chains.find_schema(*end)
    own_places = [declaration.origin for declaration in get_declarations(schema)] if schema is not None else []
    link_places = [link.origins[0] for link in chain.links if link.origins]
    own = schema.origin if schema is not None else None
    places = [*(place for place in link_places if place in own_places), *link_places, *([own] if own else [])]
    return next(iter(places), Location(""))


def build_option(members: OptionMembers, *, integer: bool, string: bool) -> dict[str, Any] | None:
    """Return option members; None if no option describes them. `integer` and `string` are the type of the field."""
    if OTHER_DEFAULT in members:
        return None
    option = dict(members)
    if "values" in option:
        option["values"] = [{"there": there, "here": here} for there, here in option["values"]]
    if OBJECT_NAME_COPY in option:
        option[option.pop(OBJECT_NAME_COPY)] = True
    if ABSENT_DEFAULT in option:
        option["default"] = option.pop(ABSENT_DEFAULT)
    if "default" in option and not (string and isinstance(option["default"], str)):
        option["default"] = json.dumps(option["default"], ensure_ascii=False)
    if "factor" in option:
        if integer and option["factor"].denominator != 1:
            return None
        option["factor"] = float(option["factor"])
    return option
