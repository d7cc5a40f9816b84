"""Choice of the storage version of a kind: the marked version, the only one, or the first of a +cue-gen tag."""

from __future__ import annotations

from collections.abc import Sequence

from protoc_gen_crd.base.suggestions import find_nearest
from protoc_gen_crd.findings.finding import Problems
from protoc_gen_crd.generation.resource_messages import STRATEGY, ResourceSource
from protoc_gen_crd.markers.marker_aliases import DIALECT

_HINT = "set (protoc_gen_crd.v1.resource).storage_version; +kubebuilder:storageversion marks a message of one version"
_MIN_SIMILARITY = 0.5  # the similarity of v1 and v2


def choose_storage_version(sources: Sequence[ResourceSource], problems: Problems) -> str:
    """Return the storage version of a kind. Missing, unknown, and ambiguous storage versions are findings."""
    listed = list(dict.fromkeys(name for source in sources for name in source.versions))
    marked: dict[str, ResourceSource] = {}
    for source in sources:
        for name in _list_marked_versions(source):
            if name in listed:
                marked.setdefault(name, source)
            else:
                _report(
                    source,
                    f'unknown storage version "{name}" of {source.kind} (versions: {", ".join(listed)})',
                    problems,
                    hint=_suggest_version(name, listed),
                )
                return listed[0]
    if len(marked) > 1:
        first, *_, last = marked.values()
        problem = f"{last.kind} has several storage versions: {' and '.join(marked)}"
        _report(last, problem, problems, hint=f"the other is marked at {first.get_place('storage_version').resolve()}")
    elif not marked and len(listed) > 1:
        _check_first(sources, listed, problems)
    return next(iter(marked), listed[0])


def _suggest_version(name: str, listed: Sequence[str]) -> str:
    """Return a hint for a version that is not listed: a typo, or a version in another folder."""
    near = find_nearest(name, listed, _MIN_SIMILARITY)
    suggestion = f'did you mean "{near}"?' if near else "use one of the versions."
    return f"{suggestion} If {name} is declared in another folder: {STRATEGY}"


def _check_first(sources: Sequence[ResourceSource], listed: Sequence[str], problems: Problems) -> None:
    """Report several versions without a storage version, unless a +cue-gen tag lists them in order."""
    if len(sources) == 1 and sources[0].declared.kind:
        return
    ambiguous = next((source for source in sources if source.declared.get("storage_version")), None)
    source = ambiguous or sources[0]
    problem = f"{source.kind} has no storage version (versions: {', '.join(listed)})"
    if ambiguous:
        problem = f"storage version of {source.kind} is ambiguous: its message declares {', '.join(ambiguous.versions)}"
    _report(source, problem, problems, hint=_HINT)


def _list_marked_versions(source: ResourceSource) -> Sequence[str]:
    """Return the versions that a message marks. A marker without a name is only valid for a single version."""
    name = source.declared.get("storage_version")
    if name == DIALECT:
        return source.versions if len(source.versions) == 1 else ()
    return (name,) if name else ()


def _report(source: ResourceSource, problem: str, problems: Problems, *, hint: str) -> None:
    problems.report(
        "storage-version", problem, source.get_place("storage_version"), path=source.message.full_name, hint=hint
    )
