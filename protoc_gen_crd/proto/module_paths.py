"""Where the files of a request lie on disk, as near as a plugin can tell: buf's names start from a module's root.

Knows folders, not descriptors. A plugin run with warnings comes by here, so what is costly is loaded only where a
file is sure to be found by it.
"""

from __future__ import annotations

import os.path
import re
from collections.abc import Iterable, Iterator, Sequence

from protoc_gen_crd.base.input_files import read_file

_WORD = re.compile(r"""[^\s:,'"#\[\]{}]+""")


def find_module_paths(names: Iterable[str]) -> dict[str, str]:
    """The paths of the files that are not in the working folder, but in one module of the workspace around it."""
    away = [name for name in names if not os.path.isfile(name)]
    if not away or not any(_is_below(folder, text, away) for folder, text in _find_buf_configs()):
        return {}
    from pathlib import Path

    from protoc_gen_crd.findings.finding import Problems
    from protoc_gen_crd.proto.buf_config import find_modules

    try:
        roots = find_modules(Path(), Problems()).roots  # what is wrong with a buf.yaml, buf has said
    except OSError:
        return {}
    found = {name: [path for root in roots if (path := Path(root, name)).is_file()] for name in away}
    return {name: str(paths[0]) for name, paths in found.items() if len(paths) == 1}


def _find_buf_configs() -> Iterator[tuple[str, str]]:
    """The folders around, the working folder first, that have a configuration of buf, with its text."""
    folder = os.getcwd()
    while True:
        for name in ("buf.work.yaml", "buf.yaml"):
            try:
                text = read_file(os.path.join(folder, name)).decode(errors="replace")
            except OSError:
                continue
            yield folder, text
        folder, below = os.path.dirname(folder), folder
        if folder == below:
            return


def _is_below(folder: str, text: str, names: Sequence[str]) -> bool:
    """Whether one of the files lies below a folder that a configuration names, or below its own."""
    named = [os.path.join(folder, word) for word in dict.fromkeys(("", *_WORD.findall(text)))]
    folders = [one for one in named if os.path.isdir(one)]
    return any(os.path.isfile(os.path.join(one, name)) for name in names for one in folders)
