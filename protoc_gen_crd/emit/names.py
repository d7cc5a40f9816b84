"""The names of output files: below the output folder, and each once. Knows names, not disks."""

from __future__ import annotations

import re
from collections.abc import Iterable

from protoc_gen_crd.base.diagnostics import Problems
from protoc_gen_crd.base.filenames import is_below
from protoc_gen_crd.emit import OutputFile


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
