"""Search for the files of a request on disk. buf's names are relative to the root of a module.

This module reads folders, not descriptors. Plugin runs with findings use it, so expensive modules are imported only if
they are needed to find a file.
"""

from __future__ import annotations

import os.path
from collections.abc import Iterable, Iterator, Sequence

from protoc_gen_crd.base.input_files import read_file

_TO_BLANKS = str.maketrans(dict.fromkeys(":,'\"#[]{}", " "))


def find_module_paths(names: Iterable[str]) -> dict[str, str]:
    """Return the paths of files that are not in the working folder, but in exactly one module of its workspace."""
    missing = [name for name in names if not os.path.isfile(name)]
    if not missing or not any(_is_below(folder, text, missing) for folder, text in _find_buf_configs()):
        return {}
    from pathlib import Path

    from protoc_gen_crd.findings.finding import Problems
    from protoc_gen_crd.proto.buf_config import find_modules

    try:
        roots = find_modules(Path(), Problems()).roots  # buf reports errors in buf.yaml
    except OSError:
        return {}
    candidates = {name: [path for root in roots if (path := Path(root, name)).is_file()] for name in missing}
    return {name: str(paths[0]) for name, paths in candidates.items() if len(paths) == 1}


def _find_buf_configs() -> Iterator[tuple[str, str]]:
    """Yield the working folder and its parents that have a buf configuration, with its content."""
    folder = os.getcwd()
    while True:
        for name in ("buf.work.yaml", "buf.yaml"):
            try:
                content = read_file(os.path.join(folder, name)).decode(errors="replace")
            except OSError:
                continue
            yield folder, content
        folder, previous = os.path.dirname(folder), folder
        if folder == previous:
            return


def _is_below(folder: str, config: str, names: Sequence[str]) -> bool:
    """Return whether one of the files is in a folder that a configuration names, or in the configuration's folder."""
    words = config.translate(_TO_BLANKS).split()
    folders = [path for word in dict.fromkeys(("", *words)) if os.path.isdir(path := os.path.join(folder, word))]
    first_parts = {name.partition("/")[0] for name in names}
    folders = [path for path in folders if any(os.path.lexists(os.path.join(path, part)) for part in first_parts)]
    return any(os.path.isfile(os.path.join(path, name)) for name in names for path in folders)
