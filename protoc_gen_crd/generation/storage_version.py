"""The storage version of a kind: the marked one, else the only one, else the first of a +cue-gen tag."""

from __future__ import annotations

from collections.abc import Sequence

from protoc_gen_crd.base.suggestions import find_nearest
from protoc_gen_crd.findings.finding import Problems
from protoc_gen_crd.generation.resource_messages import STRATEGY, ResourceSource
from protoc_gen_crd.markers.aliases import DIALECT

_HINT = "set (protoc_gen_crd.v1.resource).storage_version; +kubebuilder:storageversion marks a message of one version"
_MIN_SIMILARITY = 0.5  # as v1 and v2 are


def choose_storage_version(sources: Sequence[ResourceSource], problems: Problems) -> str:
    """The storage version of a kind; what is wrong with it is a finding."""
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
    """A hint for a version that is not listed: a slip, or one that lies where this run does not look."""
    near = find_nearest(name, listed, _MIN_SIMILARITY)
    meant = f'did you mean "{near}"?' if near else "use one of the versions."
    return f"{meant} If {name} is declared in another folder: {STRATEGY}"


def _check_first(sources: Sequence[ResourceSource], listed: Sequence[str], problems: Problems) -> None:
    """Without a mark only the order in one +cue-gen tag tells which of several versions is stored."""
    if len(sources) == 1 and sources[0].declared.kind:
        return
    vague = next((source for source in sources if source.declared.get("storage_version")), None)
    source = vague or sources[0]
    problem = f"{source.kind} has no storage version (versions: {', '.join(listed)})"
    if vague:
        problem = f"storage version of {source.kind} is ambiguous: its message declares {', '.join(vague.versions)}"
    _report(source, problem, problems, hint=_HINT)


def _list_marked_versions(source: ResourceSource) -> Sequence[str]:
    """A mark on a message means its version; where the message has several, only one with a name means anything."""
    name = source.declared.get("storage_version")
    if name == DIALECT:
        return source.versions if len(source.versions) == 1 else ()
    return (name,) if name else ()


def _report(source: ResourceSource, problem: str, problems: Problems, *, hint: str) -> None:
    problems.report(
        "storage-version", problem, source.get_place("storage_version"), path=source.message.full_name, hint=hint
    )
