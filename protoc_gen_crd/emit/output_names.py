"""Validation of the names of output files: below the output folder, and unique."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from protoc_gen_crd.base.file_names import is_below
from protoc_gen_crd.emit.output_file import OutputFile
from protoc_gen_crd.findings.finding import Problems

_CONTROL: Final = re.compile(r"[\x00-\x1f\x7f]")


def check_output_names(files: Iterable[OutputFile], problems: Problems) -> None:
    """Report files outside the output folder, names with control characters, and duplicate names."""
    names = [file.name for file in files]
    report_control_characters(names, problems)
    seen: set[str] = set()
    for name in names:
        if not is_below(name) and not _CONTROL.search(name):
            problems.report("output-outside", f'file name "{name}" is outside the output folder')
        if name in seen:
            problems.report("output-repeated", f'file name "{name}" is used twice')
        seen.add(name)


def report_control_characters(names: Iterable[str], problems: Problems) -> bool:
    """Report names with control characters. Return whether there are any."""
    invalid = [name for name in names if _CONTROL.search(name)]
    for name in invalid:
        problems.report("output-outside", f'file name "{name}" contains control characters')
    return bool(invalid)
