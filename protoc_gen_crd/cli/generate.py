"""`generate PATHS`: .proto files to CRDs in a folder, with the bundled protoc and nothing else installed."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from protoc_gen_crd import pipeline
from protoc_gen_crd.base.diagnostics import Location, Problems
from protoc_gen_crd.base.render.report import Report, conclude
from protoc_gen_crd.base.render.sources import Sources
from protoc_gen_crd.cli.delivery import bring, counted
from protoc_gen_crd.cli.errors import UsageError
from protoc_gen_crd.cli.findings import end, failed, tell
from protoc_gen_crd.cli.flags import add_flags, settings_of
from protoc_gen_crd.cli.progress import Progress
from protoc_gen_crd.crd.types import Crd
from protoc_gen_crd.emit import OutputFile
from protoc_gen_crd.proto.dump import save
from protoc_gen_crd.proto.inputs import Inputs, is_image, read_inputs
from protoc_gen_crd.proto.request import Request
from protoc_gen_crd.settings import Settings
from protoc_gen_crd.settings_given import parameter_of

_EXAMPLES = """\
examples:
  protoc-gen-crd generate proto              the CRDs of all files below proto/, into crds/
  protoc-gen-crd generate api.binpb --out .  of an image that "buf build -o api.binpb" made
  protoc-gen-crd generate --check            as the settings file says, to see whether crds/ is up to date

"protoc-gen-crd include" names the folder of protoc_gen_crd/v1/options.proto, which declares and explains all options of
an API, "protoc-gen-crd explain ID" tells what a finding means."""


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    parser.epilog, parser.formatter_class = _EXAMPLES, argparse.RawDescriptionHelpFormatter
    parser.add_argument("paths", nargs="*", metavar="PATH", help=".proto file, folder, descriptor set or buf image")
    add_flags(parser, "generate")


def run(arguments: argparse.Namespace) -> int:
    """Generate; exit status 1 where a finding is as severe as --fail-on says."""
    job = _Job(settings_of(arguments, problems := Problems()), problems)
    try:
        lines = job.run(arguments.paths or job.settings.inputs)
    finally:
        job.progress.done()
    tell(lines, job.settings)
    report = job.report()
    print(job.differences, end="", file=sys.stderr)
    return end(report, job.settings)


class _Job:
    """One run. Each stage is entered only without errors in those before it."""

    def __init__(self, settings: Settings, problems: Problems) -> None:
        self.settings = settings
        self.problems = problems
        self.progress = Progress()
        self.differences = ""
        self._paths: dict[str, str] = {}
        self._complete = False

    def report(self) -> Report:
        """What has been found so far."""
        packages = None if self._complete else ()  # of what was not looked at no entry is known to be unused
        return conclude(self.problems.findings, self.settings.findings, Sources(self._paths), packages=packages)

    def run(self, given: Sequence[str]) -> list[str]:
        """Do it; the lines to print."""
        if self._failed():
            return []
        if not given:
            raise UsageError('what is to be read? Give a path, or "inputs" in the settings file')
        files = self._build(self._read(given))
        return self._deliver(files) if not self._failed(complete=True) else []

    def _failed(self, *, complete: bool = False) -> bool:
        return failed(self.problems, self.settings, complete=complete)

    def _read(self, given: Sequence[str]) -> Inputs:
        self.progress.stage(f"reading {', '.join(given)}")
        settings = self.settings
        inputs = read_inputs(given, settings.import_paths, settings.targets, self.problems)
        self._paths.update(inputs.paths)
        if settings.targets and not any(is_image(path) for path in given):
            message = 'an option must have an effect, found "targets" without a descriptor set, where it has none'
            self.problems.report("option-unused", message, settings.places.get("targets"))
        if settings.dump_request:
            save(inputs.dump(parameter_of(settings)), settings.dump_request, self.problems)
        return inputs

    def _build(self, inputs: Inputs) -> tuple[OutputFile, ...]:
        request = None if self._failed() else Request.of(inputs.request, self.problems, inputs.paths)
        if request is None:
            return ()
        self.progress.stage(f"making resources of {counted(len(request.targets))}")
        self._complete = True
        files = pipeline.run(request, self.settings, self.problems, self._check_stored)
        if self.settings.converters:
            from protoc_gen_crd.conversion.code.handwritten import check_files

            written = {file.name: file.text for file in files if file.once}
            check_files(written, self.settings.out, self.settings.converters, self.problems)
        if not files and not self._failed():
            from protoc_gen_crd.testing.generated import report_none

            report_none(counted(len(request.targets)), self.settings, self.problems)
        if not self._failed():
            self.differences = pipeline.report(request, self.settings)
        return files

    def _check_stored(self, crds: tuple[Crd, ...]) -> None:
        """Hold the CRDs to what was recorded of releases: no version goes that objects may be stored in."""
        folder = Path(self.settings.history)
        if self.settings.channel or not folder.is_dir():  # what a channel leaves out is not gone
            return
        from protoc_gen_crd.conversion.hub import with_hubs
        from protoc_gen_crd.conversion.planning import told
        from protoc_gen_crd.conversion.rules.rulefiles import read_rules
        from protoc_gen_crd.history import store
        from protoc_gen_crd.history.promises import check_hubs, check_stored
        from protoc_gen_crd.history.summary import summarise

        releases = store.load(folder, self.problems)
        history = [(release.name, summary) for release, summary in store.summaries(folder, releases, self.problems)]
        if history:
            at = Location(str(folder / releases[-1].name / store.API))
            check_stored(history, summarise(crds), at, self.problems)
            known, files = with_hubs(crds, self.settings, Problems()), read_rules(self.settings, Problems())
            check_hubs(history[-1][1], told(known, files), files, self.problems)

    def _deliver(self, files: Sequence[OutputFile]) -> list[str]:
        self.progress.stage(f"writing {counted(len(files))}")
        return bring(self.settings.out, files, self.settings, self.problems)
