"""Checks of a change of sources: the CRDs after it, compared with those before it."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.comparison.api_summary import summarize_api
from protoc_gen_crd.crd.crd import Crd
from protoc_gen_crd.crd.crd_encoder import encode
from protoc_gen_crd.findings.finding import Problems

_OF_ENTRY = ("name", "served", "storage", "deprecated", "deprecationWarning")  # members that a copy does not share
_OF_FACTS = ("served", "storage", "deprecated", "deprecation_warning")
# Keywords that name fields and values, and change if one of them is removed.
_CHANGED_BY_REMOVAL = frozenset(["required", "enum", "oneOf", "anyOf", "allOf", "not", "x-kubernetes-validations"])
_OF_NEW_VERSION = {"served": True, "storage": False, "deprecated": False}
_HINT_SHARED = "nothing was changed; name the versions in deprecated_versions, instead of an option for all of them"
_HINT = "nothing was changed; this change needs to be made by hand"

VersionKey = tuple[str, str]  # name of the CRD, version


class ApiState(Record):
    """The versions of an API as plain data: entries of CRDs, facts beside them, and other parts of the spec."""

    entries: Mapping[VersionKey, Mapping[str, Any]]
    facts: Mapping[VersionKey, Any]
    kinds: Mapping[str, Any]

    @classmethod
    def make(cls, crds: tuple[Crd, ...]) -> ApiState:
        """Return the state of CRDs."""
        entries, kinds = {}, {}
        summary = summarize_api(crds)
        facts = {}
        for crd in crds:
            spec = encode(crd)["spec"]
            kinds[crd.name] = {key: spec[key] for key in ("group", "names", "scope")}
            versions = summary[f"{crd.group}/{crd.names.kind}"].versions
            for entry in spec["versions"]:
                key = crd.name, entry["name"]
                entries[key] = entry
                version = versions[entry["name"]]
                facts[key] = {"facts": dict(version.facts), "fields": {k: dict(v) for k, v in version.fields.items()}}
        return cls(entries, facts, kinds)


def check_added(
    before: ApiState, after: ApiState, crds: Sequence[str], pair: tuple[str, str], problems: Problems
) -> None:
    """Report CRDs whose new version differs from its source, and other versions that have changed.

    `pair` is the new version and its source.
    """
    version, source = pair
    added = {(name, version) for name in crds}
    _check_others(before, after, added, problems)
    for name in crds:
        new, old = _get_copy(after, name, version), _get_copy(before, name, source)
        if before.entries[name, source].get("deprecated"):  # which its description and its spec may also note
            new, old = (_drop(copy, ("description", "deprecated")) for copy in (new, old))
        if new != old:
            message = f"version {version} of {name} differs from {source}{_describe(old, new)}"
            problems.report("edit-result", message, path=name, hint=_HINT)
        for member, expected in _OF_NEW_VERSION.items():
            if after.entries.get((name, version), {}).get(member, expected) != expected:
                message = f'version {version} of {name} would have "{member}: {str(not expected).lower()}"'
                problems.report("edit-result", message, path=name, hint=_HINT_SHARED)


def check_removed(before: ApiState, after: ApiState, removed: set[VersionKey], problems: Problems) -> None:
    """Report versions other than the removed ones that have changed."""
    remaining = ApiState(
        {key: entry for key, entry in before.entries.items() if key not in removed}, before.facts, before.kinds
    )
    _check_others(remaining, after, set(), problems)


def check_removed_elements(before: ApiState, after: ApiState, _: set[VersionKey], problems: Problems) -> None:
    """Report versions that are added or removed, and differences other than what follows from a removed element."""
    for name, version in sorted(before.entries.keys() | after.entries.keys()):
        old, new = before.entries.get((name, version)), after.entries.get((name, version))
        for path in _find_differences(old, new, ()):
            if not path or not (_is_missing(new, path) or _CHANGED_BY_REMOVAL.intersection(path)):
                message = f'version {version} of {name} would change at "{".".join(map(str, path))}"'
                problems.report("edit-result", message, path=f"{name}.{version}", hint=_HINT)


def _is_missing(value: Any, path: Sequence[object]) -> bool:
    for step in path:
        if isinstance(value, dict) and step not in value:
            return True
        value = value[step]
    return False


def check_deprecated(before: ApiState, after: ApiState, versions: set[VersionKey], problems: Problems) -> None:
    """Report changes other than deprecations. `versions` are those that are deprecated."""
    _check_others(_drop_deprecations(before, versions), _drop_deprecations(after, versions), set(), problems)


def _drop_deprecations(state: ApiState, versions: set[VersionKey]) -> ApiState:
    entries = {
        key: {
            name: value
            for name, value in _drop(entry).items()
            if key not in versions or name not in ("deprecated", "deprecationWarning")
        }
        for key, entry in state.entries.items()
    }
    return ApiState(entries, {}, state.kinds)


def _drop(value: Any, names: Collection[str] = ("description",)) -> Any:
    """Return plain data without descriptions, in which deprecations of fields are noted, or other scalar members."""
    if isinstance(value, dict):
        kept = {key: part for key, part in value.items() if key not in names or not isinstance(part, str | bool)}
        return {key: _drop(part, names) for key, part in kept.items()}
    return [_drop(part, names) for part in value] if isinstance(value, list) else value


def _get_copy(state: ApiState, name: str, version: str) -> Any:
    """Return what a version shares with a copy."""
    key = name, version
    if key not in state.entries:
        return None
    entry = {member: value for member, value in state.entries[key].items() if member not in _OF_ENTRY}
    facts = state.facts[key]
    shared = {member: value for member, value in facts["facts"].items() if member not in _OF_FACTS}
    return {"entry": entry, "facts": shared, "fields": facts["fields"]}


def _check_others(before: ApiState, after: ApiState, added: set[VersionKey], problems: Problems) -> None:
    """Report versions and kinds that are added, removed or changed, except for the added ones."""
    for name, version in sorted((before.entries.keys() | after.entries.keys()) - added):
        old, new = before.entries.get((name, version)), after.entries.get((name, version))
        if old != new or before.facts.get((name, version)) != after.facts.get((name, version)):
            message = f"version {version} of {name} would change{_describe(old, new)}"
            problems.report("edit-result", message, path=f"{name}.{version}", hint=_HINT)
    for name in sorted(before.kinds.keys() & after.kinds.keys()):
        if before.kinds[name] != after.kinds[name]:
            message = f"{name} would change{_describe(before.kinds[name], after.kinds[name])}"
            problems.report("edit-result", message, path=name, hint=_HINT)


def _describe(old: Any, new: Any) -> str:
    """Describe where plain data differ first."""
    if old is None or new is None:
        return ": it is missing " + ("afterwards" if new is None else "before")
    path = next(_find_differences(old, new, ()), ())
    return f' at "{".".join(map(str, path))}"' if path else ""


def _find_differences(old: Any, new: Any, path: tuple[object, ...]) -> Iterator[tuple[object, ...]]:
    if isinstance(old, dict) and isinstance(new, dict):
        for key in sorted(old.keys() | new.keys(), key=str):
            yield from _find_differences(old.get(key), new.get(key), (*path, key))
    elif isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        for index, (first, second) in enumerate(zip(old, new, strict=True)):
            yield from _find_differences(first, second, (*path, index))
    elif old != new:
        yield path
