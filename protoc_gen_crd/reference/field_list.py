"""Field lists with types, descriptions and constraints, and lists of enum values."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence

from protoc_gen_crd.base.markdown import code
from protoc_gen_crd.base.record import Record
from protoc_gen_crd.reference.constraint_text import format_constraints, format_default, format_json, format_type
from protoc_gen_crd.reference.lifecycle import ElementKey, Lifecycle, LifecycleIndex
from protoc_gen_crd.reference.prose import format_prose, format_sentence
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
    """Whose fields are listed: how their anchors begin, the versions there are, the places that they stand below."""

    anchor: str
    versions: Sequence[str]
    places: Sequence[ElementKey]
    since: str = ""


class FieldListWriter:
    """Lists of fields. `link` gives the link to the section of a type, `anchor` an anchor that nothing else has."""

    def __init__(
        self,
        types: TypeIndex,
        lives: LifecycleIndex,
        link: Callable[[DocumentedType], str],
        anchor: Callable[[str, str], str],
    ) -> None:
        self._types = types
        self._lifecycles = lives
        self._link = link
        self._anchor = anchor

    def write_fields(
        self, context: FieldListContext, schemas: VersionedSchemas, left_out: Sequence[str] = ()
    ) -> list[str]:
        """The fields of an object."""
        made: list[str] = []
        last = "status" if left_out else ""
        for name, fields in sorted(collect_fields(schemas).items(), key=lambda member: member[0] == last):
            if name not in left_out:
                required = {version for version in fields if name in (schemas[version].get("required") or ())}
                made += [*self._write_field(context, name, fields, required), ""]
        return made[:-1]

    def _write_field(
        self, owner: FieldListContext, name: str, fields: VersionedSchemas, required: set[str]
    ) -> Iterator[str]:
        anchor = self._anchor(owner.anchor, name)
        places = [(kind, version, f"{path}.{name}" if path else name) for kind, version, path in owner.places]
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
        told = group_versions(fields, lambda schema: format_type(schema, self._make_type_linker(schema, fields)))
        return ", ".join(f"{words} in {versions}" if versions else words for versions, words in told)

    def _make_type_linker(self, whole: Schema, fields: VersionedSchemas) -> Callable[[Schema], str]:
        """The link of the type that a field is of in the end; other nodes on the way to it have none."""
        last = unwrap_containers(whole)[0]
        held = self._types.find_type(fields)
        return lambda schema: self._link(held) if held is not None and schema is last else ""

    def _format_lifecycle(self, fields: VersionedSchemas, places: Sequence[ElementKey], since: str) -> Iterator[str]:
        channels = group_versions(fields, lambda schema: (schema.facts or {}).get(CHANNEL, ""))
        yield from (f"channel **{channel}**{_format_versions(versions)}" for versions, channel in channels if channel)
        told = group_versions(fields, is_deprecated)
        deprecated = any(each for _, each in told)
        life = self._lifecycles.find_lifecycle(places, deprecated=deprecated)
        if life.since != since:
            yield f"since {life.since}"
        if deprecated:
            versions = next((versions for versions, each in told if each), "")
            yield f"**deprecated**{_format_versions(versions)}{format_deprecation(life)}"

    def _write_description(self, fields: VersionedSchemas) -> Iterator[str]:
        """Write the description of a field, without the description of its type."""
        held = self._types.find_type(fields)

        def get_own_description(schema: Schema) -> str:
            said = get_description(schema)
            last = get_named_type(unwrap_containers(schema)[0])
            return "" if held and last and last.schema and get_description(last.schema) == said else said

        for versions, said in group_versions(fields, get_own_description):
            if said:
                yield from ["", *([f"In {versions}:", ""] if versions else []), *format_prose(said)]

    def _write_constraints(self, fields: VersionedSchemas, places: Sequence[ElementKey]) -> Iterator[str]:
        held = self._types.find_type(fields)
        told = held is not None and not held.is_named
        values = self._write_enum_values(fields, places)
        asked = list(group_lines(fields, lambda schema: self._list_constraints(schema, told=told, values=not values)))
        asked += group_lines(fields, lambda schema: format_rules(schema, told=told))
        if asked or values:
            yield ""
            yield from (f"- in {versions}: {said}" if versions else f"- {said}" for versions, said in asked)
            yield from values

    def _list_constraints(self, schema: Schema, *, told: bool, values: bool) -> list[str]:
        """What a node asks for; `told` where the section of its type tells all that it does itself.

        `write_values` asks for the values of an enum, unless its type tells them.
        """
        held = get_named_type(schema)
        last, _ = unwrap_containers(schema)
        base = schema if told and last is schema and held is None else held.schema if held else None
        made = format_constraints(schema, base)
        choices = last.get("enum")
        if choices and values:
            made.insert(0, f"{'' if last is schema else 'each '}{_format_choices(choices)}")
        default = format_default(schema)
        return [*made, f"default {default}"] if default else made

    def _write_enum_values(self, fields: VersionedSchemas, places: Sequence[ElementKey]) -> list[str]:
        """The values of an enum one by one below the field, where there is more to tell of them."""
        held = {version: unwrap_containers(schema)[0] for version, schema in fields.items()}
        steps = max((unwrap_containers(schema)[1] for schema in fields.values()), key=len)
        below = [(kind, version, path + steps) for kind, version, path in places]
        if self._types.find_type(fields) is not None or not self._has_value_details(held, below):
            return []
        return [f"- {'each ' if steps else ''}one of", *_indent(self.write_values(held, below))]

    def _has_value_details(self, editions: VersionedSchemas, places: Sequence[ElementKey]) -> bool:
        facts = [schema.facts or {} for schema in editions.values()]
        if any(each.get(DEPRECATED_VALUES) or each.get(CHANNEL_VALUES) for each in facts):
            return True
        since = self._lifecycles.find_lifecycle(places, deprecated=False).since
        return any(self._find_value_release(name, places) != since for name in _collect_enum_values(editions))

    def _find_value_release(self, name: object, places: Sequence[ElementKey]) -> str:
        """The release that a value of an enum is in since."""
        return self._lifecycles.find_lifecycle(places, deprecated=False, value=str(name)).since

    def write_values(self, editions: VersionedSchemas, places: Sequence[ElementKey]) -> list[str]:
        """Write the values of an enum with their descriptions."""
        since = self._lifecycles.find_lifecycle(places, deprecated=False).since
        return [f"- {self._format_value(name, editions, places, since)}" for name in _collect_enum_values(editions)]

    def _format_value(self, name: object, editions: VersionedSchemas, places: Sequence[ElementKey], since: str) -> str:
        every = list(editions)
        held = {version: each for version, each in editions.items() if name in (each.get("enum") or ())}
        newest = held[list(held)[-1]].facts or {}
        notes = [format_version_span(list(held), every)] if len(held) < len(every) else []
        channels = group_versions(held, lambda schema: ((schema.facts or {}).get(CHANNEL_VALUES) or {}).get(name, ""))
        notes += [f"channel **{channel}**{_format_versions(versions)}" for versions, channel in channels if channel]
        if (came := self._find_value_release(name, places)) != since:
            notes.append(f"since {came}")
        told = group_versions(held, lambda schema: name in ((schema.facts or {}).get(DEPRECATED_VALUES) or ()))
        life = self._lifecycles.find_lifecycle(places, deprecated=any(each for _, each in told), value=str(name))
        notes += [
            f"**deprecated**{_format_versions(versions)}{format_deprecation(life)}" for versions, each in told if each
        ]
        known: NamedType | None = newest.get(TYPE)
        said = known.values().get(str(name), "") if known else ""
        end = f": {format_sentence(said)}" if said else ""
        return _SEPARATOR.join([code(_format_enum_value(name)), *notes]) + end

    def _write_inner_fields(self, owner: FieldListContext, fields: VersionedSchemas) -> list[str]:
        """The fields of an object that is told where it stands."""
        held = {version: unwrap_containers(schema)[0] for version, schema in fields.items()}
        if self._types.find_type(fields) is not None or not any(schema.properties for schema in held.values()):
            return []
        steps = max((unwrap_containers(schema)[1] for schema in fields.values()), key=len)
        places = [(kind, version, path + steps) for kind, version, path in owner.places]
        return self.write_fields(owner.replace(versions=list(fields), places=places), held)


def _format_versions(versions: str) -> str:
    return f" in {versions}" if versions else ""


def format_rules(schema: Schema, *, told: bool) -> list[str]:
    """The CEL rules of a node, and of what it holds, in words, each with its expression; see `told` of words."""
    last = unwrap_containers(schema)[0]
    found = [("", rule) for rule in schema.rules] if schema is not last else []
    held = get_named_type(last)
    known = held.schema.rules if held and held.schema else last.rules if told else ()
    found += [("each: " if last is not schema else "", rule) for rule in last.rules if rule not in known]
    return [f"{each}{_format_rule(rule)}" for each, rule in found]


def _format_rule(rule: ValidationRule) -> str:
    if "".join(rule.rule.split()) in _IMMUTABLE_RULES and "immutable" in (rule.message or "immutable").lower():
        return "immutable once set"
    update = "on update, " if re.search(r"\boldSelf\b", rule.rule) else ""
    said = format_sentence(rule.message) if rule.message else "rule"
    return f"{update}{said}: {code(rule.rule)}"


def format_own_rules(schema: Schema) -> list[str]:
    """The rules of an object as those of its section."""
    return [_format_rule(rule) for rule in schema.get(VALIDATIONS) or ()]


def get_description(schema: Schema) -> str:
    """Return the description of a node without deprecation notes."""
    text: str = schema.get("description") or ""
    facts = schema.facts
    while facts and (found := _DEPRECATION_NOTE.search(text)):
        text = text[: found.start()]
    return text.strip("\n")


def format_deprecation(life: Lifecycle) -> str:
    """Format the deprecating release and the earliest removal."""
    if not life.deprecated:
        return ""
    return f" since {life.deprecated}{f', can be removed {life.removal}' if life.removal else ''}"


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


def _collect_enum_values(editions: VersionedSchemas) -> list[object]:
    """The values of an enum, those of the newest version first."""
    every = (name for version in reversed(list(editions)) for name in editions[version].get("enum") or ())
    return list(dict.fromkeys(every))


def _format_choices(choices: Sequence[object]) -> str:
    given = ", ".join(map(code, map(_format_enum_value, choices[:_MAX_VALUES])))
    more = len(choices) - _MAX_VALUES
    return f"{'one of' if len(choices) > 1 else 'always'} {given}{f' and {more} more' if more > 0 else ''}"


def _format_enum_value(value: object) -> str:
    return value if isinstance(value, str) and value else format_json(value)


def _indent(block: Sequence[str]) -> list[str]:
    return [f"  {line}" if line else "" for line in block]
