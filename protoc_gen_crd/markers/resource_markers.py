"""Resource members set by markers, merged into one value with a place for each."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.base.suggestions import suggest
from protoc_gen_crd.findings.finding import Place, Problems
from protoc_gen_crd.markers.aliases import DIALECT
from protoc_gen_crd.markers.marker import MessageMembers
from protoc_gen_crd.markers.marker_ranges import ENDS, Bounds, RangeReader, get_bounds
from protoc_gen_crd.markers.option_declarations import EMPTY_DURING, MarkerOption, get_message_options


class DeclaredResource(Record):
    """A resource as declared on one message: members by name, the place of each, the kind its tags name.

    Strings of a list and keys of a map have places too: `short_names[wd]`, `labels[key]`.
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
        """Return the place of a member, or else of the resource."""
        return self.places.get(member, self.at)


# Members that belong to a version, and so can have version ranges.
_PER_VERSION = (
    "columns", "preserve_unknown_fields", "scale", "selectable_fields", "spec_required", "status", "status_subresource",
)  # fmt: skip


def select_members(
    resource: DeclaredResource, held: Sequence[bool], full_name: str, problems: Problems
) -> DeclaredResource:
    """A resource as one version sees it: with those of its members that it has."""
    kept = [one for one, there in zip(resource.members, held, strict=True) if there]
    return _merge_members(kept, resource.kind, full_name, problems, resource.at)


def _split_members(one: MessageMembers, full_name: str, problems: Problems) -> Iterator[MessageMembers]:
    """Split the members of a resource by version range."""
    later = one.values.get("during") or ()
    if get_bounds(one.values):
        problem = 'version range of a resource is outside of "during"'
        hint = 'move the range of members to "during", or the range of the whole resource to its message'
        problems.report("version-range", problem, one.at, path=full_name, hint=hint, excerpt=one.excerpt)
    rest = {name: value for name, value in one.values.items() if name not in ("during", *ENDS)}
    if rest or not later:
        whole = one if len(rest) == len(one.values) else one.replace(values=rest)
        yield from _add_spans(whole, full_name, problems)
    for index, values in enumerate(later):
        inner = {name: value for name, value in values.items() if name not in ENDS}
        if not inner:
            problems.report(
                "marker-value", EMPTY_DURING, one.get_place("during", index), path=full_name, excerpt=one.excerpt
            )
            continue
        within = (*one.within, *(get_bounds(values) or _UNBOUNDED))
        yield from _split_members(
            one.replace(values=inner, at=one.get_place("during", index), within=within), full_name, problems
        )


_UNBOUNDED: tuple[Bounds, ...] = ((None, None),)


def _add_spans(one: MessageMembers, full_name: str, problems: Problems) -> Iterator[MessageMembers]:
    if not one.within:
        yield one
        return
    other = next((name for name in one.values if name not in _PER_VERSION), "")
    if other:
        problem = f'"{other}" cannot have a version range, only {", ".join(_PER_VERSION)} can'
        problems.report("marker-target", problem, one.at, path=full_name, excerpt=one.excerpt)
        return
    spans = RangeReader(problems).read_ranges(one.within, one.at, full_name, one.excerpt)
    if spans:
        yield one.replace(spans=spans)


def build_resources(members: Iterable[MessageMembers], full_name: str, problems: Problems) -> list[DeclaredResource]:
    """The resources of one message: one, or one for each kind that its +cue-gen tags name."""
    by_kind: dict[str, list[MessageMembers]] = {}
    for given_one in members:
        for one in _split_members(given_one, full_name, problems) if given_one.message == "Resource" else ():
            by_kind.setdefault(one.kind, []).append(one)
    shared = by_kind.pop("", [])
    whole = {kind: given for kind, given in by_kind.items() if any("group" in one.values for one in given)}
    for kind, given in by_kind.items():
        if kind not in whole and by_kind.keys() - {kind}:
            _report_stray(kind, given, whole or by_kind, full_name, problems)
    if not whole:
        kept = next(iter(by_kind.items()), ("", []))
        whole = {kept[0]: kept[1]} if kept[1] or shared else {}
    made = [_build_resource([*shared, *given], kind, full_name, problems) for kind, given in whole.items()]
    return [one for one in made if not one.kind or _has_resource_tags(one, full_name, problems)]


def _has_resource_tags(one: DeclaredResource, full_name: str, problems: Problems) -> bool:
    """Return whether tags declare a resource: a release channel alone does not."""
    effective = [name for name, value in one.values.items() if value != []]
    if effective == ["channel"]:
        problem = f'release channel of kind "{one.kind}" is on a message that is not a resource'
        hint = "write +protoc-gen-crd:channel= for a message that is not a resource"
        problems.report("marker-target", problem, one.at, path=full_name, hint=hint)
        return False
    return bool(effective)


def _report_stray(
    kind: str, given: list[MessageMembers], others: Mapping[str, object], full_name: str, problems: Problems
) -> None:
    known = sorted(set(others) - {kind})
    for one in given:
        problems.report(
            "resource-kind",
            f'tag names kind "{kind}", but the kind of its message is {" or ".join(known)}',
            one.at,
            path=full_name,
            excerpt=one.excerpt,
            hint=suggest(kind, known) or f'write "+cue-gen:{known[0]}:..." or move the tag to the message of {kind}',
        )


def _build_resource(members: list[MessageMembers], kind: str, full_name: str, problems: Problems) -> DeclaredResource:
    """Build a resource without members with ranges; select_members adds those of a version."""
    merged = _merge_members([one for one in members if not one.spans], kind, full_name, problems, members[0].at)
    return merged.replace(members=tuple(members))


def _merge_members(
    members: list[MessageMembers], kind: str, full_name: str, problems: Problems, at: Place | None = None
) -> DeclaredResource:
    options, ranges = get_message_options("Resource"), RangeReader(problems)
    values: dict[str, Any] = {}
    places: dict[str, Place] = {}
    for one in members:
        for name, value in one.values.items():
            option = options.get(name)
            if option is None or not _is_valid(option, value, one, full_name, problems):
                continue
            if name in values and _is_contradiction(option, values[name], value):
                report_twice(name, values[name], value, one, full_name, problems)
                continue
            if isinstance(value, dict):
                _check_keys(name, values.get(name) or {}, value, one, full_name, problems)
            values[name] = _join_values(values.get(name), _add_places(name, value, one, ranges, full_name))
            places.setdefault(name, one.get_place(name))
            texts = [(index, part) for index, part in enumerate(_list_parts(value)) if isinstance(part, str)]
            places |= {f"{name}[{text}]": one.get_place(name, index, text) for index, text in texts}
    _check_deprecations(values.get("deprecated_versions") or (), full_name, problems)
    return DeclaredResource(values, places, at or members[0].at, kind)


def _list_parts(value: Any) -> Iterable[Any]:
    return value if isinstance(value, (list, dict)) else ()


def _is_contradiction(option: MarkerOption, known: Any, value: Any) -> bool:
    """Return whether two values cannot be merged. An empty list excludes all others."""
    if option.repeated or isinstance(value, dict):
        return isinstance(value, list) and bool(known) != bool(value)
    return bool(known != value)


def _check_keys(
    name: str,
    known: Mapping[str, Any],
    value: Mapping[str, Any],
    members: MessageMembers,
    path: str,
    problems: Problems,
) -> None:
    for key in known.keys() & value.keys():
        if known[key] != value[key]:
            report_twice(f"{name}.{key}", known[key], value[key], members, path, problems)


def _check_deprecations(entries: Iterable[Mapping[str, Any]], path: str, problems: Problems) -> None:
    """Report versions that are deprecated twice or with two warnings."""
    seen: set[str] = set()
    for entry in entries:
        version = entry.get("version", "")
        empty = next((name for name in ("warning", "replacement") if entry.get(name) == ""), "")
        if empty:
            problem = f'"{empty}" of a deprecated version is empty'
            problems.report("marker-value", problem, entry["at"], path=path, hint="remove it")
            continue
        if "warning" in entry and "replacement" in entry:
            problem = 'deprecated version has both a "warning" and a "replacement"'
        elif version in seen:
            problem = f"{version or 'the version'} is deprecated twice"
        else:
            seen.add(version)
            continue
        problems.report("marker-contradiction", problem, entry["at"], path=path)


def report_twice(name: str, first: Any, second: Any, members: MessageMembers, path: str, problems: Problems) -> None:
    """Report a member that is set to two values."""
    problem = f'"{name}" is set twice, to {_format_value(first)} and {_format_value(second)}'
    problems.report("marker-contradiction", problem, members.get_place(name), path=path, excerpt=members.excerpt)


def _format_value(value: Any) -> str:
    if isinstance(value, list):
        return ", ".join(f'"{one}"' if one else "all" for one in value) or "none"
    if value == DIALECT:
        return "the version of the message"
    return str(value).lower() if isinstance(value, bool) else f'"{value}"'


def _add_places(name: str, value: Any, members: MessageMembers, ranges: RangeReader, full_name: str) -> Any:
    """Columns and deprecations keep the place of their own marker, columns the ranges that they are there in."""
    if name not in ("columns", "deprecated_versions"):
        return value
    placed = [{**entry, "at": members.get_place(name, index)} for index, entry in enumerate(value)]
    for entry in placed if name == "columns" else ():
        entry["spans"] = ranges.read_ranges(get_bounds(entry), entry["at"], full_name, members.excerpt) or ()
    return placed


def _join_values(known: Any, value: Any) -> Any:
    if isinstance(known, list):
        return [*known, *value]
    if isinstance(known, dict):
        return {**known, **value}
    return value


def _is_valid(option: MarkerOption, value: Any, members: MessageMembers, full_name: str, problems: Problems) -> bool:
    """Check the value, and those in it, against the values that options.proto lists."""
    if option.message == "PrinterColumn":
        below = get_message_options(option.message)
        judged = [
            _is_listed(below[name], inner, members, members.get_place(option.name, index), full_name, problems)
            for index, entry in enumerate(value)
            for name, inner in entry.items()
            if name in below
        ]
        return all(judged)
    if value == "" and not option.values:
        problem, hint = f'"{option.name}" is empty', "remove it"
        at = members.get_place(option.name)
        problems.report("marker-value", problem, at, path=full_name, excerpt=members.excerpt, hint=hint)
        return False
    return _is_listed(option, value, members, members.get_place(option.name), full_name, problems)


def _is_listed(
    option: MarkerOption, value: Any, members: MessageMembers, at: Place, path: str, problems: Problems
) -> bool:
    limit = 1 << (option.bits - 1)
    if option.kind == "integer" and not -limit <= value < limit:
        problem, hint = f'"{option.name}" is {value}, which is not within int{option.bits}', ""
    elif option.values and value not in option.values:
        problem = f'invalid value "{value}" for "{option.name}": possible values are {", ".join(option.values)}'
        hint = suggest(str(value), option.values)
    else:
        return True
    problems.report("marker-value", problem, at, path=path, hint=hint, excerpt=members.excerpt)
    return False
