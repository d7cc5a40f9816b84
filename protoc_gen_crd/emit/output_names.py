"""Validation of the names of output files: below the output folder, unique, and possible on file systems."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

from protoc_gen_crd.base.file_names import is_below
from protoc_gen_crd.emit.output_file import OutputFile
from protoc_gen_crd.findings.finding import Problems

_CONTROL: Final = r"[\x00-\x1f\x7f]"
_LONGEST: Final = 255  # bytes of the name of a file or folder on Linux; macOS and Windows count characters
_LONGEST_PATH: Final = 1024  # bytes on macOS; Linux has 4,096
_SHOWN: Final = 60  # characters of a long name in a message
_LONG_NAME_HINT: Final = "shorten the group or the names of the kind"


def check_output_names(files: Iterable[OutputFile], problems: Problems) -> None:
    """Report files outside the output folder, names that no file can have, and duplicate names."""
    names = [file.name for file in files]
    report_invalid_names(names, problems)
    seen: set[str] = set()
    for name in names:
        if not is_below(name) and not _has_control_character(name):
            problems.report("output-outside", f'file name "{name}" is outside the output folder')
        if name in seen:
            problems.report("output-repeated", f'file name "{name}" is used twice')
        seen.add(name)


def report_invalid_names(names: Iterable[str], problems: Problems) -> bool:
    """Report names with control characters, and names that are too long. Return whether there are any."""
    messages = [message for name in names for message in _describe_faults(name)]
    for message, hint in messages:
        problems.report("output-outside", message, hint=hint)
    return bool(messages)


def _has_control_character(name: str) -> bool:
    return not name.isprintable() and re.search(_CONTROL, name) is not None


def _describe_faults(name: str) -> Iterator[tuple[str, str]]:
    """Yield messages and hints."""
    limits = {**dict.fromkeys(name.split("/"), _LONGEST), **({name: _LONGEST_PATH} if "/" in name else {})}
    for part, limit in limits.items():
        size = len(part.encode("utf-8", "surrogatepass"))
        if size > limit:
            yield f'file name "{part[:_SHOWN]}..." has {size:,} bytes, more than {limit:,}', _LONG_NAME_HINT
    if _has_control_character(name):
        yield f'file name "{name}" contains control characters', ""
