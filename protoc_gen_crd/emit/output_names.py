"""Validation of the names of output files: below the output folder, unique, and possible on file systems."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from protoc_gen_crd.base.file_names import is_below
from protoc_gen_crd.emit.output_file import OutputFile
from protoc_gen_crd.findings.finding import Problems

_CONTROL: Final = re.compile(r"[\x00-\x1f\x7f]")
_LONGEST: Final = 255  # bytes of a file or folder name on Linux; macOS and Windows count characters
_SHOWN: Final = 60  # characters of a long name in a message
_LONG_NAME_HINT: Final = "shorten the group or the names of the kind"


def check_output_names(files: Iterable[OutputFile], problems: Problems) -> None:
    """Report files outside the output folder, names that no file can have, and duplicate names."""
    names = [file.name for file in files]
    report_invalid_names(names, problems)
    seen: set[str] = set()
    for name in names:
        if not is_below(name) and not _CONTROL.search(name):
            problems.report("output-outside", f'file name "{name}" is outside the output folder')
        if name in seen:
            problems.report("output-repeated", f'file name "{name}" is used twice')
        seen.add(name)


def report_invalid_names(names: Iterable[str], problems: Problems) -> bool:
    """Report names with control characters, and names that are too long. Return whether there are any."""
    is_invalid = False
    for name in names:
        sizes = {part: len(part.encode("utf-8", "surrogatepass")) for part in name.split("/")}
        longest = max(sizes, key=lambda part: sizes[part])
        if sizes[longest] > _LONGEST:
            message = f'file name "{longest[:_SHOWN]}..." has {sizes[longest]:,} bytes, more than {_LONGEST}'
            problems.report("output-outside", message, hint=_LONG_NAME_HINT)
        if _CONTROL.search(name):
            problems.report("output-outside", f'file name "{name}" contains control characters')
        is_invalid |= sizes[longest] > _LONGEST or bool(_CONTROL.search(name))
    return is_invalid
