"""Columns of `kubectl get` and the scale subresource where their paths lead to nothing, or to what they cannot use.

Servers take such a CRD. A path that they cannot parse hides all columns of its version.

Source: k8s.io/apiextensions-apiserver v0.37.2 pkg/apiserver/customresource_handler.go, pkg/registry/customresource
(tableconvertor, etcd.go).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence

from protoc_gen_crd.base.diagnostics import Place, Problems
from protoc_gen_crd.base.jsonpath import JsonPathError, Node, read
from protoc_gen_crd.base.record import Record
from protoc_gen_crd.crd.types import Crd, Version
from protoc_gen_crd.schema.types import EMBEDDED, PRESERVE, Schema
from protoc_gen_crd.settings import Settings

_KEPT = "let the CRD have the field, with channel_fields=guarded"
_OPEN = Schema({})
_FOLLOWED = ("field", "array", "wildcard", "filter")
_WHOLE = Node("field")  # a dot with no name behind it
_OF_SERVERS = ("apiVersion", "kind", "metadata")  # there whatever the schema tells of them
_CHILDLESS = ("array", "boolean", "integer", "number", "string")
_SHOWN: dict[str, Collection[str]] = {  # types of columns -> types of fields that they show
    "boolean": ("boolean",),
    "date": ("string",),
    "integer": ("integer", "number"),
    "number": ("integer", "number"),
}


class _Named(Record):
    """A path to a field, what names it, and the types that the field may have, any if there is none."""

    rule: str
    kind: str
    what: str
    path: str
    at: Place | None
    types: Collection[str]


class _Found(Record):
    """The field that a path leads to, one of no type where no schema tells; else its name, and those that there are."""

    schema: Schema | None
    name: str = ""
    known: Collection[str] = ()


def check_columns(crds: Iterable[Crd], settings: Settings, problems: Problems) -> None:
    """Report the columns that stay empty in a version, and what cannot be scaled.

    A path is followed through fields, indexes and filters, but not into a status that no schema tells of.
    """
    left_out = bool(settings.channel) and settings.channel_fields == "left-out"
    for crd in crds:
        told: set[tuple[str, str]] = set()  # said of the first version, where it is so in all
        _check_names(crd, problems)
        for version in crd.versions:
            for named in _paths(version):
                nodes = _nodes(crd, named, told, problems)
                found = _found(version, nodes)
                if found.schema is not None:
                    _check_type(crd, version, named, found.schema, problems)
                    continue
                others = [other.name for other in crd.versions if _found(other, nodes).schema is not None]
                if others or left_out:
                    channel = settings.channel if left_out and not others else ""
                    _report_absent(crd, version, named, others, channel, problems)
                elif (named.kind, named.path) not in told:
                    told.add((named.kind, named.path))
                    hint = problems.suggestion(found.name, found.known)
                    _report(crd, version, named, f"{named.what} a field that there is", "", hint, problems)


def _nodes(crd: Crd, named: _Named, told: set[tuple[str, str]], problems: Problems) -> tuple[Node, ...]:
    """The nodes of a path; none, with an error, of one that servers cannot read, and of one that they refuse."""
    if not named.path.startswith("."):
        return ()
    try:
        return read(named.path)
    except JsonPathError as error:
        if named.rule == "version-column" and (named.kind, named.path) not in told:
            told.add((named.kind, named.path))
            at = named.at or crd.origin
            problem = f'a column must have a JSONPath that servers can read, one with {error}: "{named.path}"'
            hint = "servers that cannot read the path of one column show none of its version"
            problems.report("column-path", problem, at, path=(at.owner() if at else "") or crd.name, hint=hint)
        return ()


def _check_names(crd: Crd, problems: Problems) -> None:
    """Report a column that has the name of another one of its version, once for all versions."""
    told: set[str] = set()
    for version in crd.versions:
        names: set[str] = set()
        for column in version.columns:
            if column.name in names - told:
                told.add(column.name)
                problem = f'a column should have a name of its own, found "{column.name}" twice in {version.name}'
                at = column.origin or version.place("additionalPrinterColumns") or crd.origin
                problems.report("version-column", problem, at, path=(at.owner() if at else "") or crd.name)
            names.add(column.name)


def _paths(version: Version) -> Iterator[_Named]:
    for column in version.columns:
        at = column.origin or version.place("additionalPrinterColumns")
        types = _SHOWN.get(column.type, ())
        yield _Named("version-column", "the column", "a column should show", column.json_path, at, types)
    if version.scale is not None:
        scale = version.scale
        paths = (scale.spec_replicas_path, scale.status_replicas_path, scale.label_selector_path)
        for path, types in zip(paths, (_SHOWN["integer"], _SHOWN["integer"], ("string",)), strict=True):
            what = "the scale subresource should name"
            if path and path.startswith((".spec.", ".status.")):  # servers refuse all others
                yield _Named("version-scale", "scale", what, path, scale.origin, types)


def _found(version: Version, nodes: Sequence[Node]) -> _Found:
    """What a path leads to in a version."""
    schema = version.schema or _OPEN
    first = nodes[0].value if nodes else ""
    if first in _OF_SERVERS or (first == "status" and "status" not in schema.properties):
        return _Found(_OPEN)
    return _follow(schema, nodes)


def _follow(schema: Schema, nodes: Sequence[Node]) -> _Found:
    for node in nodes:
        if schema.get(PRESERVE) or schema.get(EMBEDDED) or node.kind not in _FOLLOWED or node == _WHOLE:
            return _Found(_OPEN)
        if node.kind != "field":
            if schema.items is None:
                return _Found(None if schema.type in _CHILDLESS else _OPEN)
            schema = schema.items
            lost = [found for part in node.parts if (found := _follow(schema, part)).schema is None]
            if lost:
                return lost[0]
        elif not schema.properties:
            return _Found(None if schema.type in _CHILDLESS else _OPEN)
        elif node.value not in schema.properties:
            return _Found(None, node.value, schema.properties)
        else:
            schema = schema.properties[node.value]
    return _Found(schema)


def _check_type(crd: Crd, version: Version, named: _Named, field: Schema, problems: Problems) -> None:
    if named.types and field.type and field.type not in named.types:
        words = " or ".join(named.types)
        where = f", which is of type {field.type}"
        _report(crd, version, named, f"{named.what} a field of type {words}", where, "", problems)


def _report_absent(
    crd: Crd, version: Version, named: _Named, others: Sequence[str], channel: str, problems: Problems
) -> None:
    where = f", which is there in {', '.join(others)} only" if others else f' of channel "{channel}"'
    hint = f"give {named.kind} the range of the field" if others else _KEPT
    _report(crd, version, named, f"{named.what} a field of its version", where, hint, problems)


def _report(crd: Crd, version: Version, named: _Named, needs: str, where: str, hint: str, problems: Problems) -> None:
    at = named.at or crd.origin
    problem = f'{needs}, found "{named.path}" in {version.name}{where}'
    problems.report(named.rule, problem, at, path=(at.owner() if at else "") or crd.name, hint=hint)
