"""Changes between two APIs of gRPC groups: their versions, RPCs, fields, and enums, with examples.

Clients and servers of the same version may have been built from either side. So a change is judged in the directions in
which it is used: old clients send requests that the new server reads, and read the responses that it sends.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any

from protoc_gen_crd.comparison.api_summary import Facts, KindSummary, VersionSummary
from protoc_gen_crd.comparison.change import Change, ChangeClass
from protoc_gen_crd.comparison.change_rules import CHANGE_RULES
from protoc_gen_crd.comparison.groups.group_api import (
    ENUM,
    FIELD,
    MESSAGE,
    NUMBERS,
    REQUEST,
    RESPONSE,
    RPC,
    STREAMS,
    USES,
    GroupApi,
    get_element,
)
from protoc_gen_crd.comparison.groups.group_examples import MessageUses
from protoc_gen_crd.comparison.groups.integer_widening import WIDENING, classify_type
from protoc_gen_crd.comparison.value_change_messages import format_value
from protoc_gen_crd.schema.schema import DEPRECATED, DEPRECATED_VALUES

_NO_KIND = KindSummary({}, {})


def compare_groups(old: GroupApi, new: GroupApi) -> list[Change]:
    """Return the changes of groups, sorted by group, version, and path. Equal changes of versions are merged."""
    changes: list[Change] = []
    for name in sorted(old.summary.keys() | new.summary.keys()):
        before, after = old.summary.get(name), new.summary.get(name)
        if before is None or after is None:
            rule, action = ("change-kind-added", "added") if before is None else ("change-kind-removed", "removed")
            place = new.find_place(name) if after else old.find_place(name)
            message = f"API group {name} is {action}"
            removed = tuple(before.versions) if before else ()
            change_class = CHANGE_RULES[rule].change_class
            changes.append(Change(rule, change_class, name, "", message, at=place, removed_versions=removed))
        else:
            changes += _compare_versions(name, before, after, old, new)
    return _merge_versions(changes)


def _compare_versions(
    group: str, before: KindSummary, after: KindSummary, old: GroupApi, new: GroupApi
) -> Iterator[Change]:
    for name in dict.fromkeys((*before.versions, *after.versions)):
        own, other = before.versions.get(name), after.versions.get(name)
        if own is not None and other is not None:
            yield from _VersionComparison(group, name, own, other, old, new).compare()
            continue
        rule, action = ("change-version-added", "added") if own is None else ("change-version-removed", "removed")
        message, change_class = f"version {name} is {action}", CHANGE_RULES[rule].change_class
        sides = (None, name) if own is None else (name, None)
        place = new.find_place(group, name) or new.find_place(group) or old.find_place(group, name)
        yield Change(rule, change_class, group, "", message, (name,), old=sides[0], new=sides[1], at=place)


def _merge_versions(changes: list[Change]) -> list[Change]:
    """Merge changes that differ only in their versions and places."""
    merged: dict[str, Change] = {}
    for change in changes:
        key = repr((change.rule, change.kind, change.path, change.message, change.hint, change.change_class))
        if change.rule.startswith("change-version"):
            key += change.versions[0]
        first = merged.setdefault(key, change)
        if first is not change:
            merged[key] = first.replace(versions=(*first.versions, *change.versions))
    return list(merged.values())


class _VersionComparison:
    """Compares a version of a group on both sides."""

    def __init__(
        self, group: str, version: str, before: VersionSummary, after: VersionSummary, old: GroupApi, new: GroupApi
    ) -> None:
        self._group, self._version = group, version
        self._before, self._after = before, after
        self._old, self._new = old, new
        self._uses = MessageUses(before)

    def compare(self) -> Iterator[Change]:
        """Yield the changes, by path."""
        changes = [*self._compare_deprecation("", self._before.facts, self._after.facts), *self._compare_rpcs()]
        for path, facts in self._before.fields.items():
            other = self._after.fields.get(path, {})
            element = get_element(facts)
            if other and element == get_element(other) and element in (MESSAGE, ENUM):
                changes += (self._compare_message if element == MESSAGE else self._compare_enum)(path, facts, other)
        yield from sorted(changes, key=lambda change: change.path)

    def _make(
        self, rule: str, path: str, message: str, sides: tuple[Any, Any] = (None, None), **members: Any
    ) -> Change:
        members.setdefault("change_class", CHANGE_RULES[rule].change_class)
        at = self._new.find_place(self._group, self._version, path)
        old_at = self._old.find_place(self._group, self._version, path)
        return Change(
            rule=rule, kind=self._group, path=path, message=message, versions=(self._version,),
            old=sides[0], new=sides[1], at=at or old_at, old_at=old_at if at else None, **members,
        )  # fmt: skip

    def _compare_deprecation(self, path: str, before: Facts, after: Facts, element: str = "") -> Iterator[Change]:
        if bool(before.get(DEPRECATED)) != bool(after.get(DEPRECATED)):
            what = element or (get_element(before) if path else "version")
            if after.get(DEPRECATED):
                yield self._make("change-deprecated", path, f"{what} is now deprecated", (False, True))
            else:
                yield self._make("change-deprecation-withdrawn", path, f"{what} is no longer deprecated", (True, False))

    def _compare_rpcs(self) -> Iterator[Change]:
        before, after = (
            {path: facts for path, facts in side.fields.items() if get_element(facts) == RPC}
            for side in (self._before, self._after)
        )
        added = {path: facts for path, facts in after.items() if path not in before}
        for path, facts in before.items():
            if path in after:
                yield from self._compare_deprecation(path, facts, after[path])
                yield from self._compare_rpc(path, facts, after[path])
                continue
            signature = _describe_rpc(facts)
            renamed = next((name for name, other in added.items() if _describe_rpc(other) == signature), "")
            if renamed:
                del added[renamed]
                own, other = (name.rpartition(".")[2] for name in (path, renamed))
                own, other = (path, renamed) if own == other else (own, other)  # of a service with another name
                hint = "old clients get UNIMPLEMENTED; rename it in a new version, with renamed_from"
                message = f'RPC "{own}" is renamed to "{other}"'
                yield self._make("change-rpc-renamed", renamed, message, (own, other), hint=hint)
            else:
                hint = "old clients get UNIMPLEMENTED; deprecate it, and remove it in a new version"
                message = f"RPC {signature} is removed"
                yield self._make("change-rpc-removed", path, message, (signature, None), hint=hint)
        for path, facts in added.items():
            signature = _describe_rpc(facts)
            yield self._make("change-rpc-added", path, f"RPC {signature} is added", (None, signature))

    def _compare_rpc(self, path: str, before: Facts, after: Facts) -> Iterator[Change]:
        for way in (REQUEST, RESPONSE):
            if before[way] != after[way]:
                message = f"{way} {before[way]} is now {after[way]}"
                yield self._make("change-rpc-message", path, message, (before[way], after[way]))
        old, new = (list(facts.get(STREAMS, ())) for facts in (before, after))
        if old != new:
            message = f"{_describe_streams(old)} RPC is now {_describe_streams(new)}"
            hint = "old clients get an error, or read only the first message; add an RPC with another name instead"
            yield self._make("change-rpc-streaming", path, message, (old, new), hint=hint)

    def _compare_message(self, path: str, before: Facts, after: Facts) -> Iterator[Change]:
        old, new = (_list_fields(side, path) for side in (self._before, self._after))
        uses = sorted({*before.get(USES, ()), *after.get(USES, ())})
        added = {name: facts for name, facts in new.items() if name not in old}
        for name, facts in old.items():
            if name in new:
                yield from self._compare_deprecation(name, facts, new[name])
                yield from self._compare_field(name, facts, new[name], uses)
                continue
            same = [
                other for other, added_facts in added.items() if _get_wire_form(added_facts) == _get_wire_form(facts)
            ]
            yield self._report_renamed(name, same[0], uses) if same else self._report_removed(name, facts, uses)
            if same:
                del added[same[0]]
        for name, facts in added.items():
            yield self._make(
                "change-field-added", name, f"field of type {facts['type']} is added", (None, facts["type"])
            )

    def _report_removed(self, path: str, facts: Facts, uses: Collection[str]) -> Change:
        example = self._make_example(path, facts, uses)
        reader = "the new server drops the field" if REQUEST in example else "old clients read it as unset"
        hint = _format_hint(example, reader)
        message = f"field of type {facts['type']} is removed"
        return self._make("change-field-removed", path, message, (facts["type"], None), example=example, hint=hint)

    def _report_renamed(self, path: str, renamed: str, uses: Collection[str]) -> Change:
        own, other = (name.rpartition(".")[2] for name in (path, renamed))
        example = self._make_example(path, self._before.fields[path], uses)
        hint = _format_hint(example, f'the wire format is the same, but JSON and generated code have "{other}"')
        message = f'field "{own}" is renamed to "{other}"'
        return self._make("change-field-renamed", renamed, message, (own, other), example=example, hint=hint)

    def _compare_field(self, path: str, before: Facts, after: Facts, uses: Collection[str]) -> Iterator[Change]:
        if before["number"] != after["number"]:
            example = self._make_example(path, before, uses)
            hint = _format_hint(example, "the other side reads the field as unset, or as another one")
            sides = before["number"], after["number"]
            message = f"field number {sides[0]} is now {sides[1]}"
            yield self._make("change-field-number", path, message, sides, example=example, hint=hint)
        if before["type"] != after["type"]:
            yield self._compare_types(path, before, after, uses)
        yield from self._compare_members(path, before, after)

    def _compare_types(self, path: str, before: Facts, after: Facts, uses: Collection[str]) -> Change:
        sides = str(before["type"]), str(after["type"])
        rule, change_class, way = classify_type(*sides, uses)
        wide = sides[1] if (sides in WIDENING) else sides[0]
        is_number = rule != "change-type" or sides in WIDENING or sides[::-1] in WIDENING
        example = self._make_example(path, {"type": wide if is_number else sides[0]}, [way], large=is_number)
        hints = {
            ChangeClass.LOOSEN: "",
            ChangeClass.BREAK: _format_hint(example, "the other side reads other values, or fails"),
        }
        hint = _format_hint(example, "is truncated without an error") if is_number else hints[ChangeClass.BREAK]
        hint = "" if change_class is ChangeClass.LOOSEN else hint
        message = f"{sides[0]} is now {sides[1]}"
        return self._make(rule, path, message, sides, change_class=change_class, example=example, hint=hint)

    def _compare_members(self, path: str, before: Facts, after: Facts) -> Iterator[Change]:
        """Compare the presence, oneof, and proto2 label of a field."""
        old, new = (str(facts.get("oneof", "")) for facts in (before, after))
        if old != new:
            message = f"field is {f'moved to oneof {new}' if new else f'moved out of oneof {old}'}"
            yield self._make("change-field-oneof", path, message, (old or None, new or None))
        elif bool(before.get("presence")) != bool(after.get("presence")) and before["type"] == after["type"]:
            now = "now distinguishes unset from its default" if after.get("presence") else "is now never unset"
            sides = bool(before.get("presence")), bool(after.get("presence"))
            yield self._make("change-field-presence", path, f"field {now}", sides)
        if bool(before.get("required")) != bool(after.get("required")):
            rule = "change-required-added" if after.get("required") else "change-required-removed"
            yield self._make(rule, path, f"field is {'now' if after.get('required') else 'no longer'} required")

    def _compare_enum(self, path: str, before: Facts, after: Facts) -> Iterator[Change]:
        uses = {*before.get(USES, ()), *after.get(USES, ())}
        old, new = (dict(zip(facts["enum"], facts[NUMBERS], strict=True)) for facts in (before, after))
        for name, number in old.items():
            if name not in new:
                change_class = ChangeClass.TIGHTEN if REQUEST in uses else ChangeClass.LOOSEN
                message = f'enum value "{name}" is removed'
                yield self._make("change-enum-value-removed", path, message, (name, None), change_class=change_class)
            elif new[name] != number:
                message = f'number {number} of enum value "{name}" is now {new[name]}'
                hint = "the other side reads another value"
                yield self._make("change-enum-number", path, message, (number, new[name]), hint=hint)
        for name in (name for name in new if name not in old):
            is_read = RESPONSE in uses
            change_class = ChangeClass.SEMANTIC if is_read else ChangeClass.LOOSEN
            hint = f"old clients read it as the unknown number {new[name]}" if is_read else ""
            message = f'enum value "{name}" is added'
            yield self._make(
                "change-enum-value-added", path, message, (None, name), change_class=change_class, hint=hint
            )

        deprecated = [{*facts.get(DEPRECATED_VALUES, ())} for facts in (before, after)]
        for name in sorted({*old} & {*new}):
            own, other = ({DEPRECATED: name in values} for values in deprecated)
            yield from self._compare_deprecation(path, own, other, f'enum value "{name}"')

    def _make_example(self, path: str, facts: Facts, uses: Collection[str], *, large: bool = False) -> dict[str, Any]:
        """Return the request or response of an RPC with a value of the field; empty if no RPC uses the message."""
        message, _, name = path.rpartition(".")
        content = {name: self._uses.make_value(facts, large=large)}
        examples = (self._uses.wrap(message, way, content) for way in (REQUEST, RESPONSE) if way in uses)
        return next(filter(None, examples), {})


def _get_wire_form(facts: Facts) -> tuple[Any, ...]:
    return tuple(facts.get(name) for name in ("number", "type", "oneof"))


def _list_fields(version: VersionSummary, message: str) -> Mapping[str, Facts]:
    return {
        path: facts
        for path, facts in version.fields.items()
        if path.rpartition(".")[0] == message and get_element(facts) == FIELD
    }


def _describe_rpc(facts: Facts) -> str:
    streams = facts.get(STREAMS, ())
    names = [f"{'stream ' * (way in streams)}{facts[way]}" for way in (REQUEST, RESPONSE)]
    return f"({names[0]}) returns ({names[1]})"


def _describe_streams(streams: Collection[str]) -> str:
    if len(streams) == 2:
        return "bidirectional streaming"
    return {REQUEST: "client streaming", RESPONSE: "server streaming", "": "unary"}[next(iter(streams), "")]


def _format_hint(example: Mapping[str, Any], effect: str) -> str:
    way = next((direction for direction in (REQUEST, RESPONSE) if direction in example), "")
    if not way:
        return effect
    return f"for example, {way} {format_value(example[way])} of {example['rpc']}: {effect}"
