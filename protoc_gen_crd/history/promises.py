"""What a release owes to the last one, reported: nothing goes early, and what was valid stays so."""

from __future__ import annotations

from collections.abc import Sequence

from protoc_gen_crd.base.deprecation import Terms
from protoc_gen_crd.base.diagnostics import Location, Problems
from protoc_gen_crd.conversion.plan import paths
from protoc_gen_crd.conversion.rules.rules import RuleFile
from protoc_gen_crd.conversion.stanza import UNSTORED
from protoc_gen_crd.conversion.unshown import unshown
from protoc_gen_crd.crd.types import Crd
from protoc_gen_crd.history.breaks import INCOMPATIBLE, NARROWED, breaks
from protoc_gen_crd.history.opened import opened
from protoc_gen_crd.history.removals import early
from protoc_gen_crd.history.stored import hasty, stored
from protoc_gen_crd.history.summary import HUB, Summary
from protoc_gen_crd.history.words import too_early, way_out

_KEPT = {
    INCOMPATIBLE: "a released version must go on taking the objects that it took",
    NARROWED: "a released version should go on taking the values that it took",
}
_OTHERWISE = 'change it in a version that is new, or accept it in the settings file, path "%s", with the reason'
_MANY = 3  # versions: of two, none is reached through another
_STRANGE = "what was in it is taken to have promised nothing"


def check_promises(
    history: Sequence[tuple[str, Summary]],
    current: Summary,
    release: tuple[str, str],
    terms: Terms,
    at: Location,
    problems: Problems,
) -> None:
    """Report what the current API breaks if it is released under that name on that day; the terms know of it, too."""
    check_stored(history, current, at, problems)
    _check_hasty(history, current, at, problems)
    current = opened(history[-1][1], current)
    for found in early(history, current, *release, terms):
        problem, hint = too_early(found, terms), way_out(found, release[0])
        problems.report("history-removal", problem, at, path=found.element, hint=hint)
    _check_channels(history[-1][1], terms.channels, at, problems)
    for broken in breaks(history[-1][1], current, terms):
        problem = f"{_KEPT[broken.rule]}, found {broken.named} changed: {broken.what}"
        problems.report(broken.rule, problem, at, path=broken.element, hint=_OTHERWISE % broken.element)


def _check_channels(before: Summary, channels: Sequence[str], at: Location, problems: Problems) -> None:
    """Report channels of the last release that the settings do not name: they are taken for later than all others."""
    strange = {name: None for kind in before.values() for each in kind.versions.values() for name in each.channels()}
    for name in sorted(strange.keys() - set(channels)):
        problem = f'a channel of the last release should be one of the setting "channels", found "{name}"'
        problems.report("history-channel", problem, at, path=name, hint=_STRANGE)


def check_stored(history: Sequence[tuple[str, Summary]], current: Summary, at: Location, problems: Problems) -> None:
    """Report what becomes unreadable of what clusters store."""
    for gone in stored(history, current):
        releases = ", ".join(gone.releases)
        found = f"found {gone.version} of {gone.kind} gone, the storage version of {releases}"
        problem = f"a version must stay while objects may be stored in it, {found}"
        problems.report("version-stored", problem, at, path=f"{gone.kind}.{gone.version}", hint=UNSTORED)


def check_hubs(before: Summary, crds: Sequence[Crd], files: Sequence[RuleFile], problems: Problems) -> None:
    """Report what the versions of converted kinds no longer see of each other because the hub has moved."""
    for crd in crds:
        known = before.get(f"{crd.group}/{crd.names.kind}")
        stored = [name for name, version in known.versions.items() if version.facts.get("storage")] if known else []
        now = next((version.name for version in crd.versions if version.storage), "")
        names = [version.name for version in crd.versions]
        named = known.facts.get(HUB) if known else None
        was, now = named or (stored[0] if stored else now), crd.hub or now
        # Older programs have not recorded whether a hub was named.
        if was not in names or was == now or len(names) < _MANY or (crd.hub and not named):
            continue
        for version, path in unshown(crd, files, was):
            problem = (
                f"a new hub should show what the old one has shown, found {now} of {crd.names.kind} without all of "
            )
            problem += f'"{paths.shown(path)}" of {version}, which {was} shows'
            hint = f'give {now} such a field, or keep the hub with (protoc_gen_crd.v1.resource).hub_version = "{was}"'
            hint += "" if crd.hub else ": the storage version may change"
            problems.report("conversion-unshown", problem, crd.origin, path=f"{crd.name}.{version}", hint=hint)


def _check_hasty(history: Sequence[tuple[str, Summary]], current: Summary, at: Location, problems: Problems) -> None:
    """Report what the last release could not read any more of what clusters store."""
    for kind, version in hasty(history, current):
        problem = f"a release should not store objects in a version that it adds, found {version} of {kind}"
        hint = "serve it, and make it the storage version in the next release: the last one cannot read what it stores"
        problems.report("version-hasty", problem, at, path=f"{kind}.{version}", hint=hint)
