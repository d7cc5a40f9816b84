"""`fuzz PATHS --against VALIDATOR`: documents on which it and API servers disagree, made small."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from protoc_gen_crd.base.diagnostics import Location, Problems
from protoc_gen_crd.base.render.report import conclude
from protoc_gen_crd.base.versions import minors_of
from protoc_gen_crd.cli.errors import UsageError
from protoc_gen_crd.cli.findings import end, tell
from protoc_gen_crd.cli.flags import add_flags, settings_of
from protoc_gen_crd.cli.folder import write_files
from protoc_gen_crd.cli.progress import Progress
from protoc_gen_crd.settings import Settings
from protoc_gen_crd.testing.fuzz.external import Access, External, external
from protoc_gen_crd.testing.session import Session

if TYPE_CHECKING:
    from protoc_gen_crd.testing.cases import Case
    from protoc_gen_crd.testing.definitions import Definition
    from protoc_gen_crd.testing.fuzz.comparison import Difference

ENVIRONMENT = 2
_TOLD = 3  # errors of a document
_HYPOTHESIS = "fuzz needs hypothesis, which is not installed: pip install 'protoc-gen-crd[fuzz]'"


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    text = "file or folder of documents and CRDs in YAML or JSON, - for standard input, or what generate reads"
    parser.add_argument("paths", nargs="*", metavar="PATH", help=text)
    add_flags(parser, "fuzz")


def run(arguments: argparse.Namespace) -> int:
    """Fuzz; exit status 0 without a disagreement, 1 with one, 2 where the validator gives no answers."""
    settings = settings_of(arguments, problems := Problems())
    given = arguments.paths or settings.documents
    if not given:
        raise UsageError('of which kinds are documents to be made? Give a path, or "documents" in the settings file')
    if len(minors_of(settings.kubernetes)) > 1:
        raise UsageError(f'"kubernetes" must be one version for fuzz, found "{settings.kubernetes}"')
    validator = _validator(settings)
    session = Session(settings, given, problems)
    try:
        return _run(session, validator)
    finally:
        validator.close()


def _validator(settings: Settings) -> External:
    if not settings.against:
        raise UsageError("which validator is to be asked? Give --against a command or an address")
    try:
        return external(settings.against, Access(settings.timeout, settings.ca_file, settings.insecure))
    except ValueError as error:
        raise UsageError(f'--against must be a command or an address, found "{settings.against}": {error}') from None


def _run(session: Session, validator: External) -> int:
    try:
        from protoc_gen_crd.testing.fuzz.campaign import Campaign, Limits
    except ModuleNotFoundError as error:
        if error.name != "hypothesis":
            raise
        raise UsageError(_HYPOTHESIS) from None
    settings, progress = session.settings, Progress()
    try:
        progress.stage("reading CRDs")
        session.load()
        session.tell_unread()
        if not len(session.definitions):
            session.problems.report("crd-none", "the paths must hold a CRD, found none")
        limits = Limits(settings.count, settings.time, settings.seed)
        finds = Campaign(session, validator, limits, progress.stage).run()
    finally:
        progress.done()
    found = [*_written(session, finds.differences), *_reported(session, finds.cases)]
    report = conclude(session.problems.findings, settings.findings, session.sources())
    documents = f"{finds.answered:,} document{'s' * (finds.answered != 1)}"
    counts = f"{documents} judged by the validator, {_counted(found)}, by Kubernetes 1.{session.asked[-1]}"
    tell([counts], settings)
    status = end(report, settings)
    if finds.failed and not found:
        return ENVIRONMENT
    return int(bool(found)) or status


def _counted(found: Sequence[str]) -> str:
    return f"{len(found) or 'no'} disagreement{'s' * (len(found) != 1)}"


def _written(session: Session, differences: Sequence[tuple[Definition, Difference]]) -> list[str]:
    """Write documents that were made, and report them: their files."""
    from protoc_gen_crd.testing.fuzz.written import file_of, text_of

    folder = session.settings.found
    files = {file_of(each): (each, text_of(each, definition)) for definition, each in differences}
    write_files(Path(folder), {name: text.encode() for name, (_, text) in sorted(files.items())})
    for name, (difference, _) in sorted(files.items()):
        at = Location(str(Path(folder, name)), 1, 1)
        session.problems.report("fuzz-disagreement", _message(difference), at)
    return sorted(files)


def _reported(session: Session, cases: Sequence[tuple[Case, Difference]]) -> list[str]:
    """Report documents of the user: their names."""
    for case, difference in cases:
        session.problems.report("fuzz-disagreement", _message(difference), case.at, path=case.name)
    return [case.name for case, _ in cases]


def _message(difference: Difference) -> str:
    errors = "; ".join(said.text for said in difference.ours.errors[:_TOLD])
    ours = f"which refuse it: {errors}" if errors else "which accept it"
    theirs = difference.theirs
    said = "found it accepted" if theirs.allowed else f"found it refused: {theirs.message or 'without a reason'}"
    return f"an external validator must judge a document as API servers do, {ours}; {said}"
