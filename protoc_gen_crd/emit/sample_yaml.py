"""Samples as YAML. In full samples, a comment above each field summarizes its description and constraints.

Fields keep the order of the object. Fields without a schema have no comments.
"""

from __future__ import annotations

import json
import re
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from itertools import takewhile
from typing import Any

from protoc_gen_crd.base.escapes import yaml_comment
from protoc_gen_crd.base.record import Record
from protoc_gen_crd.crd.crd import Crd, CrdVersion
from protoc_gen_crd.emit.output_file import format_header
from protoc_gen_crd.schema.deprecated_fields import has_deprecated_description, is_deprecated
from protoc_gen_crd.schema.schema import CHANNEL, DEPRECATED, EMBEDDED, Json, Schema
from protoc_gen_crd.yaml.writer import dump

GENERATED_COMMENT = "# Made by protoc-gen-crd; without this line the file is yours, and only checked."

_WIDTH = 100
_MIN_WIDTH = 40
_MAX_SENTENCE_LENGTH = 300
_MAX_PATTERN_LENGTH = 40
_MAX_VALUE_LENGTH = 60
_MAX_CHOICES = 12
_SIZE_KEYWORDS = (
    ("maxLength", "characters", 100),
    ("maxItems", "items", 1000),
    ("maxProperties", "entries", 1000),
)  # if less
_TYPE_MAXIMA = [2**bits - 1 for bits in (31, 32, 63, 64)]  # the maximum of a type is not a constraint
_UNCOMMENTED_FIELDS = ("apiVersion", "kind", "metadata", "status")  # common fields of all objects
_ABBREVIATION = re.compile(r"\b(?:e\.g|i\.e|etc|vs|cf|resp|no|approx)\.\Z", re.IGNORECASE)
_EMPTY = re.compile(
    r"\A(?:(?:\[?(?:Optional|Required)\]?[.:]|\+optional|\+required) *)+", re.IGNORECASE
)  # stated by the constraints
_DANGLING = re.compile(r",? *\b(?:e\.g\.|for example|for instance|such as|as follows|i\.e\.)[,:]?\Z", re.IGNORECASE)


class _SampleLine(Record):
    """A line of text, which may be a comment."""

    text: str
    comment: bool = False


def format_sample(obj: Mapping[str, Json], crd: Crd, version: CrdVersion, *, full: bool, header: str = "") -> str:
    """Format an object as a YAML file, with comments if it is a full sample."""
    above = f"{format_header(header)}{GENERATED_COMMENT}\n"
    warning = (
        "" if not version.deprecated else version.deprecation_warning or f"{crd.group}/{version.name} is deprecated."
    )
    schema = version.schema if full else None
    lines = [*_wrap_comment(warning, 0), *_format_mapping(obj, schema, 0)]
    return above + "".join([f"{line.text}\n" for line in lines])


def is_generated(text: str) -> bool:
    """Return whether a file has the comment of generated samples."""
    return GENERATED_COMMENT in takewhile(lambda line: line.startswith("#"), text.splitlines())


def _format_mapping(obj: Mapping[str, Json], schema: Schema | None, indent: int) -> Iterator[_SampleLine]:
    required = frozenset(() if schema is None else schema.get("required") or ())
    unsaid = _UNCOMMENTED_FIELDS if not indent or (schema is not None and EMBEDDED in schema) else ()
    for key, value in obj.items():
        child = _get_child(schema, key)
        if child is not None and key not in unsaid:
            yield from _format_comments(child, indent, required=key in required)
        yield from _format_member(key, value, child, indent)
    if schema is not None:
        yield from _wrap_comment(_list_omitted_fields(obj, schema, unsaid), indent)


def _list_omitted_fields(obj: Mapping[str, Json], schema: Schema, unsaid: Sequence[str]) -> str:
    """Return the sentence on the fields that a sample omits."""
    names = [key for key in schema.properties if key not in obj and key not in unsaid]
    shown = [f"{name} (deprecated)" if is_deprecated(schema.properties[name]) else name for name in names]
    return f"Not shown: {', '.join(shown)}." if shown else ""


def _get_child(schema: Schema | None, key: str) -> Schema | None:
    if schema is None:
        return None
    additional = schema.additional
    return schema.properties.get(key) or (additional if isinstance(additional, Schema) else None)


def _format_member(key: str, value: Json, schema: Schema | None, indent: int) -> Iterator[_SampleLine]:
    name = dump({key: {}}, indent=indent).removesuffix(" {}\n")
    nested = value and isinstance(value, dict | list) and not name.lstrip().startswith("?")
    if not nested:
        yield from _format_plain({key: value}, indent)
        return
    yield _SampleLine(name)
    if isinstance(value, dict):
        yield from _format_mapping(value, schema, indent + 2)
    elif isinstance(value, list):
        yield from _format_sequence(value, schema.items if schema else None, indent)


def _format_sequence(items: Sequence[Json], schema: Schema | None, indent: int) -> Iterator[_SampleLine]:
    """Format a list with comments in its first item. Comments on the first field of an item precede its dash."""
    for index, item in enumerate(items):
        if not isinstance(item, dict) or not item or schema is None:
            yield from _format_plain([item], indent)
            continue
        dash = f"{' ' * indent}- "
        for line in _format_mapping(item, schema if index == 0 else None, indent + 2):
            if dash and line.comment:
                yield line.replace(text=line.text[2:])
            else:
                yield line.replace(text=dash + line.text[indent + 2 :]) if dash else line
                dash = ""


def _format_plain(value: object, indent: int) -> Iterator[_SampleLine]:
    yield from (_SampleLine(line) for line in dump(value, indent=indent).removesuffix("\n").split("\n"))


def _format_comments(schema: Schema, indent: int, *, required: bool) -> Iterator[_SampleLine]:
    sentences = [extract_sentence(schema.get("description") or ""), *_describe_keywords(schema, required=required)]
    yield from _wrap_comment(" ".join(filter(None, sentences)), indent)


def _wrap_comment(text: str, indent: int) -> Iterator[_SampleLine]:
    start = " " * indent + "# "
    for line in textwrap.wrap(
        yaml_comment(text), max(_WIDTH - len(start), _MIN_WIDTH), break_long_words=False, break_on_hyphens=False
    ):
        yield _SampleLine(start + line, comment=True)


def extract_sentence(description: str) -> str:
    """Return the first sentence of a description, on one line, with a full stop."""
    paragraph = " ".join(re.split(r"\n\s*(?:\n|[-*+] |1[.)] )", description.strip(), maxsplit=1)[0].split())
    paragraph = _EMPTY.sub("", paragraph) or paragraph
    found = paragraph
    for stop in re.finditer(r"[.!?](?=\s)", paragraph):
        if not _ABBREVIATION.search(paragraph[: stop.end()]):
            found = paragraph[: stop.end()]
            break
    found = _DANGLING.sub("", "".join(char for char in found if char.isprintable()))
    if len(found) > _MAX_SENTENCE_LENGTH:
        return textwrap.shorten(found, _MAX_SENTENCE_LENGTH, placeholder=" ...")
    return found if not found or found[-1] in ".!?:;" else f"{found}."


def _describe_keywords(schema: Schema, *, required: bool) -> Iterator[str]:
    """Yield the constraints of a node as short sentences."""
    facts = schema.facts or {}
    if facts.get(DEPRECATED) and not has_deprecated_description(schema):
        yield "Deprecated."
    if facts.get(CHANNEL):
        yield f"Channel {facts[CHANNEL]}."
    if required:
        yield "Required."
    yield from _describe_choices(schema)
    yield from _describe_range(schema)
    for keyword, words, largest in _SIZE_KEYWORDS:
        if (schema.get(keyword) or largest) < largest:
            yield f"At most {schema.get(keyword)} {words}."
    pattern = schema.get("pattern")
    if pattern and len(pattern) <= _MAX_PATTERN_LENGTH and pattern.isprintable():
        yield f"Matches {pattern}."
    default = schema.get("default")
    if (
        default is not None
        and not isinstance(default, dict | list)
        and len(shown := json.dumps(default, ensure_ascii=False)) <= _MAX_VALUE_LENGTH
    ):
        yield f"Default: {default if isinstance(default, str) and default else shown}."


def _describe_choices(schema: Schema) -> Iterator[str]:
    choices = schema.get("enum") or ()
    if choices:
        shown = [each if isinstance(each, str) and each else json.dumps(each) for each in choices[:_MAX_CHOICES]]
        more = f" and {len(choices) - _MAX_CHOICES} more" if len(choices) > _MAX_CHOICES else ""
        yield f"One of {', '.join(shown)}{more}."


def _describe_range(schema: Schema) -> Iterator[str]:
    least, most = schema.get("minimum"), schema.get("maximum")
    if most in _TYPE_MAXIMA:
        least, most = (None if least == 0 or least == -most - 1 else least), None
    least = None if least == 0 and most is None else least
    if least is not None and most is not None:
        yield f"{_format_number(least)} to {_format_number(most)}."
    elif least is not None or most is not None:
        yield f"At least {_format_number(least)}." if most is None else f"At most {_format_number(most)}."


def _format_number(value: Any) -> str:
    return dump(value).strip()
