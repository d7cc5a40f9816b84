"""`docs PATHS`: reference docs of an API as Markdown, a page for each group, with what releases and samples tell."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from protoc_gen_crd.base.diagnostics import Problems, Severity
from protoc_gen_crd.base.render.report import conclude
from protoc_gen_crd.base.render.sources import Sources
from protoc_gen_crd.base.versions import following, priority_key
from protoc_gen_crd.cli.delivery import bring
from protoc_gen_crd.cli.errors import UsageError
from protoc_gen_crd.cli.findings import end, failed, tell
from protoc_gen_crd.cli.flags import add_flags, settings_of
from protoc_gen_crd.cli.progress import Progress
from protoc_gen_crd.crd.types import Crd, Version
from protoc_gen_crd.reference.lives import Lives, no_lives
from protoc_gen_crd.reference.page import Sample, pages
from protoc_gen_crd.settings import Settings
from protoc_gen_crd.testing.crds import crds_of, some_crds


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    text = "file or folder of CRDs in YAML or JSON, or what generate reads"
    parser.add_argument("paths", nargs="*", metavar="PATH", help=text)
    add_flags(parser, "docs")


def run(arguments: argparse.Namespace) -> int:
    """Write the pages; exit status 1 where a finding is as severe as --fail-on says."""
    settings = settings_of(arguments, problems := Problems())
    given = arguments.paths or settings.inputs
    if not given:
        raise UsageError('what is to be described? Give a path, or "inputs" in the settings file')
    paths: dict[str, str] = {}
    progress = Progress()
    try:
        progress.stage(f"describing {', '.join(given)}")
        lines = _lines(given, settings, paths, problems)
    finally:
        progress.done()
    tell(lines, settings)
    return end(conclude(problems.findings, settings.findings, Sources(paths)), settings)


def _lines(given: Sequence[str], settings: Settings, paths: dict[str, str], problems: Problems) -> Sequence[str]:
    """Make and write; the lines to print."""
    # What keeps CRDs small is no reason to say less here.
    whole = settings.replace(include_description=True, max_description_length=None)
    crds = some_crds(given, whole, paths, problems)
    if failed(problems, settings):
        return ()
    shown = _of_channel(crds, given, settings, problems)
    files = pages(crds, _lives(settings, problems), _samples(shown, settings, problems, paths))
    return bring(settings.docs, files, settings, problems) if not failed(problems, settings) else ()


def _of_channel(crds: Sequence[Crd], given: Sequence[str], settings: Settings, problems: Problems) -> Sequence[Crd]:
    """The CRDs as the release channel has them, of which the command `samples` shows objects."""
    if not settings.channel or settings.channel_fields == "left-out":
        return crds
    return tuple(crds_of(given, settings.replace(channel_fields="left-out"), {}, problems, problems))


def _lives(settings: Settings, problems: Problems) -> Lives:
    """What the recorded releases tell."""
    folder = Path(settings.history)
    if not folder.is_dir():
        return no_lives()
    from protoc_gen_crd.base.deprecation import Terms
    from protoc_gen_crd.history import store
    from protoc_gen_crd.history.lifetimes import lifetimes

    releases = store.load(folder, problems)
    dates = [(release.name, release.date) for release in releases]
    told = ((release.name, summary) for release, summary in store.summaries(folder, releases, problems))
    last = releases[-1].name if releases else ""
    return Lives(
        lifetimes(told, settings.channels),
        Terms(dates, settings.deprecation_policy, settings.channels),
        settings.release or following(last),
    )


def _samples(crds: Sequence[Crd], settings: Settings, problems: Problems, paths: dict[str, str]) -> Sequence[Sample]:
    """The samples of the version of each kind that clients prefer, full ones of others, and further ones by hand."""
    from protoc_gen_crd.testing.samples import Shown, samples_of

    said = Problems()
    found: Sequence[Shown] = samples_of(crds, settings, said, paths)
    # A page does without a sample; the command `samples` does not.
    problems.findings += [
        finding.replace(severity=Severity.WARNING) if finding.rule.startswith("sample-") else finding
        for finding in said.findings
    ]
    order = {(crd.group, crd.names.kind, v.name): n for crd in crds for n, v in enumerate(_served(crd))}
    full = {(one.group, one.kind): _values(one.text) for one in found if one.form == "full" and not order.get(one.of)}
    found = sorted(found, key=lambda one: (one.kind, not one.form, order.get(one.of, 0), one.form != "minimal"))
    return [
        Sample(one.group, one.kind, one.version, _title(one.form, one.kind, one.version), one.text)
        for one in found
        if not one.form
        or not order.get(one.of)
        or (one.form == "full" and _values(one.text) != full.get((one.group, one.kind)))
    ]


def _served(crd: Crd) -> Sequence[Version]:
    """The versions that have samples, the one that clients prefer first."""
    return sorted((v for v in crd.versions if v.served), key=lambda version: priority_key(version.name))


def _values(text: str) -> Sequence[str]:
    """The lines of a sample that tell it from those of other versions."""
    return [line for line in text.splitlines() if not line.lstrip().startswith(("#", "apiVersion:"))]


def _title(form: str, kind: str, version: str) -> str:
    return f"{kind} {version}, {form or 'by hand'}"
