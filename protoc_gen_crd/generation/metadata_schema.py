"""Builder of the schema of metadata, with findings about constraints that API servers do not support there.

Source: k8s.io/apiextensions-apiserver pkg/apiserver/schema/validation.go: only `name` and `generateName` can have
constraints.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from protoc_gen_crd.base.suggestions import suggest
from protoc_gen_crd.findings.finding import Place, Problems
from protoc_gen_crd.markers.option_declarations import NUMBERS
from protoc_gen_crd.proto.element_model import Field
from protoc_gen_crd.proto.source_locations import ElementPlace
from protoc_gen_crd.schema.schema import CHANNEL, CONVERSION, LIST_MAP_KEYS, LIST_TYPE, MAP_TYPE, VALIDATIONS, Schema

_ANY = Schema({"type": "object"})
_NAMES = ("name", "generateName")
_DOCUMENTED = ("type", "description")  # keywords that are not constraints
_FIELDS = (
    *_NAMES, "namespace", "selfLink", "uid", "resourceVersion", "generation", "creationTimestamp", "deletionTimestamp",
    "deletionGracePeriodSeconds", "labels", "annotations", "ownerReferences", "finalizers", "managedFields",
    "clusterName",  # until Kubernetes 1.24, and in copies of its messages
)  # fmt: skip
# Keywords that API servers enforce on metadata without a schema, besides the format of uid and immutability.
_ENFORCED = (*_DOCUMENTED, LIST_TYPE, LIST_MAP_KEYS, MAP_TYPE)
_REQUIRED = ("name", "namespace")  # fields that API servers set or require
_CHOICES = ("oneOf", "anyOf", "allOf", "not")
_FORMED, _FIXED = ("uid", "format"), "self == oldSelf"


def build_metadata_schema(declared: Schema, fields: Mapping[str, Field], problems: Problems) -> Schema:
    """Build the schema of metadata from the schema of its field: only constraints of names are supported.

    API servers report rules on metadata itself. `fields` are the fields of the message of metadata by JSON name.
    """
    names = {
        name: child
        for name in _NAMES
        if (child := _drop_immutability_rules(declared.properties.get(name))) and _has_rules(child)
    }
    for name, child in declared.properties.items():
        _check_field(name, child, fields.get(name), problems)
    changes: dict[str, Any] = {"properties": names or None}
    if "description" not in (declared.marks or ()):
        changes["description"] = None
    changes["required"] = [name for name in declared.get("required") or () if name not in _REQUIRED] or None
    changes |= _drop_foreign_constraints(declared, fields, problems)
    if (grouped := {name for name, field in fields.items() if field.oneof >= 0}) and grouped <= {*_NAMES}:
        changes |= dict.fromkeys(
            keyword for keyword in _CHOICES if keyword not in (declared.marks or ())
        )  # API servers require one of the two names
    if not any(changes.values()) and not declared.keywords.keys() - {*_DOCUMENTED, *changes}:
        return _ANY
    return declared.with_keywords(
        {keyword: value for keyword, value in changes.items() if value or keyword in declared}
    )


def _drop_foreign_constraints(declared: Schema, fields: Mapping[str, Field], problems: Problems) -> dict[str, Any]:
    """Drop and report constraints of other vocabularies on metadata as a whole."""
    places = {id(field.at) for field in fields.values()}  # of rules that fields are not removed
    rules = [rule for rule in declared.rules if id(rule.origin) not in places]
    marked = {
        keyword: place
        for keyword, place in (declared.marks or {}).items()
        if keyword != VALIDATIONS and _is_foreign(place)
    }
    for keyword, place in (
        *marked.items(),
        *((VALIDATIONS, rule.origin) for rule in rules if _is_foreign(rule.origin)),
    ):
        problem = f"{keyword} on metadata is not supported: only name and generateName can have rules"
        owner = next((field.full_name.rpartition(".")[0] for field in fields.values()), "")
        problems.report("vocabulary-unsupported", problem, place, path=owner)
    native = tuple([rule for rule in rules if not _is_foreign(rule.origin)])
    return {**dict.fromkeys(marked), VALIDATIONS: native or None}


def _drop_immutability_rules(schema: Schema | None) -> Schema | None:
    """Return the schema of a name without immutability rules, which API servers enforce anyway."""
    if schema is None or not schema.rules:
        return schema
    return schema.with_keywords({VALIDATIONS: tuple([rule for rule in schema.rules if rule.rule != _FIXED]) or None})


def _has_rules(schema: Schema) -> bool:
    return schema.type == "string" and bool(schema.keywords.keys() - {*_DOCUMENTED})


def _check_field(name: str, schema: Schema, field: Field | None, problems: Problems) -> None:
    """Report a field of metadata whose constraints are not supported."""
    if field is None:
        return
    if name not in _FIELDS:
        problem = f'unknown metadata field "{name}"'
        hint = suggest(name, _FIELDS)
        problems.report("resource-metadata", problem, field.at, path=field.full_name, hint=hint)
    elif fact := next((kind for kind in (CHANNEL, CONVERSION) if kind in (schema.facts or ())), ""):
        problem = f'{fact} on "metadata.{name}" is not supported: metadata is the same in all versions and channels'
        problems.report("resource-metadata", problem, field.at, path=field.full_name)
    elif name not in _NAMES:
        _check_rules(name, schema, field, problems)
    elif schema.type != "string":
        problem = f'"metadata.{name}" has {f"type {schema.type}" if schema.type else "no type"}, expected string'
        problems.report("resource-metadata", problem, field.at, path=field.full_name)


def _check_rules(name: str, schema: Schema, field: Field, problems: Problems) -> None:
    """Report the first constraint that is not supported."""
    constraints = [
        (keyword, place)
        for keyword, place in _list_constraints(schema)
        if place is not None and (name, keyword) != _FORMED
    ]
    unsupported = next(((keyword, place) for keyword, place in constraints if keyword not in _ENFORCED), None)
    if unsupported is not None:
        problem = f'{unsupported[0]} on "metadata.{name}" is not supported: only name and generateName can have rules'
        rule = "vocabulary-unsupported" if _is_foreign(unsupported[1]) else "resource-metadata"
        problems.report(rule, problem, unsupported[1], path=field.full_name)


def _is_foreign(place: Place | None) -> bool:
    """Return whether a constraint is from an option of another vocabulary."""
    return isinstance(place, ElementPlace) and NUMBERS.isdisjoint(place.path)


def _list_constraints(schema: Schema) -> Iterator[tuple[str, Place | None]]:
    """Yield the keywords that markers set on a schema and its children, with their places."""
    yield from ((keyword, place) for keyword, place in (schema.marks or {}).items() if keyword != VALIDATIONS)
    yield from ((VALIDATIONS, rule.origin) for rule in schema.rules if rule.rule != _FIXED)
    for _, child in schema.iterate_children():
        yield from _list_constraints(child)
