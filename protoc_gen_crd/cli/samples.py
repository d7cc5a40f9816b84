"""`samples PATHS`: a minimal and a full object of each kind and version in a folder, all of which servers accept."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from protoc_gen_crd.base.diagnostics import Problems
from protoc_gen_crd.base.render.report import conclude
from protoc_gen_crd.cli.delivery import bring
from protoc_gen_crd.cli.errors import UsageError
from protoc_gen_crd.cli.findings import end, failed, tell
from protoc_gen_crd.cli.flags import add_flags, settings_of
from protoc_gen_crd.cli.progress import Progress
from protoc_gen_crd.emit import OutputFile
from protoc_gen_crd.settings import Settings
from protoc_gen_crd.testing.handwritten import made_files
from protoc_gen_crd.testing.samples import gather
from protoc_gen_crd.testing.session import Session


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    text = "file or folder of CRDs in YAML or JSON, or what generate reads"
    parser.add_argument("paths", nargs="*", metavar="PATH", help=text)
    add_flags(parser, "samples")


def run(arguments: argparse.Namespace) -> int:
    """Write the samples; exit status 1 where a finding is as severe as --fail-on says."""
    settings = settings_of(arguments, problems := Problems())
    given = arguments.paths or settings.inputs
    if not given:
        raise UsageError('of which kinds are samples wanted? Give a path, or "inputs" in the settings file')
    # A sample shows what a channel has, whether or not the CRD has more.
    session = Session(settings.replace(channel_fields="left-out"), given, problems, settings.written)
    progress = Progress()
    try:
        progress.stage(f"making samples of {', '.join(given)}")
        lines = _lines(session, settings, problems)
    finally:
        progress.done()
    tell(lines, settings)
    return end(conclude(problems.findings, settings.findings, session.sources()), settings)


def _lines(session: Session, settings: Settings, problems: Problems) -> Sequence[str]:
    """Gather and write; the lines to print. Samples that cannot be made do not keep the others from being written."""
    session.load()
    session.tell_unread()
    session.close(())
    if not len(session.definitions) and not problems.findings:
        problems.report("crd-none", "the paths must hold a CRD, found none")
    if failed(problems, settings):
        return ()
    shown = gather(session.definitions, settings, problems, session.sources())
    files = [OutputFile(one.file, one.text) for one in shown if not one.by_hand]
    by_hand = [one.file for one in shown if one.by_hand]
    return bring(settings.samples, files, settings, problems, by_hand, made_files(Path(settings.samples)))
