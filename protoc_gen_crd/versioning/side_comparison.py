"""The comparison of two sides: of their kinds, their protos, and their API groups."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.comparison.api_comparison import ChangeKey, compare_apis, get_kind, judge_changes
from protoc_gen_crd.comparison.change import Change
from protoc_gen_crd.comparison.severity_profiles import ProfileChoice
from protoc_gen_crd.crd.crd import Crd
from protoc_gen_crd.documents.api_side import ApiSide
from protoc_gen_crd.findings.finding import Problems
from protoc_gen_crd.kubernetes.supported_versions import parse_minors
from protoc_gen_crd.settings.settings import Settings

if TYPE_CHECKING:
    from protoc_gen_crd.history.release_store import Release


class BranchChanges(Record):
    """The changes of a branch.

    `old` is the API that users have. `changes` are those since then that the branch makes, `others` those that it
    started with, and `unreleased` the changes of the branch without effect on users.
    """

    old: ApiSide
    changes: tuple[Change, ...]
    others: tuple[Change, ...] = ()
    unreleased: tuple[Change, ...] = ()


def compare_sides(old: ApiSide, new: ApiSide, settings: Settings, profiles: ProfileChoice) -> tuple[Change, ...]:
    """Return all changes between two sides with their evidence."""
    changes = judge_kinds(old, new, settings)
    return (*changes, *compare_protos_of_sides(old, new, changes, profiles), *compare_groups_of_sides(old, new))


def judge_kinds(
    old: ApiSide, new: ApiSide, settings: Settings, known: Collection[ChangeKey] = (),
    needs_evidence: Callable[[Change], bool] = lambda _: True,
) -> tuple[Change, ...]:  # fmt: skip
    """Return the changes of kinds with their evidence; the last arguments are those of `judge_changes`."""
    minors, objects = parse_minors(settings.kubernetes), old.list_objects()
    pairs = [(old.crds, new.crds), *((select_crds(old.crds, list_names([crd])), [crd]) for crd in new.repeated)]
    judged = (judge_changes(*pair, minors, objects, settings.channels, known, needs_evidence) for pair in pairs)
    return tuple([change for changes in judged for change in changes])


def list_names(crds: Iterable[Crd]) -> set[str]:
    """Return the names of CRDs, and those of their kinds: a comparison finds a CRD by one of them."""
    return {name for crd in crds for name in (crd.name, get_kind(crd))}


def select_crds(crds: Iterable[Crd], names: Collection[str], *, are_named: bool = True) -> tuple[Crd, ...]:
    """Return the CRDs with one of the names that `list_names` returns, or those without."""
    return tuple([crd for crd in crds if (crd.name in names or get_kind(crd) in names) is are_named])


def compare_protos_of_sides(
    old: ApiSide, new: ApiSide, changes: Sequence[Change], profiles: ProfileChoice
) -> Sequence[Change]:
    """Return the changes of protos besides the changes of CRDs; none if a side has no .proto files."""
    if old.protos is None or new.protos is None:
        return ()
    from protoc_gen_crd.comparison.protos.proto_change_selection import ApiProtos, compare_api_protos  # noqa: PLC0415 - not for CRDs from documents

    before, after = (
        ApiProtos(protos, side.crds, side.groups.summary if side.groups else {})
        for side, protos in ((old, old.protos), (new, new.protos))
    )
    return compare_api_protos(before, after, changes, profiles)


def compare_groups_of_sides(old: ApiSide, new: ApiSide) -> Sequence[Change]:
    """Return the changes of API groups; none if a side has no source of them."""
    if old.groups is None or new.groups is None:
        return ()
    from protoc_gen_crd.comparison.groups.group_comparison import compare_groups  # noqa: PLC0415 - few APIs have groups

    return compare_groups(old.groups, new.groups)


def compare_with_release(
    folder: Path, release: Release, new: ApiSide, settings: Settings, problems: Problems
) -> Sequence[Change]:
    """Return the changes of kinds and protos since a recorded release, without evidence."""
    from protoc_gen_crd.versioning.recorded_sides import read_api  # noqa: PLC0415 - many APIs have no releases

    old = read_api(folder, release, settings, problems)
    profiles = ProfileChoice({"": settings.profile, **settings.profiles})
    changes = compare_apis(old.crds, new.crds, parse_minors(settings.kubernetes)[-1], settings.channels)
    return (*changes, *compare_protos_of_sides(old, new, changes, profiles))
