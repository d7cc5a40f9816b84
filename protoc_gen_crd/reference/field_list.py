"""Field lists with types, descriptions and constraints, and lists of enum values."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence

from protoc_gen_crd.base.markdown_escapes import code
from protoc_gen_crd.base.record import Record
from protoc_gen_crd.reference.constraint_descriptions import (
    format_constraints,
    format_default,
    format_json,
    format_type,
)
from protoc_gen_crd.reference.lifecycle import ElementKey, Lifecycle, LifecycleIndex
from protoc_gen_crd.reference.markdown_descriptions import format_prose, format_sentence
from protoc_gen_crd.reference.type_index import (
    DocumentedType,
    TypeIndex,
    VersionedSchemas,
    collect_fields,
    get_named_type,
    unwrap_containers,
)
from protoc_gen_crd.reference.version_agreement import format_version_span, group_lines, group_versions
from protoc_gen_crd.schema.deprecated_fields import is_deprecated
from protoc_gen_crd.schema.schema import (
    CHANNEL,
    CHANNEL_VALUES,
    DEPRECATED_VALUES,
    TYPE,
    VALIDATIONS,
    NamedType,
    Schema,
    ValidationRule,
)

_SEPARATOR = " · "
_DEPRECATION_NOTE = re.compile(r"(?:\A|\n\n)(?:Deprecated\.|Deprecated values: [^\n]*\.)\Z")
_IMMUTABLE_RULES = ("self==oldSelf", "oldSelf==self")
_MAX_VALUES = 40


class FieldListContext(Record):
    """The owner of a field list: the prefix of anchors, its versions, and the places that contain the fields.

    `since` is the first release of the owner; fields of the same release do not repeat it.
    """

    anchor: str
    versions: Sequence[str]
    places: Sequence[ElementKey]
    since: str = ""


class FieldListWriter:
    """A writer of field lists. `link` returns the link to the section of a type, `anchor` a unique anchor."""

    def __init__(
        self,
        types: TypeIndex,
        lifecycles: LifecycleIndex,
        link: Callable[[DocumentedType], str],
        anchor: Callable[[str, str], str],
    ) -> None:
        self._types = types
        self._lifecycles = lifecycles
        self._link = link
        self._anchor = anchor
        self.anchors: dict[ElementKey, str] = {}  # of the fields that are written so far

    def write_fields(
        self, context: FieldListContext, schemas: VersionedSchemas, left_out: Sequence[str] = ()
    ) -> list[str]:
        """Write the fields of an object, except those named in `left_out`."""
        lines: list[str] = []
        last = "status" if left_out else ""
        for name, fields in sorted(collect_fields(schemas).items(), key=lambda member: member[0] == last):
            if name not in left_out:
                required = {version for version in fields if name in (schemas[version].get("required") or ())}
                lines += [*self._write_field(context, name, fields, required), ""]
        return lines[:-1]

    def _write_field(
        self, owner: FieldListContext, name: str, fields: VersionedSchemas, required: set[str]
    ) -> Iterator[str]:
        anchor = self._anchor(owner.anchor, name)
        places = [(kind, version, f"{path}.{name}" if path else name) for kind, version, path in owner.places]
        self.anchors.update(dict.fromkeys(places, anchor))
        facts = [
            self._format_type(fields),
            *_format_required(fields, required),
            *_format_span(fields, owner),
            *self._format_lifecycle(fields, places, owner.since),
        ]
        yield f'- <a id="{anchor}"></a>**{code(name)}** {_SEPARATOR.join(facts)}'
        body = [*self._write_description(fields), *self._write_constraints(fields, places)]
        inner = self._write_inner_fields(owner.replace(anchor=anchor, places=places), fields)
        yield from _indent([*body, *(["", *inner] if body and inner else inner)])

    def _format_type(self, fields: VersionedSchemas) -> str:
        types = group_versions(fields, lambda schema: format_type(schema, self._make_type_linker(schema, fields)))
        return ", ".join(f"{type_name} in {versions}" if versions else type_name for versions, type_name in types)

    def _make_type_linker(self, whole: Schema, fields: VersionedSchemas) -> Callable[[Schema], str]:
        """Return a function that links the innermost type of a field; the containers around it have no link."""
        innermost = unwrap_containers(whole)[0]
        owner = self._types.find_type(fields)
        return lambda schema: self._link(owner) if owner is not None and schema is innermost else ""

    def _format_lifecycle(self, fields: VersionedSchemas, places: Sequence[ElementKey], since: str) -> Iterator[str]:
        channels = group_versions(fields, lambda schema: (schema.facts or {}).get(CHANNEL, ""))
        yield from (f"channel **{channel}**{_format_versions(versions)}" for versions, channel in channels if channel)
        deprecations = group_versions(fields, is_deprecated)
        deprecated = any(is_old for _, is_old in deprecations)
        lifecycle = self._lifecycles.find_lifecycle(places, deprecated=deprecated)
        if lifecycle.since != since:
            yield f"since {lifecycle.since}"
        if deprecated:
            versions = next((versions for versions, is_old in deprecations if is_old), "")
            yield f"**deprecated**{_format_versions(versions)}{format_deprecation(lifecycle)}"

    def _write_description(self, fields: VersionedSchemas) -> Iterator[str]:
        """Write the description of a field, without the description of its type."""
        owner = self._types.find_type(fields)

        def get_own_description(schema: Schema) -> str:
            description = get_description(schema)
            named = get_named_type(unwrap_containers(schema)[0])
            is_inherited = owner and named and named.schema and get_description(named.schema) == description
            return "" if is_inherited else description

        for versions, description in group_versions(fields, get_own_description):
            if description:
                yield from ["", *([f"In {versions}:", ""] if versions else []), *format_prose(description)]

    def _write_constraints(self, fields: VersionedSchemas, places: Sequence[ElementKey]) -> Iterator[str]:
        documented_type = self._types.find_type(fields)
        documented = documented_type is not None and not documented_type.is_named
        values = self._write_enum_values(fields, places)
        constraints = list(
            group_lines(fields, lambda schema: self._list_constraints(schema, documented=documented, values=not values))
        )
        constraints += group_lines(fields, lambda schema: format_rules(schema, documented=documented))
        if constraints or values:
            yield ""
            yield from (f"- in {versions}: {line}" if versions else f"- {line}" for versions, line in constraints)
            yield from values

    def _list_constraints(self, schema: Schema, *, documented: bool, values: bool) -> list[str]:
        """List the constraints of a node and its default.

        `documented` if the section of its type lists the constraints of the type; `values` to include enum values.
        """
        named_type = get_named_type(schema)
        innermost, _ = unwrap_containers(schema)
        is_base = documented and innermost is schema and named_type is None
        base = schema if is_base else named_type.schema if named_type else None
        constraints = format_constraints(schema, base)
        choices = innermost.get("enum")
        if choices and values:
            constraints.insert(0, f"{'' if innermost is schema else 'each '}{_format_choices(choices)}")
        default = format_default(schema)
        return [*constraints, f"default {default}"] if default else constraints

    def _write_enum_values(self, fields: VersionedSchemas, places: Sequence[ElementKey]) -> list[str]:
        """Write enum values as a list below the field if they have details such as channels or deprecations."""
        schemas = {version: unwrap_containers(schema)[0] for version, schema in fields.items()}
        steps = max((unwrap_containers(schema)[1] for schema in fields.values()), key=len)
        below = [(kind, version, path + steps) for kind, version, path in places]
        if self._types.find_type(fields) is not None or not self._has_value_details(schemas, below):
            return []
        return [f"- {'each ' if steps else ''}one of", *_indent(self.write_values(schemas, below))]

    def _has_value_details(self, schemas: VersionedSchemas, places: Sequence[ElementKey]) -> bool:
        facts = [schema.facts or {} for schema in schemas.values()]
        if any(fact.get(DEPRECATED_VALUES) or fact.get(CHANNEL_VALUES) for fact in facts):
            return True
        since = self._lifecycles.find_lifecycle(places, deprecated=False).since
        return any(self._find_value_release(name, places) != since for name in _collect_enum_values(schemas))

    def _find_value_release(self, name: object, places: Sequence[ElementKey]) -> str:
        """Return the first release of an enum value."""
        return self._lifecycles.find_lifecycle(places, deprecated=False, value=str(name)).since

    def write_values(self, schemas: VersionedSchemas, places: Sequence[ElementKey]) -> list[str]:
        """Write the values of an enum with their descriptions."""
        since = self._lifecycles.find_lifecycle(places, deprecated=False).since
        return [f"- {self._format_value(name, schemas, places, since)}" for name in _collect_enum_values(schemas)]

    def _format_value(self, name: object, schemas: VersionedSchemas, places: Sequence[ElementKey], since: str) -> str:
        all_versions = list(schemas)
        having = {version: schema for version, schema in schemas.items() if _has_enum_value(schema, name)}
        newest = having[list(having)[-1]].facts or {}
        notes = [format_version_span(list(having), all_versions)] if len(having) < len(all_versions) else []
        channels = group_versions(
            having, lambda schema: ((schema.facts or {}).get(CHANNEL_VALUES) or {}).get(str(name), "")
        )
        notes += [f"channel **{channel}**{_format_versions(versions)}" for versions, channel in channels if channel]
        if (release := self._find_value_release(name, places)) != since:
            notes.append(f"since {release}")
        deprecations = group_versions(
            having, lambda schema: name in ((schema.facts or {}).get(DEPRECATED_VALUES) or ())
        )
        lifecycle = self._lifecycles.find_lifecycle(
            places, deprecated=any(is_old for _, is_old in deprecations), value=str(name)
        )
        notes += [
            f"**deprecated**{_format_versions(versions)}{format_deprecation(lifecycle)}"
            for versions, is_old in deprecations
            if is_old
        ]
        named_type: NamedType | None = newest.get(TYPE)
        description = named_type.values().get(str(name), "") if named_type else ""
        suffix = f": {format_sentence(description)}" if description else ""
        return _SEPARATOR.join([code(_format_enum_value(name)), *notes]) + suffix

    def _write_inner_fields(self, owner: FieldListContext, fields: VersionedSchemas) -> list[str]:
        """Write the fields of an object that is documented inline."""
        schemas = {version: unwrap_containers(schema)[0] for version, schema in fields.items()}
        if self._types.find_type(fields) is not None or not any(schema.properties for schema in schemas.values()):
            return []
        steps = max((unwrap_containers(schema)[1] for schema in fields.values()), key=len)
        places = [(kind, version, path + steps) for kind, version, path in owner.places]
        return self.write_fields(owner.replace(versions=list(fields), places=places), schemas)


def _format_versions(versions: str) -> str:
    return f" in {versions}" if versions else ""


def format_rules(schema: Schema, *, documented: bool) -> list[str]:
    """Format the CEL rules of a node and of its innermost items or values: message and expression.

    `documented` if the section of its type lists the rules of the type.
    """
    innermost = unwrap_containers(schema)[0]
    rules = [("", rule) for rule in schema.rules] if schema is not innermost else []
    named_type = get_named_type(innermost)
    documented_rules = frozenset(
        named_type.schema.rules if named_type and named_type.schema else innermost.rules if documented else ()
    )
    rules += [
        ("each: " if innermost is not schema else "", rule) for rule in innermost.rules if rule not in documented_rules
    ]
    return [f"{prefix}{_format_rule(rule)}" for prefix, rule in rules]


def _format_rule(rule: ValidationRule) -> str:
    if "".join(rule.rule.split()) in _IMMUTABLE_RULES and "immutable" in (rule.message or "immutable").lower():
        return "immutable once set"
    update = "on update, " if re.search(r"\boldSelf\b", rule.rule) else ""
    message = format_sentence(rule.message) if rule.message else "rule"
    return f"{update}{message}: {code(rule.rule)}"


def format_own_rules(schema: Schema) -> list[str]:
    """Format the rules of an object itself."""
    return [_format_rule(rule) for rule in schema.get(VALIDATIONS) or ()]


def get_description(schema: Schema) -> str:
    """Return the description of a node without deprecation notes."""
    description: str = schema.get("description") or ""
    facts = schema.facts
    while facts and (note := _DEPRECATION_NOTE.search(description)):
        description = description[: note.start()]
    return description.strip("\n")


def format_deprecation(lifecycle: Lifecycle) -> str:
    """Format the deprecating release and the earliest removal."""
    if not lifecycle.deprecated:
        return ""
    return f" since {lifecycle.deprecated}{f', can be removed {lifecycle.removal}' if lifecycle.removal else ''}"


def _format_required(fields: Mapping[str, Schema], required: set[str]) -> list[str]:
    if not required:
        return []
    return (
        ["required"]
        if len(required) == len(fields)
        else [f"required in {', '.join(reversed([v for v in fields if v in required]))}"]
    )


def _format_span(fields: VersionedSchemas, owner: FieldListContext) -> list[str]:
    return [format_version_span(list(fields), list(owner.versions))] if len(fields) < len(owner.versions) else []


def _collect_enum_values(schemas: VersionedSchemas) -> list[object]:
    """Return the values of an enum, those of the newest version first."""
    values = (name for version in reversed(list(schemas)) for name in schemas[version].get("enum") or ())
    return list({format_json(value): value for value in values}.values())


def _has_enum_value(schema: Schema, value: object) -> bool:
    return format_json(value) in map(format_json, schema.get("enum") or ())


def _format_choices(choices: Sequence[object]) -> str:
    listed = ", ".join(map(code, map(_format_enum_value, choices[:_MAX_VALUES])))
    more = len(choices) - _MAX_VALUES
    return f"{'one of' if len(choices) > 1 else 'always'} {listed}{f' and {more} more' if more > 0 else ''}"


def _format_enum_value(value: object) -> str:
    return value if isinstance(value, str) and value else format_json(value)


def _indent(block: Sequence[str]) -> list[str]:
    return [f"  {line}" if line else "" for line in block]
