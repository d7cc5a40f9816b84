"""`generate PATHS`: write the CRDs of .proto files to a folder, with the bundled protoc."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from protoc_gen_crd import pipeline
from protoc_gen_crd.cli.findings_output import has_errors, make_report, print_delivery, report_findings
from protoc_gen_crd.cli.flags_from_options import add_flags, read_command_settings, require_inputs
from protoc_gen_crd.cli.output_copies import report_copies
from protoc_gen_crd.cli.output_delivery import deliver_files, format_file_count
from protoc_gen_crd.cli.progress_line import ProgressLine
from protoc_gen_crd.crd.crd import Crd
from protoc_gen_crd.emit.output_file import OutputFile
from protoc_gen_crd.findings.finding import Problems
from protoc_gen_crd.findings.report_order_and_limits import Report
from protoc_gen_crd.findings.source_lines import SourceFiles
from protoc_gen_crd.proto.generate_inputs import GenerateInputs, is_image, read_inputs
from protoc_gen_crd.proto.request import Request
from protoc_gen_crd.proto.request_dump import save_request
from protoc_gen_crd.settings.plugin_parameters import format_parameter
from protoc_gen_crd.settings.settings import Settings


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    parser.add_argument("paths", nargs="*", metavar="PATH", help=".proto file, folder, descriptor set or buf image")
    add_flags(parser, "generate")


def run(arguments: argparse.Namespace) -> int:
    """Generate; exit status 1 if a finding is as severe as --fail-on."""
    job = _GenerateCommand(read_command_settings(arguments, problems := Problems()), problems)
    try:
        lines = job.run(arguments.paths or job.settings.inputs)
    finally:
        job.progress.clear()
    print_delivery(lines, job.settings)
    report = job.make_report()
    print(job.differences, end="", file=sys.stderr)
    return report_findings(report, job.settings)


class _GenerateCommand:
    """One run. A stage runs only if the stages before it have no errors."""

    def __init__(self, settings: Settings, problems: Problems) -> None:
        self.settings = settings
        self.problems = problems
        self.progress = ProgressLine(quiet=settings.quiet)
        self.differences = ""
        self._paths: dict[str, str] = {}
        self._complete = False

    def make_report(self) -> Report:
        """Return the report of the findings so far."""
        packages = None if self._complete else ()  # in an incomplete run, suppressions cannot be unused
        sources = SourceFiles(self._paths)
        return make_report(self.problems.findings, self.settings, sources, packages=packages, command="generate")

    def run(self, paths: Sequence[str]) -> list[str]:
        """Generate the files and return the lines to print."""
        require_inputs(paths, self.settings, "inputs")
        files = self._build(self._read(paths))
        return self._deliver(files) if not self._has_errors(complete=True) else []

    def _has_errors(self, *, complete: bool = False) -> bool:
        return has_errors(self.problems, self.settings, complete=complete)

    def _read(self, paths: Sequence[str]) -> GenerateInputs:
        self.progress.show_stage(f"reading {', '.join(paths)}")
        settings = self.settings
        inputs = read_inputs(paths, settings.import_paths, settings.targets, self.problems)
        self._paths.update(inputs.paths)
        if settings.targets and not any(is_image(path) for path in paths):
            message = 'option "targets" has no effect without a descriptor set'
            self.problems.report("option-unused", message, settings.places.get("targets"))
        if settings.dump_request:
            save_request(inputs.serialize_request(format_parameter(settings)), settings.dump_request, self.problems)
        return inputs

    def _build(self, inputs: GenerateInputs) -> tuple[OutputFile, ...]:
        request = None if self._has_errors() else Request.from_message(inputs.request, self.problems, inputs.paths)
        if request is None:
            return ()
        self.progress.show_stage(f"generating resources of {format_file_count(len(request.targets))}")
        self._complete = True
        files = pipeline.generate_files(request, self.settings, self.problems, self._check_history)
        if self.settings.converters:
            from protoc_gen_crd.conversion.codegen.handwritten_functions import check_files

            written = {file.name: file.text for file in files if file.is_written_once}
            check_files(written, self.settings.out, self.settings.converters, self.problems)
        if self.settings.groups:
            from protoc_gen_crd.groups.handwritten_checks import check_handwritten_files

            check_handwritten_files({file.name: file.text for file in files}, self.settings.out, self.problems)
        if not files and not self._has_errors():
            from protoc_gen_crd.crd_loader import report_no_resources

            report_no_resources(format_file_count(len(request.targets)), self.settings, self.problems)
        if not self._has_errors():
            self.differences = pipeline.report_differences(request, self.settings)
        return files

    def _check_history(self, crds: tuple[Crd, ...]) -> None:
        """Check the CRDs against what was published: a version that may be stored must not be removed."""
        if self.settings.kcp:
            from protoc_gen_crd.emit.kcp_retention import check_retained_conversions

            check_retained_conversions(Path(self.settings.out, self.settings.kcp), crds, self.problems)
        folder = Path(self.settings.history)
        if self.settings.channel or not folder.is_dir():  # a version that a channel leaves out is not removed
            return
        from protoc_gen_crd.comparison.api_summary import summarize_api
        from protoc_gen_crd.conversion.checks.hub_change_loss import check_hub_change
        from protoc_gen_crd.conversion.hub_choice import apply_hub_settings
        from protoc_gen_crd.conversion.plan_builder import find_declared_crds
        from protoc_gen_crd.conversion.rule_files.settings_rules import read_rules
        from protoc_gen_crd.history import release_store
        from protoc_gen_crd.history.element_places import ElementPlaces
        from protoc_gen_crd.history.history_check import check_removed_versions

        releases = release_store.load_releases(folder, self.problems)
        history = [
            (release.name, summary)
            for release, summary in release_store.load_summaries(folder, releases, self.problems)
        ]
        if history:
            places = ElementPlaces(crds, str(folder / releases[-1].name / release_store.API))
            check_removed_versions(history, summarize_api(crds), places, self.problems)
            known, files = apply_hub_settings(crds, self.settings, Problems()), read_rules(self.settings, Problems())
            check_hub_change(history[-1][1], find_declared_crds(known, files), files, self.problems)

    def _deliver(self, files: Sequence[OutputFile]) -> list[str]:
        self.progress.show_stage(f"writing {format_file_count(len(files))}")
        lines = deliver_files(self.settings.out, files, self.settings, self.problems)
        report_copies(self.settings.out, files, self.problems)
        return lines
