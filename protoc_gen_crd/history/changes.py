"""What changed between two summaries of an API, element by element; the one comparison that all texts come from."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from protoc_gen_crd.base.deprecation import Removal
from protoc_gen_crd.base.record import Record
from protoc_gen_crd.history.summary import Facts, KindSummary, Summary, VersionSummary
from protoc_gen_crd.schema.types import CHANNEL

ADDED, REMOVED, CHANGED = "added", "removed", "changed"

_NO_KIND = KindSummary({}, {})
_NO_VERSION = VersionSummary({}, {})


class Change(Record):
    """One change. The element is a kind, one of its versions, or a field of that; empty texts for what it is not.

    `facts` are old and new value by name, None where there is none. `below` counts fields that came or went with this
    one, or with the version. `removal` is when something may go that the change deprecates.
    """

    kind: str
    version: str
    path: str
    what: str
    facts: Mapping[str, tuple[object, object]] = {}
    below: int = 0
    removal: Removal | None = None


def changes(old: Summary, new: Summary) -> Iterator[Change]:
    """Every change, by kind, version and path. Below what is new or gone as a whole nothing is told but the number."""
    for name in sorted(old.keys() | new.keys()):
        before, after = old.get(name), new.get(name)
        yield from _element(name, "", "", before.facts if before else None, after.facts if after else None, 0)
        yield from _versions(name, before or _NO_KIND, after or _NO_KIND)


def _versions(kind: str, old: KindSummary, new: KindSummary) -> Iterator[Change]:
    for name in [*old.versions, *(name for name in new.versions if name not in old.versions)]:
        before, after = old.versions.get(name), new.versions.get(name)
        count = len(list(named((after or before or _NO_VERSION).fields)))
        told = all(side is None or side.root is not None for side in (before, after))
        yield from _element(kind, name, "", _whole(before, told=told), _whole(after, told=told), count)
        if before and after:
            yield from _fields(kind, name, before.fields, after.fields)


def _whole(version: VersionSummary | None, *, told: bool) -> Facts | None:
    """What is said of a version, and of its objects as a whole where both summaries tell."""
    if version is None:
        return None
    return {**version.facts, **(version.root or {})} if told else version.facts


def _fields(kind: str, version: str, old: Mapping[str, Facts], new: Mapping[str, Facts]) -> Iterator[Change]:
    whole = ""  # the field that is new or gone with all that is below it
    for path in sorted(old.keys() | new.keys(), key=steps):
        before, after = old.get(path), new.get(path)
        if whole and is_below(path, whole) and (before is None or after is None):
            continue
        whole = path if before is None or after is None else ""
        count = sum(is_below(each, path) for each in named(old if after is None else new)) if whole else 0
        yield from _element(kind, version, path, before, after, count)


def channelled(found: Iterable[Change], first: str) -> Iterator[Change]:
    """Changes, with the name of the first channel where one moves there or from there: nothing is said of it."""
    for change in found:
        if change.what == CHANGED and CHANNEL in change.facts:
            old, new = change.facts[CHANNEL]
            change = change.replace(facts={**change.facts, CHANNEL: (old or first, new or first)})
        yield change


def _element(kind: str, version: str, path: str, old: Facts | None, new: Facts | None, below: int) -> Iterator[Change]:
    if old == new:
        return
    facts = {
        name: (before, after)
        for name in sorted((old or {}).keys() | (new or {}).keys())
        if (before := (old or {}).get(name)) != (after := (new or {}).get(name))
    }
    what = ADDED if old is None else REMOVED if new is None else CHANGED
    yield Change(kind, version, path, what, facts, 0 if what == CHANGED else below)


def merged(found: Iterable[Change]) -> Iterator[tuple[list[str], Change]]:
    """Changes of one kind with the versions that each stands for: those of a field that are alike are told once."""
    groups: dict[str, tuple[list[str], Change]] = {}
    for change in found:
        key = repr(change.replace(version="") if change.path else change)
        groups.setdefault(key, ([], change))[0].extend(filter(None, (change.version,)))
    yield from groups.values()


def named(fields: Mapping[str, Facts]) -> Iterator[str]:
    """The paths that are fields, and not what a list or a map holds."""
    return (path for path in fields if not is_held(path))


def is_held(path: str) -> bool:
    """Whether a path is that of what a list or a map holds, and not of a field."""
    return path.endswith(("[]", "{}"))


def is_below(path: str, other: str) -> bool:
    """Whether a path leads through another; all lead through the empty one."""
    return not other or (path.startswith(other) and path[len(other) :].startswith((".", "[", "{")))


def steps(path: str) -> tuple[str, ...]:
    """A path step by step, to sort by: what is below a field follows it."""
    return tuple(path.replace("[]", ".[]").replace("{}", ".{}").split("."))
