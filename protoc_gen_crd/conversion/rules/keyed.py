"""Rules from the entries of a map to the items of a list, and back, to steps."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from protoc_gen_crd.base import jsontext
from protoc_gen_crd.conversion.derive.changes import key_fault
from protoc_gen_crd.conversion.derive.sides import HUB, SPOKE, Side, Sides, meets
from protoc_gen_crd.conversion.plan import paths
from protoc_gen_crd.conversion.plan.containers import Spread, ToList, ToMap
from protoc_gen_crd.conversion.plan.paths import ITEM, Path
from protoc_gen_crd.conversion.plan.steps import Copy, Step
from protoc_gen_crd.conversion.rules.given import Given
from protoc_gen_crd.conversion.rules.rules import Rule
from protoc_gen_crd.schema.types import LIST_MAP_KEYS, Schema

_BY_VALUE = "in rules that is transformation: {FIELD: self} from the map to the list, and self.FIELD on the way back"


class Keyed(Given):
    """One pair of versions, with rules of entries that are items there."""

    refused: frozenset[Path] = frozenset()  # where rules lead of which it has been told that they cannot be

    def keyed(self, side: int, ends: Sides, rule: Rule) -> None:
        """A map to a list whose items hold the key, or back, with what else is said of the items."""
        source, target = (
            Side((end.path[:-1], _around(self, at, end))) for at, end in zip((side, 1 - side), ends, strict=True)
        )
        to_list = rule.destination[-1] == ITEM
        given = rule.transformation if isinstance(rule.transformation, dict) else {}
        key = next((name for name, text in given.items() if text == "key"), "") if to_list else rule.key
        key = key.removeprefix("self.")
        value = _value_of(rule, given)
        items = (ends[1] if to_list else ends[0], ends[0] if to_list else ends[1])
        listed = target if to_list else source
        fault, hint = _unwritten(rule, given, listed.schema)
        if not fault:
            _, fault = key_fault(items[1], items[0], listed, key, value)
            hint = _BY_VALUE if '"value"' in fault else ""
        if fault:
            self.refused |= {rule.destination}
            self.fault(1 - side, source, target)
            self.problems.report("conversion-rule", f"a rule of a map must {fault}", rule.origin, hint=hint)
            return
        at = 1 - side if to_list else side
        self.claimed[at].add((*items[0].path, key))
        self.claimed[side].add(source.path)
        self.claimed[1 - side].add(target.path)
        step = (ToList if to_list else ToMap)(source.path, target.path, rule.origin, key=key)
        self.steps[side].append(step)
        self._fields(side, ends, given, rule)
        if value:
            self._valued_by(side, at, items, value, rule)
        elif to_list:
            self.object(ends if side == SPOKE else (ends[1], ends[0]))

    def _valued_by(self, side: int, at: int, items: Sides, value: str, rule: Rule) -> None:
        """A value that is no object, in a field of items."""
        held = (*items[0].path, value)
        self.claimed[at].add(held)
        ends = (items[1].path, held) if at != side else (held, items[1].path)
        self.steps[side].append(Copy(*ends, rule.origin))
        self.alone(at, items[0])

    def _fields(self, side: int, ends: Sides, given: Mapping[str, Any], rule: Rule) -> None:
        """The fields of items that a transformation moves values to."""
        source, target = ends
        known = [(at, one) for at in (SPOKE, HUB) for one in self.rules_of(at) if one.apart]
        apart = [one.destination for _, one in known] + [one.field for at, one in known if not self.stays(at, one)]
        for name, text in given.items():
            if text in ("key", "self"):
                continue
            first, *rest = paths.parse(text)
            field, read = (*target.path, name), (*source.path, *rest)
            if first == "root":
                step: Step = Spread(tuple(rest), field, rule.origin)
                if not self.is_carried(side, tuple(rest)):
                    self.claimed[side].add(tuple(rest))
            elif rest == [name] and field not in apart and read not in apart:
                continue  # carried by its name
            else:
                step = Copy(read, field, rule.origin)
                self.claimed[side].add(read)
            self.claimed[1 - side].add(field)
            self.steps[side].append(step)

    def stays(self, side: int, rule: Rule) -> bool:
        """See Given: what an expression of an entry looks at is carried as well where items have such a field."""
        if not rule.apart:
            return super().stays(side, rule)
        around = paths.scope(rule.field), paths.scope(rule.destination)
        below = rule.field[len(around[0]) :]
        other = (*around[1], *below)
        ends = self.at(side, rule.field), self.at(1 - side, other)
        known = [one for at in (side, 1 - side) for one in self.rules_of(at) if one.apart]
        written = any(one.destination in (rule.field, other) for one in known)
        return not below or (ends[0] is not None and ends[1] is not None and meets(ends[0], ends[1]) and not written)


def _unwritten(rule: Rule, given: Mapping[str, Any], listed: Schema) -> tuple[str, str]:
    """What a rule of entries must say, where it does not, and a hint."""
    (key,) = (listed.get(LIST_MAP_KEYS) or ("name",))[:1]
    made, to_list = rule.transformation, rule.destination[-1] == ITEM
    if rule.value:
        return f'move values that are no objects as they are, found an expression for "{rule.value}"', _BY_VALUE
    if made is not None and not isinstance(made, dict if to_list else str | dict):
        hint = f"transformation: {{{key}: key, FIELD: CEL}}, or as one expression {{'{key}': key, 'FIELD': CEL}}"
        return f"say of each field what it is made of, found {jsontext.shown(made)}", hint
    if made is not None and to_list and "key" not in given.values():
        return f'name the field that has the key, found no "{key}: key"', ""
    return "", ""


def _around(ruled: Keyed, side: int, inside: Side) -> Schema:
    return paths.at(ruled.roots[side], inside.path[:-1]) or Schema({})


def _value_of(rule: Rule, given: Mapping[str, Any]) -> str:
    """The field of items that holds a value of a map which is no object."""
    if isinstance(rule.transformation, str):
        return rule.transformation.removeprefix("self.")
    return next((name for name, text in given.items() if text == "self"), "")
