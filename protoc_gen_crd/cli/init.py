"""`init`: write the first files of a project to the working folder. Existing files are never changed."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

from protoc_gen_crd.cli.findings_output import make_report, print_status, report_findings
from protoc_gen_crd.cli.flags_from_options import add_flags, read_command_settings
from protoc_gen_crd.cli.output_folder import is_outside, read_content, write_files
from protoc_gen_crd.cli.project_plan_output import describe_addition, format_commands, plan_project
from protoc_gen_crd.findings.finding import Problems
from protoc_gen_crd.findings.source_lines import SourceFiles
from protoc_gen_crd.scaffold.project_planner import Project


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    add_flags(parser, "init")


def run(arguments: argparse.Namespace) -> int:
    """Write the files; exit status 1 if a finding is as severe as --fail-on. Raises OSError."""
    settings = read_command_settings(arguments, problems := Problems())
    if planned := plan_project(settings, problems):
        print_status([*_write(*planned, problems)], settings)
    return report_findings(make_report(problems.findings, settings, SourceFiles({})), settings)


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
            yield from [*describe_addition(file, content)] or [f"kept {file.path}"]
    yield from hint.splitlines()
    yield from format_commands(project.commands)
