"""The verdict on the changes between two APIs: what they require before they can be released, and why."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.comparison.change import Change, ChangeClass
from protoc_gen_crd.comparison.severity_profiles import DEFAULT_PROFILES, PROFILES, ProfileChoice, Requirement
from protoc_gen_crd.crd.crd import Crd
from protoc_gen_crd.kubernetes.api_version_names import find_newest, list_next_names

COMPATIBLE, MINOR_RELEASE, NEW_VERSION = "compatible", "minor release", "new version"
DEPRECATION = "not allowed before the end of the deprecation period"
NEXT_MICROVERSION, NOT_ALLOWED = "next microversion", "not allowed: add a new field or kind instead"
NOT_REMOVED = "not allowed: keep the kind or version"
REJECTED = "rejected by API servers"
_ADDED = "change-version-added"
_UNNUMBERED = "(no release is recorded)"
_ALPHA_NOTE = "alpha versions may change incompatibly"
_TEXTS = {
    Requirement.NOTHING: COMPATIBLE,
    Requirement.MINOR_RELEASE: MINOR_RELEASE,
    Requirement.NEXT_MICROVERSION: NEXT_MICROVERSION,
    Requirement.NEW_VERSION: NEW_VERSION,
    Requirement.DEPRECATION: DEPRECATION,
    Requirement.NOT_REMOVED: NOT_REMOVED,
    Requirement.NOT_ALLOWED: NOT_ALLOWED,
}


class ChangeVerdict(Record):
    """A verdict: `text` as it is printed, and the changes that it rests on, the strongest first.

    `note` explains a verdict that readers would not expect, empty for others.
    """

    text: str
    requirement: Requirement = Requirement.NOTHING
    reasons: tuple[Change, ...] = ()
    note: str = ""

    def format(self) -> str:
        """Return the verdict with its note."""
        return f"{self.text} ({self.note})" if self.note else self.text


class ApiVersions(Record):
    """The names that a verdict suggests successors of.

    `by_kind` are the versions of each kind (`group/Kind`) and proto package on both sides, `microversion` is the next
    microversion, empty if unknown, and `microversions` are those of gRPC API groups with a line of their own.
    """

    by_kind: Mapping[str, Collection[str]]
    microversion: str = ""
    microversions: Mapping[str, str] = {}


def collect_versions(
    crds: Iterable[Crd], packages: Mapping[str, Collection[str]] | None = None, microversion: str = ""
) -> ApiVersions:
    """Return the versions of CRDs of both sides by kind, those of packages, and the next microversion."""
    by_kind = {name: set(versions) for name, versions in (packages or {}).items()}
    for crd in crds:
        by_kind.setdefault(f"{crd.group}/{crd.names.kind}", set()).update(version.name for version in crd.versions)
    return ApiVersions(by_kind, microversion)


def find_verdict(
    changes: Iterable[Change], versions: ApiVersions | None, profiles: ProfileChoice = DEFAULT_PROFILES
) -> ChangeVerdict:
    """Return the verdict on changes; of several kinds, the strongest requirement counts.

    Without `versions`, the verdict suggests no name of the next version.
    """
    changes = sorted(changes, key=lambda change: -change.change_class)
    if rejected := [change for change in changes if change.is_rejected]:
        return ChangeVerdict(REJECTED, Requirement.NOT_ALLOWED, tuple(rejected))
    decisions = [(change, profiles.find(change.kind).decide(change)) for change in changes]
    strongest = max((decision.requirement for _, decision in decisions), default=Requirement.NOTHING)
    decisive = [pair for pair in decisions if pair[1].requirement == strongest]
    reasons = tuple(change for change, _ in decisive) if strongest else ()
    added = _find_added_versions(changes, versions) if versions else {}
    suffix = _suggest_name(strongest, reasons, versions, added) if versions else ""
    text = " ".join(filter(None, (_TEXTS[strongest], suffix)))
    if strongest is Requirement.NEW_VERSION:
        note = _explain_name(reasons, versions, added) if versions else ""
    elif strongest is Requirement.DEPRECATION:
        note = f"serve {_format_elements(reasons)} as deprecated until then"
    else:
        is_alpha = any(decision.is_alpha and change.change_class > ChangeClass.LOOSEN for change, decision in decisive)
        note = _ALPHA_NOTE if is_alpha else ""
    return ChangeVerdict(text, strongest, reasons, note)


def _find_added_versions(changes: Iterable[Change], versions: ApiVersions) -> dict[str, str]:
    """Return the newest versions of kinds that are added by the same changes: they can have incompatible changes."""
    added = [(change.kind, name) for change in changes if change.rule == _ADDED for name in change.versions]
    return {kind: name for kind, name in added if name == find_newest(versions.by_kind.get(kind, ()))}


def _suggest_name(
    requirement: Requirement, reasons: Sequence[Change], versions: ApiVersions, added: Mapping[str, str]
) -> str:
    """Return the next name by the rules of the guides: of the microversion, or of the version of each kind."""
    kinds = sorted({change.kind for change in reasons if change.versions})
    if requirement is Requirement.NEXT_MICROVERSION:
        names = {kind: versions.microversions.get(kind, versions.microversion) for kind in kinds}
        if not any(names.values()):
            return versions.microversion or _UNNUMBERED
    elif requirement is Requirement.NEW_VERSION:
        names = {kind: added.get(kind) or list_next_names(versions.by_kind.get(kind, ()))[0] for kind in kinds}
    else:
        return ""
    if len(set(names.values())) <= 1:
        return next(iter(names.values()), "")
    return ", ".join(f"{name} of {kind}" for kind, name in names.items())


def _explain_name(reasons: Sequence[Change], versions: ApiVersions, added: Mapping[str, str]) -> str:
    """Name the newest versions of kinds whose older versions change: the next name follows the newest version."""
    changed: dict[str, set[str]] = {}
    for change in reasons:
        if change.versions:
            changed.setdefault(change.kind, set()).update(change.versions)
    newest = {kind: find_newest(versions.by_kind.get(kind, ())) for kind in sorted(changed)}
    kinds: dict[str, list[str]] = {}
    for kind, name in newest.items():
        if name and name not in changed[kind]:
            relation = "already added to" if kind in added else "the newest version of"
            kinds.setdefault(f"{name} is {relation}", []).append(kind)
    return "; ".join(f"{explanation} {_format_names(names)}" for explanation, names in kinds.items())


def explain_verdict(
    verdict: ChangeVerdict, changes: Sequence[Change], accepted: Sequence[Change], profiles: ProfileChoice
) -> Iterator[str]:
    """Yield the path through the decision table of each profile, up to the decision of the verdict."""
    if verdict.text == REJECTED:
        yield f"Do API servers reject the CRDs? yes ({_format_elements(verdict.reasons)})"
        return
    names = list(dict.fromkeys(profiles.find_name(change.kind) for change in (*changes, *accepted)))
    for name in names or [profiles.find_name("")]:
        yield from _explain_profile(name, changes, accepted, profiles)


def _explain_profile(
    name: str, changes: Sequence[Change], accepted: Sequence[Change], profiles: ProfileChoice
) -> Iterator[str]:
    profile = PROFILES[name]
    own = [change for change in changes if profiles.find_name(change.kind) == name]
    suppressed = [change for change in accepted if profiles.find_name(change.kind) == name]
    yield f"profile {name} ({profile.guide}):"
    no = "no (the settings file accepts none of the findings)"
    answer = f"yes (accepted: {_format_elements(suppressed)})" if suppressed else no
    yield f"  1. {profile.acceptance} {answer}"
    strongest = max((profile.decide(change).requirement for change in own), default=Requirement.NOTHING)
    for number, decision in enumerate(profile.decisions, 2):
        matching = [change for change in own if profile.decide(change) is decision]
        answer = f"yes ({_format_elements(matching)}): {_TEXTS[decision.requirement]}" if matching else "no"
        yield f"  {number}. {decision.question} {answer}"
        if matching and decision.requirement == strongest:
            return


_MAX_SHOWN = 3  # names in a list


def _format_elements(changes: Sequence[Change]) -> str:
    return _format_names(list(dict.fromkeys(change.element for change in changes)))


def _format_names(names: Sequence[str]) -> str:
    rest = len(names) - _MAX_SHOWN
    return ", ".join([*names[:_MAX_SHOWN], *([f"{rest} more"] if rest > 0 else [])])
