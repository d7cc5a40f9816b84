"""`convert PATHS --to VERSION`: objects in files to another version of their kind; `--prove` that nothing gets lost."""

from __future__ import annotations

import argparse
import difflib
import json
from collections.abc import Iterator, Sequence
from pathlib import Path

from protoc_gen_crd.base.diagnostics import Location, Problems
from protoc_gen_crd.base.render.report import conclude
from protoc_gen_crd.cli.errors import UsageError
from protoc_gen_crd.cli.findings import end, failed, tell
from protoc_gen_crd.cli.flags import add_flags, settings_of
from protoc_gen_crd.cli.folder import write_files
from protoc_gen_crd.cli.progress import Progress
from protoc_gen_crd.conversion.plan.plan import Plan
from protoc_gen_crd.conversion.proof.laws import Broken
from protoc_gen_crd.settings import Settings
from protoc_gen_crd.testing.conversions import Conversions, forget_losses
from protoc_gen_crd.testing.files import SHOWN, STDIN
from protoc_gen_crd.testing.packages import Modules, converters, packages
from protoc_gen_crd.testing.session import Session


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    text = "file or folder of objects and CRDs in YAML or JSON, - for standard input, or what generate reads"
    parser.add_argument("paths", nargs="*", metavar="PATH", help=text)
    add_flags(parser, "convert")


def run(arguments: argparse.Namespace) -> int:
    """Convert, prove or print; exit status 1 where a finding is as severe as --fail-on says."""
    settings = settings_of(arguments, problems := Problems())
    given = arguments.paths or settings.inputs
    if not given:
        raise UsageError('what is to be converted? Give a path, or "inputs" in the settings file')
    if not (settings.to or settings.prove or settings.plan):
        raise UsageError("to which version? Give --to VERSION, or --prove or --plan")
    job = _job(settings, given, problems)
    lines = list(job.run())
    report = conclude(problems.findings, settings.findings, job.session.sources())  # shows files as they were
    tell((*lines, *job.write()), settings)
    return end(report, settings)


def _job(settings: Settings, given: Sequence[str], problems: Problems) -> _Job:
    """A run over paths, with the converters that `generate` wrote below them."""
    folders = packages(given)
    documents = [path for path in given if path == STDIN or Path(path).resolve() not in folders]
    session = Session(settings, documents, problems)
    try:
        return _Job(session, converters(folders, problems))
    except ImportError as error:
        raise UsageError(str(error)) from None


class _Job:
    """One run."""

    def __init__(self, session: Session, modules: Modules) -> None:
        self.session, self.settings, self._modules = session, session.settings, modules
        self._progress = Progress()
        self._written: dict[str, bytes] = {}
        self._count: int | None = None  # of objects that were converted

    def run(self) -> Iterator[str]:
        """Do it; the lines to print."""
        try:
            self._progress.stage("reading")
            self.session.load()
            forget_losses(self.session.problems)
            if failed(self.session.problems, self.settings):
                return
            conversions = Conversions(self.session, self._modules)
            if not failed(self.session.problems, self.settings):
                yield from self._run(conversions)
        finally:
            self._progress.done()

    def _run(self, conversions: Conversions) -> Iterator[str]:
        if not (conversions.plans or self._modules):
            message = "the paths must hold a kind with several versions, found none"
            self.session.problems.report("crd-none", message)
            return
        if self.settings.plan or self.settings.prove:
            self._check_planned(conversions)
        if self.settings.plan:
            yield from (line for plan in conversions.plans for line in plan.lines())
        if self.settings.prove:
            yield from self._prove(conversions)
        if self.settings.to and self._is_known(conversions):
            yield from self._convert(conversions)

    def _check_planned(self, conversions: Conversions) -> None:
        """Report kinds of which there is nothing but the module that was made of a plan."""
        for group, kind in set(self._modules) - {(plan.crd.group, plan.crd.names.kind) for plan in conversions.plans}:
            problem = f"a plan is made of what is declared, found the converters of {kind} in {group} alone"
            hint = "give the .proto files or the rule file that they were made of"
            at = Location(self._modules[group, kind].file)
            self.session.problems.report("crd-none", problem, at, hint=hint)

    def _is_known(self, conversions: Conversions) -> bool:
        """Whether any kind has the wanted version."""
        known = dict.fromkeys(version.name for plan in conversions.plans for version in plan.crd.versions)
        known |= dict.fromkeys(version for module in self._modules.values() for version in module.versions)
        if self.settings.to in known:
            return True
        message = f"the paths must hold a kind with the version {self.settings.to}, found {', '.join(known)}"
        self.session.problems.report("crd-none", message)
        return False

    def _prove(self, conversions: Conversions) -> Iterator[str]:
        from protoc_gen_crd.conversion.proof.prove import Prover

        prover = Prover(self.settings.count, self.settings.seed)
        given = conversions.objects()
        for plan in conversions.plans:
            for proof in prover.prove(plan, conversions.of(plan), given):
                self._progress.stage(f"proved {plan.crd.names.kind}, {proof.source} to {proof.target}")
                for broken in proof.broken:
                    self._report(plan, broken)
                held = f"{len(proof.broken)} broken" if proof.broken else "nothing lost"
                yield f"{plan.crd.names.kind} {proof.source} -> {proof.target}: {proof.count:,} objects, {held}"

    def _report(self, plan: Plan, broken: Broken) -> None:
        where = f" at {broken.path}" if broken.path else ""
        ways = f"from {broken.source} to {broken.target} and back"
        message = f"{broken.law}, found {broken.found}{where} of an object {ways}"
        hint = f"the smallest one is {json.dumps(broken.object, ensure_ascii=False)}"
        self.session.problems.report("conversion-unproven", message, plan.crd.origin, path=plan.name, hint=hint)

    def _convert(self, conversions: Conversions) -> Iterator[str]:
        if not self.session.files:
            if not (self.settings.plan or self.settings.prove):
                self.session.problems.report("document-none", "the paths must hold an object to convert, found none")
            return
        self._count = 0
        for file in self.session.files:
            made = conversions.file(file, self.settings.to)
            self._count += made.changed
            if self.settings.check and made.changed:
                message = f"every object must be in {self.settings.to}, found {made.changed} in another version"
                self.session.problems.report("conversion-stale", message, Location(file, 1))
            if self.settings.check or self.settings.diff:
                yield from _diff(file, made.data, made.text or made.data)
            elif made.text is not None or file == SHOWN:
                self._written[file] = made.text or made.data

    def write(self) -> Iterator[str]:
        """Write what was converted, unless something is wrong; the lines to print."""
        if self._count is None:
            return
        refused = bool(self._written) and failed(self.session.problems, self.settings, complete=True)
        shown = self._written.pop(SHOWN, None)
        if not refused:
            write_files(Path(), self._written)
            yield from (f"wrote {file}" for file in self._written)
        if shown is not None and not refused:
            yield shown.decode("utf-8", "replace").removesuffix("\n")
        if SHOWN not in self.session.files:
            told = f"{self._count} object{'s' * (self._count != 1)} converted to {self.settings.to}"
            yield f"{told}, nothing written" if refused else told


def _diff(file: str, old: bytes, new: bytes) -> Sequence[str]:
    before, after = (text.decode("utf-8", "replace").splitlines() for text in (old, new))
    return list(difflib.unified_diff(before, after, file, file, lineterm=""))
