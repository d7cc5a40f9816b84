"""The names of output files: below the output folder, and each once. Knows names, not disks."""

from __future__ import annotations

import re
from collections.abc import Iterable

from protoc_gen_crd.base.diagnostics import Problems
from protoc_gen_crd.emit import OutputFile

# Nothing, a folder, a way up, a root, a Windows drive, and what one system or another does not take.
_NO_FILE_BELOW = r"(?s)\Z|(?:.*/)?\.{0,2}\Z|(?:.*/)?\.\./|/|[A-Za-z]:|.*[\x00-\x1f\x7f\\]"


def is_below(name: str) -> bool:
    """Whether a name with slashes is that of a file below the folder it starts from, on every system."""
    return re.match(_NO_FILE_BELOW, name) is None


def check_names(files: Iterable[OutputFile], problems: Problems) -> None:
    """Report files that would not lie below the output folder, and names that two of them have."""
    seen: set[str] = set()
    for name in (file.name for file in files):
        if not is_below(name):
            control = re.search(r"[\x00-\x1f\x7f]", name)
            wanted = "a name must hold no control characters" if control else "a file must stay in the output folder"
            problems.report("output-outside", f'{wanted}, found "{name}"')
        if name in seen:
            problems.report("output-repeated", f'each file must have a name of its own, found "{name}" twice')
        seen.add(name)
