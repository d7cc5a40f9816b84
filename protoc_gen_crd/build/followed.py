"""Options of other vocabularies by which a field stays as it was, where servers cannot tell what it was.

Of the items of a list they can where keys tell these apart, of a value where CEL can see it.
Source: k8s.io/apiextensions-apiserver pkg/apiserver/schema/cel, on the correlatable portion of a schema.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from protoc_gen_crd.base.diagnostics import Place, Problems
from protoc_gen_crd.crd.types import Crd
from protoc_gen_crd.markers.vocabularies import Behavior
from protoc_gen_crd.proto.locations import ElementPlace
from protoc_gen_crd.schema.types import LIST_TYPE, VALIDATIONS, Rule, Schema

_IN_LIST = "in items of a list"
_KEYS = "tell the items apart, by +listType=map and +listMapKey=<field> on the list"
Key = tuple[str, tuple[int, ...]]


def without_unfollowed(crds: Sequence[Crd], fixed: Sequence[Behavior], problems: Problems) -> tuple[Crd, ...]:
    """The CRDs less the rules that no server could follow; each is reported."""
    walker = _Walker({key: one for one in fixed for place in (one.at, one.field.at) if (key := _key(place))})
    made = tuple([_rewritten(crd, walker) for crd in crds])
    for one in fixed:
        if (reason := walker.lost.get(id(one))) is not None:
            problem = f"an option must be one that an API server can enforce, found {one.text} {reason}"
            hint = _KEYS if reason == _IN_LIST else ""
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
        self.lost: dict[int, str] = {}  # why, by what is lost

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
        kept = tuple([rule for rule in schema.rules if not self._is_lost(rule, schema, inside=lost)])
        if len(kept) < len(schema.rules):
            changes[VALIDATIONS] = kept or None
        return schema.having(changes) if changes else schema

    def _is_lost(self, rule: Rule, schema: Schema, *, inside: bool) -> bool:
        key = _key(rule.origin)
        found = self._fixed.get(key) if key else None
        reason = "" if found is None else _IN_LIST if inside else _unseen(rule, schema)
        if found is not None and reason:
            self.lost.setdefault(id(found), reason)
        return bool(reason)


def _unseen(rule: Rule, schema: Schema) -> str:
    from protoc_gen_crd.markers.vocabularies.trials import misfit  # noqa: PLC0415 - it loads CEL

    return "of a value that the CEL of API servers cannot see" if misfit(rule.rule, schema) else ""
