"""`convert PATHS --to VERSION`: print converted objects, or write them to their files; `--prove` tests round trips."""

from __future__ import annotations

import argparse
import difflib
import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from protoc_gen_crd.base.escapes import visible
from protoc_gen_crd.base.resolved_paths import resolve_links
from protoc_gen_crd.base.suggestions import suggest
from protoc_gen_crd.cli.findings_output import MACHINE_FORMATS, has_errors, make_report, print_lines, report_findings
from protoc_gen_crd.cli.flags_from_options import add_flags, read_command_settings, require_inputs
from protoc_gen_crd.cli.output_folder import write_files
from protoc_gen_crd.cli.progress_line import ProgressLine
from protoc_gen_crd.cli.usage_error import UsageError
from protoc_gen_crd.conversion.converter_packages import ConverterModules, find_packages, load_converters, shorten_path
from protoc_gen_crd.conversion.file_conversion import ConvertedFile, FileConverter, ignore_losses
from protoc_gen_crd.conversion.plan.plan import Plan
from protoc_gen_crd.conversion.proof.round_trip_laws import LawViolation
from protoc_gen_crd.crd_loader import load_documents
from protoc_gen_crd.documents.document_files import STDIN, STDIN_NAME
from protoc_gen_crd.documents.input_documents import InputDocuments
from protoc_gen_crd.documents.stream_output import join_files
from protoc_gen_crd.findings.finding import Location, Problems
from protoc_gen_crd.settings.settings import Settings

if TYPE_CHECKING:
    from protoc_gen_crd.conversion.proof.prover import Proof


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    help_text = "file or folder of objects and CRDs in YAML or JSON, - for standard input, or what generate reads"
    parser.add_argument("paths", nargs="*", metavar="PATH", help=help_text)
    add_flags(parser, "convert")


def run(arguments: argparse.Namespace) -> int:
    """Convert, test or print conversions; exit status 1 if a finding is as severe as --fail-on."""
    settings = read_command_settings(arguments, problems := Problems())
    objects = settings.documents if settings.to else ()
    paths = arguments.paths or objects or settings.inputs or settings.documents
    _check_usage(settings, paths)
    job = _make_command(settings, paths, problems)
    lines = list(job.run())
    sources = job.documents.make_sources()  # with the files as they were
    report = make_report(problems.findings, settings, sources)
    job.write(lines)
    return report_findings(report, settings)


def _check_usage(settings: Settings, paths: Sequence[str]) -> None:
    """Raise UsageError for arguments that cannot be combined, or are too few."""
    require_inputs(paths, settings, "inputs", "documents")
    if not (settings.to or settings.prove or settings.plan):
        raise UsageError("no target version: pass --to VERSION, --prove or --plan")
    if settings.write and settings.check:
        raise UsageError("--write and --check cannot be combined")
    if _is_printing(settings) and settings.format_findings in MACHINE_FORMATS:
        form = settings.format_findings
        raise UsageError(f"objects and {form} findings both go to standard output: add --write, --diff or --check")


def _is_printing(settings: Settings) -> bool:
    """Return whether converted objects are printed to standard output."""
    return bool(settings.to) and not (settings.write or settings.check or settings.diff)


def _make_command(settings: Settings, paths: Sequence[str], problems: Problems) -> _ConvertCommand:
    """Create a run over paths, with the converters in the settings or on the command line."""
    folders = find_packages(paths, settings)
    documents = InputDocuments(
        settings, [path for path in paths if path == STDIN or resolve_links(path) not in folders], problems
    )
    if folders:
        print(
            f"importing converters from {', '.join(visible(shorten_path(folder)) for folder in folders)}",
            file=sys.stderr,
        )
    try:
        return _ConvertCommand(documents, load_converters(folders, problems))
    except ImportError as error:
        raise UsageError(str(error)) from None


class _ConvertCommand:
    """One run."""

    def __init__(self, documents: InputDocuments, modules: ConverterModules) -> None:
        self.documents, self.settings, self._modules = documents, documents.settings, modules
        self._progress = ProgressLine(quiet=self.settings.quiet)
        self._written: dict[str, bytes] = {}
        self._unchanged: list[str] = []
        self._printed: list[bytes] = []
        self._count: int | None = None  # of converted objects

    def run(self) -> Iterator[str]:
        """Run the conversions; yields the lines to print."""
        try:
            self._progress.show_stage("reading")
            load_documents(self.documents)
            ignore_losses(self.documents.problems)
            if has_errors(self.documents.problems, self.settings):
                return
            only_plans = not (self.settings.to or self.settings.prove)
            conversions = FileConverter(self.documents, self._modules, only_plans=only_plans)
            if not has_errors(self.documents.problems, self.settings):
                yield from self._run_actions(conversions)
        finally:
            self._progress.clear()

    def _run_actions(self, conversions: FileConverter) -> Iterator[str]:
        if not (conversions.plans or self._modules):
            message = "no kind with several versions found"
            hint = "pass the .proto files or the CRDs of the kind, or add a version to it"
            self.documents.problems.report("crd-none", message, hint=hint)
            return
        if self.settings.plan or self.settings.prove:
            self._check_plans(conversions)
        if self.settings.plan:
            yield from (line for plan in conversions.plans for line in plan.format_lines())
        if self.settings.prove:
            yield from self._prove(conversions)
        if self.settings.to and self._is_version_known(conversions):
            yield from self._convert(conversions)

    def _check_plans(self, conversions: FileConverter) -> None:
        """Report kinds with a generated converter module but no declarations."""
        for group, kind in set(self._modules) - {(plan.crd.group, plan.crd.names.kind) for plan in conversions.plans}:
            problem = f"no plan for {kind} in {group}: there is only a generated converter module"
            hint = "pass the .proto files or the rule file with the declarations"
            at = Location(self._modules[group, kind].file)
            self.documents.problems.report("crd-none", problem, at, hint=hint)

    def _is_version_known(self, conversions: FileConverter) -> bool:
        """Return whether any kind has the target version, and report if none has."""
        known = dict.fromkeys(version.name for plan in conversions.plans for version in plan.crd.versions)
        known |= dict.fromkeys(version for module in self._modules.values() for version in module.versions)
        if self.settings.to in known:
            return True
        message = f"no kind has version {self.settings.to} (versions: {', '.join(known)})"
        self.documents.problems.report("crd-none", message, hint=suggest(self.settings.to, known))
        return False

    def _prove(self, conversions: FileConverter) -> Iterator[str]:
        from protoc_gen_crd.conversion.proof.prover import Prover

        prover = Prover(self.settings.count, self.settings.seed)
        reported: set[tuple[str, ...]] = set()
        objects = conversions.collect_objects()
        for plan in conversions.plans:
            for proof in prover.prove(plan, conversions.get_converter(plan), objects):
                self._progress.show_stage(f"proved {plan.crd.names.kind}, {proof.source} to {proof.target}")
                for violation in proof.violations:
                    cause = (plan.name, violation.source, violation.target, violation.path, violation.detail)
                    if cause not in reported:
                        self._report(plan, violation)
                    reported.add(cause)
                ends = f"{proof.source} -> {proof.target}"
                yield f"{plan.crd.names.kind} {ends}: {proof.count:,} objects, {_format_result(proof)}"

    def _report(self, plan: Plan, violation: LawViolation) -> None:
        where = f" at {violation.path}" if violation.path else ""
        round_trip = f"in a round trip from {violation.source} to {violation.target}"
        message = f"{violation.law}: {violation.detail}{where} {round_trip}"
        hint = f"the smallest object that shows this is {json.dumps(violation.object, ensure_ascii=False)}"
        self.documents.problems.report("conversion-round-trip", message, plan.crd.origin, path=plan.name, hint=hint)

    def _convert(self, conversions: FileConverter) -> Iterator[str]:
        if not self.documents.files:
            if not (self.settings.plan or self.settings.prove):
                hint = 'pass the manifests as paths, or name them under "documents" in the settings'
                self.documents.problems.report("document-none", "no objects to convert found", hint=hint)
            return
        self._count = 0
        for file in self.documents.files:
            converted = conversions.convert_file(file, self.settings.to)
            self._count += converted.changed_count
            if self.settings.check and converted.changed_count:
                verb = "is" if converted.changed_count == 1 else "are"
                message = f"{_format_count(converted.changed_count)} {verb} not in version {self.settings.to}"
                hint = "run the command with --write instead of --check"
                self.documents.problems.report("conversion-stale", message, Location(file, 1), hint=hint)
            if self.settings.check or self.settings.diff:
                yield from _make_diff(file, converted.data, converted.new_data or converted.data)
            self._keep_output(file, converted)

    def _keep_output(self, file: str, converted: ConvertedFile) -> None:
        """Keep what will be written or printed."""
        if _is_printing(self.settings) and converted.has_objects:
            self._printed.append(converted.new_data or converted.data)
        if self.settings.write and converted.has_objects and file == STDIN_NAME:
            raise UsageError("--write cannot be used with objects on standard input")
        if self.settings.write and converted.new_data is not None:
            self._written[file] = converted.new_data
        elif self.settings.write:
            self._unchanged.append(file)

    def write(self, lines: Sequence[str]) -> None:
        """Print lines, and write or print the converted files, unless there are errors."""
        has_output = bool(self._written or self._printed)
        has_failed = has_output and has_errors(self.documents.problems, self.settings, complete=True)
        status: list[str] = []
        if not has_failed:
            write_files(Path(), self._written, self._unchanged)
            status += (f"wrote {file}" for file in self._written)
        if self._count is not None:
            summary = f"{_format_count(self._count)} converted to {self.settings.to}"
            verb = "written" if self._written else "printed"
            status.append(f"nothing {verb} because of errors" if has_failed else summary)
        status = [] if self.settings.quiet else status
        if not self._printed:
            print_lines((*lines, *status), self.settings)
            return
        for line in (*lines, *status):
            print(line, file=sys.stderr)
        if not has_failed:
            sys.stdout.flush()
            sys.stdout.buffer.write(join_files(self._printed, self.documents.minors[-1]))


def _format_result(proof: Proof) -> str:
    if count := len(proof.violations):
        return f"{count} violation{'s' * (count != 1)}"
    lists = ", ".join(proof.lists_without_keys)
    return f"no data lost unless a client removes items of {lists}" if lists else "no data lost"


def _format_count(count: int) -> str:
    return f"{count:,} object{'s' * (count != 1)}"


def _make_diff(file: str, old: bytes, new: bytes) -> Sequence[str]:
    before, after = (text.decode("utf-8", "replace").splitlines() for text in (old, new))
    return list(difflib.unified_diff(before, after, file, file, lineterm=""))
