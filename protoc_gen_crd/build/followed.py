"""Options of other vocabularies by which a field stays as it was, where servers cannot tell which one it was.

Of the items of a list they can where keys tell these apart. Source: k8s.io/apiextensions-apiserver
pkg/apiserver/schema/cel, on the correlatable portion of a schema.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from protoc_gen_crd.base.diagnostics import Place, Problems
from protoc_gen_crd.crd.types import Crd
from protoc_gen_crd.markers.vocabularies import Behavior
from protoc_gen_crd.proto.locations import ElementPlace
from protoc_gen_crd.schema.types import LIST_TYPE, VALIDATIONS, Schema

Key = tuple[str, tuple[int, ...]]


def without_unfollowed(crds: Sequence[Crd], fixed: Sequence[Behavior], problems: Problems) -> tuple[Crd, ...]:
    """The CRDs less the rules that no server could follow; each is reported."""
    walker = _Walker({key: one for one in fixed for place in (one.at, one.field.at) if (key := _key(place))})
    made = tuple([_rewritten(crd, walker) for crd in crds])
    for one in fixed:
        if id(one) in walker.lost:
            problem = f"an option must be one that an API server can enforce, found {one.text} in items of a list"
            hint = "tell the items apart, by +listType=map and +listMapKey=<field> on the list"
            problems.report("vocabulary-untranslated", problem, one.at, path=one.field.full_name, hint=hint)
    return made


def _rewritten(crd: Crd, walker: _Walker) -> Crd:
    versions = [
        version.replace(schema=walker.walk(version.schema, lost=False)) if version.schema is not None else version
        for version in crd.versions
    ]
    return crd.replace(versions=tuple(versions))


def _key(place: Place | None) -> Key | None:
    return (place.source.file, place.path) if isinstance(place, ElementPlace) else None


class _Walker:
    """Looks into each schema once inside of lists whose items cannot be followed, and once outside."""

    def __init__(self, fixed: Mapping[Key, Behavior]) -> None:
        self._fixed = fixed
        self._made: dict[tuple[int, bool], Schema] = {}
        self.lost: set[int] = set()

    def walk(self, schema: Schema, *, lost: bool) -> Schema:
        """The schema less what is lost."""
        key = id(schema), lost
        if key not in self._made:
            self._made[key] = self._walked(schema, lost=lost)
        return self._made[key]

    def _walked(self, schema: Schema, *, lost: bool) -> Schema:
        changes: dict[str, object] = {}
        properties = {name: self.walk(child, lost=lost) for name, child in schema.properties.items()}
        if any(properties[name] is not child for name, child in schema.properties.items()):
            changes["properties"] = properties
        for keyword in ("items", "additionalProperties"):
            child = schema.get(keyword)
            if isinstance(child, Schema):
                inside = lost or (keyword == "items" and schema.get(LIST_TYPE) != "map")
                if (made := self.walk(child, lost=inside)) is not child:
                    changes[keyword] = made
        if lost and (kept := tuple([rule for rule in schema.rules if not self._is_lost(rule.origin)])) != schema.rules:
            changes[VALIDATIONS] = kept or None
        return schema.having(changes) if changes else schema

    def _is_lost(self, origin: Place | None) -> bool:
        key = _key(origin)
        found = self._fixed.get(key) if key else None
        if found is not None:
            self.lost.add(id(found))
        return found is not None
