"""Which keywords of a schema take less than those of another one: the one table for releases and for versions.

It knows the keywords of two nodes as plain data, and nothing of what is below them.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Collection, Iterator, Mapping
from fractions import Fraction
from typing import Any

from protoc_gen_crd.schema.codec import Encoded, encode
from protoc_gen_crd.schema.counts import Count, follows, of_junctor, of_rule
from protoc_gen_crd.schema.lacking import junctors, lacking
from protoc_gen_crd.schema.types import EMBEDDED, LIST_MAP_KEYS, LIST_TYPE, VALIDATIONS, Schema

Facts = Mapping[str, Any]
_WIDER_FORMATS = {"int32": ("int64", "float", "double"), "int64": ("float", "double"), "float": ("double",)}
_BELOW = ("properties", "items", "additionalProperties", "required")
_PROSE = ("description", "title", "example", "externalDocs")


def said(schema: Schema) -> Facts:
    """What a schema says of its own values."""
    own = {keyword: value for keyword, value in schema.keywords.items() if keyword not in (*_BELOW, *_PROSE)}
    return encode(Schema(own), Encoded())


def narrower(
    had: Facts, has: Facts, came: Collection[str] = (), always: Collection[str] = ()
) -> Iterator[tuple[str, Any, Any]]:
    """The keywords that take less of objects without the fields that came, with what they were and are.

    `always` are fields that these objects have in any case.
    """
    rest = lacking(has, came, always)
    yield from ((name, had.get(name), rest.get(name)) for name, less in _NARROWER.items() if less(had, rest))
    yield from ((name, None, value) for name, value, _ in new_junctors(had, has, came, always))


def new_junctors(
    had: Facts, has: Facts, came: Collection[str], always: Collection[str]
) -> Iterator[tuple[str, Any, list[tuple[str, Any]]]]:
    """The junctors that came: each as it is, and what it asks of objects without the fields that came."""
    known = [each for one in (had, lacking(had, (), always)) for each in junctors(one)]
    counts = [*all_counts(had)]
    for name, value in junctors(has):
        rest = junctors(lacking({name: value}, came, always))
        asked = [each for each in rest if each not in known and not _counted(of_junctor(*each), counts)]
        if (name, value) not in known and asked:
            yield name, value, asked


def all_counts(facts: Facts) -> Iterator[Count]:
    """What is counted of the fields of an object."""
    found = [of_junctor(*each) for each in junctors(facts)]
    found += [of_rule(rule["rule"]) for rule in facts.get(VALIDATIONS) or ()]
    yield from filter(None, found)


def _counted(count: Count | None, known: Collection[Count]) -> bool:
    """Whether something is a count that follows from those that are known."""
    return count is not None and follows(count, known)


def _raised(name: str) -> Callable[[Facts, Facts], bool]:
    return lambda old, new: name in new and (name not in old or new[name] > old[name])


def _lowered(name: str) -> Callable[[Facts, Facts], bool]:
    return lambda old, new: name in new and (name not in old or new[name] < old[name])


def _begun(name: str) -> Callable[[Facts, Facts], bool]:
    return lambda old, new: bool(new.get(name)) and not old.get(name)


def _other(name: str) -> Callable[[Facts, Facts], bool]:
    return lambda old, new: bool(new.get(name)) and new.get(name) != old.get(name)


def _factor(old: Facts, new: Facts) -> bool:
    name = "multipleOf"
    return name in new and (name not in old or bool(_exact(old[name]) % _exact(new[name])))


def _exact(number: Any) -> Fraction:
    return Fraction(str(number))  # 0.3 is three times 0.1, which floating point denies


def _unique(old: Facts, new: Facts) -> bool:
    return new.get(LIST_TYPE) in ("set", "map") and new.get(LIST_TYPE) != old.get(LIST_TYPE)


def _ruled(old: Facts, new: Facts) -> bool:
    known, counts = [rule["rule"] for rule in old.get(VALIDATIONS) or ()], [*all_counts(old)]
    came = [rule["rule"] for rule in new.get(VALIDATIONS) or () if rule["rule"] not in known]
    return not all(_counted(of_rule(rule), counts) for rule in came)


def _refuses_null(old: Facts, new: Facts) -> bool:
    return bool(old.get("nullable")) and not new.get("nullable")


def _formatted(old: Facts, new: Facts) -> bool:
    had, has = old.get("format"), new.get("format")
    return bool(has) and has not in (had, *_WIDER_FORMATS.get(str(had), ()))


def _excludes(name: str, bound: str, less: Callable[[Any, Any], bool]) -> Callable[[Facts, Facts], bool]:
    """Whether a bound is excluded that was not, and is no wider than the old one."""

    def excluded(old: Facts, new: Facts) -> bool:
        wider = bound in old and bound in new and less(new[bound], old[bound])
        return bool(new.get(name)) and not old.get(name) and not wider

    return excluded


def _keyed(old: Facts, new: Facts) -> bool:
    return bool(new.get(LIST_MAP_KEYS)) and set(new[LIST_MAP_KEYS]) != set(old.get(LIST_MAP_KEYS) or ())


_NARROWER: Mapping[str, Callable[[Facts, Facts], Any]] = {
    **{name: _raised(name) for name in ("minimum", "minLength", "minItems", "minProperties")},
    **{name: _lowered(name) for name in ("maximum", "maxLength", "maxItems", "maxProperties")},
    **{name: _begun(name) for name in ("enum", EMBEDDED)},
    "exclusiveMinimum": _excludes("exclusiveMinimum", "minimum", operator.lt),
    "exclusiveMaximum": _excludes("exclusiveMaximum", "maximum", operator.gt),
    "pattern": _other("pattern"),
    "format": _formatted,
    LIST_MAP_KEYS: _keyed,
    "multipleOf": _factor,
    LIST_TYPE: _unique,
    VALIDATIONS: _ruled,
    "nullable": _refuses_null,
}
