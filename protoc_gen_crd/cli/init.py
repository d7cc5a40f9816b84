"""`init`: write the first files of a project to the working folder. Existing files are never changed."""

from __future__ import annotations

import argparse
import textwrap
from collections.abc import Iterator, Sequence
from pathlib import Path

from protoc_gen_crd.cli.findings_output import has_errors, make_report, print_status, report_findings
from protoc_gen_crd.cli.flags_from_options import add_flags, read_command_settings
from protoc_gen_crd.cli.output_folder import is_outside, read_content, write_files
from protoc_gen_crd.crd.crd import Crd
from protoc_gen_crd.crd_loader import generate_crds
from protoc_gen_crd.findings.finding import Problems
from protoc_gen_crd.findings.source_lines import SourceFiles
from protoc_gen_crd.scaffold.folder_survey import FolderSurvey, survey_folder
from protoc_gen_crd.scaffold.known_losses import find_known_losses
from protoc_gen_crd.scaffold.project import PlannedFile, Project, ProjectPlanner
from protoc_gen_crd.settings.settings import Settings

_PROGRAM = "protoc-gen-crd"
_NO_RESOURCE = """\

no message of the .proto files is a custom resource yet: mark one with a comment such as

    // +protoc-gen-crd:resource={group: "acme.example", versions: "v1"}
"""
_ERRORS = """\

the .proto files have errors, which `generate` reports: fix them, then run init again
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    add_flags(parser, "init")


def run(arguments: argparse.Namespace) -> int:
    """Write the files; exit status 1 if a finding is as severe as --fail-on. Raises OSError."""
    settings = read_command_settings(arguments, problems := Problems())
    survey = survey_folder(Path(), problems)
    if not has_errors(problems, settings):
        own = settings if Path(settings.settings).parent == Path() else Settings()
        survey, crds = _generate(survey, settings, errors := Problems())
        losses = find_known_losses(errors.findings, crds, survey.crds, own.findings)
        planner = ProjectPlanner(survey, crds, own, losses)
        hint = "" if planner.has_resources else _ERRORS if has_errors(errors, settings) else _NO_RESOURCE
        print_status([*_write(planner.plan(), hint, problems)], settings)
    return report_findings(make_report(problems.findings, settings, SourceFiles({})), settings)


def _generate(survey: FolderSurvey, settings: Settings, problems: Problems) -> tuple[FolderSurvey, Sequence[Crd]]:
    """Return the CRDs of the .proto files, and the survey without folders whose files do not compile.

    If no folder defines a kind, the survey keeps all. `problems` receives errors, which `generate` reports, too.
    """
    crds = generate_crds(survey.proto_roots, settings, {}, problems) if survey.proto_roots else ()
    if crds or len(survey.proto_roots) < 2 or not has_errors(problems, settings):
        return survey, crds
    roots = tuple(root for root in survey.proto_roots if generate_crds([root], settings, {}, Problems()))
    if not roots:
        return survey, ()
    ignored = tuple(root for root in survey.proto_roots if root not in roots)
    return survey.replace(proto_roots=roots, ignored_roots=ignored), generate_crds(roots, settings, {}, Problems())


def _write(project: Project, hint: str, problems: Problems) -> Iterator[str]:
    """Write the files that do not exist; yields the lines to print: files, lines to add, and the next commands."""
    if outside := [file.path for file in project.files if is_outside(Path(), file.path)]:
        problems.report("output-outside", f'file "{outside[0]}" is outside of this folder', hint="replace the link")
        return
    existing = {file.path: read_content(Path(file.path)) for file in project.files}
    contents = {file.path: file.text.encode() for file in project.files if file.text and existing[file.path] is None}
    write_files(Path(), contents)
    yield from (f"wrote {path}" for path in contents)
    notes = [
        *project.notes,
        *(f"{file.path}: {file.note}" for file in project.files if file.note and file.path in contents),
    ]
    yield from ("", *notes) if notes else ()
    for file in project.files:
        content = existing[file.path]
        if content is not None:
            yield from _describe_existing(file, content)
    yield from hint.splitlines()
    yield from ("", "next:")
    width = max(len(command) for command, _ in project.commands if command.startswith(_PROGRAM))
    yield from (f"  {command:{width}}  # {purpose}" for command, purpose in project.commands)


def _describe_existing(file: PlannedFile, content: bytes) -> Iterator[str]:
    """Yield the lines to print for a file that exists. A file that names this tool only lacks single commands."""
    addition = file.addition
    if not file.is_settings and _PROGRAM.encode() in content:
        addition = "".join([line for line in file.text.splitlines(keepends=True) if _lacks(content, line)])
    if addition:
        yield from ("", f"{file.path} exists: add these lines to it", "")
        yield from textwrap.indent(addition, "    ").splitlines()
    else:
        yield f"kept {file.path}"


def _lacks(content: bytes, line: str) -> bool:
    return f"{_PROGRAM} " in line and line.strip().encode() not in content
