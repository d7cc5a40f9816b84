"""Records of microversions: the note of each number, and the release that first had it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.comparison.api_summary import ApiSummary
from protoc_gen_crd.comparison.groups.group_api import GroupApi
from protoc_gen_crd.findings.finding import Place, Problems
from protoc_gen_crd.groups.group_model import NumberRecord
from protoc_gen_crd.groups.group_plan import GroupPlan
from protoc_gen_crd.groups.microversion_notes import NumberNote, read_number_notes, report_missing_notes
from protoc_gen_crd.history import release_store
from protoc_gen_crd.kubernetes.version_ranges import parse_release
from protoc_gen_crd.settings.settings import Settings


class _FirstRelease(Record):
    """The release that first had a number, and its date."""

    name: str
    date: str


def add_number_records(plans: Sequence[GroupPlan], settings: Settings, problems: Problems) -> list[GroupPlan]:
    """Return plans with the records of their microversions."""
    if not any(plan.group.line for plan in plans):
        return list(plans)
    releases = _find_first_releases(settings.history)
    return [_add_records(plan, releases, settings, problems) if plan.group.line else plan for plan in plans]


def _add_records(
    plan: GroupPlan, releases: Mapping[tuple[str, str], _FirstRelease], settings: Settings, problems: Problems
) -> GroupPlan:
    notes = read_number_notes(settings.microversion_notes, plan.group, problems)
    records = {}
    for version in plan.group.versions:
        note = notes.get(version.name, NumberNote(version.name, "", "", ""))
        release = releases.get((plan.group.name, version.name), _FirstRelease("", ""))
        records[version.name] = NumberRecord(note.title, note.constant, note.text, release.name, release.date)
    return plan.replace(records=records)


def _find_first_releases(folder: str) -> dict[tuple[str, str], _FirstRelease]:
    """Return the first release of each version of groups. `history` commands report releases that were changed."""
    ignored = Problems()
    releases = release_store.load_releases(Path(folder), ignored)
    first_releases: dict[tuple[str, str], _FirstRelease] = {}
    for release, summary in release_store.load_summaries(Path(folder), releases, ignored):
        for group, kind in summary.items():
            for version in kind.versions:
                first_releases.setdefault((group, version), _FirstRelease(release.name, release.date))
    return first_releases


def check_numbers(
    plans: Sequence[GroupPlan], api: GroupApi, last: ApiSummary | None, settings: Settings, problems: Problems
) -> dict[str, str]:
    """Check the numbers of groups before a release, and return the notes of the new ones by the names of files.

    Args:
        plans: The groups.
        api: Their summary, with the places of services.
        last: The summary of the last release; None for the first release, which may have any numbers.
        settings: The settings, with the folder of notes.
        problems: Receives findings about missing notes, and about numbers that should be shared.
    """
    files: dict[str, str] = {}
    for plan in plans:
        group = plan.group
        if group.line is None:
            continue
        notes = read_number_notes(settings.microversion_notes, group, Problems())
        if not Path(settings.microversion_notes, group.name).is_dir():
            at = api.find_place(group.name)
            report_missing_notes(settings.microversion_notes, group, notes, at, problems)
        released = last[group.name].versions if last and group.name in last else {}
        new = [version.name for version in group.versions if version.name not in released]
        if released:
            _check_new_numbers(group.name, list(released), new, api.find_place(group.name), problems)
        for number in new:
            if number in notes:
                files[f"{group.name}.{number}.md"] = format_release_note(group.name, notes[number])
    return files


def _check_new_numbers(
    group: str, released: Sequence[str], new: Sequence[str], at: Place | None, problems: Problems
) -> None:
    """Report numbers that changes of one release should share."""
    newest = max((parse_release(number) or (0, 0) for number in released), default=(0, 0))
    shared = f"{newest[0]}.{newest[1] + 1}"
    for number in new:
        if number != shared and (parse_release(number) or (0, 0)) > newest:
            problem = f'microversion {number} of "{group}" is allocated, but {shared} is not released yet'
            hint = f"add the change to {shared}: changes of one release share a number"
            problems.report("microversion-number", problem, at, path=group, hint=hint)


def format_release_note(group: str, note: NumberNote) -> str:
    """Return the note of a number as a changelog note, which names the number."""
    return f"`{group}.{note.number}` {note.title}. {note.text}"
