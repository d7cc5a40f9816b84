"""Rules from the entries of a map to the items of a list, and back, to steps."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from protoc_gen_crd.base import bounded_json
from protoc_gen_crd.conversion.derivation.endpoints import HUB, SPOKE, Endpoint, Endpoints, is_carriable
from protoc_gen_crd.conversion.derivation.value_options import find_key_error
from protoc_gen_crd.conversion.plan import paths
from protoc_gen_crd.conversion.plan.container_steps import ListToMap, MapToList, Spread
from protoc_gen_crd.conversion.plan.copy_steps import Copy
from protoc_gen_crd.conversion.plan.paths import ITEM, Path
from protoc_gen_crd.conversion.plan.step_base import Step
from protoc_gen_crd.conversion.rule_files.api_conversion import ConversionRule
from protoc_gen_crd.conversion.rule_files.rule_set import RuleSetDerivation
from protoc_gen_crd.schema.schema import LIST_MAP_KEYS, Schema

_VALUE_HINT = "use transformation: {FIELD: self} from the map to the list, and self.FIELD in the other direction"


class EntryRuleDerivation(RuleSetDerivation):
    """The derivation of rules from map entries to list items, and back."""

    rejected: frozenset[Path] = frozenset()  # the targets of rules with reported problems

    def derive_entry_rule(self, side: int, ends: Endpoints, rule: ConversionRule) -> None:
        """Derive a map whose counterpart is a list with key fields, or the reverse, and the fields of the items."""
        source, target = (
            Endpoint((end.path[:-1], _get_container_schema(self, at, end)))
            for at, end in zip((side, 1 - side), ends, strict=True)
        )
        to_list = rule.destination[-1] == ITEM
        expressions = rule.transformation if isinstance(rule.transformation, dict) else {}
        key = (
            next((name for name, expression in expressions.items() if expression == "key"), "") if to_list else rule.key
        )
        key = key.removeprefix("self.")
        value = _find_value_field(rule, expressions)
        items = (ends[1] if to_list else ends[0], ends[0] if to_list else ends[1])
        list_endpoint = target if to_list else source
        fault, hint = _find_entry_rule_error(rule, expressions, list_endpoint.schema)
        if not fault:
            fault, hint = find_key_error(items[1], items[0], list_endpoint, key, value)
            hint = _VALUE_HINT if '"value"' in hint else hint
        if fault:
            self.rejected |= {rule.destination}
            self.mark_reported(1 - side, source, target)
            self.problems.report("conversion-rule", fault, rule.origin, hint=hint)
            return
        at = 1 - side if to_list else side
        self.claimed[at].add((*items[0].path, key))
        self.claimed[side].add(source.path)
        self.claimed[1 - side].add(target.path)
        step = (MapToList if to_list else ListToMap)(source.path, target.path, rule.origin, key=key)
        self.steps[side].append(step)
        self._derive_item_fields(side, ends, expressions, rule)
        if value:
            self._derive_value_field(side, at, items, value, rule)
        elif to_list:
            self.derive_object(ends if side == SPOKE else (ends[1], ends[0]))

    def _derive_value_field(self, side: int, at: int, items: Endpoints, value: str, rule: ConversionRule) -> None:
        """Derive a scalar value of a map that is a field of list items."""
        field = (*items[0].path, value)
        self.claimed[at].add(field)
        ends = (items[1].path, field) if at != side else (field, items[1].path)
        self.steps[side].append(Copy(*ends, rule.origin))
        self.derive_unpaired(at, items[0])

    def _derive_item_fields(
        self, side: int, ends: Endpoints, expressions: Mapping[str, Any], rule: ConversionRule
    ) -> None:
        """Derive the item fields that a transformation sets."""
        source, target = ends
        partial_rules = [(at, rule) for at in (SPOKE, HUB) for rule in self.get_rules(at) if rule.partial]
        ruled_paths = [rule.destination for _, rule in partial_rules] + [
            rule.field for at, rule in partial_rules if not self.is_source_carried(at, rule)
        ]
        for name, expression in expressions.items():
            if expression in ("key", "self"):
                continue
            first, *rest = paths.parse_path(expression)
            field, read = (*target.path, name), (*source.path, *rest)
            if first == "root":
                step: Step = Spread(tuple(rest), field, rule.origin)
                if not self.is_carried(side, tuple(rest)):
                    self.claimed[side].add(tuple(rest))
            elif rest == [name] and field not in ruled_paths and read not in ruled_paths:
                continue  # carried by its name
            else:
                step = Copy(read, field, rule.origin)
                self.claimed[side].add(read)
            self.claimed[1 - side].add(field)
            self.steps[side].append(step)

    def is_source_carried(self, side: int, rule: ConversionRule) -> bool:
        """See RuleSetDerivation: the source of an entry expression is also copied if items have the field."""
        if not rule.partial:
            return super().is_source_carried(side, rule)
        scopes = paths.get_scope(rule.field), paths.get_scope(rule.destination)
        below = rule.field[len(scopes[0]) :]
        other = (*scopes[1], *below)
        ends = self.find_schema(side, rule.field), self.find_schema(1 - side, other)
        partial_rules = [rule for at in (side, 1 - side) for rule in self.get_rules(at) if rule.partial]
        written = any(partial.destination in (rule.field, other) for partial in partial_rules)
        return not below or (
            ends[0] is not None and ends[1] is not None and is_carriable(ends[0], ends[1]) and not written
        )


def _find_entry_rule_error(rule: ConversionRule, expressions: Mapping[str, Any], listed: Schema) -> tuple[str, str]:
    """Return the problem and hint of an invalid rule of entries."""
    (key,) = (listed.get(LIST_MAP_KEYS) or ("name",))[:1]
    transformation, to_list = rule.transformation, rule.destination[-1] == ITEM
    if rule.value:
        return f'field "{rule.value}" is computed, but values that are not objects can only be copied', _VALUE_HINT
    if transformation is not None and not isinstance(transformation, dict if to_list else str | dict):
        hint = f"write transformation: {{{key}: key, FIELD: CEL}}, or as one expression {{'{key}': key, 'FIELD': CEL}}"
        return f"transformation is not a mapping of fields: {bounded_json.format_json(transformation)}", hint
    if transformation is not None and to_list and "key" not in expressions.values():
        return "transformation sets no field to the key", f'add "{key}: key"'
    return "", ""


def _get_container_schema(ruled: EntryRuleDerivation, side: int, inside: Endpoint) -> Schema:
    return paths.find_schema(ruled.roots[side], inside.path[:-1]) or Schema({})


def _find_value_field(rule: ConversionRule, transformations: Mapping[str, Any]) -> str:
    """Return the item field that contains a scalar value of a map."""
    if isinstance(rule.transformation, str):
        return rule.transformation.removeprefix("self.")
    return next((name for name, expression in transformations.items() if expression == "self"), "")
