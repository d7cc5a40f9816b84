"""Check of immutable fields of other vocabularies whose old value API servers cannot determine.

API servers can correlate items of a list with keys, and only values that CEL supports.
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
    crds: Sequence[Crd], immutable: Sequence[FieldBehavior], problems: Problems
) -> tuple[Crd, ...]:
    """Return the CRDs without rules that API servers cannot evaluate. Each of these rules is reported."""
    dropper = _RuleDropper(
        {
            key: behavior
            for behavior in immutable
            for place in (behavior.at, behavior.field.at)
            if (key := _get_place_key(place))
        }
    )
    reduced = tuple([_rewrite_crd(crd, dropper) for crd in crds])
    for behavior in immutable:
        if (reason := dropper.dropped.get(id(behavior))) is not None:
            problem = f"API servers cannot enforce {behavior.option} {reason}"
            hint = _LIST_MAP_HINT if reason == _IN_LIST else ""
            problems.report("vocabulary-unsupported", problem, behavior.at, path=behavior.field.full_name, hint=hint)
    return reduced


def _rewrite_crd(crd: Crd, dropper: _RuleDropper) -> Crd:
    versions = [
        version.replace(schema=dropper.walk(version.schema, uncorrelatable=False))
        if version.schema is not None
        else version
        for version in crd.versions
    ]
    return crd.replace(versions=tuple(versions))


def _get_place_key(place: Place | None) -> PlaceKey | None:
    return (place.source.file, place.path) if isinstance(place, ElementPlace) else None


class _RuleDropper:
    """Removes rules from schemas. Each schema is rewritten once for correlatable and once for uncorrelatable places."""

    def __init__(self, fixed: Mapping[PlaceKey, FieldBehavior]) -> None:
        self._fixed = fixed
        self._rewritten: dict[tuple[int, bool], Schema] = {}
        self.dropped: dict[int, str] = {}  # reason by id of the FieldBehavior

    def walk(self, schema: Schema, *, uncorrelatable: bool) -> Schema:
        """Return the schema without the rules that API servers cannot evaluate."""
        key = id(schema), uncorrelatable
        if key not in self._rewritten:
            self._rewritten[key] = self._rewrite_schema(schema, uncorrelatable=uncorrelatable)
        return self._rewritten[key]

    def _rewrite_schema(self, schema: Schema, *, uncorrelatable: bool) -> Schema:
        changes: dict[str, object] = {}
        properties = {
            name: self.walk(child, uncorrelatable=uncorrelatable) for name, child in schema.properties.items()
        }
        if any(properties[name] is not child for name, child in schema.properties.items()):
            changes["properties"] = properties
        for keyword in ("items", "additionalProperties"):
            child = schema.get(keyword)
            if isinstance(child, Schema):
                inner = uncorrelatable or (keyword == "items" and schema.get(LIST_TYPE) != "map")
                if (reduced := self.walk(child, uncorrelatable=inner)) is not child:
                    changes[keyword] = reduced
        remaining = tuple(
            [rule for rule in schema.rules if not self._is_dropped(rule, schema, uncorrelatable=uncorrelatable)]
        )
        if len(remaining) < len(schema.rules):
            changes[VALIDATIONS] = remaining or None
        return schema.with_keywords(changes) if changes else schema

    def _is_dropped(self, rule: ValidationRule, schema: Schema, *, uncorrelatable: bool) -> bool:
        key = _get_place_key(rule.origin)
        behavior = self._fixed.get(key) if key else None
        reason = "" if behavior is None else _IN_LIST if uncorrelatable else _explain_invisible_value(rule, schema)
        if behavior is not None and reason:
            self.dropped.setdefault(id(behavior), reason)
        return bool(reason)


def _explain_invisible_value(rule: ValidationRule, schema: Schema) -> str:
    from protoc_gen_crd.markers.vocabularies.translated_rule_check import find_rule_problem  # noqa: PLC0415 - it loads CEL

    return "of a value that the CEL of API servers cannot see" if find_rule_problem(rule.rule, schema) else ""
