"""`import PATHS`: write annotated .proto files from CRDs, and prove that they generate the same CRDs."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from protoc_gen_crd.cli.findings_output import has_errors, make_report, print_delivery, report_findings
from protoc_gen_crd.cli.flags_from_options import add_flags, read_command_settings, require_inputs
from protoc_gen_crd.cli.output_delivery import format_file_count
from protoc_gen_crd.cli.output_folder import is_outside, lock_folder, read_content, remove_temporary_files, write_files
from protoc_gen_crd.cli.project_plan_output import format_next_steps
from protoc_gen_crd.crd_loader import LoadOptions, require_crds
from protoc_gen_crd.emit.output_names import report_invalid_names
from protoc_gen_crd.findings.finding import Location, Problems
from protoc_gen_crd.findings.source_lines import SourceFiles
from protoc_gen_crd.importer.crd_import import ProtoFile, import_crds
from protoc_gen_crd.importer.crd_selection import select_crds
from protoc_gen_crd.settings.settings import Settings


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    parser.add_argument("paths", nargs="*", metavar="PATH", help="file or folder of CRDs in YAML or JSON")
    parser.add_argument("--out", default="proto", metavar="PATH", help="the output folder (default: proto)")
    add_flags(parser, "import")


def run(arguments: argparse.Namespace) -> int:
    """Import; exit status 1 if a finding is as severe as --fail-on."""
    settings = read_command_settings(arguments, problems := Problems())
    inputs = arguments.paths or settings.documents
    require_inputs(inputs, settings, "documents", argument="a file or folder of CRDs")
    paths: dict[str, str] = {}
    crds = require_crds(inputs, settings, paths, problems, LoadOptions(only_documents=True))
    problems.findings = [
        finding.replace(hint=_CRDS_HINT) if finding.rule in ("document-none", "crd-none") else finding
        for finding in problems.findings
    ]
    selected = select_crds(crds, settings.kubernetes, problems)
    files = () if has_errors(problems, settings) else import_crds(selected, problems)
    lines = _write(Path(arguments.out), files, problems, settings)
    if len(lines) > 1 and not settings.quiet:
        lines += format_next_steps(arguments.out, settings.settings)
    print_delivery(lines, settings)
    return report_findings(make_report(problems.findings, settings, SourceFiles(paths)), settings)


def _write(folder: Path, files: Sequence[ProtoFile], problems: Problems, settings: Settings) -> list[str]:
    """Write all files, unless there is an error; returns the lines to print. Existing files are never changed."""
    contents = {file.name: file.text.encode() for file in files}
    new: dict[str, bytes] = {}
    if report_invalid_names(contents, problems):
        return []
    remove_temporary_files((folder / name).parent for name in contents)
    for name, content in contents.items():
        existing = read_content(folder / name)
        if is_outside(folder, name):
            problems.report("output-outside", f'file "{name}" is outside the output folder "{folder}"')
        elif existing is not None and existing != content:
            message = "file exists with other content"
            problems.report("import-exists", message, Location(str(folder / name)), hint=_HINT)
        elif existing is None:
            new[name] = content
    if not files or has_errors(problems, settings):
        return []
    with lock_folder(folder):
        write_files(folder, new)
    count = f"{format_file_count(len(files))}, {len(new)} written"
    return [*(f"wrote {folder / name}" for name in new), f"{folder}: {count}"]


_CRDS_HINT = "pass a file or folder of CRDs in YAML or JSON; `protoc-gen-crd init` starts a project without CRDs"
_HINT = "import to another folder with --out, or remove the file"
