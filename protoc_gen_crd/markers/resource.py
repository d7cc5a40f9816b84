"""The members that markers give a resource, merged into one value with a place for each."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from protoc_gen_crd.base.diagnostics import Place, Problems
from protoc_gen_crd.base.record import Record
from protoc_gen_crd.base.registry import suggestion
from protoc_gen_crd.markers.declared import Option, message_options
from protoc_gen_crd.markers.marker import Members


class Declared(Record):
    """A resource as declared on one message: members by name, the place of each, the kind its tags name."""

    values: Mapping[str, Any]
    places: Mapping[str, Place]
    at: Place
    kind: str

    def get(self, member: str) -> Any:
        """A member's value, None if it is not given."""
        return self.values.get(member)

    def place(self, member: str) -> Place:
        """Where a member was given, else where the resource was."""
        return self.places.get(member, self.at)


def declared(members: Iterable[Members], full_name: str, problems: Problems) -> list[Declared]:
    """The resources of one message: one, or one for each kind that its +cue-gen tags name."""
    by_kind: dict[str, list[Members]] = {}
    for one in members:
        if one.message == "Resource":
            by_kind.setdefault(one.kind, []).append(one)
    shared = by_kind.pop("", [])
    whole = {kind: given for kind, given in by_kind.items() if any("group" in one.values for one in given)}
    for kind, given in by_kind.items():
        if kind not in whole and by_kind.keys() - {kind}:
            _report_stray(kind, given, whole or by_kind, full_name, problems)
    if not whole:
        kept = next(iter(by_kind.items()), ("", []))
        whole = {kept[0]: kept[1]} if kept[1] or shared else {}
    made = [_merge([*shared, *given], kind, full_name, problems) for kind, given in whole.items()]
    return [one for one in made if one.values or not one.kind]  # a tag without effect makes no resource


def _report_stray(
    kind: str, given: list[Members], others: Mapping[str, object], full_name: str, problems: Problems
) -> None:
    known = sorted(set(others) - {kind})
    for one in given:
        problems.report(
            "resource-kind",
            f'a tag must name the kind of its message, {" or ".join(known)}, found "{kind}": {one.text}',
            one.at,
            path=full_name,
            hint=suggestion(kind, known) or f'write "+cue-gen:{known[0]}:..." or move the tag to the message of {kind}',
        )


def _merge(members: list[Members], kind: str, full_name: str, problems: Problems) -> Declared:
    options = message_options("Resource")
    values: dict[str, Any] = {}
    places: dict[str, Place] = {}
    for one in members:
        for name, value in one.values.items():
            option = options.get(name)
            if option is None or not _valid(option, value, one, full_name, problems):
                continue
            if name in values and not (option.repeated or isinstance(value, dict)) and values[name] != value:
                problems.report(
                    "marker-contradiction",
                    f'"{name}" must be set once, found "{values[name]}" and "{value}"',
                    one.at,
                    path=full_name,
                )
                continue
            values[name] = _joined(values.get(name), _with_place(name, value, one.at))
            places.setdefault(name, one.at)
    return Declared(values, places, members[0].at, kind)


def _with_place(name: str, value: Any, at: Place) -> Any:
    """Columns and deprecations keep the place of their own marker."""
    return [{**entry, "at": at} for entry in value] if name in ("columns", "deprecated_versions") else value


def _joined(known: Any, value: Any) -> Any:
    if isinstance(known, list):
        return [*known, *value]
    if isinstance(known, dict):
        return {**known, **value}
    return value


def _valid(option: Option, value: Any, members: Members, full_name: str, problems: Problems) -> bool:
    """Whether the value is one of those that options.proto lists, here and below."""
    if option.kind == "message" and isinstance(value, (dict, list)) and option.message == "PrinterColumn":
        below = message_options(option.message)
        entries = value if isinstance(value, list) else [value]
        return all(
            _valid(below[name], inner, members, full_name, problems)
            for entry in entries
            for name, inner in entry.items()
            if name in below
        )
    if option.values and value not in option.values:
        problems.report(
            "marker-value",
            f'"{option.name}" must be one of {", ".join(option.values)}, found "{value}"',
            members.at,
            path=full_name,
            hint=suggestion(str(value), option.values),
        )
        return False
    return True
