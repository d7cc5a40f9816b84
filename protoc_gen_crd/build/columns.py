"""Columns of `kubectl get` and the scale subresource where their paths lead to nothing, or to what they cannot use.

Servers take such a CRD. A path that they cannot parse hides all columns of its version.

Source: k8s.io/apiextensions-apiserver v0.37.2 pkg/registry/customresource (tableconvertor, etcd.go), k8s.io/client-go
v0.37.2 util/jsonpath/parser.go.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence

from protoc_gen_crd.base.diagnostics import Place, Problems
from protoc_gen_crd.base.record import Record
from protoc_gen_crd.crd.types import Crd, Version
from protoc_gen_crd.schema.types import EMBEDDED, PRESERVE, Schema
from protoc_gen_crd.settings import Settings

_SIMPLE = re.compile(r"(\.[A-Za-z_][A-Za-z0-9_-]*)+")
_BEYOND = re.compile(r"""[?"\\{}$@\s]|\.\.""")  # filters, quotes and the like, which are not judged
_INDEX = r"(?:'[^',]*'|\*|-?\d*(?::-?\d*){0,2})"
_READABLE = re.compile(rf"(?:\.[^.,\[\]]*|\[{_INDEX}(?:,{_INDEX})*\])+")
_KEPT = "let the CRD have the field, with channel_fields=guarded"
_OPEN = Schema({})
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


def check_columns(crds: Iterable[Crd], settings: Settings, problems: Problems) -> None:
    """Report the columns that stay empty in a version, and what cannot be scaled.

    A path with lists or filters is not followed, nor one into a status that no schema tells of.
    """
    left_out = bool(settings.channel) and settings.channel_fields == "left-out"
    for crd in crds:
        lost: set[tuple[str, str]] = set()  # said of the first version, where no version has the field
        _check_names(crd, problems)
        for version in crd.versions:
            for named in _paths(version):
                if not _SIMPLE.fullmatch(named.path):
                    _check_readable(crd, version, named, problems)
                    continue
                found, known = _follow(version, named.path)
                if found is not None:
                    _check_type(crd, version, named, found, problems)
                    continue
                others = [other.name for other in crd.versions if _follow(other, named.path)[0] is not None]
                if others or left_out:
                    channel = settings.channel if left_out and not others else ""
                    _report_absent(crd, version, named, others, channel, problems)
                elif (named.kind, named.path) not in lost:
                    lost.add((named.kind, named.path))
                    hint = problems.suggestion(named.path.rpartition(".")[2], known)
                    _report(crd, version, named, f"{named.what} a field that there is", "", hint, problems)


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


def _follow(version: Version, path: str) -> tuple[Schema | None, Collection[str]]:
    """The field of this path, one of no type where no schema tells; and the names where it would have to be."""
    schema, names = version.schema or _OPEN, path.split(".")[1:]
    if names[0] in _OF_SERVERS or (names[0] == "status" and "status" not in schema.properties):
        return _OPEN, ()
    for name in names:
        if schema.get(PRESERVE) or schema.get(EMBEDDED):
            return _OPEN, ()
        if not schema.properties:
            return (None if schema.type in _CHILDLESS else _OPEN), ()
        if name not in schema.properties:
            return None, schema.properties
        schema = schema.properties[name]
    return schema, ()


def _check_readable(crd: Crd, version: Version, named: _Named, problems: Problems) -> None:
    """Report a column of no JSONPath; of what is not judged, only brackets that are not closed."""
    path = named.path
    if named.rule != "version-column" or not path.startswith(".") or _READABLE.fullmatch(path):
        return
    if not _BEYOND.search(path) or path.rfind("[") > path.rfind("]"):
        hint = "servers that cannot read the path of one column show none of its version"
        _report(crd, version, named, f"{named.what} a field by a JSONPath that servers can read", "", hint, problems)


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
