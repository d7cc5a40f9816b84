"""Columns of `kubectl get` and the scale subresource where they name a field that their version does not have."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from protoc_gen_crd.base.diagnostics import Place, Problems
from protoc_gen_crd.base.record import Record
from protoc_gen_crd.crd.types import Crd, Version
from protoc_gen_crd.settings import Settings

_SIMPLE = re.compile(r"(\.[A-Za-z_][A-Za-z0-9_-]*)+")
_KEPT = "let the CRD have the field, with channel_fields=guarded"


class _Named(Record):
    """A path to a field, and what names it."""

    rule: str
    kind: str
    what: str
    path: str
    at: Place | None


def check_columns(crds: Iterable[Crd], settings: Settings, problems: Problems) -> None:
    """Report the columns that stay empty in a version, and what cannot be scaled.

    A path with lists or filters is not followed. One that no version has may be filled in by others,
    unless something is left out.
    """
    left_out = bool(settings.channel) and settings.channel_fields == "left-out"
    for crd in crds:
        for version in crd.versions:
            for named in _paths(version):
                if not _SIMPLE.fullmatch(named.path) or _has(version, named.path):
                    continue
                others = [other.name for other in crd.versions if _has(other, named.path)]
                if others or left_out:
                    channel = settings.channel if left_out and not others else ""
                    _report(crd, version, named, others, channel, problems)


def _paths(version: Version) -> Iterator[_Named]:
    for column in version.columns:
        at = column.origin or version.place("additionalPrinterColumns")
        yield _Named("version-column", "the column", "a column should show", column.json_path, at)
    if version.scale is not None:
        scale = version.scale
        for path in (scale.spec_replicas_path, scale.status_replicas_path, scale.label_selector_path):
            yield _Named("version-scale", "scale", "the scale subresource should name", path or "", scale.origin)


def _has(version: Version, path: str) -> bool:
    """Whether a version has a field of this path, or may have it where no schema tells."""
    schema = version.schema
    for name in path.split(".")[1:]:
        if schema is None or not schema.properties:
            return True
        if name not in schema.properties:
            return False
        schema = schema.properties[name]
    return True


def _report(crd: Crd, version: Version, named: _Named, others: Sequence[str], channel: str, problems: Problems) -> None:
    at = named.at or crd.origin
    where = f", which is there in {', '.join(others)} only" if others else f' of channel "{channel}"'
    problem = f'{named.what} a field of its version, found "{named.path}" in {version.name}{where}'
    hint = f"give {named.kind} the range of the field" if others else _KEPT
    problems.report(named.rule, problem, at, path=(at.owner() if at else "") or crd.name, hint=hint)
