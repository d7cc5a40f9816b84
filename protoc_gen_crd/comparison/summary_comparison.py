"""The comparison of two API summaries, element by element. Changelogs and compatibility checks are based on it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.comparison.api_summary import HUB, ApiSummary, Facts, KindSummary, VersionSummary
from protoc_gen_crd.kubernetes.deprecation_policy import Removal
from protoc_gen_crd.schema.schema import CHANNEL

ADDED, REMOVED, CHANGED = "added", "removed", "changed"

_NO_KIND = KindSummary({}, {})
_NO_VERSION = VersionSummary({}, {})


class ApiChange(Record):
    """A change of a kind, a version or a field. `version` and `path` are empty where they do not apply.

    `facts` are old and new values by name, None if absent. `field_count` counts the fields below an added or removed
    element. `removal` is the earliest removal of what the change deprecates.
    """

    kind: str
    version: str
    path: str
    action: str
    facts: Mapping[str, tuple[object, object]] = {}
    field_count: int = 0
    removal: Removal | None = None


def compare_summaries(old: ApiSummary, new: ApiSummary) -> Iterator[ApiChange]:
    """Yield every change by kind, version and path. For added or removed elements, children are only counted."""
    for name in sorted(old.keys() | new.keys()):
        before, after = old.get(name), new.get(name)
        with_hub = all(kind and HUB in kind.facts for kind in (before, after))
        old_facts, new_facts = (_get_kind_facts(kind, with_hub=with_hub) if kind else None for kind in (before, after))
        yield from _compare_element(name, "", "", old_facts, new_facts, 0)
        yield from _compare_versions(name, before or _NO_KIND, after or _NO_KIND)


def _get_kind_facts(kind: KindSummary, *, with_hub: bool) -> Facts:
    """Return the facts of a kind; the hub only if both summaries have it, since older releases do not record it."""
    return {name: value for name, value in kind.facts.items() if name != HUB or with_hub}


def _compare_versions(kind: str, old: KindSummary, new: KindSummary) -> Iterator[ApiChange]:
    for name in [*old.versions, *(name for name in new.versions if name not in old.versions)]:
        before, after = old.versions.get(name), new.versions.get(name)
        count = len(list(list_fields((after or before or _NO_VERSION).fields)))
        has_root = all(side is None or side.root is not None for side in (before, after))
        yield from _compare_element(
            kind,
            name,
            "",
            _get_version_facts(before, with_root=has_root),
            _get_version_facts(after, with_root=has_root),
            count,
        )
        if before and after:
            yield from _compare_fields(kind, name, before.fields, after.fields)


def _get_version_facts(version: VersionSummary | None, *, with_root: bool) -> Facts | None:
    """Return the facts of a version, and of its objects as a whole if both summaries record them."""
    if version is None:
        return None
    return {**version.facts, **(version.root or {})} if with_root else version.facts


def _compare_fields(kind: str, version: str, old: Mapping[str, Facts], new: Mapping[str, Facts]) -> Iterator[ApiChange]:
    parent = ""  # the path of the field that is added or removed with its children
    for path in sorted(old.keys() | new.keys(), key=split_path):
        before, after = old.get(path), new.get(path)
        if parent and is_below(path, parent) and (before is None or after is None):
            continue
        parent = path if before is None or after is None else ""
        count = sum(is_below(other, path) for other in list_fields(old if after is None else new)) if parent else 0
        yield from _compare_element(kind, version, path, before, after, count)


def name_default_channel(changes: Iterable[ApiChange], default: str) -> Iterator[ApiChange]:
    """Replace empty channels in changes by the first channel, which schemas omit."""
    for change in changes:
        if change.action == CHANGED and CHANNEL in change.facts:
            old, new = change.facts[CHANNEL]
            change = change.replace(facts={**change.facts, CHANNEL: (old or default, new or default)})
        yield change


def _compare_element(
    kind: str, version: str, path: str, old: Facts | None, new: Facts | None, field_count: int
) -> Iterator[ApiChange]:
    if old == new:
        return
    facts = {
        name: (before, after)
        for name in sorted((old or {}).keys() | (new or {}).keys())
        if (before := (old or {}).get(name)) != (after := (new or {}).get(name))
    }
    action = ADDED if old is None else REMOVED if new is None else CHANGED
    yield ApiChange(kind, version, path, action, facts, 0 if action == CHANGED else field_count)


def merge_versions(changes: Iterable[ApiChange]) -> Iterator[tuple[list[str], ApiChange]]:
    """Group equal changes of a field over versions; yield each with its versions."""
    groups: dict[str, tuple[list[str], ApiChange]] = {}
    for change in changes:
        key = repr(change.replace(version="") if change.path else change)
        groups.setdefault(key, ([], change))[0].extend(filter(None, (change.version,)))
    yield from groups.values()


def list_fields(fields: Mapping[str, Facts]) -> Iterator[str]:
    """List the paths of fields, without those of list items and map values."""
    return (path for path in fields if not is_element(path))


def is_element(path: str) -> bool:
    """Check whether a path is that of list items or map values."""
    return path.endswith(("[]", "{}"))


def is_below(path: str, other: str) -> bool:
    """Check whether a path is inside another one; every path is inside the empty path."""
    return not other or (path.startswith(other) and path[len(other) :].startswith((".", "[", "{")))


def split_path(path: str) -> tuple[str, ...]:
    """Split a path into steps, as a sort key that places children after their parent."""
    return tuple(path.replace("[]", ".[]").replace("{}", ".{}").split("."))
