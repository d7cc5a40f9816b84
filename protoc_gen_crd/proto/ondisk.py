"""Where the files of a request lie on disk, as near as a plugin can tell: buf's names start from a module's root.

Knows folders, not descriptors.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from protoc_gen_crd.base.diagnostics import Problems
from protoc_gen_crd.proto.bufconfig import modules_of


def module_paths(names: Iterable[str]) -> dict[str, str]:
    """The paths of the files that are not in the working folder, but in one module of the workspace around it."""
    away = [name for name in names if not Path(name).is_file()]
    if not away:
        return {}
    try:
        roots = modules_of(Path(), Problems()).roots  # what is wrong with a buf.yaml, buf has said
    except OSError:
        return {}
    found = {name: [path for root in roots if (path := Path(root, name)).is_file()] for name in away}
    return {name: str(paths[0]) for name, paths in found.items() if len(paths) == 1}
