"""The fields of an object as a list, each with what is said of it and what it asks for; and the values of enums."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.reference.lives import Life, Lives, Place
from protoc_gen_crd.reference.model import agreed, lines, span
from protoc_gen_crd.reference.prose import code, prose, sentence
from protoc_gen_crd.reference.types import Editions, Type, Types, element, members, named
from protoc_gen_crd.reference.words import constraints, default_words, shown, type_words
from protoc_gen_crd.schema.deprecation import is_deprecated
from protoc_gen_crd.schema.types import (
    CHANNEL,
    CHANNEL_VALUES,
    DEPRECATED_VALUES,
    TYPE,
    VALIDATIONS,
    Named,
    Rule,
    Schema,
)

_DOT = " · "
_NOTED = re.compile(r"(?:\A|\n\n)(?:Deprecated\.|Deprecated values: [^\n]*\.)\Z")
_FIXED = ("self==oldSelf", "oldSelf==self")
_SHOWN_VALUES = 40


class Owner(Record):
    """Whose fields are listed: how their anchors begin, the versions there are, the places that they stand below."""

    anchor: str
    versions: Sequence[str]
    places: Sequence[Place]
    since: str = ""


class Fields:
    """Lists of fields. `link` gives the link to the section of a type, `anchor` an anchor that nothing else has."""

    def __init__(
        self, types: Types, lives: Lives, link: Callable[[Type], str], anchor: Callable[[str, str], str]
    ) -> None:
        self._types = types
        self._lives = lives
        self._link = link
        self._anchor = anchor

    def listed(self, owner: Owner, editions: Editions, left_out: Sequence[str] = ()) -> list[str]:
        """The fields of an object."""
        made: list[str] = []
        last = "status" if left_out else ""
        for name, fields in sorted(members(editions).items(), key=lambda member: member[0] == last):
            if name not in left_out:
                required = {version for version in fields if name in (editions[version].get("required") or ())}
                made += [*self._field(owner, name, fields, required), ""]
        return made[:-1]

    def _field(self, owner: Owner, name: str, fields: Editions, required: set[str]) -> Iterator[str]:
        anchor = self._anchor(owner.anchor, name)
        places = [(kind, version, f"{path}.{name}" if path else name) for kind, version, path in owner.places]
        facts = [
            self._type(fields),
            *_required(fields, required),
            *_span(fields, owner),
            *self._life(fields, places, owner.since),
        ]
        yield f'- <a id="{anchor}"></a>**{code(name)}** {_DOT.join(facts)}'
        body = [*self._described(fields), *self._asks(fields, places)]
        inner = self._inner(owner.replace(anchor=anchor, places=places), fields)
        yield from _deeper([*body, *(["", *inner] if body and inner else inner)])

    def _type(self, fields: Editions) -> str:
        told = agreed(fields, lambda schema: type_words(schema, self._name(schema, fields)))
        return ", ".join(f"{words} in {versions}" if versions else words for versions, words in told)

    def _name(self, whole: Schema, fields: Editions) -> Callable[[Schema], str]:
        """The link of the type that a field is of in the end; other nodes on the way to it have none."""
        last = element(whole)[0]
        held = self._types.of(fields)
        return lambda schema: self._link(held) if held is not None and schema is last else ""

    def _life(self, fields: Editions, places: Sequence[Place], since: str) -> Iterator[str]:
        channels = agreed(fields, lambda schema: (schema.facts or {}).get(CHANNEL, ""))
        yield from (f"channel **{channel}**{_within(versions)}" for versions, channel in channels if channel)
        told = agreed(fields, is_deprecated)
        deprecated = any(each for _, each in told)
        life = self._lives.of(places, deprecated=deprecated)
        if life.since != since:
            yield f"since {life.since}"
        if deprecated:
            versions = next((versions for versions, each in told if each), "")
            yield f"**deprecated**{_within(versions)}{ending(life)}"

    def _described(self, fields: Editions) -> Iterator[str]:
        """What is said of a field itself: what is said of its type stands there."""
        held = self._types.of(fields)

        def own(schema: Schema) -> str:
            said = description(schema)
            last = named(element(schema)[0])
            return "" if held and last and last.schema and description(last.schema) == said else said

        for versions, said in agreed(fields, own):
            if said:
                yield from ["", *([f"In {versions}:", ""] if versions else []), *prose(said)]

    def _asks(self, fields: Editions, places: Sequence[Place]) -> Iterator[str]:
        held = self._types.of(fields)
        told = held is not None and not held.named
        values = self._values(fields, places)
        asked = list(lines(fields, lambda schema: self._words(schema, told=told, values=not values)))
        asked += lines(fields, lambda schema: rules(schema, told=told))
        if asked or values:
            yield ""
            yield from (f"- in {versions}: {said}" if versions else f"- {said}" for versions, said in asked)
            yield from values

    def _words(self, schema: Schema, *, told: bool, values: bool) -> list[str]:
        """What a node asks for; `told` where the section of its type tells all that it does itself.

        `values` asks for the values of an enum, unless its type tells them.
        """
        held = named(schema)
        last, _ = element(schema)
        base = schema if told and last is schema and held is None else held.schema if held else None
        made = constraints(schema, base)
        choices = last.get("enum")
        if choices and values:
            made.insert(0, f"{'' if last is schema else 'each '}{_choices(choices)}")
        default = default_words(schema)
        return [*made, f"default {default}"] if default else made

    def _values(self, fields: Editions, places: Sequence[Place]) -> list[str]:
        """The values of an enum one by one below the field, where there is more to tell of them."""
        held = {version: element(schema)[0] for version, schema in fields.items()}
        steps = max((element(schema)[1] for schema in fields.values()), key=len)
        below = [(kind, version, path + steps) for kind, version, path in places]
        if self._types.of(fields) is not None or not self._tells_more(held, below):
            return []
        return [f"- {'each ' if steps else ''}one of", *_deeper(self.values(held, below))]

    def _tells_more(self, editions: Editions, places: Sequence[Place]) -> bool:
        facts = [schema.facts or {} for schema in editions.values()]
        if any(each.get(DEPRECATED_VALUES) or each.get(CHANNEL_VALUES) for each in facts):
            return True
        since = self._lives.of(places, deprecated=False).since
        return any(self._came(name, places) != since for name in _names(editions))

    def _came(self, name: object, places: Sequence[Place]) -> str:
        """The release that a value of an enum is in since."""
        return self._lives.of(places, deprecated=False, value=str(name)).since

    def values(self, editions: Editions, places: Sequence[Place]) -> list[str]:
        """The values of an enum, with what is said of each."""
        since = self._lives.of(places, deprecated=False).since
        return [f"- {self._value(name, editions, places, since)}" for name in _names(editions)]

    def _value(self, name: object, editions: Editions, places: Sequence[Place], since: str) -> str:
        every = list(editions)
        held = {version: each for version, each in editions.items() if name in (each.get("enum") or ())}
        newest = held[list(held)[-1]].facts or {}
        notes = [span(list(held), every)] if len(held) < len(every) else []
        channels = agreed(held, lambda schema: ((schema.facts or {}).get(CHANNEL_VALUES) or {}).get(name, ""))
        notes += [f"channel **{channel}**{_within(versions)}" for versions, channel in channels if channel]
        if (came := self._came(name, places)) != since:
            notes.append(f"since {came}")
        told = agreed(held, lambda schema: name in ((schema.facts or {}).get(DEPRECATED_VALUES) or ()))
        life = self._lives.of(places, deprecated=any(each for _, each in told), value=str(name))
        notes += [f"**deprecated**{_within(versions)}{ending(life)}" for versions, each in told if each]
        known: Named | None = newest.get(TYPE)
        said = known.values().get(str(name), "") if known else ""
        return f"{code(_text(name))}{_DOT if notes else ''}{_DOT.join(notes)}{f': {sentence(said)}' if said else ''}"

    def _inner(self, owner: Owner, fields: Editions) -> list[str]:
        """The fields of an object that is told where it stands."""
        held = {version: element(schema)[0] for version, schema in fields.items()}
        if self._types.of(fields) is not None or not any(schema.properties for schema in held.values()):
            return []
        steps = max((element(schema)[1] for schema in fields.values()), key=len)
        places = [(kind, version, path + steps) for kind, version, path in owner.places]
        return self.listed(owner.replace(versions=list(fields), places=places), held)


def _within(versions: str) -> str:
    return f" in {versions}" if versions else ""


def rules(schema: Schema, *, told: bool) -> list[str]:
    """The CEL rules of a node, and of what it holds, in words, each with its expression; see `told` of words."""
    last = element(schema)[0]
    found = [("", rule) for rule in schema.rules] if schema is not last else []
    held = named(last)
    known = held.schema.rules if held and held.schema else last.rules if told else ()
    found += [("each: " if last is not schema else "", rule) for rule in last.rules if rule not in known]
    return [f"{each}{_rule(rule)}" for each, rule in found]


def _rule(rule: Rule) -> str:
    if "".join(rule.rule.split()) in _FIXED and "immutable" in (rule.message or "immutable").lower():
        return "cannot be changed once it is set"
    update = "on update, " if re.search(r"\boldSelf\b", rule.rule) else ""
    said = sentence(rule.message) if rule.message else "this must hold"
    return f"{update}{said}: {code(rule.rule)}"


def own_rules(schema: Schema) -> list[str]:
    """The rules of an object as those of its section."""
    return [_rule(rule) for rule in schema.get(VALIDATIONS) or ()]


def description(schema: Schema) -> str:
    """What is said of a node, less the lines that tell what is deprecated."""
    text: str = schema.get("description") or ""
    facts = schema.facts
    while facts and (found := _NOTED.search(text)):
        text = text[: found.start()]
    return text.strip("\n")


def ending(life: Life) -> str:
    """Since when something is deprecated, and when it may go."""
    if not life.deprecated:
        return ""
    return f" since {life.deprecated}{f', may go {life.removal}' if life.removal else ''}"


def _required(fields: Mapping[str, Schema], required: set[str]) -> list[str]:
    if not required:
        return []
    return (
        ["required"]
        if len(required) == len(fields)
        else [f"required in {', '.join(reversed([v for v in fields if v in required]))}"]
    )


def _span(fields: Editions, owner: Owner) -> list[str]:
    return [span(list(fields), list(owner.versions))] if len(fields) < len(owner.versions) else []


def _names(editions: Editions) -> list[object]:
    """The values of an enum, those of the newest version first."""
    every = (name for version in reversed(list(editions)) for name in editions[version].get("enum") or ())
    return list(dict.fromkeys(every))


def _choices(choices: Sequence[object]) -> str:
    given = ", ".join(map(code, map(_text, choices[:_SHOWN_VALUES])))
    more = len(choices) - _SHOWN_VALUES
    return f"{'one of' if len(choices) > 1 else 'always'} {given}{f' and {more} more' if more > 0 else ''}"


def _text(value: object) -> str:
    return value if isinstance(value, str) and value else shown(value)


def _deeper(block: Sequence[str]) -> list[str]:
    return [f"  {line}" if line else "" for line in block]
