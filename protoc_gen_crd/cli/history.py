"""`history`: records the API of a release, tells what each release changed, and that nobody changed a release."""

from __future__ import annotations

import argparse
import datetime
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from protoc_gen_crd.base.deprecation import Terms
from protoc_gen_crd.base.diagnostics import Location, Problems, Severity
from protoc_gen_crd.base.render.report import Report, conclude
from protoc_gen_crd.base.render.sources import Sources
from protoc_gen_crd.base.versions import following, parse_release
from protoc_gen_crd.cli.errors import UsageError
from protoc_gen_crd.cli.findings import end, failed
from protoc_gen_crd.cli.flags import add_flags, settings_of
from protoc_gen_crd.cli.folder import locked
from protoc_gen_crd.crd.types import Crd
from protoc_gen_crd.history import store
from protoc_gen_crd.history.began import check_ranges
from protoc_gen_crd.history.changes import Change, changes, channelled
from protoc_gen_crd.history.lifetimes import lifetimes
from protoc_gen_crd.history.promises import check_promises
from protoc_gen_crd.history.removals import dated
from protoc_gen_crd.history.summary import Summary, summarise, write
from protoc_gen_crd.history.text import Step, as_json, changelog, difference, table
from protoc_gen_crd.history.words import count
from protoc_gen_crd.settings import Settings

_ACTIONS = {
    "record": "store the CRDs of a release; without a number, of the next one",
    "show": "print kinds, versions and fields with the releases that have them",
    "diff": "print what changed between two releases, or since one",
    "changelog": "print what changed with each release as Markdown",
    "check": "tell whether every release is as it was recorded, and what the API has lost since too early",
}
_YEARS = 5  # ahead, which nobody plans: all releases to come would have to be later still
_NEARLY = re.compile(r"[vV]?[0-9]+(?:[.-][0-9A-Za-z]+)*")  # what is no number of a release, and meant as one
_PATHS = "what generate reads; without it the inputs of the settings file"


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    for name, text in _ACTIONS.items():
        action = actions.add_parser(name, help=text, description=f"{text[0].upper()}{text[1:]}.", allow_abbrev=False)
        _ARGUMENTS[name](action)
        add_flags(action, f"history {name}")


def _record_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("given", nargs="*", metavar="[RELEASE] PATH", help=f"a number such as 1.4, and {_PATHS}")
    _date_argument(parser)


def _check_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("given", nargs="*", metavar="PATH", help=_PATHS)
    _date_argument(parser)


def _date_argument(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--date", type=_date, help="the day of the release, YYYY-MM-DD; without it today")


def _diff_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("old", metavar="A", help="the release before")
    parser.add_argument("new", nargs="?", default="", metavar="B", help="the release after; without it the newest one")


def _no_arguments(parser: argparse.ArgumentParser) -> None:
    pass


def _show_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--all", action="store_true", help="list fields that share the life around them, too")


_ARGUMENTS = {
    "record": _record_arguments,
    "show": _show_arguments,
    "diff": _diff_arguments,
    "changelog": _no_arguments,
    "check": _check_arguments,
}


def _date(text: str) -> str:
    try:
        return datetime.date.fromisoformat(text).isoformat()
    except ValueError:
        raise argparse.ArgumentTypeError(f'must be a day such as 2026-01-31, found "{text}"') from None


def run(arguments: argparse.Namespace) -> int:
    """Do it; exit status 1 where a finding is as severe as --fail-on says."""
    job = _Job(settings_of(arguments, problems := Problems()), problems)
    for line in _RUN[arguments.action](job, arguments):
        print(line)
    report = job.report()
    return end(report, job.settings)


class _Job:
    """One run: the folder, and what has been found."""

    def __init__(self, settings: Settings, problems: Problems) -> None:
        self.settings = settings
        self.folder = Path(settings.history)
        self.problems = problems
        self.paths: dict[str, str] = {}
        self.generates = False

    @property
    def main(self) -> str:
        """The first release channel."""
        return next(iter(self.settings.channels), "")

    def report(self) -> Report:
        """What has been found so far."""
        seen = None if self.generates else ()  # without an API no entry of the settings is seen to be unused
        return conclude(self.problems.findings, self.settings.findings, Sources(self.paths), packages=seen)

    def failed(self) -> bool:
        """Whether there is an error."""
        return failed(self.problems, self.settings)

    def releases(self) -> list[store.Release]:
        """The recorded releases, oldest first. Of one that was changed nothing more is told."""
        found = store.load(self.folder, self.problems)
        if not found and not self.failed():
            message = f'a history must hold a release, found none in "{self.folder}"'
            self.problems.report("history-empty", message, hint="protoc-gen-crd history record stores the first one")
        return found if not self.failed() else []

    def terms(self, releases: Sequence[store.Release], *more: tuple[str, str]) -> Terms:
        """The deprecation policy on releases, and on more of them."""
        dates = [(release.name, release.date) for release in releases]
        return Terms([*dates, *more], self.settings.deprecation_policy, self.settings.channels)

    def history(self, releases: list[store.Release]) -> Iterator[tuple[str, Summary]]:
        """Releases by name with what they held."""
        for release, summary in store.summaries(self.folder, releases, self.problems):
            yield release.name, summary

    def steps(self) -> Sequence[Step]:
        """What changed with each release."""
        before: Summary = {}
        made = []
        releases = self.releases()
        terms = self.terms(releases)
        for release, (name, summary) in zip(releases, self.history(releases), strict=True):
            found = dated(self.changes(before, summary), summary, name, terms)
            made.append(Step(name, release.date, tuple(found)))
            before = summary
        return made

    def changes(self, old: Summary, new: Summary) -> Iterator[Change]:
        """What changed between two releases."""
        return channelled(changes(old, new), self.main)

    def check_promises(self, known: list[store.Release], crds: tuple[Crd, ...], name: str, date: str) -> None:
        """Report what the API has lost since the last release too early, what it takes no longer, and false ranges."""
        terms, last = self.terms(known, (name, date)), self.folder / known[-1].name / store.API
        history, at = list(self.history(known)), Location(str(last))
        check_promises(history, summarise(crds), (name, date), terms, at, self.problems)
        check_ranges(history, crds, name, self.problems)


def _record(job: _Job, arguments: argparse.Namespace) -> Iterator[str]:
    name, given = _release(arguments.given)
    with locked(job.folder):
        known = store.load(job.folder, job.problems)
        name = name or following(known[-1].name if known else "")
        date = _day(arguments)
        _check_order(known[-1] if known else None, name, date, job.problems)
        crds = _crds(job, job.settings.replace(release=name), given or job.settings.inputs)
        files = _contents(job, crds)
        if known and not job.failed():
            job.check_promises(known, crds, name, date)
        if not job.failed():
            store.record(job.folder, name, date, files, known[-1] if known else None)
            yield f"recorded {job.folder / name}: {_counted(files)}"


def _check_order(last: store.Release | None, name: str, date: str, problems: Problems) -> None:
    if last and _number(name) <= _number(last.name):
        message = f"a release must follow the last one, which is {last.name}, found {name}"
        problems.report("history-release", message, hint=f"the next one is {following(last.name)}")
    if last and date < last.date:
        message = f"a release must not be dated before the last one, which is of {last.date}, found {date}"
        problems.report("history-release", message)
    if int(date[:4]) > datetime.datetime.now(tz=datetime.UTC).year + _YEARS:
        message = f"a release must not be dated more than {_YEARS} years ahead, found {date}"
        problems.report("history-release", message, hint="without --date it is of today")


def _release(given: Sequence[str]) -> tuple[str, Sequence[str]]:
    """The release that is named, and the paths."""
    if given and parse_release(given[0]) is not None:
        return given[0], given[1:]
    if given and _NEARLY.fullmatch(given[0]) and not Path(given[0]).exists():
        raise UsageError(f'a release must be a number of two parts such as 1.4, found "{given[0]}"')
    return "", given


def _number(name: str) -> tuple[int, int]:
    return parse_release(name) or (0, 0)


def _day(arguments: argparse.Namespace) -> str:
    return arguments.date or datetime.datetime.now(tz=datetime.UTC).date().isoformat()


def _crds(job: _Job, settings: Settings, given: Sequence[str]) -> tuple[Crd, ...]:
    """The API as it is, in all release channels: what is left out for one of them is not gone."""
    from protoc_gen_crd.testing.generated import generated, report_none

    if not given:
        raise UsageError('what is to be recorded? Give a path, or "inputs" in the settings file')
    job.generates = True
    crds = tuple(generated(given, settings.replace(channel=""), job.paths, job.problems))
    if not crds and not job.failed():
        report_none(", ".join(given), settings.replace(channel=""), job.problems)
    return crds


def _contents(job: _Job, crds: tuple[Crd, ...]) -> dict[str, str]:
    """The files of the release."""
    from protoc_gen_crd.conversion.hub import with_hubs
    from protoc_gen_crd.emit.crds import crd_files

    files = crd_files(crds, job.settings.replace(format="yaml", bundle="", header=""), job.problems)
    written = {f"crds/{file.name}": file.text for file in files}
    known = with_hubs(crds, job.settings, job.problems)
    return {store.API: write(summarise(known)), **written, **_samples(job, crds)}


def _samples(job: _Job, crds: Sequence[Crd]) -> dict[str, str]:
    """The samples of the release, by hand and made; it is stored even where none was found for a form."""
    from protoc_gen_crd.testing.samples import samples_of

    if job.failed():
        return {}
    problems = Problems()
    shown = samples_of(crds, job.settings.replace(header=""), problems, job.paths)
    for finding in problems.findings:
        softened = finding.replace(severity=Severity.WARNING) if finding.rule == "sample-unsolved" else finding
        job.problems.findings.append(softened)
    return {f"samples/{sample.file}": sample.text for sample in shown}


def _counted(files: Mapping[str, str]) -> str:
    """What a release holds, in words."""
    crds, samples = (sum(name.startswith(folder) for name in files) for folder in ("crds/", "samples/"))
    return f"{count(crds, 'CRD')}, {count(samples, 'sample')}"


def _show(job: _Job, arguments: argparse.Namespace) -> Iterator[str]:
    releases = job.releases()
    lives = lifetimes(job.history(releases), job.settings.channels)
    yield from table(lives, job.terms(releases), everything=arguments.all)


def _diff(job: _Job, arguments: argparse.Namespace) -> Iterator[str]:
    known = {release.name: release for release in job.releases()}
    names = [arguments.old, arguments.new or max(known, key=_number, default="")]
    for name in names:
        if known and name not in known:
            message = f"a release must be recorded, found no {name}"
            job.problems.report("history-release", message, hint=f"recorded are {', '.join(known)}")
    if not job.failed():
        old, new = (store.summary_of(job.folder, known[name], job.problems) for name in names)
        step = Step(names[1], known[names[1]].date, tuple(job.changes(old, new)))
        yield from [as_json([step]).rstrip()] if job.settings.json else difference(step.changes)


def _changelog(job: _Job, _: argparse.Namespace) -> Iterator[str]:
    steps = job.steps()
    if steps:
        yield (as_json if job.settings.json else changelog)(steps).rstrip()


def _check(job: _Job, arguments: argparse.Namespace) -> Iterator[str]:
    releases = job.releases()
    given = arguments.given or job.settings.inputs
    if releases and given:
        crds = _crds(job, job.settings, given)
        if not job.failed():
            job.check_promises(releases, crds, following(releases[-1].name), _day(arguments))
    if releases:
        yield f"{job.folder}: {count(len(releases), 'release')}, each as it was recorded"


_RUN: dict[str, Callable[[_Job, argparse.Namespace], Iterator[str]]] = {
    "record": _record,
    "show": _show,
    "diff": _diff,
    "changelog": _changelog,
    "check": _check,
}
