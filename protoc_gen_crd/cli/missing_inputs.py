"""Findings for paths in the settings file that do not exist."""

from __future__ import annotations

import argparse
from pathlib import Path

from protoc_gen_crd.base.path_hints import find_path_hint
from protoc_gen_crd.cli.findings_output import make_report, report_findings
from protoc_gen_crd.cli.flags_from_options import read_command_settings
from protoc_gen_crd.findings.finding import Problems
from protoc_gen_crd.findings.source_lines import SourceFiles
from protoc_gen_crd.settings.settings import get_settings_folder

_OPTIONS = ("inputs", "documents")


def report_missing_inputs(arguments: argparse.Namespace, missing: str) -> bool:
    """Report the missing paths of the option of the settings file that contains one of them.

    Args:
        arguments: The arguments of the command.
        missing: A path that does not exist.

    Returns:
        Whether an option contains the path. Otherwise, nothing is reported.
    """
    settings = read_command_settings(arguments, Problems())
    problems = Problems()
    folder = get_settings_folder(settings.settings)
    for option in _OPTIONS:
        paths: tuple[str, ...] = getattr(settings, option)
        for index, path in enumerate(paths if missing in paths else ()):
            if not Path(path).exists():
                hint = find_path_hint(FileNotFoundError(), path, folder)
                message = f'path in "{option}" does not exist: {path}'
                problems.report("option-value", message, settings.places.get(f"{option}[{index}]"), hint=hint)
    if problems.findings:
        report_findings(make_report(problems.findings, settings, SourceFiles({})), settings)
    return bool(problems.findings)
