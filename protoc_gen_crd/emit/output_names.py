"""Validation of the names of output files: below the output folder, and unique."""

from __future__ import annotations

import re
from collections.abc import Iterable

from protoc_gen_crd.base.file_names import is_below
from protoc_gen_crd.emit.output_file import OutputFile
from protoc_gen_crd.findings.finding import Problems


def check_output_names(files: Iterable[OutputFile], problems: Problems) -> None:
    """Report files outside the output folder, and duplicate names."""
    names = [file.name for file in files]
    report_outside_names(names, problems)
    seen: set[str] = set()
    for name in names:
        if name in seen:
            problems.report("output-repeated", f'file name "{name}" is used twice')
        seen.add(name)


def report_outside_names(names: Iterable[str], problems: Problems) -> bool:
    """Report names that are no paths below a folder. Return whether there are any."""
    outside = [name for name in names if not is_below(name)]
    for name in outside:
        control = re.search(r"[\x00-\x1f\x7f]", name)
        reason = "contains control characters" if control else "is outside the output folder"
        problems.report("output-outside", f'file name "{name}" {reason}')
    return bool(outside)
