"""Parser of Istio's tags, `+cue-gen:Kind:key:value`, which set members of message Resource.

A value in a list of `key=value` ends before the next `,key=` outside quotes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from protoc_gen_crd.base.suggestions import suggest
from protoc_gen_crd.markers.comment_parser import ElementMarkerLine
from protoc_gen_crd.markers.marker import MessageMembers
from protoc_gen_crd.markers.marker_aliases import DIALECT
from protoc_gen_crd.markers.marker_value_scanner import parse_integer

if TYPE_CHECKING:
    from protoc_gen_crd.markers.native_marker_syntax import MarkerErrorReporter

_KEY_CHARACTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_./"

_QUOTES = "\"'`"
_NONE = "missing value after the key"

Pairs = tuple[tuple[str, str], ...]


class _TagValueError(Exception):
    """An invalid value of a tag. `values` are its members if the intended version is nevertheless clear."""

    def __init__(self, message: str, hint: str = "", rule: str = "marker-value", version: str = "") -> None:
        super().__init__(message)
        self.hint = hint
        self.rule = rule
        self.values = {"storage_version": version} if version else {}


@lru_cache(maxsize=64)
def read_pairs(tag: str) -> Pairs:
    """Parse `a=b,c="d, e"` as pairs. Raises ValueError with the part that is not `key=value`."""
    pairs: list[tuple[str, str]] = []
    at = 0
    while at < len(tag):
        equals = tag.find("=", at)
        key = tag[at:equals].strip(" \t")
        if equals < 0 or not _is_key(key):
            raise ValueError(tag[at:])
        at = equals + 1
        while tag[at : at + 1] in (" ", "\t"):
            at += 1
        quote = tag[at : at + 1]
        if (
            quote
            and quote in _QUOTES
            and (end := tag.find(quote, at + 1)) > 0
            and tag[end + 1 : end + 2].strip(" ,") == ""
        ):
            pairs.append((key, tag[at + 1 : end]))
            at = _skip_comma(tag, end + 1)
            continue
        comma = _find_next(tag, at)
        pairs.append((key, tag[at:comma].strip()))
        at = comma + 1
    return tuple(pairs)


def _is_key(key: str) -> bool:
    return key[:1] not in "-_./" and not key.strip(_KEY_CHARACTERS)


def _find_next(tag: str, at: int) -> int:
    """Return the offset of the comma before the next key, or the end."""
    while (equals := tag.find("=", at)) >= 0:
        comma = tag.rfind(",", at, equals)
        if comma >= 0 and _is_key(tag[comma + 1 : equals].strip(" \t")):
            return comma
        at = equals + 1
    return len(tag)


def _skip_comma(tag: str, at: int) -> int:
    rest = tag[at:].lstrip()
    if rest and not rest.startswith(","):
        raise ValueError(rest)
    return len(tag) - len(rest) + 1 if rest else len(tag)


def _parse_pairs(value: str) -> Pairs:
    if not value:
        raise _TagValueError(_NONE)
    try:
        pairs = read_pairs(value)
    except ValueError as error:
        raise _TagValueError(f'list is not of the form key=value,key=value: "{error}"', rule="marker-parse") from None
    for _, member in pairs:
        if member[:1] in _QUOTES and member and member.count(member[0]) == 1:
            raise _TagValueError(f"value has no closing quote: {member}", rule="marker-parse")
    return pairs


def _parse_mapping(value: str) -> dict[str, str]:
    mapping: dict[str, str] = {}
    for key, member in _parse_pairs(value):
        if mapping.setdefault(key, member) != member:
            raise _make_repeated_error(key)
    return mapping


def _make_repeated_error(key: str) -> _TagValueError:
    return _TagValueError(f'key "{key}" is repeated with another value', rule="marker-repeated")


def _find_redundant(key: str, value: str) -> list[str]:
    """Return the keys that a valid list of pairs repeats with the same value."""
    names = [name for name, _ in read_pairs(value)] if key in _LISTS else []
    return [name for name in dict.fromkeys(names) if names.count(name) > 1]


def _parse_names(tag: str) -> list[str]:
    names = [part.strip() for part in tag.split(",")]
    if not all(names):
        raise _TagValueError(f'list has an empty item: "{tag}"')
    return names


def _map_members(value: str, members: Mapping[str, str]) -> dict[str, Any]:
    result: dict[str, Any] = {}
    for key, member in _parse_pairs(value):
        if key not in members:
            raise _TagValueError(
                f'unknown key "{key}": possible keys are {", ".join(sorted(members))}',
                suggest(key, members),
                "marker-unknown",
            )
        if not member:
            raise _TagValueError(f'key "{key}" has no value')
        if result.setdefault(members[key], member) != member:
            raise _make_repeated_error(key)
    return result


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


def _parse_resource(value: str) -> dict[str, Any]:
    result = _map_members(value, _RESOURCE)
    for member in ("categories", "short_names"):
        if member in result:
            result[member] = _parse_names(result[member])
    return result


def _parse_column(value: str) -> dict[str, Any]:
    column = _map_members(value, _COLUMN)
    if "priority" in column:
        priority = parse_integer(column["priority"])
        if priority is None:
            raise _TagValueError(f'priority is not an integer: "{column["priority"]}"')
        column["priority"] = priority
    return {"columns": [column]}


def _parse_subresource(value: str) -> dict[str, Any]:
    name, equals, message = value.partition("=")
    if name.strip() != "status":
        raise _TagValueError(
            f'invalid subresource "{value}": possible values are "status" and "status=<message>"',
            suggest(name, ["status"]),
        )
    status = {"status": message.strip()} if equals else {}
    return {"status_subresource": True, **status}


def _parse_spec(value: str) -> dict[str, Any]:
    if value != "required":
        raise _TagValueError(
            f'invalid spec "{value}": the only possible value is "required"', suggest(value, ["required"])
        )
    return {"spec_required": True}


def _parse_scope(value: str) -> dict[str, Any]:
    if value not in ("Namespaced", "Cluster"):
        raise _TagValueError(
            f'invalid scope "{value}": possible values are "Cluster" and "Namespaced"',
            suggest(value, ["Cluster", "Namespaced"]),
        )
    return {"scope": value}


def _parse_preserve(value: str) -> dict[str, Any]:
    if value in ("false", "true"):
        return {"preserve_unknown_fields": [""] if value == "true" else []}
    if not value:
        raise _TagValueError(_NONE)
    return {"preserve_unknown_fields": _parse_names(value)}


def _make_string_parser(member: str) -> Callable[[str], dict[str, Any]]:
    def parse(value: str) -> dict[str, Any]:
        if not value:
            raise _TagValueError(_NONE)
        return {member: value}

    return parse


def _parse_versions(value: str) -> dict[str, Any]:
    if not value:
        raise _TagValueError("no versions listed")
    return {"versions": _parse_names(value)}


def _parse_storage(value: str) -> dict[str, Any]:
    """Return the named version, or the version of the message if there is no value. A boolean is not a name."""
    if value.lower() in ("false", "true"):
        problem = f'storageVersion has value "{value}", which is not the name of a version'
        if value.lower() == "true":
            raise _TagValueError(problem, "write it without a value", version=DIALECT)
        raise _TagValueError(problem, "remove the tag")
    return {"storage_version": value or DIALECT}


KEYS: dict[str, Callable[[str], dict[str, Any]]] = {
    "annotations": lambda value: {"annotations": _parse_mapping(value)},
    "deprecationReplacement": lambda value: {"deprecated_versions": [_make_string_parser("replacement")(value)]},
    "groupName": _make_string_parser("group"),
    "labels": lambda value: {"labels": _parse_mapping(value)},
    "preserveUnknownFields": _parse_preserve,
    "printerColumn": _parse_column,
    "releaseChannel": _make_string_parser("channel"),
    "resource": _parse_resource,
    "scope": _parse_scope,
    "spec": _parse_spec,
    "storageVersion": _parse_storage,
    "subresource": _parse_subresource,
    "version": lambda value: {"versions": [_make_string_parser("version")(value)["version"]]},
    "versions": _parse_versions,
}
_LISTS = ("annotations", "labels", "printerColumn", "resource")  # keys whose values are pairs


def _split_tag(tag: str) -> list[str]:
    """Split a tag into name, kind, key, and value. The kind is empty if a known key is in its place."""
    parts = tag.split(":", 3)
    if len(parts) > 1 and parts[1].strip() in KEYS and (len(parts) < 3 or parts[2].strip() not in KEYS):
        name, *rest = tag.split(":", 2)
        return [name, "", *rest]
    return parts


def parse_tag(line: ElementMarkerLine, report: MarkerErrorReporter) -> Sequence[MessageMembers]:
    """Return the members that a tag sets. An invalid tag is reported and sets no members."""
    parts = _split_tag(line.text)
    if len(parts) < 3 or not parts[2].strip():
        report("marker-parse", f"tag is not of the form +cue-gen:Kind:key:value: {line.text}", line, 0)
        return ()
    kind, key, value = parts[1], parts[2].strip(), (parts[3] if len(parts) > 3 else "").strip()
    offset = line.text.index(parts[2], len(parts[0]) + len(kind) + 1)
    if not kind.strip():
        placeholder = line.element.name if line.element and line.letter == "T" else "<kind>"
        hint = f'write "+cue-gen:{placeholder}:..."'
        report("resource-kind", "tag does not name the kind of its message", line, len(parts[0]), hint=hint)
    parse = KEYS.get(key)
    if parse is None:
        report(
            "marker-unknown",
            f'unknown key "{key}" of a tag',
            line,
            offset,
            hint=suggest(key, KEYS),
        )
        return ()
    if line.letter == "F" and key != "releaseChannel":
        report("marker-target", f'"+cue-gen:{kind}:{key}" applies to messages, not to a field', line, 0)
        return ()
    values = _parse_value(parse, key, value, line, offset + len(key) + 1, report)
    return (MessageMembers("Resource", values, line.text, line.at, kind if kind.strip() else ""),) if values else ()


def _parse_value(
    reader: Callable[[str], dict[str, Any]],
    key: str,
    value: str,
    line: ElementMarkerLine,
    offset: int,
    report: MarkerErrorReporter,
) -> dict[str, Any]:
    """Return the members that a value sets; empty, with a finding, if it is invalid."""
    try:
        values = reader(value)
    except _TagValueError as error:
        report(error.rule, str(error), line, offset, hint=error.hint)
        return error.values
    for name in _find_redundant(key, value):
        report("marker-redundant", f'key "{name}" is repeated with the same value', line, offset)
    return values
