"""Resources that markers declare: the members of all markers of a message, merged, each with its place."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.base.suggestions import suggest
from protoc_gen_crd.findings.finding import Place, PlacesOnDemand, Problems
from protoc_gen_crd.markers.marker import MessageMembers
from protoc_gen_crd.markers.marker_aliases import DIALECT
from protoc_gen_crd.markers.marker_ranges import ENDS, Bounds, RangeReader, get_bounds
from protoc_gen_crd.markers.option_declarations import (
    EMPTY_DURING,
    EMPTY_DURING_HINT,
    MarkerOption,
    get_message_options,
)


class DeclaredResource(Record):
    """A resource as declared on a message: its members by name, their places, and the kind that its tags name.

    Strings in a list and keys of a map also have places: `short_names[wd]`, `labels[key]`.
    """

    values: Mapping[str, Any]
    places: Mapping[str, Place]
    at: Place
    kind: str
    members: tuple[MessageMembers, ...] = ()

    def get(self, member: str) -> Any:
        """Return the value of a member, None if it is not set."""
        return self.values.get(member)

    def get_place(self, member: str) -> Place:
        """Return the place of a member, or of the resource if the member has no place."""
        return self.places.get(member, self.at)


# Members that belong to a version and can have version ranges.
_PER_VERSION = (
    "columns", "preserve_unknown_fields", "scale", "selectable_fields", "spec_required", "status", "status_subresource",
)  # fmt: skip


def select_members(
    resource: DeclaredResource, existing: Sequence[bool], full_name: str, problems: Problems
) -> DeclaredResource:
    """Return a resource with the members that exist in a version. `existing` has an item for each member."""
    members = [member for member, exists in zip(resource.members, existing, strict=True) if exists]
    return _merge_members(members, resource.kind, full_name, problems, resource.at)


def _split_members(members: MessageMembers, full_name: str, problems: Problems) -> Iterator[MessageMembers]:
    """Split the members of a resource by version range."""
    later = members.values.get("during") or ()
    if get_bounds(members.values):
        problem = 'version range of a resource is outside of "during"'
        hint = 'move the range of members to "during", or the range of the whole resource to its message'
        problems.report("version-range", problem, members.at, path=full_name, hint=hint, excerpt=members.excerpt)
    outer = {name: value for name, value in members.values.items() if name not in ("during", *ENDS)}
    if outer or not later:
        remaining = members if len(outer) == len(members.values) else members.replace(values=outer)
        yield from _add_spans(remaining, full_name, problems)
    for index, values in enumerate(later):
        inner = {name: value for name, value in values.items() if name not in ENDS}
        if not inner:
            problems.report(
                "marker-value",
                EMPTY_DURING,
                members.get_place("during", index),
                path=full_name,
                hint=EMPTY_DURING_HINT,
                excerpt=members.excerpt,
            )
            continue
        within = (*members.within, *(get_bounds(values) or _UNBOUNDED))
        yield from _split_members(
            members.replace(values=inner, at=members.get_place("during", index), within=within), full_name, problems
        )


_UNBOUNDED: tuple[Bounds, ...] = ((None, None),)


def _add_spans(members: MessageMembers, full_name: str, problems: Problems) -> Iterator[MessageMembers]:
    if not members.within:
        yield members
        return
    unranged = next((name for name in members.values if name not in _PER_VERSION), "")
    if unranged:
        problem = f'"{unranged}" cannot have a version range, only {", ".join(_PER_VERSION)} can'
        problems.report("marker-target", problem, members.at, path=full_name, excerpt=members.excerpt)
        return
    spans = RangeReader(problems).read_ranges(members.within, members.at, full_name, members.excerpt)
    if spans:
        yield members.replace(spans=spans)


def build_resources(members: Iterable[MessageMembers], full_name: str, problems: Problems) -> list[DeclaredResource]:
    """Return the resources of a message: one, or one for each kind that its +cue-gen tags name."""
    by_kind: dict[str, list[MessageMembers]] = {}
    for message_members in members:
        for part in (
            _split_members(message_members, full_name, problems) if message_members.message == "Resource" else ()
        ):
            by_kind.setdefault(part.kind, []).append(part)
    shared = by_kind.pop("", [])
    complete = {kind: group for kind, group in by_kind.items() if any("group" in part.values for part in group)}
    for kind, group in by_kind.items():
        if kind not in complete and by_kind.keys() - {kind}:
            _report_stray(kind, group, complete or by_kind, full_name, problems)
    if not complete:
        first = next(iter(by_kind.items()), ("", []))
        complete = {first[0]: first[1]} if first[1] or shared else {}
    resources = [_build_resource([*shared, *group], kind, full_name, problems) for kind, group in complete.items()]
    return [part for part in resources if not part.kind or _has_resource_tags(part, full_name, problems)]


def _has_resource_tags(resource: DeclaredResource, full_name: str, problems: Problems) -> bool:
    """Return whether tags declare a resource. A release channel alone does not, and is reported."""
    effective = [name for name, value in resource.values.items() if value != []]
    if effective == ["channel"]:
        problem = f'release channel of kind "{resource.kind}" is on a message that is not a resource'
        hint = "write +protoc-gen-crd:channel= for a message that is not a resource"
        problems.report("marker-target", problem, resource.at, path=full_name, hint=hint)
        return False
    return bool(effective)


def _report_stray(
    kind: str, members: list[MessageMembers], kinds: Mapping[str, object], full_name: str, problems: Problems
) -> None:
    possible = sorted(set(kinds) - {kind})
    for member in members:
        problems.report(
            "resource-kind",
            f'tag names kind "{kind}", but the kind of its message is {" or ".join(possible)}',
            member.at,
            path=full_name,
            excerpt=member.excerpt,
            hint=suggest(kind, possible)
            or f'write "+cue-gen:{possible[0]}:..." or move the tag to the message of {kind}',
        )


def _build_resource(members: list[MessageMembers], kind: str, full_name: str, problems: Problems) -> DeclaredResource:
    """Build a resource without the members with ranges, which select_members adds for a version."""
    merged = _merge_members(
        [member for member in members if not member.spans], kind, full_name, problems, members[0].at
    )
    return merged.replace(members=tuple(members))


def _merge_members(
    members: list[MessageMembers], kind: str, full_name: str, problems: Problems, at: Place | None = None
) -> DeclaredResource:
    options, ranges = get_message_options("Resource"), RangeReader(problems)
    values: dict[str, Any] = {}
    merged: list[tuple[str, Any, MessageMembers]] = []
    for marker in members:
        for name, value in marker.values.items():
            option = options.get(name)
            if option is None or not _is_valid(option, value, marker, full_name, problems):
                continue
            if name in values and _is_contradiction(option, values[name], value):
                report_twice(name, values[name], value, marker, full_name, problems)
                continue
            if isinstance(value, dict):
                _check_keys(name, values.get(name) or {}, value, marker, full_name, problems)
            values[name] = _join_values(values.get(name), _add_places(name, value, marker, ranges, full_name))
            merged.append((name, value, marker))
    _check_deprecations(values.get("deprecated_versions") or (), full_name, problems)
    places = PlacesOnDemand(partial(_find_places, merged))
    return DeclaredResource(values, places, at or members[0].at, kind)


def _find_places(members: Iterable[tuple[str, Any, MessageMembers]]) -> dict[str, Place]:
    """Return the places of members, and of the strings in their lists and the keys of their maps."""
    places: dict[str, Place] = {}
    for name, value, marker in members:
        places.setdefault(name, marker.get_place(name))
        strings = [(index, part) for index, part in enumerate(_list_parts(value)) if isinstance(part, str)]
        places |= {f"{name}[{string}]": marker.get_place(name, index, string) for index, string in strings}
    return places


def _list_parts(value: Any) -> Iterable[Any]:
    return value if isinstance(value, (list, dict)) else ()


def _is_contradiction(option: MarkerOption, previous: Any, value: Any) -> bool:
    """Return whether two values cannot be merged. An empty list excludes all others."""
    if option.repeated or isinstance(value, dict):
        return isinstance(value, list) and bool(previous) != bool(value)
    return bool(previous != value)


def _check_keys(
    name: str,
    previous: Mapping[str, Any],
    value: Mapping[str, Any],
    members: MessageMembers,
    path: str,
    problems: Problems,
) -> None:
    for key in previous.keys() & value.keys():
        if previous[key] != value[key]:
            report_twice(f"{name}.{key}", previous[key], value[key], members, path, problems)


def _check_deprecations(entries: Iterable[Mapping[str, Any]], path: str, problems: Problems) -> None:
    """Report versions that are deprecated twice or with two warnings."""
    versions: set[str] = set()
    for entry in entries:
        version = entry.get("version", "")
        empty = next((name for name in ("warning", "replacement") if entry.get(name) == ""), "")
        if empty:
            problem = f'"{empty}" of a deprecated version is empty'
            problems.report("marker-value", problem, entry["at"], path=path, hint="remove it")
            continue
        if "warning" in entry and "replacement" in entry:
            problem = 'deprecated version has both a "warning" and a "replacement"'
        elif version in versions:
            problem = f"{version or 'the version'} is deprecated twice"
        else:
            versions.add(version)
            continue
        problems.report("marker-contradiction", problem, entry["at"], path=path)


def report_twice(name: str, first: Any, second: Any, members: MessageMembers, path: str, problems: Problems) -> None:
    """Report a member that is set to two values.

    Args:
        name: The name of the member in message Resource.
        first: The value that is used.
        second: The other value.
        members: The marker that sets the other value.
        path: The full name of the element, for entries of the settings.
        problems: Receives the finding.
    """
    problem = f'"{name}" is set twice, to {_format_value(first)} and {_format_value(second)}'
    problems.report("marker-contradiction", problem, members.get_place(name), path=path, excerpt=members.excerpt)


def _format_value(value: Any) -> str:
    if isinstance(value, list):
        return ", ".join(f'"{item}"' if item else "all" for item in value) or "none"
    if value == DIALECT:
        return "the version of the message"
    return str(value).lower() if isinstance(value, bool) else f'"{value}"'


def _add_places(name: str, value: Any, members: MessageMembers, ranges: RangeReader, full_name: str) -> Any:
    """Add the place of the marker to columns and deprecations, and the version ranges to columns."""
    if name not in ("columns", "deprecated_versions"):
        return value
    entries = [{**entry, "at": members.get_place(name, index)} for index, entry in enumerate(value)]
    for entry in entries if name == "columns" else ():
        entry["spans"] = ranges.read_ranges(get_bounds(entry), entry["at"], full_name, members.excerpt) or ()
    return entries


def _join_values(previous: Any, value: Any) -> Any:
    if isinstance(previous, list):
        return [*previous, *value]
    if isinstance(previous, dict):
        return {**previous, **value}
    return value


def _is_valid(option: MarkerOption, value: Any, members: MessageMembers, full_name: str, problems: Problems) -> bool:
    """Check a value, and the values in it, against the values that options.proto lists."""
    faults = list(_find_faults(option, value))
    for index, problem, hint in faults:
        at = members.get_place(option.name, index)
        problems.report("marker-value", problem, at, path=full_name, hint=hint, excerpt=members.excerpt)
    return not faults


def _find_faults(option: MarkerOption, value: Any) -> Iterator[tuple[int, str, str]]:
    """Yield the faults of a value: the index in a list of columns, 0 for other values, the problem, and a hint."""
    if option.message == "PrinterColumn":
        options = get_message_options(option.message)
        for index, entry in enumerate(value):
            for name in filter(options.__contains__, entry):
                yield from ((index, *fault) for fault in _find_unlisted(options[name], entry[name]))
    elif value == "" and not option.values:
        yield 0, f'"{option.name}" is empty', "remove it"
    else:
        yield from ((0, *fault) for fault in _find_unlisted(option, value))


def _find_unlisted(option: MarkerOption, value: Any) -> Iterator[tuple[str, str]]:
    """Yield the problem and the hint of a value that options.proto does not list, and of an integer out of range."""
    limit = 1 << (option.bits - 1)
    if option.kind == "integer" and not -limit <= value < limit:
        problem = f'"{option.name}" is {value}, which is not within int{option.bits}'
        yield problem, f"write a number from {-limit} to {limit - 1}"
    elif option.values and value not in option.values:
        problem = f'invalid value "{value}" for "{option.name}": possible values are {", ".join(option.values)}'
        yield problem, suggest(str(value), option.values)
