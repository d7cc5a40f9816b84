"""Samples to YAML: in full ones each field stands below what its schema says of it, in a sentence and a few words.

Fields keep the order of the object. What a schema leaves open is written as it is.
"""

from __future__ import annotations

import json
import re
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from itertools import takewhile
from typing import Any

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.base.yamlwrite import dump
from protoc_gen_crd.crd.types import Crd, Version
from protoc_gen_crd.schema.deprecation import is_deprecated, says_so
from protoc_gen_crd.schema.types import CHANNEL, DEPRECATED, EMBEDDED, Json, Schema

MADE = "# Made by protoc-gen-crd; without this line the file is yours, and only checked."

_WIDTH = 100
_NARROWEST = 40
_LONGEST_SENTENCE = 300
_LONGEST_PATTERN = 40
_LONGEST_VALUE = 60
_MOST_CHOICES = 12
_COUNTED = (
    ("maxLength", "characters", 100),
    ("maxItems", "items", 1000),
    ("maxProperties", "entries", 1000),
)  # if less
_LARGEST = [2**bits - 1 for bits in (31, 32, 63, 64)]  # what a type can hold is no bound of the field
_UNSAID = ("apiVersion", "kind", "metadata", "status")  # of objects, which all have them
_ABBREVIATED = re.compile(r"\b(?:e\.g|i\.e|etc|vs|cf|resp|no|approx)\.\Z", re.IGNORECASE)
_EMPTY = re.compile(
    r"\A(?:(?:\[?(?:Optional|Required)\]?[.:]|\+optional|\+required) *)+", re.IGNORECASE
)  # is told otherwise
_DANGLING = re.compile(r",? *\b(?:e\.g\.|for example|for instance|such as|as follows|i\.e\.)[,:]?\Z", re.IGNORECASE)


class _Line(Record):
    """A line of text, which may be a comment."""

    text: str
    comment: bool = False


def sample_text(obj: Mapping[str, Json], crd: Crd, version: Version, *, full: bool, header: str = "") -> str:
    """The YAML of an object as a file; with comments if it is a full sample."""
    above = [*(f"# {line}".rstrip() for line in header.splitlines()), MADE]
    said = "" if not version.deprecated else version.deprecation_warning or f"{crd.group}/{version.name} is deprecated."
    schema = version.schema if full else None
    lines = [*_wrapped(said, 0), *_mapping(obj, schema, 0)]
    return "".join([*(f"{line}\n" for line in above), *(f"{line.text}\n" for line in lines)])


def is_made(text: str) -> bool:
    """Whether a file was made, and nobody has taken it over."""
    return MADE in takewhile(lambda line: line.startswith("#"), text.splitlines())


def _mapping(obj: Mapping[str, Json], schema: Schema | None, indent: int) -> Iterator[_Line]:
    required = frozenset(() if schema is None else schema.get("required") or ())
    unsaid = _UNSAID if not indent or (schema is not None and EMBEDDED in schema) else ()
    for key, value in obj.items():
        child = _child(schema, key)
        if child is not None and key not in unsaid:
            yield from _comments(child, indent, required=key in required)
        yield from _member(key, value, child, indent)
    if schema is not None:
        yield from _wrapped(_hidden(obj, schema, unsaid), indent)


def _hidden(obj: Mapping[str, Json], schema: Schema, unsaid: Sequence[str]) -> str:
    """Which fields a sample does not have."""
    names = [key for key in schema.properties if key not in obj and key not in unsaid]
    shown = [f"{name} (deprecated)" if is_deprecated(schema.properties[name]) else name for name in names]
    return f"Not shown: {', '.join(shown)}." if shown else ""


def _child(schema: Schema | None, key: str) -> Schema | None:
    if schema is None:
        return None
    additional = schema.additional
    return schema.properties.get(key) or (additional if isinstance(additional, Schema) else None)


def _member(key: str, value: Json, schema: Schema | None, indent: int) -> Iterator[_Line]:
    name = dump({key: {}}, indent=indent).removesuffix(" {}\n")
    nested = value and isinstance(value, dict | list) and not name.lstrip().startswith("?")
    if not nested:
        yield from _plain({key: value}, indent)
        return
    yield _Line(name)
    if isinstance(value, dict):
        yield from _mapping(value, schema, indent + 2)
    elif isinstance(value, list):
        yield from _sequence(value, schema.items if schema else None, indent)


def _sequence(items: Sequence[Json], schema: Schema | None, indent: int) -> Iterator[_Line]:
    """A list, of which the first item is commented. Comments on the first member of an item stand above its dash."""
    for index, item in enumerate(items):
        if not isinstance(item, dict) or not item or schema is None:
            yield from _plain([item], indent)
            continue
        dash = f"{' ' * indent}- "
        for line in _mapping(item, schema if index == 0 else None, indent + 2):
            if dash and line.comment:
                yield line.replace(text=line.text[2:])
            else:
                yield line.replace(text=dash + line.text[indent + 2 :]) if dash else line
                dash = ""


def _plain(value: object, indent: int) -> Iterator[_Line]:
    yield from (_Line(line) for line in dump(value, indent=indent).removesuffix("\n").split("\n"))


def _comments(schema: Schema, indent: int, *, required: bool) -> Iterator[_Line]:
    said = [sentence(schema.get("description") or ""), *_words(schema, required=required)]
    yield from _wrapped(" ".join(filter(None, said)), indent)


def _wrapped(text: str, indent: int) -> Iterator[_Line]:
    start = " " * indent + "# "
    for line in textwrap.wrap(
        text, max(_WIDTH - len(start), _NARROWEST), break_long_words=False, break_on_hyphens=False
    ):
        yield _Line(start + line, comment=True)


def sentence(description: str) -> str:
    """The first sentence of a description, on one line, with a stop behind it."""
    paragraph = " ".join(re.split(r"\n\s*(?:\n|[-*+] |1[.)] )", description.strip(), maxsplit=1)[0].split())
    paragraph = _EMPTY.sub("", paragraph) or paragraph
    found = paragraph
    for stop in re.finditer(r"[.!?](?=\s)", paragraph):
        if not _ABBREVIATED.search(paragraph[: stop.end()]):
            found = paragraph[: stop.end()]
            break
    found = _DANGLING.sub("", "".join(char for char in found if char.isprintable()))
    if len(found) > _LONGEST_SENTENCE:
        return textwrap.shorten(found, _LONGEST_SENTENCE, placeholder=" ...")
    return found if not found or found[-1] in ".!?:;" else f"{found}."


def _words(schema: Schema, *, required: bool) -> Iterator[str]:
    """What the keywords of a node ask for, a few words each."""
    facts = schema.facts or {}
    if facts.get(DEPRECATED) and not says_so(schema):
        yield "Deprecated."
    if facts.get(CHANNEL):
        yield f"Channel {facts[CHANNEL]}."
    if required:
        yield "Required."
    yield from _choices(schema)
    yield from _range(schema)
    for keyword, words, largest in _COUNTED:
        if (schema.get(keyword) or largest) < largest:
            yield f"At most {schema.get(keyword)} {words}."
    pattern = schema.get("pattern")
    if pattern and len(pattern) <= _LONGEST_PATTERN and pattern.isprintable():
        yield f"Matches {pattern}."
    default = schema.get("default")
    if (
        default is not None
        and not isinstance(default, dict | list)
        and len(shown := json.dumps(default, ensure_ascii=False)) <= _LONGEST_VALUE
    ):
        yield f"Default: {default if isinstance(default, str) and default else shown}."


def _choices(schema: Schema) -> Iterator[str]:
    choices = schema.get("enum") or ()
    if choices:
        shown = [each if isinstance(each, str) and each else json.dumps(each) for each in choices[:_MOST_CHOICES]]
        more = f" and {len(choices) - _MOST_CHOICES} more" if len(choices) > _MOST_CHOICES else ""
        yield f"One of {', '.join(shown)}{more}."


def _range(schema: Schema) -> Iterator[str]:
    least, most = schema.get("minimum"), schema.get("maximum")
    if most in _LARGEST:
        least, most = (None if least == 0 or least == -most - 1 else least), None
    least = None if least == 0 and most is None else least
    if least is not None and most is not None:
        yield f"{_number(least)} to {_number(most)}."
    elif least is not None or most is not None:
        yield f"At least {_number(least)}." if most is None else f"At most {_number(most)}."


def _number(value: Any) -> str:
    return dump(value).strip()
