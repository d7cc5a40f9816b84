"""The members that markers give a resource, merged into one value with a place for each."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from protoc_gen_crd.base.diagnostics import Place, Problems
from protoc_gen_crd.base.record import Record
from protoc_gen_crd.base.suggestions import suggestion
from protoc_gen_crd.markers.aliases import THIS_VERSION
from protoc_gen_crd.markers.declared import IDLE, Option, message_options
from protoc_gen_crd.markers.marker import Members
from protoc_gen_crd.markers.ranges import ENDS, Bounds, Ranges, bounds


class Declared(Record):
    """A resource as declared on one message: members by name, the place of each, the kind its tags name.

    Texts of a list and keys of a map have places too: `short_names[wd]`, `labels[key]`.
    """

    values: Mapping[str, Any]
    places: Mapping[str, Place]
    at: Place
    kind: str
    members: tuple[Members, ...] = ()

    def get(self, member: str) -> Any:
        """A member's value, None if it is not given."""
        return self.values.get(member)

    def place(self, member: str) -> Place:
        """Where a member was given, else where the resource was."""
        return self.places.get(member, self.at)


# Members that a version has by itself, and so may have in some versions only.
_PER_VERSION = (
    "columns", "preserve_unknown_fields", "scale", "selectable_fields", "spec_required", "status", "status_subresource",
)  # fmt: skip


def seen(resource: Declared, held: Sequence[bool], full_name: str, problems: Problems) -> Declared:
    """A resource as one version sees it: with those of its members that it has."""
    kept = [one for one, there in zip(resource.members, held, strict=True) if there]
    return _merge(kept, resource.kind, full_name, problems, resource.at)


def _parted(one: Members, full_name: str, problems: Problems) -> Iterator[Members]:
    """The members of a resource, those that hold in some versions only by themselves, with their ranges."""
    later = one.values.get("during") or ()
    if bounds(one.values):
        problem = 'a range of members must stand in "during", one of the whole resource on its message, found neither'
        problems.report("version-range", problem, one.at, path=full_name, excerpt=one.excerpt)
    rest = {name: value for name, value in one.values.items() if name not in ("during", *ENDS)}
    if rest or not later:
        whole = one if len(rest) == len(one.values) else one.replace(values=rest)
        yield from _with_spans(whole, full_name, problems)
    for index, values in enumerate(later):
        inner = {name: value for name, value in values.items() if name not in ENDS}
        if not inner:
            problems.report("marker-value", IDLE, one.place("during", index), path=full_name, excerpt=one.excerpt)
            continue
        within = (*one.within, *(bounds(values) or _UNBOUNDED))
        yield from _parted(one.replace(values=inner, at=one.place("during", index), within=within), full_name, problems)


_UNBOUNDED: tuple[Bounds, ...] = ((None, None),)


def _with_spans(one: Members, full_name: str, problems: Problems) -> Iterator[Members]:
    if not one.within:
        yield one
        return
    other = next((name for name in one.values if name not in _PER_VERSION), "")
    if other:
        problem = f'a range must be for what versions have by themselves, {", ".join(_PER_VERSION)}, found "{other}"'
        problems.report("marker-target", problem, one.at, path=full_name, excerpt=one.excerpt)
        return
    spans = Ranges(problems).of(one.within, one.at, full_name, one.excerpt)
    if spans:
        yield one.replace(spans=spans)


def declared(members: Iterable[Members], full_name: str, problems: Problems) -> list[Declared]:
    """The resources of one message: one, or one for each kind that its +cue-gen tags name."""
    by_kind: dict[str, list[Members]] = {}
    for given_one in members:
        for one in _parted(given_one, full_name, problems) if given_one.message == "Resource" else ():
            by_kind.setdefault(one.kind, []).append(one)
    shared = by_kind.pop("", [])
    whole = {kind: given for kind, given in by_kind.items() if any("group" in one.values for one in given)}
    for kind, given in by_kind.items():
        if kind not in whole and by_kind.keys() - {kind}:
            _report_stray(kind, given, whole or by_kind, full_name, problems)
    if not whole:
        kept = next(iter(by_kind.items()), ("", []))
        whole = {kept[0]: kept[1]} if kept[1] or shared else {}
    made = [_whole([*shared, *given], kind, full_name, problems) for kind, given in whole.items()]
    return [one for one in made if not one.kind or _makes(one, full_name, problems)]


def _makes(one: Declared, full_name: str, problems: Problems) -> bool:
    """Whether tags make a resource: not those without effect, nor a release channel alone."""
    effective = [name for name, value in one.values.items() if value != []]
    if effective == ["channel"]:
        problem = f'a release channel must stand on the message of a kind, on a field or a type, found "{one.kind}"'
        hint = "write +protoc-gen-crd:channel= for a message that is no resource"
        problems.report("marker-target", problem, one.at, path=full_name, hint=hint)
        return False
    return bool(effective)


def _report_stray(
    kind: str, given: list[Members], others: Mapping[str, object], full_name: str, problems: Problems
) -> None:
    known = sorted(set(others) - {kind})
    for one in given:
        problems.report(
            "resource-kind",
            f'a tag must name the kind of its message, {" or ".join(known)}, found "{kind}"',
            one.at,
            path=full_name,
            excerpt=one.excerpt,
            hint=suggestion(kind, known) or f'write "+cue-gen:{known[0]}:..." or move the tag to the message of {kind}',
        )


def _whole(members: list[Members], kind: str, full_name: str, problems: Problems) -> Declared:
    """A resource as a version sees it that no range holds, with all members to see it otherwise."""
    merged = _merge([one for one in members if not one.spans], kind, full_name, problems, members[0].at)
    return merged.replace(members=tuple(members))


def _merge(members: list[Members], kind: str, full_name: str, problems: Problems, at: Place | None = None) -> Declared:
    options, ranges = message_options("Resource"), Ranges(problems)
    values: dict[str, Any] = {}
    places: dict[str, Place] = {}
    for one in members:
        for name, value in one.values.items():
            option = options.get(name)
            if option is None or not _valid(option, value, one, full_name, problems):
                continue
            if name in values and _contradict(option, values[name], value):
                report_twice(name, values[name], value, one, full_name, problems)
                continue
            if isinstance(value, dict):
                _check_keys(name, values.get(name) or {}, value, one, full_name, problems)
            values[name] = _joined(values.get(name), _with_places(name, value, one, ranges, full_name))
            places.setdefault(name, one.place(name))
            texts = [(index, part) for index, part in enumerate(_parts(value)) if isinstance(part, str)]
            places |= {f"{name}[{text}]": one.place(name, index, text) for index, text in texts}
    _check_deprecations(values.get("deprecated_versions") or (), full_name, problems)
    return Declared(values, places, at or members[0].at, kind)


def _parts(value: Any) -> Iterable[Any]:
    return value if isinstance(value, (list, dict)) else ()


def _contradict(option: Option, known: Any, value: Any) -> bool:
    """Whether two values cannot be joined. An empty list says that there are none."""
    if option.repeated or isinstance(value, dict):
        return isinstance(value, list) and bool(known) != bool(value)
    return bool(known != value)


def _check_keys(
    name: str, known: Mapping[str, Any], value: Mapping[str, Any], members: Members, path: str, problems: Problems
) -> None:
    for key in known.keys() & value.keys():
        if known[key] != value[key]:
            report_twice(f"{name}.{key}", known[key], value[key], members, path, problems)


def _check_deprecations(entries: Iterable[Mapping[str, Any]], path: str, problems: Problems) -> None:
    """A version is deprecated once, with one warning."""
    seen: set[str] = set()
    for entry in entries:
        version = entry.get("version", "")
        empty = next((name for name in ("warning", "replacement") if entry.get(name) == ""), "")
        if empty:
            problem = f'"{empty}" of a deprecated version must not be empty'
            problems.report("marker-value", problem, entry["at"], path=path, hint="leave it out")
            continue
        if "warning" in entry and "replacement" in entry:
            problem = 'a deprecated version must have a "warning" or a "replacement", found both'
        elif version in seen:
            problem = f"a version must be deprecated once, found {version or 'the version'} twice"
        else:
            seen.add(version)
            continue
        problems.report("marker-contradiction", problem, entry["at"], path=path)


def report_twice(name: str, first: Any, second: Any, members: Members, path: str, problems: Problems) -> None:
    """Report a member that is set to two values."""
    problem = f'"{name}" must be set once, found {_shown(first)} and {_shown(second)}'
    problems.report("marker-contradiction", problem, members.place(name), path=path, excerpt=members.excerpt)


def _shown(value: Any) -> str:
    if isinstance(value, list):
        return ", ".join(f'"{one}"' if one else "all" for one in value) or "none"
    if value == THIS_VERSION:
        return "the version of the message"
    return str(value).lower() if isinstance(value, bool) else f'"{value}"'


def _with_places(name: str, value: Any, members: Members, ranges: Ranges, full_name: str) -> Any:
    """Columns and deprecations keep the place of their own marker, columns the ranges that they are there in."""
    if name not in ("columns", "deprecated_versions"):
        return value
    placed = [{**entry, "at": members.place(name, index)} for index, entry in enumerate(value)]
    for entry in placed if name == "columns" else ():
        entry["spans"] = ranges.of(bounds(entry), entry["at"], full_name, members.excerpt) or ()
    return placed


def _joined(known: Any, value: Any) -> Any:
    if isinstance(known, list):
        return [*known, *value]
    if isinstance(known, dict):
        return {**known, **value}
    return value


def _valid(option: Option, value: Any, members: Members, full_name: str, problems: Problems) -> bool:
    """Whether the value is one of those that options.proto lists, here and below."""
    if option.message == "PrinterColumn":
        below = message_options(option.message)
        judged = [
            _listed(below[name], inner, members, members.place(option.name, index), full_name, problems)
            for index, entry in enumerate(value)
            for name, inner in entry.items()
            if name in below
        ]
        return all(judged)
    if value == "" and not option.values:
        problem, hint = f'"{option.name}" must not be empty', "leave it out"
        at = members.place(option.name)
        problems.report("marker-value", problem, at, path=full_name, excerpt=members.excerpt, hint=hint)
        return False
    return _listed(option, value, members, members.place(option.name), full_name, problems)


def _listed(option: Option, value: Any, members: Members, at: Place, path: str, problems: Problems) -> bool:
    limit = 1 << (option.bits - 1)
    if option.kind == "integer" and not -limit <= value < limit:
        problem, hint = f'"{option.name}" must be within int{option.bits}, found {value}', ""
    elif option.values and value not in option.values:
        problem = f'"{option.name}" must be one of {", ".join(option.values)}, found "{value}"'
        hint = suggestion(str(value), option.values)
    else:
        return True
    problems.report("marker-value", problem, at, path=path, hint=hint, excerpt=members.excerpt)
    return False
