"""The schema of a resource's metadata, and findings about constraints that API servers do not support on it.

Source: k8s.io/apiextensions-apiserver pkg/apiserver/schema/validation.go: rules on `name` and `generateName`, no more.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from protoc_gen_crd.base.suggestions import suggest
from protoc_gen_crd.findings.finding import Place, Problems
from protoc_gen_crd.markers.option_declarations import NUMBERS
from protoc_gen_crd.proto.model import Field
from protoc_gen_crd.proto.source_locations import ElementPlace
from protoc_gen_crd.schema.schema import CHANNEL, CONVERSION, LIST_MAP_KEYS, LIST_TYPE, MAP_TYPE, VALIDATIONS, Schema

ANY = Schema({"type": "object"})
_NAMES = ("name", "generateName")
_DOCUMENTED = ("type", "description")  # what a field has without a rule
_FIELDS = (
    *_NAMES, "namespace", "selfLink", "uid", "resourceVersion", "generation", "creationTimestamp", "deletionTimestamp",
    "deletionGracePeriodSeconds", "labels", "annotations", "ownerReferences", "finalizers", "managedFields",
    "clusterName",  # until 1.24, and in copies of what Kubernetes declared then
)  # fmt: skip
# What servers see to without being told: which lists are sets and maps, what a uid looks like, what never changes.
_ENFORCED = (*_DOCUMENTED, LIST_TYPE, LIST_MAP_KEYS, MAP_TYPE)
_REQUIRED = ("name", "namespace")  # what every object has, if its kind has it
_CHOICES = ("oneOf", "anyOf", "allOf", "not")
_FORMED, _FIXED = ("uid", "format"), "self == oldSelf"


def build_metadata_schema(own: Schema | None, fields: Mapping[str, Field], problems: Problems) -> Schema:
    """The schema of metadata, of which servers know more than it says; rules on metadata itself are theirs to judge.

    `fields` are those of the author's own message by their name in JSON.
    """
    if own is None:
        return ANY
    kept = {
        name: made
        for name in _NAMES
        if (made := _drop_immutability_rules(own.properties.get(name))) and _has_rules(made)
    }
    for name, made in own.properties.items():
        _check_field(name, made, fields.get(name), problems)
    changes: dict[str, Any] = {"description": None, "properties": kept or None}
    changes["required"] = [name for name in own.get("required") or () if name not in _REQUIRED] or None
    changes |= _drop_foreign_constraints(own, fields, problems)
    if (grouped := {name for name, field in fields.items() if field.oneof >= 0}) and grouped <= {*_NAMES}:
        changes |= dict.fromkeys(
            word for word in _CHOICES if word not in (own.marks or ())
        )  # servers ask for one of two
    if not any(changes.values()) and not own.keywords.keys() - {*_DOCUMENTED, *changes}:
        return ANY
    return own.with_keywords({keyword: value for keyword, value in changes.items() if value or keyword in own})


def _drop_foreign_constraints(own: Schema, fields: Mapping[str, Field], problems: Problems) -> dict[str, Any]:
    """Drop and report constraints on metadata as a whole that come from other vocabularies."""
    places = {id(field.at) for field in fields.values()}  # where rules are from that fields are not taken away
    rules = [rule for rule in own.rules if id(rule.origin) not in places]
    marked = {word: place for word, place in (own.marks or {}).items() if word != VALIDATIONS and _is_foreign(place)}
    for word, place in (*marked.items(), *((VALIDATIONS, rule.origin) for rule in rules if _is_foreign(rule.origin))):
        problem = f"{word} on metadata is not supported: only name and generateName can have rules"
        owner = next((field.full_name.rpartition(".")[0] for field in fields.values()), "")
        problems.report("vocabulary-unsupported", problem, place, path=owner)
    kept = tuple([rule for rule in rules if not _is_foreign(rule.origin)])
    return {**dict.fromkeys(marked), VALIDATIONS: kept or None}


def _drop_immutability_rules(made: Schema | None) -> Schema | None:
    """A name less the rules that it stays as it was, which servers see to."""
    if made is None or not made.rules:
        return made
    return made.with_keywords({VALIDATIONS: tuple([rule for rule in made.rules if rule.rule != _FIXED]) or None})


def _has_rules(made: Schema) -> bool:
    return made.type == "string" and bool(made.keywords.keys() - {*_DOCUMENTED})


def _check_field(name: str, made: Schema, field: Field | None, problems: Problems) -> None:
    """Report a field of metadata of which something is lost."""
    if field is None:
        return
    if name not in _FIELDS:
        problem = f'unknown metadata field "{name}"'
        hint = suggest(name, _FIELDS)
        problems.report("resource-metadata", problem, field.at, path=field.full_name, hint=hint)
    elif fact := next((one for one in (CHANNEL, CONVERSION) if one in (made.facts or ())), ""):
        problem = f'{fact} on "metadata.{name}" is not supported: metadata is the same in all versions and channels'
        problems.report("resource-metadata", problem, field.at, path=field.full_name)
    elif name not in _NAMES:
        _check_rules(name, made, field, problems)
    elif made.type != "string":
        problem = f'"metadata.{name}" has {f"type {made.type}" if made.type else "no type"}, expected string'
        problems.report("resource-metadata", problem, field.at, path=field.full_name)


def _check_rules(name: str, made: Schema, field: Field, problems: Problems) -> None:
    """Report the first rule that is lost; one of another vocabulary may be there for others than servers."""
    found = [(word, place) for word, place in _list_constraints(made) if place is not None and (name, word) != _FORMED]
    lost = next(((word, place) for word, place in found if word not in _ENFORCED), None)
    if lost is not None:
        problem = f'{lost[0]} on "metadata.{name}" is not supported: only name and generateName can have rules'
        rule = "vocabulary-unsupported" if _is_foreign(lost[1]) else "resource-metadata"
        problems.report(rule, problem, lost[1], path=field.full_name)


def _is_foreign(place: Place | None) -> bool:
    """Report whether a constraint comes from an option of another vocabulary."""
    return isinstance(place, ElementPlace) and NUMBERS.isdisjoint(place.path)


def _list_constraints(schema: Schema) -> Iterator[tuple[str, Place | None]]:
    """Yield the keywords that markers set on a schema and below it, with their places."""
    yield from ((word, place) for word, place in (schema.marks or {}).items() if word != VALIDATIONS)
    yield from ((VALIDATIONS, rule.origin) for rule in schema.rules if rule.rule != _FIXED)
    for _, child in schema.iterate_children():
        yield from _list_constraints(child)
