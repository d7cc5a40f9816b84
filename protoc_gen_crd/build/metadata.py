"""The schema of a resource's metadata: what servers let a schema say of it, and what of the author's own would be lost.

Source: k8s.io/apiextensions-apiserver pkg/apiserver/schema/validation.go: rules on `name` and `generateName`, no more.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from protoc_gen_crd.base.diagnostics import Place, Problems
from protoc_gen_crd.base.suggestions import suggestion
from protoc_gen_crd.proto.model import Field
from protoc_gen_crd.schema.types import CHANNEL, CONVERSION, VALIDATIONS, Schema

ANY = Schema({"type": "object"})
_NAMES = ("name", "generateName")
_SAID = ("type", "description")  # what a field has without a rule
_FIELDS = (
    *_NAMES, "namespace", "selfLink", "uid", "resourceVersion", "generation", "creationTimestamp", "deletionTimestamp",
    "deletionGracePeriodSeconds", "labels", "annotations", "ownerReferences", "finalizers", "managedFields",
)  # fmt: skip


def metadata(own: Schema | None, fields: Mapping[str, Field], problems: Problems) -> Schema:
    """The schema of metadata, of which servers know more than it says; rules on metadata itself are theirs to judge.

    `fields` are those of the author's own message by their name in JSON.
    """
    if own is None:
        return ANY
    kept = {name: made for name in _NAMES if (made := own.properties.get(name)) and _ruled(made)}
    for name, made in own.properties.items():
        _check(name, made, fields.get(name), problems)
    required = [name for name in own.get("required") or () if name != "name"]  # which every object has
    if not kept and not required and not own.keywords.keys() - {*_SAID, "properties", "required"}:
        return ANY
    changes = {"description": None, "properties": kept or None, "required": required or None}
    return own.having({keyword: value for keyword, value in changes.items() if value or keyword in own})


def _ruled(made: Schema) -> bool:
    return made.type == "string" and bool(made.keywords.keys() - {*_SAID})


def _check(name: str, made: Schema, field: Field | None, problems: Problems) -> None:
    """Report a field of metadata of which something is lost."""
    if field is None:
        return
    place: Place | None = field.at
    hint = ""
    if name not in _FIELDS:
        problem = f'metadata must have the fields that it has in every object, found "{name}"'
        hint = suggestion(name, _FIELDS)
    elif fact := next((one for one in (CHANNEL, CONVERSION) if one in (made.facts or ())), ""):
        problem = f'metadata must be the same in all versions and channels, found a {fact} on "{name}"'
    elif name in _NAMES:
        if made.type == "string":
            return
        problem = f'"metadata.{name}" must be of type string, found {made.type or "no type"}'
    else:
        keyword, place = next(_rules(made), ("", None))
        problem = f'only name and generateName of metadata may have rules, found {keyword} on "{name}"'
    if place is not None:
        problems.report("resource-metadata", problem, place, path=field.full_name, hint=hint)


def _rules(schema: Schema) -> Iterator[tuple[str, Place | None]]:
    """What markers say of a schema and below it: keywords and their places."""
    yield from ((keyword, place) for keyword, place in (schema.marks or {}).items() if keyword not in _SAID)
    yield from ((VALIDATIONS, rule.origin) for rule in schema.rules if rule.origin)
    for _, child in schema.children():
        yield from _rules(child)
