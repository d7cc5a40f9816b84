"""Checks for printer columns and scale subresources whose paths do not exist or have the wrong type.

Servers accept such a CRD. A path that they cannot parse hides all columns of its version.

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

_KEEP_FIELD_HINT = "keep the field in the CRD with channel_fields=policy"
_OPEN = Schema({})
_FOLLOWED_NODES = ("field", "array", "wildcard", "filter")
_WHOLE = JsonPathNode("field")  # a dot without a name
_SERVER_FIELDS = ("apiVersion", "kind", "metadata")  # they exist even if the schema lacks them
_CHILDLESS = ("array", "boolean", "integer", "number", "string")
_SHOWN: dict[str, Collection[str]] = {  # column types -> types of fields that they can show
    "boolean": ("boolean",),
    "date": ("string",),
    "integer": ("integer", "number"),
    "number": ("integer", "number"),
}


class _ColumnPath(Record):
    """The path of a column or of scale to a field, and the valid types of the field; empty for any type."""

    rule: str
    kind: str
    what: str
    path: str
    at: Place | None
    types: Collection[str]


class _ResolvedField(Record):
    """The field at a path; its schema is empty if unknown, None if the field does not exist among the candidates."""

    schema: Schema | None
    name: str = ""
    candidates: Collection[str] = ()


def check_columns(crds: Iterable[Crd], settings: Settings, problems: Problems) -> None:
    """Report the columns that are empty in a version, and invalid paths of scale subresources.

    Paths are resolved through fields, indexes and filters, but not in a status that the schema does not describe.
    """
    omits_fields = bool(settings.channel) and settings.channel_fields == "omit"
    for crd in crds:
        reported: set[tuple[str, str]] = set()  # reported for the first version only
        _check_names(crd, problems)
        for version in crd.versions:
            for column_path in _list_paths(version):
                nodes = _parse_path(crd, column_path, reported, problems)
                resolved = _resolve_path(version, nodes)
                if resolved.schema is not None:
                    _check_type(crd, version, column_path, resolved.schema, problems)
                    continue
                others = [other.name for other in crd.versions if _resolve_path(other, nodes).schema is not None]
                if others or omits_fields:
                    channel = settings.channel if omits_fields and not others else ""
                    _report_absent(crd, version, column_path, others, channel, problems)
                elif (column_path.kind, column_path.path) not in reported:
                    reported.add((column_path.kind, column_path.path))
                    hint = _suggest_spec(version, column_path, resolved.name)
                    hint = hint or problems.suggest(resolved.name, resolved.candidates)
                    _report(crd, column_path, f"does not exist in {version.name}", hint, problems)


def _suggest_spec(version: CrdVersion, column_path: _ColumnPath, name: str) -> str:
    """Return a hint for a path that lacks the spec before its first field, `name`; empty for another path."""
    spec = version.schema.properties.get("spec") if version.schema is not None else None
    is_of_spec = spec is not None and name in spec.properties and column_path.path.startswith(f".{name}")
    return f'did you mean ".spec{column_path.path}"?' if is_of_spec else ""


def _parse_path(
    crd: Crd, column_path: _ColumnPath, reported: set[tuple[str, str]], problems: Problems
) -> tuple[JsonPathNode, ...]:
    """Return the nodes of a path; empty for paths that servers reject, or cannot parse, which is reported."""
    if not column_path.path.startswith("."):
        return ()
    try:
        return read(column_path.path)
    except JsonPathError as error:
        if column_path.rule == "version-column" and (column_path.kind, column_path.path) not in reported:
            reported.add((column_path.kind, column_path.path))
            at = column_path.at or crd.origin
            problem = f'invalid JSONPath "{column_path.path}" of a column: {error}'
            hint = "if API servers cannot parse the path of one column, they show no columns of the version"
            problems.report("column-path", problem, at, path=(at.find_owner() if at else "") or crd.name, hint=hint)
        return ()


def _check_names(crd: Crd, problems: Problems) -> None:
    """Report columns with equal names in a version, once for all versions."""
    reported: set[str] = set()
    for version in crd.versions:
        names: set[str] = set()
        for column in version.columns:
            if column.name in names - reported:
                reported.add(column.name)
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
            label = "scale"
            if path and path.startswith((".spec.", ".status.")):  # servers reject all others
                yield _ColumnPath("version-scale", "scale", label, path, scale.origin, types)


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
            missing = [field for part in node.parts if (field := _follow(schema, part)).schema is None]
            if missing:
                return missing[0]
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


def _check_type(crd: Crd, version: CrdVersion, column_path: _ColumnPath, field: Schema, problems: Problems) -> None:
    if column_path.types and field.type and field.type not in column_path.types:
        expected = " or ".join(column_path.types)
        _report(crd, column_path, f"has type {field.type} in {version.name}, expected {expected}", "", problems)


def _report_absent(
    crd: Crd, version: CrdVersion, column_path: _ColumnPath, others: Sequence[str], channel: str, problems: Problems
) -> None:
    where = f", only in {', '.join(others)}" if others else f' of channel "{channel}"'
    hint = f"give {column_path.kind} the range of the field" if others else _KEEP_FIELD_HINT
    _report(crd, column_path, f"does not exist in {version.name}{where}", hint, problems)


def _report(crd: Crd, column_path: _ColumnPath, message: str, hint: str, problems: Problems) -> None:
    at = column_path.at or crd.origin
    problem = f'{column_path.what} path "{column_path.path}" {message}'
    problems.report(column_path.rule, problem, at, path=(at.find_owner() if at else "") or crd.name, hint=hint)
