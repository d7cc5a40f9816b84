"""Printer columns and scale subresources whose paths do not exist or have the wrong type.

Servers take such a CRD. A path that they cannot parse hides all columns of its version.

Source: k8s.io/apiextensions-apiserver v0.37.2 pkg/apiserver/customresource_handler.go, pkg/registry/customresource
(tableconvertor, etcd.go).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.crd.crd import Crd, CrdVersion
from protoc_gen_crd.findings.finding import Place, Problems
from protoc_gen_crd.kubernetes.json_path import JsonPathError, JsonPathNode, read
from protoc_gen_crd.schema.schema import EMBEDDED, PRESERVE, Schema
from protoc_gen_crd.settings.settings import Settings

_KEEP_FIELD_HINT = "keep the field in the CRD with channel_fields=guarded"
_OPEN = Schema({})
_FOLLOWED_NODES = ("field", "array", "wildcard", "filter")
_WHOLE = JsonPathNode("field")  # a dot with no name behind it
_SERVER_FIELDS = ("apiVersion", "kind", "metadata")  # there whatever the schema tells of them
_CHILDLESS = ("array", "boolean", "integer", "number", "string")
_SHOWN: dict[str, Collection[str]] = {  # types of columns -> types of fields that they show
    "boolean": ("boolean",),
    "date": ("string",),
    "integer": ("integer", "number"),
    "number": ("integer", "number"),
}


class _ColumnPath(Record):
    """A path to a field, what names it, and the types that the field may have, any if there is none."""

    rule: str
    kind: str
    what: str
    path: str
    at: Place | None
    types: Collection[str]


class _ResolvedField(Record):
    """The field that a path leads to, one of no type where no schema tells; else its name, and those that there are."""

    schema: Schema | None
    name: str = ""
    candidates: Collection[str] = ()


def check_columns(crds: Iterable[Crd], settings: Settings, problems: Problems) -> None:
    """Report the columns that stay empty in a version, and what cannot be scaled.

    A path is followed through fields, indexes and filters, but not into a status that no schema tells of.
    """
    left_out = bool(settings.channel) and settings.channel_fields == "left-out"
    for crd in crds:
        told: set[tuple[str, str]] = set()  # said of the first version, where it is so in all
        _check_names(crd, problems)
        for version in crd.versions:
            for named in _list_paths(version):
                nodes = _parse_path(crd, named, told, problems)
                found = _resolve_path(version, nodes)
                if found.schema is not None:
                    _check_type(crd, version, named, found.schema, problems)
                    continue
                others = [other.name for other in crd.versions if _resolve_path(other, nodes).schema is not None]
                if others or left_out:
                    channel = settings.channel if left_out and not others else ""
                    _report_absent(crd, version, named, others, channel, problems)
                elif (named.kind, named.path) not in told:
                    told.add((named.kind, named.path))
                    hint = problems.suggest(found.name, found.candidates)
                    _report(crd, named, f"does not exist in {version.name}", hint, problems)


def _parse_path(
    crd: Crd, named: _ColumnPath, told: set[tuple[str, str]], problems: Problems
) -> tuple[JsonPathNode, ...]:
    """The nodes of a path; none, with an error, of one that servers cannot read, and of one that they refuse."""
    if not named.path.startswith("."):
        return ()
    try:
        return read(named.path)
    except JsonPathError as error:
        if named.rule == "version-column" and (named.kind, named.path) not in told:
            told.add((named.kind, named.path))
            at = named.at or crd.origin
            problem = f'invalid JSONPath "{named.path}" of a column: {error}'
            hint = "servers that cannot read the path of one column show none of its version"
            problems.report("column-path", problem, at, path=(at.find_owner() if at else "") or crd.name, hint=hint)
        return ()


def _check_names(crd: Crd, problems: Problems) -> None:
    """Report a column that has the name of another one of its version, once for all versions."""
    told: set[str] = set()
    for version in crd.versions:
        names: set[str] = set()
        for column in version.columns:
            if column.name in names - told:
                told.add(column.name)
                problem = f'duplicate column "{column.name}" in {version.name}'
                at = column.origin or version.get_place("additionalPrinterColumns") or crd.origin
                problems.report("version-column", problem, at, path=(at.find_owner() if at else "") or crd.name)
            names.add(column.name)


def _list_paths(version: CrdVersion) -> Iterator[_ColumnPath]:
    for column in version.columns:
        at = column.origin or version.get_place("additionalPrinterColumns")
        types = _SHOWN.get(column.type, ())
        yield _ColumnPath("version-column", "the column", "column", column.json_path, at, types)
    if version.scale is not None:
        scale = version.scale
        paths = (scale.spec_replicas_path, scale.status_replicas_path, scale.label_selector_path)
        for path, types in zip(paths, (_SHOWN["integer"], _SHOWN["integer"], ("string",)), strict=True):
            what = "scale"
            if path and path.startswith((".spec.", ".status.")):  # servers refuse all others
                yield _ColumnPath("version-scale", "scale", what, path, scale.origin, types)


def _resolve_path(version: CrdVersion, nodes: Sequence[JsonPathNode]) -> _ResolvedField:
    """Resolve a path in a version."""
    schema = version.schema or _OPEN
    first = nodes[0].value if nodes else ""
    if first in _SERVER_FIELDS or (first == "status" and "status" not in schema.properties):
        return _ResolvedField(_OPEN)
    return _follow(schema, nodes)


def _follow(schema: Schema, nodes: Sequence[JsonPathNode]) -> _ResolvedField:
    for node in nodes:
        if schema.get(PRESERVE) or schema.get(EMBEDDED) or node.kind not in _FOLLOWED_NODES or node == _WHOLE:
            return _ResolvedField(_OPEN)
        if node.kind != "field":
            if schema.items is None:
                return _ResolvedField(None if schema.type in _CHILDLESS else _OPEN)
            schema = schema.items
            lost = [found for part in node.parts if (found := _follow(schema, part)).schema is None]
            if lost:
                return lost[0]
        elif not schema.properties:
            return _ResolvedField(None if schema.type in _CHILDLESS or _is_pruned(schema) else _OPEN)
        elif node.value not in schema.properties:
            return _ResolvedField(None, node.value, schema.properties)
        else:
            schema = schema.properties[node.value]
    return _ResolvedField(schema)


def _is_pruned(schema: Schema) -> bool:
    """Return whether servers prune all fields of an object, which declares none."""
    return schema.type == "object" and schema.additional is None


def _check_type(crd: Crd, version: CrdVersion, named: _ColumnPath, field: Schema, problems: Problems) -> None:
    if named.types and field.type and field.type not in named.types:
        words = " or ".join(named.types)
        _report(crd, named, f"has type {field.type} in {version.name}, expected {words}", "", problems)


def _report_absent(
    crd: Crd, version: CrdVersion, named: _ColumnPath, others: Sequence[str], channel: str, problems: Problems
) -> None:
    where = f", only in {', '.join(others)}" if others else f' of channel "{channel}"'
    hint = f"give {named.kind} the range of the field" if others else _KEEP_FIELD_HINT
    _report(crd, named, f"does not exist in {version.name}{where}", hint, problems)


def _report(crd: Crd, named: _ColumnPath, fault: str, hint: str, problems: Problems) -> None:
    at = named.at or crd.origin
    problem = f'{named.what} path "{named.path}" {fault}'
    problems.report(named.rule, problem, at, path=(at.find_owner() if at else "") or crd.name, hint=hint)
