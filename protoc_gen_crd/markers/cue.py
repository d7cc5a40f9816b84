"""Istio's tags, `+cue-gen:Kind:key:value`, onto message Resource. One row a key.

Values that hold a list of `key=value` are read with quotes in mind: a value goes on to the next `,key=`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from protoc_gen_crd.base.suggestions import suggestion
from protoc_gen_crd.markers.aliases import THIS_VERSION
from protoc_gen_crd.markers.comments import StandingLine
from protoc_gen_crd.markers.marker import Members
from protoc_gen_crd.markers.own import Report
from protoc_gen_crd.markers.scanner import integer

_KEY = re.compile(r"[ \t]*([A-Za-z0-9][-A-Za-z0-9_./]*)[ \t]*=[ \t]*")
_NEXT = re.compile(r",[ \t]*(?=[A-Za-z0-9][-A-Za-z0-9_./]*[ \t]*=)")

_QUOTES = "\"'`"
_NONE = "a value must follow the key, found none"

Pairs = list[tuple[str, str]]


class _BadTagError(Exception):
    """A tag's value is not what it must be: requirement and found what; `meant` is what it says all the same."""

    def __init__(self, message: str, hint: str = "", rule: str = "marker-value", meant: str = "") -> None:
        super().__init__(message)
        self.hint = hint
        self.rule = rule
        self.meant = {"storage_version": meant} if meant else {}


def read_pairs(text: str) -> Pairs:
    """`a=b,c="d, e"` as pairs. Raises ValueError, with the text that is no `key=value`."""
    pairs: Pairs = []
    at = 0
    while at < len(text):
        key = _KEY.match(text, at)
        if key is None:
            raise ValueError(text[at:])
        at = key.end()
        quote = text[at : at + 1]
        if (
            quote
            and quote in _QUOTES
            and (end := text.find(quote, at + 1)) > 0
            and text[end + 1 : end + 2].strip(" ,") == ""
        ):
            pairs.append((key[1], text[at + 1 : end]))
            at = _after_comma(text, end + 1)
            continue
        following = _NEXT.search(text, at)
        pairs.append((key[1], text[at : following.start() if following else len(text)].strip()))
        at = following.end() if following else len(text)
    return pairs


def _after_comma(text: str, at: int) -> int:
    rest = text[at:].lstrip()
    if rest and not rest.startswith(","):
        raise ValueError(rest)
    return len(text) - len(rest) + 1 if rest else len(text)


def _pairs(value: str) -> Pairs:
    if not value:
        raise _BadTagError(_NONE)
    try:
        pairs = read_pairs(value)
    except ValueError as error:
        raise _BadTagError(
            f'a list must be of the form key=value,key=value, found "{error}"', rule="marker-parse"
        ) from None
    for _, text in pairs:
        if text[:1] in _QUOTES and text and text.count(text[0]) == 1:
            raise _BadTagError(
                f"a value must end with the quote that it starts with, found {text}", rule="marker-parse"
            )
    return pairs


def _mapping(value: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for key, text in _pairs(value):
        if found.setdefault(key, text) != text:
            raise _repeated(key)
    return found


def _repeated(key: str) -> _BadTagError:
    return _BadTagError(f'a key must stand once, found "{key}" twice', rule="marker-repeated")


def _redundant(key: str, value: str) -> list[str]:
    """The keys that stand several times in a list of pairs which is good otherwise, so with the same value."""
    names = [name for name, _ in read_pairs(value)] if key in _LISTS else []
    return [name for name in dict.fromkeys(names) if names.count(name) > 1]


def _names(text: str) -> list[str]:
    names = [part.strip() for part in text.split(",")]
    if not all(names):
        raise _BadTagError(f'a list must hold no empty item, found "{text}"')
    return names


def _mapped(value: str, members: Mapping[str, str]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, text in _pairs(value):
        if key not in members:
            raise _BadTagError(
                f'a key must be one of {", ".join(sorted(members))}, found "{key}"',
                suggestion(key, members),
                "marker-unknown",
            )
        if not text:
            raise _BadTagError(f'a key must have a value, found none for "{key}"')
        if found.setdefault(members[key], text) != text:
            raise _repeated(key)
    return found


_RESOURCE = {
    "categories": "categories",
    "kind": "kind",
    "listKind": "list_kind",
    "plural": "plural",
    "shortNames": "short_names",
    "singular": "singular",
}
_COLUMN = {
    "JSONPath": "json_path",
    "description": "description",
    "format": "format",
    "name": "name",
    "priority": "priority",
    "type": "type",
}


def _resource(value: str) -> dict[str, Any]:
    found = _mapped(value, _RESOURCE)
    for member in ("categories", "short_names"):
        if member in found:
            found[member] = _names(found[member])
    return found


def _column(value: str) -> dict[str, Any]:
    found = _mapped(value, _COLUMN)
    if "priority" in found:
        priority = integer(found["priority"])
        if priority is None:
            raise _BadTagError(f'priority must be an integer, found "{found["priority"]}"')
        found["priority"] = priority
    return {"columns": [found]}


def _subresource(value: str) -> dict[str, Any]:
    name, equals, message = value.partition("=")
    if name.strip() != "status":
        raise _BadTagError(
            f'subresource must be "status" or "status=<message>", found "{value}"', suggestion(name, ["status"])
        )
    status = {"status": message.strip()} if equals else {}
    return {"status_subresource": True, **status}


def _spec(value: str) -> dict[str, Any]:
    if value != "required":
        raise _BadTagError(f'spec must be "required", found "{value}"', suggestion(value, ["required"]))
    return {"spec_required": True}


def _scope(value: str) -> dict[str, Any]:
    if value not in ("Namespaced", "Cluster"):
        raise _BadTagError(
            f'scope must be "Cluster" or "Namespaced", found "{value}"', suggestion(value, ["Cluster", "Namespaced"])
        )
    return {"scope": value}


def _preserve(value: str) -> dict[str, Any]:
    if value in ("false", "true"):
        return {"preserve_unknown_fields": [""] if value == "true" else []}
    if not value:
        raise _BadTagError(_NONE)
    return {"preserve_unknown_fields": _names(value)}


def _text(member: str) -> Callable[[str], dict[str, Any]]:
    def read(value: str) -> dict[str, Any]:
        if not value:
            raise _BadTagError(_NONE)
        return {member: value}

    return read


def _versions(value: str) -> dict[str, Any]:
    if not value:
        raise _BadTagError("at least one version must be listed, found none")
    return {"versions": _names(value)}


def _storage(value: str) -> dict[str, Any]:
    """The version of the message without a value, else the one that is named; what is like a flag is no name."""
    if value.lower() in ("false", "true"):
        problem = f'storageVersion must have no value, or be the name of a version, found "{value}"'
        if value.lower() == "true":
            raise _BadTagError(problem, "write it without a value", meant=THIS_VERSION)
        raise _BadTagError(problem, "leave the tag out")
    return {"storage_version": value or THIS_VERSION}


KEYS: dict[str, Callable[[str], dict[str, Any]]] = {
    "annotations": lambda value: {"annotations": _mapping(value)},
    "deprecationReplacement": lambda value: {"deprecated_versions": [_text("replacement")(value)]},
    "groupName": _text("group"),
    "labels": lambda value: {"labels": _mapping(value)},
    "preserveUnknownFields": _preserve,
    "printerColumn": _column,
    "releaseChannel": _text("channel"),
    "resource": _resource,
    "scope": _scope,
    "spec": _spec,
    "storageVersion": _storage,
    "subresource": _subresource,
    "version": lambda value: {"versions": [_text("version")(value)["version"]]},
    "versions": _versions,
}
_LISTS = ("annotations", "labels", "printerColumn", "resource")  # keys whose values are pairs


def _parts(text: str) -> list[str]:
    """The tag's name, kind, key and value; an empty kind where a key that there is stands in its place."""
    parts = text.split(":", 3)
    if len(parts) > 1 and parts[1].strip() in KEYS and (len(parts) < 3 or parts[2].strip() not in KEYS):
        name, *rest = text.split(":", 2)
        return [name, "", *rest]
    return parts


def read(line: StandingLine, report: Report) -> Sequence[Members]:
    """The members that a tag gives; nothing, with a finding, if it cannot be read."""
    parts = _parts(line.text)
    if len(parts) < 3 or not parts[2].strip():
        report("marker-parse", f"a tag must be +cue-gen:Kind:key:value, found {line.text}", line, 0)
        return ()
    kind, key, value = parts[1], parts[2].strip(), (parts[3] if len(parts) > 3 else "").strip()
    offset = line.text.index(parts[2], len(parts[0]) + len(kind) + 1)
    if not kind.strip():
        named = line.element.name if line.element and line.letter == "T" else "<kind>"
        hint = f'write "+cue-gen:{named}:..."'
        report("resource-kind", "a tag must name the kind of its message, found none", line, len(parts[0]), hint=hint)
    reader = KEYS.get(key)
    if reader is None:
        report(
            "marker-unknown",
            f'a tag\'s key must be one that exists, found "{key}"',
            line,
            offset,
            hint=suggestion(key, KEYS),
        )
        return ()
    if line.letter == "F" and key != "releaseChannel":
        report("marker-target", f'"+cue-gen:{kind}:{key}" must stand on a message, found on a field', line, 0)
        return ()
    values = _read(reader, key, value, line, offset + len(key) + 1, report)
    return (Members("Resource", values, line.text, line.at, kind if kind.strip() else ""),) if values else ()


def _read(
    reader: Callable[[str], dict[str, Any]], key: str, value: str, line: StandingLine, offset: int, report: Report
) -> dict[str, Any]:
    """The members that a value gives, none if it is not what it must be."""
    try:
        values = reader(value)
    except _BadTagError as error:
        report(error.rule, str(error), line, offset, hint=error.hint)
        return error.meant
    for name in _redundant(key, value):
        report("marker-redundant", f'a key should stand once, found "{name}" twice', line, offset)
    return values
