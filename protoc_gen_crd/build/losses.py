"""What is lost between served versions whose objects are not converted: the strategy None changes apiVersion alone.

An object is stored in the storage version and pruned by its schema, whichever version it was written through; it is
pruned by the schema of the version that it is read through. So a field that both do not have gets lost, without a word.

Source: k8s.io/apiextensions-apiserver v0.37.2 pkg/apiserver/customresource_handler.go (schemaCoercingConverter).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from protoc_gen_crd.base.diagnostics import Place, Problems
from protoc_gen_crd.base.record import Record
from protoc_gen_crd.crd.types import Crd, Version
from protoc_gen_crd.schema.types import INT_OR_STRING, PRESERVE, Schema

_EACH = {"items": "[]", "additionalProperties": "{}"}
_EITHER = "integer or string"
_DOCUMENTATION = frozenset(("description", "title", "example", "externalDocs"))
_WALKED = frozenset(("properties", "items", "additionalProperties", "required", "type", INT_OR_STRING, PRESERVE))
# Ways to differ that are more than another value of a keyword.
DEMANDED, READ, SHAPE, UNKNOWN, WRITTEN = "demanded", "read", "shape", "unknown", "written"
# Shapes of which the one takes all that the other does.
_NESTED = frozenset(map(frozenset, (("integer", "number"), ("integer", _EITHER), ("string", _EITHER))))
_OF_FIELDS = _WALKED | {"allOf", "oneOf"}


def check_losses(crds: Sequence[Crd], problems: Problems) -> None:
    """Report what served versions of a kind do not share with its storage version, field by field."""
    for crd in crds:
        storage = next((version for version in crd.versions if version.storage), None)
        if storage is None or storage.schema is None or not _unconverted(crd):
            continue
        found: dict[object, tuple[Difference, list[str]]] = {}
        for version in crd.versions:
            if version.served and version.schema not in (None, storage.schema):
                for one in differences(version, storage.schema):
                    found.setdefault((one.kind, one.path, one.values), (one, []))[1].append(version.name)
        for difference, versions in found.values():
            _report(crd, difference, versions, storage.name, problems)


def _unconverted(crd: Crd) -> bool:
    return crd.conversion is None or crd.conversion.get("strategy") in (None, "None")


class Difference(Record):
    """What differs at a path: `kind` is a key of _WORDS or a keyword, `values` are the version's and the stored one."""

    kind: str
    path: str
    at: Place | None
    values: tuple[str, str] = ("", "")


def differences(version: Version, storage: Schema) -> Iterator[Difference]:
    """How a version differs from the storage version, each pair of schemas once."""
    seen: set[tuple[int, int]] = set()
    stack = [("", version.schema or storage, storage)]
    while stack:
        path, own, stored = stack.pop()
        if own is stored or (id(own), id(stored)) in seen:
            continue
        seen.add((id(own), id(stored)))
        if _shape(own) != _shape(stored):
            shapes = _shape(own), _shape(stored)
            yield Difference("type" if frozenset(shapes) in _NESTED else SHAPE, path, own.origin, shapes)
            continue
        unshared = list(_unshared(path, own, stored))
        yield from unshared
        yield from _required(path, own, stored)
        yield from _constraints(path, own, stored, _DOCUMENTATION | (_OF_FIELDS if unshared else _WALKED))
        stack += reversed(list(_below(path, own, stored)))


def _shape(schema: Schema) -> str:
    """What values look like: the type, of objects also whether their keys are free."""
    if schema.get(INT_OR_STRING):
        return _EITHER
    kind = schema.type or "any type"
    return "map" if kind == "object" and isinstance(schema.additional, Schema) else kind


def _unshared(path: str, own: Schema, stored: Schema) -> Iterator[Difference]:
    """The fields that one of the two drops. Which fields a version has also shows in its oneofs."""
    for name, child in own.properties.items():
        if name not in stored.properties and not _keeps(stored):
            kind = DEMANDED if name in (own.get("required") or ()) else WRITTEN
            yield Difference(kind, _step(path, name), child.origin)
    for name, child in stored.properties.items():
        if name not in own.properties and not _keeps(own):
            yield Difference(READ, _step(path, name), child.origin)
    if _keeps(own) != _keeps(stored):
        yield Difference(UNKNOWN, path, own.place(PRESERVE), (_kept(own), _kept(stored)))


def _keeps(schema: Schema) -> bool:
    """Whether fields that the schema does not know are kept."""
    return bool(schema.get(PRESERVE))


def _kept(schema: Schema) -> str:
    return "kept" if _keeps(schema) else "dropped"


def _required(path: str, own: Schema, stored: Schema) -> Iterator[Difference]:
    """The fields of both that only one of them requires."""
    for name in sorted({*(own.get("required") or ())} ^ {*(stored.get("required") or ())}):
        if name in own.properties and name in stored.properties:
            values = ["required" if name in (one.get("required") or ()) else "optional" for one in (own, stored)]
            yield Difference("required", _step(path, name), own.properties[name].origin, (values[0], values[1]))


def _constraints(path: str, own: Schema, stored: Schema, apart: frozenset[str]) -> Iterator[Difference]:
    """Keywords with other values, by which one version refuses what the other has taken."""
    for keyword in sorted({*own.keywords, *stored.keywords} - apart):
        values = _shown(own, keyword), _shown(stored, keyword)
        if values[0] != values[1]:
            mark = (own.marks or {}).get(keyword) or (stored.marks or {}).get(keyword)
            yield Difference(keyword, path, mark or own.origin, values)


def _shown(schema: Schema, keyword: str) -> str:
    """A keyword's value as text, `none` where there is none."""
    from protoc_gen_crd.base import jsontext  # noqa: PLC0415 - few runs have versions that differ
    from protoc_gen_crd.schema.codec import Encoded, encode  # noqa: PLC0415

    value = schema.get(keyword)
    if value is None or value in ([], ()):
        return "none"
    return jsontext.shown(encode(Schema({keyword: value}), Encoded())[keyword])


def _below(path: str, own: Schema, stored: Schema) -> Iterator[tuple[str, Schema, Schema]]:
    for name, child in own.properties.items():
        if name in stored.properties:
            yield _step(path, name), child, stored.properties[name]
    for keyword in ("items", "additionalProperties"):
        child, other = own.get(keyword), stored.get(keyword)
        if isinstance(child, Schema) and isinstance(other, Schema):
            yield path + _EACH[keyword], child, other


def _step(path: str, name: str) -> str:
    return f"{path}.{name}" if path else name


_LOSS, _WANTING, _DIFFERING = "version-loss", "version-required", "version-differs"
_WORDS = {
    READ: (_LOSS, """
        a field of the storage version, {storage}, must be in every served version, found "{path}" not in {versions}:
        clients of {versions} do not see it, and every update by them removes it"""),
    DEMANDED: (_WANTING, """
        a required field must be in the storage version, {storage}, found "{path}" in {versions} only: objects are
        stored without it, and then are invalid in {versions}"""),
    SHAPE: (_LOSS, """
        a field must be of one type in all served versions, found "{path}" of type {own} in {versions} and {stored} in
        {storage}, the storage version: neither reads what the other writes"""),
    UNKNOWN: (_LOSS, """
        unknown fields must be kept by all served versions or by none, found those of "{path}" {own} by {versions} and
        {stored} by {storage}, the storage version"""),
    WRITTEN: (_LOSS, """
        a field of a served version must be in the storage version, {storage}, found "{path}" in {versions} only: it is
        dropped when an object is stored"""),
}  # fmt: skip
_DIFFERS = (_DIFFERING, """
    served versions should take the same values, found "{kind}" of "{path}" {own} in {versions} and {stored} in
    {storage}""")  # fmt: skip
_HINT = "serve only one of the versions, or accept it in the settings file, with the reason"


def _report(crd: Crd, one: Difference, versions: Sequence[str], storage: str, problems: Problems) -> None:
    rule, words = _WORDS.get(one.kind, _DIFFERS)
    own, stored = one.values
    listed = " and ".join(filter(None, [", ".join(versions[:-1]), versions[-1]]))
    at = one.at or crd.origin
    problem = " ".join(words.split()).format(
        kind=one.kind, path=one.path, versions=listed, storage=storage, own=own, stored=stored
    )
    problems.report(rule, problem, at, path=(at.owner() if at else "") or crd.name, hint=_HINT)
