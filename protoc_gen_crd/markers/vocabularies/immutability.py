"""Immutable fields of other vocabularies whose old value API servers cannot determine.

They can for items of a list with keys, and for values that CEL can see.
Source: k8s.io/apiextensions-apiserver pkg/apiserver/schema/cel, on the correlatable portion of a schema.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from protoc_gen_crd.crd.crd import Crd
from protoc_gen_crd.findings.finding import Place, Problems
from protoc_gen_crd.markers.vocabularies.registry import FieldBehavior
from protoc_gen_crd.proto.source_locations import ElementPlace
from protoc_gen_crd.schema.schema import LIST_TYPE, VALIDATIONS, Schema, ValidationRule

_IN_LIST = "in items of a list"
_LIST_MAP_HINT = "identify the items with +listType=map and +listMapKey=<field> on the list"
PlaceKey = tuple[str, tuple[int, ...]]


def drop_uncorrelatable_rules(
    crds: Sequence[Crd], fixed: Sequence[FieldBehavior], problems: Problems
) -> tuple[Crd, ...]:
    """Return the CRDs without rules that API servers cannot evaluate; each is reported."""
    walker = _RuleDropper(
        {key: one for one in fixed for place in (one.at, one.field.at) if (key := _get_place_key(place))}
    )
    made = tuple([_rewrite_crd(crd, walker) for crd in crds])
    for one in fixed:
        if (reason := walker.dropped.get(id(one))) is not None:
            problem = f"API servers cannot enforce {one.text} {reason}"
            hint = _LIST_MAP_HINT if reason == _IN_LIST else ""
            problems.report("vocabulary-unsupported", problem, one.at, path=one.field.full_name, hint=hint)
    return made


def _rewrite_crd(crd: Crd, walker: _RuleDropper) -> Crd:
    versions = [
        version.replace(schema=walker.walk(version.schema, uncorrelatable=False))
        if version.schema is not None
        else version
        for version in crd.versions
    ]
    return crd.replace(versions=tuple(versions))


def _get_place_key(place: Place | None) -> PlaceKey | None:
    return (place.source.file, place.path) if isinstance(place, ElementPlace) else None


class _RuleDropper:
    """Looks into each schema once inside of lists whose items cannot be followed, and once outside."""

    def __init__(self, fixed: Mapping[PlaceKey, FieldBehavior]) -> None:
        self._fixed = fixed
        self._made: dict[tuple[int, bool], Schema] = {}
        self.dropped: dict[int, str] = {}  # why, by what is lost

    def walk(self, schema: Schema, *, uncorrelatable: bool) -> Schema:
        """Return the schema without these rules."""
        key = id(schema), uncorrelatable
        if key not in self._made:
            self._made[key] = self._rewrite_schema(schema, lost=uncorrelatable)
        return self._made[key]

    def _rewrite_schema(self, schema: Schema, *, lost: bool) -> Schema:
        changes: dict[str, object] = {}
        properties = {name: self.walk(child, uncorrelatable=lost) for name, child in schema.properties.items()}
        if any(properties[name] is not child for name, child in schema.properties.items()):
            changes["properties"] = properties
        for keyword in ("items", "additionalProperties"):
            child = schema.get(keyword)
            if isinstance(child, Schema):
                inside = lost or (keyword == "items" and schema.get(LIST_TYPE) != "map")
                if (made := self.walk(child, uncorrelatable=inside)) is not child:
                    changes[keyword] = made
        kept = tuple([rule for rule in schema.rules if not self._is_dropped(rule, schema, inside=lost)])
        if len(kept) < len(schema.rules):
            changes[VALIDATIONS] = kept or None
        return schema.with_keywords(changes) if changes else schema

    def _is_dropped(self, rule: ValidationRule, schema: Schema, *, inside: bool) -> bool:
        key = _get_place_key(rule.origin)
        found = self._fixed.get(key) if key else None
        reason = "" if found is None else _IN_LIST if inside else _explain_invisible_value(rule, schema)
        if found is not None and reason:
            self.dropped.setdefault(id(found), reason)
        return bool(reason)


def _explain_invisible_value(rule: ValidationRule, schema: Schema) -> str:
    from protoc_gen_crd.markers.vocabularies.rule_trial import find_rule_problem  # noqa: PLC0415 - it loads CEL

    return "of a value that the CEL of API servers cannot see" if find_rule_problem(rule.rule, schema) else ""
