"""Which version of a kind is stored: the marked one, else the only one, else the first that a +cue-gen tag lists."""

from __future__ import annotations

from collections.abc import Sequence

from protoc_gen_crd.base.diagnostics import Problems
from protoc_gen_crd.base.suggestions import nearest
from protoc_gen_crd.build.sources import STRATEGY, Source
from protoc_gen_crd.markers.aliases import THIS_VERSION

_HINT = "set (protoc_gen_crd.v1.resource).storage_version; +kubebuilder:storageversion marks a message of one version"
_ALIKE = 0.5  # as v1 and v2 are


def storage_version(sources: Sequence[Source], problems: Problems) -> str:
    """The storage version of a kind; what is wrong with it is a finding."""
    listed = list(dict.fromkeys(name for source in sources for name in source.versions))
    marked: dict[str, Source] = {}
    for source in sources:
        for name in _marked(source):
            if name in listed:
                marked.setdefault(name, source)
            else:
                problem = f'must be one of its versions, {", ".join(listed)}, found "{name}"'
                _report(
                    source, f"the storage version of {source.kind} {problem}", problems, hint=_otherwise(name, listed)
                )
                return listed[0]
    if len(marked) > 1:
        first, *_, last = marked.values()
        problem = f"one version of {last.kind} must be the storage version, found {' and '.join(marked)}"
        _report(last, problem, problems, hint=f"the other is marked at {first.place('storage_version').resolve()}")
    elif not marked and len(listed) > 1:
        _check_first(sources, listed, problems)
    return next(iter(marked), listed[0])


def _otherwise(name: str, listed: Sequence[str]) -> str:
    """A hint for a version that is not listed: a slip, or one that lies where this run does not look."""
    near = nearest(name, listed, _ALIKE)
    meant = f'did you mean "{near}"?' if near else "name one of them."
    return f"{meant} If there is a {name} elsewhere: {STRATEGY}"


def _check_first(sources: Sequence[Source], listed: Sequence[str], problems: Problems) -> None:
    """Without a mark only the order in one +cue-gen tag tells which of several versions is stored."""
    if len(sources) == 1 and sources[0].declared.kind:
        return
    vague = next((source for source in sources if source.declared.get("storage_version")), None)
    found = f"a mark on a message of {', '.join(vague.versions)}" if vague else f"none marked of {', '.join(listed)}"
    source = vague or sources[0]
    _report(source, f"one version of {source.kind} must be the storage version, found {found}", problems, hint=_HINT)


def _marked(source: Source) -> Sequence[str]:
    """A mark on a message means its version; where the message has several, only one with a name means anything."""
    name = source.declared.get("storage_version")
    if name == THIS_VERSION:
        return source.versions if len(source.versions) == 1 else ()
    return (name,) if name else ()


def _report(source: Source, problem: str, problems: Problems, *, hint: str) -> None:
    problems.report(
        "storage-version", problem, source.place("storage_version"), path=source.message.full_name, hint=hint
    )
