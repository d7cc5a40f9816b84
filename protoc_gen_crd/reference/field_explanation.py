"""Explanation of one field of a kind as plain text, in the manner of `kubectl explain`."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.crd.crd import Crd, CrdVersion
from protoc_gen_crd.emit.sample_yaml import extract_sentence
from protoc_gen_crd.kubernetes.api_version_order import get_priority_key
from protoc_gen_crd.reference.constraint_descriptions import (
    format_constraints,
    format_default,
    format_json,
    format_type,
)
from protoc_gen_crd.reference.field_list import get_description
from protoc_gen_crd.reference.type_index import unwrap_containers
from protoc_gen_crd.schema.deprecated_fields import is_deprecated
from protoc_gen_crd.schema.schema import Schema, ValidationRule

_WIDTH = 100


class KindPath(Record):
    """A path such as `widgets.spec.size`: the CRDs that its first name selects, and the names of the fields."""

    crds: tuple[Crd, ...]
    fields: tuple[str, ...]


def resolve_path(path: str, crds: Sequence[Crd]) -> KindPath:
    """Return the CRDs that a path selects by kind, plural, singular, short, or full name, in any case."""
    start = f"{path.lower()}."
    names = [name for crd in crds for name in list_names(crd) if start.startswith(f"{name}.")]
    if not names:
        return KindPath((), ())
    longest = max(names, key=len)
    fields = path[len(longest) + 1 :].replace("[]", "")
    selected = [crd for crd in crds if longest in list_names(crd)]
    return KindPath(tuple(selected), tuple(fields.split(".")) if fields else ())


def list_names(crd: Crd) -> list[str]:
    """Return the names of a kind in lower case."""
    names = [crd.name, crd.names.plural, crd.names.singular, crd.names.kind, *crd.names.short_names]
    return [name.lower() for name in names if name]


def select_version(crd: Crd, name: str) -> CrdVersion | None:
    """Return the version of a name, or the preferred one for an empty name; None if there is none."""
    served = [version for version in crd.versions if version.served and version.schema is not None]
    named = [version for version in served if name in ("", version.name, f"{crd.group}/{version.name}")]
    return min(named, key=lambda version: get_priority_key(version.name)) if named else None


class FoundField(Record):
    """The schema at a path, and whether its field is required. `missing` are the last names, which do not exist."""

    schema: Schema
    required: bool = False
    missing: tuple[str, ...] = ()


def find_field(schema: Schema, fields: Sequence[str]) -> FoundField:
    """Follow a path through objects, and through the items of lists and the values of maps."""
    required = False
    for index, name in enumerate(fields):
        owner = unwrap_containers(schema)[0]
        if name not in owner.properties:
            return FoundField(owner, missing=tuple(fields[index:]))
        schema, required = owner.properties[name], name in (owner.get("required") or ())
    return FoundField(schema, required)


def format_explanation(crd: Crd, version: CrdVersion, path: str, field: FoundField) -> str:
    """Return the explanation of a field, or of the kind with an empty path."""
    schema = field.schema
    head = f"{crd.names.kind} {crd.group}/{version.name}"
    sections = [f"{head}: {path}\n  {_format_type(schema, required=field.required)}" if path else head]
    description = get_description(schema)
    if description:
        sections.append("\n".join(map(_wrap, description.split("\n"))))
    innermost = unwrap_containers(schema)[0]
    nodes = [schema] if innermost is schema else [schema, innermost]
    sections += _format_section("constraints", [f"- {line}" for line in _list_constraints(schema, innermost)])
    sections += _format_section("rules", [_format_rule(rule) for node in nodes for rule in node.rules])
    sections += _format_section("fields", list(_format_fields(innermost)))
    return "\n\n".join(sections)


def _format_type(schema: Schema, *, required: bool) -> str:
    facts = [format_type(schema, lambda _: "")]
    facts += ["required"] if required else []
    facts += ["deprecated"] if is_deprecated(schema) else []
    return ", ".join(facts)


def _list_constraints(schema: Schema, innermost: Schema) -> Iterator[str]:
    values = innermost.get("enum")
    if values:
        prefix = "" if innermost is schema else "each "
        yield f"{prefix}one of {', '.join(map(format_json, values))}"
    yield from format_constraints(schema)
    if default := format_default(schema):
        yield f"default {default}"


def _format_rule(rule: ValidationRule) -> str:
    return f"- {rule.message}\n  {rule.rule}" if rule.message else f"- {rule.rule}"


def _format_fields(schema: Schema) -> Iterator[str]:
    required = schema.get("required") or ()
    for name, child in schema.properties.items():
        sentence = extract_sentence(get_description(child))
        yield f"{name}: {_format_type(child, required=name in required)}" + (f"\n  {sentence}" if sentence else "")


def _format_section(title: str, lines: Sequence[str]) -> list[str]:
    return [f"{title}:\n{textwrap.indent(chr(10).join(lines), '  ')}"] if lines else []


def _wrap(paragraph: str) -> str:
    return textwrap.fill(paragraph, _WIDTH, break_long_words=False, break_on_hyphens=False)
